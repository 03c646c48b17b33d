// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector unit's operations to instructions.
#include "KernelCompiler.h"

#include "drawloom/Sim/SimError.h"

using namespace mlir;
using namespace drawloom::task;

namespace drawloom::sim {

LogicalResult KernelCompiler::checkIntegers(Operation &op) {
  if (c.program.dstWidth == DstWidth::Bits32)
    return success();
  return emitSimError(op.getLoc(), SimErrorKind::Undefined)
         << op.getName() << " of 32-bit integers, which a Dst of "
         << c.source.getPrecision().getDst()
         << " does not hold; the program needs one of f32";
}

FailureOr<Time> KernelCompiler::vectorCost(Operation &op, StringRef function,
                                           bool scalar) {
  return c.cost(&op,
                vectorCycles(c.model, function, scalar, c.source.isDst32()),
                "vector function '" + function + "'");
}

static InFlightDiagnostic unknown(Operation &op, StringRef function) {
  return emitSimError(op.getLoc(), SimErrorKind::Unmodelled)
         << "function '" << function << "' of the vector unit";
}

LogicalResult KernelCompiler::compileSfpu(SfpuOp op) {
  StringRef function = op.getFunction();
  MathOp math;
  math.unit = MathOp::Unit::Vector;
  std::optional<APFloat> scalar = op.getScalar();
  if (scalar || op.getNumber()) {
    std::optional<BinaryFunction> binary = binaryFunction(function);
    if (!binary || !std::holds_alternative<VectorBinary>(*binary))
      return unknown(*op, function);
    math.scalar = scalar ? scalar->convertToFloat() : 0;
    math.binary = *binary;
  } else {
    std::optional<UnaryFunction> unary = unaryFunction(function);
    if (!unary)
      return unknown(*op, function);
    math.unary = *unary;
  }
  auto *reduction = std::get_if<VectorReduction>(&math.unary);
  bool ofIntegers =
      std::holds_alternative<VectorConversion>(math.unary) ||
      (reduction && std::holds_alternative<VectorInteger>(reduction->combine));
  if (ofIntegers && failed(checkIntegers(*op)))
    return failure();
  FailureOr<Time> cost = vectorCost(*op, function, math.scalar.has_value());
  if (failed(cost) || failed(setRange(op, op.getOf(), math.into)))
    return failure();
  under(math, "sfpu " + function);
  emitMath(*op, Op::Sfpu, math, *cost, {op.getIndex()});
  useNumber(op.getNumber());
  return success();
}

LogicalResult KernelCompiler::compileSfpuBinary(SfpuBinaryOp op) {
  StringRef function = op.getFunction();
  std::optional<BinaryFunction> binary = binaryFunction(function);
  if (!binary)
    return unknown(*op, function);
  if (std::holds_alternative<VectorInteger>(*binary) &&
      failed(checkIntegers(*op)))
    return failure();
  MathOp math;
  math.unit = MathOp::Unit::Vector;
  math.binary = *binary;
  FailureOr<Time> cost = vectorCost(*op, function, false);
  if (failed(cost) || failed(setRange(op, op.getInto(), math.into)) ||
      failed(setRange(op, op.getLhs(), math.first)) ||
      failed(setRange(op, op.getRhs(), math.second)))
    return failure();
  under(math, "sfpu " + function);
  emitMath(*op, Op::SfpuBinary, math, *cost,
           {op.getLhsIndex(), op.getRhsIndex(), op.getIndex()});
  return success();
}

LogicalResult KernelCompiler::compileSelect(SelectOp op) {
  MathOp math;
  math.unit = MathOp::Unit::Vector;
  FailureOr<Time> cost = vectorCost(*op, "where", false);
  if (failed(cost) || failed(setRange(op, op.getInto(), math.into)) ||
      failed(setRange(op, op.getCondition(), math.first)) ||
      failed(setRange(op, op.getYes(), math.second)) ||
      failed(setRange(op, op.getNo(), math.third)))
    return failure();
  under(math, "sfpu select");
  emitMath(*op, Op::Where, math, *cost,
           {op.getConditionIndex(), op.getYesIndex(), op.getNoIndex(),
            op.getIndex()});
  return success();
}

void KernelCompiler::useNumber(Value number) {
  if (!number)
    return;
  Instruction &instruction = code.instructions.back();
  instruction.flags |= kNumberFlag;
  instruction.r[1] = registerOf(number);
}

LogicalResult KernelCompiler::compileFillRegister(FillRegisterOp op) {
  MathOp math;
  math.unit = MathOp::Unit::Vector;
  std::optional<TypedAttr> value = op.getValue();
  if (value ? value->getType().isInteger() : op.getAs()->isInteger()) {
    if (failed(checkIntegers(*op)))
      return failure();
    if (value)
      math.bits = cast<IntegerAttr>(*value).getValue().getZExtValue();
  } else {
    math.scalar = 0;
    if (value)
      math.scalar = cast<FloatAttr>(*value).getValue().convertToFloat();
  }
  FailureOr<Time> cost = vectorCost(*op, "fill", false);
  if (failed(cost) || failed(setRange(op, op.getOf(), math.into)))
    return failure();
  under(math, "sfpu fill");
  emitMath(*op, Op::FillDst, math, *cost, {op.getIndex()});
  useNumber(op.getNumber());
  return success();
}

} // namespace drawloom::sim
