// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Upload, run, download.
#include "drawloom/Sim/Simulator.h"

#include "CompileProgram.h"
#include "HostArrays.h"
#include "Simulation.h"

using namespace mlir;

namespace drawloom::sim {

FailureOr<SimResult> simulate(task::ProgramOp source, const MachineModel &model,
                              ArrayRef<std::byte *> arguments,
                              const SimOptions &options) {
  FailureOr<Program> program = compileProgram(source, model);
  if (failed(program))
    return failure();
  std::vector<std::vector<std::byte>> pages(program->arrays.size());
  if (options.values) {
    if (arguments.size() != program->arrays.size())
      return emitSimError(source.getLoc(), SimErrorKind::Config)
             << "the program has " << program->arrays.size()
             << " arrays, but " << arguments.size() << " pointers are given";
    for (auto [to, array, from] :
         llvm::zip_equal(pages, program->arrays, arguments))
      to = uploadArray(array, from);
  }
  Simulation simulation(*program, model, options, pages);
  if (failed(simulation.run()))
    return failure();
  if (options.values)
    for (auto [from, array, to] :
         llvm::zip_equal(pages, program->arrays, arguments))
      if (array.written)
        downloadArray(array, from, to);
  SimResult result = simulation.result();
  result.notes.push_back("layout_us is 0: machine '" + model.name().str() +
                         "' states no rate at which the host converts arrays");
  return result;
}

} // namespace drawloom::sim
