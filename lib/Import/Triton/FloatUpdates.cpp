// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic extrema of floats, which Triton makes of updates of their bits.

#include "FloatUpdates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace drawloom::tt {

/// The float32 whose bits `value` is; of a pointer, the pointer to floats.
static Value asFloat(Value value) {
  auto cast = value.getDefiningOp<BitcastOp>();
  if (!cast)
    return {};
  Type from = getElementTypeOrSelf(cast.getSource().getType());
  if (auto pointer = dyn_cast<PointerType>(from))
    from = pointer.getPointee();
  return from.isF32() ? cast.getSource() : Value();
}

/// What must all be true for `mask` to be.
static llvm::SmallSetVector<Value, 4> factorsOf(Value mask) {
  llvm::SmallSetVector<Value, 4> factors;
  SmallVector<Value> open = {mask};
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (auto both = next.getDefiningOp<arith::AndIOp>())
      open.append({both.getLhs(), both.getRhs()});
    else
      factors.insert(next);
  }
  return factors;
}

/// Whether `truth` says that the sign's bit of `bits` is `set`.
static bool isSign(Value truth, Value bits, bool set) {
  if (auto negated = truth.getDefiningOp<arith::XOrIOp>())
    return matchPattern(negated.getRhs(), m_One()) &&
           isSign(negated.getLhs(), bits, !set);
  auto compared = truth.getDefiningOp<arith::CmpIOp>();
  auto predicate = set ? arith::CmpIPredicate::ne : arith::CmpIPredicate::eq;
  if (!compared || compared.getPredicate() != predicate ||
      !matchPattern(compared.getRhs(), m_Zero()))
    return false;
  auto shift = compared.getLhs().getDefiningOp<arith::ShRUIOp>();
  APInt by;
  return shift && shift.getLhs() == bits &&
         matchPattern(shift.getRhs(), m_ConstantInt(&by)) && by == 31;
}

/// The updates of lanes without a sign and with one, and what both make.
struct Pair {
  AtomicRMWOp positive, negative;

  /// Whether both update the same floats, each where the sign is its own.
  bool isExtremum();
  /// One update of floats in their place.
  void join();

  // What isExtremum finds: the floats, and the masks of both.
  Value pointer = {}, value = {};
  SmallVector<Value> masks = {};
};

bool Pair::isExtremum() {
  bool isMax = positive.getKind() == "max" && negative.getKind() == "umin";
  bool isMin = positive.getKind() == "min" && negative.getKind() == "umax";
  ValueRange of = positive.getValues(), other = negative.getValues();
  if ((!isMax && !isMin) || of.size() != 3 || other.size() != 3 ||
      of[0] != other[0] || of[1] != other[1])
    return false;
  pointer = asFloat(of[0]);
  value = asFloat(of[1]);
  if (!pointer || !value)
    return false;
  auto mine = factorsOf(of[2]), others = factorsOf(other[2]);
  auto isOwnSign = [&](const llvm::SmallSetVector<Value, 4> &factors,
                       bool set) {
    return llvm::count_if(factors, [&](Value factor) {
             return isSign(factor, of[1], set);
           }) == 1;
  };
  for (Value factor : mine)
    if (others.contains(factor))
      masks.push_back(factor);
  return mine.size() == masks.size() + 1 && others.size() == mine.size() &&
         isOwnSign(mine, false) && isOwnSign(others, true);
}

void Pair::join() {
  OpBuilder b(negative);
  Location loc = negative.getLoc();
  SmallVector<Value> values = {pointer, value};
  for (Value mask : masks)
    if (values.size() == 2)
      values.push_back(mask);
    else
      values[2] = arith::AndIOp::create(b, loc, values[2], mask);
  StringRef kind = positive.getKind() == "max" ? "fmax" : "fmin";
  auto joined =
      AtomicRMWOp::create(b, loc, value.getType(), kind,
                          negative.getSemantics(), negative.getScope(), values);
  // Whoever looks at what one of them found looks at what the float's finds.
  if (!positive.getResult().use_empty() || !negative.getResult().use_empty()) {
    Value bits = BitcastOp::create(b, loc, positive.getResult().getType(),
                                   joined.getResult());
    positive.getResult().replaceAllUsesWith(bits);
    negative.getResult().replaceAllUsesWith(bits);
  }
  positive.erase();
  negative.erase();
}

/// The next update of memory after `op` in its block, if nothing else touches
/// memory before it.
static AtomicRMWOp updateAfter(Operation *op) {
  do
    op = op->getNextNode();
  while (op && isMemoryEffectFree(op));
  return dyn_cast_or_null<AtomicRMWOp>(op);
}

void joinFloatUpdates(FuncOp function) {
  SmallVector<Pair> pairs;
  function.walk([&](AtomicRMWOp update) {
    Pair pair{update, updateAfter(update)};
    if (pair.negative && pair.isExtremum())
      pairs.push_back(pair);
  });
  for (Pair &pair : pairs)
    pair.join();
}

} // namespace drawloom::tt
