// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of task programs that only move data, for the published network rows.
#ifndef DRAWLOOM_UNITTESTS_SIM_SIMULATOR_STREAMS_H
#define DRAWLOOM_UNITTESTS_SIM_SIMULATOR_STREAMS_H

#include "llvm/Support/FormatVariadic.h"
#include <string>

namespace drawloom::sim {

struct ReadStream {
  const char *machine;
  int columns, rows; ///< cores that read
  int network;
  int reads; ///< of each core
  int bytes; ///< of each read: 64 to 4096, a page
  /// Page of read k of core (x, y); page p is in bank p mod banks.
  std::string page = "k";
};

/// Every core starts all its reads, then waits for them.
inline std::string textOf(const ReadStream &s) {
  int64_t address = 131072;
  return llvm::formatv(R"(
task.program @reads on "{0}" grid [{1}, {2}] precision #tile.precision<hifi4, f32> {{
  %A = task.array 0 "a" in : memref<65536x{3}xf32> layout #tile.rows<{3}>
  %a = task.buffer "a" of f32 tiles {4} depth 1 id 0 at {5}
  task.kernel dm0 network {6} {{
    %x = task.core x
    %y = task.core y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant {4} : index
    task.reserve %a, {4}
    scf.for %k = %c0 to %n step %c1 {{
      %page = affine.apply affine_map<(k, x, y) -> ({7})>(%k, %x, %y)
      task.read %A[%page] into %a[%k]
    }
    task.fence reads
    task.push %a, {4}
  }
})",
                       s.machine, s.columns, s.rows, s.bytes / 4, s.reads,
                       address, s.network, s.page)
      .str();
}

struct MulticastStream {
  const char *machine;
  int columns, rows; ///< of the rectangle, the sender at its corner
  int sends;
  int tiles; ///< of 2 KB, of each
};

/// Core (0, 0) multicasts again and again, then waits.
inline std::string textOf(const MulticastStream &s) {
  return llvm::formatv(R"(
task.program @sends on "{0}" grid [{1}, {2}] precision #tile.precision<hifi4, f32> {{
  %A = task.array 0 "a" in : memref<32x32xbf16> layout #tile.tiled
  %a = task.buffer "a" of bf16 tiles {3} depth 1 id 0 at 131072
  %ready = task.semaphore "ready" id 0
  task.kernel dm0 network 0 {{
    %x = task.core x
    %y = task.core y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tiles = arith.constant {3} : index
    %n = arith.constant {4} : index
    %right = arith.constant {5} : index
    %down = arith.constant {6} : index
    %others = arith.constant {7} : index
    %at = affine.apply affine_map<(x, y) -> (x + 1000 * y)>(%x, %y)
    %sends = arith.cmpi eq, %at, %c0 : index
    task.reserve %a, {3}
    scf.if %sends {{
      scf.for %t = %c0 to %tiles step %c1 {{
        task.read %A[%c0] into %a[%t]
      }
      task.fence reads
      task.await %ready at_least %others
      scf.for %k = %c0 to %n step %c1 {{
        task.multicast %a[%c0] tiles {3} to [%c0, %c0, %right, %down] receivers {7}
      }
      task.fence writes
    } else {{
      task.signal %ready to [%c0, %c0, %c0, %c0]
    }
  }
})",
                       s.machine, s.columns, s.rows, s.tiles, s.sends,
                       s.columns - 1, s.rows - 1, s.columns * s.rows - 1)
      .str();
}

} // namespace drawloom::sim

#endif // DRAWLOOM_UNITTESTS_SIM_SIMULATOR_STREAMS_H
