// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of lanes between pages and tiles.
//
// A line is read from the last aligned address before it into its own part of
// the scratch; all lines of a tile are under way at once. A line that goes on in
// the next page is read in two pieces, which meet in the scratch because pages
// end at aligned addresses.

#include "LaneMover.h"

#include "drawloom/Task/Task.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {

constexpr int64_t kFlatLine = kFaceSide; ///< lanes in a row of a face

/// The lanes of one tile.
class TileLanes {
public:
  TileLanes(Emitter &emitter, const Schedule &schedule, const LaneAccess &lanes, const Scratch &scratch,
            Value array, Value slot)
      : e(emitter), s(schedule), lanes(lanes), scratch(scratch), array(array) {
    split(slot);
  }

  /// One line: where its first lane is in the tile, and which lanes exist.
  struct Line {
    SmallVector<Value> at; ///< lane of each axis at the line's start, then the looked-up value
    Value row, column;     ///< in the tile
    Value first, count;    ///< of the lanes that exist, from the line's start
  };

  int64_t lines() const;
  /// Lanes of a line.
  int64_t length() const;
  LaneAxis along() const;
  Line line(Value index);
  /// Bytes of scratch for each line.
  int64_t pitch() const { return pitchOf(lanes, scratch.align); }
  static int64_t pitchOf(const LaneAccess &lanes, int64_t align);
  static int64_t linesOf(const LaneAccess &lanes);
  static int64_t lengthOf(const LaneAccess &lanes);

  void read(const Line &line, Value index);
  void write(const Line &line, Value index);
  /// Where in the scratch the line's first existing lane is: slot and byte.
  std::pair<Value, Value> place(const Line &line, Value index, Value buffer, int64_t align);
  void readValues();
  /// Lane of the tile where a line's first existing lane goes.
  std::pair<Value, Value> start(const Line &line);

private:
  void split(Value slot);
  bool isFlat() const { return lanes.form.kind == Form::Flat; }
  /// The axis that walks tile columns (rows), if one does.
  std::optional<unsigned> columnAxis() const;
  std::optional<unsigned> rowAxis() const;
  Value evaluate(AffineExpr expr, const Line &line) { return e.apply(expr, line.at); }
  Value lookUp(const Line &line);
  void bound(Line &line);
  /// Element of the last dimension at the first existing lane.
  Value element(const Line &line);
  Value page(const Line &line, Value element);
  Value add(Value a, Value b) { return binary(dim(0) + dim(1), a, b); }
  Value binary(AffineExpr expr, Value a, Value b = {}) {
    return e.apply(expr, b ? SmallVector<Value>{a, b} : SmallVector<Value>{a});
  }
  AffineExpr dim(unsigned index) const { return getAffineDimExpr(s.size() + index, s.context()); }

  Emitter &e;
  const Schedule &s;
  const LaneAccess &lanes;
  const Scratch &scratch;
  Value array;
  Value outer, tileRow, tileColumn;
};

} // namespace

static int64_t nextPowerOfTwo(int64_t value) { return llvm::PowerOf2Ceil(value); }

int64_t TileLanes::lengthOf(const LaneAccess &lanes) {
  if (!lanes.line)
    return 1;
  return lanes.form.kind == Form::Flat ? kFlatLine : std::min<int64_t>(kTileSide, lanes.sizes[*lanes.line]);
}

int64_t TileLanes::linesOf(const LaneAccess &lanes) {
  if (lanes.form.kind == Form::Flat)
    return lanes.line ? kTileElements / kFlatLine : std::min<int64_t>(kTileElements, lanes.sizes[0]);
  int64_t count = 1;
  for (auto [axis, size] : llvm::enumerate(lanes.sizes))
    if (axis + 2 >= lanes.rank() && lanes.line != axis)
      count *= std::min<int64_t>(kTileSide, size);
  return count;
}

int64_t TileLanes::pitchOf(const LaneAccess &lanes, int64_t align) {
  int64_t bytes = lengthOf(lanes) * lanes.step * lanes.elementBytes();
  return nextPowerOfTwo(llvm::alignTo(bytes, align) + align);
}

