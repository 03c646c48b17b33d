// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a kernel in program order: control flow, loops and what they carry.

#include "Evaluate.h"
#include "Flatten.h"
#include "Refuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace drawloom::tt {

class Evaluator {
public:
  /// `quiet`: nothing is reported.
  Evaluator(Kernel &kernel, bool quiet) : kernel(kernel), quiet(quiet) {}
  LogicalResult run();

private:
  void set(Value value, IndexValue index);
  void setPrograms();
  void bindArguments();
  IndexValue hostDescriptor(BlockArgument argument);
  LogicalResult runFrom(Block *block);
  LogicalResult follow(Operation *terminator);
  LogicalResult fork(cf::CondBranchOp branch, const Condition *condition);
  void hold(Block *block, const Condition *here, const Condition *before);
  LogicalResult evaluate(Block &block);
  LogicalResult evaluate(Operation *op);
  LogicalResult branch(scf::IfOp op);
  LogicalResult varyingBranch(scf::IfOp op, const Condition *condition);
  IndexValue chosen(Value result, const Condition *condition,
                    const IndexValue &a, const IndexValue &b);
  LogicalResult loop(scf::ForOp op);
  MaybeIndex tripsOf(scf::ForOp op);
  void setAlternatives(scf::ForOp op, LoopFacts &facts);
  Column iteration() const;
  LogicalResult solveCarried(scf::ForOp op, unsigned loop,
                             const IndexExpr &trips);
  void unknownResults(Operation *op, const Twine &why);
  LogicalResult fail(Location loc, const Twine &message, Value cause = {});

  Kernel &kernel;
  /// While solving for what a loop carries, nothing is reported.
  unsigned solving = 0;
  bool quiet;
};

LogicalResult Kernel::evaluate() {
  LogicalResult evaluated = Evaluator(*this, /*quiet=*/true).run();
  scf::ForOp tiles = findTileLoop(*this);
  if (succeeded(evaluated) && !tiles)
    return success();
  Kernel again(function, launch, argumentPositions);
  again.flattened = tiles;
  if (tiles)
    again.points = flatten(*this, tiles);
  if (again.points.empty()) // nothing to flatten, or no tile at all
    again.flattened = nullptr;
  if (failed(Evaluator(again, /*quiet=*/false).run()))
    return failure();
  adopt(std::move(again));
  return success();
}

void Kernel::adopt(Kernel &&other) {
  values = std::move(other.values);
  loops = std::move(other.loops);
  branches = std::move(other.branches);
  varying = std::move(other.varying);
  taken = std::move(other.taken);
  next = std::move(other.next);
  forked = std::move(other.forked);
  conditional = std::move(other.conditional);
  held = std::move(other.held);
  extents = std::move(other.extents);
  scalars = std::move(other.scalars);
  points = std::move(other.points);
  flattened = other.flattened;
  symbols = std::move(other.symbols);
}

bool Kernel::isConditional(Operation *op) const {
  for (Block *block = op->getBlock(); block;
       block = block->getParentOp()->getBlock()) {
    if (conditional.contains(block))
      return true;
    if (block->getParentOp() == function)
      return false;
  }
  return false;
}

static void visitBlock(const Kernel &kernel, Block &block,
                       llvm::function_ref<void(Operation *)> visit) {
  for (Operation &op : block) {
    visit(&op);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      visitBlock(kernel, *loop.getBody(), visit);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      if (Region *region = kernel.branchOf(branch))
        visitBlock(kernel, region->front(), visit);
      if (kernel.varies(branch))
        for (Region *region : branch.getRegions())
          if (!region->empty())
            visitBlock(kernel, region->front(), visit);
    }
  }
}

void Kernel::forEachOperation(
    llvm::function_ref<void(Operation *)> visit) const {
  for (Block *block : taken)
    visitBlock(*this, *block, visit);
}

void Evaluator::set(Value value, IndexValue index) {
  kernel.values.insert_or_assign(value, index);
  auto *scalar = std::get_if<IndexExpr>(&index);
  if (!solving && scalar && !scalar->base.isUniform())
    kernel.scalars.push_back(scalar->base);
}

LogicalResult Evaluator::fail(Location loc, const Twine &message, Value cause) {
  if (solving || quiet)
    return failure();
  if (auto *unknown = cause ? kernel.as<Unknown>(cause) : nullptr)
    return refuse(loc, message, *unknown);
  return refuse(loc, message);
}

/// A tensor descriptor made on the host: the arguments after it are its shape,
/// then its strides.
IndexValue Evaluator::hostDescriptor(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  auto given = [&](unsigned i) -> const auto & {
    return kernel.launch.arguments[kernel.argumentPositions[i]].value;
  };
  bool padsWithNaN = std::get<PointerArgument>(given(number)).padsWithNaN;
  Descriptor descriptor = {{number, IndexExpr(0)}, {}, {}, padsWithNaN};
  unsigned rank =
      cast<DescriptorType>(argument.getType()).getBlock().getRank();
  for (unsigned i = 1; i <= 2 * rank; ++i) {
    auto *size = number + i < kernel.argumentPositions.size()
                     ? std::get_if<int64_t>(&given(number + i))
                     : nullptr;
    if (!size)
      return Unknown{"a tensor descriptor without its shape and strides",
                     argument.getLoc()};
    (i <= rank ? descriptor.shape : descriptor.strides).push_back(*size);
  }
  return descriptor;
}

