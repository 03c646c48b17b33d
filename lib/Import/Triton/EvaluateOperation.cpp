// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic of one operation: integers, pointers and descriptors.

#include "EvaluateOperation.h"

#include "drawloom/Tile/Integers.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace drawloom::tt {

ArrayRef<int64_t> laneShape(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

Unknown OperationEvaluator::inherit() {
  for (Value operand : op->getOperands())
    if (auto *found = kernel.as<Unknown>(operand))
      return *found;
  return unknown(
      llvm::formatv("the result of `{0}`, which is not followed", op->getName())
          .str());
}

/// A narrow integer that could overflow is not the affine value it looks like.
IndexValue OperationEvaluator::checked(const IndexExpr &value) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  auto range = rangeOf(value, loops);
  if (!isModest(value, loops))
    return unknown("arithmetic that leaves 64 bits, or nearly, in this launch");
  if (!range || !type.isInteger() || type.getIntOrFloatBitWidth() >= 64)
    return value;
  int64_t limit = int64_t(1) << (type.getIntOrFloatBitWidth() - 1);
  if (range->low >= -limit && range->high < limit)
    return value;
  return unknown(
      llvm::formatv(
          "arithmetic that overflows {0} bits in this launch (it reaches {1}); "
          "cast to tl.int64 first",
          type.getIntOrFloatBitWidth(),
          range->high >= limit ? range->high : range->low)
          .str());
}

IndexValue OperationEvaluator::orUnknown(MaybeIndex value, const Twine &why) {
  return value ? checked(*value) : IndexValue(unknown(why));
}

IndexValue OperationEvaluator::constant(arith::ConstantOp constant) {
  Attribute value = constant.getValue();
  if (auto dense = dyn_cast<SplatElementsAttr>(value))
    value = dense.getSplatValue<Attribute>();
  auto integer = dyn_cast<IntegerAttr>(value);
  if (!integer || integer.getValue().getBitWidth() > 64)
    return unknown("a constant that is not an integer");
  if (integer.getType().isInteger(1))
    return integer.getValue().isZero() ? Condition{{IndexExpr(-1, shape)}}
                                       : Condition{};
  return IndexExpr(integer.getValue().getSExtValue(), shape);
}

/// Whether a value is computed from what a load gave.
static bool isFromMemory(Value value) {
  SmallVector<Value> rest = {value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!rest.empty()) {
    Operation *op = rest.pop_back_val().getDefiningOp();
    if (isa_and_nonnull<LoadOp, DescriptorLoadOp>(op))
      return true;
    if (op && seen.insert(op).second)
      llvm::append_range(rest, op->getOperands());
  }
  return false;
}

/// A value as an index: data with one integer for each lane of one axis is a
/// symbol along that axis.
MaybeIndex OperationEvaluator::asIndex(Value value) {
  if (auto *index = kernel.as<IndexExpr>(value))
    return *index;
  Type element = getElementTypeOrSelf(value.getType());
  if (!kernel.isData(value) || !isa<IntegerType>(element) ||
      element.isInteger(1) || !isa<RankedTensorType>(value.getType()) ||
      !isFromMemory(value))
    return std::nullopt;
  if (laneShape(value.getType()).size() == 1)
    return kernel.symbolOf(value);
  Operation *definition = value.getDefiningOp();
  if (!isa_and_nonnull<ExpandDimsOp, BroadcastOp>(definition))
    return std::nullopt;
  MaybeIndex source = asIndex(definition->getOperand(0));
  if (!source)
    return std::nullopt;
  ArrayRef<int64_t> lanes = laneShape(value.getType());
  SmallVector<int64_t> from(lanes.size(), -1);
  auto expand = dyn_cast<ExpandDimsOp>(definition);
  for (int64_t d = 0, axis = 0; d < int64_t(from.size()); ++d)
    from[d] = expand && d == int64_t(expand.getAxis()) ? -1 : axis++;
  return moveLanes(*source, lanes, from);
}

IndexValue OperationEvaluator::binary(
    llvm::function_ref<IndexValue(const IndexExpr &, const IndexExpr &)>
        function) {
  auto *a = operand<IndexExpr>(0), *b = operand<IndexExpr>(1);
  if (a && b)
    return function(*a, *b);
  // On one lane axis the result can become a symbol when it is needed.
  if (shape.size() < 2 || (!a && !b))
    return inherit();
  MaybeIndex left = asIndex(op->getOperand(0)),
             right = asIndex(op->getOperand(1));
  return left && right ? function(*left, *right) : IndexValue(inherit());
}

