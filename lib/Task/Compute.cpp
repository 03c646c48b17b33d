// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the compute engine's kernel: products through Dst, and what follows.

#include "Compute.h"

#include "TileMath.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

std::pair<int64_t, int64_t> drawloom::task::chooseBlock(int64_t rows, int64_t columns,
                                                        int64_t capacity) {
  std::pair<int64_t, int64_t> best{1, 1};
  for (int64_t r = 1; r <= std::min(rows, capacity); ++r)
    for (int64_t c = 1; c <= std::min(columns, capacity / r); ++c)
      if (rows % r == 0 && columns % c == 0 &&
          std::pair(r * c, c) > std::pair(best.first * best.second, best.second))
        best = {r, c};
  return best;
}

FailureOr<ProductPlan> drawloom::task::planProduct(const Kernel &kernel, int64_t capacity) {
  const Schedule &s = *kernel.schedule;
  const Delivery &lhs = kernel.deliveries[kernel.product->lhs];
  const Delivery &rhs = kernel.deliveries[kernel.product->rhs];
  ProductPlan plan;
  plan.rows = lhs.block.rows.tiles();
  plan.columns = rhs.block.columns.tiles();
  bool wholeLoop = lhs.level <= s.waves() && rhs.level <= s.waves();
  plan.chunks = wholeLoop ? 1 : s.chunks();
  plan.inner = lhs.block.columns.tiles() * (wholeLoop ? s.trips() : s.chunk());
  int64_t lastTrips = s.trips() - (s.chunks() - 1) * s.chunk();
  plan.lastInner = wholeLoop ? plan.inner : lhs.block.columns.tiles() * lastTrips;
  const Root &root = kernel.roots[0];
  capacity -= root.steps.temporaries;
  if (capacity < 1) {
    tile::StoreOp store = root.departure.store;
    return store.emitError("needs ")
           << root.steps.temporaries + 1 << " tiles of Dst at once, more than it holds: split the "
           << "operations after the product into a kernel of their own, or keep Dst in bf16";
  }
  // Tiles of the left operand are transposed through Dst, which is then taken.
  bool passesThroughDst = kernel.product->lhsTransposed && lhs.level > s.waves();
  plan.inDst = plan.rows * plan.columns <= capacity && !passesThroughDst;
  std::tie(plan.blockRows, plan.blockColumns) = chooseBlock(plan.rows, plan.columns, capacity);
  if (plan.inDst)
    plan.blockRows = plan.rows, plan.blockColumns = plan.columns;
  return plan;
}

bool drawloom::task::isAddedToZeros(const Kernel &kernel, const Node &node) {
  tile::ProgramOp program = kernel.program;
  return node.kind == Node::Tile && node.broadcast == Broadcast::Row && !node.transposed &&
         program.getPrecisionAttr().getDst().isF32() &&
         kernel.deliveryOf(node.load).block.element().isBF16();
}

namespace {

class ComputeEmitter {
public:
  ComputeEmitter(const Kernel &kernel, const std::optional<ProductPlan> &plan,
                 const ComputeBuffers &buffers, KernelOp into)
      : k(kernel), s(*kernel.schedule), plan(plan), buffers(buffers), e(s, into),
        math(e, s, kernel, buffers.zeros) {}

  void emit();

private:
  void emitLevel(unsigned level);
  void takeDeliveries(unsigned level);
  void dropDeliveries(unsigned level);
  void exchangeTiles(const Delivery &lhs);
  void emitElementwise();
  void emitProduct();
  void emitProductInDst();
  void emitChunk(bool first, bool last);
  void emitBlock(Value row, Value column, bool first, bool last);
  void multiply(Value range, Value row, Value column, bool last);
  void finishBlock(Value range, Value row, Value column);
  Value leftBuffer() const {
    return k.product->lhsTransposed ? buffers.exchanged : k.deliveries[k.product->lhs].buffer;
  }

  const Kernel &k;
  const Schedule &s;
  const std::optional<ProductPlan> &plan;
  const ComputeBuffers &buffers;
  Emitter e;
  TileMath math;
};

} // namespace

void ComputeEmitter::emit() {
  SmallVector<Value> inputs;
  if (plan)
    inputs = {leftBuffer(), k.deliveries[k.product->rhs].buffer};
  else
    for (const Delivery &d : k.deliveries)
      inputs.push_back(d.buffer);
  Value lhs = inputs.empty() ? k.roots[0].departure.buffer : inputs[0];
  Value rhs = inputs.size() > 1 ? inputs[1] : lhs;
  e.create<StartupOp>(lhs, rhs, k.roots[0].departure.buffer, plan.has_value());
  if (buffers.zeros)
    e.create<WaitOp>(buffers.zeros, 1);
  emitLevel(0);
  if (buffers.zeros)
    e.create<PopOp>(buffers.zeros, 1);
}

