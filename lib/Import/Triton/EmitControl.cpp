// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes what decides what runs: loops, branches and early returns.

#include "Emitter.h"
#include "Refuse.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace drawloom::tt {

/// A block of the function's body and what follows it.
LogicalResult Emitter::emitFrom(Block *block) {
  for (; block; block = kernel.following(block)) {
    if (failed(emit(*block)))
      return failure();
    if (kernel.forks(block))
      return emitFork(cast<cf::CondBranchOp>(block->getTerminator()));
  }
  return success();
}

static bool onlyReturns(Block *block) { return isa<ReturnOp>(block->front()); }

/// An early return: what follows stands in a branch.
LogicalResult Emitter::emitFork(cf::CondBranchOp op) {
  const Condition *condition = kernel.exactly(op.getCondition());
  auto negated = condition ? negationOf(*condition) : std::nullopt;
  Value truth;
  bool turned = onlyReturns(op.getTrueDest()) && negated &&
                (truth = truthOf(*negated, at(op)));
  if (!turned)
    truth = truthOf(op.getCondition(), op);
  if (!truth)
    return failure();
  Block *then = turned ? op.getFalseDest() : op.getTrueDest();
  Block *otherwise = turned ? op.getTrueDest() : op.getFalseDest();
  auto branch = scf::IfOp::create(builder, at(op), truth,
                                  /*withElseRegion=*/!onlyReturns(otherwise));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&branch.getThenRegion().front());
  if (failed(emitFrom(then)))
    return failure();
  if (onlyReturns(otherwise))
    return success();
  builder.setInsertionPointToStart(&branch.getElseRegion().front());
  return emitFrom(otherwise);
}

LogicalResult Emitter::emitLoop(scf::ForOp loop) {
  if (kernel.isFlattened(loop))
    return emit(*loop.getBody());
  const LoopFacts &facts = kernel.factsOf(loop);
  SmallVector<unsigned> carried;
  SmallVector<Value> inits;
  auto isNumber = [&](unsigned i) {
    Value argument = loop.getRegionIterArg(i);
    auto *index = kernel.as<IndexExpr>(argument);
    return index && kernel.isSymbol(argument) &&
           *index == kernel.symbolOf(argument);
  };
  auto given = [&](unsigned i, Value value) {
    return isNumber(i) ? indexOf(value, loop) : data(value, loop);
  };
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (!isNumber(i) && !kernel.isData(argument) &&
        !kernel.isData(loop.getResult(i)))
      continue;
    carried.push_back(i);
    inits.push_back(given(i, loop.getInitArgs()[i]));
    if (!inits.back())
      return failure();
  }
  Location loc = at(loop);
  Value upper = leastOf(linearize.tripsOf(facts), loc);
  auto created = scf::ForOp::create(builder, loc, index(0, loc), upper,
                                    index(1, loc), inits);
  loopIndices[facts.number] = created.getInductionVar();
  for (auto [k, i] : llvm::enumerate(carried)) {
    auto &known = isNumber(i) ? symbols : tiles;
    known[loop.getRegionIterArg(i)] = created.getRegionIterArg(k);
    known[loop.getResult(i)] = created.getResult(k);
  }
  OpBuilder::InsertionGuard guard(builder);
  if (carried.empty())
    builder.setInsertionPoint(created.getBody()->getTerminator());
  else
    builder.setInsertionPointToEnd(created.getBody());
  if (failed(emit(*loop.getBody())))
    return failure();
  SmallVector<Value> results;
  for (unsigned i : carried) {
    results.push_back(
        given(i, loop.getBody()->getTerminator()->getOperand(i)));
    if (!results.back())
      return failure();
  }
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, results);
  return success();
}

LogicalResult Emitter::emitBranch(scf::IfOp branch) {
  if (kernel.varies(branch))
    return emitVaryingBranch(branch);
  Region *region = kernel.branchOf(branch);
  if (!region)
    return success();
  if (failed(emit(region->front())))
    return failure();
  for (auto [result, value] : llvm::zip(
           branch.getResults(), region->front().getTerminator()->getOperands()))
    if (kernel.isData(result)) {
      tiles[result] = data(value, branch);
      if (!tiles[result])
        return failure();
    }
  return success();
}

LogicalResult Emitter::emitVaryingBranch(scf::IfOp branch) {
  Value truth = truthOf(branch.getCondition(), branch);
  if (!truth)
    return failure();
  SmallVector<unsigned> given;
  SmallVector<Type> types;
  for (auto [i, result] : llvm::enumerate(branch.getResults())) {
    if (!kernel.isData(result) && !kernel.isSymbol(result))
      continue; // the same either way, or known in every program
    given.push_back(i);
    types.push_back(kernel.isData(result) ? Type(tensorOf(result.getType()))
                                          : builder.getIndexType());
  }
  auto created = scf::IfOp::create(builder, at(branch), types, truth,
                                   !branch.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [from, to] :
       llvm::zip(branch->getRegions(), created->getRegions())) {
    if (from.empty())
      continue;
    if (given.empty())
      builder.setInsertionPoint(to.front().getTerminator());
    else
      builder.setInsertionPointToEnd(&to.front());
    if (failed(emit(from.front())))
      return failure();
    SmallVector<Value> yielded;
    for (unsigned i : given) {
      Value value = from.front().getTerminator()->getOperand(i);
      yielded.push_back(kernel.isData(branch.getResult(i))
                            ? data(value, branch)
                            : indexOf(value, branch));
      if (!yielded.back())
        return failure();
    }
    if (!given.empty())
      scf::YieldOp::create(builder, at(branch), yielded);
  }
  for (auto [k, i] : llvm::enumerate(given)) {
    auto &known = kernel.isData(branch.getResult(i)) ? tiles : symbols;
    known[branch.getResult(i)] = created.getResult(k);
  }
  return success();
}

} // namespace drawloom::tt
