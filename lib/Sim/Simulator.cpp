// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Upload, run, download.
#include "drawloom/Sim/Simulator.h"

#include "CompileProgram.h"
#include "HostArrays.h"
#include "MachineNumbers.h"
#include "Simulation.h"
#include "drawloom/Sim/SimError.h"

using namespace mlir;

namespace drawloom::sim {

static LogicalResult checkValues(task::ProgramOp source,
                                 const MachineModel &model,
                                 ArrayRef<std::byte *> arguments,
                                 size_t arrays) {
  if (std::optional<std::string> difference = unmodelledNumbers(model))
    return emitSimError(source.getLoc(), SimErrorKind::Unmodelled)
           << "values of machine '" << model.name() << "', " << *difference
           << "; run timing only";
  if (arguments.size() != arrays || llvm::is_contained(arguments, nullptr))
    return emitSimError(source.getLoc(), SimErrorKind::Config)
           << "the program has " << arrays << " arrays and needs a pointer to "
           << "each";
  return success();
}

/// Time of the host's conversions, or a note where the machine states no rate.
static void addLayout(SimResult &result, ArrayRef<ArrayInfo> arrays,
                      const MachineModel &model) {
  int64_t bytes = 0;
  for (const ArrayInfo &array : arrays)
    bytes += convertedBytes(array) * (array.written ? 2 : 1);
  if (std::optional<double> rate = model.hostConversionRate())
    result.layoutMicroseconds = bytes / *rate / 1000;
  else if (bytes > 0)
    result.notes.push_back("layout_us is 0: machine '" + model.name().str() +
                           "' states no rate at which the host converts "
                           "arrays; add df.host");
}

FailureOr<SimResult> simulate(task::ProgramOp source, const MachineModel &model,
                              ArrayRef<std::byte *> arguments,
                              const SimOptions &asked) {
  FailureOr<Program> program = compileProgram(source, model);
  if (failed(program))
    return failure();
  SimOptions options = asked;
  bool dataDecides = !program->peeks.empty();
  options.values |= dataDecides && !arguments.empty() && !unmodelledNumbers(model);
  std::vector<std::vector<std::byte>> pages(program->arrays.size());
  if (options.values) {
    if (failed(checkValues(source, model, arguments, program->arrays.size())))
      return failure();
    for (auto [to, array, from] :
         llvm::zip_equal(pages, program->arrays, arguments))
      to = uploadArray(array, from);
  }
  Simulation simulation(*program, model, options, pages);
  if (failed(simulation.run()))
    return failure();
  if (asked.values)
    for (auto [from, array, to] :
         llvm::zip_equal(pages, program->arrays, arguments))
      if (array.written)
        downloadArray(array, from, to);
  SimResult result = simulation.result();
  if (dataDecides && !options.values)
    result.notes.push_back("data decides what this program does; without values it was taken to "
                           "be all zero");
  addLayout(result, program->arrays, model);
  if (!options.errata && result.flops && source.isDst32() &&
      model.matrixNumbers() && model.matrixNumbers()->misnormalisesMinusOne)
    result.notes.push_back(
        "this chip gets a 32-bit sum of products wrong when it comes to -1 of "
        "the last place; --errata simulates that too");
  return result;
}

} // namespace drawloom::sim
