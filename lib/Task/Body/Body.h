// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program's body as what its engines do, in the order of the source.
//
// All engines walk the same items, each doing its own part, so that whatever
// one of them waits for is made by an earlier item of another: no order of
// engines can come to a standstill.

#ifndef DRAWLOOM_LIB_TASK_BODY_BODY_H
#define DRAWLOOM_LIB_TASK_BODY_BODY_H

#include "../Delivery.h"
#include "Formula.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <vector>

namespace drawloom::task {

/// Where a value's tiles are while it lives.
struct Home {
  mlir::Value buffer;
  Form form;
  /// The load's block, whose slots may hold more than this iteration's tiles.
  std::optional<TileBlock> block;
};

/// One computation: a formula for each tile, from buffers to buffers.
struct Stage {
  mlir::Location loc;
  Form form; ///< of what is computed
  Formula formula;
  Actions actions;
  /// The products of the head's chain, the head last; empty for other heads.
  llvm::SmallVector<mlir::Operation *> products;
  /// What the first of them starts from, if not from zero.
  std::optional<Formula> start;
  Actions startActions;
  llvm::SmallVector<mlir::Value> targets; ///< buffers that get the result
  bool isReducedByVectorUnit = false;     ///< where the head is a reduction
};

struct Item {
  enum Kind {
    Deliver, ///< deliveries[index]
    Depart,  ///< departures[index]
    Compute, ///< stages[index]
    Take,    ///< compute waits for `tiles` of `buffer`
    Drop,    ///< and pops them
    Number,  ///< numbers[index]: every engine reads it
    Index,   ///< `op`, whose result every engine computes for a coordinate
    Loop,    ///< `op`, an scf.for around `body`
    Branch   ///< `op`, an scf.if: `body` or `otherwise`
  } kind;
  mlir::Operation *op = nullptr;
  unsigned index = 0;
  mlir::Value buffer;
  int64_t tiles = 0;
  std::vector<Item> body, otherwise;
  const void *value = nullptr; ///< whose tiles Take and Drop count
  bool isLast = true;          ///< Drop: nothing of the buffer is used after it
};

/// An integer in memory that every engine of a core reads for itself: data
/// movers into scratch, the compute engine from a buffer that dm0 fills.
struct Number {
  std::shared_ptr<LaneAccess> access;
  unsigned coordinate; ///< that has the number's value
  mlir::Value array, buffer;
  mlir::Value scratch[2]; ///< of dm0 and dm1
  int64_t align;
};

struct Body {
  const Schedule *schedule;
  /// The mover that stores, where the body decides it.
  std::optional<Engine> writer;
  std::vector<Delivery> deliveries;
  std::vector<Departure> departures;
  std::vector<Stage> stages;
  std::vector<Number> numbers;
  /// Of the grid's body, but for deliveries hoisted across waves.
  std::vector<Item> items;
  std::vector<Item> hoisted; ///< Deliver, Take and Drop of those, by level
  /// By value; the second key is whether it is a matrix operand of 16 bits.
  std::map<std::pair<const void *, bool>, Home> homes;
  /// Tiles of constants, null where nothing uses them.
  mlir::Value ones, zeros, laneRows, laneColumns, laneMemory;
  /// Made by the compute engine: ones where column >= row, or row >= column.
  mlir::Value upper, lower;

  const Home *homeOf(mlir::Value value, bool narrow = false) const {
    auto it = homes.find({value.getAsOpaquePointer(), narrow});
    return it == homes.end() ? nullptr : &it->second;
  }
};

/// Whether a scan runs along the columns of tiles.
bool isAlongColumns(tile::ScanOp scan, const Form &form);
/// Whether its triangle has ones above the diagonal: a scan along columns
/// multiplies from the right, one along rows from the left.
inline bool isUpper(tile::ScanOp scan, const Form &form) {
  return isAlongColumns(scan, form) != scan.getReverse();
}

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_BODY_H
