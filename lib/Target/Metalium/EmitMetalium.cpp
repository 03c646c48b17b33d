// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the files of an emitted program.
#include "drawloom/Target/Metalium/EmitMetalium.h"
#include "Check.h"
#include "Describe.h"
#include "Kernel.h"
#include "Numpy.h"
#include "RunScript.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::metalium;

namespace {
/// Path below the directory, and content.
using File = std::pair<std::string, std::string>;
} // namespace

static std::string sourceOf(task::KernelOp kernel, const MachineModel &model,
                            const ProgramNames &names) {
  return (kernel.getEngine() == Engine::Compute
              ? createComputePrinter(kernel, names)
              : createMoverPrinter(kernel, names))
      ->print(model);
}

/// Adds one file for each array that has values.
static LogicalResult addValues(SmallVectorImpl<File> &files,
                               task::ProgramOp program,
                               const ProgramNames &names, StringRef directory,
                               ArrayRef<ArrayRef<std::byte>> values) {
  if (values.empty())
    return success();
  auto arrays = llvm::to_vector(program.getBody().getOps<task::ArrayOp>());
  if (arrays.size() != values.size())
    return program.emitError()
           << values.size() << " arrays of values given for " << arrays.size()
           << " arrays";
  for (auto [array, elements] : llvm::zip_equal(arrays, values)) {
    if (elements.empty())
      continue;
    int64_t bytes = array.getViewType().getNumElements() *
                    array.getElementType().getIntOrFloatBitWidth() / 8;
    if (static_cast<int64_t>(elements.size()) != bytes)
      return array.emitError()
             << elements.size() << " bytes of values given for array `"
             << array.getName() << "` of " << bytes;
    files.emplace_back(directory.str() + "/" +
                           names.of(array.getArray()).str() + ".npy",
                       numpyFile(array.getElementType(),
                                 array.getViewType().getShape(), elements));
  }
  return success();
}

static LogicalResult write(task::ProgramOp program, StringRef directory,
                           const File &file) {
  SmallString<128> path(directory);
  llvm::sys::path::append(path, file.first);
  std::error_code error =
      llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
  if (!error) {
    llvm::raw_fd_ostream stream(path, error);
    stream << file.second;
    stream.close();
    if (!error)
      error = stream.error();
    stream.clear_error();
  }
  if (error)
    return program.emitError()
           << "cannot write " << path.str() << ": " << error.message();
  return success();
}

LogicalResult drawloom::emitMetalium(task::ProgramOp physical,
                                     const MachineModel &model,
                                     StringRef directory,
                                     const EmitInputs &inputs) {
  if (failed(check(physical, model)))
    return failure();
  ProgramNames names(physical);
  SmallVector<File> files;
  for (auto kernel : physical.getBody().getOps<task::KernelOp>())
    files.emplace_back("kernels/" + sourceName(kernel).str() + ".cpp",
                       sourceOf(kernel, model, names));
  files.emplace_back("program.json", describe(physical, model, names));
  files.emplace_back("run.py", runScript().str());
  if (failed(addValues(files, physical, names, "inputs", inputs.before)) ||
      failed(addValues(files, physical, names, "expected", inputs.after)))
    return failure();
  for (const File &file : files)
    if (failed(write(physical, directory, file)))
      return failure();
  return success();
}
