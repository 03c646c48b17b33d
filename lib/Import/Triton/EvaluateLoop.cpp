// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of a kernel: how often they run, and what they carry.

#include "Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace drawloom::tt {

/// max(0, ceil((upper - lower) / step)), affine in the loops around.
MaybeIndex Evaluator::tripsOf(scf::ForOp op) {
  auto *lower = kernel.as<IndexExpr>(op.getLowerBound());
  auto *upper = kernel.as<IndexExpr>(op.getUpperBound());
  auto *step = kernel.as<IndexExpr>(op.getStep());
  auto stride = step ? step->constant() : std::nullopt;
  MaybeIndex span = lower && upper && stride && *stride > 0
                        ? subtract(*upper, *lower)
                        : std::nullopt;
  if (!span || !span->wraps.empty())
    return std::nullopt;
  if (!span->symbols.empty()) {
    MaybeIndex padded = add(*span, IndexExpr(*stride - 1));
    return *stride == 1 ? span
           : padded     ? kernel.division(*padded, *stride, false)
                        : std::nullopt;
  }
  for (auto &[loop, factor] : span->loops) {
    if (factor % *stride)
      return std::nullopt;
    factor /= *stride;
  }
  bool clamps = span->loops.empty();
  span->base =
      *Column::map(span->base, *stride, [&](int64_t length, int64_t stride) {
        int64_t trips = length / stride + (length % stride > 0);
        return std::optional(clamps ? std::max<int64_t>(trips, 0) : trips);
      });
  auto range = rangeOf(*span, kernel.extents);
  bool open = !range && llvm::any_of(span->loops, [&](auto term) {
    return !kernel.extents[term.first];
  });
  return open || (range && range->low >= 0) ? span : std::nullopt;
}

/// The parts a minimum is taken of.
static void addParts(const Kernel &kernel, Value value,
                     std::vector<IndexExpr> &parts) {
  auto minimum = value.getDefiningOp<arith::MinSIOp>();
  if (minimum && kernel.as<IndexExpr>(minimum.getLhs()) &&
      kernel.as<IndexExpr>(minimum.getRhs())) {
    addParts(kernel, minimum.getLhs(), parts);
    addParts(kernel, minimum.getRhs(), parts);
  } else if (auto *index = kernel.as<IndexExpr>(value)) {
    parts.push_back(*index);
  }
}

/// The trip count as the least of quotients, each of an expression of its own:
/// rounding up, and a minimum, are not affine.
void Evaluator::setAlternatives(scf::ForOp op, LoopFacts &facts) {
  std::vector<IndexExpr> parts;
  addParts(kernel, op.getUpperBound(), parts);
  facts.step = kernel.as<IndexExpr>(op.getStep())->base.min();
  for (const IndexExpr &part : parts)
    if (MaybeIndex span =
            subtract(part, *kernel.as<IndexExpr>(op.getLowerBound())))
      facts.spans.push_back(*span);
  if (facts.trips.base.isUniform())
    return;
  for (const IndexExpr &span : facts.spans) {
    MaybeIndex trips = add(span, IndexExpr(facts.step - 1));
    if (trips && trips->constant() && *trips->constant() >= 0)
      trips = IndexExpr(*trips->constant() / facts.step);
    else if (trips && facts.step != 1)
      trips = kernel.division(*trips, facts.step, /*isRemainder=*/false);
    if (trips)
      facts.alternatives.push_back(*trips);
  }
}

/// Which iteration of the flattened loop each program is.
Column Evaluator::iteration() const {
  std::vector<int64_t> iterations;
  for (const ProgramPoint &program : kernel.points)
    iterations.push_back(program.iteration);
  return Column::of(std::move(iterations));
}

LogicalResult Evaluator::loop(scf::ForOp op) {
  MaybeIndex trips = kernel.isFlattened(op) ? IndexExpr(1) : tripsOf(op);
  if (!trips) {
    for (Value bound : {op.getUpperBound(), op.getLowerBound(), op.getStep()})
      if (kernel.isData(bound))
        return fail(op.getLoc(),
                    "a loop's bounds must follow from the launch and from "
                    "integers loaded one by one: the trip count",
                    bound);
    return fail(op.getLoc(), "a loop's trip count must be affine in the "
                             "program and the loops around "
                             "it, and its step a positive constant");
  }
  auto known = kernel.loops.find(op);
  unsigned number = known == kernel.loops.end() ? kernel.extents.size()
                                                : known->second.number;
  if (known == kernel.loops.end())
    kernel.extents.push_back(0);
  auto range = rangeOf(*trips, kernel.extents);
  kernel.extents[number] = range ? std::optional(range->high) : std::nullopt;
  LoopFacts facts = {number, *trips, {}, {}, 1};
  if (!kernel.isFlattened(op))
    setAlternatives(op, facts);
  kernel.loops.insert_or_assign(op, facts);
  if (!trips->base.isUniform() && !solving)
    kernel.scalars.push_back(trips->base);

  IndexExpr induction = *kernel.as<IndexExpr>(op.getLowerBound());
  int64_t step = kernel.as<IndexExpr>(op.getStep())->base.min();
  if (kernel.isFlattened(op))
    induction = *add(induction, *scale(IndexExpr(iteration()), step));
  else
    induction.loops[number] = step;
  set(op.getInductionVar(), induction);
  if (failed(solveCarried(op, number, *trips)))
    return failure();
  return evaluate(*op.getBody());
}

