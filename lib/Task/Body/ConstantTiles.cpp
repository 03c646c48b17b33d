// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ones, zeros, numbers of lanes and triangles, each made once.

#include "ConstantTiles.h"


using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

Value ConstantTiles::create(StringRef name, Type format, bool direct) {
  OpBuilder::InsertionGuard guard(b);
  return BufferOp::create(b, body.schedule->getGrid()->getLoc(), BufferType::get(b.getContext()),
                          b.getStringAttr(name), TypeAttr::get(format), b.getI64IntegerAttr(1),
                          b.getI64IntegerAttr(1), direct ? b.getUnitAttr() : UnitAttr(), UnitAttr(), UnitAttr(),
                          IntegerAttr(), IntegerAttr(), IntegerAttr());
}

void ConstantTiles::number(Value &tile, StringRef name) {
  if (!tile)
    tile = create(name, b.getF32Type(), true);
}

/// The numbers of the axes that `lane` counts along.
void ConstantTiles::numberLanes(AffineExpr lane, const Form &form) {
  unsigned coordinates = body.schedule->size();
  bool row = lane.isFunctionOfDim(coordinates), column = lane.isFunctionOfDim(coordinates + 1);
  if (column && form.kind == Form::Flat)
    return number(body.laneMemory, "lane_numbers");
  if (row)
    number(body.laneRows, "row_numbers");
  if (column)
    number(body.laneColumns, "column_numbers");
}

/// The triangle of ones that a scan multiplies with, made from lane numbers.
void ConstantTiles::triangleOf(tile::ScanOp scan) {
  bool upper = isUpper(scan, forms.of(scan.getResults()[0]));
  Value &triangle = upper ? body.upper : body.lower;
  if (!triangle)
    triangle = create(upper ? "upper" : "lower", b.getBF16Type(), false);
  if (getElementTypeOrSelf(bare(scan.getTiles()[0])).isF32())
    triangle.getDefiningOp<BufferOp>().setFormat(b.getF32Type());
  number(body.laneRows, "row_numbers");
  number(body.laneColumns, "column_numbers");
}

void ConstantTiles::provide(const Formula &formula, const Form &form) {
  for (const Term &term : formula.terms) {
    const Home *home = term.kind == Term::Tile ? body.homeOf(term.value) : nullptr;
    if (home && term.broadcast == Broadcast::Row && wideDst && !body.zeros &&
        home->buffer.getDefiningOp<BufferOp>().getFormat().isBF16())
      body.zeros = create("zeros", b.getBF16Type(), false);
    for (AffineExpr lane : term.lanes)
      numberLanes(lane, form);
  }
}

void ConstantTiles::provide(const Stage &stage) {
  provide(stage.formula, stage.form);
  if (stage.start)
    provide(*stage.start, stage.form);
  Operation *head = stage.formula.head;
  bool isReduced = isa_and_nonnull<linalg::ReduceOp>(head) && !stage.isReducedByVectorUnit;
  if (isa_and_nonnull<tile::ScanOp>(head) || isReduced) {
    if (!body.ones)
      body.ones = create("ones", b.getBF16Type(), false);
    // Narrower ones would cut what they sum.
    if (getElementTypeOrSelf(bare(head->getOperand(0))).isF32())
      body.ones.getDefiningOp<BufferOp>().setFormat(b.getF32Type());
  }
  if (auto scan = dyn_cast_or_null<tile::ScanOp>(head))
    triangleOf(scan);
}