void Evaluator::bindArguments() {
  for (auto [i, argument] : llvm::enumerate(kernel.function.getArguments())) {
    const LaunchArgument &given =
        kernel.launch.arguments[kernel.argumentPositions[i]];
    if (isa<DescriptorType>(argument.getType()))
      set(argument, hostDescriptor(argument));
    else if (std::holds_alternative<PointerArgument>(given.value))
      set(argument, Pointer{unsigned(i), IndexExpr(0)});
    else if (auto *integer = std::get_if<int64_t>(&given.value);
             integer && argument.getType().isInteger(1))
      set(argument, *integer ? Condition{} : Condition{{IndexExpr(-1)}});
    else if (integer && argument.getType().isInteger())
      set(argument, IndexExpr(*integer));
    else
      set(argument, Unknown{"a floating-point argument", argument.getLoc()});
  }
}

/// The programs of the launch, axis x fastest.
void Evaluator::setPrograms() {
  auto grid = kernel.launch.grid;
  if (!kernel.points.empty())
    return;
  for (int64_t z = 0; z < grid[2]; ++z)
    for (int64_t y = 0; y < grid[1]; ++y)
      for (int64_t x = 0; x < grid[0]; ++x)
        kernel.points.push_back({{x, y, z}, 0});
}

LogicalResult Evaluator::run() {
  setPrograms();
  bindArguments();
  return runFrom(&kernel.function.getBody().front());
}

LogicalResult Evaluator::runFrom(Block *block) {
  if (isa<ReturnOp>(block->front())) // where paths may meet
    return success();
  if (llvm::is_contained(kernel.taken, block))
    return fail(block->front().getLoc(),
                "paths that meet again after a `return` in one of them, and "
                "loops of jumps, are not imported; use `if` and `for`");
  kernel.taken.push_back(block);
  if (failed(evaluate(*block)))
    return failure();
  return follow(block->getTerminator());
}

/// Goes on to what this launch runs after a block of the function's body.
LogicalResult Evaluator::follow(Operation *terminator) {
  if (isa<ReturnOp>(terminator))
    return success();
  Block *from = terminator->getBlock();
  auto jump = [&](Block *to, ValueRange operands) {
    for (auto [argument, operand] : llvm::zip(to->getArguments(), operands))
      set(argument, kernel.at(operand));
    kernel.next[from] = to;
    if (kernel.conditional.contains(from))
      hold(to, nullptr, kernel.holdsIn(from));
    return runFrom(to);
  };
  if (auto branch = dyn_cast<cf::BranchOp>(terminator))
    return jump(branch.getDest(), branch.getDestOperands());
  auto branch = dyn_cast<cf::CondBranchOp>(terminator);
  if (!branch)
    return fail(terminator->getLoc(), "`" +
                                          terminator->getName().getStringRef() +
                                          "` is not imported");
  auto *condition = kernel.as<Condition>(branch.getCondition());
  if (condition && condition->isAlways())
    return jump(branch.getTrueDest(), branch.getTrueDestOperands());
  if (condition && isNever(*condition))
    return jump(branch.getFalseDest(), branch.getFalseDestOperands());
  return fork(branch, kernel.exactly(branch.getCondition()));
}

/// Some programs go one way, some the other, and never meet again.
LogicalResult Evaluator::fork(cf::CondBranchOp branch,
                              const Condition *condition) {
  Block *from = branch->getBlock();
  kernel.forked.insert(from);
  auto negated = condition ? negationOf(*condition) : std::nullopt;
  const Condition here = condition ? *condition : Condition();
  const Condition before =
      kernel.holdsIn(from) ? *kernel.holdsIn(from) : Condition();
  hold(branch.getTrueDest(), &here, &before);
  hold(branch.getFalseDest(), negated ? &*negated : nullptr, &before);
  for (bool isTrue : {true, false}) {
    Block *to = isTrue ? branch.getTrueDest() : branch.getFalseDest();
    ValueRange operands =
        isTrue ? branch.getTrueDestOperands() : branch.getFalseDestOperands();
    for (auto [argument, operand] : llvm::zip(to->getArguments(), operands))
      set(argument, kernel.at(operand));
    if (failed(runFrom(to)))
      return failure();
  }
  return success();
}

void Evaluator::hold(Block *block, const Condition *here,
                     const Condition *before) {
  Condition both;
  for (const Condition *condition : {here, before})
    if (condition)
      llvm::append_range(both.terms, condition->terms);
  kernel.conditional.insert(block);
  kernel.held[block] = both;
}

LogicalResult Evaluator::evaluate(Block &block) {
  for (Operation &op : block)
    if (failed(evaluate(&op)))
      return failure();
  return success();
}

