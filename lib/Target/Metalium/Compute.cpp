// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dst, the matrix unit and the packer.
#include "Compute.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::metalium;

static bool packs(Operation &op) {
  return op.walk([](task::PackOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// The body's operations in order, with the hand-over to the packer before the
/// first of them that packs.
void ComputePrinter::print(task::DstOp op) {
  static constexpr StringLiteral handOver =
      "tile_regs_commit();\ntile_regs_wait();\n";
  os << "tile_regs_acquire();\n";
  bool handedOver = false;
  for (Operation &inner : op.getBody().getOps()) {
    if (!handedOver && packs(inner)) {
      os << handOver;
      handedOver = true;
    }
    printStatement(inner);
  }
  os << (handedOver ? "" : handOver) << reductionEnd
     << "tile_regs_release();\n";
  reductionEnd.clear();
}

std::string ComputePrinter::tile(Value range, Value index) {
  int64_t slot = *range.getDefiningOp<task::RegisterOp>().getSlot();
  std::string offset = scalars.use(index).within(Binding::Sum);
  if (slot == 0)
    return offset;
  return offset == "0" ? std::to_string(slot)
                       : std::to_string(slot) + " + " + offset;
}

void ComputePrinter::print(task::MatmulOp op) {
  need("api/compute/matmul.h");
  ArrayRef<int64_t> block = op.getBlock();
  os << "matmul_block(" << constant(op.getLhs()) << ", "
     << constant(op.getRhs()) << ", " << text(op.getLhsSlot()) << ", "
     << text(op.getRhsSlot()) << ", " << tile(op.getInto(), op.getIndex())
     << ", " << int(op.getTransposed()) << ", " << block[1] << ", " << block[0]
     << ", " << block[2] << ");\n";
}

void ComputePrinter::print(task::BinaryOp op) {
  need(op.getBroadcast() ? "api/compute/bcast.h"
                         : "api/compute/eltwise_binary.h");
  os << stringifyArithmetic(op.getArithmetic()) << "_tiles"
     << suffixOf(op.getBroadcast()) << "(" << constant(op.getLhs()) << ", "
     << constant(op.getRhs()) << ", " << text(op.getLhsSlot()) << ", "
     << text(op.getRhsSlot()) << ", " << tile(op.getInto(), op.getIndex())
     << ");\n";
}

void ComputePrinter::print(task::CopyOp op) {
  need(op.getBroadcast() ? "api/compute/bcast.h"
                         : "api/compute/tile_move_copy.h");
  os << (op.getBroadcast() ? "unary_bcast" + typeOf(*op.getBroadcast())
                           : "copy_tile")
     << "(" << constant(op.getBuffer()) << ", " << text(op.getSlot()) << ", "
     << tile(op.getInto(), op.getIndex()) << ");\n";
}

void ComputePrinter::print(task::TransposeOp op) {
  os << "transpose_tile(" << constant(op.getBuffer()) << ", "
     << text(op.getSlot()) << ", " << tile(op.getInto(), op.getIndex())
     << ");\n";
}

void ComputePrinter::print(task::ReduceOp op) {
  os << "reduce_tile" << typeOf(op.getReduction(), op.getOver()) << "("
     << constant(op.getBuffer()) << ", " << constant(op.getOnes()) << ", "
     << text(op.getSlot()) << ", 0, " << tile(op.getInto(), op.getIndex())
     << ");\n";
}

void ComputePrinter::print(task::PackOp op) {
  os << "pack_tile<true>(" << tile(op.getOf(), op.getIndex()) << ", "
     << constant(op.getBuffer()) << ", " << text(op.getSlot()) << ");\n";
}

/// Only the unpacker's thread has waited for the tile: it tells the others.
std::string ComputePrinter::peek(task::PeekOp op) {
  // Of longer integers the lower half: indices fit into it.
  Type elements = op.getElements().isInteger(64)
                      ? IntegerType::get(op.getContext(), 32)
                      : op.getElements();
  return helper(Helper::PeekTile) + "<" + elementType(elements) + ">(" +
         constant(op.getBuffer()) + ", " + text(op.getSlot()) + ", " +
         text(op.getByte()) + ")";
}

void ComputePrinter::printOperation(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<task::StartupOp, task::InitOp, task::DstOp, task::MatmulOp,
            task::BinaryOp, task::CopyOp, task::TransposeOp, task::ReduceOp,
            task::SfpuOp, task::SfpuBinaryOp, task::SelectOp,
            task::FillRegisterOp, task::PackOp>(
          [&](auto known) { print(known); })
      .Case([](task::RegisterOp) {})
      .DefaultUnreachable("checked before printing");
}

std::unique_ptr<KernelPrinter>
metalium::createComputePrinter(task::KernelOp kernel,
                               const ProgramNames &program) {
  return std::make_unique<ComputePrinter>(kernel, program);
}
