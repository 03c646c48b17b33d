// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the sources of all engines have in common: loops, branches and scalars.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_KERNEL_H
#define DRAWLOOM_LIB_TARGET_METALIUM_KERNEL_H

#include "Scalars.h"
#include "drawloom/Machine/MachineModel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Support/IndentedOstream.h"
#include "llvm/ADT/SetVector.h"

namespace drawloom::metalium {

/// The arrays a kernel moves, in the order of the program.
llvm::SmallVector<task::ArrayOp> arraysOf(task::KernelOp kernel);

/// The C++ type of elements as they lie in memory, `uint16_t` for bf16.
std::string elementType(mlir::Type element);

/// Prints one kernel as one source. The body is printed first: it tells which
/// headers, constants and helpers the source needs before it.
class KernelPrinter {
public:
  KernelPrinter(task::KernelOp kernel, const ProgramNames &program);
  virtual ~KernelPrinter() = default;

  /// The whole source.
  std::string print(const MachineModel &model);

protected:
  /// Prints an operation that is neither control flow nor a scalar.
  virtual void printOperation(mlir::Operation *op) = 0;
  /// The integer in a slot, as an expression.
  virtual std::string peek(task::PeekOp op) = 0;
  /// Called before the body's first operation and after its last.
  virtual void begin() {}
  virtual void end() {}
  /// Called at the begin and at the end of every body of a loop or branch.
  virtual void enter() {}
  virtual void leave() {}
  /// Whether loops must not be unrolled.
  virtual bool keepsLoops() const { return false; }
  /// Functions of this kernel alone, after the helpers.
  virtual void printFunctions(llvm::raw_ostream & /*source*/) const {}

  void printBlock(mlir::Block &block);
  void printStatement(mlir::Operation &op);
  /// One of the four steps of a circular buffer, for each of its ids.
  void printSteps(llvm::StringRef call, mlir::Value buffer, int64_t tiles);
  virtual void printStep(llvm::StringRef call, const std::string &buffer,
                         int64_t tiles);
  void need(llvm::StringRef header) { headers.insert(header.str()); }
  /// The name of a helper, which the source then defines.
  std::string helper(Helper which);
  /// The constant that numbers a buffer or a semaphore.
  std::string constant(mlir::Value value);
  /// The same of a buffer that the matrix unit reads.
  std::string operand(mlir::Value buffer);
  std::string text(mlir::Value value) { return scalars.text(value); }
  std::string text(mlir::ValueRange values);

  task::KernelOp kernel;
  task::ProgramOp program;
  const ProgramNames &programNames;
  UniqueNames unique;
  HelperSet helpers;
  Scalars scalars{helpers};
  std::string bodyText;
  llvm::raw_string_ostream bodyStream{bodyText};
  mlir::raw_indented_ostream os{bodyStream};

private:
  /// `results`: the variables that take what the block yields.
  void printBody(mlir::Block &block, mlir::ValueRange results);
  void declare(mlir::ValueRange inside, mlir::ValueRange after,
               mlir::ValueRange first);
  void assign(mlir::ValueRange variables, mlir::ValueRange values);
  void printFor(mlir::scf::ForOp loop);
  void printIf(mlir::scf::IfOp branch);
  void printPeek(task::PeekOp op);
  void printScalar(mlir::Operation *op);
  void nameCoordinates();
  void printConstants(llvm::raw_ostream &source);

  std::set<std::string> headers;
  llvm::SetVector<mlir::Value> constants;
  /// Names of this core's x and y, empty where the kernel does not ask.
  std::string coordinates[2];
  int depth = 0;
};

/// Printers of the two kinds of engine.
std::unique_ptr<KernelPrinter> createMoverPrinter(task::KernelOp kernel,
                                                  const ProgramNames &program);
std::unique_ptr<KernelPrinter>
createComputePrinter(task::KernelOp kernel, const ProgramNames &program);

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_KERNEL_H
