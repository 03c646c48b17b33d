// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop over events, and scalar instructions.
#include "Simulation.h"

#include "MachineNumbers.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace drawloom::sim {

Simulation::Simulation(const Program &program, const MachineModel &model,
                       const SimOptions &options,
                       std::vector<std::vector<std::byte>> &pages)
    : program(program), model(model), options(options), pages(pages),
      fabric(model), programCore(model.coreCount(), -1) {
  if (options.values)
    tiles.emplace(program, *numberModel(model, options.errata));
  buffers.resize(program.cores() * program.buffers.size());
  slots.resize(program.cores() * program.slots);
  holds.resize(program.cores() * kHalves * program.dstTiles, kFresh);
  semaphores.resize(program.cores() * program.semaphores.size());
  mathTime.resize(program.setUps.size() + 1);
  for (int index = 0; index < program.cores(); ++index) {
    Core core;
    core.x = index % program.columns;
    core.y = index / program.columns;
    SmallVector<int64_t> coords(model.dims().size(), 0);
    coords[0] = core.x;
    if (coords.size() > 1)
      coords[1] = core.y;
    core.modelCore = model.coreAt(coords);
    programCore[core.modelCore] = index;
    cores.push_back(core);
    for (int kind = 0; kind < kThreadsPerCore; ++kind) {
      Thread &t = threads.emplace_back();
      t.core = index;
      t.kind = static_cast<SimThread>(kind);
      const std::optional<Code> &code = program.codes[kind];
      t.code = code ? &*code : nullptr;
      t.done = !code;
      if (!code)
        continue;
      t.registers.resize(code->registers);
      t.registers[kCoreX] = core.x;
      t.registers[kCoreY] = core.y;
      for (auto [reg, value] : code->constants)
        t.registers[reg] = value;
    }
  }
}

LogicalResult Simulation::run() {
  for (Thread &t : threads)
    if (!t.done)
      schedule(t, 0);
  while (!queue.empty() && !failed) {
    handle(queue.pop());
    if (steps > options.maxSteps || queue.count() > EventQueue::kCapacity / 2) {
      emitSimError(program.locations.front(), SimErrorKind::Limit)
          << "the program runs longer than " << steps << " instructions and "
          << queue.count() << " events";
      return failure();
    }
  }
  if (failed)
    return failure();
  for (const Thread &t : threads)
    if (!t.done)
      return reportDeadlock();
  return success();
}

void Simulation::handle(const Event &event) {
  switch (event.kind()) {
  case EventKind::Resume:
    return runThread(event.index());
  case EventKind::ReachBank:
    return reachBank(event.index(), event.time);
  case EventKind::LeaveBank:
    return leaveBank(event.index(), event.time);
  case EventKind::WriteBank:
    return writeBank(event.index(), event.time);
  case EventKind::WriteDone:
    return writeDone(event.index(), event.time);
  case EventKind::Deliver:
    return deliver(event.index(), event.time);
  }
}

void Simulation::runThread(uint32_t index) {
  Thread &t = threads[index];
  while (true) {
    const Instruction &i = t.instruction();
    ++steps;
    if (i.op < kFirstEffect) {
      scalar(t, i);
      continue;
    }
    if (i.op >= kFirstShared && t.now > queue.nextTime())
      return schedule(t, t.now);
    if (t.kind == SimThread::Math && i.op < Op::Pack)
      account(i);
    switch (execute(t, i)) {
    case Step::Next:
      ++t.pc;
      t.part = 0;
      break;
    case Step::Again:
      break;
    case Step::Blocked:
    case Step::Halted:
      return;
    }
  }
}

void Simulation::account(const Instruction &i) {
  bool setsUp = i.op == Op::SetUp || i.op == Op::Startup;
  mathTime[setsUp ? program.setUps.size() : program.maths[i.imm].setUp] +=
      i.cost;
}

//===--- Scalars ----------------------------------------------------------===//

/// Two's complement arithmetic, as the machine does it.
static int64_t wrap(uint64_t value) { return static_cast<int64_t>(value); }