/// Whether what a loop carries decides where or whether something moves.
static bool decides(Value value) {
  SmallVector<Value> pending = {value};
  llvm::DenseSet<Value> seen;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      if (isa<AddPtrOp>(user) || (isa<scf::IfOp>(user)))
        return true;
      if (auto loop = dyn_cast<scf::ForOp>(user)) {
        BlockArgument argument = loop.getTiedLoopRegionIterArg(&use);
        if (!argument)
          return true; // a bound
        pending.append({argument, loop.getTiedLoopResult(&use)});
      } else if (isa<scf::YieldOp>(user)) {
        Operation *parent = user->getParentOp();
        pending.push_back(parent->getResult(use.getOperandNumber()));
      } else if (!isa<LoadOp, StoreOp>(user)) {
        llvm::append_range(pending, user->getResults());
      }
    }
  }
  return false;
}

/// Whether a carried value may stand for an integer of its own: a scalar.
static bool mayBeNumber(Value value) {
  return isa<IntegerType>(value.getType()) && !value.getType().isInteger(1);
}

/// A carried integer or pointer must be init + iteration * step. Its step is
/// found by running the body once on init + an unknown. Other integers that
/// decide what moves are numbers of their own, which the engines carry.
LogicalResult Evaluator::solveCarried(scf::ForOp op, unsigned loop,
                                      const IndexExpr &trips) {
  auto offsetOf = [&](Value value) -> MaybeIndex {
    if (auto *pointer = kernel.as<Pointer>(value))
      return pointer->offset;
    auto *index = kernel.as<IndexExpr>(value);
    return index ? MaybeIndex(*index) : std::nullopt;
  };
  auto assign = [&](Value value, Value like, const IndexExpr &offset) {
    if (auto *pointer = kernel.as<Pointer>(like))
      set(value, Pointer{pointer->argument, offset});
    else
      set(value, offset);
  };
  std::vector<MaybeIndex> inits;
  SmallVector<unsigned> symbols;
  llvm::DenseSet<unsigned> numbers;
  auto makeNumber = [&](unsigned i) {
    numbers.insert(i);
    set(op.getRegionIterArg(i), kernel.symbolOf(op.getRegionIterArg(i)));
    set(op.getResult(i), kernel.symbolOf(op.getResult(i)));
  };
  for (auto [init, argument] :
       llvm::zip(op.getInitArgs(), op.getRegionIterArgs())) {
    inits.push_back(offsetOf(init));
    symbols.push_back(kernel.extents.size());
    if (inits.back()) {
      IndexExpr guess = *inits.back();
      guess.loops[symbols.back()] = 1;
      kernel.extents.push_back(std::nullopt);
      assign(argument, init, guess);
    } else {
      bool kept = op.getBody()->getTerminator()->getOperand(inits.size() - 1) ==
                  argument;
      set(argument,
          kept || kernel.isData(init)
              ? kernel.at(init)
              : Unknown{"a mask or descriptor the loop carries and changes",
                        op.getLoc()});
    }
  }
  if (llvm::any_of(inits, [](auto &init) { return init.has_value(); })) {
    ++solving;
    LogicalResult solved = evaluate(*op.getBody());
    --solving;
    if (failed(solved)) {
      for (auto [i, argument] : llvm::enumerate(op.getRegionIterArgs()))
        if (inits[i] && mayBeNumber(argument) && decides(argument))
          makeNumber(i);
      if (numbers.empty())
        return evaluate(*op.getBody()); // reports why
      ++solving;
      solved = evaluate(*op.getBody());
      --solving;
      if (failed(solved))
        return evaluate(*op.getBody());
    }
  }
  Operation *yield = op.getBody()->getTerminator();
  for (unsigned i = 0; i < inits.size(); ++i) {
    Value init = op.getInitArgs()[i], argument = op.getRegionIterArgs()[i];
    if (!inits[i]) {
      set(op.getResult(i), kernel.at(argument));
      continue;
    }
    if (numbers.contains(i))
      continue;
    MaybeIndex end = offsetOf(yield->getOperand(i));
    MaybeIndex step = end ? subtract(*end, *offsetOf(argument)) : std::nullopt;
    auto stride = step ? step->constant() : std::nullopt;
    auto *from = kernel.as<Pointer>(init),
         *to = kernel.as<Pointer>(yield->getOperand(i));
    MaybeIndex total = stride ? scale(trips, *stride) : std::nullopt;
    if (!total || bool(from) != bool(to) ||
        (from && from->argument != to->argument)) {
      if (end && !from && mayBeNumber(argument) && decides(argument)) {
        makeNumber(i);
        continue;
      }
      Unknown unknown{"a value the loop carries that does not grow by a "
                      "constant each iteration",
                      op.getLoc()};
      set(argument, unknown);
      set(op.getResult(i), unknown);
      continue;
    }
    IndexExpr value = *inits[i];
    if (*stride && kernel.isFlattened(op))
      value = *add(
          value, moveLanes(*scale(IndexExpr(iteration()), *stride), value.shape,
                           SmallVector<int64_t>(value.shape.size(), -1)));
    else if (*stride)
      value.loops[loop] = *stride;
    assign(argument, init, value);
    SmallVector<int64_t> fresh(inits[i]->shape.size(), -1);
    MaybeIndex last = add(*inits[i], moveLanes(*total, inits[i]->shape, fresh));
    if (last)
      assign(op.getResult(i), init, *last);
    else
      set(op.getResult(i),
          Unknown{"a value that overflows 64 bits", op.getLoc()});
  }
  return success();
}

} // namespace drawloom::tt
