// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes set-ups and operations on Dst tiles.

#ifndef DRAWLOOM_LIB_TASK_TILEMATH_H
#define DRAWLOOM_LIB_TASK_TILEMATH_H

#include "Compute.h"

namespace drawloom::task {

struct DstTile {
  mlir::Value range, index;
};

class TileMath {
public:
  TileMath(Emitter &emitter, const Schedule &schedule, const Kernel &kernel, mlir::Value zeros)
      : e(emitter), s(schedule), k(kernel), zeros(zeros) {}

  /// `task.dst { body }`.
  void inDst(llvm::function_ref<void()> body);
  void setUp(Setup kind, mlir::ValueRange buffers, BroadcastAttr broadcast = {});
  void setUpMatmul(mlir::Value lhs, mlir::Value rhs, llvm::ArrayRef<int64_t> block,
                   bool transposed);
  void setUpVector(llvm::StringRef function);

  /// One register for each temporary of the expression.
  llvm::SmallVector<mlir::Value> temporaries(const Root &root);
  /// Computes the expression's tile (row, column); where it is then.
  DstTile evaluate(const Root &root, llvm::ArrayRef<mlir::Value> temporaries, mlir::Value row,
                   mlir::Value column, DstTile accumulator);
  void pack(DstTile tile, mlir::Value buffer, mlir::Value slot);
  mlir::Value outSlot(const TileBlock &block, mlir::Value row, mlir::Value column);

private:
  void copy(const Node &node, DstTile into, mlir::Value row, mlir::Value column);
  void matrixUnit(const Expression &expression, const Node &node, DstTile into, mlir::Value row,
                  mlir::Value column);
  void arithmetic(llvm::StringRef function, mlir::Value lhs, mlir::Value lhsSlot, mlir::Value rhs,
                  mlir::Value rhsSlot, DstTile into, BroadcastAttr broadcast);
  void vectorBinary(llvm::StringRef function, DstTile lhs, DstTile rhs, DstTile into);
  mlir::Value slot(const Node &node, mlir::Value row, mlir::Value column);
  mlir::Value bufferOf(const Node &node) { return k.deliveryOf(node.load).buffer; }

  Emitter &e;
  const Schedule &s;
  const Kernel &k;
  mlir::Value zeros; ///< a buffer of one tile, if any tile is added to it
};

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_TILEMATH_H
