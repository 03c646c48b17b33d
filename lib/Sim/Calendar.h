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
    if (from >= end)
      return from;
    const Interval *taken = endingFrom(from + 1);
    for (; taken != intervals.end() && from + length > taken->start; ++taken)
      from = std::max(from, taken->end);
    return from;
  }

  /// Takes `[start, start + length)`, of which at least the start must be
  /// free, and forgets what ended before `now`.
  void take(Time now, Time start, Time length) {
    Time until = start + length;
    if (end < now) { // all is past
      intervals.clear();
      intervals.push_back({start, until});
      end = until;
    } else if (end == start) { // the most common case
      intervals.back().end = end = until;
    } else {
      if (intervals.front().end < now)
        forget(now);
      insert(start, until);
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

  /// The first interval that ends at `time` or later, which is among the last.
  const Interval *endingFrom(Time time) const {
    const Interval *next = intervals.end();
    while (next != intervals.begin() && next[-1].end >= time)
      --next;
    return next;
  }

  void insert(Time start, Time until) {
    if (end < start) {
      intervals.push_back({start, until});
      end = until;
      return;
    }
    auto next = intervals.begin() + (endingFrom(start) - intervals.begin());
    // Intervals that touch become one, so that a busy resource has few.
    if (until < next->start) {
      intervals.insert(next, {start, until});
      return;
    }
    next->start = std::min(next->start, start);
    next->end = std::max(next->end, until);
    auto after = next + 1, rest = after;
    for (; rest != intervals.end() && rest->start <= next->end; ++rest)
      next->end = std::max(next->end, rest->end);
    intervals.erase(after, rest);
    end = intervals.back().end;
  }

  Time end = -1; ///< of the last interval
  llvm::SmallVector<Interval, 4> intervals; ///< in order, apart
};

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_CALENDAR_H
