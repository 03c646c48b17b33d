// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a physical task program as TT-Metalium sources that run on a card.
#ifndef DRAWLOOM_TARGET_METALIUM_EMITMETALIUM_H
#define DRAWLOOM_TARGET_METALIUM_EMITMETALIUM_H

#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Task/Task.h"
#include <cstddef>

namespace drawloom {

/// Values to lay beside an emitted program. Each list is empty or has one entry
/// for each `task.array` in order: the array's elements, row-major and without
/// gaps whatever the strides of its view, or an empty range for "none".
struct EmitInputs {
  /// Saved as inputs/<array>.npy: what the array holds before the launch. An
  /// array without is filled with zeros by run.py.
  std::vector<llvm::ArrayRef<std::byte>> before;
  /// Saved as expected/<array>.npy: what run.py compares the results with.
  std::vector<llvm::ArrayRef<std::byte>> after;
};

/// Writes `physical` to `directory`, which is made if need be:
///
///     kernels/{dm0,dm1,compute}.cpp  one source per engine that has a kernel
///     program.json                   what the host must know; schema in run.py
///     run.py                         runs it on a card (or a simulator of one)
///     inputs/*.npy, expected/*.npy   from `inputs`; bf16 as the bits in uint16
///
/// Kernels use the API of ttnn 0.81.1. Fails with a diagnostic at the operation
/// that has no counterpart there, before anything is written.
mlir::LogicalResult emitMetalium(task::ProgramOp physical,
                                 const MachineModel &model,
                                 llvm::StringRef directory,
                                 const EmitInputs &inputs = {});

} // namespace drawloom

#endif // DRAWLOOM_TARGET_METALIUM_EMITMETALIUM_H
