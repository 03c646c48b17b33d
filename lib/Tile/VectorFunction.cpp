// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector unit's names of operations on floats.

#include "drawloom/Tile/VectorFunction.h"

#include "drawloom/Tile/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom;

StringRef drawloom::tile::vectorFunction(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](arith::AddFOp) { return "add"; })
      .Case([](arith::SubFOp) { return "sub"; })
      .Case([](arith::MulFOp) { return "mul"; })
      .Case([](arith::DivFOp) { return "div"; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>([](auto) { return "max"; })
      .Case<arith::MinimumFOp, arith::MinNumFOp>([](auto) { return "min"; })
      .Case([](arith::NegFOp) { return "neg"; })
      .Case([](math::ExpOp exp) { return tile::isApproximate(exp) ? "exp_approx" : "exp"; })
      .Case([](math::Exp2Op exp) { return tile::isApproximate(exp) ? "exp2_approx" : "exp2"; })
      .Case([](math::LogOp) { return "log"; })
      .Case([](math::Log2Op) { return "log2"; })
      .Case([](math::SqrtOp) { return "sqrt"; })
      .Case([](math::RsqrtOp) { return "rsqrt"; })
      .Case([](math::TanhOp) { return "tanh"; })
      .Case([](math::ErfOp) { return "erf"; })
      .Case([](math::SinOp) { return "sin"; })
      .Case([](math::CosOp) { return "cos"; })
      .Case([](math::FloorOp) { return "floor"; })
      .Case([](math::CeilOp) { return "ceil"; })
      .Case([](math::AbsFOp) { return "abs"; })
      .Default(StringRef());
}
