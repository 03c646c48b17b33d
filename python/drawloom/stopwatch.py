# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulated time for `triton.testing.do_bench`.

do_bench asks the driver for a device interface, calls the function some times
to estimate how often it must be repeated, then records an event before and
after each timed call:

    interface; call; event; 5 x (clear the cache, call); event; elapsed time
    warm-up calls; repeats x (clear the cache; event; call; event); elapsed times

A simulated time needs neither warm-up nor repetition. So clearing the cache
takes a second of the time that events tell: the estimate becomes so long that
one repetition is enough. And only the timed call launches: the one that follows
an event with nothing between.
"""
import sys

CLEARING_US = 1e6


class Stopwatch:
    """What do_bench calls a device interface: one device, whose clock is the simulator's."""

    def __init__(self):
        self.launched_us = 0.0  # simulated time of this process's launches
        self.clearings = 0
        self._idle = False  # do_bench is between two calls that count

    def add(self, microseconds: float) -> None:
        """A launch took that long."""
        self.launched_us += microseconds

    def skips_launches(self) -> bool:
        """Whether the launch at hand is one that do_bench makes but does not time."""
        # It may have been left by an exception.
        self._idle = self._idle and _within_do_bench()
        return self._idle

    def idle(self) -> "Stopwatch":
        self._idle = True
        return self

    def clear_cache(self) -> None:
        self.clearings += 1
        self.idle()

    def synchronize(self) -> None:
        """Every launch has ended when it returns."""

    def Event(self, enable_timing=False) -> "Event":
        return Event(self)

    def tell(self) -> tuple[float, int]:
        """Launched time and clearings so far; a call that counts may follow."""
        self._idle = False
        return self.launched_us, self.clearings


class Event:
    """A point in simulated time."""

    def __init__(self, stopwatch: Stopwatch):
        self._stopwatch = stopwatch

    def record(self) -> None:
        self.launched_us, self.clearings = self._stopwatch.tell()

    def elapsed_time(self, end: "Event") -> float:
        """Milliseconds from this event to `end`."""
        microseconds, clearings = end.launched_us - self.launched_us, end.clearings - self.clearings
        if clearings:  # the estimate, which warm-up calls follow
            self._stopwatch.idle()
        elif not microseconds:
            raise RuntimeError("do_bench: the function launched no kernel, so no time passed")
        return (microseconds + clearings * CLEARING_US) / 1000


def _within_do_bench() -> bool:
    code = sys.modules["triton.testing"].do_bench.__code__
    frame = sys._getframe()
    while frame and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None


stopwatch = Stopwatch()
