// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One module from its state to what the command asks for, step by step.

#include "Run.h"

#include "drawloom/Driver/Snapshot.h"
#include "drawloom/Sim/Interpreter/Check.h"
#include "drawloom/Sim/Simulator.h"
#include "drawloom/Target/Metalium/EmitMetalium.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;

namespace drawloom {
namespace {

/// The pointers of a program's arrays, in the arrays' order.
template <typename ArrayOp, typename Program>
std::vector<std::byte *> pointersOf(Program program, const ArgumentMemory &memory) {
  std::vector<std::byte *> pointers;
  for (auto array : program.getBody().template getOps<ArrayOp>()) {
    size_t argument = array.getArgument();
    pointers.push_back(argument < memory.size() ? memory[argument] : nullptr);
  }
  return pointers;
}

FailureOr<SeededMemory> seedMemory(task::ProgramOp program, uint64_t seed) {
  SeededMemory memory;
  for (auto array : program.getBody().getOps<task::ArrayOp>())
    if (failed(memory.add(array.getArgument(), array.getViewType(), seed)))
      return array.emitError("reaches below its argument's pointer, or further than values from a "
                             "seed are made for: run with --timing-only");
  return memory;
}

LogicalResult writeModule(ModuleOp module, StringRef path) {
  if (path.empty() || path == "-") {
    module.print(llvm::outs());
    llvm::outs() << "\n";
    return success();
  }
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error)
    return module.emitError("cannot write ") << path << ": " << error.message();
  module.print(file);
  file << "\n";
  return success();
}

/// The bounds of a program's arithmetic on the machine.
FailureOr<Policy> policyOf(tile::ProgramOp program, const MachineModel &machine) {
  if (!machine.matrixNumbers() || !machine.vectorNumbers())
    return program.emitOpError("cannot be checked: machine '")
           << machine.name() << "' does not state how its df.mat and df.vec handle numbers";
  return policyFor(*machine.matrixNumbers(), *machine.vectorNumbers(), program.getPrecisionAttr());
}

/// What the interpreter says each written array must hold.
FailureOr<std::vector<Reference>> referenceOf(tile::ProgramOp program, const ArgumentMemory &memory,
                                              const Policy &policy) {
  InterpretOptions options;
  options.policy = policy;
  std::vector<ArrayMemory> arrays;
  for (std::byte *pointer : pointersOf<tile::ArrayOp>(program, memory))
    arrays.push_back({pointer});
  return interpret(program, arrays, options);
}

} // namespace

FailureOr<LaunchReport> Run::run() {
  if (failed(take()))
    return failure();
  if (options.command == Command::Interpret) {
    if (failed(interpretInPlace()))
      return failure();
    return report.finish();
  }
  if (failed(checkState()) || failed(plan()))
    return failure();
  if (options.command == Command::Plan)
    return report.finish();
  if (failed(lower()))
    return failure();
  if (options.command == Command::Compile) {
    if (failed(write()))
      return failure();
    LaunchReport finished = report.finish();
    if (options.output.empty() || options.output == "-")
      finished.text.clear(); // standard output holds the program, and only it
    return finished;
  }
  if (failed(fillMemory()))
    return failure();
  bool runs = options.command != Command::Emit;
  if (runs && (failed(findReferences()) || failed(simulate())))
    return failure();
  if ((!runs || !options.emit.empty()) && failed(emit(runs)))
    return failure();
  check();
  return report.finish();
}

LogicalResult Run::take() {
  FailureOr<Programs> found = Programs::find(*module);
  if (failed(found) || failed(found->verify(machine)))
    return failure();
  programs = *found;
  report.setSource(origin.launch, programs);
  report.setSeconds("import", origin.importSeconds);
  return success();
}

/// Leaves the exact answers, rounded to their arrays' types, in memory.
LogicalResult Run::interpretInPlace() {
  if (!programs.tile || memory.empty())
    return module->emitError("only a tile program on a script's arrays is interpreted");
  std::vector<ArrayMemory> arrays;
  for (std::byte *pointer : pointersOf<tile::ArrayOp>(programs.tile, memory))
    arrays.push_back({pointer});
  auto answers = interpret(programs.tile, arrays);
  if (failed(answers))
    return failure();
  for (const Reference &answer : *answers)
    writeBack(answer, memory[tile::ArrayOp(answer.array).getArgument()]);
  report.setSeconds("interpret", watch.lap());
  return success();
}