/// What an integer load gives: a symbol where one value, or one lane axis, may
/// serve as an index.
IndexValue OperationEvaluator::loaded() {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (isa<IntegerType>(element) && !element.isInteger(1) && shape.size() <= 1)
    return kernel.symbolOf(op->getResult(0));
  return unknown("a value loaded from memory");
}

/// A scalar computed from integers of memory in a way that is not affine.
IndexValue OperationEvaluator::opaque(const Unknown &why) {
  Value result = op->getResult(0);
  Type type = result.getType();
  bool fromMemory = false;
  for (Value operand : op->getOperands()) {
    if (operand.getType().isInteger(1))
      continue;
    auto *index = kernel.as<IndexExpr>(operand);
    if (!index || !index->wraps.empty())
      return why;
    fromMemory |= !index->symbols.empty();
  }
  if (isa<arith::SelectOp>(op))
    fromMemory |= kernel.as<Condition>(op->getOperand(0)) &&
                  !columnOf(*kernel.as<Condition>(op->getOperand(0)));
  bool suits = isa<IntegerType>(type) && !type.isInteger(1);
  return fromMemory && suits && isIndexArithmetic(op)
             ? IndexValue(kernel.symbolOf(result))
             : IndexValue(why);
}

/// Any integer operation on values that only depend on the program.
IndexValue OperationEvaluator::perProgram(const IndexExpr &a,
                                          const IndexExpr &b) {
  if (!a.isColumn() || !b.isColumn())
    return unknown(
        llvm::formatv("`{0}` of a lane or loop index", op->getName()).str());
  bool isUnsigned =
      isa<arith::DivUIOp, arith::RemUIOp, arith::MinUIOp, arith::MaxUIOp>(op);
  tile::IntegerRule rule = tile::integerRule(op);
  auto value = Column::map(
      a.base, b.base, [&](int64_t x, int64_t y) -> std::optional<int64_t> {
        bool hasValue = rule && !(isUnsigned && (x < 0 || y < 0));
        return hasValue ? rule(x, y) : std::nullopt;
      });
  if (!value)
    return unknown(llvm::formatv("`{0}`, which has no value in some program",
                                 op->getName())
                       .str());
  return checked(IndexExpr(*value, shape));
}

IndexValue OperationEvaluator::divided(const IndexExpr &a, const IndexExpr &b) {
  if (a.isColumn() && b.isColumn())
    return perProgram(a, b);
  auto divisor = b.constant();
  MaybeIndex result = divisor ? divide(a, *divisor, loops) : std::nullopt;
  if (!result && divisor && divides(a))
    result = kernel.evenDivision(a, *divisor, /*isRemainder=*/false);
  if (!result && divisor && divides(a))
    result = kernel.division(a, *divisor, /*isRemainder=*/false);
  return orUnknown(result,
                   "a division of lane or loop indices that is not affine");
}

/// Whether a division of `a` rounds as it does in the kernel, towards zero:
/// values of lanes that memory holds are taken to be non-negative.
bool OperationEvaluator::divides(const IndexExpr &a) {
  auto range = rangeOf(a, loops);
  bool lookedUp = a.hasLaneSymbol() && a.base.min() >= 0 &&
                  llvm::all_of(a.symbols, [](auto &term) {
                    return term.second.factor == 1;
                  });
  return (range && range->low >= 0) || (!range && lookedUp);
}

IndexValue OperationEvaluator::remainder(const IndexExpr &a,
                                         const IndexExpr &b) {
  if (a.isColumn() && b.isColumn())
    return perProgram(a, b);
  auto modulus = b.constant();
  MaybeIndex result = modulus ? modulo(a, *modulus, loops) : std::nullopt;
  if (result && !result->wraps.empty())
    if (MaybeIndex even = kernel.evenDivision(a, *modulus, /*isRemainder=*/true))
      return checked(*even);
  if (!result && modulus && divides(a))
    result = kernel.division(a, *modulus, /*isRemainder=*/true);
  if (result) // where the wrap-around must be exact, its symbol is there
    for (const Wrap &wrap : result->wraps)
      (void)kernel.division(*wrap.inner, wrap.modulus, /*isRemainder=*/true);
  return orUnknown(result,
                   "a `%` of lane or loop indices that may be negative or "
                   "whose modulus varies");
}

