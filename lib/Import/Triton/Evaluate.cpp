// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a kernel in program order: control flow, loops and what they carry.

#include "Evaluate.h"
#include "Refuse.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace drawloom::tt {

class Evaluator {
public:
  Evaluator(Kernel &kernel) : kernel(kernel) {}
  LogicalResult run();

private:
  void set(Value value, IndexValue index);
  void bindArguments();
  FailureOr<Block *> next(Operation *terminator);
  LogicalResult evaluate(Block &block);
  LogicalResult evaluate(Operation *op);
  LogicalResult branch(scf::IfOp op);
  LogicalResult loop(scf::ForOp op);
  MaybeIndex tripsOf(scf::ForOp op);
  LogicalResult solveCarried(scf::ForOp op, unsigned loop,
                             const IndexExpr &trips);
  void unknownResults(Operation *op, const Twine &why);
  LogicalResult fail(Location loc, const Twine &message, Value cause = {});

  Kernel &kernel;
  /// While solving for what a loop carries, nothing is reported.
  unsigned solving = 0;
};

LogicalResult Kernel::evaluate() { return Evaluator(*this).run(); }

static void visitBlock(const Kernel &kernel, Block &block,
                       llvm::function_ref<void(Operation *)> visit) {
  for (Operation &op : block) {
    visit(&op);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      visitBlock(kernel, *loop.getBody(), visit);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      if (Region *region = kernel.branchOf(branch))
        visitBlock(kernel, region->front(), visit);
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
  if (solving)
    return failure();
  if (auto *unknown = cause ? kernel.as<Unknown>(cause) : nullptr)
    return refuse(loc, message, *unknown);
  return refuse(loc, message);
}

void Evaluator::bindArguments() {
  for (auto [i, argument] : llvm::enumerate(kernel.function.getArguments())) {
    const LaunchArgument &given =
        kernel.launch.arguments[kernel.argumentPositions[i]];
    if (std::holds_alternative<PointerArgument>(given.value))
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

LogicalResult Evaluator::run() {
  bindArguments();
  llvm::SmallPtrSet<Block *, 8> visited;
  for (Block *block = &kernel.function.getBody().front(); block;) {
    if (!visited.insert(block).second)
      return fail(block->front().getLoc(),
                  "a loop of jumps is not imported; use `for` over a range");
    kernel.taken.push_back(block);
    if (failed(evaluate(*block)))
      return failure();
    FailureOr<Block *> following = next(block->getTerminator());
    if (failed(following))
      return failure();
    block = *following;
  }
  return success();
}

/// The block this launch runs after a terminator of the function's body.
FailureOr<Block *> Evaluator::next(Operation *terminator) {
  if (isa<ReturnOp>(terminator))
    return static_cast<Block *>(nullptr);
  auto jump = [&](Block *to, ValueRange operands) {
    for (auto [argument, operand] : llvm::zip(to->getArguments(), operands))
      set(argument, kernel.at(operand));
    return to;
  };
  if (auto branch = dyn_cast<cf::BranchOp>(terminator))
    return jump(branch.getDest(), branch.getDestOperands());
  auto branch = dyn_cast<cf::CondBranchOp>(terminator);
  if (!branch) {
    (void)fail(terminator->getLoc(), "`" +
                                         terminator->getName().getStringRef() +
                                         "` is not imported");
    return failure();
  }
  auto *condition = kernel.as<Condition>(branch.getCondition());
  if (condition && condition->isAlways())
    return jump(branch.getTrueDest(), branch.getTrueDestOperands());
  if (condition && isNever(*condition))
    return jump(branch.getFalseDest(), branch.getFalseDestOperands());
  (void)fail(branch.getLoc(),
             condition ? "an early return must be the same in every program of "
                         "the launch; mask the "
                         "loads and stores instead: it differs between programs"
                       : "an early return must be the same in every program of "
                         "the launch; mask the "
                         "loads and stores instead: its condition",
             branch.getCondition());
  return failure();
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
  if (!always && !(condition && isNever(*condition))) {
    if (!solving)
      return fail(op.getLoc(),
                  condition ? "an `if` must go the same way in every program "
                              "and iteration of the "
                              "launch; use tl.where, or masks: it varies"
                            : "an `if` must go the same way in every program "
                              "and iteration of the "
                              "launch; use tl.where, or masks: its condition",
                  op.getCondition());
    unknownResults(op, "an `if` that varies");
    return success();
  }
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
  return range && range->low >= 0 ? span : std::nullopt;
}

LogicalResult Evaluator::loop(scf::ForOp op) {
  MaybeIndex trips = tripsOf(op);
  if (!trips) {
    for (Value bound : {op.getUpperBound(), op.getLowerBound(), op.getStep()})
      if (kernel.isData(bound))
        return fail(
            op.getLoc(),
            "a loop's bounds must follow from the launch: the trip count",
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
  kernel.loops.insert_or_assign(op, LoopFacts{number, *trips});
  if (!trips->base.isUniform() && !solving)
    kernel.scalars.push_back(trips->base);

  IndexExpr induction = *kernel.as<IndexExpr>(op.getLowerBound());
  induction.loops[number] = kernel.as<IndexExpr>(op.getStep())->base.min();
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
    if (*stride)
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