static int64_t floorMod(int64_t a, int64_t b) {
  int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/// Binary operations; division by zero gives all ones, as RISC-V does.
static int64_t compute(Op op, int64_t a, int64_t b) {
  uint64_t ua = a, ub = b;
  bool divides = op == Op::DivTrunc || op == Op::DivFloor ||
                 op == Op::DivCeil || op == Op::RemTrunc || op == Op::ModFloor;
  if (divides && b == 0)
    return op == Op::RemTrunc || op == Op::ModFloor ? a : -1;
  if (divides && b == -1)
    return op == Op::RemTrunc || op == Op::ModFloor ? 0 : wrap(-ua);
  switch (op) {
  case Op::Add:
    return wrap(ua + ub);
  case Op::Sub:
    return wrap(ua - ub);
  case Op::Mul:
    return wrap(ua * ub);
  case Op::DivTrunc:
    return a / b;
  case Op::RemTrunc:
    return a % b;
  case Op::DivFloor:
    return llvm::divideFloorSigned(a, b);
  case Op::DivCeil:
    return llvm::divideCeilSigned(a, b);
  case Op::ModFloor:
    return floorMod(a, b);
  case Op::Min:
    return std::min(a, b);
  case Op::Max:
    return std::max(a, b);
  case Op::MinUnsigned:
    return wrap(std::min(ua, ub));
  case Op::MaxUnsigned:
    return wrap(std::max(ua, ub));
  case Op::And:
    return a & b;
  case Op::Or:
    return a | b;
  case Op::Xor:
    return a ^ b;
  case Op::Equal:
    return a == b;
  case Op::NotEqual:
    return a != b;
  case Op::Less:
    return a < b;
  case Op::LessEqual:
    return a <= b;
  case Op::LessUnsigned:
    return ua < ub;
  default:
    return ua <= ub; // LessEqualUnsigned
  }
}

void Simulation::scalar(Thread &t, const Instruction &i) {
  int64_t *r = t.registers.data();
  t.now += i.cost;
  ++t.pc;
  switch (i.op) {
  case Op::Copy:
    r[i.r[0]] = r[i.r[1]];
    return;
  case Op::AddImm:
    r[i.r[0]] = wrap(uint64_t(r[i.r[1]]) + i.imm);
    return;
  case Op::MulImm:
    r[i.r[0]] = wrap(uint64_t(r[i.r[1]]) * i.imm);
    return;
  case Op::MulAdd:
    r[i.r[0]] = wrap(uint64_t(r[i.r[1]]) * i.imm + r[i.r[2]]);
    return;
  case Op::Select:
    r[i.r[0]] = r[i.r[1]] ? r[i.r[2]] : r[i.r[3]];
    return;
  case Op::Jump:
    t.pc = i.imm;
    return;
  case Op::JumpUnless:
    if (!r[i.r[0]])
      t.pc = i.imm;
    return;
  case Op::JumpUnlessLess:
    if (r[i.r[0]] >= r[i.r[1]])
      t.pc = i.imm;
    return;
  case Op::Next:
    r[i.r[0]] += r[i.r[1]];
    if (r[i.r[0]] < r[i.r[2]])
      t.pc = i.imm;
    return;
  case Op::Delay:
    return;
  default:
    r[i.r[0]] = compute(i.op, r[i.r[1]], r[i.r[2]]);
  }
}

//===--- Effects ----------------------------------------------------------===//

Simulation::Step Simulation::execute(Thread &t, const Instruction &i) {
  switch (i.op) {
  case Op::SetUp:
  case Op::Startup:
    return setUp(t, i);
  case Op::Matmul:
    return matmul(t, i);
  case Op::Binary:
    return binary(t, i);
  case Op::CopyTile:
  case Op::Transpose:
    return copyTile(t, i);
  case Op::Reduce:
    return reduce(t, i);
  case Op::Sfpu:
  case Op::FillDst:
    return sfpu(t, i);
  case Op::SfpuBinary:
    return sfpuBinary(t, i);
  case Op::Where:
    return where(t, i);
  case Op::Pack:
    return pack(t, i);
  case Op::Fill:
    return fill(t, i);
  case Op::Iota:
    return iota(t, i);
  case Op::Place:
  case Op::Lift:
    return moveLine(t, i);
  case Op::Peek:
    return peek(t, i);
  case Op::TakePeek:
    return takePeek(t, i);
  case Op::Reserve:
    return reserve(t, i);
  case Op::Push:
    return push(t, i);
  case Op::Wait:
    return wait(t, i);
  case Op::Pop:
    return pop(t, i);
  case Op::Read:
    return read(t, i);
  case Op::Write:
    return write(t, i);
  case Op::FenceReads:
  case Op::FenceWrites:
  case Op::FenceSent:
    return fence(t, i);
  case Op::Multicast:
    return multicast(t, i);
  case Op::Signal:
    return signal(t, i);
  case Op::Publish:
    return publish(t, i);
  case Op::Await:
    return await(t, i);
  case Op::Acquire:
    return acquire(t, i);
  case Op::Commit:
    return commit(t, i);
  case Op::DstWait:
    return dstWait(t);
  case Op::DstRelease:
    return dstRelease(t);
  default:
    t.done = true;
    return Step::Halted;
  }
}

//===--- Waiting ----------------------------------------------------------===//

void Simulation::schedule(Thread &t, Time time) {
  queue.push(time, EventKind::Resume, &t - threads.data());
}

Simulation::Step Simulation::block(Thread &t, Stall reason, int object) {
  t.blocked = true;
  t.reason = reason;
  t.object = object;
  t.since = t.now;
  return Step::Blocked;
}

bool Simulation::hasCome(const Thread &t) const {
  const Instruction &i = t.instruction();
  switch (t.reason) {
  case Stall::Data:
    return bufferOf(t.core, t.object).held() >= i.imm;
  case Stall::Space:
    return program.buffers[t.object].capacity -
               bufferOf(t.core, t.object).held() >=
           i.imm;
  case Stall::Semaphore:
    return semaphoreOf(t.core, t.object) >= t.registers[i.r[0]];
  default:
    return true;
  }
}

void Simulation::wake(int core, Stall reason, int object, Time time) {
  for (int kind = 0; kind < kThreadsPerCore; ++kind) {
    Thread &t = threads[core * kThreadsPerCore + kind];
    if (!t.blocked || t.reason != reason || t.object != object || !hasCome(t))
      continue;
    t.blocked = false;
    t.now = std::max(t.now, time);
    t.stalls[static_cast<size_t>(reason)] += t.now - t.since;
    schedule(t, t.now);
  }
}

void Simulation::stallUntil(Thread &t, Stall reason, Time time) {
  if (time <= t.now)
    return;
  t.stalls[static_cast<size_t>(reason)] += time - t.now;
  t.now = time;
}

//===--- Errors and results -----------------------------------------------===//

InFlightDiagnostic Simulation::fail(const Thread &t, SimErrorKind kind) {
  failed = true;
  const Core &core = cores[t.core];
  InFlightDiagnostic error =
      emitSimError(program.locations[t.instruction().location], kind);
  error << stringify(t.kind) << " of core (" << core.x << ", " << core.y
        << "): ";
  return error;
}

Simulation::Step Simulation::undefined(const Thread &t, const Twine &what) {
  fail(t, SimErrorKind::Undefined) << what;
  return Step::Halted;
}

std::vector<std::pair<std::string, double>> Simulation::mathResult() const {
  llvm::StringMap<Time> times;
  for (auto [text, time] : llvm::zip(program.setUps, mathTime))
    times[StringRef(text).split(" of (").first] += time;
  times["set-ups"] = mathTime.back();
  std::vector<std::pair<std::string, double>> result;
  for (const auto &[name, time] : times)
    if (time > 0)
      result.emplace_back(name.str(), toCycles(time));
  llvm::sort(result, [](const auto &a, const auto &b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  return result;
}

SimResult Simulation::result() const {
  SimResult result;
  Time end = 0;
  for (const Thread &t : threads) {
    end = std::max(end, t.now);
    ThreadTime &time = result.threads.emplace_back();
    Time stalled = 0;
    for (int i = 0; i < kStallCount; ++i) {
      stalled += t.stalls[i];
      time.stalls[i] = toCycles(t.stalls[i]);
    }
    time.busy = toCycles(t.now - stalled);
  }
  result.cycles = toCycles(end);
  result.launchCycles = toCycles(program.launch);
  result.microseconds =
      (result.cycles + result.launchCycles) / (*model.clockGHz() * 1000);
  result.columns = program.columns;
  result.rows = program.rows;
  result.links = fabric.linkTraffic();
  for (const LinkTraffic &link : result.links)
    result.nocByteHops += link.bytes;
  result.banks = fabric.bankTraffic();
  for (const BankTraffic &bank : result.banks) {
    result.dramReadBytes += bank.readBytes;
    result.dramWriteBytes += bank.writeBytes;
  }
  result.nocBytes = fabric.nocBytes();
  for (const BufferInfo &buffer : program.buffers)
    result.peakL1Bytes =
        std::max(result.peakL1Bytes, buffer.address +
                                         buffer.capacity * buffer.tileBytes -
                                         model.local().reserved);
  result.math = mathResult();
  result.flops = products * 2 * kTileSide * kTileSide * kTileSide;
  result.events = queue.count();
  result.instructions = steps;
  return result;
}

} // namespace drawloom::sim
