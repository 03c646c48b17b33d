// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compute engine's operations to instructions, with their costs and the
// set-up each must run under.
#include "KernelCompiler.h"

#include "drawloom/Sim/SimError.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom::task;

namespace drawloom::sim {

static bool contains(Operation &op, llvm::function_ref<bool(Operation *)> is) {
  return op
      .walk([&](Operation *inner) {
        return is(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether `op` sets up a reduction.
static bool setsUpReduction(Operation *op) {
  auto init = dyn_cast<InitOp>(op);
  return init && init.getKind() == Setup::Reduce;
}

/// The math thread acquires a half, computes and commits it; the pack thread
/// waits for it, packs and releases it. A reduction's set-up ends with it.
LogicalResult KernelCompiler::compileDst(DstOp op) {
  bool math = thread == SimThread::Math;
  FailureOr<Time> acquire = c.cost(op, Cost::DstAcquire);
  FailureOr<Time> release = c.cost(op, Cost::DstRelease);
  if (failed(acquire) || failed(release))
    return failure();
  if (math)
    emit(Op::Acquire, *op).cost = *acquire;
  bool handedOver = false;
  auto handOver = [&](Operation &at) {
    if (!handedOver)
      emit(math ? Op::Commit : Op::DstWait, at).imm =
          contains(*op, setsUpReduction);
    handedOver = true;
  };
  for (Operation &inner : op.getBody().front()) {
    if (contains(inner, [](Operation *o) { return isa<PackOp>(o); }))
      handOver(inner);
    if (failed(compileOp(inner)))
      return failure();
  }
  handOver(*op);
  if (!math) {
    delay(*release, *op);
    emit(Op::DstRelease, *op);
  }
  return success();
}

LogicalResult KernelCompiler::compileMath(Operation &op) {
  if (!isa<StartupOp, InitOp>(op) && !op.getParentOfType<DstOp>())
    return emitSimError(op.getLoc(), SimErrorKind::Undefined)
           << op.getName() << " outside a task.dst has no half of Dst";
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](StartupOp startup) { return compileStartup(startup); })
      .Case([&](InitOp init) { return compileInit(init); })
      .Case([&](MatmulOp matmul) { return compileMatmul(matmul); })
      .Case([&](BinaryOp binary) { return compileBinary(binary); })
      .Case([&](CopyOp copy) { return compileCopy(copy); })
      .Case([&](TransposeOp transpose) { return compileTranspose(transpose); })
      .Case([&](ReduceOp reduce) { return compileReduce(reduce); })
      .Case([&](SfpuOp sfpu) { return compileSfpu(sfpu); })
      .Case([&](SfpuBinaryOp sfpu) { return compileSfpuBinary(sfpu); })
      .Case([&](SelectOp select) { return compileSelect(select); })
      .Case([&](FillRegisterOp fill) { return compileFillRegister(fill); })
      .Case([&](PackOp pack) { return compilePack(pack); })
      .Default([&](Operation *) {
        return emitSimError(op.getLoc(), SimErrorKind::Unmodelled)
               << "operation " << op.getName();
      });
}

//===--- Helpers ----------------------------------------------------------===//

static Broadcast broadcastOf(std::optional<task::Broadcast> broadcast) {
  if (!broadcast)
    return Broadcast::None;
  switch (*broadcast) {
  case task::Broadcast::Row:
    return Broadcast::Row;
  case task::Broadcast::Column:
    return Broadcast::Column;
  case task::Broadcast::Scalar:
    return Broadcast::Scalar;
  }
  llvm_unreachable("broadcast");
}

static std::string broadcastText(std::optional<task::Broadcast> broadcast) {
  return broadcast ? (" broadcast " + stringifyBroadcast(*broadcast)).str()
                   : std::string();
}

static std::string blockText(ArrayRef<int64_t> block, bool transposed) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << " block [" << block[0] << ", " << block[1] << ", " << block[2] << "]"
     << (transposed ? " transposed" : "");
  return text;
}

static std::string reductionText(Reduction reduction, Extent over) {
  return ("reduce " + stringifyReduction(reduction) + " over " +
          stringifyExtent(over))
      .str();
}

static llvm::StringRef formatText(const BufferInfo &buffer, Unpacked way) {
  if (buffer.direct && !(buffer.operand && way == Unpacked::ToSrc))
    return buffer.format == Format::I32 ? "direct i32" : "direct f32";
  return buffer.format == Format::BF16   ? "bf16"
         : buffer.format == Format::FP32 ? "f32"
                                         : "i32";
}

void KernelCompiler::under(MathOp &math, const Twine &text,
                           ValueRange buffers, Unpacked way) {
  std::string formats;
  for (Value buffer : buffers)
    formats +=
        (formats.empty() ? "" : ", ") + formatText(infoOf(buffer), way).str();
  if (!formats.empty())
    math.formats = c.setUp(formats);
  math.setUp = c.setUp((text + " of (" + formats + ")").str());
}

LogicalResult KernelCompiler::setRange(Operation *op, Value reg,
                                       DstRange &range) {
  auto definition = reg.getDefiningOp<RegisterOp>();
  range.first = *definition.getSlot();
  range.tiles = definition.getTiles();
  auto [first, tiles] = range;
  if (first >= 0 && tiles > 0 && first + tiles <= c.program.dstTiles)
    return success();
  return emitSimError(op->getLoc(), SimErrorKind::Undefined)
         << "tiles " << first << " to " << first + tiles - 1
         << " of Dst; a half holds " << c.program.dstTiles;
}

LogicalResult KernelCompiler::checkMatrixOperand(Operation &op, Value buffer) {
  const BufferInfo &info = infoOf(buffer);
  if ((!info.direct || info.operand) && info.format != Format::I32)
    return success();
  return emitSimError(op.getLoc(), SimErrorKind::Undefined)
         << "buffer '" << info.name << "' of " << formatText(info, Unpacked::ToSrc)
         << " cannot feed the matrix unit";
}

LogicalResult KernelCompiler::checkCopied(Operation &op, Value buffer) {
  const BufferInfo &info = infoOf(buffer);
  if (!info.direct)
    return checkMatrixOperand(op, buffer);
  return info.format == Format::I32 ? checkIntegers(op) : success();
}

FailureOr<Time> KernelCompiler::tileCost(Operation &op, TileOp kind, Value lhs,
                                         Value rhs) {
  std::optional<OpCycles> cycles =
      c.model.tileOp(kind, infoOf(lhs).format, infoOf(rhs).format,
                     c.source.getPrecision().getFidelity());
  std::optional<double> bound;
  if (cycles)
    bound = cycles->bound();
  return c.cost(&op, bound, "tile operation '" + stringifyTileOp(kind) + "'");
}

void KernelCompiler::emitMath(Operation &op, Op kind, const MathOp &math,
                              Time cost, ArrayRef<Value> slots) {
  Instruction &instruction = emit(kind, op);
  instruction.imm = c.program.maths.size();
  instruction.cost = cost;
  for (auto [index, slot] : llvm::enumerate(slots))
    instruction.r[index] = registerOf(slot);
  c.program.maths.push_back(math);
}

//===--- Set-ups ----------------------------------------------------------===//

LogicalResult KernelCompiler::compileStartup(StartupOp op) {
  bool packs = thread == SimThread::Pack;
  FailureOr<Time> cost = c.cost(op, packs            ? Cost::ReconfigPack
                                    : op.getMatmul() ? Cost::InitMatmul
                                                     : Cost::InitEltwise);
  if (failed(cost))
    return failure();
  MathOp math;
  if (packs) {
    math.unit = MathOp::Unit::Packer;
    under(math, "pack", op.getOut());
  } else {
    under(math, "startup", {op.getLhs(), op.getRhs()});
  }
  emitMath(*op, Op::Startup, math, *cost, {});
  return success();
}

LogicalResult KernelCompiler::compileInit(InitOp op) {
  MathOp math;
  Cost cost = Cost::InitEltwise;
  switch (op.getKind()) {
  case Setup::Matmul:
    cost = Cost::InitMatmul;
    under(math, "matmul" + blockText(*op.getBlock(), op.getTransposed()),
          op.getBuffers(), Unpacked::ToSrc);
    break;
  case Setup::Binary:
    under(math,
          stringifyArithmetic(*op.getArithmetic()) +
              broadcastText(op.getBroadcast()),
          op.getBuffers(), Unpacked::ToSrc);
    break;
  case Setup::Copy:
    cost = Cost::InitCopy;
    under(math, "copy" + broadcastText(op.getBroadcast()), op.getBuffers());
    break;
  case Setup::Transpose:
    cost = Cost::InitTranspose;
    under(math, "transpose", op.getBuffers());
    break;
  case Setup::Sfpu:
    cost = Cost::InitSfpu;
    math.unit = MathOp::Unit::Vector;
    under(math, "sfpu " + *op.getFunction());
    break;
  case Setup::Pack:
    cost = Cost::ReconfigPack;
    math.unit = MathOp::Unit::Packer;
    under(math, "pack", op.getBuffers());
    break;
  case Setup::Reduce:
    cost = Cost::InitReduce;
    under(math, reductionText(*op.getReduction(), *op.getOver()),
          op.getBuffers(), Unpacked::ToSrc);
    break;
  }
  FailureOr<Time> time = c.cost(op, cost);
  FailureOr<Time> reconfigure = c.cost(op, Cost::ReconfigUnpack);
  if (failed(time) || failed(reconfigure))
    return failure();
  if (op.getKind() == Setup::Reduce && thread == SimThread::Pack) {
    delay(*time, *op); // what it changes is in the packs
    return success();
  }
  if (math.unit == MathOp::Unit::Matrix)
    math.reconfigure = *reconfigure;
  emitMath(*op, Op::SetUp, math, *time, {});
  return success();
}

//===--- Operations -------------------------------------------------------===//

LogicalResult KernelCompiler::compileMatmul(MatmulOp op) {
  ArrayRef<int64_t> block = op.getBlock();
  MathOp math;
  math.lhs = bufferOf(op.getLhs());
  math.rhs = bufferOf(op.getRhs());
  math.rows = block[0];
  math.columns = block[1];
  math.inner = block[2];
  math.transposed = op.getTransposed();
  int64_t products = block[0] * block[1];
  FailureOr<Time> cost =
      tileCost(*op, products > 1 ? TileOp::Matmul : TileOp::MatmulSingle,
               op.getLhs(), op.getRhs());
  if (failed(cost) || failed(setRange(op, op.getInto(), math.into)) ||
      failed(checkMatrixOperand(*op, op.getLhs())) ||
      failed(checkMatrixOperand(*op, op.getRhs())))
    return failure();
  under(math, "matmul" + blockText(block, op.getTransposed()),
        {op.getLhs(), op.getRhs()}, Unpacked::ToSrc);
  emitMath(*op, Op::Matmul, math, products * *cost,
           {op.getLhsSlot(), op.getRhsSlot(), op.getIndex()});
  return success();
}

LogicalResult KernelCompiler::compileBinary(BinaryOp op) {
  static constexpr std::pair<FpuBinary, TileOp> kinds[] = {
      {FpuBinary::Add, TileOp::Add},
      {FpuBinary::Sub, TileOp::Sub},
      {FpuBinary::Mul, TileOp::Mul}};
  auto [arithmetic, tileOp] = kinds[static_cast<int>(op.getArithmetic())];
  MathOp math;
  math.lhs = bufferOf(op.getLhs());
  math.rhs = bufferOf(op.getRhs());
  math.arithmetic = arithmetic;
  math.broadcast = broadcastOf(op.getBroadcast());
  FailureOr<Time> cost = tileCost(*op, tileOp, op.getLhs(), op.getRhs());
  if (op.getBroadcast() && succeeded(cost)) {
    FailureOr<Time> repeated =
        tileCost(*op, TileOp::Broadcast, op.getLhs(), op.getRhs());
    if (failed(repeated))
      return failure();
    cost = std::max(*cost, *repeated);
  }
  if (failed(cost) || failed(setRange(op, op.getInto(), math.into)) ||
      failed(checkMatrixOperand(*op, op.getLhs())) ||
      failed(checkMatrixOperand(*op, op.getRhs())))
    return failure();
  under(math,
        stringifyArithmetic(op.getArithmetic()) +
            broadcastText(op.getBroadcast()),
        {op.getLhs(), op.getRhs()}, Unpacked::ToSrc);
  emitMath(*op, Op::Binary, math, *cost,
           {op.getLhsSlot(), op.getRhsSlot(), op.getIndex()});
  return success();
}

LogicalResult KernelCompiler::compileCopy(CopyOp op) {
  MathOp math;
  math.lhs = bufferOf(op.getBuffer());
  math.broadcast = broadcastOf(op.getBroadcast());
  const BufferInfo &info = infoOf(op.getBuffer());
  if (failed(checkCopied(*op, op.getBuffer())))
    return failure();
  FailureOr<Time> cost =
      tileCost(*op, info.direct ? TileOp::CopyToDst : TileOp::Copy,
               op.getBuffer(), op.getBuffer());
  if (failed(cost) || failed(setRange(op, op.getInto(), math.into)))
    return failure();
  under(math, "copy" + broadcastText(op.getBroadcast()), op.getBuffer());
  emitMath(*op, Op::CopyTile, math, *cost, {op.getSlot(), op.getIndex()});
  return success();
}

LogicalResult KernelCompiler::compileTranspose(TransposeOp op) {
  MathOp math;
  math.lhs = bufferOf(op.getBuffer());
  if (failed(checkCopied(*op, op.getBuffer())))
    return failure();
  FailureOr<Time> cost =
      tileCost(*op, TileOp::Transpose, op.getBuffer(), op.getBuffer());
  if (failed(cost) || failed(setRange(op, op.getInto(), math.into)))
    return failure();
  under(math, "transpose", op.getBuffer());
  emitMath(*op, Op::Transpose, math, *cost, {op.getSlot(), op.getIndex()});
  return success();
}

static ReduceDim dimOf(Extent over) {
  switch (over) {
  case Extent::Row:
    return ReduceDim::Row;
  case Extent::Column:
    return ReduceDim::Column;
  case Extent::Scalar:
    return ReduceDim::Scalar;
  }
  llvm_unreachable("extent");
}

LogicalResult KernelCompiler::compileReduce(ReduceOp op) {
  static constexpr TileOp kinds[] = {TileOp::ReduceRow, TileOp::ReduceColumn,
                                     TileOp::ReduceScalar};
  MathOp math;
  math.lhs = bufferOf(op.getBuffer());
  math.rhs = bufferOf(op.getOnes());
  math.over = dimOf(op.getOver());
  math.reduction =
      op.getReduction() == Reduction::Sum ? ReduceKind::Sum : ReduceKind::Max;
  FailureOr<Time> cost = tileCost(*op, kinds[static_cast<int>(math.over)],
                                  op.getBuffer(), op.getOnes());
  if (failed(cost) || failed(setRange(op, op.getInto(), math.into)) ||
      failed(checkMatrixOperand(*op, op.getBuffer())) ||
      failed(checkMatrixOperand(*op, op.getOnes())))
    return failure();
  under(math, reductionText(op.getReduction(), op.getOver()),
        {op.getBuffer(), op.getOnes()}, Unpacked::ToSrc);
  emitMath(*op, Op::Reduce, math, *cost, {op.getSlot(), op.getIndex()});
  return success();
}

/// What the packer lets through in the task.dst of `op`: a reduction there
/// leaves it its mask, for every tile.
static FailureOr<PackMask> packMask(PackOp op) {
  std::optional<Extent> over;
  WalkResult result = op->getParentOfType<DstOp>().walk([&](InitOp init) {
    if (!setsUpReduction(init))
      return WalkResult::advance();
    if (over && *over != *init.getOver())
      return WalkResult::interrupt();
    over = init.getOver();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return emitSimError(op.getLoc(), SimErrorKind::Undefined)
           << "packs under the set-ups of reductions over different lanes; "
           << "give each its own task.dst";
  return over ? reduceMask(dimOf(*over)) : PackMask::All;
}

LogicalResult KernelCompiler::compilePack(PackOp op) {
  MathOp math;
  math.unit = MathOp::Unit::Packer;
  math.lhs = bufferOf(op.getBuffer());
  FailureOr<PackMask> mask = packMask(op);
  if (failed(mask) || (infoOf(op.getBuffer()).format == Format::I32 &&
                       failed(checkIntegers(*op))))
    return failure();
  math.mask = *mask;
  FailureOr<Time> cost =
      c.cost(op, c.model.packCycles(infoOf(op.getBuffer()).format), "packing");
  if (failed(cost) || failed(setRange(op, op.getOf(), math.into)))
    return failure();
  under(math, "pack", op.getBuffer());
  emitMath(*op, Op::Pack, math, *cost, {op.getSlot(), op.getIndex()});
  return success();
}

} // namespace drawloom::sim
