// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's names for what the vector unit does to tiles of Dst.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_SFPU_H
#define DRAWLOOM_LIB_TARGET_METALIUM_SFPU_H

#include "drawloom/Task/Task.h"

namespace drawloom::metalium {

/// Operands of a vector function besides the first tile.
enum class SfpuForm { Unary, Scalar, Binary };

struct SfpuCall {
  llvm::StringRef header; ///< on the vendor's include path
  llvm::StringRef init;
  llvm::StringRef call;
};

/// The calls for a function of the task dialect, if the vendor has it.
std::optional<SfpuCall> sfpuCall(llvm::StringRef function, SfpuForm form);

/// The forms in which the operations set up by an `sfpu` init use its function:
/// those from the init to the next one in the text. None if none follows.
llvm::SmallVector<SfpuForm> sfpuFormsAfter(task::InitOp init);

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_SFPU_H
