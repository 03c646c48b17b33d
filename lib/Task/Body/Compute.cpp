// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compute engine's part of a body: stages through Dst.

#include "../Compute.h"
#include "../TileMath.h"
#include "Demands.h"
#include "Evaluate.h"
#include "Heads.h"
#include "Walk.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace {

/// Writes one stage.
class StageEmitter {
public:
  StageEmitter(const Body &body, Emitter &e, const Stage &stage, int64_t dstTiles)
      : body(body), s(*body.schedule), e(e), stage(stage), dstTiles(dstTiles), evaluate(body, e) {
    evaluate.setFlat(stage.form.kind == Form::Flat);
  }
  void emit();

private:
  void eachTile();
  void reduce(linalg::ReduceOp op);
  void combine(linalg::ReduceOp op);
  void transpose(linalg::TransposeOp op);
  void product();
  mlir::Value onBlock(const Formula &formula, const Actions &actions, int64_t tiles,
                      llvm::function_ref<TileAt(mlir::Value)> at, mlir::Value head, mlir::Value result);
  void scan(tile::ScanOp op);
  void productBlock(TileAt at, int64_t rows, int64_t columns);
  void multiply(Operation *op, Value range, TileAt at, int64_t rows, int64_t columns);
  void finish(mlir::Value head, TileAt at);
  void pack(mlir::Value range, int64_t count, llvm::function_ref<TileAt(mlir::Value)> at);
  void overBlocks(int64_t rows, int64_t columns, llvm::function_ref<void(TileAt)> each);
  TileAt within(TileAt first, mlir::Value index, int64_t columns);
  /// `body` for every tile of the stage's value.
  void overTiles(llvm::function_ref<void(TileAt)> body);
  AffineExpr dim(unsigned index) const { return getAffineDimExpr(s.size() + index, s.context()); }

  const Body &body;
  const Schedule &s;
  Emitter &e;
  const Stage &stage;
  int64_t dstTiles;
  Evaluator evaluate;
};

} // namespace

void StageEmitter::overBlocks(int64_t rows, int64_t columns, llvm::function_ref<void(TileAt)> each) {
  e.loop(stage.form.outer, [&](Value outer) {
    e.loop(stage.form.rows / rows, [&](Value row) {
      e.loop(stage.form.columns / columns, [&](Value column) {
        each({outer, e.apply(dim(0) * rows, row), e.apply(dim(0) * columns, column)});
      });
    });
  });
}

/// Tile `index` of a block of so many columns.
TileAt StageEmitter::within(TileAt first, Value index, int64_t columns) {
  return {first.outer, e.apply(dim(0) + dim(1).floorDiv(columns), {first.row, index}),
          e.apply(dim(0) + dim(1) % columns, {first.column, index})};
}

void StageEmitter::overTiles(llvm::function_ref<void(TileAt)> each) {
  e.loop(stage.form.outer, [&](Value outer) {
    e.loop(stage.form.rows, [&](Value row) {
      e.loop(stage.form.columns, [&](Value column) { each({outer, row, column}); });
    });
  });
}

/// Packs tiles of a range, one buffer after the other.
void StageEmitter::pack(Value range, int64_t count, llvm::function_ref<TileAt(Value)> at) {
  for (Value target : stage.targets)
    e.loop(count, [&](Value index) {
      evaluate.setUp(Setup::Pack, target);
      e.create<PackOp>(range, index, target, evaluate.slotIn(stage.form, at(index)));
    });
}

void StageEmitter::finish(Value head, TileAt at) {
  auto here = [&](Value) { return at; };
  pack(evaluate.run(stage.formula, stage.actions, 1, here, head, {}), 1, here);
}

/// As many tiles at a time as fit in Dst, side by side or one below the other.
void StageEmitter::eachTile() {
  int64_t fits = dstTiles / std::max(1, stage.actions.temporaries);
  auto [rows, columns] = chooseBlock(stage.form.rows, stage.form.columns, std::max<int64_t>(fits, 1));
  int64_t blockRows = rows, blockColumns = columns;
  overBlocks(blockRows, blockColumns, [&](TileAt first) {
    auto at = [&](Value index) { return within(first, index, blockColumns); };
    evaluate.inDst([&] {
      int64_t count = blockRows * blockColumns;
      pack(evaluate.run(stage.formula, stage.actions, count, at, {}, {}), count, at);
    });
  });
}

void StageEmitter::transpose(linalg::TransposeOp op) {
  const Home &from = *body.homeOf(bare(op.getInput()));
  overTiles([&](TileAt at) {
    evaluate.inDst([&] {
      DstTile head{e.registers(1), e.constant(0)};
      evaluate.setUp(Setup::Transpose, from.buffer);
      Value slot = evaluate.slotIn(from, {at.outer, at.column, at.row});
      e.create<TransposeOp>(from.buffer, slot, head.range, head.index);
      finish(head.range, at);
    });
  });
}

