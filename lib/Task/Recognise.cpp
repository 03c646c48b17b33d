// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises what a mapped program computes and how its tiles travel.

#include "Kernel.h"
#include "Travel.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {

class Recogniser {
public:
  Recogniser(Kernel &kernel, const MachineModel &model) : k(kernel), model(model) {}
  LogicalResult run();

private:
  LogicalResult findGrid();
  LogicalResult findProduct();
  LogicalResult addProduct(linalg::MatmulOp matmul);
  LogicalResult checkLoop(scf::ForOp loop);
  FailureOr<tile::LoadOp> operand(Value value, Operation *user, bool &transposed);
  LogicalResult addDeliveries();
  LogicalResult addDelivery(tile::LoadOp load);
  LogicalResult addRoots();
  LogicalResult addRoot(tile::StoreOp store);
  void clampOperands();
  LogicalResult checkTile(const Node &node, const TileBlock &result);

  const Schedule &schedule() { return *k.schedule; }

  Kernel &k;
  const MachineModel &model;
  tile::LoadOp lhs, rhs; ///< of the product
  bool lhsTransposed = false, rhsTransposed = false;
};

} // namespace

const Delivery &Kernel::deliveryOf(tile::LoadOp load) const {
  return *llvm::find_if(deliveries, [&](const Delivery &d) { return d.load == load; });
}

LogicalResult Recogniser::run() {
  return failure(failed(findGrid()) || failed(findProduct()) || failed(addDeliveries()) ||
                 failed(addRoots()));
}

LogicalResult Recogniser::findGrid() {
  if (!k.program.getMachineAttr() || !k.program.getPrecisionAttr())
    return k.program.emitError("is not mapped: it names no machine or no precision; plan it first");
  tile::GridOp grid;
  for (auto next : k.program.getBody().getOps<tile::GridOp>()) {
    if (grid)
      return next.emitError("is the second grid of its program: cores have no barrier between "
                            "grids; make each a program, launched in order");
    grid = next;
  }
  if (!grid)
    return k.program.emitError("has no grid: there is nothing to run");
  auto schedule = Schedule::create(grid, model);
  if (failed(schedule))
    return failure();
  k.schedule = *schedule;
  return success();
}

//===-- Products ------------------------------------------------------------//

/// The load behind a product's operand.
FailureOr<tile::LoadOp> Recogniser::operand(Value value, Operation *user, bool &transposed) {
  value = withoutCasts(value);
  if (auto transpose = value.getDefiningOp<linalg::TransposeOp>()) {
    transposed = true;
    value = withoutCasts(transpose.getInput());
  }
  if (auto load = value.getDefiningOp<tile::LoadOp>())
    return load;
  return user->emitError("multiplies a tile that is computed: only loaded tiles feed the matrix "
                         "unit; compute the operand in a kernel of its own");
}

LogicalResult Recogniser::checkLoop(scf::ForOp loop) {
  if (loop.getNumRegionIterArgs() != 1)
    return loop.emitError("carries ")
           << loop.getNumRegionIterArgs()
           << " values: a reduction carries one accumulator; split the kernel";
  for (Operation &op : *loop.getBody()) {
    bool index = llvm::all_of(op.getResultTypes(), [](Type t) { return t.isIntOrIndex(); });
    if (isa<tile::LoadOp, linalg::MatmulOp, linalg::TransposeOp, arith::ExtFOp, arith::TruncFOp,
            arith::ConstantOp, tensor::EmptyOp, scf::YieldOp>(op) ||
        (index && !op.getNumRegions() && op.getNumResults()))
      continue;
    return op.emitError("stands in a reduction loop, which may hold loads and one matrix product: "
                        "move it out of the loop, or into a kernel of its own");
  }
  return success();
}

