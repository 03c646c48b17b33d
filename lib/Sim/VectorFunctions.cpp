// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the vector unit's functions, and their costs.
#include "VectorFunctions.h"

#include "llvm/ADT/StringSwitch.h"

namespace drawloom::sim {

/// `row_` or `column_` and what combines the lanes.
static std::optional<UnaryFunction> reduction(llvm::StringRef name) {
  bool ofRows = name.consume_front("row_");
  if (!ofRows && !name.consume_front("column_"))
    return std::nullopt;
  std::optional<BinaryFunction> combine = binaryFunction(name);
  if (!combine)
    return std::nullopt;
  return VectorReduction{*combine, ofRows};
}

std::optional<UnaryFunction> unaryFunction(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<UnaryFunction>>(name)
      .Case("exp", VectorUnary::Exp)
      .Case("exp2", VectorUnary::Exp2)
      .Case("exp_approx", VectorUnary::ExpApprox)
      .Case("exp2_approx", VectorUnary::Exp2Approx)
      .Case("log", VectorUnary::Log)
      .Case("log2", VectorUnary::Log2)
      .Case("sqrt", VectorUnary::Sqrt)
      .Case("rsqrt", VectorUnary::Rsqrt)
      .Case("recip", VectorUnary::Recip)
      .Case("sigmoid", VectorUnary::Sigmoid)
      .Case("silu", VectorUnary::Silu)
      .Case("relu", VectorUnary::Relu)
      .Case("gelu", VectorUnary::GeluErf)
      .Case("gelu_tanh", VectorUnary::GeluTanh)
      .Case("tanh", VectorUnary::Tanh)
      .Case("erf", VectorUnary::Erf)
      .Case("sin", VectorUnary::Sin)
      .Case("cos", VectorUnary::Cos)
      .Case("floor", VectorUnary::Floor)
      .Case("ceil", VectorUnary::Ceil)
      .Case("abs", VectorUnary::Abs)
      .Case("neg", VectorUnary::Neg)
      .Case("square", VectorUnary::Square)
      .Case("sitofp", VectorConversion::IntegerToFloat)
      .Case("fptosi", VectorConversion::FloatToInteger)
      .Default(reduction(name));
}

static std::optional<BinaryFunction> comparison(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<BinaryFunction>>(name)
      .Case("eq", VectorBinary::Eq)
      .Case("ne", VectorBinary::Ne)
      .Case("lt", VectorBinary::Lt)
      .Case("le", VectorBinary::Le)
      .Case("gt", VectorBinary::Gt)
      .Case("ge", VectorBinary::Ge)
      .Case("eqi", VectorInteger::Eq)
      .Case("nei", VectorInteger::Ne)
      .Case("lti", VectorInteger::Lt)
      .Case("lei", VectorInteger::Le)
      .Case("gti", VectorInteger::Gt)
      .Case("gei", VectorInteger::Ge)
      .Case("ltui", VectorInteger::LtUnsigned)
      .Default(std::nullopt);
}

std::optional<BinaryFunction> binaryFunction(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<BinaryFunction>>(name)
      .Case("add", VectorBinary::Add)
      .Case("sub", VectorBinary::Sub)
      .Case("mul", VectorBinary::Mul)
      .Case("div", VectorBinary::Div)
      .Case("max", VectorBinary::Max)
      .Case("min", VectorBinary::Min)
      .Case("addi", VectorInteger::Add)
      .Case("subi", VectorInteger::Sub)
      .Case("muli", VectorInteger::Mul)
      .Case("andi", VectorInteger::And)
      .Case("ori", VectorInteger::Or)
      .Case("xori", VectorInteger::Xor)
      .Case("shli", VectorInteger::ShiftLeft)
      .Case("shrui", VectorInteger::ShiftRight)
      .Case("shrsi", VectorInteger::ShiftRightSigned)
      .Case("maxsi", VectorInteger::Max)
      .Case("minsi", VectorInteger::Min)
      .Default(comparison(name));
}

std::optional<double> vectorCycles(const MachineModel &model,
                                   llvm::StringRef name, bool scalar,
                                   bool dst32) {
  if (comparison(name))
    return model.sfpuCycles("compare", dst32);
  if (scalar)
    if (auto cycles = model.sfpuCycles((name + "_scalar").str(), dst32))
      return cycles;
  return model.sfpuCycles(name, dst32);
}

} // namespace drawloom::sim
