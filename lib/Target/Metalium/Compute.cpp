// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dst, the matrix unit and the packer.
#include "Compute.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::metalium;

static bool packs(Operation &op) {
  return op.walk([](task::PackOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// The body's operations in order, with the hand-over to the packer before the
/// first of them that packs.
void ComputePrinter::print(task::DstOp op) {
  auto handOver = [&] {
    call("tile_regs_commit", {});
    call("tile_regs_wait", {});
  };
  call("tile_regs_acquire", {});
  bool handedOver = false;
  for (Operation &inner : op.getBody().getOps()) {
    if (!handedOver && packs(inner)) {
      handOver();
      handedOver = true;
    }
    printStatement(inner);
  }
  if (!handedOver)
    handOver();
  if (reduced) {
    llvm::SaveAndRestore matrix(readsOperands, true);
    call("reduce_uninit", reduced);
  }
  reduced = {};
  call("tile_regs_release", {});
}

std::string ComputePrinter::tile(Value range, Value index) {
  int64_t slot = *range.getDefiningOp<task::RegisterOp>().getSlot();
  std::string offset = scalars.use(index).within(Binding::Sum);
  if (slot == 0)
    return offset;
  return offset == "0" ? std::to_string(slot)
                       : std::to_string(slot) + " + " + offset;
}

void ComputePrinter::print(task::MatmulOp op) {
  need("api/compute/matmul.h");
  llvm::SaveAndRestore matrix(readsOperands, true);
  ArrayRef<int64_t> block = op.getBlock();
  call("matmul_block", {op.getLhs(), op.getRhs()},
       {text(op.getLhsSlot()), text(op.getRhsSlot()),
        tile(op.getInto(), op.getIndex()), std::to_string(op.getTransposed()),
        std::to_string(block[1]), std::to_string(block[0]),
        std::to_string(block[2])});
}

void ComputePrinter::call(StringRef callee, ValueRange buffers,
                          ArrayRef<std::string> numbers, size_t before) {
  SmallVector<std::string> names;
  for (Value buffer : buffers)
    names.push_back(readsOperands ? operand(buffer) : constant(buffer));
  if (onlyCounts)
    calls.count(callee, names);
  os << calls.print(callee, names, numbers, before);
}

void ComputePrinter::print(task::BinaryOp op) {
  llvm::SaveAndRestore matrix(readsOperands, true);
  need(op.getBroadcast() ? "api/compute/bcast.h"
                         : "api/compute/eltwise_binary.h");
  call((stringifyArithmetic(op.getArithmetic()) + "_tiles" +
        suffixOf(op.getBroadcast()))
           .str(),
       {op.getLhs(), op.getRhs()},
       {text(op.getLhsSlot()), text(op.getRhsSlot()),
        tile(op.getInto(), op.getIndex())});
}

void ComputePrinter::print(task::CopyOp op) {
  need(op.getBroadcast() ? "api/compute/bcast.h"
                         : "api/compute/tile_move_copy.h");
  call(op.getBroadcast() ? "unary_bcast" + typeOf(*op.getBroadcast())
                         : "copy_tile",
       op.getBuffer(), {text(op.getSlot()), tile(op.getInto(), op.getIndex())});
}

void ComputePrinter::print(task::TransposeOp op) {
  call("transpose_tile", op.getBuffer(),
       {text(op.getSlot()), tile(op.getInto(), op.getIndex())});
}

void ComputePrinter::print(task::ReduceOp op) {
  llvm::SaveAndRestore matrix(readsOperands, true);
  call("reduce_tile" + typeOf(op.getReduction(), op.getOver()),
       {op.getBuffer(), op.getOnes()},
       {text(op.getSlot()), "0", tile(op.getInto(), op.getIndex())});
}

void ComputePrinter::print(task::PackOp op) {
  call("pack_tile<true>", op.getBuffer(),
       {tile(op.getOf(), op.getIndex()), text(op.getSlot())}, 1);
}

/// Only the unpacker's thread has waited for the tile: it tells the others.
std::string ComputePrinter::peek(task::PeekOp op) {
  // Of longer integers the lower half: indices fit into it.
  Type elements = op.getElements().isInteger(64)
                      ? IntegerType::get(op.getContext(), 32)
                      : op.getElements();
  return helper(Helper::PeekTile) + "<" + elementType(elements) + ">(" +
         constant(op.getBuffer()) + ", " + text(op.getSlot()) + ", " +
         text(op.getByte()) + ")";
}

void ComputePrinter::printOperation(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<task::StartupOp, task::InitOp, task::DstOp, task::MatmulOp,
            task::BinaryOp, task::CopyOp, task::TransposeOp, task::ReduceOp,
            task::SfpuOp, task::SfpuBinaryOp, task::SelectOp,
            task::FillRegisterOp, task::PackOp>(
          [&](auto known) { print(known); })
      .Case([](task::RegisterOp) {})
      .DefaultUnreachable("checked before printing");
}

Calls ComputePrinter::callsOf(task::KernelOp kernel,
                              const ProgramNames &program) {
  ComputePrinter printer(kernel, program, Calls());
  printer.onlyCounts = true;
  printer.begin();
  printer.printBlock(*kernel.getBody().begin());
  return std::move(printer.calls);
}

/// Prints twice: the first time tells which calls stand often.
std::unique_ptr<KernelPrinter>
metalium::createComputePrinter(task::KernelOp kernel,
                               const ProgramNames &program) {
  return std::make_unique<ComputePrinter>(
      kernel, program, ComputePrinter::callsOf(kernel, program));
}
