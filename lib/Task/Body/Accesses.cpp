// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses between whole tiles and single lanes, and hands out scratch.

#include "Accesses.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

static bool liesInRows(Value array) {
  return isa_and_nonnull<tile::RowsAttr>(array.getDefiningOp<tile::ArrayOp>().getLayoutAttr());
}

/// What `find` gives, without its errors.
static FailureOr<TileBlock> quietly(MLIRContext *context, llvm::function_ref<FailureOr<TileBlock>()> find) {
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  return find();
}

/// Pages that are tiles hold the blocks of a matrix, or vectors in their first rows.
static LogicalResult checkTiled(Operation *access, const Form &form) {
  if (form.kind != Form::Outer && form.outer == 1)
    return success();
  return access->emitError("moves lines of tiles of more axes, but its array lies in tiles: lay it out as #tile.rows");
}

/// Whether memory holds elements as tiles do; other integers are widened on the
/// way.
static bool holdsTileElements(TypedValue<MemRefType> array) {
  Type element = array.getType().getElementType();
  return isa<FloatType>(element) || element.isInteger(32);
}

template <typename Op>
FailureOr<TileBlock> Accesses::blockOf(Op op, const Form &form, llvm::function_ref<FailureOr<TileBlock>()> whole) {
  if (!liesInRows(op.getArray())) {
    if (failed(checkTiled(op, form)))
      return failure();
    return whole();
  }
  if (form.kind == Form::Flat && holdsTileElements(op.getArray()))
    if (auto block = quietly(op.getContext(), whole); succeeded(block))
      return block;
  auto lanes = lanesOf(s, op, form);
  if (failed(lanes))
    return failure();
  TileBlock block;
  block.array = op.getArray().template getDefiningOp<tile::ArrayOp>();
  block.access = op;
  block.lanes = std::make_shared<LaneAccess>(*lanes);
  return block;
}

FailureOr<TileBlock> Accesses::blockOf(tile::LoadOp op, unsigned level) {
  auto block = blockOf(op, forms.of(op.getTile()), [&] { return task::blockOf(s, op, level, false); });
  if (failed(block) || !block->lanes)
    return block;
  for (unsigned c = level; c < Schedule::kFirstLoop + s.waves(); ++c)
    if (block->lanes->dependsOn(c))
      return op.emitError("is hoisted across a loop it moves with, lane by lane: hoist it less");
  return block;
}

FailureOr<TileBlock> Accesses::blockOf(tile::StoreOp op, const Form &form) {
  return blockOf(op, form, [&] { return task::blockOf(s, op); });
}

int64_t Accesses::align() const {
  return std::max({model.global().readAlign, model.global().writeAlign, model.local().writeAlign});
}

Value Accesses::scratchBuffer(const LaneAccess &lanes, StringRef name) {
  Value &buffer = scratches[{name.str(), lanes.element().getAsOpaquePointer()}];
  int64_t tiles = lineTiles(lanes, align());
  if (!buffer)
    buffer = BufferOp::create(b, lanes.op->getLoc(), BufferType::get(b.getContext()), b.getStringAttr(name),
                              TypeAttr::get(lanes.element()), b.getI64IntegerAttr(tiles), b.getI64IntegerAttr(1),
                              UnitAttr(), UnitAttr(), b.getUnitAttr(), IntegerAttr(), IntegerAttr(),
                              IntegerAttr());
  auto op = buffer.getDefiningOp<BufferOp>();
  op.setTilesAttr(b.getI64IntegerAttr(std::max<int64_t>(op.getTiles(), tiles)));
  return buffer;
}

Scratch Accesses::scratchFor(const LaneAccess &lanes, StringRef role) {
  Scratch scratch;
  scratch.align = align();
  scratch.lines = scratchBuffer(lanes, (role + "_lines").str());
  if (lanes.lookup) {
    scratch.values = scratchBuffer(*lanes.lookup, (role + "_values").str());
    scratch.valuesArray = arrays.lookup(lanes.lookup->array.getView());
  }
  return scratch;
}
