// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a reduction may start from.

#include "Identity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace drawloom::tt {

using Tuple = SmallVector<TypedAttr>;

//===-- One operation -------------------------------------------------------//

static TypedAttr infinity(Type type, bool negative) {
  auto floating = cast<FloatType>(type);
  return FloatAttr::get(
      type, APFloat::getInf(floating.getFloatSemantics(), negative));
}

static TypedAttr identityOf(Operation *op) {
  Type type = op->getResult(0).getType();
  unsigned width = type.getIntOrFloatBitWidth();
  auto integer = [&](APInt value) -> TypedAttr {
    return IntegerAttr::get(type, value);
  };
  return llvm::TypeSwitch<Operation *, TypedAttr>(op)
      .Case<arith::AddFOp>([&](auto) { return FloatAttr::get(type, 0.0); })
      .Case<arith::MulFOp>([&](auto) { return FloatAttr::get(type, 1.0); })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto) { return infinity(type, true); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [&](auto) { return infinity(type, false); })
      .Case<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(
          [&](auto) { return integer(APInt(width, 0)); })
      .Case<arith::MulIOp>([&](auto) { return integer(APInt(width, 1)); })
      .Case<arith::AndIOp, arith::MinUIOp>(
          [&](auto) { return integer(APInt::getAllOnes(width)); })
      .Case<arith::MaxSIOp>(
          [&](auto) { return integer(APInt::getSignedMinValue(width)); })
      .Case<arith::MinSIOp>(
          [&](auto) { return integer(APInt::getSignedMaxValue(width)); })
      .Default([](Operation *) { return TypedAttr(); });
}

static Operation *onlyOperation(Block &combiner) {
  if (combiner.getOperations().size() != 2)
    return nullptr;
  Operation *step = &combiner.front();
  bool plain = step->getNumOperands() == 2 && step->getNumResults() == 1 &&
               combiner.back().getOperand(0) == step->getResult(0) &&
               step->getOperand(0) != step->getOperand(1) &&
               llvm::all_of(step->getOperands(),
                            [](Value v) { return isa<BlockArgument>(v); });
  return plain ? step : nullptr;
}

//===-- By examples ---------------------------------------------------------//

/// What the combiner makes of two tuples; nothing where it does not fold.
static std::optional<Tuple> combine(Block &combiner, const Tuple &a,
                                    const Tuple &b) {
  llvm::DenseMap<Value, Attribute> values;
  auto valueOf = [&](Value value) { // constants may stand outside
    Attribute known = values.lookup(value);
    if (!known)
      (void)matchPattern(value, m_Constant(&known));
    return known;
  };
  for (auto [i, argument] : llvm::enumerate(combiner.getArguments()))
    values[argument] = i < a.size() ? a[i] : b[i - a.size()];
  for (Operation &op : combiner.without_terminator()) {
    SmallVector<Attribute> operands;
    for (Value operand : op.getOperands()) {
      operands.push_back(valueOf(operand));
      if (!operands.back())
        return std::nullopt;
    }
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      auto condition = dyn_cast<IntegerAttr>(operands[0]);
      values[select] =
          operands[condition && !condition.getValue().isZero() ? 1 : 2];
      continue;
    }
    SmallVector<OpFoldResult> folded;
    if (op.getNumResults() != 1 || failed(op.fold(operands, folded)) ||
        folded.size() != 1)
      return std::nullopt;
    auto value = dyn_cast<Value>(folded[0]);
    values[op.getResult(0)] =
        value ? valueOf(value) : cast<Attribute>(folded[0]);
  }
  Tuple results;
  for (Value result : combiner.getTerminator()->getOperands()) {
    auto typed = dyn_cast_or_null<TypedAttr>(valueOf(result));
    if (!typed)
      return std::nullopt;
    results.push_back(typed);
  }
  return results;
}

/// Examples of values; `extreme` ones tell candidates apart that the others
/// leave equal (an index beside a maximum of -inf).
static TypedAttr example(Type type, unsigned number, bool extreme) {
  static const double floats[] = {1.5, -2.25, 3, -0.5, 7.75, 1, -6, 0.125};
  static const int64_t integers[] = {1, 5, 2, 100, 0, 33, 7, 12};
  if (!isa<FloatType>(type))
    return IntegerAttr::get(type, type.isInteger(1) ? number % 2
                                                    : integers[number % 8]);
  return extreme ? infinity(type, number % 2 == 0)
                 : FloatAttr::get(type, floats[number % 8]);
}

static SmallVector<TypedAttr> candidatesFor(Type type) {
  Builder builder(type.getContext());
  if (isa<FloatType>(type))
    return {FloatAttr::get(type, 0.0), FloatAttr::get(type, 1.0),
            infinity(type, true), infinity(type, false)};
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 1)
    return {builder.getBoolAttr(false), builder.getBoolAttr(true)};
  return {IntegerAttr::get(type, 0), IntegerAttr::get(type, 1),
          IntegerAttr::get(type, APInt::getSignedMaxValue(width)),
          IntegerAttr::get(type, APInt::getSignedMinValue(width))};
}

/// How many extreme examples the candidate leaves as they are, which must be
/// all of the others; -1 where it changes one.
static int judge(Block &combiner, const Tuple &candidate) {
  int kept = 0;
  for (unsigned number = 0; number < 16; ++number) {
    bool extreme = number >= 12;
    Tuple tuple;
    for (auto [i, value] : llvm::enumerate(candidate))
      tuple.push_back(
          example(value.getType(), number * (i + 1) + i, extreme && i == 0));
    bool same = combine(combiner, candidate, tuple) == tuple &&
                combine(combiner, tuple, candidate) == tuple;
    if (!same && !extreme)
      return -1;
    kept += same;
  }
  return kept;
}

std::optional<Tuple> identityOf(Block &combiner) {
  if (Operation *step = onlyOperation(combiner)) {
    TypedAttr known = identityOf(step);
    return known ? std::optional(Tuple{known}) : std::nullopt;
  }
  unsigned count = combiner.getNumArguments() / 2;
  if (count > 3)
    return std::nullopt;
  SmallVector<Tuple> choices = {{}};
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<Tuple> longer;
    for (const Tuple &choice : choices)
      for (TypedAttr value : candidatesFor(combiner.getArgument(i).getType())) {
        longer.push_back(choice);
        longer.back().push_back(value);
      }
    choices = longer;
  }
  int best = -1;
  std::optional<Tuple> found;
  for (const Tuple &choice : choices)
    if (int kept = judge(combiner, choice); kept > best) {
      best = kept;
      found = choice;
    }
  return found;
}

} // namespace drawloom::tt
