// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of `drawloom`.

#include "CommandLine.h"

#include <CLI/CLI.hpp>

using namespace drawloom;

namespace {

/// The options every command that takes a program has.
void addProgramOptions(CLI::App &app, CommandLine &line, std::string &grid, std::string &fidelity,
                       std::string &precision, std::string &exponentials) {
  app.add_option("input", line.input, "SCRIPT.py, FILE.ttir, or FILE.mlir in any state")->required();
  app.add_option("--machine", line.options.machine, "a machine's name or file")
      ->capture_default_str();
  app.add_option("--grid", grid, "use a corner of COLUMNSxROWS cores");
  app.add_option("--top-k", line.options.topK, "plans to show, or to simulate before choosing");
  app.add_option("--fidelity", fidelity, "matrix unit passes: lofi, hifi2, hifi3 or hifi4");
  app.add_option("--precision", precision,
                 "f32 operands of products and sums: default (cut to TF32) or exact (in parts)");
  app.add_option("--exp", exponentials,
                 "exponentials: default (as powers of two), exact (as written) or approximate (to 3 %)");
  app.add_option("--json", line.json, "write the report as JSON (- for standard output)");
  app.add_option("--launch-grid", line.launchGrid, "for .ttir: programs X[,Y[,Z]]");
  app.add_option("--arg", line.arguments, "for .ttir: NAME=VALUE of a scalar argument");
  app.add_option("--seed", line.seed, "for files: seed of the arrays' values");
  app.footer("Everything behind `--` goes to the script.");
}

/// Prints the message and leaves, as a compiler does on a bad command line.
[[noreturn]] void fail(const std::string &message) {
  llvm::errs() << "drawloom: " << message << "\n";
  std::exit(1);
}

} // namespace

CommandLine parseCommandLine(int argc, char **argv) {
  CommandLine line;
  for (int i = 1; i < argc; ++i)
    if (llvm::StringRef(argv[i]) == "--") {
      line.scriptArguments.assign(argv + i + 1, argv + argc);
      argc = i;
      break;
    }

  CLI::App app("Plans tile kernels onto spatial dataflow accelerators.", "drawloom");
  app.require_subcommand(1);
  std::string grid, fidelity, precision, exponentials, to = "physical";
  CLI::App *machines = app.add_subcommand("machines", "list the machines");
  CLI::App *plan = app.add_subcommand("plan", "show the best plans and why the first won");
  CLI::App *run = app.add_subcommand("run", "plan, lower and simulate");
  CLI::App *compile = app.add_subcommand("compile", "stop at a state and print the program");
  CLI::App *emit = app.add_subcommand("emit", "write TT-Metalium kernels and a run.py");
  CLI::App *interpret = app.add_subcommand("interpret", "compute a script's launches exactly, on no machine");
  for (CLI::App *command : {plan, run, compile, emit, interpret})
    addProgramOptions(*command, line, grid, fidelity, precision, exponentials);
  run->add_flag("--timing-only", line.options.timingOnly, "simulate without values");
  run->add_flag("--errata", line.options.errata, "values with the silicon's known faults");
  run->add_flag("--check", line.options.check, "compare the result with the interpreter");
  run->add_option("--emit", line.options.emit, "also write the program to this directory");
  compile->add_option("--to", to, "tile, mapped, task or physical")->capture_default_str();
  compile->add_option("-o", line.options.output, "file to write (standard output if not given)");
  emit->add_option("-o", line.options.emit, "directory to write")->required();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    int status = app.exit(error);
    std::exit(status == 0 ? 0 : 1);
  }
  line.machines = machines->parsed();
  line.options.command = plan->parsed()      ? Command::Plan
                         : compile->parsed() ? Command::Compile
                         : emit->parsed()    ? Command::Emit
                         : interpret->parsed() ? Command::Interpret
                                             : Command::Run;
  if (!grid.empty() && !(line.options.grid = GridSize::parse(grid)))
    fail("--grid is COLUMNSxROWS, as in 8x8, not " + grid);
  if (!fidelity.empty() && !(line.options.fidelity = symbolizeFidelity(fidelity)))
    fail("--fidelity is lofi, hifi2, hifi3 or hifi4, not " + fidelity);
  if (!precision.empty() && !(line.options.operands = symbolizePrecision(precision)))
    fail("--precision is default or exact, not " + precision);
  if (!exponentials.empty() && !(line.options.exponentials = symbolizeExponentials(exponentials)))
    fail("--exp is default, exact or approximate, not " + exponentials);
  if (auto state = symbolizeState(to))
    line.options.to = *state;
  else
    fail("--to is tile, mapped, task or physical, not " + to);
  if (line.options.check && line.options.timingOnly)
    fail("--check compares values, which --timing-only leaves out: give one of them");
  return line;
}
