// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What prints kernels of the compute engine; in three files: set-ups, the
// matrix unit with Dst, and the vector unit.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_COMPUTE_H
#define DRAWLOOM_LIB_TARGET_METALIUM_COMPUTE_H

#include "Kernel.h"
#include "Sfpu.h"

namespace drawloom::metalium {

class ComputePrinter : public KernelPrinter {
public:
  using KernelPrinter::KernelPrinter;

private:
  void begin() override;
  void enter() override { ++nesting; }
  void leave() override;
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

  /// A tile of Dst.
  std::string tile(mlir::Value range, mlir::Value index);
  std::string floatBits(mlir::Value number);

  bool unpacksMixed = false; ///< operands of several formats
  bool packsMixed = false;   ///< results of several formats
  /// The call that ends the copies with broadcast set up last.
  std::string broadcastEnd;
  int broadcastNesting = 0; ///< bodies around that set-up
  int nesting = 0;          ///< bodies around what is printed
  bool setsUpEach = false; ///< operations of the vector unit, each for itself
  /// The call that ends the reductions of this task.dst.
  std::string reductionEnd;
};

/// Template arguments by which the vendor knows a broadcast and a reduction.
std::string typeOf(task::Broadcast broadcast);
std::string typeOf(task::Reduction reduction, task::Extent over);
/// `_bcast_rows` and the like, in names of binary operations.
std::string suffixOf(std::optional<task::Broadcast> broadcast);

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_COMPUTE_H