LogicalResult Recogniser::findProduct() {
  SmallVector<linalg::MatmulOp> products;
  schedule().getGrid().walk([&](linalg::MatmulOp op) { products.push_back(op); });
  scf::ForOp loop = schedule().getReduction();
  if (loop && failed(checkLoop(loop)))
    return failure();
  if (products.size() > 1)
    return products[1].emitError("is the second matrix product of its grid: a kernel has one; "
                                 "split the kernel");
  if (products.empty() && loop)
    return loop.emitError("reduces without a matrix product: reductions of other kinds are not "
                          "lowered; make the loop a grid dimension if its iterations are independent");
  return products.empty() ? success() : addProduct(products[0]);
}

static bool isZero(Value value) {
  auto splat = splatOf(value);
  return splat && *splat == 0;
}

LogicalResult Recogniser::addProduct(linalg::MatmulOp matmul) {
  if (matmul.hasUserDefinedMaps())
    return matmul.emitError("has indexing maps of its own: transpose its operand instead");
  scf::ForOp loop = schedule().getReduction();
  Value start = matmul.getOutputs()[0], result = matmul.getResult(0);
  if (loop && matmul->getParentOp() == loop) {
    if (start != loop.getRegionIterArgs()[0] ||
        loop.getBody()->getTerminator()->getOperand(0) != result)
      return matmul.emitError("does not accumulate: it must add to the loop's value and be what the "
                              "loop yields");
    start = loop.getInitArgs()[0];
    result = loop.getResult(0);
  } else if (loop) {
    return loop.emitError("reduces without a matrix product, beside one: split the kernel");
  }
  if (!isZero(start))
    return matmul.emitError("starts from other than zero: add the tile after the reduction");
  auto a = operand(matmul.getInputs()[0], matmul, lhsTransposed);
  auto b = operand(matmul.getInputs()[1], matmul, rhsTransposed);
  if (failed(a) || failed(b))
    return failure();
  lhs = *a, rhs = *b;
  if (lhs == rhs)
    return matmul.emitError("multiplies a tile with itself: load it twice");
  k.product = Product{matmul, 0, 0, false, false, result};
  return success();
}

//===-- Loads ---------------------------------------------------------------//

LogicalResult Recogniser::addDeliveries() {
  SmallVector<tile::LoadOp> loads;
  schedule().getGrid().walk([&](tile::LoadOp load) {
    if (!load->use_empty())
      loads.push_back(load);
  });
  for (tile::LoadOp load : loads)
    if (failed(addDelivery(load)))
      return failure();
  if (!k.product)
    return success();
  for (auto [index, d] : llvm::enumerate(k.deliveries)) {
    if (d.load == lhs)
      k.product->lhs = index, k.product->lhsTransposed = d.block.transposed;
    if (d.load == rhs)
      k.product->rhs = index, k.product->rhsTransposed = d.block.transposed;
  }
  return success();
}

LogicalResult Recogniser::addDelivery(tile::LoadOp load) {
  bool inLoop = load->getParentOp() != schedule().getGrid();
  unsigned depth = schedule().waves() + inLoop;
  int64_t hoist = load.getHoist().value_or(0);
  if (hoist > depth)
    return load.emitError("is hoisted across ") << hoist << " loops, but its nest has " << depth;
  if (inLoop && load != lhs && load != rhs)
    return load.emitError("is loaded in the reduction loop but is no operand of the product");
  bool isOperand = load == lhs || load == rhs;
  if (isOperand && llvm::range_size(load->getUsers()) != 1)
    return load.emitError("is an operand of a matrix product and used elsewhere: load it twice");
  bool exchange = (load == lhs && lhsTransposed) || (load == rhs && rhsTransposed);
  unsigned level = depth - hoist;
  auto block = blockOf(schedule(), load, Schedule::kFirstLoop + level, exchange);
  if (failed(block))
    return failure();
  if (isOperand && (!block->rows.dim || !block->columns.dim))
    return load.emitError("repeats a tile along an axis of a matrix product");
  if (!formatOf(block->element()))
    return load.emitError("loads elements no buffer holds: use bf16, f16 or f32");
  Delivery delivery{load, *block, level, Engine::DM0, std::nullopt, {}, {}, {}, {}};
  for (unsigned loop = 0; loop < level; ++loop)
    delivery.around.push_back(Schedule::kFirstLoop + loop);
  if (failed(addTravel(delivery, schedule(), model)))
    return failure();
  k.deliveries.push_back(delivery);
  return success();
}

