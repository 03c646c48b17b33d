// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An access over the box of programs, and what bounds, loops, conditions and
// its object say of it.

#include "Arrays.h"

using namespace mlir;

namespace drawloom::tt {
namespace {

class Conversion {
public:
  Conversion(const Kernel &kernel, const Linearizer &linearize,
             const Access &access)
      : kernel(kernel), linearize(linearize), access(access),
        converted{&access, linearize(access.offset),        {},
                  {},      linearize.extents(access.shape), 0,
                  {}} {}

  ArrayAccess run() {
    addBounds();
    addTripCounts();
    addConditions();
    boundQuotients();
    if (access.choice)
      endWithObject();
    return std::move(converted);
  }

private:
  void addFact(Linear form) {
    form.factors.resize(converted.extents.size(), 0);
    converted.facts.push_back(std::move(form));
  }
  void addBounds();
  void addTripCounts();
  void addConditions();
  void boundQuotients();
  void endWithObject();

  const Kernel &kernel;
  const Linearizer &linearize;
  const Access &access;
  ArrayAccess converted;
};

} // namespace

/// What its mask and its addresses say.
void Conversion::addBounds() {
  for (const IndexExpr &bound : access.bounds) {
    Linear form = linearize(bound);
    converted.facts.push_back(form);
    bool holds = least(form, converted.extents, {}) >= 0 &&
                 !linearize.dependsOnMemory(form);
    if (!holds && !llvm::is_contained(converted.guards, form))
      converted.guards.push_back(form);
  }
  for (const IndexExpr &bound : access.implied)
    if (auto form = linearize.attempt(bound))
      converted.facts.push_back(*form);
}

/// A loop whose trip count varies runs no further than that.
void Conversion::addTripCounts() {
  for (Operation *op = access.op->getParentOp(); op; op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || kernel.isFlattened(loop) ||
        kernel.factsOf(loop).trips.constant())
      continue;
    const LoopFacts &facts = kernel.factsOf(loop);
    auto addRemaining = [&](Linear remaining, int64_t step) {
      remaining.constant -= 1;
      remaining.factors.resize(converted.extents.size(), 0);
      remaining.factors[linearize.loopStart() + facts.number] -= step;
      addFact(std::move(remaining));
    };
    for (const Linear &trips : linearize.tripsOf(facts))
      addRemaining(trips, 1);
    for (const IndexExpr &span : facts.spans)
      if (auto form = linearize.attempt(span))
        addRemaining(*form, facts.step);
  }
}

/// What the `if`s and early returns around an access say.
void Conversion::addConditions() {
  for (Block *block = access.op->getBlock(); block;
       block = block->getParentOp()->getBlock()) {
    if (const Condition *condition = kernel.holdsIn(block))
      for (const IndexExpr &term : condition->terms)
        if (auto form = linearize.attempt(term))
          addFact(std::move(*form));
    if (block->getParentOp() == kernel.function)
      return;
  }
}

/// What masks say of an index holds for its quotients.
void Conversion::boundQuotients() {
  unsigned rank = converted.extents.size() - linearize.laneStart();
  for (unsigned v = linearize.symbolStart(); v < linearize.laneStart(); ++v) {
    const Symbol &symbol = linearize.symbolOf(v);
    if (!converted.address.factors[v] || !symbol.extent || symbol.isRemainder)
      continue;
    auto inner =
        symbol.inner ? linearize.innerOf(v, rank) : std::optional<Linear>();
    int64_t last = inner ? greatest(*inner, converted.extents, converted.facts)
                         : std::numeric_limits<int64_t>::max();
    int64_t &extent = converted.extents[v];
    extent = std::min(extent, std::max<int64_t>(last, 0) / symbol.divisor + 1);
  }
}

/// Lanes beyond the argument's object are masked by what is not known of the
/// mask: the kernel may not touch them.
void Conversion::endWithObject() {
  auto given = std::get<PointerArgument>(kernel.given(access.argument).value);
  auto axis = laneAxisOf(access.offset);
  if (given.high == 0 || !axis)
    return;
  int64_t bytes = (access.element.getIntOrFloatBitWidth() + 7) / 8;
  int64_t last = int64_t(given.high - given.address) / bytes - 1;
  if (greatest(converted.address, converted.extents, converted.facts) <= last)
    return;
  Linear bound = {last - converted.address.constant, {}};
  for (int64_t factor : converted.address.factors)
    bound.factors.push_back(-factor);
  converted.guards.push_back(bound);
  converted.facts.push_back(bound);
}

ArrayAccess overGrid(const Kernel &kernel, const Linearizer &linearize,
                     const Access &access) {
  return Conversion(kernel, linearize, access).run();
}

} // namespace drawloom::tt
