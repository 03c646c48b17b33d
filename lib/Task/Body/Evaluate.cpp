// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Actions of a formula as operations on Dst tiles.

#include "Evaluate.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

void Evaluator::inDst(llvm::function_ref<void()> write) {
  auto dst = e.create<DstOp>();
  mlir::Block &block = dst.getBody().emplaceBlock();
  OpBuilder::InsertionGuard guard(e.builder());
  e.builder().setInsertionPointToEnd(&block);
  write();
}

void Evaluator::setUp(Setup kind, Value buffer, BroadcastAttr broadcast) {
  e.create<InitOp>(SetupAttr::get(s.context(), kind), ValueRange{buffer}, ArithmeticAttr(), broadcast,
                   StringAttr(), DenseI64ArrayAttr(), UnitAttr(), ReductionAttr(), ExtentAttr());
}

void Evaluator::setUpVector(StringRef function) {
  e.create<InitOp>(SetupAttr::get(s.context(), Setup::Sfpu), ValueRange{}, ArithmeticAttr(), BroadcastAttr(),
                   e.builder().getStringAttr(function), DenseI64ArrayAttr(), UnitAttr(), ReductionAttr(),
                   ExtentAttr());
}

//===-- Slots ---------------------------------------------------------------//

/// Along an axis of one tile there is but one place.
Value Evaluator::slotIn(const Form &form, TileAt at) {
  AffineExpr o = getAffineDimExpr(s.size(), s.context()), r = getAffineDimExpr(s.size() + 1, s.context()),
             c = getAffineDimExpr(s.size() + 2, s.context()), zero = getAffineConstantExpr(0, s.context());
  AffineExpr slot = (form.outer == 1 ? zero : o) * form.rows + (form.rows == 1 ? zero : r);
  slot = slot * form.columns + (form.columns == 1 ? zero : c);
  return e.apply(slot, {at.outer, at.row, at.column});
}

Value Evaluator::slotIn(const Home &home, TileAt at) {
  if (!home.block)
    return slotIn(home.form, at);
  AffineExpr r = getAffineDimExpr(s.size(), s.context()), c = getAffineDimExpr(s.size() + 1, s.context()),
             zero = getAffineConstantExpr(0, s.context());
  return e.apply(slotOf(s, *home.block, home.form.rows == 1 ? zero : r, home.form.columns == 1 ? zero : c),
                 {at.row, at.column});
}

const Home &Evaluator::operand(Value value) {
  bool narrow = getElementTypeOrSelf(value).isBF16();
  value = bare(value);
  if (narrow)
    if (const Home *home = body.homeOf(value, true))
      return *home;
  return *body.homeOf(value);
}

//===-- Operations ----------------------------------------------------------//

static BroadcastAttr attributeOf(MLIRContext *context, std::optional<Broadcast> broadcast) {
  return broadcast ? BroadcastAttr::get(context, *broadcast) : BroadcastAttr();
}

/// Where a term's tile is in its value.
TileAt Evaluator::placeOf(const Term &term, TileAt at) {
  AffineExpr place = getAffineDimExpr(s.size(), s.context());
  if (term.firstRow)
    at.row = e.apply(place + term.firstRow, at.row);
  if (term.firstColumn)
    at.column = e.apply(place + term.firstColumn, at.column);
  if (!term.outer)
    return at;
  AffineExpr outer = getAffineDimExpr(s.size(), s.context());
  return {e.apply(term.outer.replace(getAffineDimExpr(0, s.context()), outer), at.outer), at.row, at.column};
}

void Evaluator::copy(const Term &term, DstTile into, TileAt at) {
  at = placeOf(term, at);
  const Home &home = *body.homeOf(term.value);
  BroadcastAttr broadcast = attributeOf(s.context(), term.broadcast);
  // A copy that repeats a row of 16 bits writes a 32-bit Dst wrongly.
  if (term.broadcast == Broadcast::Row && body.zeros &&
      home.buffer.getDefiningOp<BufferOp>().getFormat().isBF16())
    return arithmetic("add", body.zeros, e.constant(0), home.buffer, slotIn(home, at), broadcast, into);
  setUp(Setup::Copy, home.buffer, broadcast);
  e.create<CopyOp>(home.buffer, slotIn(home, at), into.range, into.index, broadcast);
}

void Evaluator::arithmetic(StringRef function, Value lhs, Value lhsSlot, Value rhs, Value rhsSlot,
                           BroadcastAttr broadcast, DstTile into) {
  auto kind = ArithmeticAttr::get(s.context(), *symbolizeArithmetic(function));
  e.create<InitOp>(SetupAttr::get(s.context(), Setup::Binary), ValueRange{lhs, rhs}, kind, broadcast,
                   StringAttr(), DenseI64ArrayAttr(), UnitAttr(), ReductionAttr(), ExtentAttr());
  e.create<BinaryOp>(kind, lhs, lhsSlot, rhs, rhsSlot, into.range, into.index, broadcast);
}

