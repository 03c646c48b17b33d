// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One launch from its source to its report.

#include "drawloom/Driver/Launcher.h"

#include "drawloom/Driver/Memory.h"
#include "drawloom/Driver/Progress.h"
#include "drawloom/Driver/Report.h"
#include "drawloom/Driver/Snapshot.h"
#include "drawloom/Driver/Stations.h"
#include "drawloom/Import/Triton/ImportTriton.h"
#include "drawloom/Machine/LoadMachine.h"
#include "drawloom/Machine/Machine.h"
#include "drawloom/Sim/Interpreter/Check.h"
#include "drawloom/Sim/Simulator.h"
#include "drawloom/Target/Metalium/EmitMetalium.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/FileSystem.h"
#include <chrono>

using namespace mlir;

namespace drawloom {
namespace {

/// Seconds since it was made or last read.
class Stopwatch {
public:
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double seconds = std::chrono::duration<double>(now - since).count();
    since = now;
    return seconds;
  }

private:
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
};

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

/// Leaves the exact answers, rounded to their arrays' types, in memory.
LogicalResult interpretInPlace(ModuleOp module, Programs programs, const ArgumentMemory &memory) {
  if (!programs.tile || memory.empty())
    return module.emitError("only a tile program on a script's arrays is interpreted");
  std::vector<ArrayMemory> arrays;
  for (std::byte *pointer : pointersOf<tile::ArrayOp>(programs.tile, memory))
    arrays.push_back({pointer});
  auto references = interpret(programs.tile, arrays);
  if (failed(references))
    return failure();
  for (const Reference &reference : *references)
    writeBack(reference, memory[tile::ArrayOp(reference.array).getArgument()]);
  return success();
}

using Snapshot = std::vector<std::vector<std::byte>>;

/// Writes the TT-Metalium program with the values before and after the launch.
LogicalResult emit(task::ProgramOp program, const MachineModel &machine, StringRef directory,
                   const Snapshot &before, const Snapshot &after) {
  EmitInputs inputs;
  for (const std::vector<std::byte> &array : before)
    inputs.before.push_back(array);
  for (const std::vector<std::byte> &array : after)
    inputs.after.push_back(array);
  return emitMetalium(program, machine, directory, inputs);
}

} // namespace

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
  importSeconds = watch.lap();
  ArgumentMemory memory;
  for (const LaunchArgument &argument : launch.arguments) {
    auto *pointer = std::get_if<PointerArgument>(&argument.value);
    memory.push_back(pointer ? reinterpret_cast<std::byte *>(pointer->address) : nullptr);
  }
  ShortObjects objects;
  objects.extend(*imported->program, launch, memory);
  bool real = llvm::any_of(memory, [](std::byte *pointer) { return pointer; });
  source = &launch;
  rows = std::move(imported->rows);
  auto report = this->launch(std::move(imported->program), real ? memory : ArgumentMemory());
  source = nullptr;
  rows = nullptr;
  importSeconds = 0;
  return report;
}

FailureOr<LaunchReport> Launcher::launch(OwningOpRef<ModuleOp> module, ArgumentMemory memory,
                                         uint64_t seed) {
  Stopwatch watch;
  Progress progress;
  FailureOr<Programs> programs = Programs::find(*module);
  if (failed(programs) || failed(programs->verify(machine)))
    return failure();
  Report report(machine, options);
  report.setSource(source, *programs);
  report.setSeconds("import", importSeconds);
  if (options.command == Command::Interpret) {
    if (failed(interpretInPlace(*module, *programs, memory)))
      return failure();
    report.setSeconds("interpret", watch.lap());
    return report.finish();
  }

  if (options.operands && programs->state() > State::Tile) {
    tile::PrecisionAttr planned =
        programs->tile ? programs->tile.getPrecisionAttr() : programs->task.getPrecision();
    if (planned.getOperands() != *options.operands)
      return module->emitError("is planned for ")
             << planned << ", and --precision " << stringifyPrecision(*options.operands)
             << " asks for another policy: edit it there, or start from the program before it was planned";
  }

  if (options.exponentials && programs->state() > State::Tile)
    return module->emitError("is planned, and --exp ")
           << stringifyExponentials(*options.exponentials)
           << " asks how to plan its exponentials: edit them there (math.exp2, `fastmath<afn>`), or start from "
              "the program before it was planned";

  State stop = options.command == Command::Compile ? options.to : State::Physical;
  std::optional<Plan> plan;
  if (programs->state() > stop ||
      (options.command == Command::Plan && programs->state() > State::Tile))
    return module->emitError("is already in its ")
           << stringifyState(programs->state()) << " state, past the one asked for";
  if (programs->state() == State::Tile && stop > State::Tile) {
    progress.say("planning");
    auto planned = rows ? planEither(module, std::move(rows), machine, options)
                        : planProgram(*module, machine, options);
    if (failed(planned))
      return failure();
    programs = Programs::find(*module);
    plan = std::move(*planned);
    report.setPlan(*plan);
  }
  report.setSeconds("plan", watch.lap());
  if (options.command == Command::Plan)
    return report.finish();

  if (failed(lowerProgram(*module, machine, stop)))
    return failure();
  report.setSeconds("lower", watch.lap());
  if (options.command == Command::Compile) {
    if (failed(writeModule(*module, options.output)))
      return failure();
    LaunchReport finished = report.finish();
    if (options.output.empty() || options.output == "-")
      finished.text.clear(); // standard output holds the program, and only it
    return finished;
  }
  programs = Programs::find(*module);

  SeededMemory seeded;
  if (memory.empty() && (options.hasValues() || !options.emit.empty())) {
    auto made = seedMemory(programs->task, seed);
    if (failed(made))
      return failure();
    seeded = std::move(*made);
    memory = seeded.pointers();
  }
  std::vector<std::byte *> pointers = pointersOf<task::ArrayOp>(programs->task, memory);
  bool emits = !options.emit.empty();
  auto before = emits ? snapshot(programs->task, pointers) : Snapshot();
  if (options.command == Command::Emit) {
    if (failed(emit(programs->task, machine, options.emit, before, {})))
      return failure();
    return report.finish();
  }

  bool checks = options.check && options.hasValues();
  if (checks && !programs->tile)
    return programs->task.emitOpError("cannot be checked: its tile.program is not beside it");
  std::vector<Reference> references;
  if (checks) {
    progress.say("interpreting");
    auto policy = policyOf(programs->tile, machine);
    if (failed(policy))
      return failure();
    auto reference = referenceOf(programs->tile, memory, *policy);
    if (failed(reference))
      return failure();
    report.setPolicy(*policy, programs->tile);
    references = std::move(*reference);
    report.setSeconds("interpret", watch.lap());
  }

  if (memory.empty())
    pointers.clear();
  progress.say("simulating");
  auto result = sim::simulate(programs->task, machine, pointers, {.values = options.hasValues(), .errata = options.errata});
  if (failed(result))
    return failure();
  report.setSeconds("simulate", watch.lap());
  report.setResult(*result);
  auto after = emits && options.hasValues() ? snapshot(programs->task, pointers) : Snapshot();
  if (emits && failed(emit(programs->task, machine, options.emit, before, after)))
    return failure();
  for (const Reference &reference : references) {
    tile::ArrayOp array = reference.array;
    report.addCheck(reference, check(reference, {memory[array.getArgument()]}));
  }
  return report.finish();
}

} // namespace drawloom