/// What is planned already can be neither planned otherwise nor taken back.
LogicalResult Run::checkState() {
  State state = programs.state();
  if (options.operands && state > State::Tile) {
    tile::PrecisionAttr planned =
        programs.tile ? programs.tile.getPrecisionAttr() : programs.task.getPrecision();
    if (planned.getOperands() != *options.operands)
      return module->emitError("is planned for ")
             << planned << ", and --precision " << stringifyPrecision(*options.operands)
             << " asks for another policy: edit it there, or start from the program before it was planned";
  }
  if (options.exponentials && state > State::Tile)
    return module->emitError("is planned, and --exp ")
           << stringifyExponentials(*options.exponentials)
           << " asks how to plan its exponentials: edit them there (math.exp2, `fastmath<afn>`), or start from "
              "the program before it was planned";
  if (state > lastState() || (options.command == Command::Plan && state > State::Tile))
    return module->emitError("is already in its ")
           << stringifyState(state) << " state, past the one asked for";
  return success();
}

LogicalResult Run::plan() {
  if (programs.state() == State::Tile && lastState() > State::Tile) {
    progress.say("planning");
    auto planned = origin.rows ? planEither(module, std::move(origin.rows), machine, options)
                               : planProgram(*module, machine, options);
    if (failed(planned))
      return failure();
    report.setPlan(*planned);
  }
  report.setSeconds("plan", watch.lap());
  return success();
}

LogicalResult Run::lower() {
  if (failed(lowerProgram(*module, machine, lastState())))
    return failure();
  programs = *Programs::find(*module);
  report.setSeconds("lower", watch.lap());
  return success();
}

LogicalResult Run::write() { return writeModule(*module, options.output); }

/// Arrays that the launch does not bring get values from the seed, where values
/// matter.
LogicalResult Run::fillMemory() {
  if (memory.empty() && (options.hasValues() || !options.emit.empty())) {
    auto made = seedMemory(programs.task, seed);
    if (failed(made))
      return failure();
    seeded = std::move(*made);
    memory = seeded.pointers();
  }
  pointers = pointersOf<task::ArrayOp>(programs.task, memory);
  if (!options.emit.empty())
    before = snapshot(programs.task, pointers);
  return success();
}

/// Before the simulation, which overwrites what the interpreter reads.
LogicalResult Run::findReferences() {
  if (!options.check || !options.hasValues())
    return success();
  if (!programs.tile)
    return programs.task.emitOpError("cannot be checked: its tile.program is not beside it");
  progress.say("interpreting");
  auto policy = policyOf(programs.tile, machine);
  if (failed(policy))
    return failure();
  auto found = referenceOf(programs.tile, memory, *policy);
  if (failed(found))
    return failure();
  references = std::move(*found);
  report.setPolicy(*policy, programs.tile);
  report.setSeconds("interpret", watch.lap());
  return success();
}

LogicalResult Run::simulate() {
  if (memory.empty())
    pointers.clear();
  progress.say("simulating");
  auto result = sim::simulate(programs.task, machine, pointers,
                              {.values = options.hasValues(), .errata = options.errata});
  if (failed(result))
    return failure();
  report.setSeconds("simulate", watch.lap());
  report.setResult(*result);
  return success();
}

/// Writes the TT-Metalium program with the values before and, where it has run,
/// after the launch.
LogicalResult Run::emit(bool hasRun) {
  EmitInputs inputs;
  for (const std::vector<std::byte> &array : before)
    inputs.before.push_back(array);
  std::vector<std::vector<std::byte>> after;
  if (hasRun && options.hasValues())
    after = snapshot(programs.task, pointers);
  for (const std::vector<std::byte> &array : after)
    inputs.after.push_back(array);
  return emitMetalium(programs.task, machine, options.emit, inputs);
}

void Run::check() {
  for (const Reference &reference : references) {
    tile::ArrayOp array = reference.array;
    report.addCheck(reference, drawloom::check(reference, {memory[array.getArgument()]}));
  }
}

} // namespace drawloom
