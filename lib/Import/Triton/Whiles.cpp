// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that count though they are written with `while`, as loops over a range.
//
// `while lower <= i and i < end: ...; i += step` runs while `i < end`, from where
// i starts, if all else holds there: only i changes, and it only grows.

#include "Whiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace drawloom::tt {
namespace {

class Counted {
public:
  explicit Counted(scf::WhileOp loop)
      : loop(loop), before(loop.getBeforeBody()), builder(loop) {}
  /// Whether the loop counts; if so a `for` is in its place.
  bool replace();

private:
  bool isOutside(Value value) const {
    return !loop->isProperAncestor(value.getParentRegion()->getParentOp()) &&
           value.getParentRegion()->getParentOp() != loop;
  }
  bool isInvariant(Value value) const;
  bool isPure() const;
  bool findCounter();
  bool findEnd(unsigned counter);
  bool bounds(arith::CmpIOp compare, unsigned counter);
  /// Copies of what the condition is made of, for given values of its operands.
  IRMapping copyCondition(OpBuilder &b, ValueRange operands);
  void write();

  scf::WhileOp loop;
  Block *before;
  OpBuilder builder;
  unsigned counter = 0;
  Value step, end; ///< outside, and in the condition's block
  bool endIsIncluded = false;
  bool onlyEnds = true; ///< the condition is nothing but `i < end`
};

} // namespace

bool Counted::isInvariant(Value value) const {
  if (isOutside(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == before &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isInvariant(operand); });
}

/// Whether the condition only computes, so that it may be computed again.
bool Counted::isPure() const {
  return llvm::all_of(before->without_terminator(), [](Operation &op) {
    return mlir::isPure(&op) && op.getNumRegions() == 0;
  });
}

/// One comparison of the condition: the end of what is counted, or something
/// that stays true.
bool Counted::bounds(arith::CmpIOp compare, unsigned counter) {
  using P = arith::CmpIPredicate;
  Value index = before->getArgument(counter);
  Value left = compare.getLhs(), right = compare.getRhs();
  P predicate = compare.getPredicate();
  if (isInvariant(left) && isInvariant(right))
    return true;
  if (right == index) {
    std::swap(left, right);
    predicate = predicate == P::slt   ? P::sgt
                : predicate == P::sle ? P::sge
                : predicate == P::sgt ? P::slt
                : predicate == P::sge ? P::sle
                                      : P::eq;
  }
  if (left != index || !isInvariant(right))
    return false;
  if (predicate == P::sgt || predicate == P::sge)
    return true;
  if (end || (predicate != P::slt && predicate != P::sle))
    return false;
  end = right;
  endIsIncluded = predicate == P::sle;
  return true;
}

bool Counted::findEnd(unsigned counter) {
  end = {};
  unsigned comparisons = 0;
  SmallVector<Value> conditions = {loop.getConditionOp().getCondition()};
  while (!conditions.empty()) {
    Value condition = conditions.pop_back_val();
    if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
      conditions.append({both.getLhs(), both.getRhs()});
      continue;
    }
    ++comparisons;
    auto compare = condition.getDefiningOp<arith::CmpIOp>();
    if (!isInvariant(condition) && (!compare || !bounds(compare, counter)))
      return false;
  }
  onlyEnds = comparisons == 1;
  return bool(end);
}

/// The integer that grows by the same amount in every iteration and that the
/// condition compares.
bool Counted::findCounter() {
  auto forwarded = loop.getConditionOp().getArgs();
  for (auto [number, yielded] :
       llvm::enumerate(loop.getYieldOp().getOperands())) {
    auto sum = yielded.getDefiningOp<arith::AddIOp>();
    if (!sum)
      continue;
    for (auto [old, grown] : {std::pair(sum.getLhs(), sum.getRhs()),
                              std::pair(sum.getRhs(), sum.getLhs())}) {
      auto argument = dyn_cast<BlockArgument>(old);
      bool counts = argument && argument.getOwner() == loop.getAfterBody() &&
                    forwarded[argument.getArgNumber()] ==
                        before->getArgument(number) &&
                    isOutside(grown);
      if (counts && findEnd(number)) {
        counter = number;
        step = grown;
        return true;
      }
    }
  }
  return false;
}

IRMapping Counted::copyCondition(OpBuilder &b, ValueRange operands) {
  IRMapping mapping;
  mapping.map(before->getArguments(), operands);
  for (Operation &op : before->without_terminator())
    b.clone(op, mapping);
  return mapping;
}

void Counted::write() {
  Location loc = loop.getLoc();
  scf::ConditionOp condition = loop.getConditionOp();
  ValueRange inits = loop.getInits();
  Value first = inits[counter];
  IRMapping start = copyCondition(builder, inits);
  Value last = start.lookupOrDefault(end);
  if (endIsIncluded) {
    Value one = arith::ConstantIntOp::create(builder, loc, last.getType(), 1);
    last = arith::AddIOp::create(builder, loc, last, one);
  }
  // What the counter is afterwards follows from a range that is not negative.
  if (!onlyEnds || !loop.getResults().use_empty())
    last = arith::SelectOp::create(
        builder, loc, start.lookupOrDefault(condition.getCondition()), last,
        first);
  auto counted = scf::ForOp::create(builder, loc, first, last, step, inits);
  OpBuilder inside = OpBuilder::atBlockEnd(counted.getBody());
  IRMapping mapping = copyCondition(inside, counted.getRegionIterArgs());
  for (auto [argument, value] : llvm::zip_equal(
           loop.getAfterBody()->getArguments(), condition.getArgs()))
    mapping.map(argument, mapping.lookupOrDefault(value));
  for (Operation &op : loop.getAfterBody()->without_terminator())
    inside.clone(op, mapping);
  SmallVector<Value> yielded;
  for (Value value : loop.getYieldOp().getOperands())
    yielded.push_back(mapping.lookupOrDefault(value));
  scf::YieldOp::create(inside, loc, yielded);
  IRMapping after = copyCondition(builder, counted.getResults());
  for (auto [result, value] :
       llvm::zip_equal(loop.getResults(), condition.getArgs()))
    result.replaceAllUsesWith(after.lookupOrDefault(value));
  loop.erase();
}

bool Counted::replace() {
  if (!isPure() || !findCounter())
    return false;
  write();
  return true;
}

void countWhiles(FuncOp function) {
  SmallVector<scf::WhileOp> loops;
  function.getBody().walk<WalkOrder::PostOrder>(
      [&](scf::WhileOp loop) { loops.push_back(loop); });
  for (scf::WhileOp loop : loops)
    Counted(loop).replace();
}

} // namespace drawloom::tt
