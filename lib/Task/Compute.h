// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compute engine's kernel of a recognised program.

#ifndef DRAWLOOM_LIB_TASK_COMPUTE_H
#define DRAWLOOM_LIB_TASK_COMPUTE_H

#include "Kernel.h"

namespace drawloom::task {

/// How a matrix product goes through Dst.
struct ProductPlan {
  int64_t rows = 1, columns = 1;   ///< tiles of the result
  int64_t inner = 1;               ///< tiles along the reduction, in one chunk
  int64_t lastInner = 1;           ///< in the last chunk, which may be shorter
  int64_t blockRows = 1, blockColumns = 1; ///< tiles of Dst at a time
  int64_t chunks = 1;              ///< deliveries along the reduction
  /// Whether the whole result stays in Dst over all chunks.
  bool inDst = false;
  bool needsPartials() const { return chunks > 1 && !inDst; }
};

/// Chooses it for a Dst of `capacity` tiles. Fails, with an error, when the
/// element-wise operations after the product leave no room.
mlir::FailureOr<ProductPlan> planProduct(const Kernel &kernel, int64_t capacity);

/// The largest block of a rows x columns result that divides it and has at
/// most `capacity` tiles; the wider one of equals. [rows, columns]
std::pair<int64_t, int64_t> chooseBlock(int64_t rows, int64_t columns, int64_t capacity);

/// Buffers besides those of arrays.
struct ComputeBuffers {
  mlir::Value zeros;    ///< a tile of them, if any tile is added to it
  mlir::Value partials; ///< of the accumulator between chunks
  mlir::Value exchanged; ///< the left operand, its tiles transposed
};

/// Whether a tile is a row of bf16 to repeat in a 32-bit Dst. The unpacker's own
/// form does that wrongly: the matrix unit adds the row to a tile of zeros.
bool isAddedToZeros(const Kernel &kernel, const Node &node);

/// Writes the kernel. Every operation is preceded by its set-up;
/// `placeSetups` takes the redundant ones away.
void emitCompute(const Kernel &kernel, const std::optional<ProductPlan> &plan,
                 const ComputeBuffers &buffers, KernelOp into);

/// Keeps a set-up only where the compute engine's state really changes:
/// hoists it out of loops that need no other, drops repeated ones.
void placeSetups(KernelOp kernel);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_COMPUTE_H
