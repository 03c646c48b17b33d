// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluates one operation of a kernel as index arithmetic.
#ifndef DRAWLOOM_LIB_IMPORT_TRITON_EVALUATEOPERATION_H
#define DRAWLOOM_LIB_IMPORT_TRITON_EVALUATEOPERATION_H

#include "Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace drawloom::tt {

/// Evaluates one operation; each visit gives the value of its result.
class OperationEvaluator {
public:
  OperationEvaluator(const Kernel &kernel, mlir::Operation *op)
      : kernel(kernel), loops(kernel.loopExtents()), op(op),
        shape(laneShape(op->getResult(0).getType())) {}

  IndexValue evaluate();

private:
  template <typename T> const T *operand(unsigned i) {
    return kernel.as<T>(op->getOperand(i));
  }
  Unknown unknown(const llvm::Twine &why) { return {why.str(), op->getLoc()}; }
  /// The operand that is not an index, or one that is but not of the kind asked
  /// for.
  Unknown inherit();
  IndexValue orUnknown(MaybeIndex value, const llvm::Twine &why);
  IndexValue checked(const IndexExpr &value);

  MaybeIndex asIndex(mlir::Value value);
  IndexValue loaded();
  IndexValue opaque(const Unknown &why);
  IndexValue evaluateKnown();
  IndexValue evaluateTriton();
  IndexValue constant(mlir::arith::ConstantOp constant);
  IndexValue
  binary(llvm::function_ref<IndexValue(const IndexExpr &, const IndexExpr &)>
             function);
  IndexValue perProgram(const IndexExpr &a, const IndexExpr &b);
  IndexValue divided(const IndexExpr &a, const IndexExpr &b);
  bool divides(const IndexExpr &a);
  IndexValue remainder(const IndexExpr &a, const IndexExpr &b);
  IndexValue extreme(const IndexExpr &a, const IndexExpr &b, bool greatest);
  IndexValue shifted(const IndexExpr &a, const IndexExpr &b, bool left);
  IndexValue compare(mlir::arith::CmpIOp compare);
  IndexValue logical();
  IndexValue negated(const Condition &condition);
  MaybeIndex clamped(const Condition &condition, const IndexExpr &a,
                     const IndexExpr &b);
  IndexValue select();
  IndexValue converted();
  IndexValue programId(llvm::StringRef axis);
  IndexValue numPrograms(llvm::StringRef axis);
  IndexValue addPointer();
  IndexValue bytesOfBools();
  IndexValue descriptor(MakeTensorDescOp op);
  IndexValue moved(llvm::ArrayRef<int64_t> from);
  std::optional<unsigned> axisNumber(llvm::StringRef axis);

  const Kernel &kernel;
  const LoopExtents &loops;
  mlir::Operation *op;
  llvm::ArrayRef<int64_t> shape;
};

} // namespace drawloom::tt

#endif // DRAWLOOM_LIB_IMPORT_TRITON_EVALUATEOPERATION_H
