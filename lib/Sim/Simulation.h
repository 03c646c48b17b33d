// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The discrete-event machine: threads of all cores, buffers, semaphores and
// transfers in one order of time.
//
// A thread runs ahead through what concerns nobody else. Before an operation
// others can see it lets every earlier event go first, so that all such
// operations happen in order of time. Events of equal time keep the order in
// which they were scheduled; two runs are identical.
#ifndef DRAWLOOM_LIB_SIM_SIMULATION_H
#define DRAWLOOM_LIB_SIM_SIMULATION_H

#include "Bytecode.h"
#include "EventQueue.h"
#include "Fabric.h"
#include "TileUnit.h"
#include "drawloom/Sim/SimError.h"
#include "drawloom/Sim/Simulator.h"
#include <deque>

namespace drawloom::sim {

class Simulation {
public:
  /// `pages` holds each array's pages; empty in timing-only mode.
  Simulation(const Program &program, const MachineModel &model,
             const SimOptions &options,
             std::vector<std::vector<std::byte>> &pages);

  mlir::LogicalResult run();
  SimResult result() const;

private:
  /// Outcome of one instruction: go on to the next, do this one again (a part
  /// is done), let go until an event, or stop.
  enum class Step { Next, Again, Blocked, Halted };

  struct Thread {
    const Code *code;
    std::vector<int64_t> registers;
    uint32_t pc = 0;
    int part = 0; ///< parts of the instruction that are done
    int core;
    SimThread kind;
    Time now = 0;

    bool blocked = false, done = false;
    Stall reason = Stall::Data; ///< why and on what it is blocked
    int object = 0;
    Time since = 0;
    std::array<Time, kStallCount> stalls = {};

    int reads = 0, writes = 0; ///< under way
    Time lastRead = 0, lastAck = 0, lastSent = 0;
    std::vector<uint32_t> arriving, leaving; ///< slots, until the fence

    const Instruction &instruction() const { return code->instructions[pc]; }
  };

  /// A circular buffer of one core, in tiles. Totals only grow.
  struct Buffer {
    int64_t write = 0, read = 0; ///< pointers, in [0, capacity)
    int64_t pushed = 0, popped = 0;
    int64_t reserved = 0, waited = 0; ///< what the two sides may touch
    int64_t held() const { return pushed - popped; }
  };

  /// State of a tile slot. Written: since it was reserved. Arriving: a read
  /// into it is not fenced. Leaving: a transfer out of it is not fenced.
  enum SlotFlag : uint8_t { Written = 1, Arriving = 2, Leaving = 4 };

  struct Core {
    int modelCore; ///< its number in the machine model
    int64_t x, y;
    int acquired = 0, committed = 0, packed = 0; ///< halves of Dst
    bool started = false;
    int matrixSetUp = -1, vectorSetUp = -1, packSetUp = -1, formats = -1;
    std::deque<int64_t> peeked; ///< by the math thread, not yet by the packer
  };

  /// What a tile of Dst holds since its half was acquired: zeros, any values,
  /// or (a number from 0 on) the result of reductions under that set-up.
  static constexpr int kFresh = -1, kValues = -2;

  struct Transfer {
    int thread;
    int bank;
    int64_t bytes;
    std::byte *from, *to;
  };
  struct Message {
    int core, semaphore;
    int64_t value;
    bool sets; ///< or else adds
  };
  /// A free list of what is under way.
  template <typename T> struct Pool {
    std::vector<T> items;
    std::vector<uint32_t> unused;
    uint32_t add(const T &item);
    T take(uint32_t index);
  };