void Evaluator::matrixUnit(const Formula &formula, const Term &term, DstTile into, TileAt at) {
  const Term *lhs = &formula.terms[term.operands[0]], *rhs = &formula.terms[term.operands[1]];
  // Only the second operand is repeated.
  if (lhs->broadcast)
    std::swap(lhs, rhs);
  const Home &left = *body.homeOf(lhs->value), &right = *body.homeOf(rhs->value);
  arithmetic(term.function, left.buffer, slotIn(left, placeOf(*lhs, at)), right.buffer, slotIn(right, placeOf(*rhs, at)),
             attributeOf(s.context(), rhs->broadcast), into);
}

void Evaluator::vector(StringRef function, DstTile of, std::optional<double> scalar, Value number) {
  setUpVector(function);
  FloatAttr constant = scalar ? e.builder().getF32FloatAttr(static_cast<float>(*scalar)) : FloatAttr();
  e.create<SfpuOp>(e.builder().getStringAttr(function), of.range, of.index, constant, number);
}

void Evaluator::vectorBinary(StringRef function, DstTile lhs, DstTile rhs, DstTile into) {
  setUpVector(function);
  e.create<SfpuBinaryOp>(e.builder().getStringAttr(function), lhs.range, lhs.index, rhs.range, rhs.index,
                         into.range, into.index);
}

void Evaluator::fill(const Term &term, DstTile into) {
  setUpVector("fill");
  TypedAttr value = term.integer ? TypedAttr(e.builder().getI32IntegerAttr(static_cast<int64_t>(term.scalar)))
                                 : TypedAttr(e.builder().getF32FloatAttr(static_cast<float>(term.scalar)));
  e.create<FillRegisterOp>(into.range, into.index, value, Value(), TypeAttr());
}

void Evaluator::fillWith(Value index, DstTile into) {
  setUpVector("fill");
  e.create<FillRegisterOp>(into.range, into.index, TypedAttr(), index, TypeAttr::get(e.builder().getF32Type()));
}

//===-- Lanes ---------------------------------------------------------------//

Evaluator::LaneForm Evaluator::laneForm(AffineExpr expr) const {
  unsigned dims = s.size() + 3;
  AffineExpr row = getAffineDimExpr(s.size(), s.context()), column = getAffineDimExpr(s.size() + 1, s.context());
  auto at = [&](int64_t r, int64_t c) {
    return simplifyAffineExpr(expr.replace({{row, getAffineConstantExpr(r, s.context())},
                                            {column, getAffineConstantExpr(c, s.context())}}),
                              dims, 0);
  };
  AffineExpr base = at(0, 0);
  auto step = [&](AffineExpr moved) {
    auto constant = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(moved - base, dims, 0));
    return constant ? constant.getValue() : 0;
  };
  return {base, step(at(1, 0)), step(at(0, 1))};
}

void Evaluator::copyTile(Value buffer, Value slot, DstTile into) {
  setUp(Setup::Copy, buffer);
  e.create<CopyOp>(buffer, slot, into.range, into.index, BroadcastAttr());
}

void Evaluator::number(Value buffer, DstTile into) { copyTile(buffer, e.constant(0), into); }

/// What `expr` is at lane (0, 0) of the tile.
AffineExpr Evaluator::atTile(const LaneForm &form) const {
  AffineExpr r = getAffineDimExpr(s.size(), s.context()), c = getAffineDimExpr(s.size() + 1, s.context());
  return form.base + r * (form.row * kTileSide) + c * (form.column * columnLanes());
}

void Evaluator::inside(AffineExpr lane, DstTile into, DstTile scratch, TileAt at) {
  LaneForm form = laneForm(lane);
  AffineExpr base = atTile(form);
  auto value = [&](AffineExpr expr) { return e.apply(expr, {at.row, at.column, at.outer}); };
  auto one = [&](int64_t factor, Value lanes) {
    number(lanes, into);
    if (factor == 1)
      return vector("ge", into, {}, value(-base));
    if (factor == -1)
      return vector("le", into, {}, value(base));
    vector("mul", into, double(factor));
    vector("ge", into, {}, value(-base));
  };
  if (!form.row && !form.column) { // all lanes or none
    fillWith(value(base), into);
    return vector("ge", into, 0.0);
  }
  if (!form.column)
    return one(form.row, body.laneRows);
  if (!form.row)
    return one(form.column, columnNumbers());
  number(body.laneRows, into);
  if (form.row != 1)
    vector("mul", into, double(form.row));
  number(columnNumbers(), scratch);
  if (form.column != 1)
    vector("mul", scratch, double(form.column));
  vectorBinary("add", into, scratch, into);
  vector("ge", into, {}, value(-base));
}