namespace {
/// Which of a source's axes a reduction combines.
struct Along {
  Along(linalg::ReduceOp op, const Form &from);
  bool columns = false, rows = false;
  int64_t tiles = 1, inner = 1; ///< that are combined lane by lane, and of axes inside
};
} // namespace

Along::Along(linalg::ReduceOp op, const Form &from) {
  int64_t rank = cast<RankedTensorType>(op.getInputs()[0].getType()).getRank();
  for (int64_t axis : op.getDimensions()) {
    columns |= rank == 1 ? from.kind != Form::Column : axis == rank - 1;
    rows |= rank == 1 ? from.kind != Form::Row : axis == rank - 2;
  }
  if (countsTiles(op)) {
    auto shape = cast<RankedTensorType>(op.getInputs()[0].getType()).getShape().drop_back(2);
    tiles = shape[op.getDimensions()[0]];
    for (int64_t size : shape.drop_front(op.getDimensions()[0] + 1))
      inner *= size;
  }
}

/// In the vector unit: tile by tile, then the lanes of the last one.
void StageEmitter::combine(linalg::ReduceOp op) {
  const Home &from = evaluate.operand(op.getInputs()[0]);
  std::string function = vectorCombiner(op).str();
  Along along(op, from.form);
  int64_t rows = along.rows ? from.form.rows : 1, columns = along.columns ? from.form.columns : 1;
  AffineExpr whole = dim(0).floorDiv(along.inner) * (along.inner * along.tiles) + dim(0) % along.inner;
  overTiles([&](TileAt at) {
    // A vector's tiles stand along the axis that is left.
    auto load = [&](Value index, DstTile into) {
      TileAt source{along.tiles == 1 ? at.outer : e.apply(whole + dim(1) * along.inner, {at.outer, index}),
                    along.rows ? e.apply(dim(0).floorDiv(columns), index) : at.row,
                    along.columns ? e.apply(dim(0) % columns, index) : at.column};
      evaluate.copyTile(from.buffer, evaluate.slotIn(from, source), into);
    };
    evaluate.inDst([&] {
      DstTile head{e.registers(1), e.constant(0)};
      load(e.constant(0), head);
      e.loop(e.constant(1), e.constant(rows * columns * along.tiles), [&](Value index) {
        DstTile next{e.registers(1), e.constant(0)};
        load(index, next);
        evaluate.vectorBinary(function, head, next, head);
      });
      if (along.rows)
        evaluate.vector("column_" + function, head);
      if (along.columns)
        evaluate.vector("row_" + function, head);
      finish(head.range, at);
    });
  });
}

void StageEmitter::reduce(linalg::ReduceOp op) {
  if (stage.isReducedByVectorUnit)
    return combine(op);
  Value input = bare(op.getInputs()[0]);
  const Home &from = *body.homeOf(input, /*narrow=*/!body.homeOf(input));
  bool isSum = isa<arith::AddFOp>(op.getCombiner().front().front());
  auto kind = isSum ? Reduction::Sum : Reduction::Max;
  Along along(op, from.form);
  bool alongColumns = along.columns, alongRows = along.rows;
  Extent over = alongColumns && alongRows ? Extent::Scalar : alongColumns ? Extent::Row : Extent::Column;
  // A reduction's set-up is dear, so several tiles share it.
  auto [rows, columns] = chooseBlock(stage.form.rows, stage.form.columns, dstTiles - stage.actions.temporaries);
  int64_t blockColumns = columns, tiles = rows * columns;
  overBlocks(rows, columns, [&](TileAt first) {
    auto at = [&](Value index) { return within(first, index, blockColumns); };
    evaluate.inDst([&] {
      Value head = e.registers(tiles);
      e.create<InitOp>(SetupAttr::get(s.context(), Setup::Reduce), ValueRange{from.buffer, body.ones},
                       ArithmeticAttr(), BroadcastAttr(), StringAttr(), DenseI64ArrayAttr(), UnitAttr(),
                       ReductionAttr::get(s.context(), kind), ExtentAttr::get(s.context(), over));
      e.loop(tiles, [&](Value index) {
        TileAt into = at(index);
        e.loop(alongRows ? from.form.rows : 1, [&](Value row) {
          e.loop(alongColumns ? from.form.columns : 1, [&](Value column) {
            // A vector's tiles stand along the axis that is left.
            TileAt source{into.outer, alongRows ? row : into.row, alongColumns ? column : into.column};
            Value slot = evaluate.slotIn(from, source);
            e.create<ReduceOp>(kind, over, from.buffer, slot, body.ones, head, index);
          });
        });
      });
      // Every tile is finished before the packer gets its half.
      pack(onBlock(stage.formula, stage.actions, tiles, at, head, {}), tiles, at);
    });
  });
}