  //===--- Running (Simulation.cpp) ---------------------------------------===//
  void runThread(uint32_t index);
  /// Adds the cost of a computing instruction to `mathTime`.
  void account(const Instruction &i);
  std::vector<std::pair<std::string, double>> mathResult() const;
  void scalar(Thread &t, const Instruction &i);
  Step execute(Thread &t, const Instruction &i);
  void handle(const Event &event);
  void schedule(Thread &t, Time time);
  Step block(Thread &t, Stall reason, int object);
  /// Lets go what waits for that, if it has come.
  void wake(int core, Stall reason, int object, Time time);
  /// Whether counts allow the instruction a thread is blocked in.
  bool hasCome(const Thread &t) const;
  /// Waits for a known time.
  void stallUntil(Thread &t, Stall reason, Time time);
  mlir::InFlightDiagnostic fail(const Thread &t, SimErrorKind kind);
  Step undefined(const Thread &t, const llvm::Twine &what);

  //===--- Buffers (BufferSteps.cpp) --------------------------------------===//
  Step reserve(Thread &t, const Instruction &i);
  Step push(Thread &t, const Instruction &i);
  Step wait(Thread &t, const Instruction &i);
  Step pop(Thread &t, const Instruction &i);
  /// Slots `slot` to `slot + count` from a side's pointer, as a place in the
  /// buffer; nothing (and an error) if the side may not touch them.
  std::optional<int64_t> place(const Thread &t, int buffer, Side side,
                               int64_t slot, int64_t count);
  std::optional<int64_t> placeInScratch(const Thread &t, const BufferInfo &info,
                                        int64_t slot, int64_t count);
  /// As `place`, and every slot has been written.
  std::optional<int64_t> source(const Thread &t, int buffer, Side side,
                                int64_t slot, int64_t count);
  void written(int core, int buffer, int64_t slot, uint8_t flags = Written);

  //===--- Transfers (Transfers.cpp) --------------------------------------===//
  struct Span {
    int64_t page, inPage, inTile, bytes, slot;
  };
  /// What an instruction moves; nothing (and an error) if it may not.
  std::optional<Span> span(const Thread &t, const Instruction &i);
  /// Whether the network interface is taken; then until it is free.
  bool waitForPort(Thread &t);
  Step read(Thread &t, const Instruction &i);
  Step write(Thread &t, const Instruction &i);
  Step fence(Thread &t, const Instruction &i);
  Step fill(Thread &t, const Instruction &i);
  void reachBank(uint32_t index, Time time);
  void leaveBank(uint32_t index, Time time);
  void writeBank(uint32_t index, Time time);
  void writeDone(uint32_t index, Time time);

  //===--- Between cores (Messages.cpp) -----------------------------------===//
  std::optional<CoreRect> rectangle(const Thread &t, const Instruction &i);
  const Tree *treeOf(const Thread &t, const Instruction &i);
  Step multicast(Thread &t, const Instruction &i);
  Step publish(Thread &t, const Instruction &i);
  Step signal(Thread &t, const Instruction &i);
  Step await(Thread &t, const Instruction &i);
  void sendPacket(Thread &t, const Tree &tree, int64_t bytes);
  bool deliverTiles(Thread &t, const Instruction &i, const Tree &tree,
                    int64_t first);
  void deliver(uint32_t index, Time time);

  //===--- Lanes and integers in memory (LaneSteps.cpp) -------------------===//
  Step iota(Thread &t, const Instruction &i);
  Step moveLine(Thread &t, const Instruction &i);
  Time lineTime(const LineOp &line, int64_t byte, int64_t column,
                int64_t count) const;
  Step peek(Thread &t, const Instruction &i);
  Step takePeek(Thread &t, const Instruction &i);
  /// No transfer named in `flags` concerns the slot.
  bool checkAtRest(const Thread &t, int buffer, int64_t slot, uint8_t flags);
  bool checkLanes(const Thread &t, const LineOp &line, int64_t row,
                  int64_t column, int64_t count);
  std::optional<std::pair<int64_t, int64_t>>
  linearSlots(const Thread &t, const LineOp &line, int64_t byte, int64_t count);

