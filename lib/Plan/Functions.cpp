// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From operations of arith and math to functions of the vector unit.

#include "Functions.h"

#include "drawloom/Tile/Tile.h"
#include "drawloom/Tile/VectorFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace drawloom::plan {

static StringRef tileFunction(Operation *op) {
  if (StringRef function = tile::vectorFunction(op); !function.empty())
    return function;
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<arith::CmpFOp, arith::CmpIOp>([](auto) { return "compare"; })
      .Case([](arith::SelectOp) { return "where"; })
      .Case<arith::UIToFPOp, arith::SIToFPOp>([](auto) { return "sitofp"; })
      .Case<arith::FPToUIOp, arith::FPToSIOp>([](auto) { return "fptosi"; })
      // A mask costs nothing on interior tiles.
      .Case<arith::ExtFOp, arith::TruncFOp, arith::ConstantOp, tile::MaskOp>([](auto) { return ""; })
      .Default([](Operation *other) {
        bool known = isa<arith::ArithDialect, math::MathDialect>(other->getDialect());
        return known ? other->getName().stripDialect() : StringRef();
      });
}

StringRef functionOf(Operation *op, std::optional<unsigned> constant) {
  StringRef function = tileFunction(op);
  if (!constant)
    return function;
  // By a number is times its inverse, a number by is an inverse times it.
  if (function == "div")
    return *constant == 1 ? "mul_scalar" : "recip";
  return llvm::StringSwitch<StringRef>(function)
      .Case("add", "add_scalar")
      .Case("sub", "sub_scalar")
      .Case("mul", "mul_scalar")
      .Case("max", "max_scalar")
      .Case("min", "min_scalar")
      .Default(function);
}

std::optional<TileOp> matrixOperation(StringRef function) {
  return llvm::StringSwitch<std::optional<TileOp>>(function)
      .Case("add", TileOp::Add)
      .Case("sub", TileOp::Sub)
      .Case("mul", TileOp::Mul)
      .Default(std::nullopt);
}

} // namespace drawloom::plan
