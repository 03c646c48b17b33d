// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stations of the line, in order.

#include "drawloom/Driver/Stations.h"

#include "drawloom/Plan/Apply.h"
#include "drawloom/Sim/Simulator.h"
#include "drawloom/Task/TaskPasses.h"
#include "drawloom/Tile/TilePasses.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace drawloom {
namespace {

/// The only operation of a kind in a module; null when there is none.
template <typename Op>
FailureOr<Op> onlyOne(ModuleOp module) {
  Op found;
  for (auto op : module.getOps<Op>()) {
    if (found)
      return op.emitOpError("is the second of its module; run one launch at a time");
    found = op;
  }
  return found;
}

/// Simulated cycles of a program in its last state.
FailureOr<double> simulatedCycles(ModuleOp lowered, const MachineModel &machine) {
  auto program = *lowered.getOps<task::ProgramOp>().begin();
  auto result = sim::simulate(program, machine, {}, {.values = false});
  if (failed(result))
    return failure();
  return result->cycles;
}

/// The same of one candidate, on a copy of the module.
FailureOr<double> profile(ModuleOp module, const plan::Candidate &candidate,
                          const MachineModel &machine, Fidelity fidelity) {
  OwningOpRef<ModuleOp> copy = module.clone();
  auto program = *copy->getOps<tile::ProgramOp>().begin();
  FailureOr<plan::Problem> problem = plan::readProblem(program);
  if (failed(problem))
    return failure();
  plan::apply(candidate, *problem, machine, fidelity);
  if (failed(lowerProgram(*copy, machine, State::Physical)))
    return failure();
  return simulatedCycles(*copy, machine);
}

/// The policy a program is planned for: what the options ask, else what the
/// program does, else the default.
void askFor(tile::ProgramOp program, const Options &options, Fidelity &fidelity) {
  auto asked = program.getPrecisionAttr();
  fidelity = options.fidelity.value_or(asked ? asked.getFidelity() : Fidelity::HiFi4);
  if (!options.operands)
    return;
  if (*options.operands == tile::Operands::Cut && !asked)
    return;
  // Parts add up in 32 bits; otherwise the program's values decide.
  Builder builder(program.getContext());
  Type dst = *options.operands == tile::Operands::Exact ? builder.getF32Type() : asked.getDst();
  program.setPrecisionAttr(
      tile::PrecisionAttr::get(program.getContext(), fidelity, dst, *options.operands));
}

/// What is to be planned, with exponentials as the policy lets them be.
FailureOr<plan::Problem> readProblem(tile::ProgramOp program, const MachineModel &machine,
                                     std::optional<Exponentials> asked) {
  if (asked == Exponentials::Approximate && failed(plan::approximateExponentials(program, machine)))
    return failure();
  FailureOr<plan::Problem> problem = plan::readProblem(program);
  if (failed(problem))
    return failure();
  bool mayRewrite = problem->dst32 && !problem->exact && asked != Exponentials::Exact;
  bool powersOfTwo = mayRewrite && plan::writePowersOfTwo(program, machine);
  if (powersOfTwo && failed(problem = plan::readProblem(program)))
    return failure();
  problem->powersOfTwo = powersOfTwo;
  problem->approximates = plan::hasApproximate(program);
  return problem;
}

/// A product of f32 that loses digits says so, and what keeps them.
void warnOfCuts(const plan::Problem &problem, const MachineModel &machine) {
  if (problem.exact || !isa_and_nonnull<linalg::MatmulOp, linalg::BatchMatmulOp>(problem.takesWide) ||
      !machine.matrixNumbers())
    return;
  problem.takesWide->emitWarning("multiplies f32 operands, of which the matrix unit takes ")
      << machine.matrixNumbers()->srcMantissaBits + 1
      << " significant bits (TF32): --precision exact takes them whole, in parts";
}

} // namespace

FailureOr<Programs> Programs::find(ModuleOp module) {
  auto tile = onlyOne<tile::ProgramOp>(module);
  auto task = onlyOne<task::ProgramOp>(module);
  if (failed(tile) || failed(task))
    return failure();
  if (!*tile && !*task)
    return module.emitError("holds no tile.program and no task.program");
  return Programs{*tile, *task};
}

State Programs::state() {
  if (task)
    return task.isPhysical() ? State::Physical : State::Task;
  return tile.isMapped() ? State::Mapped : State::Tile;
}

