// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Upload, run, download.
#include "drawloom/Sim/Simulator.h"

#include "CompileProgram.h"
#include "HostArrays.h"
#include "Simulation.h"
#include "drawloom/Sim/SimError.h"

using namespace mlir;

namespace drawloom::sim {

/// Whether the matrix unit is the one the number formats compute as.
static bool isComputedFaithfully(const MachineModel &model) {
  const std::optional<MatrixNumbers> &unit = model.matrixNumbers();
  return unit && unit->srcMantissaBits == 10 && unit->leftBits == 7 &&
         unit->rightBits == 5 && unit->dstRounding == Rounding::NearestAway &&
         unit->packRounding == Rounding::NearestAway;
}

static LogicalResult checkValues(task::ProgramOp source,
                                 const MachineModel &model,
                                 ArrayRef<std::byte *> arguments,
                                 size_t arrays) {
  if (!isComputedFaithfully(model))
    return emitSimError(source.getLoc(), SimErrorKind::Unmodelled)
           << "values of machine '" << model.name()
           << "', whose matrix unit is not a 7x5-bit multiplier on operands of "
              "10 mantissa bits that rounds ties away; run timing only";
  if (arguments.size() != arrays || llvm::is_contained(arguments, nullptr))
    return emitSimError(source.getLoc(), SimErrorKind::Config)
           << "the program has " << arrays << " arrays and needs a pointer to "
           << "each";
  return success();
}

FailureOr<SimResult> simulate(task::ProgramOp source, const MachineModel &model,
                              ArrayRef<std::byte *> arguments,
                              const SimOptions &options) {
  FailureOr<Program> program = compileProgram(source, model);
  if (failed(program))
    return failure();
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
