// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one thread runs of a kernel: its control flow as jumps, and the scalars
// that it needs.
#include "KernelCompiler.h"

#include "drawloom/Sim/SimError.h"

using namespace mlir;
using namespace drawloom::task;

namespace drawloom::sim {

bool runsOn(Operation *op, SimThread thread) {
  if (thread == SimThread::DM0 || thread == SimThread::DM1)
    return isa<ReserveOp, PushOp, WaitOp, PopOp, ReadOp, WriteOp, FenceOp,
               FillOp, IotaOp, PlaceOp, LiftOp, PeekOp, MulticastOp, SignalOp,
               PublishOp, AwaitOp>(op);
  if (isa<StartupOp, DstOp, PeekOp>(op))
    return true;
  if (auto init = dyn_cast<InitOp>(op))
    return init.getKind() == Setup::Reduce ||
           (init.getKind() == Setup::Pack) == (thread == SimThread::Pack);
  if (thread == SimThread::Pack)
    return isa<ReserveOp, PushOp, PackOp>(op);
  return isa<WaitOp, PopOp, MatmulOp, BinaryOp, CopyOp, TransposeOp, ReduceOp,
             SfpuOp, SfpuBinaryOp, SelectOp, FillRegisterOp>(op);
}

LogicalResult compileKernel(Compilation &compilation, KernelOp kernel,
                            SimThread thread, Code &code) {
  return KernelCompiler(compilation, kernel, thread, code).compile();
}

LogicalResult KernelCompiler::compile() {
  if (isMover()) {
    FailureOr<Time> aluCost = c.cost(kernel, Cost::MoverAlu);
    FailureOr<Time> branchCost = c.cost(kernel, Cost::MoverBranch);
    if (failed(aluCost) || failed(branchCost))
      return failure();
    alu = *aluCost;
    branch = *branchCost;
    code.network = *kernel.getNetwork();
    if (code.network < 0 || code.network >= c.model.networkCount())
      return emitSimError(kernel.getLoc(), SimErrorKind::Config)
             << "machine '" << c.model.name() << "' has no network "
             << code.network;
  }
  findNeeded();
  if (failed(compileBlock(kernel.getBody().front())))
    return failure();
  emit(Op::Halt, *kernel);
  return success();
}

//===--- What is needed ---------------------------------------------------===//

void KernelCompiler::findNeeded() {
  kernel.getBody().walk([&](Operation *op) {
    if (!runsOn(op, thread))
      return;
    for (Value operand : op->getOperands())
      if (operand.getType().isIntOrIndex())
        need(operand);
    include(op);
  });
}

/// Keeps `op` and the control flow it stands in.
void KernelCompiler::include(Operation *op) {
  for (; op != kernel && included.insert(op).second; op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      need(loop.getLowerBound());
      need(loop.getUpperBound());
      need(loop.getStep());
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      need(branch.getCondition());
    }
}

void KernelCompiler::need(Value value) {
  if (!needed.insert(value).second)
    return;
  if (auto result = dyn_cast<OpResult>(value)) {
    Operation *op = result.getOwner();
    unsigned index = result.getResultNumber();
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      need(branch.thenYield().getOperand(index));
      need(branch.elseYield().getOperand(index));
      include(op);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      need(loop.getRegionIterArgs()[index]);
      include(op);
    } else {
      for (Value operand : op->getOperands())
        need(operand);
    }
    return;
  }
  auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
  auto argument = cast<BlockArgument>(value);
  if (!loop || argument.getArgNumber() == 0)
    return;
  unsigned index = argument.getArgNumber() - 1;
  need(loop.getInitArgs()[index]);
  need(loop.getYieldedValues()[index]);
  need(loop.getResult(index));
}

//===--- Control flow -----------------------------------------------------===//

LogicalResult KernelCompiler::compileBlock(Block &block) {
  for (Operation &op : block)
    if (failed(compileOp(op)))
      return failure();
  return success();
}

LogicalResult KernelCompiler::compileOp(Operation &op) {
  if (isa<scf::YieldOp, RegisterOp>(op))
    return success();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return included.contains(loop) ? compileFor(loop) : success();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return included.contains(branch) ? compileIf(branch) : success();
  if (op.getDialect() && isa<TaskDialect>(op.getDialect()) && !isa<CoreOp>(op))
    return runsOn(&op, thread) ? compileEffect(op) : success();
  if (op.getNumRegions() > 0)
    return emitSimError(op.getLoc(), SimErrorKind::Unmodelled)
           << "control flow '" << op.getName()
           << "': kernels have scf.for and scf.if";
  if (llvm::none_of(op.getResults(),
                    [&](Value value) { return needed.contains(value); }))
    return success();
  return compileScalar(op);
}