FailureOr<Plan> planProgram(ModuleOp module, const MachineModel &machine,
                            const Options &options) {
  FailureOr<Programs> programs = Programs::find(module);
  if (failed(programs))
    return failure();
  Fidelity fidelity;
  askFor(programs->tile, options, fidelity);
  plan::chooseLayouts(programs->tile);
  FailureOr<plan::Problem> problem = readProblem(programs->tile, machine, options.exponentials);
  if (failed(problem))
    return failure();
  bool choosesBySimulation = options.command != Command::Plan && options.topK > 1;
  plan::PlanOptions planOptions;
  planOptions.fidelity = fidelity;
  planOptions.topK = options.topK > 0 ? options.topK : 5;
  auto result = plan::search(*problem, machine, planOptions);
  if (failed(result))
    return failure();

  warnOfCuts(*problem, machine);
  Plan plan{std::move(*problem), std::move(*result), 0};
  double fastest = 0;
  for (size_t i = 0; choosesBySimulation && i < plan.result.best.size(); ++i) {
    auto cycles = profile(module, plan.result.best[i], machine, fidelity);
    if (failed(cycles))
      return failure();
    if (i == 0 || *cycles < fastest)
      fastest = *cycles, plan.chosen = i;
  }
  plan::apply(plan.result.best[plan.chosen], plan.problem, machine, fidelity);
  return plan;
}

namespace {

/// A plan that can be lowered, and the program so made, or what stands in the way.
struct Attempt {
  FailureOr<Plan> plan = failure();
  OwningOpRef<ModuleOp> lowered;
  std::vector<Diagnostic> told;

  double cycles() const {
    return succeeded(plan) ? plan->result.best[plan->chosen].estimate.total
                           : std::numeric_limits<double>::infinity();
  }
};

Attempt attemptPlan(ModuleOp module, const MachineModel &machine, const Options &options) {
  Attempt attempt;
  ScopedDiagnosticHandler quiet(module.getContext(), [&](Diagnostic &diagnostic) {
    attempt.told.push_back(std::move(diagnostic));
    return success();
  });
  FailureOr<Programs> programs = Programs::find(module);
  if (failed(programs) || failed(programs->verify(machine)))
    return attempt;
  auto plan = planProgram(module, machine, options);
  size_t toldOfPlan = attempt.told.size();
  attempt.lowered = module.clone();
  if (failed(plan) || failed(lowerProgram(*attempt.lowered, machine, State::Physical)))
    return attempt;
  while (attempt.told.size() > toldOfPlan) // the lowering that follows tells it again
    attempt.told.pop_back();
  attempt.plan = std::move(plan);
  return attempt;
}

/// Whether single rows take less time. Their estimates are the less certain ones:
/// where it is close, and does not take long, the simulator decides.
bool winsBySingleRows(const Attempt &single, const Attempt &folded, const MachineModel &machine) {
  constexpr double kCertain = 0.8, kClose = 0.5, kSoonSimulated = 3e5; // cycles
  if (failed(single.plan) || failed(folded.plan))
    return succeeded(single.plan);
  double ratio = single.cycles() / folded.cycles();
  bool isClose = ratio > kClose && ratio < 1 / kCertain;
  if (!isClose || folded.cycles() > kSoonSimulated)
    return ratio < kCertain;
  auto first = simulatedCycles(*single.lowered, machine), second = simulatedCycles(*folded.lowered, machine);
  return succeeded(first) && succeeded(second) && *first < *second;
}

} // namespace

FailureOr<Plan> planEither(OwningOpRef<ModuleOp> &module, OwningOpRef<ModuleOp> rows,
                           const MachineModel &machine, const Options &options) {
  Attempt folded = attemptPlan(*module, machine, options);
  Attempt single = attemptPlan(*rows, machine, options);
  bool takesRows = winsBySingleRows(single, folded, machine);
  if (takesRows)
    module = std::move(rows);
  Attempt &taken = takesRows ? single : folded;
  for (Diagnostic &diagnostic : taken.told)
    module->getContext()->getDiagEngine().emit(std::move(diagnostic));
  return std::move(taken.plan);
}

LogicalResult lowerProgram(ModuleOp module, const MachineModel &machine, State to) {
  FailureOr<Programs> programs = Programs::find(module);
  if (failed(programs))
    return failure();
  if (!programs->task && to >= State::Task) {
    if (failed(tile::verifyMapped(programs->tile)))
      return failure();
    OpBuilder builder(module.getContext());
    builder.setInsertionPointAfter(programs->tile);
    auto task = task::tileToTask(programs->tile, machine, builder);
    if (failed(task))
      return failure();
    programs->task = *task;
  }
  if (!programs->task)
    return success();
  if (failed(task::verifyLogical(programs->task, machine)))
    return failure();
  if (to == State::Physical && !programs->task.isPhysical() &&
      failed(task::allocate(programs->task, machine)))
    return failure();
  if (to == State::Physical)
    return task::verifyPhysical(programs->task, machine);
  return success();
}

} // namespace drawloom
