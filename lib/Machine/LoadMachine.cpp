// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds, parses and checks a machine file.
#include "drawloom/Machine/LoadMachine.h"
#include "Diagnose.h"
#include "drawloom/Machine/Machine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace drawloom;

/// The names of the machines in `folder`, for an error message.
static void listMachines(StringRef folder,
                         SmallVectorImpl<std::string> &names) {
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(folder, error), end;
       entry != end && !error; entry.increment(error))
    if (llvm::sys::path::extension(entry->path()) == ".mlir")
      names.push_back(llvm::sys::path::stem(entry->path()).str());
}

static FailureOr<std::string>
findFile(MLIRContext &context, StringRef nameOrFile, StringRef machinesDir) {
  bool isFile = nameOrFile.ends_with(".mlir") || nameOrFile.contains('/');
  if (isFile)
    return nameOrFile.str();
  SmallVector<std::string> folders, known;
  if (auto folder = llvm::sys::Process::GetEnv("DRAWLOOM_MACHINES"))
    folders.push_back(*folder);
  folders.push_back(machinesDir.str());
  for (const std::string &folder : folders) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, nameOrFile + ".mlir");
    if (llvm::sys::fs::exists(path))
      return path.str().str();
    listMachines(folder, known);
  }
  llvm::sort(known);
  known.erase(llvm::unique(known), known.end());
  InFlightDiagnostic error = emitError(UnknownLoc::get(&context))
                             << "unknown machine '" << nameOrFile << "'";
  error.attachNote() << "known machines: " << llvm::join(known, ", ")
                     << "; or give the path of a .mlir file";
  return failure();
}

FailureOr<MachineModel> drawloom::loadMachine(MLIRContext &context,
                                              StringRef nameOrFile,
                                              std::optional<GridSize> grid,
                                              StringRef machinesDir) {
  context.getOrLoadDialect<df::DfDialect>();
  FailureOr<std::string> file = findFile(context, nameOrFile, machinesDir);
  if (failed(file))
    return failure();
  auto module = parseSourceFile<ModuleOp>(*file, ParserConfig(&context));
  if (!module)
    return failure();
  auto machines = module->getOps<df::MachineOp>();
  if (std::distance(machines.begin(), machines.end()) != 1)
    return df::refuse(*module, "must hold exactly one df.machine",
                      "keep one machine in each file");
  return createModel(*machines.begin(), grid);
}
