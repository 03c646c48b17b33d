// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes program.json.
#include "Describe.h"
#include "Kernel.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::metalium;

StringRef metalium::sourceName(task::KernelOp kernel) {
  return stringifyEngine(kernel.getEngine());
}

static std::string formatName(Type type) {
  if (type.isF32() || type.isBF16())
    return type.isF32() ? "fp32" : "bf16";
  return "i" + std::to_string(type.getIntOrFloatBitWidth());
}

static StringRef vendorName(Fidelity fidelity) {
  switch (fidelity) {
  case Fidelity::LoFi:
    return "LoFi";
  case Fidelity::HiFi2:
    return "HiFi2";
  case Fidelity::HiFi3:
    return "HiFi3";
  case Fidelity::HiFi4:
    return "HiFi4";
  }
  llvm_unreachable("unknown fidelity");
}

static llvm::json::Value describeArray(task::ArrayOp array, StringRef name) {
  llvm::json::Object object{
      {"name", name},
      {"role", tile::stringifyRole(array.getRole())},
      {"format", formatName(array.getElementType())},
      {"shape", llvm::json::Array(array.getViewType().getShape())},
      {"pages", array.getPageCount()}};
  auto rows = dyn_cast<tile::RowsAttr>(array.getLayout());
  object["layout"] = rows ? "rows" : "tiles";
  if (rows)
    object["page_elements"] = rows.getElements();
  return object;
}

static llvm::json::Value describeBuffer(task::BufferOp buffer, StringRef name) {
  llvm::json::Object object{{"name", name},
                            {"id", static_cast<int64_t>(*buffer.getId())},
                            {"format", formatName(buffer.getFormat())},
                            {"tiles", buffer.getCapacity()},
                            {"tile_bytes", buffer.getTileBytes()},
                            {"direct", buffer.getDirect()}};
  if (buffer.getOperand())
    object["operand_id"] = static_cast<int64_t>(*buffer.getOperandId());
  return object;
}

static llvm::json::Value describeKernel(task::KernelOp kernel,
                                        const MachineModel &model,
                                        const ProgramNames &names) {
  auto program = kernel->getParentOfType<task::ProgramOp>();
  llvm::json::Object object{
      {"engine", stringifyEngine(kernel.getEngine())},
      {"source", "kernels/" + sourceName(kernel).str() + ".cpp"}};
  if (auto network = kernel.getNetwork()) {
    object["processor"] = model.processorName(kernel.getEngine());
    object["noc"] = static_cast<int64_t>(*network);
    llvm::json::Array arrays;
    for (task::ArrayOp array : arraysOf(kernel))
      arrays.push_back(names.of(array.getArray()));
    object["arrays"] = std::move(arrays);
  } else {
    object["fidelity"] = vendorName(program.getPrecision().getFidelity());
    object["fp32_dst"] = program.isDst32();
  }
  return object;
}

std::string metalium::describe(task::ProgramOp program,
                               const MachineModel &model,
                               const ProgramNames &names) {
  llvm::json::Array arrays, buffers, semaphores, kernels;
  for (Operation &op : program.getBody().getOps()) {
    if (auto array = dyn_cast<task::ArrayOp>(op))
      arrays.push_back(describeArray(array, names.of(array.getArray())));
    else if (auto buffer = dyn_cast<task::BufferOp>(op))
      buffers.push_back(describeBuffer(buffer, names.of(buffer.getBuffer())));
    else if (auto semaphore = dyn_cast<task::SemaphoreOp>(op))
      semaphores.push_back(
          llvm::json::Object{{"name", names.of(semaphore.getSemaphore())},
                             {"id", static_cast<int64_t>(*semaphore.getId())}});
    else
      kernels.push_back(describeKernel(cast<task::KernelOp>(op), model, names));
  }
  llvm::json::Object object{{"program", program.getName()},
                            {"machine", model.name()},
                            {"grid", llvm::json::Array(program.getGrid())},
                            {"arrays", std::move(arrays)},
                            {"buffers", std::move(buffers)},
                            {"semaphores", std::move(semaphores)},
                            {"kernels", std::move(kernels)}};
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(object)));
  return text;
}