void ComputeEmitter::emitLevel(unsigned level) {
  takeDeliveries(level);
  if (level < s.waves())
    e.loopOver(Schedule::kFirstLoop + level, [&] { emitLevel(level + 1); });
  else
    plan ? emitProduct() : emitElementwise();
  dropDeliveries(level);
}

void ComputeEmitter::takeDeliveries(unsigned level) {
  for (const Delivery &d : k.deliveries)
    if (d.level == level)
      e.create<WaitOp>(d.buffer, d.block.tiles());
  if (!plan || !k.product->lhsTransposed)
    return;
  if (const Delivery &lhs = k.deliveries[k.product->lhs]; lhs.level == level)
    exchangeTiles(lhs);
}

void ComputeEmitter::dropDeliveries(unsigned level) {
  for (const Delivery &d : k.deliveries)
    if (d.level == level)
      e.create<PopOp>(d.buffer, d.block.tiles());
  if (plan && k.product->lhsTransposed && k.deliveries[k.product->lhs].level == level)
    e.create<PopOp>(buffers.exchanged, k.deliveries[k.product->lhs].block.tiles());
}

/// The matrix unit transposes its right operand only: the left one's tiles are
/// transposed through Dst into a buffer of their own.
void ComputeEmitter::exchangeTiles(const Delivery &lhs) {
  int64_t tiles = lhs.block.tiles();
  e.create<ReserveOp>(buffers.exchanged, tiles);
  e.loop(tiles, [&](Value slot) {
    math.inDst([&] {
      Value range = e.registers(1);
      math.setUp(Setup::Transpose, lhs.buffer);
      e.create<TransposeOp>(lhs.buffer, slot, range, e.constant(0));
      math.setUp(Setup::Pack, buffers.exchanged);
      e.create<PackOp>(range, e.constant(0), buffers.exchanged, slot);
    });
  });
  e.create<PushOp>(buffers.exchanged, tiles);
  e.create<WaitOp>(buffers.exchanged, tiles);
}

//===-- Element-wise --------------------------------------------------------//

void ComputeEmitter::emitElementwise() {
  for (const Root &root : k.roots) {
    const Departure &out = root.departure;
    tile::StoreOp store = out.store;
    e.setLoc(store.getLoc());
    int64_t columns = out.block.columns.totalTiles();
    e.create<ReserveOp>(out.buffer, out.block.tiles());
    e.loop(out.block.rows.totalTiles(), [&](Value row) {
      e.loop(columns, [&](Value column) {
        math.inDst([&] {
          DstTile result = math.evaluate(root, math.temporaries(root), row, column, {});
          math.pack(result, out.buffer, math.outSlot(out.block, row, column));
        });
      });
    });
    e.create<PushOp>(out.buffer, out.block.tiles());
  }
}

//===-- Products ------------------------------------------------------------//

void ComputeEmitter::emitProduct() {
  linalg::MatmulOp op = k.product->op;
  e.setLoc(op.getLoc());
  if (plan->inDst)
    return emitProductInDst();
  auto chunk = [&](Value index, bool first, bool last) {
    e.set(s.chunkCoordinate(), index);
    emitChunk(first, last);
  };
  if (plan->chunks == 1)
    return chunk(e.constant(0), true, true);
  // First and last chunk apart, so that each loop pushes what it pops.
  chunk(e.constant(0), true, false);
  e.loop(1, plan->chunks - 1, [&](Value index) { chunk(index, false, false); });
  chunk(e.constant(plan->chunks - 1), false, true);
  e.set(s.chunkCoordinate(), e.constant(0));
}

void ComputeEmitter::emitProductInDst() {
  math.inDst([&] {
    Value range = e.registers(plan->rows * plan->columns);
    auto chunk = [&](Value index, bool last) {
      e.set(s.chunkCoordinate(), index);
      takeDeliveries(s.waves() + 1);
      multiply(range, e.constant(0), e.constant(0), last);
      dropDeliveries(s.waves() + 1);
    };
    int64_t full = plan->chunks - (plan->lastInner != plan->inner);
    e.loop(full, [&](Value index) { chunk(index, false); });
    if (full < plan->chunks)
      chunk(e.constant(full), true);
    e.set(s.chunkCoordinate(), e.constant(0));
    const Departure &out = k.roots[0].departure;
    e.create<ReserveOp>(out.buffer, out.block.tiles());
    finishBlock(range, e.constant(0), e.constant(0));
  });
  e.create<PushOp>(k.roots[0].departure.buffer, k.roots[0].departure.block.tiles());
}

