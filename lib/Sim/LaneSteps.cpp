// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes a data mover numbers or moves one by one, and integers read from
// memory.
#include "Simulation.h"

#include "llvm/Support/MathExtras.h"

namespace drawloom::sim {

bool Simulation::checkAtRest(const Thread &t, int buffer, int64_t slot,
                             uint8_t flags) {
  uint8_t under = flagsOf(t.core, buffer, slot) & flags;
  if (!under)
    return true;
  bool arriving = under & Arriving;
  undefined(t, llvm::Twine("touches a tile of buffer '") +
                   program.buffers[buffer].name + "' that is still being " +
                   (arriving ? "read; fence the reads first"
                             : "sent; fence the writes first"));
  return false;
}

Simulation::Step Simulation::iota(Thread &t, const Instruction &i) {
  const int64_t *r = t.registers.data();
  std::optional<int64_t> slot = place(t, i.object, i.side(), r[i.r[0]], 1);
  if (!slot || !checkAtRest(t, i.object, *slot, Arriving | Leaving))
    return Step::Halted;
  written(t.core, i.object, *slot);
  if (tiles)
    tiles->iota(t.core, i.object, *slot, static_cast<LaneOrder>(i.imm), r[i.r[1]]);
  t.now += i.cost * kTileElements;
  return Step::Next;
}

/// Checks lanes (row, column) to `count` further along an axis.
bool Simulation::checkLanes(const Thread &t, const LineOp &line, int64_t row,
                            int64_t column, int64_t count) {
  int64_t rows = line.alongRow ? count : 1, columns = line.alongRow ? 1 : count;
  if (row >= 0 && column >= 0 && row + rows <= kTileSide &&
      column + columns <= kTileSide)
    return true;
  undefined(t, "moves " + llvm::Twine(count) + " lanes along " +
                   (line.alongRow ? "row" : "column") + " from lane (" +
                   llvm::Twine(row) + ", " + llvm::Twine(column) +
                   ") of a tile of buffer '" +
                   program.buffers[line.tiles].name + "'");
  return false;
}

/// Slots of the scratch buffer that `count` elements from `byte` on lie in;
/// nothing (and an error) if they reach beyond it.
std::optional<std::pair<int64_t, int64_t>>
Simulation::linearSlots(const Thread &t, const LineOp &line, int64_t byte,
                        int64_t count) {
  const BufferInfo &info = program.buffers[line.linear];
  int64_t end = byte + (count - 1) * line.step + line.element.bytes;
  if (byte >= 0 && end <= info.capacity * info.tileBytes && line.step >= 0)
    return std::pair(byte / info.tileBytes, (end - 1) / info.tileBytes + 1);
  undefined(t, "touches bytes " + llvm::Twine(byte) + " to " +
                   llvm::Twine(end - 1) + " of scratch buffer '" + info.name +
                   "', which has " +
                   llvm::Twine(info.capacity * info.tileBytes));
  return std::nullopt;
}

constexpr int64_t kWordBytes = 4; ///< of the data movers

/// As the emitted loops do it: words where lanes and elements lie side by side
/// alike and a word begins with both, up to the end of each row of a face.
Time Simulation::lineTime(const LineOp &line, int64_t byte, int64_t column,
                          int64_t count) const {
  int64_t bytes = line.element.bytes;
  bool alike = !line.alongRow && line.step == bytes &&
               bytes == *elementBytes(program.buffers[line.tiles].format);
  if (!alike || byte % kWordBytes || column * bytes % kWordBytes)
    return count * line.ofElement;
  Time time = 0;
  int64_t perWord = kWordBytes / bytes, done = 0;
  while (count - done >= perWord) {
    int64_t left = kFaceSide - (column + done) % kFaceSide;
    int64_t words = std::min(left, count - done) / perWord;
    time += line.ofRun + words * line.ofWord;
    done += words * perWord;
  }
  return time + (count - done) * line.ofElement;
}

Simulation::Step Simulation::moveLine(Thread &t, const Instruction &i) {
  const LineOp &line = program.lines[i.imm];
  const int64_t *r = t.registers.data();
  int64_t byte = r[i.r[0]], row = r[i.r[2]], column = r[i.r[3]],
          count = r[i.r[4]];
  bool places = i.op == Op::Place;
  if (count <= 0)
    return Step::Next;
  auto slot = places ? place(t, line.tiles, i.side(), r[i.r[1]], 1)
                     : source(t, line.tiles, i.side(), r[i.r[1]], 1);
  auto memory = linearSlots(t, line, byte, count);
  if (!slot || !memory || !checkLanes(t, line, row, column, count) ||
      !checkAtRest(t, line.tiles, *slot,
                   places ? Arriving | Leaving : Arriving))
    return Step::Halted;
  auto [first, end] = *memory;
  if (places && !source(t, line.linear, Side::Consumer, first, end - first))
    return Step::Halted;
  for (int64_t from = first; from < end; ++from)
    if (!checkAtRest(t, line.linear, from,
                     places ? Arriving : Arriving | Leaving))
      return Step::Halted;
  if (places)
    written(t.core, line.tiles, *slot);
  else
    for (int64_t to = first; to < end; ++to)
      written(t.core, line.linear, to);
  if (tiles && places)
    tiles->placeLine(t.core, line, byte, *slot, row, column, count);
  else if (tiles)
    tiles->liftLine(t.core, line, byte, *slot, row, column, count);
  t.now += lineTime(line, byte, column, count);
  return Step::Next;
}

Simulation::Step Simulation::peek(Thread &t, const Instruction &i) {
  const ElementType &element = program.peeks[i.imm];
  const BufferInfo &info = program.buffers[i.object];
  int64_t byte = t.registers[i.r[2]];
  auto slot = source(t, i.object, i.side(), t.registers[i.r[1]], 1);
  if (!slot || !checkAtRest(t, i.object, *slot, Arriving))
    return Step::Halted;
  if (byte < 0 || byte + element.bytes > info.tileBytes)
    return undefined(t, "peeks at byte " + llvm::Twine(byte) +
                            " of a tile of buffer '" + info.name +
                            "', which has " + llvm::Twine(info.tileBytes));
  int64_t value = 0; // without values
  if (tiles)
    value = readInteger(tiles->tile(t.core, i.object, *slot) + byte, element);
  t.registers[i.r[0]] = value;
  t.now += i.cost;
  if (t.kind == SimThread::Math) {
    cores[t.core].peeked.push_back(value);
    wake(t.core, Stall::Math, kPeeked, t.now);
  }
  return Step::Next;
}

Simulation::Step Simulation::takePeek(Thread &t, const Instruction &i) {
  std::deque<int64_t> &peeked = cores[t.core].peeked;
  if (peeked.empty())
    return block(t, Stall::Math, kPeeked);
  t.registers[i.r[0]] = peeked.front();
  peeked.pop_front();
  t.now += i.cost;
  return Step::Next;
}

} // namespace drawloom::sim
