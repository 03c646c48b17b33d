// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a link or a port is taken.
//
// A transfer takes the links of its route when its head gets to each, which
// for the far ones is later than now; one that gets there before may go first.
// So a resource has not just a time from which it is free, but gaps.
#ifndef DRAWLOOM_LIB_SIM_CALENDAR_H
#define DRAWLOOM_LIB_SIM_CALENDAR_H

#include "Time.h"
#include "llvm/ADT/SmallVector.h"

namespace drawloom::sim {

class Calendar {
public:
  /// The first time from `from` on when the resource is free for `length`.
  Time firstFit(Time from, Time length) const {
    if (intervals.empty() || from >= intervals.back().end)
      return from;
    for (const Interval &taken : intervals) {
      if (from + length <= taken.start)
        break;
      from = std::max(from, taken.end);
    }
    return from;
  }

  /// Takes `[start, start + length)`, of which at least the start must be
  /// free, and forgets what ended before `now`.
  void take(Time now, Time start, Time length) {
    Time end = start + length;
    if (intervals.empty() || intervals.back().end < now) {
      intervals.assign(1, {start, end});
      return;
    }
    if (intervals.back().end == start) { // the most common case
      intervals.back().end = end;
      return;
    }
    if (intervals.front().end < now)
      forget(now);
    auto next = intervals.begin();
    while (next != intervals.end() && next->end < start)
      ++next;
    // Intervals that touch become one, so that a busy resource has few.
    if (next == intervals.end() || end < next->start) {
      intervals.insert(next, {start, end});
      return;
    }
    next->start = std::min(next->start, start);
    next->end = std::max(next->end, end);
    auto after = next + 1;
    while (after != intervals.end() && after->start <= next->end) {
      next->end = std::max(next->end, after->end);
      after = intervals.erase(after);
    }
  }

private:
  struct Interval {
    Time start, end;
  };

  void forget(Time now) {
    auto past = intervals.begin();
    while (past != intervals.end() && past->end < now)
      ++past;
    intervals.erase(intervals.begin(), past);
  }

  llvm::SmallVector<Interval, 4> intervals; ///< in order, apart
};

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_CALENDAR_H