void ComputeEmitter::emitChunk(bool first, bool last) {
  const Departure &out = k.roots[0].departure;
  takeDeliveries(s.waves() + 1);
  if (last)
    e.create<ReserveOp>(out.buffer, out.block.tiles());
  AffineExpr n = getAffineDimExpr(s.size(), s.context());
  e.loop(plan->rows / plan->blockRows, [&](Value blockRow) {
    e.loop(plan->columns / plan->blockColumns, [&](Value blockColumn) {
      Value row = e.apply(n * plan->blockRows, blockRow);
      Value column = e.apply(n * plan->blockColumns, blockColumn);
      math.inDst([&] { emitBlock(row, column, first, last); });
    });
  });
  if (last)
    e.create<PushOp>(out.buffer, out.block.tiles());
  dropDeliveries(s.waves() + 1);
}

void ComputeEmitter::emitBlock(Value row, Value column, bool first, bool last) {
  int64_t tiles = plan->blockRows * plan->blockColumns;
  Value range = e.registers(tiles);
  if (!first) {
    e.create<WaitOp>(buffers.partials, tiles);
    math.setUp(Setup::Copy, buffers.partials);
    e.loop(tiles, [&](Value tile) {
      e.create<CopyOp>(buffers.partials, tile, range, tile, BroadcastAttr());
    });
    e.create<PopOp>(buffers.partials, tiles);
  }
  multiply(range, row, column, last);
  if (last)
    return finishBlock(range, row, column);
  e.create<ReserveOp>(buffers.partials, tiles);
  math.setUp(Setup::Pack, buffers.partials);
  e.loop(tiles, [&](Value tile) { e.create<PackOp>(range, tile, buffers.partials, tile); });
  e.create<PushOp>(buffers.partials, tiles);
}

/// All inner steps of one block of the result, of the chunk at hand.
void ComputeEmitter::multiply(Value range, Value row, Value column, bool last) {
  const Delivery &lhs = k.deliveries[k.product->lhs], &rhs = k.deliveries[k.product->rhs];
  int64_t block[] = {plan->blockRows, plan->blockColumns, lhs.block.columns.totalTiles()};
  math.setUpMatmul(leftBuffer(), rhs.buffer, block, k.product->rhsTransposed);
  AffineExpr at = getAffineDimExpr(s.size(), s.context());
  AffineExpr step = getAffineDimExpr(s.size() + 1, s.context());
  e.loop(last ? plan->lastInner : plan->inner, [&](Value inner) {
    Value lhsSlot = e.apply(slotOf(s, lhs.block, at, step), {row, inner});
    Value rhsSlot = e.apply(slotOf(s, rhs.block, step, at), {column, inner});
    e.create<MatmulOp>(leftBuffer(), lhsSlot, rhs.buffer, rhsSlot, range, e.constant(0),
                       e.builder().getDenseI64ArrayAttr(block), k.product->rhsTransposed);
  });
}

/// What follows the reduction, then the block's tiles to the result's buffer.
void ComputeEmitter::finishBlock(Value range, Value row, Value column) {
  const Root &root = k.roots[0];
  AffineExpr at = getAffineDimExpr(s.size(), s.context());
  AffineExpr tile = getAffineDimExpr(s.size() + 1, s.context());
  auto rowOf = [&](Value index) { return e.apply(at + tile.floorDiv(plan->blockColumns), {row, index}); };
  auto columnOf = [&](Value index) { return e.apply(at + tile % plan->blockColumns, {column, index}); };
  int64_t tiles = plan->blockRows * plan->blockColumns;
  if (!root.steps.steps.empty()) {
    SmallVector<Value> temporaries = math.temporaries(root);
    e.loop(tiles, [&](Value index) {
      math.evaluate(root, temporaries, rowOf(index), columnOf(index), {range, index});
    });
  }
  const Departure &out = root.departure;
  math.setUp(Setup::Pack, out.buffer);
  e.loop(tiles, [&](Value index) {
    e.create<PackOp>(range, index, out.buffer,
                     math.outSlot(out.block, rowOf(index), columnOf(index)));
  });
}

void drawloom::task::emitCompute(const Kernel &kernel, const std::optional<ProductPlan> &plan,
                                 const ComputeBuffers &buffers, KernelOp into) {
  ComputeEmitter(kernel, plan, buffers, into).emit();
}