LogicalResult Evaluator::evaluate(Operation *op) {
  if (auto branchOp = dyn_cast<scf::IfOp>(op))
    return branch(branchOp);
  if (auto loopOp = dyn_cast<scf::ForOp>(op))
    return loop(loopOp);
  if (isa<scf::WhileOp>(op))
    return fail(
        op->getLoc(),
        "a `while` loop is not imported: its trip count must follow from the "
        "launch; use `for` over a range");
  if (op->getNumResults() == 1) {
    set(op->getResult(0), evaluateOperation(kernel, op));
    return success();
  }
  unknownResults(
      op, ("the result of `" + op->getName().getStringRef() + "`").str());
  return success();
}

void Evaluator::unknownResults(Operation *op, const Twine &why) {
  for (Value result : op->getResults())
    set(result, Unknown{why.str(), op->getLoc()});
}

/// Programs are specialised on the launch, so a condition that is the same in
/// every program chooses its branch now.
LogicalResult Evaluator::branch(scf::IfOp op) {
  auto *condition = kernel.as<Condition>(op.getCondition());
  bool always = condition && condition->isAlways();
  if (!always && !(condition && isNever(*condition)))
    return varyingBranch(op, kernel.exactly(op.getCondition()));
  kernel.varying.erase(op);
  Region *region = always ? &op.getThenRegion() : &op.getElseRegion();
  kernel.branches[op] = region->empty() ? nullptr : region;
  if (region->empty())
    return success();
  if (failed(evaluate(region->front())))
    return failure();
  for (auto [result, value] : llvm::zip(
           op.getResults(), region->front().getTerminator()->getOperands()))
    set(result, kernel.at(value));
  return success();
}

/// Both regions are part of the program.
LogicalResult Evaluator::varyingBranch(scf::IfOp op,
                                       const Condition *condition) {
  kernel.varying.insert(op);
  kernel.branches.erase(op);
  auto negated = condition ? negationOf(*condition) : std::nullopt;
  const Condition here = condition ? *condition : Condition();
  for (Region *region : op.getRegions()) {
    if (region->empty())
      continue;
    bool isThen = region == &op.getThenRegion();
    hold(&region->front(),
         isThen    ? &here
         : negated ? &*negated
                   : nullptr,
         nullptr);
    if (failed(evaluate(region->front())))
      return failure();
  }
  if (op.getNumResults() == 0)
    return success();
  for (auto [result, a, b] :
       llvm::zip(op.getResults(),
                 op.getThenRegion().front().getTerminator()->getOperands(),
                 op.getElseRegion().front().getTerminator()->getOperands()))
    set(result, chosen(result, condition ? &here : nullptr, kernel.at(a),
                       kernel.at(b)));
  return success();
}

/// What an `if` gives, one of two values.
IndexValue Evaluator::chosen(Value result, const Condition *condition,
                             const IndexValue &a, const IndexValue &b) {
  auto *x = std::get_if<IndexExpr>(&a), *y = std::get_if<IndexExpr>(&b);
  if (x && y && *x == *y)
    return a;
  auto which = condition ? columnOf(*condition) : std::nullopt;
  if (x && y && which && x->isColumn() && y->isColumn()) {
    auto first = Column::map(*which, x->base, multiplyExact);
    auto second =
        Column::map(*which, y->base, [](int64_t holds, int64_t value) {
          return std::optional<int64_t>(holds ? 0 : value);
        });
    return IndexExpr(*Column::map(*first, *second, addExact), x->shape);
  }
  if (x && y && isa<IntegerType>(result.getType()))
    return kernel.symbolOf(result);
  auto *p = std::get_if<Pointer>(&a), *q = std::get_if<Pointer>(&b);
  if (p && q && p->argument == q->argument && p->offset == q->offset)
    return a;
  return Unknown{p || q ? "a pointer that an `if` chooses"
                        : "a value that an `if` chooses",
                 result.getLoc()};
}

//===-- Loops ---------------------------------------------------------------//

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

/// A carried integer or pointer must be init + iteration * step. Its step is
/// found by running the body once on init + an unknown.
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
    if (failed(solved))
      return evaluate(*op.getBody()); // reports why
  }
  Operation *yield = op.getBody()->getTerminator();
  for (unsigned i = 0; i < inits.size(); ++i) {
    Value init = op.getInitArgs()[i], argument = op.getRegionIterArgs()[i];
    if (!inits[i]) {
      set(op.getResult(i), kernel.at(argument));
      continue;
    }
    MaybeIndex end = offsetOf(yield->getOperand(i));
    MaybeIndex step = end ? subtract(*end, *offsetOf(argument)) : std::nullopt;
    auto stride = step ? step->constant() : std::nullopt;
    auto *from = kernel.as<Pointer>(init),
         *to = kernel.as<Pointer>(yield->getOperand(i));
    MaybeIndex total = stride ? scale(trips, *stride) : std::nullopt;
    if (!total || bool(from) != bool(to) ||
        (from && from->argument != to->argument)) {
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
