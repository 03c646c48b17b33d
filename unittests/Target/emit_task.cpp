// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// emit_task FILE.mlir MACHINES OUTPUT: emits the file's task programs, for the
// tests that run them on the vendor's runtime.
#include "Programs.h"
#include "drawloom/Target/Metalium/EmitMetalium.h"

using namespace drawloom;

int main(int argc, char **argv) {
  if (argc != 4) {
    llvm::errs() << "usage: emit_task FILE.mlir MACHINES OUTPUT\n";
    return 2;
  }
  mlir::MLIRContext context(registry());
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  for (auto program : module->getOps<task::ProgramOp>()) {
    auto model =
        loadMachine(context, program.getMachine(), std::nullopt, argv[2]);
    if (failed(model) || failed(emitMetalium(program, *model, argv[3])))
      return 1;
  }
  return 0;
}
