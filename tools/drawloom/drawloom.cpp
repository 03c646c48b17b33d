// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's command: plan, run, compile, emit, machines.

#include "CommandLine.h"

#include "drawloom/Driver/FileInput.h"
#include "drawloom/Driver/Launcher.h"
#include "drawloom/Machine/LoadMachine.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include <set>
#include <unistd.h>

using namespace drawloom;
using namespace mlir;

namespace {

int fail(const llvm::Twine &message) {
  llvm::errs() << "drawloom: " << message << "\n";
  return 1;
}

/// Hands a Triton script to the Python beside this program, which traces it
/// and calls back into the compiler for every launch.
int runScript(const CommandLine &line, const char *self) {
  SmallString<128> here(self);
  if (llvm::sys::path::parent_path(here).empty())
    if (auto found = llvm::sys::findProgramByName(self))
      here = *found;
  SmallString<128> python(llvm::sys::path::parent_path(here));
  llvm::sys::path::append(python, "python");
  if (!llvm::sys::fs::can_execute(python))
    return fail("needs the Python of its environment beside it to run " + line.input +
                ": start it as .venv/bin/drawloom");
  llvm::json::Object options = toJson(line.options);
  if (!line.json.empty())
    options["json"] = line.json;
  std::string text = llvm::formatv("{0}", llvm::json::Value(std::move(options)));
  setenv("DRAWLOOM_OPTIONS", text.c_str(), 1);
  std::vector<std::string> words = {python.str().str(), "-m", "drawloom.script", line.input};
  words.insert(words.end(), line.scriptArguments.begin(), line.scriptArguments.end());
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  llvm::outs().flush();
  execv(argv[0], argv.data());
  return fail("cannot start " + python);
}

LogicalResult writeJson(const CommandLine &line, llvm::json::Array launches) {
  if (line.json.empty())
    return success();
  std::error_code error;
  llvm::raw_fd_ostream file(line.json, error);
  if (error)
    return failure(fail("cannot write " + line.json + ": " + error.message()));
  file << llvm::formatv("{0:2}\n",
                        llvm::json::Value(llvm::json::Object{{"machine", line.options.machine},
                                                             {"options", toJson(line.options)},
                                                             {"launches", std::move(launches)}}));
  return success();
}

FailureOr<LaunchReport> launchFile(const CommandLine &line, MLIRContext &context,
                                   Launcher &launcher, llvm::SourceMgr &sources) {
  llvm::StringRef text = sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  if (!llvm::StringRef(line.input).ends_with(".ttir")) {
    auto module = parseSourceFile<ModuleOp>(sources, &context);
    if (!module)
      return failure();
    return launcher.launch(std::move(module), {}, line.seed);
  }
  auto launch = launchFromText(text, line.launchGrid, line.arguments);
  if (!launch)
    return failure(fail(line.input + ": " + llvm::toString(launch.takeError())));
  return launcher.launch(text, line.input, *launch);
}

int runFile(const CommandLine &line) {
  auto buffer = llvm::MemoryBuffer::getFile(line.input);
  if (!buffer)
    return fail("cannot read " + line.input + ": " + buffer.getError().message());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // users see their source, not our IR
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto launcher = Launcher::create(context, line.options);
  if (failed(launcher))
    return 1;
  auto report = launchFile(line, context, **launcher, sources);
  if (failed(report))
    return 1;
  if (line.json != "-")
    llvm::outs() << report->text;
  llvm::json::Array launches;
  launches.push_back(std::move(report->json));
  if (failed(writeJson(line, std::move(launches))))
    return 1;
  return report->passed ? 0 : 1;
}

int listMachines(llvm::StringRef directory) {
  std::set<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(directory, error), end; it != end && !error;
       it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".mlir")
      names.insert(llvm::sys::path::stem(it->path()).str());
  MLIRContext context(MLIRContext::Threading::DISABLED);
  for (const std::string &name : names) {
    auto machine = loadMachine(context, name, std::nullopt, directory);
    if (failed(machine))
      return 1;
    std::string sizes;
    for (const Dim &dim : machine->dims())
      sizes += (sizes.empty() ? "" : "x") + std::to_string(dim.size);
    llvm::outs() << llvm::formatv("{0,-12} {1,6} cores", name, sizes);
    if (machine->clockGHz())
      llvm::outs() << llvm::formatv("  {0:F2} GHz", *machine->clockGHz());
    if (machine->hasMemories())
      llvm::outs() << llvm::formatv("  {0} KiB of L1 a core", machine->local().size / 1024);
    if (machine->hasBanks())
      llvm::outs() << llvm::formatv("  {0} DRAM banks", machine->bankCount());
    llvm::outs() << "\n";
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  CommandLine line = parseCommandLine(argc, argv);
  line.options.machinesDir = DRAWLOOM_MACHINES_DIR;
  if (line.machines)
    return listMachines(line.options.machinesDir);
  if (llvm::StringRef(line.input).ends_with(".py"))
    return runScript(line, argv[0]);
  return runFile(line);
}
