// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What prints kernels of the compute engine; in three files: set-ups, the
// matrix unit with Dst, and the vector unit.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_COMPUTE_H
#define DRAWLOOM_LIB_TARGET_METALIUM_COMPUTE_H

#include "Calls.h"
#include "Kernel.h"
#include "Sfpu.h"

namespace drawloom::metalium {

class ComputePrinter : public KernelPrinter {
public:
  /// `calls` has counted those of this kernel.
  ComputePrinter(task::KernelOp kernel, const ProgramNames &program,
                 Calls calls)
      : KernelPrinter(kernel, program), calls(std::move(calls)) {}

  /// The calls that a kernel makes.
  static Calls callsOf(task::KernelOp kernel, const ProgramNames &program);

private:
  void begin() override;
  void enter() override { ++nesting; }
  void leave() override;
  void printStep(llvm::StringRef step, const std::string &buffer,
                 int64_t tiles) override {
    call(step, {}, {buffer, std::to_string(tiles)});
  }
  bool keepsLoops() const override { return calls.areMany(); }
  void printFunctions(llvm::raw_ostream &source) const override {
    calls.printFunctions(source);
  }
  void printOperation(mlir::Operation *op) override;
  std::string peek(task::PeekOp op) override;

  void print(task::StartupOp op);
  void print(task::InitOp op);
  void print(task::DstOp op);
  void print(task::MatmulOp op);
  void print(task::BinaryOp op);
  void print(task::CopyOp op);
  void print(task::TransposeOp op);
  void print(task::ReduceOp op);
  void print(task::SfpuOp op);
  void print(task::SfpuBinaryOp op);
  void print(task::SelectOp op);
  void print(task::FillRegisterOp op);
  void print(task::PackOp op);

  void initMatmul(task::InitOp op);
  void initBinary(task::InitOp op);
  void initCopy(task::InitOp op);
  void initReduce(task::InitOp op);
  void initSfpu(task::InitOp op);
  void reconfigure(llvm::StringRef call, mlir::ValueRange buffers);
  void setUp(const SfpuCall &calls);
  void endBroadcast();

  /// Calls a function of the vendor's with buffers, then numbers, of which
  /// `before` come before the buffers.
  void call(llvm::StringRef callee, mlir::ValueRange buffers,
            llvm::ArrayRef<std::string> numbers = {}, size_t before = 0);

  /// A tile of Dst.
  std::string tile(mlir::Value range, mlir::Value index);
  std::string floatBits(mlir::Value number);

  Calls calls;
  bool onlyCounts = false;   ///< calls, as their text will not be used
  bool readsOperands = false; ///< what is called is of the operand registers
  bool unpacksMixed = false; ///< operands of several formats
  bool packsMixed = false;   ///< results of several formats
  /// What ends the copies with broadcast set up last, and of which buffer.
  std::string broadcastEnd;
  mlir::Value broadcast;
  int broadcastNesting = 0; ///< bodies around that set-up
  int nesting = 0;          ///< bodies around what is printed
  bool setsUpEach = false; ///< operations of the vector unit, each for itself
  /// What was set up for reductions in this task.dst.
  mlir::Value reduced;
};

/// Template arguments by which the vendor knows a broadcast and a reduction.
std::string typeOf(task::Broadcast broadcast);
std::string typeOf(task::Reduction reduction, task::Extent over);
/// `_bcast_rows` and the like, in names of binary operations.
std::string suffixOf(std::optional<task::Broadcast> broadcast);

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_COMPUTE_H
