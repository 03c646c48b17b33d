// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a kernel in program order: control flow, and what it chooses.

#include "Evaluator.h"
#include "Flatten.h"
#include "Refuse.h"

using namespace mlir;

namespace drawloom::tt {

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
  bool padsWithNaN =
      std::get<PointerArgument>(kernel.given(number).value).padsWithNaN;
  Descriptor descriptor = {{number, IndexExpr(0)}, {}, {}, padsWithNaN};
  unsigned rank =
      cast<DescriptorType>(argument.getType()).getBlock().getRank();
  for (unsigned i = 1; i <= 2 * rank; ++i) {
    auto *size = number + i < kernel.argumentPositions.size()
                     ? std::get_if<int64_t>(&kernel.given(number + i).value)
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
    const LaunchArgument &given = kernel.given(i);
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
        "a `while` loop is imported where it counts: its condition compares an "
        "integer that each iteration adds the same to with an end that stays; "
        "use `for` over a range");
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
  if (x && y && which && x->isColumn() && y->isColumn())
    return choose(*which, *x, *y);
  if (x && y && isa<IntegerType>(result.getType()))
    return kernel.symbolOf(result);
  auto *p = std::get_if<Pointer>(&a), *q = std::get_if<Pointer>(&b);
  if (p && q && p->argument == q->argument && p->offset == q->offset)
    return a;
  return Unknown{p || q ? "a pointer that an `if` chooses"
                        : "a value that an `if` chooses",
                 result.getLoc()};
}

} // namespace drawloom::tt
