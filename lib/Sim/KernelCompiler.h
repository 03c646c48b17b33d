// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel, as one thread runs it, to instructions.
#ifndef DRAWLOOM_LIB_SIM_KERNELCOMPILER_H
#define DRAWLOOM_LIB_SIM_KERNELCOMPILER_H

#include "CompileProgram.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace drawloom::sim {

/// Whether `op` is an effect of `thread`: of the compute kernel, waits, pops
/// and math are the math thread's, reserves, pushes and packs the packer's.
bool runsOn(mlir::Operation *op, SimThread thread);

/// Where an operation unpacks the tiles of its buffers to.
enum class Unpacked { Straight, ToSrc };

/// Emits the instructions of a thread: its effects, the control flow around
/// them and the scalars they need; all else is left out.
class KernelCompiler {
public:
  KernelCompiler(Compilation &compilation, task::KernelOp kernel,
                 SimThread thread, Code &code)
      : c(compilation), kernel(kernel), thread(thread), code(code) {}

  mlir::LogicalResult compile();

private:
  using LogicalResult = mlir::LogicalResult;
  using Operation = mlir::Operation;
  using Value = mlir::Value;

  //===--- What is needed (CompileKernel.cpp) -----------------------------===//
  void findNeeded();
  void need(Value value);
  void include(Operation *op);

  //===--- Control flow (CompileKernel.cpp) -------------------------------===//
  LogicalResult compileBlock(mlir::Block &block);
  LogicalResult compileOp(Operation &op);
  LogicalResult compileFor(mlir::scf::ForOp loop);
  LogicalResult compileIf(mlir::scf::IfOp branch);
  LogicalResult moveAll(mlir::ValueRange from, mlir::ValueRange to,
                        Operation &at);

  //===--- Scalars (CompileScalars.cpp) -----------------------------------===//
  LogicalResult compileScalar(Operation &op);
  LogicalResult compileApply(mlir::affine::AffineApplyOp op);
  LogicalResult compileMinMax(Operation &op, mlir::AffineMap map, Op fold);
  mlir::FailureOr<uint16_t>
  compileExpr(mlir::AffineExpr expr, mlir::ValueRange operands, unsigned dims);

  //===--- Effects (CompileEffects.cpp) -----------------------------------===//
  LogicalResult compileEffect(Operation &op);
  LogicalResult compileBufferStep(Operation &op);
  LogicalResult compileTransfer(Operation &op, Value array, Value buffer,
                                Value page, Value slot, mlir::ValueRange part,
                                Op kind, Side side, Cost issue);
  LogicalResult compileFence(task::FenceOp op);
  LogicalResult compileFill(task::FillOp op);
  LogicalResult compileMulticast(task::MulticastOp op);
  LogicalResult compileSignal(task::SignalOp op);
  LogicalResult compilePublish(task::PublishOp op);
  LogicalResult compileAwait(task::AwaitOp op);

  //===--- Lanes and integers in memory (CompileLanes.cpp) ----------------===//
  LogicalResult compileIota(task::IotaOp op);
  LogicalResult compilePlace(task::PlaceOp op);
  LogicalResult compileLift(task::LiftOp op);
  LogicalResult compileLine(Operation &op, LineOp line, Op kind, Side side,
                            Value linearSlot, Value byte,
                            llvm::ArrayRef<Value> rest);
  LogicalResult compilePeek(task::PeekOp op);

  //===--- Compute operations (CompileMath.cpp) ---------------------------===//
  LogicalResult compileDst(task::DstOp op);
  LogicalResult compileMath(Operation &op);
  LogicalResult compileInit(task::InitOp op);
  LogicalResult compileStartup(task::StartupOp op);
  LogicalResult compileMatmul(task::MatmulOp op);
  LogicalResult compileBinary(task::BinaryOp op);
  LogicalResult compileCopy(task::CopyOp op);
  LogicalResult compileTranspose(task::TransposeOp op);
  LogicalResult compileReduce(task::ReduceOp op);
  LogicalResult compilePack(task::PackOp op);
  LogicalResult setRange(Operation *op, Value reg, DstRange &range);
  LogicalResult checkMatrixOperand(Operation &op, Value buffer);
  LogicalResult checkCopied(Operation &op, Value buffer);
  mlir::FailureOr<Time> tileCost(Operation &op, TileOp kind, Value lhs,
                                 Value rhs);
  /// Gives `math` the set-up it must run under. Buffers that are unpacked both
  /// ways are for it of one format or the other.
  void under(MathOp &math, const llvm::Twine &text,
             mlir::ValueRange buffers = {},
             Unpacked way = Unpacked::Straight);
  void emitMath(Operation &op, Op kind, const MathOp &math, Time cost,
                llvm::ArrayRef<Value> slots);

  //===--- Vector unit (CompileVector.cpp) --------------------------------===//
  LogicalResult compileSfpu(task::SfpuOp op);
  LogicalResult compileSfpuBinary(task::SfpuBinaryOp op);
  LogicalResult compileSelect(task::SelectOp op);
  LogicalResult compileFillRegister(task::FillRegisterOp op);
  /// Lets the last instruction take `number`, if there is one, for its scalar.
  void useNumber(Value number);
  /// Dst must hold 32-bit elements.
  LogicalResult checkIntegers(Operation &op);
  mlir::FailureOr<Time> vectorCost(Operation &op, llvm::StringRef function,
                                   bool scalar);

  //===--- Emission (CompileKernel.cpp) -----------------------------------===//
  Instruction &emit(Op op, Operation &at);
  /// Passes time before the next instruction takes effect.
  void delay(Time cost, Operation &at);
  LogicalResult delay(Cost cost, Operation &at);
  mlir::FailureOr<uint16_t> newRegister(Operation &at);
  mlir::FailureOr<uint16_t> constant(int64_t value, Operation &at);
  uint16_t registerOf(Value value) const { return registers.lookup(value); }
  LogicalResult define(Value value, Operation &at);
  int64_t here() const { return code.instructions.size(); }
  int bufferOf(Value value) const { return c.buffers.lookup(value); }
  const BufferInfo &infoOf(Value value) const {
    return c.program.buffers[bufferOf(value)];
  }
  bool isMover() const {
    return thread == SimThread::DM0 || thread == SimThread::DM1;
  }
  /// Which of a buffer's pointers this kernel has; producers count from theirs
  /// when they have both.
  mlir::FailureOr<Side> sideOf(Operation &op, Value buffer, Side preferred);

  Compilation &c;
  task::KernelOp kernel;
  SimThread thread;
  Code &code;
  llvm::DenseSet<Value> needed;
  llvm::DenseSet<Operation *> included;
  llvm::DenseMap<Value, uint16_t> registers;
  std::map<int64_t, uint16_t> constants;
  Time alu = 0, branch = 0; ///< of scalar work; free beside compute
};

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_KERNELCOMPILER_H