void StageEmitter::product() {
  int64_t taken = std::max<int64_t>(stage.actions.temporaries, stage.start ? stage.startActions.temporaries - 1 : 0);
  auto [rows, columns] = chooseBlock(stage.form.rows, stage.form.columns, dstTiles - taken);
  // A transposed operand's tiles side by side lie one below the other.
  for (Operation *op : stage.products) {
    bool transposed;
    const Home &rhs = evaluate.operand(productOperand(op, 1, transposed));
    if (transposed && rhs.form.columns > 1)
      columns = 1;
  }
  int64_t blockRows = rows, blockColumns = columns;
  overBlocks(blockRows, blockColumns, [&](TileAt at) {
    evaluate.inDst([&] { productBlock(at, blockRows, blockColumns); });
  });
}

/// Computes a formula on every tile of a block: all at once if Dst has room,
/// else one after the other with the same temporaries.
Value StageEmitter::onBlock(const Formula &formula, const Actions &actions, int64_t tiles,
                            llvm::function_ref<TileAt(Value)> at, Value head, Value result) {
  int64_t own = actions.temporaries - (result && actions.result != kHeadTile ? 1 : 0);
  if (tiles * (own + 1) <= dstTiles)
    return evaluate.run(formula, actions, tiles, at, head, result);
  Value range = head ? head : result;
  e.loop(tiles, [&](Value index) { evaluate.runInPlace(formula, actions, index, at(index), range, !head); });
  return range;
}

/// Adds the product's block to a range.
void StageEmitter::multiply(Operation *op, Value range, TileAt at, int64_t rows, int64_t columns) {
  bool transposed;
  const Home &lhs = evaluate.operand(op->getOperand(0));
  const Home &rhs = evaluate.operand(productOperand(op, 1, transposed));
  int64_t inner = lhs.form.columns;
  int64_t block[] = {rows, columns, inner};
  UnitAttr flag = transposed ? e.builder().getUnitAttr() : UnitAttr();
  e.create<InitOp>(SetupAttr::get(s.context(), Setup::Matmul), ValueRange{lhs.buffer, rhs.buffer},
                   ArithmeticAttr(), BroadcastAttr(), StringAttr(), e.builder().getDenseI64ArrayAttr(block),
                   flag, ReductionAttr(), ExtentAttr());
  e.loop(inner, [&](Value step) {
    Value left = evaluate.slotIn(lhs, {at.outer, at.row, step});
    Value right = transposed ? evaluate.slotIn(rhs, {at.outer, at.column, step})
                             : evaluate.slotIn(rhs, {at.outer, step, at.column});
    e.create<MatmulOp>(lhs.buffer, left, rhs.buffer, right, range, e.constant(0),
                       e.builder().getDenseI64ArrayAttr(block), transposed);
  });
}

void StageEmitter::productBlock(TileAt at, int64_t rows, int64_t columns) {
  int64_t tiles = rows * columns;
  Value range = e.registers(tiles);
  auto tileAt = [&](Value index) { return within(at, index, columns); };
  if (stage.start)
    onBlock(*stage.start, stage.startActions, tiles, tileAt, {}, range);
  for (Operation *op : stage.products)
    multiply(op, range, at, rows, columns);
  // Every tile is finished before the packer gets its half.
  pack(onBlock(stage.formula, stage.actions, tiles, tileAt, range, {}), tiles, tileAt);
}

void StageEmitter::emit() {
  e.setLoc(stage.loc);
  int64_t tiles = stage.form.tiles();
  for (Value target : stage.targets)
    e.create<ReserveOp>(target, tiles);
  Operation *head = stage.formula.head;
  if (auto op = dyn_cast_or_null<linalg::ReduceOp>(head))
    reduce(op);
  else if (auto op = dyn_cast_or_null<linalg::TransposeOp>(head))
    transpose(op);
  else if (auto op = dyn_cast_or_null<tile::ScanOp>(head))
    scan(op);
  else if (head)
    product();
  else
    eachTile();
  for (Value target : stage.targets)
    e.create<PushOp>(target, tiles);
}

