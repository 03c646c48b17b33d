// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of a kernel: how often they run, and what they carry.

#include "Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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
  if (failed(solveCarried(op)))
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

//===-- What a loop carries -------------------------------------------------//

MaybeIndex Evaluator::offsetOf(Value value) const {
  if (auto *pointer = kernel.as<Pointer>(value))
    return pointer->offset;
  auto *index = kernel.as<IndexExpr>(value);
  return index ? MaybeIndex(*index) : std::nullopt;
}

/// A pointer where `like` is one.
void Evaluator::setOffset(Value value, Value like, const IndexExpr &offset) {
  if (auto *pointer = kernel.as<Pointer>(like))
    set(value, Pointer{pointer->argument, offset});
  else
    set(value, offset);
}

void Evaluator::setNumber(scf::ForOp op, unsigned i) {
  set(op.getRegionIterArg(i), kernel.symbolOf(op.getRegionIterArg(i)));
  set(op.getResult(i), kernel.symbolOf(op.getResult(i)));
}

/// Lets an argument be where it starts, which is the result, plus an unknown.
/// Nothing for what has no offset: that the loop must hand on unchanged.
MaybeIndex Evaluator::guess(scf::ForOp op, unsigned i) {
  Value init = op.getInitArgs()[i], argument = op.getRegionIterArg(i);
  MaybeIndex start = offsetOf(init);
  if (start) {
    IndexExpr value = *start;
    value.loops[kernel.extents.size()] = 1;
    kernel.extents.push_back(std::nullopt);
    setOffset(argument, init, value);
    return start;
  }
  bool kept = op.getBody()->getTerminator()->getOperand(i) == argument;
  set(argument,
      kept || kernel.isData(init)
          ? kernel.at(init)
          : Unknown{"a mask or descriptor the loop carries and changes",
                    op.getLoc()});
  return start;
}

LogicalResult Evaluator::evaluateQuietly(Block &block) {
  ++solving;
  LogicalResult result = evaluate(block);
  --solving;
  return result;
}

/// The body on guesses: where it fails, on `numbers` for those that decide.
LogicalResult Evaluator::evaluateGuessed(scf::ForOp op,
                                         ArrayRef<MaybeIndex> starts,
                                         llvm::DenseSet<unsigned> &numbers) {
  if (succeeded(evaluateQuietly(*op.getBody())))
    return success();
  for (auto [i, argument] : llvm::enumerate(op.getRegionIterArgs()))
    if (starts[i] && mayBeNumber(argument) && decides(argument)) {
      numbers.insert(i);
      setNumber(op, i);
    }
  if (!numbers.empty() && succeeded(evaluateQuietly(*op.getBody())))
    return success();
  return evaluate(*op.getBody()); // reports why
}

/// What a carried value is, now that the body has run on its guess.
void Evaluator::conclude(scf::ForOp op, unsigned i, const IndexExpr &start) {
  const LoopFacts &facts = kernel.factsOf(op);
  Value init = op.getInitArgs()[i], argument = op.getRegionIterArg(i),
        next = op.getBody()->getTerminator()->getOperand(i);
  MaybeIndex end = offsetOf(next);
  MaybeIndex step = end ? subtract(*end, *offsetOf(argument)) : std::nullopt;
  auto stride = step ? step->constant() : std::nullopt;
  auto *from = kernel.as<Pointer>(init), *to = kernel.as<Pointer>(next);
  MaybeIndex total = stride ? scale(facts.trips, *stride) : std::nullopt;
  if (!total || bool(from) != bool(to) ||
      (from && from->argument != to->argument)) {
    if (end && !from && mayBeNumber(argument) && decides(argument))
      return setNumber(op, i);
    Unknown unknown{"a value the loop carries that does not grow by a "
                    "constant each iteration",
                    op.getLoc()};
    set(argument, unknown);
    set(op.getResult(i), unknown);
    return;
  }
  SmallVector<int64_t> fresh(start.shape.size(), -1);
  IndexExpr value = start;
  if (*stride && kernel.isFlattened(op))
    value = *add(value, moveLanes(*scale(IndexExpr(iteration()), *stride),
                                  value.shape, fresh));
  else if (*stride)
    value.loops[facts.number] = *stride;
  setOffset(argument, init, value);
  MaybeIndex last = add(start, moveLanes(*total, start.shape, fresh));
  if (last)
    setOffset(op.getResult(i), init, *last);
  else
    set(op.getResult(i),
        Unknown{"a value that overflows 64 bits", op.getLoc()});
}

/// A carried integer or pointer must be init + iteration * step. Its step is
/// found by running the body once on init + an unknown. Other integers that
/// decide what moves are numbers of their own, which the engines carry.
LogicalResult Evaluator::solveCarried(scf::ForOp op) {
  std::vector<MaybeIndex> starts;
  for (unsigned i = 0; i < op.getNumRegionIterArgs(); ++i)
    starts.push_back(guess(op, i));
  llvm::DenseSet<unsigned> numbers;
  bool guessed =
      llvm::any_of(starts, [](auto &start) { return start.has_value(); });
  if (guessed && failed(evaluateGuessed(op, starts, numbers)))
    return failure();
  for (auto [i, start] : llvm::enumerate(starts))
    if (!start)
      set(op.getResult(i), kernel.at(op.getRegionIterArg(i)));
    else if (!numbers.contains(i))
      conclude(op, i, *start);
  return success();
}

} // namespace drawloom::tt
