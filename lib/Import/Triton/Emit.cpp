// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a tile program: its arrays, its grid, and each operation in turn.

#include "Emitter.h"
#include "Live.h"
#include "Refuse.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace drawloom::tt {

Emitter::Emitter(const Kernel &kernel, const GridBox &box,
                 const Linearizer &linearize, const Arrays &arrays)
    : kernel(kernel), box(box), linearize(linearize), arrays(arrays),
      builder(kernel.function.getContext()), moves(builder) {
  for (const ArrayAccess &access : arrays.accesses)
    accesses[access.access->op] = &access;
  live = liveOperations(kernel);
}

Location Emitter::at(Operation *op) { return userLocation(op->getLoc()); }

//===-- Arrays and grid -----------------------------------------------------//

static tile::Role roleOf(const Array &array) {
  if (!array.written)
    return tile::Role::In;
  return array.read || !array.covered ? tile::Role::InOut : tile::Role::Out;
}

void Emitter::addArrays() {
  for (auto [i, array] : llvm::enumerate(arrays.arrays)) {
    bool used = llvm::any_of(arrays.accesses, [&, i = i](const ArrayAccess &a) {
      return a.array == i;
    });
    if (!used) { // another argument's array stands for it
      views.push_back({});
      continue;
    }
    auto layout = StridedLayoutAttr::get(builder.getContext(), array.offset,
                                         array.strides);
    views.push_back(tile::ArrayOp::create(
        builder,
        userLocation(kernel.function.getArgument(array.argument).getLoc()),
        MemRefType::get(array.shape, array.element, layout),
        builder.getI64IntegerAttr(kernel.argumentPositions[array.argument]),
        builder.getStringAttr(kernel.given(array.argument).name),
        tile::RoleAttr::get(builder.getContext(), roleOf(array)), Attribute()));
  }
}

void Emitter::addGrid() {
  grid = tile::GridOp::create(builder, userLocation(kernel.function.getLoc()),
                              builder.getDenseI64ArrayAttr(box.extents()),
                              ArrayAttr(), DenseI64ArrayAttr());
  Block &body = grid.getBody().emplaceBlock();
  for (size_t d = 0; d < box.extents().size(); ++d)
    body.addArgument(builder.getIndexType(), grid.getLoc());
  builder.setInsertionPointToStart(&body);
}

/// Erases what nothing uses: shapes made for broadcasts, loads of dead values.
static void eraseDead(Operation *root) {
  SmallVector<Operation *> all;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { all.push_back(op); });
  for (Operation *op : llvm::reverse(all))
    if (op != root && op->use_empty() &&
        (isa<tile::LoadOp, tile::ReadOp>(op) || isOpTriviallyDead(op)))
      op->erase();
}

FailureOr<OwningOpRef<ModuleOp>> Emitter::run() {
  Location loc = userLocation(kernel.function.getLoc());
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  program = tile::ProgramOp::create(
      builder, loc, builder.getStringAttr(kernel.function.getSymName()),
      StringAttr(), tile::PrecisionAttr());
  builder.setInsertionPointToStart(&program.getBody().emplaceBlock());
  addArrays();
  addGrid();
  if (failed(emitFrom(&kernel.function.getBody().front())))
    return failure();
  eraseDead(grid);
  if (failed(verify(*module)))
    return failure();
  return module;
}

//===-- Operations ----------------------------------------------------------//

LogicalResult Emitter::emit(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emit(&op)))
      return failure();
  return success();
}

LogicalResult Emitter::emit(Operation *op) {
  if (!live.contains(op))
    return success();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitBranch(branch);
  if (op->getNumResults() == 1 && kernel.isSymbol(op->getResult(0)))
    return emitSymbol(op);
  if (isa<LoadOp, DescriptorLoadOp>(op))
    return emitLoad(op);
  if (auto store = dyn_cast<StoreOp>(op))
    return emitStore(op, store.getValue());
  if (auto store = dyn_cast<DescriptorStoreOp>(op))
    return emitStore(op, store.getValue());
  if (auto atomic = dyn_cast<AtomicRMWOp>(op))
    return emitUpdate(atomic);
  bool computes = llvm::any_of(op->getResults(), [&](Value result) {
    return kernel.isData(result) || kernel.isLaneData(result);
  });
  return computes ? emitCompute(op) : success();
}

FailureOr<OwningOpRef<ModuleOp>> emitProgram(const Kernel &kernel,
                                             const GridBox &box,
                                             const Linearizer &linearize,
                                             const Arrays &arrays) {
  return Emitter(kernel, box, linearize, arrays).run();
}

} // namespace drawloom::tt