  //===--- Compute (ComputeSteps.cpp) -------------------------------------===//
  Step setUp(Thread &t, const Instruction &i);
  Step matmul(Thread &t, const Instruction &i);
  Step binary(Thread &t, const Instruction &i);
  Step copyTile(Thread &t, const Instruction &i);
  Step reduce(Thread &t, const Instruction &i);
  Step sfpu(Thread &t, const Instruction &i);
  Step sfpuBinary(Thread &t, const Instruction &i);
  Step where(Thread &t, const Instruction &i);
  Step pack(Thread &t, const Instruction &i);
  Step acquire(Thread &t, const Instruction &i);
  Step commit(Thread &t, const Instruction &i);
  Step dstWait(Thread &t);
  Step dstRelease(Thread &t);
  bool checkSetUp(const Thread &t, const MathOp &op);
  std::optional<int> dstTile(const Thread &t, const DstRange &range,
                             int64_t index, int64_t count = 1);
  /// The tiles of Dst that the operation's registers number, one of each range.
  std::optional<llvm::SmallVector<int, 4>>
  dstTiles(const Thread &t, const Instruction &i, llvm::ArrayRef<DstRange> of);
  /// The operation is done and has left values in a tile of Dst.
  void computed(Thread &t, const Instruction &i, int at) {
    t.now += i.cost;
    holdsOf(t, at) = kValues;
  }
  /// Half of Dst the math thread works on.
  int mathHalf(const Thread &t) const {
    return (cores[t.core].acquired - 1) % kHalves;
  }
  int &holdsOf(const Thread &t, int at) {
    return holds[(t.core * kHalves + mathHalf(t)) * program.dstTiles + at];
  }

  //===--- Deadlock (Deadlock.cpp) ----------------------------------------===//
  mlir::LogicalResult reportDeadlock();
  std::string describeWait(const Thread &t) const;

  Buffer &bufferOf(int core, int buffer) {
    return buffers[core * program.buffers.size() + buffer];
  }
  const Buffer &bufferOf(int core, int buffer) const {
    return buffers[core * program.buffers.size() + buffer];
  }
  uint8_t &flagsOf(int core, int buffer, int64_t slot) {
    return slots[core * program.slots + program.buffers[buffer].firstSlot +
                 slot];
  }
  int64_t &semaphoreOf(int core, int semaphore) {
    return semaphores[core * program.semaphores.size() + semaphore];
  }
  int64_t semaphoreOf(int core, int semaphore) const {
    return semaphores[core * program.semaphores.size() + semaphore];
  }
  /// What a thread blocked by Stall::Math waits for.
  static constexpr int kCommitted = 0, kPeeked = 1;
  static constexpr int kHalves = 2; ///< of Dst

  int modelCore(const Thread &t) const { return cores[t.core].modelCore; }

  const Program &program;
  const MachineModel &model;
  const SimOptions &options;
  std::vector<std::vector<std::byte>> &pages;
  Fabric fabric;
  EventQueue queue;
  std::optional<TileUnit> tiles; ///< in values mode
  std::vector<Thread> threads;   ///< [core * kThreadsPerCore + kind]
  std::vector<Core> cores;
  std::vector<int> programCore; ///< by the machine model's number
  std::vector<Buffer> buffers;
  std::vector<uint8_t> slots;
  std::vector<int> holds; ///< of each tile of Dst: kFresh, kValues, a set-up
  std::vector<int64_t> semaphores;
  Pool<Transfer> transfers;
  Pool<Message> messages;
  llvm::SmallVector<Time> arrivals;
  int64_t steps = 0, products = 0;
  /// Ticks of the math threads by set-up under which they computed; the last
  /// are those of the set-ups themselves.
  std::vector<Time> mathTime;
  bool failed = false;
};

template <typename T> uint32_t Simulation::Pool<T>::add(const T &item) {
  if (unused.empty()) {
    items.push_back(item);
    return items.size() - 1;
  }
  uint32_t index = unused.back();
  unused.pop_back();
  items[index] = item;
  return index;
}

template <typename T> T Simulation::Pool<T>::take(uint32_t index) {
  unused.push_back(index);
  return items[index];
}

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_SIMULATION_H