int64_t TileLanes::lines() const { return linesOf(lanes); }
int64_t TileLanes::length() const { return lengthOf(lanes); }

std::optional<unsigned> TileLanes::columnAxis() const {
  if (lanes.rank() == 0 || lanes.form.kind == Form::Column)
    return std::nullopt;
  return lanes.rank() - 1;
}

std::optional<unsigned> TileLanes::rowAxis() const {
  if (lanes.form.kind == Form::Column)
    return 0;
  return lanes.rank() >= 2 ? std::optional(lanes.rank() - 2) : std::nullopt;
}

LaneAxis TileLanes::along() const {
  return lanes.line && lanes.line == rowAxis() ? LaneAxis::Row : LaneAxis::Column;
}

void TileLanes::split(Value slot) {
  const Form &form = lanes.form;
  AffineExpr d = dim(0);
  tileColumn = binary(form.columns == 1 ? d * 0 : d % form.columns, slot);
  tileRow = binary(form.rows == 1 ? d * 0 : d.floorDiv(form.columns) % form.rows, slot);
  outer = binary(form.outer == 1 ? d * 0 : d.floorDiv(form.columns * form.rows), slot);
}

TileLanes::Line TileLanes::line(Value index) {
  Line line;
  Value zero = e.constant(0);
  line.at.assign(lanes.rank() + 1, zero);
  // Axes before the last two count tiles.
  Value left = outer;
  for (unsigned axis = lanes.rank() < 2 ? 0 : lanes.rank() - 2; axis-- > 0;) {
    line.at[axis] = binary(dim(0) % lanes.sizes[axis], left);
    left = binary(dim(0).floorDiv(lanes.sizes[axis]), left);
  }
  AffineExpr tile = dim(0) * kTileSide, i = dim(1);
  if (isFlat()) {
    int64_t length = lanes.line ? kFlatLine : 1;
    line.at[0] = binary(dim(0) * kTileElements + i * length, tileColumn, index);
    // Faces lie one after the other, each row by row.
    AffineExpr lane = dim(0) * length, face = lane.floorDiv(kFaceSide * kFaceSide);
    AffineExpr inFace = lane % (kFaceSide * kFaceSide);
    line.row = binary(face.floorDiv(2) * kFaceSide + inFace.floorDiv(kFaceSide), index);
    line.column = binary(face % 2 * kFaceSide + inFace % kFaceSide, index);
    bound(line);
    return line;
  }
  line.row = line.column = zero;
  auto columns = columnAxis(), rows = rowAxis();
  int64_t width = columns ? std::min<int64_t>(kTileSide, lanes.sizes[*columns]) : 1;
  if (rows && lanes.line != rows)
    line.row = lanes.line == columns ? index : binary(dim(0).floorDiv(width), index);
  if (columns && lanes.line != columns)
    line.column = lanes.line == rows && rows ? index : binary(dim(0) % width, index);
  if (rows)
    line.at[*rows] = binary(tile + i, tileRow, line.row);
  if (columns)
    line.at[*columns] = binary(tile + i, tileColumn, line.column);
  if (lanes.lookup)
    line.at.back() = lookUp(line);
  bound(line);
  return line;
}

