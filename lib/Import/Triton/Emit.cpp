// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a tile program: arrays, grid, loops, loads and stores.

#include "Emitter.h"
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
    unsigned position = kernel.argumentPositions[array.argument];
    auto layout = StridedLayoutAttr::get(builder.getContext(), array.offset,
                                         array.strides);
    views.push_back(tile::ArrayOp::create(
        builder,
        userLocation(kernel.function.getArgument(array.argument).getLoc()),
        MemRefType::get(array.shape, array.element, layout),
        builder.getI64IntegerAttr(position),
        builder.getStringAttr(kernel.launch.arguments[position].name),
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
        (isa<tile::LoadOp>(op) || isOpTriviallyDead(op)))
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
  for (Block *block : kernel.blocks())
    if (failed(emit(*block)))
      return failure();
  eraseDead(grid);
  if (failed(verify(*module)))
    return failure();
  return module;
}

//===-- Control flow --------------------------------------------------------//

LogicalResult Emitter::emit(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(emit(&op)))
      return failure();
  return success();
}

LogicalResult Emitter::emit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitBranch(branch);
  if (isa<LoadOp, DescriptorLoadOp>(op))
    return emitLoad(op);
  if (auto store = dyn_cast<StoreOp>(op))
    return emitStore(op, store.getValue());
  if (auto store = dyn_cast<DescriptorStoreOp>(op))
    return emitStore(op, store.getValue());
  bool computes = llvm::any_of(
      op->getResults(), [&](Value result) { return kernel.isData(result); });
  return computes ? emitCompute(op) : success();
}

LogicalResult Emitter::emitLoop(scf::ForOp loop) {
  const LoopFacts &facts = kernel.factsOf(loop);
  SmallVector<unsigned> carried;
  SmallVector<Value> inits;
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (!kernel.isData(argument) && !kernel.isData(loop.getResult(i)))
      continue;
    carried.push_back(i);
    inits.push_back(data(loop.getInitArgs()[i], loop));
    if (!inits.back())
      return failure();
  }
  Location loc = at(loop);
  std::vector<Linear> trips = {linearize(facts.trips)};
  Indices indices = indicesOf({&trips});
  Value upper = trips[0].factors.empty() || indices.operands.empty()
                    ? index(trips[0].constant, loc)
                    : affine::AffineApplyOp::create(
                          builder, loc,
                          AffineMap::get(indices.operands.size(), 0,
                                         affine(trips[0], indices, {})),
                          indices.operands);
  auto created = scf::ForOp::create(builder, loc, index(0, loc), upper,
                                    index(1, loc), inits);
  loopIndices[facts.number] = created.getInductionVar();
  for (auto [k, i] : llvm::enumerate(carried)) {
    tiles[loop.getRegionIterArg(i)] = created.getRegionIterArg(k);
    tiles[loop.getResult(i)] = created.getResult(k);
  }
  OpBuilder::InsertionGuard guard(builder);
  if (carried.empty())
    builder.setInsertionPoint(created.getBody()->getTerminator());
  else
    builder.setInsertionPointToEnd(created.getBody());
  if (failed(emit(*loop.getBody())))
    return failure();
  SmallVector<Value> results;
  for (unsigned i : carried) {
    results.push_back(
        data(loop.getBody()->getTerminator()->getOperand(i), loop));
    if (!results.back())
      return failure();
  }
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, results);
  return success();
}

LogicalResult Emitter::emitBranch(scf::IfOp branch) {
  Region *region = kernel.branchOf(branch);
  if (!region)
    return success();
  if (failed(emit(region->front())))
    return failure();
  for (auto [result, value] : llvm::zip(
           branch.getResults(), region->front().getTerminator()->getOperands()))
    if (kernel.isData(result)) {
      tiles[result] = data(value, branch);
      if (!tiles[result])
        return failure();
    }
  return success();
}

//===-- Accesses ------------------------------------------------------------//

Value Emitter::variable(unsigned number) {
  if (number < linearize.loopStart())
    return grid.getIndex(number);
  return loopIndices.lookup(number - linearize.loopStart());
}

Emitter::Indices
Emitter::indicesOf(ArrayRef<const std::vector<Linear> *> forms) {
  Indices indices;
  for (unsigned v = 0; v < linearize.laneStart(); ++v) {
    bool used = llvm::any_of(forms, [&](const std::vector<Linear> *list) {
      return llvm::any_of(
          *list, [&](const Linear &form) { return form.factors[v] != 0; });
    });
    if (!used || !variable(v))
      continue;
    indices.operands.push_back(variable(v));
    indices.variables.push_back(v);
  }
  return indices;
}

