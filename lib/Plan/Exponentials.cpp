// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exponentials as powers of two, where the vector unit has these for less.

#include "drawloom/Plan/Apply.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace drawloom::plan {

/// `value` times a number; the two factors in one where it is a product with
/// another already.
static Value scaled(OpBuilder &b, Location loc, Value value, double factor) {
  auto type = cast<RankedTensorType>(value.getType());
  auto product = value.getDefiningOp<arith::MulFOp>();
  APFloat known(0.0f);
  if (product && product->hasOneUse() && matchPattern(product.getRhs(), m_ConstantFloat(&known))) {
    value = product.getLhs();
    factor *= known.convertToDouble();
  }
  auto constant = DenseElementsAttr::get(type, APFloat(static_cast<float>(factor)));
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
    if (getElementTypeOrSelf(op.getType()).isF32())
      found.push_back(op);
  });
  llvm::for_each(found, replace);
  return !found.empty();
}

} // namespace drawloom::plan
