// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic of a kernel to operations on registers.
#include "KernelCompiler.h"

#include "drawloom/Sim/SimError.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom::task;

namespace drawloom::sim {

static std::optional<Op> compareOp(arith::CmpIPredicate predicate,
                                   bool &swapped) {
  swapped =
      llvm::is_contained({arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge,
                          arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge},
                         predicate);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return Op::Equal;
  case arith::CmpIPredicate::ne:
    return Op::NotEqual;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sgt:
    return Op::Less;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::sge:
    return Op::LessEqual;
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ugt:
    return Op::LessUnsigned;
  case arith::CmpIPredicate::ule:
  case arith::CmpIPredicate::uge:
    return Op::LessEqualUnsigned;
  }
  return std::nullopt;
}

static std::optional<Op> scalarOp(Operation &op) {
  using Result = std::optional<Op>;
  return llvm::TypeSwitch<Operation *, Result>(&op)
      .Case([](arith::AddIOp) { return Op::Add; })
      .Case([](arith::SubIOp) { return Op::Sub; })
      .Case([](arith::MulIOp) { return Op::Mul; })
      .Case<arith::DivSIOp, arith::DivUIOp>([](auto) { return Op::DivTrunc; })
      .Case<arith::RemSIOp, arith::RemUIOp>([](auto) { return Op::RemTrunc; })
      .Case([](arith::FloorDivSIOp) { return Op::DivFloor; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [](auto) { return Op::DivCeil; })
      .Case([](arith::MinSIOp) { return Op::Min; })
      .Case([](arith::MaxSIOp) { return Op::Max; })
      .Case([](arith::MinUIOp) { return Op::MinUnsigned; })
      .Case([](arith::MaxUIOp) { return Op::MaxUnsigned; })
      .Case([](arith::AndIOp) { return Op::And; })
      .Case([](arith::OrIOp) { return Op::Or; })
      .Case([](arith::XOrIOp) { return Op::Xor; })
      .Case([](arith::SelectOp) { return Op::Select; })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>(
          [](auto) { return Op::Copy; })
      .Default([](Operation *) { return std::nullopt; });
}

LogicalResult KernelCompiler::compileScalar(Operation &op) {
  Value result = op.getResult(0);
  if (auto core = dyn_cast<CoreOp>(op)) {
    registers[result] = core.getDim() == CoreDim::X ? kCoreX : kCoreY;
    return success();
  }
  if (auto fixed = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<IntegerAttr>(fixed.getValue());
    if (!value)
      return success(); // a float is read by the operation that uses it
    bool flag = value.getType().isInteger(1);
    FailureOr<uint16_t> reg =
        constant(flag ? value.getValue().getZExtValue() : value.getInt(), op);
    if (failed(reg))
      return failure();
    registers[result] = *reg;
    return success();
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return compileApply(apply);
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return compileMinMax(op, least.getMap(), Op::Min);
  if (auto most = dyn_cast<affine::AffineMaxOp>(op))
    return compileMinMax(op, most.getMap(), Op::Max);

  bool swapped = false;
  std::optional<Op> kind;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    kind = compareOp(compare.getPredicate(), swapped);
  else
    kind = scalarOp(op);
  if (!kind)
    return emitSimError(op.getLoc(), SimErrorKind::Unmodelled)
           << "scalar operation '" << op.getName()
           << "': kernels compute indices with integer arith, affine.apply, "
              "affine.min and affine.max";
  SmallVector<uint16_t> operands;
  for (Value operand : op.getOperands())
    operands.push_back(registerOf(operand));
  if (swapped)
    std::swap(operands[0], operands[1]);
  if (failed(define(result, op)))
    return failure();
  Instruction &instruction = emit(*kind, op);
  instruction.r[0] = registerOf(result);
  llvm::copy(operands, instruction.r + 1);
  instruction.cost = alu;
  return success();
}

/// `lhs + rhs`, added from left to right.
static AffineExpr sumOf(AffineExpr lhs, AffineExpr rhs) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(rhs);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return lhs + rhs;
  return sumOf(lhs, sum.getLHS()) + sum.getRHS();
}

/// The expression as its text is read. Text has no brackets in sums, so a
/// program would take another time once it was printed and read again.
static AffineExpr asRead(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return expr;
  AffineExpr lhs = asRead(binary.getLHS()), rhs = asRead(binary.getRHS());
  return binary.getKind() == AffineExprKind::Add
             ? sumOf(lhs, rhs)
             : getAffineBinaryOpExpr(binary.getKind(), lhs, rhs);
}

LogicalResult KernelCompiler::compileApply(affine::AffineApplyOp op) {
  AffineMap map = op.getAffineMap();
  FailureOr<uint16_t> reg = compileExpr(asRead(map.getResult(0)),
                                        op.getMapOperands(), map.getNumDims());
  if (failed(reg))
    return failure();
  registers[op.getResult()] = *reg;
  return success();
}

LogicalResult KernelCompiler::compileMinMax(Operation &op, AffineMap map,
                                            Op fold) {
  std::optional<uint16_t> best;
  for (AffineExpr expr : map.getResults()) {
    FailureOr<uint16_t> reg =
        compileExpr(asRead(expr), op.getOperands(), map.getNumDims());
    if (failed(reg))
      return failure();
    if (!best) {
      best = *reg;
      continue;
    }
    FailureOr<uint16_t> folded = newRegister(op);
    if (failed(folded))
      return failure();
    Instruction &instruction = emit(fold, op);
    instruction.r[0] = *folded;
    instruction.r[1] = *best;
    instruction.r[2] = *reg;
    instruction.cost = alu;
    best = *folded;
  }
  registers[op.getResult(0)] = *best;
  return success();
}

static std::optional<Op> exprOp(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return Op::Add;
  case AffineExprKind::Mul:
    return Op::Mul;
  case AffineExprKind::Mod:
    return Op::ModFloor;
  case AffineExprKind::FloorDiv:
    return Op::DivFloor;
  case AffineExprKind::CeilDiv:
    return Op::DivCeil;
  default:
    return std::nullopt;
  }
}

