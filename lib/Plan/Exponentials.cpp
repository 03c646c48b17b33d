// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How exponentials are computed: as the source writes them, as powers of two,
// or approximately.

#include "drawloom/Plan/Apply.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace drawloom::plan {

/// `value`, a tile or one lane of a combiner, times a number; the two factors in
/// one where it is a product with another already.
static Value scaled(OpBuilder &b, Location loc, Value value, double factor) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  APFloat known(0.0f);
  if (product && product->hasOneUse() && matchPattern(product.getRhs(), m_ConstantFloat(&known))) {
    value = product.getLhs();
    factor *= known.convertToDouble();
  }
  TypedAttr constant = b.getF32FloatAttr(factor);
  if (auto tile = dyn_cast<RankedTensorType>(value.getType()))
    constant = DenseElementsAttr::get(tile, Attribute(constant));
  return arith::MulFOp::create(b, loc, value, arith::ConstantOp::create(b, loc, constant));
}

static void replace(math::ExpOp op) {
  OpBuilder b(op);
  Value power = scaled(b, op.getLoc(), op.getOperand(), llvm::numbers::log2e);
  op.replaceAllUsesWith(math::Exp2Op::create(b, op.getLoc(), power).getResult());
  op.erase();
}

bool writePowersOfTwo(tile::ProgramOp program, const MachineModel &machine) {
  auto exp = machine.sfpuCycles("exp", true), exp2 = machine.sfpuCycles("exp2", true),
       scale = machine.sfpuCycles("mul_scalar", true);
  if (!exp || !exp2 || !scale || *exp2 + *scale >= *exp)
    return false;
  SmallVector<math::ExpOp> found;
  program.walk([&](math::ExpOp op) {
    if (getElementTypeOrSelf(op.getType()).isF32() && !tile::isApproximate(op))
      found.push_back(op);
  });
  llvm::for_each(found, replace);
  return !found.empty();
}

static bool isExponential(Operation *op) { return isa<math::ExpOp, math::Exp2Op>(op); }

LogicalResult approximateExponentials(tile::ProgramOp program, const MachineModel &machine) {
  Operation *first = nullptr;
  program.walk([&](arith::ArithFastMathInterface op) {
    if (!isExponential(op))
      return;
    first = first ? first : op.getOperation();
    auto flags = op.getFastMathFlagsAttr().getValue() | arith::FastMathFlags::afn;
    op->setAttr(op.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op.getContext(), flags));
  });
  auto known = [&](StringRef function) {
    return machine.sfpuCycles(function, true) && machine.sfpuCycles(function, false);
  };
  if (!first || (known("exp_approx") && known("exp2_approx")))
    return success();
  return first->emitError("is asked for approximately, and ")
         << machine.name() << " states no cycles of exp_approx and exp2_approx: leave out --exp approximate, "
         << "or add `df.sfpu` lines for both";
}

bool hasApproximate(tile::ProgramOp program) {
  return program
      .walk([](Operation *op) {
        return isExponential(op) && tile::isApproximate(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace drawloom::plan