//===-- Stores --------------------------------------------------------------//

LogicalResult Recogniser::addRoots() {
  SmallVector<tile::StoreOp> stores;
  schedule().getGrid().walk([&](tile::StoreOp store) { stores.push_back(store); });
  if (stores.empty())
    return schedule().getGrid()->emitError("stores nothing");
  for (tile::StoreOp store : stores)
    if (failed(addRoot(store)))
      return failure();
  if (k.product && k.roots.size() > 1)
    return k.roots[1].departure.store.emitError("is the second store of a matrix product's kernel: "
                                                "write one tile, or split the kernel");
  if (k.product)
    clampOperands();
  return success();
}

/// A row of the left operand makes one row of the result, a column of the right
/// one column: those that are not stored may hold anything.
void Recogniser::clampOperands() {
  const TileBlock &result = k.roots[0].departure.block;
  auto clamp = [&](Axis &operand, const Axis &stored) {
    bool unstored = !operand.limits.empty() && llvm::all_of(operand.limits, [&](AffineExpr limit) {
      return llvm::is_contained(stored.limits, limit);
    });
    if (!unstored)
      return;
    operand.clamped = true;
    operand.limits.clear();
  };
  clamp(k.deliveries[k.product->lhs].block.rows, result.rows);
  clamp(k.deliveries[k.product->rhs].block.columns, result.columns);
}

LogicalResult Recogniser::checkTile(const Node &node, const TileBlock &result) {
  tile::LoadOp load = node.load;
  const Delivery &delivery = k.deliveryOf(load);
  const TileBlock &block = delivery.block;
  if (block.flat != result.flat)
    return load.emitError("mixes a flat array with one in tiles: lay both out alike");
  if (block.flat && (node.broadcast || node.transposed))
    return load.emitError("is repeated or transposed, but lies flat: lay it out as #tile.tiled");
  bool vector = cast<RankedTensorType>(load.getTile().getType()).getRank() == 1;
  if (vector && !block.flat && !node.broadcast)
    return load.emitError("computes on vectors in tiles, one row of each in use: lay the array out "
                          "as #tile.rows<1024>");
  if (!block.flat && !vector && (!block.rows.dim || !block.columns.dim) && block.transposed)
    return load.emitError("repeats a vector over the columns of a tile, which tiles hold as a row: "
                          "store it as a column");
  return success();
}

LogicalResult Recogniser::addRoot(tile::StoreOp store) {
  if (store->getParentOp() != schedule().getGrid())
    return store.emitError("stands in a loop: make the loop a grid dimension");
  auto block = blockOf(schedule(), store);
  if (failed(block))
    return failure();
  auto expression = expressionOf(store.getTile(), k.product ? k.product->result : Value());
  if (failed(expression))
    return failure();
  for (Node &node : expression->nodes) {
    if (node.kind != Node::Tile)
      continue;
    if (failed(checkTile(node, *block)))
      return failure();
    const TileBlock &from = k.deliveryOf(node.load).block;
    if (from.flat)
      continue;
    if (from.transposed && from.rows.dim && from.columns.dim)
      node.transposed = !node.transposed;
    if (!node.broadcast && !from.rows.dim)
      node.broadcast = Broadcast::Row;
    else if (!node.broadcast && !from.columns.dim)
      node.broadcast = Broadcast::Column;
  }
  auto inMatrixUnit = [&](const Node &node) {
    return k.deliveryOf(node.load).block.element().isBF16();
  };
  Root root{*expression, stepsOf(*expression, inMatrixUnit), {store, *block, {}, {}}};
  k.roots.push_back(root);
  return success();
}

FailureOr<Kernel> drawloom::task::recognise(tile::ProgramOp program, const MachineModel &model) {
  Kernel kernel;
  kernel.program = program;
  if (failed(Recogniser(kernel, model).run()))
    return failure();
  return FailureOr<Kernel>(std::move(kernel));
}
