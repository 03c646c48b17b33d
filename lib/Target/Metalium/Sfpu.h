// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's names for what the vector unit does to tiles of Dst.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_SFPU_H
#define DRAWLOOM_LIB_TARGET_METALIUM_SFPU_H

#include "drawloom/Task/Task.h"

namespace drawloom::metalium {

/// Operands of a vector function besides the first tile; a number may be known
/// at run time only.
enum class SfpuForm { Unary, Scalar, Binary };

/// What the lanes must be. The vendor's comparisons of integers answer with
/// integers 1 and 0, which `Answer` has made into floats.
enum class SfpuLanes { Floats, Integers, Answer };

struct SfpuCall {
  llvm::StringRef header; ///< on the vendor's include path
  llvm::StringRef init;
  llvm::StringRef call;
  SfpuLanes lanes = SfpuLanes::Floats;
  llvm::StringRef last = ""; ///< a last argument that is always the same
};

/// The calls for a function of the task dialect, if the vendor has it.
std::optional<SfpuCall> sfpuCall(llvm::StringRef function, SfpuForm form);

/// From i32 to f32, and how `task.select` and `task.fill_register` are set up.
const SfpuCall &integersToFloats();
const SfpuCall &select();
const SfpuCall &fill();

SfpuForm formOf(task::SfpuOp op);

/// The forms in which the operations set up by an `sfpu` init use its function:
/// those from the init to the next one in the text. None if none follows.
llvm::SmallVector<SfpuForm> sfpuFormsAfter(task::InitOp init);

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_SFPU_H
