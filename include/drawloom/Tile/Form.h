// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a value of a program's body lies in hardware tiles.

#ifndef DRAWLOOM_TILE_FORM_H
#define DRAWLOOM_TILE_FORM_H

#include "drawloom/Tile/Tile.h"

namespace drawloom {

/// The tiles of one value: `outer` times a grid of rows x columns, row-major.
struct Form {
  /// Block: rows and columns are the last two axes. Column: the last axis is
  /// in column 0 of tiles one below the other. Row: it is in row 0 of tiles side
  /// by side. Outer: each lane is the first of a tile. Axes before those count
  /// tiles. Flat: a vector in memory order, 1024 a tile. Scalar: one value, in
  /// the first element.
  enum Kind { Block, Column, Row, Outer, Flat, Scalar } kind = Block;
  int64_t outer = 1, rows = 1, columns = 1; ///< tiles
  int64_t rowLanes = 1, columnLanes = 1;    ///< lanes that hold the value

  int64_t tiles() const { return outer * rows * columns; }
  bool operator==(const Form &other) const = default;
};

/// The form of a tensor type that lies as `kind` says. Tiles of two and more axes
/// are no Flat ones, but blocks.
Form formOf(mlir::RankedTensorType type, Form::Kind kind);

/// What is repeated along `dimensions` of a tile of `rank` axes lies so.
Form::Kind repeatedKind(llvm::ArrayRef<int64_t> dimensions, int64_t rank);

/// The forms of all values of a grid's body. A value lies as what it meets
/// asks: a statistic of rows as a column, what is repeated over rows as a row,
/// and a vector flat where nothing asks.
class Forms {
public:
  explicit Forms(tile::GridOp grid);
  Form of(mlir::Value value) const;

private:
  mlir::Value root(mlir::Value value) const;
  void unify(mlir::Value a, mlir::Value b);
  void ask(mlir::Value value, Form::Kind kind);
  void visit(mlir::Operation *op);

  mutable llvm::DenseMap<mlir::Value, mlir::Value> parents;
  llvm::DenseMap<mlir::Value, Form::Kind> asked; ///< of roots
};

/// `value` without what changes neither lanes nor their places: casts between
/// float types and unit axes.
mlir::Value bare(mlir::Value value);

/// The value of every lane, if the tensor is a constant of equal lanes.
std::optional<double> splatOf(mlir::Value value);

/// Whether bf16 holds all numbers of a value: it is of bf16, or such repeated,
/// or maxima of such.
bool fitsNarrow(mlir::Value value);

} // namespace drawloom

#endif // DRAWLOOM_TILE_FORM_H
