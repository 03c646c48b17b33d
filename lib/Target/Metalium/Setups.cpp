// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Set-ups of the compute engine: what its units are told before they run.
#include "Compute.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::metalium;

//===-- Formats -------------------------------------------------------------//

/// What the unpackers and the packer are set up for: formats of tiles, and
/// whether 32 bits go straight to Dst.
namespace {
enum class Form { BF16, FP32, Direct, Integer };
} // namespace

static Form unpackedForm(Value buffer, bool asOperand = false) {
  auto op = buffer.getDefiningOp<task::BufferOp>();
  bool direct = op.getDirect() && !(asOperand && op.getOperand());
  return op.getFormat().isInteger() ? Form::Integer
         : direct                   ? Form::Direct
         : op.getFormat().isF32()   ? Form::FP32
                                    : Form::BF16;
}

static bool goesStraightToDst(Value buffer) {
  return unpackedForm(buffer) == Form::Direct ||
         unpackedForm(buffer) == Form::Integer;
}

/// The packer writes the same fp32 whoever reads it.
static Form packedForm(Value buffer) {
  return unpackedForm(buffer) == Form::Direct ? Form::FP32
                                              : unpackedForm(buffer);
}

/// Whether a set-up is of the matrix unit's operand registers.
static bool isOfOperands(task::InitOp init) {
  return init.getKind() == task::Setup::Matmul ||
         init.getKind() == task::Setup::Binary ||
         init.getKind() == task::Setup::Reduce;
}

void ComputePrinter::begin() {
  need("api/compute/common.h"); // buffers, Dst, packing, formats
  need("api/compute/compute_kernel_hw_startup.h");
  std::set<Form> unpacked, packed;
  kernel.walk([&](Operation *op) {
    if (auto startup = dyn_cast<task::StartupOp>(op)) {
      unpacked.insert(unpackedForm(startup.getLhs()));
      unpacked.insert(unpackedForm(startup.getRhs()));
      packed.insert(packedForm(startup.getOut()));
    } else if (auto init = dyn_cast<task::InitOp>(op)) {
      for (Value buffer : init.getBuffers())
        if (init.getKind() == task::Setup::Pack)
          packed.insert(packedForm(buffer));
        else
          unpacked.insert(unpackedForm(buffer, isOfOperands(init)));
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

//===-- Matrix unit ---------------------------------------------------------//

/// Tells the unpackers of operands in other formats, where there are any.
void ComputePrinter::reconfigure(StringRef call, ValueRange buffers) {
  if (!unpacksMixed)
    return;
  this->call(call, buffers);
}

/// A set-up inside a loop must not reach its next iteration.
void ComputePrinter::leave() {
  if (broadcastNesting == nesting)
    endBroadcast();
  --nesting;
}

void ComputePrinter::endBroadcast() {
  llvm::SaveAndRestore straight(readsOperands, false);
  if (broadcast)
    call(broadcastEnd, broadcast);
  broadcast = {};
}

void ComputePrinter::initMatmul(task::InitOp op) {
  need("api/compute/matmul.h");
  reconfigure("reconfig_data_format<SrcOrder::Reverse>", op.getBuffers());
  ArrayRef<int64_t> block = *op.getBlock();
  call("matmul_block_init", {op.getBuffers()[0], op.getBuffers()[1]},
       {std::to_string(op.getTransposed()), std::to_string(block[1]),
        std::to_string(block[0]), std::to_string(block[2])});
}

/// A row is repeated over the rows.
std::string metalium::suffixOf(std::optional<task::Broadcast> broadcast) {
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
  call((stringifyArithmetic(*op.getArithmetic()) + suffixOf(op.getBroadcast()) +
        "_init")
           .str(),
       {op.getBuffers()[0], op.getBuffers()[1]});
}

std::string metalium::typeOf(task::Broadcast broadcast) {
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
  if (!op.getBroadcast()) {
    need("api/compute/tile_move_copy.h");
    reconfigure("reconfig_data_format_srca", op.getBuffers());
    call("copy_init", op.getBuffers()[0]);
    return;
  }
  need("api/compute/bcast.h");
  // The broadcast adds the other source register to zeros in the first, whose
  // format says what is read of both.
  Value source = op.getBuffers()[0];
  if (goesStraightToDst(source))
    reconfigure("reconfig_data_format_srca", source);
  else
    reconfigure("reconfig_data_format", {source, source});
  std::string type = typeOf(*op.getBroadcast());
  call("unary_bcast_init" + type, source);
  broadcastNesting = nesting;
  broadcastEnd = "unary_bcast_uninit" + type;
  broadcast = source;
}

std::string metalium::typeOf(task::Reduction reduction, task::Extent over) {
  std::string pool =
      reduction == task::Reduction::Sum ? "PoolType::SUM" : "PoolType::MAX";
  switch (over) {
  case task::Extent::Row:
    return "<" + pool + ", ReduceDim::REDUCE_ROW>";
  case task::Extent::Column:
    return "<" + pool + ", ReduceDim::REDUCE_COL>";
  case task::Extent::Scalar:
    return "<" + pool + ", ReduceDim::REDUCE_SCALAR>";
  }
  llvm_unreachable("unknown extent");
}

/// What the task.dst around `op` packs to first; else the operand, as good.
static Value packedAfter(task::InitOp op) {
  Value target = op.getBuffers()[0];
  op->getParentOfType<task::DstOp>().walk([&](task::PackOp pack) {
    target = pack.getBuffer();
    return WalkResult::interrupt();
  });
  return target;
}

void ComputePrinter::initReduce(task::InitOp op) {
  need("api/compute/reduce.h");
  Value data = op.getBuffers()[0], ones = op.getBuffers()[1];
  // Sums over a row are products with the ones as the left operand: it and the
  // data change source registers, in this call and not in the next.
  const bool swapped = *op.getReduction() == task::Reduction::Sum &&
                       *op.getOver() == task::Extent::Row;
  reconfigure("reconfig_data_format",
              swapped ? ValueRange{ones, data} : ValueRange{data, ones});
  call("reduce_init" + typeOf(*op.getReduction(), *op.getOver()),
       {data, ones, packedAfter(op)});
  reduced = data;
}

//===-- Vector unit ---------------------------------------------------------//

void ComputePrinter::setUp(const SfpuCall &calls) {
  need(calls.header);
  call(calls.init, {});
  if (calls.lanes == SfpuLanes::Answer)
    setUp(integersToFloats());
}

void ComputePrinter::initSfpu(task::InitOp op) {
  if (*op.getFunction() == "select")
    return setUp(select());
  if (*op.getFunction() == "fill")
    return setUp(fill());
  // A set-up names the function only; the vendor sets up each form of it
  // differently. With several, each operation does so for itself.
  SmallVector<SfpuForm> forms = sfpuFormsAfter(op);
  setsUpEach = forms.size() > 1;
  if (forms.size() == 1)
    setUp(*sfpuCall(*op.getFunction(), forms.front()));
}

//===-- All -----------------------------------------------------------------//

void ComputePrinter::print(task::InitOp op) {
  llvm::SaveAndRestore matrix(readsOperands, isOfOperands(op));
  switch (op.getKind()) {
  case task::Setup::Pack:
    if (packsMixed)
      call("pack_reconfig_data_format", op.getBuffers()[0]);
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
  case task::Setup::Reduce:
    endBroadcast();
    return initReduce(op);
  case task::Setup::Transpose:
    endBroadcast();
    need("api/compute/transpose.h");
    reconfigure("reconfig_data_format_srca", op.getBuffers());
    call("transpose_init", op.getBuffers()[0]);
    return;
  }
}
