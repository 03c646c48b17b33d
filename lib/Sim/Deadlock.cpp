// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who waits for what when nothing moves any more.
#include "Simulation.h"

#include <map>

using namespace mlir;

namespace drawloom::sim {

std::string Simulation::describeWait(const Thread &t) const {
  const Instruction &i = t.instruction();
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (t.reason) {
  case Stall::Data: {
    const Buffer &buffer = bufferOf(t.core, t.object);
    os << "waits for " << i.imm << " tiles in buffer '"
       << program.buffers[t.object].name << "', which has "
       << buffer.held();
    break;
  }
  case Stall::Space: {
    const Buffer &buffer = bufferOf(t.core, t.object);
    const BufferInfo &info = program.buffers[t.object];
    os << "waits for room for " << i.imm << " tiles in buffer '" << info.name
       << "', which has " << info.capacity - (buffer.held())
       << " of " << info.capacity << " free";
    break;
  }
  case Stall::Semaphore:
    os << "waits for semaphore '" << program.semaphores[t.object]
       << "' to reach " << t.registers[i.r[0]] << ", which is at "
       << semaphoreOf(t.core, t.object);
    break;
  case Stall::Math:
    os << "waits for the math thread to "
       << (t.object == kPeeked ? "peek" : "commit a half of Dst");
    break;
  case Stall::Dst:
    os << "waits for the pack thread to release a half of Dst";
    break;
  default:
    os << "waits for its transfers";
  }
  return text;
}

/// `(x, y)`, or as rectangles `(x0..x1, y0..y1)` when they are many: maximal
/// runs of a row, equal runs of neighbouring rows joined.
static std::string describeCores(ArrayRef<std::pair<int64_t, int64_t>> cores) {
  struct Rect {
    int64_t x0, x1, y0, y1;
  };
  std::vector<Rect> rects;
  for (auto [x, y] : cores) { // in order of y, then x
    if (!rects.empty() && rects.back().y0 == y && rects.back().y1 == y &&
        rects.back().x1 + 1 == x)
      rects.back().x1 = x;
    else
      rects.push_back({x, x, y, y});
  }
  std::vector<Rect> joined;
  for (const Rect &rect : rects) {
    auto above = llvm::find_if(joined, [&](const Rect &other) {
      return other.x0 == rect.x0 && other.x1 == rect.x1 &&
             other.y1 + 1 == rect.y0;
    });
    if (above == joined.end())
      joined.push_back(rect);
    else
      above->y1 = rect.y1;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  auto range = [&](int64_t from, int64_t to) {
    os << from;
    if (to != from)
      os << ".." << to;
  };
  llvm::interleaveComma(joined, os, [&](const Rect &rect) {
    os << "(";
    range(rect.x0, rect.x1);
    os << ", ";
    range(rect.y0, rect.y1);
    os << ")";
  });
  return text;
}

LogicalResult Simulation::reportDeadlock() {
  // Threads of one kind that wait at one place for one thing are one line.
  std::map<std::tuple<int, int, std::string>,
           SmallVector<std::pair<int64_t, int64_t>>>
      groups;
  Time last = 0;
  for (const Thread &t : threads) {
    last = std::max(last, t.now);
    if (!t.done)
      groups[{static_cast<int>(t.kind), t.instruction().location,
              describeWait(t)}]
          .push_back({cores[t.core].x, cores[t.core].y});
  }
  auto line = [&](const auto &group) {
    auto [kind, location, wait] = group.first;
    return (stringify(static_cast<SimThread>(kind)) + " of cores " +
            describeCores(group.second) + " " + wait)
        .str();
  };
  auto first = groups.begin();
  InFlightDiagnostic error = emitSimError(
      program.locations[std::get<1>(first->first)], SimErrorKind::Deadlock);
  error << "no engine can go on after cycle "
        << static_cast<int64_t>(toCycles(last)) << ": " << line(*first);
  for (auto group = std::next(first); group != groups.end(); ++group)
    error.attachNote(program.locations[std::get<1>(group->first)])
        << line(*group);
  return error;
}

} // namespace drawloom::sim
