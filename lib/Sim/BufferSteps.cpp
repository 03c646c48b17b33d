// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Circular buffers as on the device: counts both sides see, pointers of their
// own, and slots that never reach across the end.
#include "Simulation.h"

namespace drawloom::sim {

Simulation::Step Simulation::reserve(Thread &t, const Instruction &i) {
  Buffer &buffer = bufferOf(t.core, i.object);
  const BufferInfo &info = program.buffers[i.object];
  if (info.capacity - buffer.held() < i.imm)
    return block(t, Stall::Space, i.object);
  for (int64_t slot = buffer.reserved; slot < i.imm; ++slot) {
    int64_t at = buffer.write + slot;
    uint8_t &flags = flagsOf(t.core, i.object,
                             at < info.capacity ? at : at - info.capacity);
    if (flags & Leaving)
      return undefined(t, "buffer '" + info.name +
                              "' is reserved while a transfer out of it may "
                              "still read it; fence it first");
    flags = 0;
  }
  buffer.reserved = std::max(buffer.reserved, i.imm);
  t.now += i.cost;
  return Step::Next;
}

Simulation::Step Simulation::push(Thread &t, const Instruction &i) {
  Buffer &buffer = bufferOf(t.core, i.object);
  const BufferInfo &info = program.buffers[i.object];
  if (i.imm > buffer.reserved)
    return undefined(t, "pushes " + llvm::Twine(i.imm) + " tiles to buffer '" +
                            info.name + "', where " +
                            llvm::Twine(buffer.reserved) + " are reserved");
  if (buffer.write + i.imm > info.capacity)
    return undefined(t, "pushes " + llvm::Twine(i.imm) +
                            " tiles across the end of buffer '" + info.name +
                            "'; pushes must divide its " +
                            llvm::Twine(info.capacity) + " tiles");
  for (int64_t slot = 0; slot < i.imm; ++slot)
    if (flagsOf(t.core, i.object, buffer.write + slot) & Arriving)
      return undefined(t, "pushes a tile to buffer '" + info.name +
                              "' that is still being read; fence the reads "
                              "first");
  buffer.write = (buffer.write + i.imm) % info.capacity;
  buffer.pushed += i.imm;
  buffer.reserved -= i.imm;
  wake(t.core, Stall::Data, i.object, t.now);
  return Step::Next;
}

Simulation::Step Simulation::wait(Thread &t, const Instruction &i) {
  Buffer &buffer = bufferOf(t.core, i.object);
  if (buffer.held() < i.imm)
    return block(t, Stall::Data, i.object);
  buffer.waited = std::max(buffer.waited, i.imm);
  t.now += i.cost;
  return Step::Next;
}

Simulation::Step Simulation::pop(Thread &t, const Instruction &i) {
  Buffer &buffer = bufferOf(t.core, i.object);
  const BufferInfo &info = program.buffers[i.object];
  if (i.imm > buffer.waited)
    return undefined(t, "pops " + llvm::Twine(i.imm) + " tiles of buffer '" +
                            info.name + "', where it has waited for " +
                            llvm::Twine(buffer.waited));
  if (buffer.read + i.imm > info.capacity)
    return undefined(t, "pops " + llvm::Twine(i.imm) +
                            " tiles across the end of buffer '" + info.name +
                            "'; pops must divide its " +
                            llvm::Twine(info.capacity) + " tiles");
  for (int64_t slot = 0; slot < i.imm; ++slot)
    if (flagsOf(t.core, i.object, buffer.read + slot) & Leaving)
      return undefined(t, "pops a tile of buffer '" + info.name +
                              "' that is still being sent; fence it first");
  buffer.read = (buffer.read + i.imm) % info.capacity;
  buffer.popped += i.imm;
  buffer.waited -= i.imm;
  wake(t.core, Stall::Space, i.object, t.now);
  return Step::Next;
}

//===--- Slots ------------------------------------------------------------===//

std::optional<int64_t> Simulation::placeInScratch(const Thread &t,
                                                  const BufferInfo &info,
                                                  int64_t slot, int64_t count) {
  if (slot >= 0 && slot + count <= info.capacity)
    return slot;
  undefined(t, "touches slots " + llvm::Twine(slot) + " to " +
                   llvm::Twine(slot + count - 1) + " of scratch buffer '" +
                   info.name + "', which has " + llvm::Twine(info.capacity));
  return std::nullopt;
}

std::optional<int64_t> Simulation::place(const Thread &t, int index, Side side,
                                         int64_t slot, int64_t count) {
  const Buffer &buffer = bufferOf(t.core, index);
  const BufferInfo &info = program.buffers[index];
  if (info.scratch)
    return placeInScratch(t, info, slot, count);
  bool produces = side == Side::Producer;
  int64_t owned = produces ? buffer.reserved : buffer.waited;
  int64_t first = (produces ? buffer.write : buffer.read) + slot;
  if (slot < 0 || slot + count > owned) {
    undefined(t, "touches slots " + llvm::Twine(slot) + " to " +
                     llvm::Twine(slot + count - 1) + " of buffer '" +
                     info.name + "', where it has " +
                     (produces ? "reserved " : "waited for ") +
                     llvm::Twine(owned));
    return std::nullopt;
  }
  if (first + count > info.capacity) {
    undefined(t, "touches slots across the end of buffer '" + info.name +
                     "', which holds " + llvm::Twine(info.capacity) + " tiles");
    return std::nullopt;
  }
  return first;
}

std::optional<int64_t> Simulation::source(const Thread &t, int index, Side side,
                                          int64_t slot, int64_t count) {
  std::optional<int64_t> first = place(t, index, side, slot, count);
  if (!first)
    return std::nullopt;
  for (int64_t i = 0; i < count; ++i)
    if (!(flagsOf(t.core, index, *first + i) & Written)) {
      undefined(t, "uses slot " + llvm::Twine(slot + i) + " of buffer '" +
                       program.buffers[index].name +
                       "', which nothing has written since it was reserved");
      return std::nullopt;
    }
  return first;
}

void Simulation::written(int core, int buffer, int64_t slot, uint8_t flags) {
  flagsOf(core, buffer, slot) |= flags;
  if (tiles)
    tiles->changed(core, buffer, slot);
}

} // namespace drawloom::sim
