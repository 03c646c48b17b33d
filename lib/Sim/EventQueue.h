// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events in order of time, those of one time in order of insertion.
#ifndef DRAWLOOM_LIB_SIM_EVENTQUEUE_H
#define DRAWLOOM_LIB_SIM_EVENTQUEUE_H

#include "Time.h"
#include <algorithm>
#include <limits>
#include <vector>

namespace drawloom::sim {

/// Resume: a thread goes on. ReachBank, LeaveBank: a read's request arrives at
/// the bank, its data leave. WriteBank, WriteDone: a write's data arrive at the
/// bank, are stored. Deliver: a semaphore message arrives.
enum class EventKind : uint8_t {
  Resume,
  ReachBank,
  LeaveBank,
  WriteBank,
  WriteDone,
  Deliver
};

struct Event {
  Time time;
  uint64_t order; ///< sequence number, kind and index, from the top
  EventKind kind() const { return static_cast<EventKind>(order >> 28 & 0xf); }
  uint32_t index() const { return order & 0x0fffffff; }
};

/// A heap of four ways. The event that came last stays beside it: mostly it is
/// the next to go, or takes the place of that one.
class EventQueue {
public:
  /// Events that can ever be inserted; `index` of one is below 2^28.
  static constexpr int64_t kCapacity = std::numeric_limits<uint32_t>::max();

  void push(Time time, EventKind kind, uint32_t index) {
    if (hasLast) {
      heap.push_back(last);
      rise(heap.size() - 1, last);
    }
    last = {time, uint64_t(inserted++) << 32 | uint64_t(kind) << 28 | index};
    hasLast = true;
  }

  Event pop() {
    Event first;
    if (hasLast && (heap.empty() || earlier(last, heap[0]))) {
      first = last;
    } else {
      first = heap[0];
      Event moved = hasLast ? last : heap.back();
      if (!hasLast)
        heap.pop_back();
      if (!heap.empty())
        sink(moved);
    }
    hasLast = false;
    return first;
  }

  bool empty() const { return heap.empty() && !hasLast; }
  int64_t count() const { return inserted; }
  /// Time of the first event, or the end of time.
  Time nextTime() const {
    Time first =
        heap.empty() ? std::numeric_limits<Time>::max() : heap[0].time;
    return hasLast ? std::min(first, last.time) : first;
  }

private:
  static constexpr size_t kWays = 4;

  static bool earlier(const Event &a, const Event &b) {
    // Without a branch: which is earlier is anybody's guess.
    return (a.time < b.time) | ((a.time == b.time) & (a.order < b.order));
  }

  /// Moves `event` up from a hole to its place.
  void rise(size_t hole, Event event) {
    while (hole > 0) {
      size_t parent = (hole - 1) / kWays;
      if (!earlier(event, heap[parent]))
        break;
      heap[hole] = heap[parent];
      hole = parent;
    }
    heap[hole] = event;
  }

  /// Moves `event` down from the root to its place.
  void sink(Event event) {
    size_t hole = 0, size = heap.size();
    for (size_t child = 1; child < size; child = hole * kWays + 1) {
      size_t best = child, end = std::min(child + kWays, size);
      for (size_t other = child + 1; other < end; ++other)
        best = earlier(heap[other], heap[best]) ? other : best;
      if (!earlier(heap[best], event))
        break;
      heap[hole] = heap[best];
      hole = best;
    }
    heap[hole] = event;
  }

  std::vector<Event> heap;
  Event last;
  bool hasLast = false;
  uint32_t inserted = 0;
};

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_EVENTQUEUE_H
