// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cores send one another: multicasts, and counts of semaphores.
//
// No packet is linked to the next: each sets up its tree anew, as the vendor's
// multicast calls do unless told otherwise.
#include "Simulation.h"

#include <cstring>

namespace drawloom::sim {

/// A count of a semaphore on the network.
static constexpr int64_t kCountBytes = 4;

std::optional<CoreRect> Simulation::rectangle(const Thread &t,
                                              const Instruction &i) {
  const int64_t *r = t.registers.data();
  CoreRect rect{r[i.r[1]], r[i.r[2]], r[i.r[3]], r[i.r[4]]};
  if (rect.x0 >= 0 && rect.y0 >= 0 && rect.x0 <= rect.x1 &&
      rect.y0 <= rect.y1 && rect.x1 < program.columns && rect.y1 < program.rows)
    return rect;
  undefined(t, "sends to the rectangle [" + llvm::Twine(rect.x0) + ", " +
                   llvm::Twine(rect.y0) + ", " + llvm::Twine(rect.x1) + ", " +
                   llvm::Twine(rect.y1) + "] on a grid of " +
                   llvm::Twine(program.columns) + "x" +
                   llvm::Twine(program.rows));
  return std::nullopt;
}

const Tree *Simulation::treeOf(const Thread &t, const Instruction &i) {
  std::optional<CoreRect> rect = rectangle(t, i);
  if (!rect)
    return nullptr;
  const Tree &tree = fabric.tree(t.code->network, modelCore(t), *rect);
  if (tree.receivers.size() == i.receivers)
    return &tree;
  undefined(t, "states " + llvm::Twine(i.receivers) +
                   " receivers, but its rectangle has " +
                   llvm::Twine(tree.receivers.size()) +
                   " cores besides the sender; the acknowledgements would "
                   "never add up");
  return nullptr;
}

//===--- Multicast --------------------------------------------------------===//

void Simulation::sendPacket(Thread &t, const Tree &tree, int64_t bytes) {
  Time acknowledged =
      fabric.multicast(tree, bytes, program.multicastSetUp, t.now, arrivals);
  t.lastAck = std::max(t.lastAck, acknowledged);
  t.lastSent =
      std::max(t.lastSent, fabric.injectFree(tree.network, tree.sender));
}

/// Marks (and copies) the tiles at every receiver, which must have reserved
/// the same places.
bool Simulation::deliverTiles(Thread &t, const Instruction &i, const Tree &tree,
                              int64_t first) {
  const BufferInfo &info = program.buffers[i.object];
  for (const Tree::Receiver &receiver : tree.receivers) {
    int core = programCore[receiver.core];
    const Buffer &buffer = bufferOf(core, i.object);
    int64_t offset = first - buffer.write;
    if (offset < 0)
      offset += info.capacity; // the receiver's reservation may wrap
    if (offset + i.imm > buffer.reserved) {
      undefined(t, "multicasts to places " + llvm::Twine(first) + " to " +
                       llvm::Twine(first + i.imm - 1) + " of buffer '" +
                       info.name + "' of core (" + llvm::Twine(cores[core].x) +
                       ", " + llvm::Twine(cores[core].y) +
                       "), which has reserved " + llvm::Twine(buffer.reserved) +
                       " tiles from place " + llvm::Twine(buffer.write));
      return false;
    }
    for (int64_t slot = first; slot < first + i.imm; ++slot)
      written(core, i.object, slot);
    if (tiles)
      std::memcpy(tiles->tile(core, i.object, first),
                  tiles->tile(t.core, i.object, first), i.imm * info.tileBytes);
  }
  return true;
}

Simulation::Step Simulation::multicast(Thread &t, const Instruction &i) {
  const Tree *tree = treeOf(t, i);
  if (!tree)
    return Step::Halted;
  if (waitForPort(t))
    return Step::Again;
  int64_t total = i.imm * program.buffers[i.object].tileBytes;
  int64_t packet = model.network(tree->network).packetBytes;
  int64_t done = t.part++ * packet;
  int64_t bytes = std::min(packet, total - done);
  sendPacket(t, *tree, bytes);
  t.now += program.write;
  if (done == 0) {
    std::optional<int64_t> first =
        source(t, i.object, i.side(), t.registers[i.r[0]], i.imm);
    if (!first || !deliverTiles(t, i, *tree, *first))
      return Step::Halted;
    for (int64_t slot = *first; slot < *first + i.imm; ++slot) {
      uint8_t &flags = flagsOf(t.core, i.object, slot);
      if (flags & Arriving)
        return undefined(t, "multicasts a tile of buffer '" +
                                program.buffers[i.object].name +
                                "' that is still being read; fence the reads "
                                "first");
      flags |= Leaving;
      t.leaving.push_back(&flags - slots.data());
    }
  }
  return done + bytes == total ? Step::Next : Step::Again;
}

//===--- Semaphores -------------------------------------------------------===//

Simulation::Step Simulation::publish(Thread &t, const Instruction &i) {
  const Tree *tree = treeOf(t, i);
  if (!tree)
    return Step::Halted;
  int64_t value = t.registers[i.r[0]];
  if (t.part == 0) {
    semaphoreOf(t.core, i.object) = value;
    wake(t.core, Stall::Semaphore, i.object, t.now);
    t.now += program.semaphoreSet;
    ++t.part;
    return Step::Again;
  }
  if (waitForPort(t))
    return Step::Again;
  sendPacket(t, *tree, kCountBytes);
  t.now += program.write;
  for (auto [receiver, time] : llvm::zip_equal(tree->receivers, arrivals))
    queue.push(
        time, EventKind::Deliver,
        messages.add({programCore[receiver.core], i.object, value, true}));
  return Step::Next;
}

Simulation::Step Simulation::signal(Thread &t, const Instruction &i) {
  std::optional<CoreRect> rect = rectangle(t, i);
  if (!rect)
    return Step::Halted;
  int64_t width = rect->x1 - rect->x0 + 1;
  int64_t targets = width * (rect->y1 - rect->y0 + 1);
  int64_t index = t.part++;
  if (index == targets)
    return Step::Next;
  int64_t x = rect->x0 + index % width, y = rect->y0 + index / width;
  int core = static_cast<int>(y * program.columns + x);
  if (core == t.core && targets > 1)
    return Step::Again;
  Time there = fabric.message(t.code->network, modelCore(t),
                              cores[core].modelCore, t.now);
  queue.push(there + program.semaphoreApply, EventKind::Deliver,
             messages.add({core, i.object, 1, false}));
  t.now += i.cost;
  return Step::Again;
}

Simulation::Step Simulation::await(Thread &t, const Instruction &i) {
  if (semaphoreOf(t.core, i.object) < t.registers[i.r[0]])
    return block(t, Stall::Semaphore, i.object);
  t.now += i.cost;
  return Step::Next;
}

void Simulation::deliver(uint32_t index, Time time) {
  Message message = messages.take(index);
  int64_t &value = semaphoreOf(message.core, message.semaphore);
  value = message.sets ? message.value : value + message.value;
  wake(message.core, Stall::Semaphore, message.semaphore, time);
}

} // namespace drawloom::sim