/// Sums up to each lane: all tiles before it, each multiplied with ones, and
/// its own with a triangle of ones.
void StageEmitter::scan(tile::ScanOp op) {
  const Home &from = evaluate.operand(op.getTiles()[0]);
  Form form = stage.form;
  bool columns = isAlongColumns(op, form);
  Value triangle = isUpper(op, form) ? body.upper : body.lower;
  int64_t block[] = {1, 1, 1};
  auto multiply = [&](Value constant, TileAt at, DstTile into) {
    Value tile = evaluate.slotIn(from, at), zero = e.constant(0);
    Value lhs = columns ? from.buffer : constant, rhs = columns ? constant : from.buffer;
    e.create<InitOp>(SetupAttr::get(s.context(), Setup::Matmul), ValueRange{lhs, rhs}, ArithmeticAttr(),
                     BroadcastAttr(), StringAttr(), e.builder().getDenseI64ArrayAttr(block), UnitAttr(),
                     ReductionAttr(), ExtentAttr());
    e.create<MatmulOp>(lhs, columns ? tile : zero, rhs, columns ? zero : tile, into.range, into.index,
                       e.builder().getDenseI64ArrayAttr(block), false);
  };
  overTiles([&](TileAt at) {
    evaluate.inDst([&] {
      DstTile head{e.registers(1), e.constant(0)};
      Value here = columns ? at.column : at.row;
      Value first = op.getReverse() ? e.apply(dim(0) + 1, here) : e.constant(0);
      Value end = op.getReverse() ? e.constant(columns ? form.columns : form.rows) : here;
      e.loop(first, end, [&](Value before) {
        multiply(body.ones, {at.outer, columns ? at.row : before, columns ? before : at.column}, head);
      });
      multiply(triangle, at, head);
      finish(head.range, at);
    });
  });
}

//===-- The kernel ----------------------------------------------------------//

bool drawloom::task::isAlongColumns(tile::ScanOp scan, const Form &form) {
  int64_t rank = cast<RankedTensorType>(scan.getTiles()[0].getType()).getRank();
  return rank == 1 ? form.kind != Form::Column : static_cast<int64_t>(scan.getAxis()) == rank - 1;
}

/// Ones where the column's number is at least the row's, or the other way.
static void emitTriangle(const Body &body, Emitter &e, Value triangle) {
  Evaluator evaluate(body, e);
  e.create<ReserveOp>(triangle, 1);
  evaluate.inDst([&] {
    DstTile larger{e.registers(1), e.constant(0)}, smaller{e.registers(1), e.constant(0)};
    bool upper = triangle == body.upper;
    evaluate.number(upper ? body.laneColumns : body.laneRows, larger);
    evaluate.number(upper ? body.laneRows : body.laneColumns, smaller);
    evaluate.vectorBinary("ge", larger, smaller, larger);
    evaluate.setUp(Setup::Pack, triangle);
    e.create<PackOp>(larger.range, larger.index, triangle, e.constant(0));
  });
  e.create<PushOp>(triangle, 1);
  e.create<WaitOp>(triangle, 1);
}

static void takeNumber(const Number &number, Emitter &e, const Schedule &s) {
  e.setLoc(number.access->op->getLoc());
  e.create<WaitOp>(number.buffer, 1);
  e.set(number.coordinate, numberAt(e, s, *number.access, number.align, number.buffer));
  e.create<PopOp>(number.buffer, 1);
}

void drawloom::task::emitCompute(const Body &body, Emitter &e, int64_t dstTiles) {
  Value out = body.stages.front().targets.front(), in = out;
  for (const Item &item : body.items)
    if (item.kind == Item::Take) {
      in = item.buffer;
      break;
    }
  e.create<StartupOp>(in, in, out, false);
  SmallVector<Value> constants;
  for (Value buffer : {body.ones, body.zeros, body.laneRows, body.laneColumns, body.laneMemory})
    if (buffer)
      constants.push_back(buffer);
  for (Value buffer : constants)
    e.create<WaitOp>(buffer, 1);
  for (Value triangle : {body.upper, body.lower})
    if (triangle) {
      emitTriangle(body, e, triangle);
      constants.push_back(triangle);
    }
  auto mine = [](const Item &item) {
    return item.kind == Item::Compute || item.kind == Item::Take || item.kind == Item::Drop ||
           item.kind == Item::Number;
  };
  auto emit = [&](const Item &item) {
    if (item.kind == Item::Number)
      takeNumber(body.numbers[item.index], e, *body.schedule);
    else if (item.kind == Item::Take)
      e.create<WaitOp>(item.buffer, item.tiles);
    else if (item.kind == Item::Drop)
      e.create<PopOp>(item.buffer, item.tiles);
    else
      StageEmitter(body, e, body.stages[item.index], dstTiles).emit();
  };
  BodyWalk(body, e, mine, emit).run();
  for (Value buffer : constants)
    e.create<PopOp>(buffer, 1);
}
