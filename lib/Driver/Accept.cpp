// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a module's programs must hold before the line takes them up.

#include "drawloom/Driver/Stations.h"

#include "drawloom/Tile/TilePasses.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace drawloom {
namespace {

/// Arguments of one launch; far more than any front door passes on.
constexpr int64_t kArguments = 1024;

/// The array is as static as a launch is, and the machine has room for it.
LogicalResult verifyArray(Operation *array, int64_t argument, MemRefType type,
                          const MachineModel &machine) {
  if (argument < 0 || argument >= kArguments)
    return array->emitError("is over argument ")
           << argument << "; a launch has arguments 0 to " << kArguments - 1;
  int64_t offset;
  SmallVector<int64_t> strides;
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic) || ShapedType::isDynamic(offset) ||
      !type.getElementType().isIntOrFloat())
    return array->emitError("needs a static shape, static strides and elements that are numbers: a "
                            "program is specialised on its launch");
  if (!machine.hasBanks())
    return success();
  int64_t capacity = machine.global().size * machine.bankCount();
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes) || bytes > capacity)
      return array->emitError("holds more than the ")
             << capacity << " bytes of DRAM of machine '" << machine.name()
             << "': split the launch, or describe a machine with more";
  return success();
}

/// A resumed task program works on the arrays of the tile program beside it.
LogicalResult verifySameArrays(Programs programs) {
  SmallVector<tile::ArrayOp> arrays(programs.tile.getBody().getOps<tile::ArrayOp>());
  SmallVector<task::ArrayOp> copies(programs.task.getBody().getOps<task::ArrayOp>());
  if (arrays.size() != copies.size())
    return programs.task.emitError("has ")
           << copies.size() << " arrays, but the tile.program beside it has " << arrays.size();
  for (auto [array, copy] : llvm::zip(arrays, copies)) {
    if (copy.getArgument() == array.getArgument() && copy.getName() == array.getName() &&
        copy.getRole() == array.getRole() && copy.getViewType() == array.getView().getType() &&
        copy.getLayoutAttr() == array.getLayoutAttr())
      continue;
    auto error = copy.emitError("differs from the array of the tile.program beside it: give both "
                                "the same argument, name, role, view and layout");
    error.attachNote(array.getLoc()) << "which is this one";
    return error;
  }
  return success();
}

/// A program with a plan runs on the machine it was planned for.
LogicalResult verifyMachine(Operation *program, StringRef planned, const MachineModel &machine) {
  if (planned.empty() || planned == machine.name())
    return success();
  return program->emitError("was planned for machine '")
         << planned << "', not for '" << machine.name() << "': give --machine " << planned
         << ", or plan it again from its logical state";
}

} // namespace

LogicalResult Programs::verify(const MachineModel &machine) {
  if ((tile && failed(verifyMachine(tile, tile.getMachine().value_or(""), machine))) ||
      (task && failed(verifyMachine(task, task.getMachine(), machine))))
    return failure();
  if (tile) {
    for (auto array : tile.getBody().getOps<tile::ArrayOp>())
      if (failed(verifyArray(array, array.getArgument(), cast<MemRefType>(array.getView().getType()),
                             machine)))
        return failure();
    if (failed(tile::verifyLogical(tile)))
      return failure();
    return task ? verifySameArrays(*this) : success();
  }
  for (auto array : task.getBody().getOps<task::ArrayOp>())
    if (failed(verifyArray(array, array.getArgument(), array.getViewType(), machine)))
      return failure();
  return success();
}

} // namespace drawloom
