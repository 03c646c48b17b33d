// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Set-ups and operations on Dst tiles.

#include "TileMath.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

void TileMath::inDst(llvm::function_ref<void()> body) {
  auto dst = e.create<DstOp>();
  Block &block = dst.getBody().emplaceBlock();
  OpBuilder::InsertionGuard guard(e.builder());
  e.builder().setInsertionPointToEnd(&block);
  body();
}

void TileMath::setUp(Setup kind, ValueRange buffers, BroadcastAttr broadcast) {
  e.create<InitOp>(SetupAttr::get(s.context(), kind), buffers, ArithmeticAttr(), broadcast,
                   StringAttr(), DenseI64ArrayAttr(), UnitAttr(), ReductionAttr(), ExtentAttr());
}

void TileMath::setUpMatmul(Value lhs, Value rhs, ArrayRef<int64_t> block, bool transposed) {
  e.create<InitOp>(SetupAttr::get(s.context(), Setup::Matmul), ValueRange{lhs, rhs},
                   ArithmeticAttr(), BroadcastAttr(), StringAttr(),
                   e.builder().getDenseI64ArrayAttr(block),
                   transposed ? e.builder().getUnitAttr() : UnitAttr(), ReductionAttr(),
                   ExtentAttr());
}

void TileMath::setUpVector(StringRef function) {
  e.create<InitOp>(SetupAttr::get(s.context(), Setup::Sfpu), ValueRange{}, ArithmeticAttr(),
                   BroadcastAttr(), e.builder().getStringAttr(function), DenseI64ArrayAttr(),
                   UnitAttr(), ReductionAttr(), ExtentAttr());
}

SmallVector<Value> TileMath::temporaries(const Root &root) {
  SmallVector<Value> registers;
  for (int i = 0; i < root.steps.temporaries; ++i)
    registers.push_back(e.registers(1));
  return registers;
}

Value TileMath::slot(const Node &node, Value row, Value column) {
  const TileBlock &block = k.deliveryOf(node.load).block;
  AffineExpr r = getAffineDimExpr(s.size(), s.context());
  AffineExpr c = getAffineDimExpr(s.size() + 1, s.context());
  AffineExpr zero = getAffineConstantExpr(0, s.context());
  if (node.exchanged)
    std::swap(r, c);
  if (!block.rows.dim)
    r = zero;
  if (!block.columns.dim)
    c = zero;
  return e.apply(slotOf(s, block, r, c), {row, column});
}

Value TileMath::outSlot(const TileBlock &block, Value row, Value column) {
  AffineExpr r = getAffineDimExpr(s.size(), s.context());
  AffineExpr c = getAffineDimExpr(s.size() + 1, s.context());
  return e.apply(r * block.columns.totalTiles() + c, {row, column});
}

static BroadcastAttr attributeOf(MLIRContext *context, std::optional<Broadcast> broadcast) {
  return broadcast ? BroadcastAttr::get(context, *broadcast) : BroadcastAttr();
}

void TileMath::copy(const Node &node, DstTile into, Value row, Value column) {
  Value buffer = bufferOf(node), from = slot(node, row, column);
  BroadcastAttr broadcast = attributeOf(s.context(), node.broadcast);
  if (node.transposed) {
    setUp(Setup::Transpose, buffer);
    e.create<TransposeOp>(buffer, from, into.range, into.index);
    return;
  }
  if (isAddedToZeros(k, node))
    return arithmetic("add", zeros, e.constant(0), buffer, from, into, broadcast);
  setUp(Setup::Copy, buffer, broadcast);
  e.create<CopyOp>(buffer, from, into.range, into.index, broadcast);
}

void TileMath::matrixUnit(const Expression &expression, const Node &node, DstTile into, Value row,
                          Value column) {
  const Node &lhs = expression.nodes[node.lhs], &rhs = expression.nodes[node.rhs];
  arithmetic(node.function, bufferOf(lhs), slot(lhs, row, column), bufferOf(rhs),
             slot(rhs, row, column), into, attributeOf(s.context(), rhs.broadcast));
}

void TileMath::arithmetic(StringRef function, Value lhs, Value lhsSlot, Value rhs, Value rhsSlot,
                          DstTile into, BroadcastAttr broadcast) {
  auto kind = ArithmeticAttr::get(s.context(), *symbolizeArithmetic(function));
  e.create<InitOp>(SetupAttr::get(s.context(), Setup::Binary), ValueRange{lhs, rhs}, kind,
                   broadcast, StringAttr(), DenseI64ArrayAttr(), UnitAttr(), ReductionAttr(),
                   ExtentAttr());
  e.create<BinaryOp>(kind, lhs, lhsSlot, rhs, rhsSlot, into.range, into.index, broadcast);
}

void TileMath::vectorBinary(StringRef function, DstTile lhs, DstTile rhs, DstTile into) {
  setUpVector(function);
  e.create<SfpuBinaryOp>(e.builder().getStringAttr(function), lhs.range, lhs.index, rhs.range,
                         rhs.index, into.range, into.index);
}

DstTile TileMath::evaluate(const Root &root, ArrayRef<Value> temporaries, Value row, Value column,
                           DstTile accumulator) {
  auto tile = [&](int index) {
    return index == kAccumulator ? accumulator : DstTile{temporaries[index], e.constant(0)};
  };
  for (const Step &step : root.steps.steps) {
    const Node &node = root.expression.nodes[step.node];
    DstTile into = tile(step.into);
    switch (step.kind) {
    case Step::Copy:
      copy(node, into, row, column);
      break;
    case Step::Fpu:
      matrixUnit(root.expression, node, into, row, column);
      break;
    case Step::Unary:
    case Step::Scalar: {
      setUpVector(node.function);
      FloatAttr scalar =
          step.kind == Step::Scalar ? e.builder().getF32FloatAttr(node.scalar) : FloatAttr();
      e.create<SfpuOp>(e.builder().getStringAttr(node.function), into.range, into.index, scalar, Value());
      break;
    }
    case Step::Binary:
      vectorBinary(node.function, tile(step.lhs), tile(step.rhs), into);
      break;
    case Step::Move:
      // The larger of a value and itself: Dst has no plain move.
      vectorBinary("max", tile(step.lhs), tile(step.rhs), into);
      break;
    }
  }
  return tile(root.steps.result);
}

void TileMath::pack(DstTile tile, Value buffer, Value slot) {
  setUp(Setup::Pack, buffer);
  e.create<PackOp>(tile.range, tile.index, buffer, slot);
}