/// Interior tiles pay one comparison of indices.
void Evaluator::mask(const Term &term, DstTile into, DstTile first, DstTile second, TileAt at) {
  Value partial;
  for (AffineExpr lane : term.lanes) {
    LaneForm form = laneForm(lane);
    AffineExpr least = atTile(form) +
                       std::min<int64_t>(form.row, 0) * (kTileSide - 1) +
                       std::min<int64_t>(form.column, 0) * (columnLanes() - 1);
    Value outside = e.isPositive(-least, {at.row, at.column, at.outer});
    partial = partial ? e.create<arith::OrIOp>(partial, outside).getResult() : outside;
  }
  e.when(partial, [&] {
    Term other = term;
    for (auto [index, lane] : llvm::enumerate(term.lanes)) {
      inside(lane, first, second, at);
      fill(other, second);
      setUpVector("select");
      e.create<SelectOp>(first.range, first.index, into.range, into.index, second.range, second.index,
                         into.range, into.index);
    }
  });
}

void Evaluator::lanes(const Term &term, DstTile into, DstTile scratch, TileAt at) {
  LaneForm form = laneForm(term.lanes[0]);
  Value base = e.apply(atTile(form), {at.row, at.column, at.outer});
  auto scaled = [&](int64_t factor, Value lanes, DstTile tile) {
    number(lanes, tile);
    if (factor != 1)
      vector("mul", tile, double(factor));
  };
  if (form.row)
    scaled(form.row, body.laneRows, into);
  if (form.column)
    scaled(form.column, columnNumbers(), form.row ? scratch : into);
  if (form.row && form.column)
    vectorBinary("add", into, scratch, into);
  if (form.row || form.column)
    vector("add", into, {}, base);
  else
    fillWith(base, into);
  if (term.integer)
    vector("fptosi", into);
}

Value Evaluator::run(const Formula &formula, const Actions &actions, int64_t count,
                     llvm::function_ref<TileAt(Value)> at, Value head, Value result) {
  SmallVector<Value> temporaries;
  for (int i = 0; i < actions.temporaries; ++i)
    temporaries.push_back(i == actions.result && result ? result : e.registers(count));
  auto range = [&](int index) { return index == kHeadTile ? head : temporaries[index]; };
  for (const Action &action : actions.list)
    e.loop(count, [&](Value i) {
      auto tile = [&](int index) { return DstTile{range(index), i}; };
      perform(formula, action, tile, at(i));
    });
  return range(actions.result);
}

void Evaluator::runInPlace(const Formula &formula, const Actions &actions, Value index, TileAt at, Value range,
                           bool fresh) {
  DstTile own{range, index};
  SmallVector<DstTile> temporaries;
  for (int i = 0; i < actions.temporaries; ++i)
    temporaries.push_back(fresh && i == actions.result ? own : DstTile{e.registers(1), e.constant(0)});
  auto tile = [&](int temporary) { return temporary == kHeadTile ? own : temporaries[temporary]; };
  for (const Action &action : actions.list)
    perform(formula, action, tile, at);
  DstTile result = tile(actions.result);
  // The larger of a value and itself: Dst has no plain move.
  if (result.range != range)
    vectorBinary("max", result, result, own);
}

void Evaluator::perform(const Formula &formula, const Action &action, llvm::function_ref<DstTile(int)> tile,
                        TileAt at) {
  const Term &term = formula.terms[action.term];
  DstTile into = tile(action.into);
  switch (action.kind) {
  case Action::Copy:
    return copy(term, into, at);
  case Action::Fpu:
    return matrixUnit(formula, term, into, at);
  case Action::Fill:
    return fill(term, into);
  case Action::Lanes:
    return lanes(term, into, tile(action.a), at);
  case Action::Mask:
    return mask(term, into, tile(action.a), tile(action.b), at);
  case Action::Unary:
    return vector(term.function, into);
  case Action::Scalar:
    return vector(term.function, into, term.scalar);
  case Action::Binary:
    return vectorBinary(term.function, tile(action.a), tile(action.b), into);
  case Action::Select: {
    setUpVector("select");
    DstTile c = tile(action.a), x = tile(action.b), y = tile(action.c);
    e.create<SelectOp>(c.range, c.index, x.range, x.index, y.range, y.index, into.range, into.index);
    return;
  }
  case Action::Move:
    // The larger of a value and itself: Dst has no plain move.
    return vectorBinary(term.integer ? "maxsi" : "max", tile(action.a), tile(action.b), into);
  }
}
