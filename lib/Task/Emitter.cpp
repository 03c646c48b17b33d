// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic and control flow of kernels, folded as it is written.

#include "Emitter.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

Emitter::Emitter(const Schedule &schedule, KernelOp kernel)
    : schedule(schedule), b(kernel.getContext()), location(kernel.getLoc()),
      top(&kernel.getBody().front()) {
  b.setInsertionPointToEnd(top);
  Value zero = constant(0);
  coordinates.assign(schedule.size(), zero);
  if (schedule.columns() > 1)
    coordinates[Schedule::kX] = create<CoreOp>(b.getIndexType(), CoreDim::X);
  if (schedule.rows() > 1)
    coordinates[Schedule::kY] = create<CoreOp>(b.getIndexType(), CoreDim::Y);
}

Value Emitter::constant(int64_t value) {
  Value &known = constants[value];
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(b);
  if (lastConstant)
    b.setInsertionPointAfter(lastConstant);
  else
    b.setInsertionPointToStart(top);
  auto op = create<arith::ConstantIndexOp>(value);
  lastConstant = op;
  return known = op;
}

Value Emitter::registers(int64_t tiles) {
  return create<RegisterOp>(RegisterType::get(b.getContext()), b.getI64IntegerAttr(tiles),
                            IntegerAttr());
}

Value Emitter::apply(AffineExpr expr, ValueRange more) {
  MLIRContext *ctx = b.getContext();
  SmallVector<Value> values(coordinates);
  values.append(more.begin(), more.end());
  // Constants go into the expression, the rest becomes its operands.
  SmallVector<AffineExpr> dims;
  SmallVector<Value> operands;
  for (auto [position, value] : llvm::enumerate(values)) {
    APInt fixed;
    if (!expr.isFunctionOfDim(position)) {
      dims.push_back(getAffineConstantExpr(0, ctx));
    } else if (matchPattern(value, m_ConstantInt(&fixed))) {
      dims.push_back(getAffineConstantExpr(fixed.getSExtValue(), ctx));
    } else {
      dims.push_back(getAffineDimExpr(operands.size(), ctx));
      operands.push_back(value);
    }
  }
  expr = simplifyAffineExpr(expr.replaceDims(dims), operands.size(), 0);
  if (auto fixed = dyn_cast<AffineConstantExpr>(expr))
    return constant(fixed.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  AffineMap map = AffineMap::get(operands.size(), 0, expr);
  affine::canonicalizeMapAndOperands(&map, &operands);
  return create<affine::AffineApplyOp>(map, operands);
}

Value Emitter::isPositive(AffineExpr expr, ValueRange more) {
  return create<arith::CmpIOp>(arith::CmpIPredicate::sgt, apply(expr, more), constant(0));
}

Value Emitter::all(ArrayRef<Value> conditions) {
  Value result;
  for (Value condition : conditions)
    result = result ? create<arith::AndIOp>(result, condition).getResult() : condition;
  return result;
}

void Emitter::loop(int64_t from, int64_t to, llvm::function_ref<void(Value)> body) {
  if (to <= from)
    return;
  if (to == from + 1)
    return body(constant(from));
  auto loop = create<scf::ForOp>(constant(from), constant(to), constant(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void Emitter::loop(Value from, Value to, llvm::function_ref<void(Value)> body) {
  APInt low, high;
  if (matchPattern(from, m_ConstantInt(&low)) && matchPattern(to, m_ConstantInt(&high)))
    return loop(low.getSExtValue(), high.getSExtValue(), body);
  auto loop = create<scf::ForOp>(from, to, constant(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void Emitter::loopOver(unsigned coordinate, llvm::function_ref<void()> body) {
  Value outside = coordinates[coordinate];
  loop(schedule.extent(coordinate), [&](Value index) {
    coordinates[coordinate] = index;
    body();
  });
  coordinates[coordinate] = outside;
}

/// The places of the numbers among what a loop carries.
static SmallVector<unsigned> numbersIn(scf::ForOp loop) {
  SmallVector<unsigned> numbers;
  for (auto [place, value] : llvm::enumerate(loop.getRegionIterArgs()))
    if (value.getType().isIndex())
      numbers.push_back(place);
  return numbers;
}

void Emitter::loopOver(scf::ForOp source, unsigned coordinate, llvm::function_ref<void()> body) {
  auto low = getConstantIntValue(source.getLowerBound()), high = getConstantIntValue(source.getUpperBound());
  SmallVector<unsigned> numbers = numbersIn(source);
  if (low && high && numbers.empty()) {
    if (*high > *low)
      loopOver(coordinate, body);
    return;
  }
  Value span = create<arith::SubIOp>(number(source.getUpperBound()), number(source.getLowerBound()));
  Value trips = create<arith::CeilDivSIOp>(span, number(source.getStep()));
  Value outside = coordinates[coordinate];
  SmallVector<Value> inits, yielded;
  for (unsigned place : numbers)
    inits.push_back(number(source.getInitArgs()[place]));
  auto loop = create<scf::ForOp>(constant(0), trips, constant(1), inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    coordinates[coordinate] = loop.getInductionVar();
    for (auto [place, value] : llvm::zip_equal(numbers, loop.getRegionIterArgs()))
      coordinates[*schedule.opaque(source.getRegionIterArg(place))] = value;
    body();
    for (unsigned place : numbers)
      yielded.push_back(number(source.getYieldedValues()[place]));
    if (!numbers.empty())
      create<scf::YieldOp>(yielded);
  }
  coordinates[coordinate] = outside;
  for (auto [place, value] : llvm::zip_equal(numbers, loop.getResults()))
    coordinates[*schedule.opaque(source.getResult(place))] = value;
}

Value Emitter::number(Value source) {
  if (source.getType().isIndex())
    if (auto expr = schedule.find(source))
      return apply(*expr);
  return compute(source);
}

Value Emitter::compute(Value source) {
  Operation *op = source.getDefiningOp();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, number(operand));
  return b.clone(*op, mapping)->getResult(cast<OpResult>(source).getResultNumber());
}

void Emitter::when(Value condition, llvm::function_ref<void()> then,
                   llvm::function_ref<void()> otherwise) {
  if (!condition)
    return then();
  auto branch = create<scf::IfOp>(condition, /*withElseRegion=*/static_cast<bool>(otherwise));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  then();
  if (otherwise) {
    b.setInsertionPointToStart(branch.elseBlock());
    otherwise();
  }
}