/// The value that a line's lane looks up. The scratch holds those of this tile's
/// lanes that exist; what the others are is the load's own to say.
Value TileLanes::lookUp(const Line &line) {
  bool byRow = lanes.lookupAxis == rowAxis();
  Value zero = e.constant(0), lane = byRow ? line.row : line.column;
  TileLanes values(e, s, *lanes.lookup, scratch, array, byRow ? tileRow : tileColumn);
  Line all = values.line(zero);
  Value offset = e.create<arith::SubIOp>(lane, all.first);
  Value behind = e.create<arith::CmpIOp>(arith::CmpIPredicate::sge, offset, zero);
  Value before = e.create<arith::CmpIOp>(arith::CmpIPredicate::slt, offset, all.count);
  Type index = e.builder().getIndexType();
  auto exists = e.create<scf::IfOp>(TypeRange(index), e.create<arith::AndIOp>(behind, before).getResult(),
                                    /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(e.builder());
  e.builder().setInsertionPointToStart(exists.thenBlock());
  auto [slot, byte] = values.place(all, zero, scratch.values, scratch.align);
  Value from = binary(dim(0) + dim(1) * lanes.lookup->elementBytes(), byte, offset);
  e.create<scf::YieldOp>(e.create<PeekOp>(index, scratch.values, slot, from, lanes.lookup->element()).getResult());
  e.builder().setInsertionPointToStart(exists.elseBlock());
  auto other = dyn_cast_or_null<IntegerAttr>(cast<tile::LoadOp>(lanes.lookup->op).getPadAttr());
  e.create<scf::YieldOp>(e.constant(other ? other.getValue().getSExtValue() : 0));
  return exists.getResult(0);
}

/// Which lanes of a line the constraints leave.
void TileLanes::bound(Line &line) {
  Value first = e.constant(0), end = e.constant(length());
  Value exists;
  unsigned dims = s.size() + lanes.rank() + 1;
  if (lanes.line) // the value may end inside its last tile
    end = e.create<arith::MinSIOp>(end, binary(lanes.sizes[*lanes.line] - dim(0), line.at[*lanes.line]));
  for (AffineExpr constraint : lanes.constraints) {
    int64_t factor = 0;
    if (lanes.line) {
      AffineExpr lane = getAffineDimExpr(s.size() + *lanes.line, s.context());
      AffineExpr moved = simplifyAffineExpr(constraint.replace(lane, lane + 1) - constraint, dims, 0);
      factor = cast<AffineConstantExpr>(moved).getValue(); // see findLine
    }
    if (factor == 0) {
      Value holds = e.isPositive(constraint + 1, line.at);
      exists = exists ? e.create<arith::AndIOp>(exists, holds).getResult() : holds;
    } else if (factor > 0) {
      first = e.create<arith::MaxSIOp>(first, evaluate((-constraint).ceilDiv(factor), line));
    } else {
      end = e.create<arith::MinSIOp>(end, evaluate(constraint.floorDiv(-factor) + 1, line));
    }
  }
  line.first = first;
  line.count = e.create<arith::SubIOp>(end, first);
  if (exists)
    line.count = e.create<arith::SelectOp>(exists, line.count, e.constant(0));
}

Value TileLanes::element(const Line &line) {
  if (lanes.subscripts.empty())
    return e.constant(0);
  Value start = evaluate(lanes.subscripts.back(), line);
  return lanes.line ? binary(dim(0) + dim(1) * lanes.step, start, line.first) : start;
}

Value TileLanes::page(const Line &line, Value element) {
  ArrayRef<int64_t> shape = lanes.view().getShape();
  AffineExpr page = getAffineConstantExpr(0, s.context());
  for (unsigned d = 0; d + 1 < shape.size(); ++d)
    page = page * shape[d] + lanes.subscripts[d];
  Value row = evaluate(page, line);
  int64_t perRow = shape.empty() ? 1 : llvm::divideCeil(shape.back(), lanes.pageElements());
  return binary(dim(0) * perRow + dim(1).floorDiv(lanes.pageElements()), row, element);
}

std::pair<Value, Value> TileLanes::place(const Line &line, Value index, Value buffer, int64_t align) {
  int64_t tile = buffer.getDefiningOp<BufferOp>().getTileBytes(), pitch = this->pitch(), perTile = tile / pitch;
  Value slot = binary(dim(0).floorDiv(perTile), index);
  AffineExpr inPage = dim(1) % lanes.pageElements() * lanes.elementBytes();
  return {slot, binary(dim(0) % perTile * pitch + inPage % align, index, element(line))};
}

void TileLanes::read(const Line &line, Value index) {
  e.when(e.create<arith::CmpIOp>(arith::CmpIPredicate::sgt, line.count, e.constant(0)), [&] {
    int64_t bytes = lanes.elementBytes(), elements = lanes.pageElements(), pageBytes = elements * bytes;
    Value from = element(line);
    auto [slot, byte] = place(line, index, scratch.lines, scratch.align);
    Value inPage = binary(dim(0) % elements * bytes, from);
    Value aligned = binary(dim(0) - dim(0) % scratch.align, inPage);
    Value into = binary(dim(0) - dim(1) % scratch.align, byte, inPage);
    Value span = lanes.line ? binary((dim(0) - 1) * (lanes.step * bytes) + bytes, line.count) : e.constant(bytes);
    Value end = add(inPage, span);
    Value stop = e.create<arith::MinSIOp>(end, e.constant(pageBytes));
    Value length = e.create<arith::SubIOp>(stop, aligned);
    Value first = page(line, from);
    e.create<ReadOp>(array, first, scratch.lines, slot, ValueRange{aligned, into, length});
    if (!lanes.line || lanes.view().getShape().back() <= elements)
      return;
    Value rest = binary(dim(0) - pageBytes, end);
    e.when(e.create<arith::CmpIOp>(arith::CmpIPredicate::sgt, rest, e.constant(0)), [&] {
      Value next = binary(dim(0) + 1, first), after = add(into, length);
      e.create<ReadOp>(array, next, scratch.lines, slot, ValueRange{e.constant(0), after, rest});
    });
  });
}

void TileLanes::write(const Line &line, Value index) {
  int64_t bytes = lanes.elementBytes(), elements = lanes.pageElements(), pageBytes = elements * bytes;
  Value from = element(line);
  auto [slot, byte] = place(line, index, scratch.lines, scratch.align);
  Value inPage = binary(dim(0) % elements * bytes, from);
  Value span = lanes.line ? binary(dim(0) * bytes, line.count) : e.constant(bytes);
  Value stop = e.create<arith::MinSIOp>(add(inPage, span), e.constant(pageBytes));
  Value length = e.create<arith::SubIOp>(stop, inPage);
  Value first = page(line, from);
  e.create<WriteOp>(scratch.lines, slot, array, first, ValueRange{byte, inPage, length});
  if (!lanes.line || lanes.view().getShape().back() <= elements)
    return;
  Value rest = e.create<arith::SubIOp>(add(inPage, span), e.constant(pageBytes));
  e.when(e.create<arith::CmpIOp>(arith::CmpIPredicate::sgt, rest, e.constant(0)), [&] {
    Value next = binary(dim(0) + 1, first), after = add(byte, length);
    e.create<WriteOp>(scratch.lines, slot, array, next, ValueRange{after, e.constant(0), rest});
  });
}

//===-- Tiles ---------------------------------------------------------------//

int64_t drawloom::task::lineTiles(const LaneAccess &lanes, int64_t align) {
  int64_t bytes = TileLanes::linesOf(lanes) * TileLanes::pitchOf(lanes, align);
  return llvm::divideCeil(bytes, kTileElements * lanes.elementBytes());
}

void TileLanes::readValues() {
  if (!lanes.lookup)
    return;
  Scratch own{scratch.values, {}, {}, scratch.align};
  TileLanes values(e, s, *lanes.lookup, own, scratch.valuesArray,
                   lanes.lookupAxis == rowAxis() ? tileRow : tileColumn);
  Value zero = e.constant(0);
  values.read(values.line(zero), zero);
  e.create<FenceOp>(Transfers::Reads);
}

std::pair<Value, Value> TileLanes::start(const Line &line) {
  bool down = along() == LaneAxis::Row;
  return {down ? add(line.row, line.first) : line.row, down ? line.column : add(line.column, line.first)};
}

void drawloom::task::readLanes(Emitter &e, const Schedule &s, const LaneAccess &lanes, const Scratch &scratch,
                               Value array, Value buffer, Value slot, TypedAttr pad) {
  TileLanes tile(e, s, lanes, scratch, array, slot);
  Value zero = e.constant(0);
  tile.readValues();
  e.loop(tile.lines(), [&](Value index) { tile.read(tile.line(index), index); });
  e.create<FillOp>(buffer, slot, ValueRange{zero, zero}, pad);
  e.create<FenceOp>(Transfers::Reads);
  e.loop(tile.lines(), [&](Value index) {
    TileLanes::Line line = tile.line(index);
    auto [from, byte] = tile.place(line, index, scratch.lines, scratch.align);
    auto [row, column] = tile.start(line);
    e.create<PlaceOp>(scratch.lines, from, byte, lanes.step * lanes.elementBytes(), lanes.element(), line.count,
                      buffer, slot, row, column, tile.along());
  });
}

void drawloom::task::writeLanes(Emitter &e, const Schedule &s, const LaneAccess &lanes, const Scratch &scratch,
                                Value array, Value buffer, Value slot) {
  TileLanes tile(e, s, lanes, scratch, array, slot);
  tile.readValues();
  auto overLines = [&](llvm::function_ref<void(const TileLanes::Line &, Value)> use) {
    e.loop(tile.lines(), [&](Value index) {
      TileLanes::Line line = tile.line(index);
      Value exists = e.create<arith::CmpIOp>(arith::CmpIPredicate::sgt, line.count, e.constant(0));
      e.when(exists, [&] { use(line, index); });
    });
  };
  overLines([&](const TileLanes::Line &line, Value index) {
    auto [to, byte] = tile.place(line, index, scratch.lines, scratch.align);
    auto [row, column] = tile.start(line);
    e.create<LiftOp>(buffer, slot, row, column, tile.along(), line.count, scratch.lines, to, byte,
                     lanes.elementBytes(), lanes.element());
  });
  overLines([&](const TileLanes::Line &line, Value index) { tile.write(line, index); });
  e.create<FenceOp>(Transfers::Writes);
}

//===-- Numbers -------------------------------------------------------------//

namespace {
/// Page of an element, and its byte in it.
struct Place {
  Value page, byte;
};
} // namespace

static Place placeOf(Emitter &e, const Schedule &s, const LaneAccess &access) {
  ArrayRef<int64_t> shape = access.view().getShape();
  AffineExpr a = getAffineDimExpr(s.size(), s.context()), b = getAffineDimExpr(s.size() + 1, s.context());
  Value row = e.constant(0), last = e.constant(0);
  for (auto [dim, subscript] : llvm::enumerate(access.subscripts)) {
    Value inside = e.create<arith::MinSIOp>(e.apply(subscript), e.constant(shape[dim] - 1));
    last = e.create<arith::MaxSIOp>(inside, e.constant(0));
    if (dim + 1 < shape.size())
      row = e.apply(a * shape[dim] + b, {row, last});
  }
  int64_t elements = access.pageElements();
  int64_t perRow = shape.empty() ? 1 : llvm::divideCeil(shape.back(), elements);
  return {e.apply(a * perRow + b.floorDiv(elements), {row, last}),
          e.apply(a % elements * access.elementBytes(), last)};
}

void drawloom::task::readNumber(Emitter &e, const Schedule &s, const LaneAccess &access, int64_t align,
                                Value array, Value buffer) {
  Place place = placeOf(e, s, access);
  AffineExpr a = getAffineDimExpr(s.size(), s.context());
  Value aligned = e.apply(a - a % align, place.byte);
  Value length = e.apply(a % align + access.elementBytes(), place.byte);
  e.create<ReadOp>(array, place.page, buffer, e.constant(0), ValueRange{aligned, e.constant(0), length});
  e.create<FenceOp>(Transfers::Reads);
}

Value drawloom::task::numberAt(Emitter &e, const Schedule &s, const LaneAccess &access, int64_t align,
                               Value buffer) {
  Place place = placeOf(e, s, access);
  AffineExpr a = getAffineDimExpr(s.size(), s.context());
  return e.create<PeekOp>(e.builder().getIndexType(), buffer, e.constant(0), e.apply(a % align, place.byte),
                          access.element());
}