AffineExpr Emitter::affine(const Linear &form, const Indices &indices,
                           ArrayRef<int64_t> lanes) {
  AffineExpr sum = builder.getAffineConstantExpr(0);
  unsigned dim = 0;
  for (unsigned v : indices.variables)
    sum = sum + builder.getAffineDimExpr(dim++) * form.factors[v];
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    sum = sum + builder.getAffineDimExpr(dim++) *
                    form.factors[linearize.laneStart() + lane];
  return sum + form.constant;
}

IntegerSet Emitter::setOf(ArrayRef<Linear> forms, const Indices &indices,
                          ArrayRef<int64_t> lanes) {
  SmallVector<AffineExpr> constraints;
  for (const Linear &form : forms)
    constraints.push_back(affine(form, indices, lanes));
  return IntegerSet::get(indices.operands.size() + lanes.size(), 0, constraints,
                         SmallVector<bool>(constraints.size(), false));
}

static LogicalResult checkGuards(const ArrayAccess &access,
                                 unsigned laneStart) {
  for (const Linear &guard : access.guards)
    if (llvm::count_if(ArrayRef(guard.factors).drop_front(laneStart),
                       [](int64_t f) { return f != 0; }) > 1)
      return refuse(access.access->op->getLoc(),
                    "a mask of a load or store may compare one lane axis at a "
                    "time; load more and use tl.where");
  return success();
}

LogicalResult Emitter::emitLoad(Operation *op) {
  const ArrayAccess &access = *accesses.lookup(op);
  if (failed(checkGuards(access, linearize.laneStart())))
    return failure();
  Value loaded = op->getResult(0);
  SmallVector<int64_t> shape = access.access->shape;
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(shape.size()));
  // A load that is only transposed reads its array in the other order.
  if (auto trans = loaded.hasOneUse() ? dyn_cast<TransOp>(*loaded.user_begin())
                                      : TransOp()) {
    for (auto [to, from] : llvm::enumerate(trans.getOrder())) {
      order[to] = from;
      shape[to] = access.access->shape[from];
    }
    loaded = trans.getResult();
  }
  Indices indices = indicesOf({&access.subscripts, &access.guards});
  auto permuted = [&](const std::vector<Linear> &forms) {
    std::vector<Linear> result = forms;
    for (auto [form, original] : llvm::zip(result, forms))
      for (auto [to, from] : llvm::enumerate(order))
        form.factors[linearize.laneStart() + to] =
            original.factors[linearize.laneStart() + from];
    return result;
  };
  SmallVector<AffineExpr> subscripts;
  for (const Linear &form : permuted(access.subscripts))
    subscripts.push_back(affine(form, indices, shape));
  auto map = AffineMap::get(indices.operands.size() + shape.size(), 0,
                            subscripts, builder.getContext());
  IntegerSetAttr bounds;
  if (!access.guards.empty())
    bounds =
        IntegerSetAttr::get(setOf(permuted(access.guards), indices, shape));
  auto type = RankedTensorType::get(shape, access.access->element);
  tiles[loaded] =
      tile::LoadOp::create(builder, at(op), type, views[access.array],
                           indices.operands, AffineMapAttr::get(map), bounds,
                           bounds ? access.access->pad : TypedAttr());
  return success();
}

LogicalResult Emitter::emitStore(Operation *op, Value value) {
  const ArrayAccess &access = *accesses.lookup(op);
  Value stored = data(value, op);
  if (!stored || failed(checkGuards(access, linearize.laneStart())))
    return failure();
  Indices indices = indicesOf({&access.subscripts, &access.guards});
  SmallVector<AffineExpr> subscripts;
  for (const Linear &form : access.subscripts)
    subscripts.push_back(affine(form, indices, access.access->shape));
  auto map =
      AffineMap::get(indices.operands.size() + access.access->shape.size(), 0,
                     subscripts, builder.getContext());
  IntegerSetAttr bounds;
  if (!access.guards.empty())
    bounds = IntegerSetAttr::get(
        setOf(access.guards, indices, access.access->shape));
  moves.splitStore(tile::StoreOp::create(
      builder, at(op), stored, views[access.array], indices.operands,
      AffineMapAttr::get(map), bounds));
  return success();
}

FailureOr<OwningOpRef<ModuleOp>> emitProgram(const Kernel &kernel,
                                             const GridBox &box,
                                             const Linearizer &linearize,
                                             const Arrays &arrays) {
  return Emitter(kernel, box, linearize, arrays).run();
}

} // namespace drawloom::tt