IndexValue OperationEvaluator::extreme(const IndexExpr &a, const IndexExpr &b,
                                       bool greatest) {
  if (a.isColumn() && b.isColumn())
    return perProgram(a, b);
  MaybeIndex difference = subtract(a, b);
  auto range = difference ? rangeOf(*difference, loops) : std::nullopt;
  if (range && range->low >= 0)
    return greatest ? a : b;
  if (range && range->high <= 0)
    return greatest ? b : a;
  return unknown("a minimum or maximum of lane or loop indices");
}

IndexValue OperationEvaluator::shifted(const IndexExpr &a, const IndexExpr &b,
                                       bool left) {
  auto amount = b.constant();
  if (!amount || *amount < 0 || *amount > 62)
    return unknown("a shift by an amount that varies");
  int64_t power = int64_t(1) << *amount;
  return orUnknown(left ? scale(a, power) : divide(a, power, loops),
                   "a shift of lane or loop indices that is not affine");
}

/// Widening, narrowing and renaming of integers.
IndexValue OperationEvaluator::converted() {
  if (auto *condition = operand<Condition>(0)) {
    auto column = columnOf(*condition);
    if (!column || isa<arith::ExtSIOp>(op))
      return unknown("a mask used as a number");
    return IndexExpr(*column, shape);
  }
  auto *value = operand<IndexExpr>(0);
  if (!value)
    return inherit();
  auto range = rangeOf(*value, loops);
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op) &&
      (!range || range->low < 0))
    return unknown("a negative number taken as unsigned");
  if (getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1))
    return unknown("a number used as a mask");
  return checked(*value);
}

std::optional<unsigned> OperationEvaluator::axisNumber(StringRef axis) {
  return llvm::StringSwitch<std::optional<unsigned>>(axis)
      .Case("x", 0)
      .Case("y", 1)
      .Case("z", 2)
      .Default(std::nullopt);
}

IndexValue OperationEvaluator::programId(StringRef axis) {
  auto number = axisNumber(axis);
  if (!number)
    return unknown("a launch axis other than x, y or z");
  std::vector<int64_t> ids;
  for (const ProgramPoint &program : kernel.programs())
    ids.push_back(program.ids[*number]);
  return IndexExpr(Column::of(std::move(ids)));
}

IndexValue OperationEvaluator::numPrograms(StringRef axis) {
  auto number = axisNumber(axis);
  return number ? IndexValue(IndexExpr(kernel.launch.grid[*number]))
                : unknown("a launch axis other than x, y or z");
}

/// A bool takes a byte in memory, and is loaded and stored as one.
IndexValue OperationEvaluator::bytesOfBools() {
  auto pointeeOf = [](Value value) {
    auto pointer = dyn_cast<PointerType>(getElementTypeOrSelf(value.getType()));
    return pointer ? pointer.getPointee() : Type();
  };
  Type from = pointeeOf(op->getOperand(0)), to = pointeeOf(op->getResult(0));
  bool suits = from && to && from.isInteger(1) && to.isInteger(8);
  return suits ? kernel.at(op->getOperand(0)) : IndexValue(inherit());
}

IndexValue OperationEvaluator::addPointer() {
  auto *pointer = operand<Pointer>(0);
  MaybeIndex offset = asIndex(op->getOperand(1));
  MaybeIndex sum =
      pointer && offset ? add(pointer->offset, *offset) : std::nullopt;
  return sum ? IndexValue(Pointer{pointer->argument, *sum}) : inherit();
}

IndexValue OperationEvaluator::descriptor(MakeTensorDescOp op) {
  auto *base = kernel.as<Pointer>(op.getBase());
  if (!base)
    return inherit();
  Descriptor descriptor = {*base, {}, {}, false};
  auto gather = [&](ValueRange values, SmallVectorImpl<int64_t> &constants) {
    for (Value value : values) {
      auto *index = kernel.as<IndexExpr>(value);
      auto constant = index ? index->constant() : std::nullopt;
      if (!constant)
        return false;
      constants.push_back(*constant);
    }
    return true;
  };
  if (!gather(op.getShape(), descriptor.shape) ||
      !gather(op.getStrides(), descriptor.strides))
    return unknown(
        "a descriptor whose shape or strides differ between programs");
  if (auto padding = dyn_cast_or_null<IntegerAttr>(op.getPaddingAttr()))
    descriptor.padsWithNaN = padding.getInt() == 2;
  return descriptor;
}

