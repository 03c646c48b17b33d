// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events in order of time, those of one time in order of insertion.
#ifndef DRAWLOOM_LIB_SIM_EVENTQUEUE_H
#define DRAWLOOM_LIB_SIM_EVENTQUEUE_H

#include "Time.h"
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
  uint32_t sequence;
  uint32_t kindAndIndex;
  EventKind kind() const { return static_cast<EventKind>(kindAndIndex >> 28); }
  uint32_t index() const { return kindAndIndex & 0x0fffffff; }
};

class EventQueue {
public:
  /// Events that can ever be inserted; `index` of one is below 2^28.
  static constexpr int64_t kCapacity = std::numeric_limits<uint32_t>::max();

  void push(Time time, EventKind kind, uint32_t index) {
    Event event{time, inserted++, static_cast<uint32_t>(kind) << 28 | index};
    size_t hole = heap.size();
    heap.push_back(event);
    while (hole > 0) {
      size_t parent = (hole - 1) / kWays;
      if (!earlier(event, heap[parent]))
        break;
      heap[hole] = heap[parent];
      hole = parent;
    }
    heap[hole] = event;
  }

  Event pop() {
    Event first = heap.front(), last = heap.back();
    heap.pop_back();
    if (!heap.empty())
      sink(last);
    return first;
  }

  bool empty() const { return heap.empty(); }
  int64_t count() const { return inserted; }
  /// Time of the first event, or the end of time.
  Time nextTime() const {
    return heap.empty() ? std::numeric_limits<Time>::max() : heap[0].time;
  }

private:
  static constexpr size_t kWays = 4;

  static bool earlier(const Event &a, const Event &b) {
    return a.time != b.time ? a.time < b.time : a.sequence < b.sequence;
  }

  /// Moves `event` down from the root to its place.
  void sink(Event event) {
    size_t hole = 0, size = heap.size();
    for (size_t child = 1; child < size; child = hole * kWays + 1) {
      size_t best = child, end = std::min(child + kWays, size);
      for (size_t other = child + 1; other < end; ++other)
        if (earlier(heap[other], heap[best]))
          best = other;
      if (!earlier(heap[best], event))
        break;
      heap[hole] = heap[best];
      hole = best;
    }
    heap[hole] = event;
  }

  std::vector<Event> heap;
  uint32_t inserted = 0;
};

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_EVENTQUEUE_H
