// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The room's functions as passes over modules.

#include "drawloom/Task/TaskPasses.h"

#include "drawloom/Machine/LoadMachine.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

namespace drawloom::task {
#define GEN_PASS_DEF_TILETOTASK
#define GEN_PASS_DEF_TASKVERIFYLOGICAL
#define GEN_PASS_DEF_TASKALLOCATE
#define GEN_PASS_DEF_TASKVERIFYPHYSICAL
#include "drawloom/Task/TaskPasses.h.inc"
} // namespace drawloom::task

/// The machine a program names, looked up in $DRAWLOOM_MACHINES.
static FailureOr<MachineModel> machineOf(Operation *program, StringAttr name) {
  if (!name)
    return program->emitError("names no machine: plan it first");
  auto model = loadMachine(*program->getContext(), name, std::nullopt, "");
  if (failed(model))
    program->emitError("runs on ") << name << ", which cannot be loaded";
  return model;
}

/// Applies `check` to each task program of `module` on its machine.
template <typename Check> static bool forPrograms(ModuleOp module, Check check) {
  bool passed = true;
  for (auto program : module.getOps<ProgramOp>()) {
    auto model = machineOf(program, program.getMachineAttr());
    passed &= succeeded(model) && succeeded(check(program, *model));
  }
  return passed;
}

namespace {

struct TileToTask : drawloom::task::impl::TileToTaskBase<TileToTask> {
  void runOnOperation() override {
    for (auto program : llvm::make_early_inc_range(getOperation().getOps<tile::ProgramOp>())) {
      auto model = machineOf(program, program.getMachineAttr());
      if (failed(model))
        return signalPassFailure();
      OpBuilder builder(program);
      if (failed(tileToTask(program, *model, builder)))
        return signalPassFailure();
      program.erase();
    }
  }
};

struct TaskVerifyLogical : drawloom::task::impl::TaskVerifyLogicalBase<TaskVerifyLogical> {
  void runOnOperation() override {
    if (!forPrograms(getOperation(), verifyLogical))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

struct TaskAllocate : drawloom::task::impl::TaskAllocateBase<TaskAllocate> {
  void runOnOperation() override {
    if (!forPrograms(getOperation(), allocate))
      signalPassFailure();
  }
};

struct TaskVerifyPhysical : drawloom::task::impl::TaskVerifyPhysicalBase<TaskVerifyPhysical> {
  void runOnOperation() override {
    if (!forPrograms(getOperation(), verifyPhysical))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