/// The operand's lanes in another arrangement.
IndexValue OperationEvaluator::moved(ArrayRef<int64_t> from) {
  auto move = [&](const IndexExpr &value) {
    return moveLanes(value, shape, from);
  };
  if (auto *value = operand<IndexExpr>(0))
    return move(*value);
  if (auto *pointer = operand<Pointer>(0))
    return Pointer{pointer->argument, move(pointer->offset)};
  if (auto *condition = operand<Condition>(0)) {
    Condition result;
    result.partial = condition->partial;
    for (const IndexExpr &term : condition->terms)
      result.terms.push_back(move(term));
    for (const IndexExpr &term : condition->implied)
      result.implied.push_back(move(term));
    return result;
  }
  return inherit();
}

IndexValue OperationEvaluator::evaluate() {
  IndexValue value = evaluateKnown();
  auto *why = std::get_if<Unknown>(&value);
  return why && shape.empty() ? opaque(*why) : value;
}

IndexValue OperationEvaluator::evaluateKnown() {
  using Index = const IndexExpr &;
  auto exact = [&](MaybeIndex value) {
    return orUnknown(
        value,
        "a product of two values that vary, or one that overflows 64 bits");
  };
  auto of = [&](auto function) {
    return [this, function](auto) { return binary(function); };
  };
  return llvm::TypeSwitch<Operation *, IndexValue>(op)
      .Case<arith::ConstantOp>([&](auto c) { return constant(c); })
      .Case<arith::AddIOp>(
          of([&](Index a, Index b) { return exact(add(a, b)); }))
      .Case<arith::SubIOp>(
          of([&](Index a, Index b) { return exact(subtract(a, b)); }))
      .Case<arith::MulIOp>(
          of([&](Index a, Index b) { return exact(multiply(a, b)); }))
      .Case<arith::DivSIOp, arith::DivUIOp>(
          of([&](Index a, Index b) { return divided(a, b); }))
      .Case<arith::RemSIOp, arith::RemUIOp>(
          of([&](Index a, Index b) { return remainder(a, b); }))
      .Case<arith::FloorDivSIOp, arith::CeilDivSIOp>(
          of([&](Index a, Index b) { return perProgram(a, b); }))
      .Case<arith::MinSIOp, arith::MinUIOp>(
          of([&](Index a, Index b) { return extreme(a, b, false); }))
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          of([&](Index a, Index b) { return extreme(a, b, true); }))
      .Case<arith::ShLIOp>(
          of([&](Index a, Index b) { return shifted(a, b, true); }))
      .Case<arith::ShRSIOp, arith::ShRUIOp>(
          of([&](Index a, Index b) { return shifted(a, b, false); }))
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
          [&](auto) { return logical(); })
      .Case<arith::CmpIOp>([&](auto c) { return compare(c); })
      .Case<arith::SelectOp>([&](auto) { return select(); })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp,
            arith::IndexCastUIOp>([&](auto) { return converted(); })
      .Default([&](Operation *) { return evaluateTriton(); });
}

/// Programs, lanes and pointers.
IndexValue OperationEvaluator::evaluateTriton() {
  SmallVector<int64_t> from(shape.size(), -1);
  return llvm::TypeSwitch<Operation *, IndexValue>(op)
      .Case<GetProgramIdOp>([&](auto id) { return programId(id.getAxis()); })
      .Case<GetNumProgramsOp>([&](auto n) { return numPrograms(n.getAxis()); })
      .Case<MakeRangeOp>([&](auto range) {
        IndexExpr lanes(int32_t(range.getStart()), shape);
        lanes.lanes[0] = 1;
        return lanes;
      })
      .Case<SplatOp>([&](auto) { return moved(from); })
      .Case<BroadcastOp>([&](auto) {
        std::iota(from.begin(), from.end(), 0);
        return moved(from);
      })
      .Case<ExpandDimsOp>([&](auto expand) {
        for (int64_t d = 0, axis = 0; d < int64_t(from.size()); ++d)
          from[d] = d == int64_t(expand.getAxis()) ? -1 : axis++;
        return moved(from);
      })
      .Case<TransOp>([&](auto trans) {
        llvm::copy(trans.getOrder(), from.begin());
        return moved(from);
      })
      .Case<AddPtrOp>([&](auto) { return addPointer(); })
      .Case<BitcastOp>([&](auto) { return bytesOfBools(); })
      .Case<MakeTensorDescOp>([&](auto make) { return descriptor(make); })
      .Case<LoadOp>([&](auto) { return loaded(); })
      .Case<DescriptorLoadOp>(
          [&](auto) { return unknown("a value loaded from memory"); })
      .Default([&](Operation *) { return inherit(); });
}

IndexValue evaluateOperation(const Kernel &kernel, Operation *op) {
  return OperationEvaluator(kernel, op).evaluate();
}

} // namespace drawloom::tt
