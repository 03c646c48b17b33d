// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loads and stores of a kernel.

#ifndef DRAWLOOM_IMPORT_TRITON_ACCESS_H
#define DRAWLOOM_IMPORT_TRITON_ACCESS_H

#include "Evaluate.h"

namespace drawloom::tt {

/// A load, store or update of a tile: lane l touches `offset(l)` elements past
/// an argument where every bound is at least zero.
struct Access {
  mlir::Operation *op;
  /// Argument of the function.
  unsigned argument;
  mlir::Type element;
  llvm::SmallVector<int64_t> shape;
  IndexExpr offset;
  std::vector<IndexExpr> bounds;
  /// Bounds that always hold, kept for what they say about dimensions.
  std::vector<IndexExpr> implied;
  /// Where wrap-around (`% M`) was replaced by a bound: outside, the loaded
  /// value differs from the kernel's, so it may not reach memory.
  std::vector<IndexExpr> unwrapped;
  /// What lanes outside the bounds become; null when undefined.
  mlir::TypedAttr pad;
  /// Comparisons of several lane axes, which bound no access: they choose among
  /// what was read, or between it and what is stored.
  std::vector<IndexExpr> masks = {};
  /// The whole mask where it depends on data too, which chooses likewise; null
  /// where it does not.
  mlir::Value choice = {};

  bool isStore() const {
    return llvm::isa<StoreOp, DescriptorStoreOp, AtomicRMWOp>(op);
  }
  /// Whether what is stored depends on what was there.
  bool readsToo() const {
    return llvm::isa<AtomicRMWOp>(op) ||
           (isStore() && (choice || !masks.empty()));
  }
};

/// Collects every access, in order. Fails, with errors, on addresses that are
/// not affine. Wrap-around (`% M`) in the address of a load becomes a bound, or
/// stays exact.
mlir::FailureOr<std::vector<Access>> collectAccesses(const Kernel &kernel,
                                                     bool exactWraps);

/// Whether no lane whose wrap-around was replaced reaches memory.
bool isUnwrappedSafely(const Kernel &kernel, llvm::ArrayRef<Access> accesses);

/// The scalar that `value` is in every program and lane, when it is a constant
/// of this launch; null otherwise.
mlir::TypedAttr constantOf(const Kernel &kernel, mlir::Value value);

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_ACCESS_H