/// `a * constant`, if `expr` is that.
static std::optional<std::pair<AffineExpr, int64_t>> scaled(AffineExpr expr) {
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!product || product.getKind() != AffineExprKind::Mul)
    return std::nullopt;
  if (auto factor = dyn_cast<AffineConstantExpr>(product.getRHS()))
    return std::pair(product.getLHS(), factor.getValue());
  return std::nullopt;
}

FailureOr<uint16_t> KernelCompiler::compileExpr(AffineExpr expr,
                                                ValueRange operands,
                                                unsigned dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return registerOf(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return registerOf(operands[dims + symbol.getPosition()]);
  if (auto fixed = dyn_cast<AffineConstantExpr>(expr))
    return constant(fixed.getValue(), *kernel);

  auto binary = cast<AffineBinaryOpExpr>(expr);
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS();
  Op kind = *exprOp(expr.getKind());
  int64_t imm = 0;
  auto fixed = dyn_cast<AffineConstantExpr>(rhs);
  if (fixed && (kind == Op::Add || kind == Op::Mul)) {
    kind = kind == Op::Add ? Op::AddImm : Op::MulImm;
    imm = fixed.getValue();
  } else if (kind == Op::Add && (scaled(lhs) || scaled(rhs))) {
    if (!scaled(lhs))
      std::swap(lhs, rhs);
    std::tie(lhs, imm) = *scaled(lhs);
    kind = Op::MulAdd;
  }
  FailureOr<uint16_t> left = compileExpr(lhs, operands, dims);
  FailureOr<uint16_t> right =
      imm != 0 && kind != Op::MulAdd ? left : compileExpr(rhs, operands, dims);
  FailureOr<uint16_t> reg = newRegister(*kernel);
  if (failed(left) || failed(right) || failed(reg))
    return failure();
  Instruction &instruction = emit(kind, *kernel);
  instruction.r[0] = *reg;
  instruction.r[1] = *left;
  instruction.r[2] = *right;
  instruction.imm = imm;
  instruction.cost = alu;
  return *reg;
}

} // namespace drawloom::sim
