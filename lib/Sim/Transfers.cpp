// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes of pages, fences, and fills.
#include "Simulation.h"

#include "llvm/Support/MathExtras.h"
#include <cstring>

namespace drawloom::sim {

//===--- Issue ------------------------------------------------------------===//
//
// A packet leaves when its call starts, and the call takes the mover its issue
// cost: the latencies were measured from the start of a call.

std::optional<Simulation::Span> Simulation::span(const Thread &t,
                                                 const Instruction &i) {
  const ArrayInfo &array = program.arrays[i.object];
  const BufferInfo &buffer = program.buffers[i.imm];
  const int64_t *r = t.registers.data();
  Span span{r[i.r[0]], 0, 0, array.pageBytes, r[i.r[1]]};
  if (i.hasPart()) {
    span.inPage = r[i.r[2]];
    span.inTile = r[i.r[3]];
    span.bytes = r[i.r[4]];
  }
  auto refuse = [&](const llvm::Twine &what) {
    undefined(t, what);
    return std::nullopt;
  };
  if (span.page < 0 || span.page >= array.pages)
    return refuse("page " + llvm::Twine(span.page) + " of array '" +
                  array.name + "', which has " + llvm::Twine(array.pages));
  if (span.bytes <= 0)
    return span;
  auto within = [](int64_t start, int64_t bytes, int64_t size) {
    return start >= 0 && start + bytes <= size;
  };
  if (!within(span.inPage, span.bytes, array.pageBytes) ||
      !within(span.inTile, span.bytes, buffer.tileBytes))
    return refuse("moves " + llvm::Twine(span.bytes) + " bytes at byte " +
                  llvm::Twine(span.inPage) + " of a page of " +
                  llvm::Twine(array.pageBytes) + " and byte " +
                  llvm::Twine(span.inTile) + " of a tile of " +
                  llvm::Twine(buffer.tileBytes));
  const Memory &dram = model.global();
  int64_t align = i.op == Op::Read ? dram.readAlign : dram.writeAlign;
  int64_t inL1 = buffer.address + span.inTile; // tiles are aligned themselves
  if ((span.inPage - inL1) % align != 0)
    return refuse("moves byte " + llvm::Twine(span.inPage) +
                  " of a page to or from byte " + llvm::Twine(inL1) +
                  " of L1; the two must agree modulo " + llvm::Twine(align));
  return span;
}

bool Simulation::waitForPort(Thread &t) {
  Time free = fabric.injectFree(t.code->network, modelCore(t));
  if (free <= t.now)
    return false;
  stallUntil(t, Stall::Issue, free);
  return true;
}

Simulation::Step Simulation::read(Thread &t, const Instruction &i) {
  std::optional<Span> whole = span(t, i);
  if (!whole)
    return Step::Halted;
  if (whole->bytes <= 0)
    return Step::Next;
  int buffer = i.imm;
  std::optional<int64_t> slot = place(t, buffer, i.side(), whole->slot, 1);
  if (!slot)
    return Step::Halted;
  if (!checkAtRest(t, buffer, *slot, Leaving))
    return Step::Halted;
  int net = t.code->network;
  int64_t packet = model.network(net).packetBytes;
  int64_t done = t.part++ * packet;
  if (done == 0) {
    written(t.core, buffer, *slot, Written | Arriving);
    t.arriving.push_back(&flagsOf(t.core, buffer, *slot) - slots.data());
  }
  Transfer transfer;
  transfer.thread = &t - threads.data();
  transfer.bank = model.interleave(whole->page).bank;
  transfer.bytes = std::min(packet, whole->bytes - done);
  transfer.from = transfer.to = nullptr;
  if (tiles) {
    transfer.from = pages[i.object].data() +
                    whole->page * program.arrays[i.object].pageBytes +
                    whole->inPage + done;
    transfer.to = tiles->tile(t.core, buffer, *slot) + whole->inTile + done;
  }
  Time there = fabric.request(net, modelCore(t), transfer.bank, t.now);
  queue.push(there, EventKind::ReachBank, transfers.add(transfer));
  ++t.reads;
  t.now += i.cost;
  return done + transfer.bytes == whole->bytes ? Step::Next : Step::Again;
}

Simulation::Step Simulation::write(Thread &t, const Instruction &i) {
  std::optional<Span> whole = span(t, i);
  if (!whole)
    return Step::Halted;
  if (whole->bytes <= 0)
    return Step::Next;
  int net = t.code->network;
  if (waitForPort(t))
    return Step::Again;
  int buffer = i.imm;
  std::optional<int64_t> slot = source(t, buffer, i.side(), whole->slot, 1);
  if (!slot || !checkAtRest(t, buffer, *slot, Arriving))
    return Step::Halted;
  if (t.part == 0) {
    uint8_t &flags = flagsOf(t.core, buffer, *slot);
    flags |= Leaving;
    t.leaving.push_back(&flags - slots.data());
  }
  int64_t packet = model.network(net).packetBytes;
  int64_t done = t.part++ * packet;
  Transfer transfer;
  transfer.thread = &t - threads.data();
  transfer.bank = model.interleave(whole->page).bank;
  transfer.bytes = std::min(packet, whole->bytes - done);
  transfer.from = transfer.to = nullptr;
  if (tiles)
    std::memcpy(pages[i.object].data() +
                    whole->page * program.arrays[i.object].pageBytes +
                    whole->inPage + done,
                tiles->tile(t.core, buffer, *slot) + whole->inTile + done,
                transfer.bytes);
  Time there =
      fabric.write(net, modelCore(t), transfer.bank, transfer.bytes, t.now);
  t.lastSent = std::max(t.lastSent, fabric.injectFree(net, modelCore(t)));
  queue.push(there, EventKind::WriteBank, transfers.add(transfer));
  ++t.writes;
  t.now += i.cost;
  return done + transfer.bytes == whole->bytes ? Step::Next : Step::Again;
}

//===--- Legs under way ---------------------------------------------------===//

void Simulation::reachBank(uint32_t index, Time time) {
  const Transfer &transfer = transfers.items[index];
  queue.push(fabric.readBank(transfer.bank, transfer.bytes, time),
             EventKind::LeaveBank, index);
}

void Simulation::leaveBank(uint32_t index, Time time) {
  Transfer transfer = transfers.take(index);
  Thread &t = threads[transfer.thread];
  if (transfer.to)
    std::memcpy(transfer.to, transfer.from, transfer.bytes);
  t.lastRead =
      std::max(t.lastRead, fabric.reply(t.code->network, modelCore(t),
                                        transfer.bank, transfer.bytes, time));
  if (--t.reads == 0 && t.blocked && t.reason == Stall::Reads)
    wake(t.core, Stall::Reads, static_cast<int>(t.kind), t.lastRead);
}

void Simulation::writeBank(uint32_t index, Time time) {
  const Transfer &transfer = transfers.items[index];
  queue.push(fabric.writeBank(transfer.bank, transfer.bytes, time),
             EventKind::WriteDone, index);
}

void Simulation::writeDone(uint32_t index, Time time) {
  Transfer transfer = transfers.take(index);
  Thread &t = threads[transfer.thread];
  t.lastAck =
      std::max(t.lastAck, fabric.acknowledge(t.code->network, modelCore(t),
                                             transfer.bank, time));
  if (--t.writes == 0 && t.blocked && t.reason == Stall::Writes)
    wake(t.core, Stall::Writes, static_cast<int>(t.kind), t.lastAck);
}

//===--- Fences and fills -------------------------------------------------===//

Simulation::Step Simulation::fence(Thread &t, const Instruction &i) {
  bool reads = i.op == Op::FenceReads;
  Stall reason = reads ? Stall::Reads : Stall::Writes;
  if (reads ? t.reads > 0 : i.op == Op::FenceWrites && t.writes > 0)
    return block(t, reason, static_cast<int>(t.kind));
  stallUntil(t, reason,
             reads                     ? t.lastRead
             : i.op == Op::FenceWrites ? t.lastAck
                                       : t.lastSent);
  for (uint32_t slot : reads ? t.arriving : t.leaving)
    slots[slot] &= reads ? ~Arriving : ~Leaving;
  (reads ? t.arriving : t.leaving).clear();
  t.now += i.cost;
  return Step::Next;
}

Simulation::Step Simulation::fill(Thread &t, const Instruction &i) {
  const int64_t *r = t.registers.data();
  std::optional<int64_t> slot = place(t, i.object, i.side(), r[i.r[0]], 1);
  if (!slot)
    return Step::Halted;
  const BufferInfo &info = program.buffers[i.object];
  if (!checkAtRest(t, i.object, *slot, Arriving | Leaving))
    return Step::Halted;
  bool box = i.hasPart();
  int64_t limit = box ? kTileSide : kTileElements;
  int64_t rows = std::clamp<int64_t>(r[i.r[1]], 0, limit);
  int64_t columns = box ? std::clamp<int64_t>(r[i.r[2]], 0, limit) : 1;
  int64_t filled = kTileElements - rows * columns;
  written(t.core, i.object, *slot);
  if (tiles)
    tiles->fill(t.core, i.object, *slot, box, rows, columns, i.imm);
  constexpr int64_t wordBytes = 4;
  t.now +=
      i.cost * llvm::divideCeil(filled * *elementBytes(info.format), wordBytes);
  return Step::Next;
}

} // namespace drawloom::sim
