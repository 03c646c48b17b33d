// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of the compute engine.
#include "Kernel.h"
#include "Sfpu.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::metalium;

namespace {
class ComputePrinter : public KernelPrinter {
public:
  using KernelPrinter::KernelPrinter;

private:
  void begin() override;
  void printOperation(Operation *op) override;

  void print(task::StartupOp op);
  void print(task::InitOp op);
  void print(task::DstOp op);
  void print(task::MatmulOp op);
  void print(task::BinaryOp op);
  void print(task::CopyOp op);
  void print(task::TransposeOp op);
  void print(task::SfpuOp op);
  void print(task::SfpuBinaryOp op);
  void print(task::PackOp op);

  void initMatmul(task::InitOp op);
  void initBinary(task::InitOp op);
  void initCopy(task::InitOp op);
  void initSfpu(task::InitOp op);
  void reconfigure(StringRef call, ValueRange buffers);
  void enter() override { ++nesting; }
  void leave() override;
  void endBroadcast();

  std::string tile(Value range, Value index);

  bool unpacksMixed = false; ///< operands of several formats
  bool packsMixed = false;   ///< results of several formats
  /// The call that ends the copies with broadcast set up last.
  std::string broadcastEnd;
  int broadcastNesting = 0; ///< bodies around that set-up
  int nesting = 0;          ///< bodies around what is printed
};
} // namespace

//===-- Set-up --------------------------------------------------------------//

/// What the unpackers and the packer are set up for: formats of tiles, and
/// whether fp32 goes straight to Dst.
namespace {
enum class Form { BF16, FP32, Direct };
} // namespace

static Form formOf(Value buffer) {
  auto op = buffer.getDefiningOp<task::BufferOp>();
  return op.getDirect()           ? Form::Direct
         : op.getFormat().isF32() ? Form::FP32
                                  : Form::BF16;
}

/// The packer writes the same fp32 whoever reads it.
static Form packedForm(Value buffer) {
  return formOf(buffer) == Form::BF16 ? Form::BF16 : Form::FP32;
}

void ComputePrinter::begin() {
  need("api/compute/common.h"); // buffers, Dst, packing, formats
  need("api/compute/compute_kernel_hw_startup.h");
  std::set<Form> unpacked, packed;
  kernel.walk([&](Operation *op) {
    if (auto startup = dyn_cast<task::StartupOp>(op)) {
      unpacked.insert(formOf(startup.getLhs()));
      unpacked.insert(formOf(startup.getRhs()));
      packed.insert(packedForm(startup.getOut()));
    } else if (auto init = dyn_cast<task::InitOp>(op)) {
      for (Value buffer : init.getBuffers())
        if (init.getKind() == task::Setup::Pack)
          packed.insert(packedForm(buffer));
        else
          unpacked.insert(formOf(buffer));
    }
  });
  unpacksMixed = unpacked.size() > 1;
  packsMixed = packed.size() > 1;
}

void ComputePrinter::print(task::StartupOp op) {
  os << "compute_kernel_hw_startup"
     << (op.getMatmul() ? "<SrcOrder::Reverse>" : "") << "("
     << constant(op.getLhs()) << ", " << constant(op.getRhs()) << ", "
     << constant(op.getOut()) << ");\n";
}

/// Tells the unpackers of operands in other formats, where there are any.
void ComputePrinter::reconfigure(StringRef call, ValueRange buffers) {
  if (!unpacksMixed)
    return;
  os << call << "(" << constant(buffers[0]);
  if (buffers.size() == 2)
    os << ", " << constant(buffers[1]);
  os << ");\n";
}

/// A set-up inside a loop must not reach its next iteration.
void ComputePrinter::leave() {
  if (broadcastNesting == nesting)
    endBroadcast();
  --nesting;
}

void ComputePrinter::endBroadcast() {
  os << broadcastEnd;
  broadcastEnd.clear();
}

void ComputePrinter::initMatmul(task::InitOp op) {
  need("api/compute/matmul.h");
  reconfigure("reconfig_data_format<SrcOrder::Reverse>", op.getBuffers());
  ArrayRef<int64_t> block = *op.getBlock();
  os << "matmul_block_init(" << constant(op.getBuffers()[0]) << ", "
     << constant(op.getBuffers()[1]) << ", " << int(op.getTransposed()) << ", "
     << block[1] << ", " << block[0] << ", " << block[2] << ");\n";
}

/// `_bcast_rows` and the like: a row is repeated over the rows.
static std::string broadcastSuffix(std::optional<task::Broadcast> broadcast) {
  if (!broadcast)
    return "";
  switch (*broadcast) {
  case task::Broadcast::Row:
    return "_bcast_rows";
  case task::Broadcast::Column:
    return "_bcast_cols";
  case task::Broadcast::Scalar:
    return "_bcast_scalar";
  }
  llvm_unreachable("unknown broadcast");
}

void ComputePrinter::initBinary(task::InitOp op) {
  need(op.getBroadcast() ? "api/compute/bcast.h"
                         : "api/compute/eltwise_binary.h");
  reconfigure("reconfig_data_format", op.getBuffers());
  os << stringifyArithmetic(*op.getArithmetic())
     << broadcastSuffix(op.getBroadcast()) << "_init("
     << constant(op.getBuffers()[0]) << ", " << constant(op.getBuffers()[1])
     << ");\n";
}

