// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identifiers of an emitted program: readable, legal in C++ and unique.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_NAMES_H
#define DRAWLOOM_LIB_TARGET_METALIUM_NAMES_H

#include "drawloom/Task/Task.h"
#include "llvm/ADT/StringSet.h"

namespace drawloom::metalium {

/// Gives every name once.
class UniqueNames {
public:
  /// `wanted` as an identifier; with a number if it is taken.
  std::string take(llvm::StringRef wanted);
  /// Lets a name whose scope has ended be taken again.
  void release(llvm::StringRef name) { taken.erase(name); }

private:
  llvm::StringSet<> taken;
};

/// Names of what all kernels and the host share: `a` for an array, `cb_a` for
/// a buffer, `cb_a_operand` for it as the matrix unit reads it, `sem_a` for a
/// semaphore. In the order of the program.
class ProgramNames {
public:
  explicit ProgramNames(task::ProgramOp program);
  llvm::StringRef of(mlir::Value value) const {
    return names.find(value)->second;
  }
  llvm::StringRef operandOf(mlir::Value buffer) const {
    return operands.find(buffer)->second;
  }

private:
  llvm::DenseMap<mlir::Value, std::string> names, operands;
};

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_NAMES_H