LogicalResult KernelCompiler::moveAll(ValueRange from, ValueRange to,
                                      Operation &at) {
  // Through temporaries where there are several, since they may be permuted.
  SmallVector<std::pair<uint16_t, uint16_t>> moves;
  for (auto [source, target] : llvm::zip_equal(from, to))
    if (needed.contains(target))
      moves.push_back({registerOf(source), registerOf(target)});
  if (moves.size() > 1)
    for (auto &[source, target] : moves) {
      FailureOr<uint16_t> temporary = newRegister(at);
      if (failed(temporary))
        return failure();
      Instruction &copy = emit(Op::Copy, at);
      copy.r[0] = *temporary;
      copy.r[1] = source;
      source = *temporary;
    }
  for (auto [source, target] : moves) {
    Instruction &copy = emit(Op::Copy, at);
    copy.r[0] = target;
    copy.r[1] = source;
  }
  return success();
}

LogicalResult KernelCompiler::compileFor(scf::ForOp loop) {
  Operation &at = *loop;
  if (failed(define(loop.getInductionVar(), at)))
    return failure();
  for (auto [argument, result] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults())) {
    if (failed(define(argument, at)))
      return failure();
    registers[result] = registerOf(argument); // the last one is the result
  }
  if (loop.getNumResults() > 0 &&
      failed(moveAll(loop.getInitArgs(), loop.getRegionIterArgs(), at)))
    return failure();
  uint16_t index = registerOf(loop.getInductionVar());
  uint16_t end = registerOf(loop.getUpperBound());
  Instruction &start = emit(Op::Copy, at);
  start.r[0] = index;
  start.r[1] = registerOf(loop.getLowerBound());
  int64_t test = here();
  Instruction &skip = emit(Op::JumpUnlessLess, at);
  skip.r[0] = index;
  skip.r[1] = end;
  int64_t body = here();
  if (failed(compileBlock(*loop.getBody())))
    return failure();
  if (loop.getNumResults() > 0 &&
      failed(moveAll(loop.getYieldedValues(), loop.getRegionIterArgs(), at)))
    return failure();
  Instruction &next = emit(Op::Next, at);
  next.r[0] = index;
  next.r[1] = registerOf(loop.getStep());
  next.r[2] = end;
  next.imm = body; // the issue costs are of loops: its step is in them
  code.instructions[test].imm = here();
  return success();
}

LogicalResult KernelCompiler::compileIf(scf::IfOp branch) {
  Operation &at = *branch;
  for (Value result : branch.getResults())
    if (failed(define(result, at)))
      return failure();
  auto side = [&](Region &region) -> LogicalResult {
    if (region.empty())
      return success();
    if (failed(compileBlock(region.front())))
      return failure();
    if (branch.getNumResults() == 0)
      return success();
    return moveAll(region.front().getTerminator()->getOperands(),
                   branch.getResults(), at);
  };
  int64_t test = here();
  Instruction &jump = emit(Op::JumpUnless, at);
  jump.r[0] = registerOf(branch.getCondition());
  jump.cost = this->branch;
  if (failed(side(branch.getThenRegion())))
    return failure();
  int64_t thenEnd = here();
  bool hasElse = !branch.getElseRegion().empty();
  if (hasElse)
    emit(Op::Jump, at);
  code.instructions[test].imm = here();
  if (failed(side(branch.getElseRegion())))
    return failure();
  if (hasElse)
    code.instructions[thenEnd].imm = here();
  return success();
}

//===--- Emission ---------------------------------------------------------===//

Instruction &KernelCompiler::emit(Op op, Operation &at) {
  Instruction &instruction = code.instructions.emplace_back();
  instruction.op = op;
  instruction.location = c.location(at.getLoc());
  return instruction;
}

void KernelCompiler::delay(Time cost, Operation &at) {
  if (cost > 0)
    emit(Op::Delay, at).cost = cost;
}

LogicalResult KernelCompiler::delay(Cost kind, Operation &at) {
  FailureOr<Time> cost = c.cost(&at, kind);
  if (failed(cost))
    return failure();
  delay(*cost, at);
  return success();
}

FailureOr<uint16_t> KernelCompiler::newRegister(Operation &at) {
  if (code.registers > std::numeric_limits<uint16_t>::max())
    return emitSimError(at.getLoc(), SimErrorKind::Limit)
           << "the kernel needs more than 65536 scalars; use loops";
  return static_cast<uint16_t>(code.registers++);
}

LogicalResult KernelCompiler::define(Value value, Operation &at) {
  FailureOr<uint16_t> reg = newRegister(at);
  if (failed(reg))
    return failure();
  registers[value] = *reg;
  return success();
}

FailureOr<uint16_t> KernelCompiler::constant(int64_t value, Operation &at) {
  auto known = constants.find(value);
  if (known != constants.end())
    return known->second;
  FailureOr<uint16_t> reg = newRegister(at);
  if (failed(reg))
    return failure();
  constants[value] = *reg;
  code.constants.push_back({*reg, value});
  return *reg;
}

} // namespace drawloom::sim
