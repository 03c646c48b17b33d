// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a formula from its value backwards, one term for each operation.

#ifndef DRAWLOOM_LIB_TASK_BODY_FORMULABUILDER_H
#define DRAWLOOM_LIB_TASK_BODY_FORMULABUILDER_H

#include "Formula.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace drawloom::task {

/// Conditions are lanes of 1.0 and 0.0, integers lanes of 32 bits.
inline bool isCondition(mlir::Value value) {
  return mlir::getElementTypeOrSelf(value).isInteger(1);
}
inline bool isInteger(mlir::Value value) {
  return mlir::isa<mlir::IntegerType>(mlir::getElementTypeOrSelf(value)) && !isCondition(value);
}

/// Each function gives the number of the term it added last, or fails with an
/// error at the operation.
class FormulaBuilder {
public:
  FormulaBuilder(const FormulaContext &context, llvm::SmallVectorImpl<mlir::Operation *> &heads)
      : ctx(context), heads(heads) {}
  mlir::FailureOr<int> build(mlir::Value value);
  Formula formula;

private:
  std::optional<int> leaf(mlir::Value value);
  mlir::FailureOr<int> make(mlir::Value value);
  mlir::FailureOr<int> chosen(mlir::arith::SelectOp op);
  mlir::FailureOr<int> multipliedAndAdded(mlir::math::FmaOp op);
  mlir::FailureOr<int> converted(mlir::Operation *op);
  mlir::FailureOr<int> computed(mlir::Operation *op);
  mlir::FailureOr<int> repeated(mlir::linalg::BroadcastOp op);
  static mlir::AffineExpr outerOf(mlir::linalg::BroadcastOp op);
  mlir::FailureOr<int> sliced(mlir::tensor::ExtractSliceOp op);
  mlir::FailureOr<int> masked(tile::MaskOp op);
  mlir::FailureOr<int> numbered(tile::IndexOp op, bool integer);
  mlir::FailureOr<int> integers(mlir::AffineExpr expr, mlir::Operation *op);
  mlir::FailureOr<int> integersInParts(mlir::AffineExpr expr, mlir::Operation *op);
  bool fitsFloat(mlir::AffineExpr expr, mlir::Operation *op) const;
  mlir::AffineExpr atFirstLane(mlir::AffineExpr expr) const;
  int filled(mlir::Operation *op, double value, bool integer);
  bool isEven(mlir::AffineExpr expr) const;
  mlir::FailureOr<int> compared(mlir::arith::CmpFOp op);
  mlir::FailureOr<int> compared(mlir::arith::CmpIOp op);
  mlir::FailureOr<int> logical(mlir::Operation *op);
  mlir::FailureOr<int> named(mlir::Operation *op, llvm::StringRef function,
                             mlir::ValueRange operands, bool integer);
  mlir::FailureOr<int> withScalar(mlir::Operation *op, llvm::StringRef function, double scalar,
                                  bool scalarFirst, int operand);
  mlir::FailureOr<llvm::SmallVector<mlir::AffineExpr>>
  lanesOf(mlir::Operation *op, mlir::Value value, mlir::ValueRange at,
          llvm::ArrayRef<mlir::AffineExpr> exprs);
  int tile(mlir::Value value, std::optional<Broadcast> broadcast = {});
  int add(Term term);
  Term term(Term::Kind kind, mlir::Operation *op, llvm::StringRef function = "", int a = -1,
            int b = -1, int c = -1) {
    Term result{kind, function.str(), 0, false, {a, b, c}, {}, {}, {}, 0, op->getLoc()};
    return result;
  }

  const FormulaContext &ctx;
  llvm::SmallVectorImpl<mlir::Operation *> &heads;
  llvm::DenseMap<mlir::Value, int> known;
};

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_FORMULABUILDER_H