static std::string broadcastType(task::Broadcast broadcast) {
  switch (broadcast) {
  case task::Broadcast::Row:
    return "<BroadcastType::ROW>";
  case task::Broadcast::Column:
    return "<BroadcastType::COL>";
  case task::Broadcast::Scalar:
    return "<BroadcastType::SCALAR>";
  }
  llvm_unreachable("unknown broadcast");
}

void ComputePrinter::initCopy(task::InitOp op) {
  std::string buffer = constant(op.getBuffers()[0]);
  if (!op.getBroadcast()) {
    need("api/compute/tile_move_copy.h");
    reconfigure("reconfig_data_format_srca", op.getBuffers());
    os << "copy_init(" << buffer << ");\n";
    return;
  }
  need("api/compute/bcast.h");
  // The broadcast goes by way of the other source register.
  reconfigure("reconfig_data_format_srcb", op.getBuffers());
  std::string type = broadcastType(*op.getBroadcast());
  os << "unary_bcast_init" << type << "(" << buffer << ");\n";
  broadcastNesting = nesting;
  broadcastEnd = "unary_bcast_uninit" + type + "(" + buffer + ");\n";
}

void ComputePrinter::initSfpu(task::InitOp op) {
  for (SfpuForm form : sfpuFormsAfter(op)) {
    SfpuCall calls = *sfpuCall(*op.getFunction(), form);
    need(calls.header);
    os << calls.init << "();\n";
  }
}

void ComputePrinter::print(task::InitOp op) {
  switch (op.getKind()) {
  case task::Setup::Pack:
    if (packsMixed)
      os << "pack_reconfig_data_format(" << constant(op.getBuffers()[0])
         << ");\n";
    return;
  case task::Setup::Sfpu:
    return initSfpu(op);
  case task::Setup::Matmul:
    endBroadcast();
    return initMatmul(op);
  case task::Setup::Binary:
    endBroadcast();
    return initBinary(op);
  case task::Setup::Copy:
    endBroadcast();
    return initCopy(op);
  case task::Setup::Transpose:
    endBroadcast();
    need("api/compute/transpose.h");
    reconfigure("reconfig_data_format_srca", op.getBuffers());
    os << "transpose_init(" << constant(op.getBuffers()[0]) << ");\n";
    return;
  }
}

//===-- Dst -----------------------------------------------------------------//

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
  os << (handedOver ? "" : handOver) << "tile_regs_release();\n";
}

/// A tile of Dst.
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
     << broadcastSuffix(op.getBroadcast()) << "(" << constant(op.getLhs())
     << ", " << constant(op.getRhs()) << ", " << text(op.getLhsSlot()) << ", "
     << text(op.getRhsSlot()) << ", " << tile(op.getInto(), op.getIndex())
     << ");\n";
}

void ComputePrinter::print(task::CopyOp op) {
  need(op.getBroadcast() ? "api/compute/bcast.h"
                         : "api/compute/tile_move_copy.h");
  os << (op.getBroadcast() ? "unary_bcast" + broadcastType(*op.getBroadcast())
                           : "copy_tile")
     << "(" << constant(op.getBuffer()) << ", " << text(op.getSlot()) << ", "
     << tile(op.getInto(), op.getIndex()) << ");\n";
}

void ComputePrinter::print(task::TransposeOp op) {
  os << "transpose_tile(" << constant(op.getBuffer()) << ", "
     << text(op.getSlot()) << ", " << tile(op.getInto(), op.getIndex())
     << ");\n";
}

void ComputePrinter::print(task::SfpuOp op) {
  SfpuForm form = op.getScalar() ? SfpuForm::Scalar : SfpuForm::Unary;
  SfpuCall calls = *sfpuCall(op.getFunction(), form);
  need(calls.header);
  os << calls.call << "(" << tile(op.getOf(), op.getIndex());
  if (auto scalar = op.getScalar())
    os << ", 0x"
       << llvm::utohexstr(scalar->bitcastToAPInt().getZExtValue(),
                          /*LowerCase=*/true);
  os << ");\n";
}

void ComputePrinter::print(task::SfpuBinaryOp op) {
  SfpuCall calls = *sfpuCall(op.getFunction(), SfpuForm::Binary);
  need(calls.header);
  os << calls.call << "(" << tile(op.getLhs(), op.getLhsIndex()) << ", "
     << tile(op.getRhs(), op.getRhsIndex()) << ", "
     << tile(op.getInto(), op.getIndex()) << ");\n";
}

void ComputePrinter::print(task::PackOp op) {
  os << "pack_tile<true>(" << tile(op.getOf(), op.getIndex()) << ", "
     << constant(op.getBuffer()) << ", " << text(op.getSlot()) << ");\n";
}

void ComputePrinter::printOperation(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<task::StartupOp, task::InitOp, task::DstOp, task::MatmulOp,
            task::BinaryOp, task::CopyOp, task::TransposeOp, task::SfpuOp,
            task::SfpuBinaryOp, task::PackOp>([&](auto known) { print(known); })
      .Case([](task::RegisterOp) {})
      .DefaultUnreachable("checked before printing");
}

std::unique_ptr<KernelPrinter>
metalium::createComputePrinter(task::KernelOp kernel,
                               const ProgramNames &program) {
  return std::make_unique<ComputePrinter>(kernel, program);
}
