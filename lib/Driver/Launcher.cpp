// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One launch from its source to its report.

#include "drawloom/Driver/Launcher.h"

#include "Run.h"
#include "drawloom/Import/Triton/ImportTriton.h"
#include "drawloom/Machine/LoadMachine.h"
#include "drawloom/Machine/Machine.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace drawloom {

void registerDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                  linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
                  scf::SCFDialect, tensor::TensorDialect, df::DfDialect, tile::TileDialect,
                  task::TaskDialect>();
}

FailureOr<std::unique_ptr<Launcher>> Launcher::create(MLIRContext &context,
                                                      const Options &options) {
  // Lowerings create operations of dialects that no input has named yet.
  context.loadAllAvailableDialects();
  auto machine = loadMachine(context, options.machine, options.grid, options.machinesDir);
  if (failed(machine))
    return failure();
  return std::unique_ptr<Launcher>(new Launcher(context, options, std::move(*machine)));
}

FailureOr<LaunchReport> Launcher::launch(StringRef ttir, StringRef sourceName,
                                         const Launch &launch) {
  Stopwatch watch;
  auto imported = importTriton(context, ttir, sourceName, launch);
  if (failed(imported))
    return failure();
  Origin origin{&launch, watch.lap(), std::move(imported->rows)};
  ArgumentMemory memory;
  for (const LaunchArgument &argument : launch.arguments) {
    auto *pointer = std::get_if<PointerArgument>(&argument.value);
    memory.push_back(pointer ? reinterpret_cast<std::byte *>(pointer->address) : nullptr);
  }
  ShortObjects objects;
  objects.extend(*imported->program, launch, memory);
  bool real = llvm::any_of(memory, [](std::byte *pointer) { return pointer; });
  return Run(std::move(imported->program), std::move(origin),
             real ? std::move(memory) : ArgumentMemory(), /*seed=*/0, machine, options)
      .run();
}

FailureOr<LaunchReport> Launcher::launch(OwningOpRef<ModuleOp> module, ArgumentMemory memory,
                                         uint64_t seed) {
  return Run(std::move(module), {}, std::move(memory), seed, machine, options).run();
}

} // namespace drawloom
