// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the data movers need for a body's loads and stores: which tiles or lanes
// each reaches, and scratch for lanes that are moved one by one.

#ifndef DRAWLOOM_LIB_TASK_BODY_ACCESSES_H
#define DRAWLOOM_LIB_TASK_BODY_ACCESSES_H

#include "Body.h"

namespace drawloom::task {

class Accesses {
public:
  Accesses(const Schedule &schedule, const Forms &forms, const MachineModel &model,
           const llvm::DenseMap<mlir::Value, mlir::Value> &arrays, mlir::OpBuilder &builder)
      : s(schedule), forms(forms), model(model), arrays(arrays), b(builder) {}

  /// Whole tiles where the array lies in tiles, or flat; else lane by lane.
  /// Deliveries are at `level` of the coordinates. Fails, with an error that
  /// says what to do.
  mlir::FailureOr<TileBlock> blockOf(tile::LoadOp op, unsigned level);
  mlir::FailureOr<TileBlock> blockOf(tile::StoreOp op, const Form &form);

  /// Bytes to which addresses in DRAM and L1 agree.
  int64_t align() const;
  /// A buffer of that name for the lines of an access: an engine moves one tile
  /// at a time, so that all its lines share one, as large as the largest needs.
  mlir::Value scratchBuffer(const LaneAccess &lanes, llvm::StringRef name);
  /// Scratch of an engine, or of what else `role` names.
  Scratch scratchFor(const LaneAccess &lanes, llvm::StringRef role);

private:
  /// Whole tiles as `whole` finds them, or lanes.
  template <typename Op>
  mlir::FailureOr<TileBlock> blockOf(Op op, const Form &form,
                                     llvm::function_ref<mlir::FailureOr<TileBlock>()> whole);

  const Schedule &s;
  const Forms &forms;
  const MachineModel &model;
  const llvm::DenseMap<mlir::Value, mlir::Value> &arrays;
  mlir::OpBuilder &b;
  std::map<std::pair<std::string, const void *>, mlir::Value> scratches;
};

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_ACCESSES_H
