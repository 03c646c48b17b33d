// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of one core that compute on one tile of each of two arrays.
#ifndef DRAWLOOM_UNITTESTS_SIM_SIMULATOR_TILEPROGRAMS_H
#define DRAWLOOM_UNITTESTS_SIM_SIMULATOR_TILEPROGRAMS_H

#include "llvm/Support/FormatVariadic.h"
#include <string>

namespace drawloom::sim {

/// What such a program has: arrays and buffers a and b (elements `in`, `how`
/// they are buffered), and array and buffer c of `out`.
struct TileProgram {
  std::string in = "bf16", out = "f32", how = "", outHow = "";
  std::string compute; ///< body of the task.dst, with %d a register of 4
  std::string reader;  ///< after the tiles of a and b have arrived
  std::string outside; ///< of the compute kernel, before the task.dst
  std::string dst = "f32";
  std::string declared; ///< in the program, beside the buffers
};

inline std::string textOf(const TileProgram &p) {
  return llvm::formatv(R"(
task.program @tiles on "wormhole" grid [1, 1] precision #tile.precision<hifi4, {6}> {{
  %A = task.array 0 "a" in : memref<32x32x{0}> layout #tile.tiled
  %B = task.array 1 "b" in : memref<32x32x{0}> layout #tile.tiled
  %C = task.array 2 "c" out : memref<32x32x{1}> layout #tile.tiled
  %a = task.buffer "a" of {0} tiles 1 depth 1 {2} id 0 at 131072
  %b = task.buffer "b" of {0} tiles 1 depth 1 {2} id 1 at 135168
  %c = task.buffer "c" of {1} tiles 1 depth 1 {8} id 2 at 139264
  %ones = task.buffer "ones" of bf16 tiles 1 depth 1 id 3 at 143360
  {7}
  task.kernel dm0 network 0 {{
    %c0 = arith.constant 0 : index
    task.reserve %a, 1
    task.reserve %b, 1
    task.reserve %ones, 1
    task.read %A[%c0] into %a[%c0]
    task.read %B[%c0] into %b[%c0]
    task.fill %ones[%c0] keep [%c0] with 1.0 : bf16
    task.fence reads
{4}
    task.push %a, 1
    task.push %b, 1
    task.push %ones, 1
  }
  task.kernel dm1 network 1 {{
    %c0 = arith.constant 0 : index
    task.wait %c, 1
    task.write %c[%c0] into %C[%c0]
    task.fence writes
    task.pop %c, 1
  }
  task.kernel compute {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    task.startup %a, %b, %c
    task.init pack(%c)
    task.wait %a, 1
    task.wait %b, 1
    task.wait %ones, 1
    task.reserve %c, 1
{5}
    task.dst {{
      %d = task.register 4 slot 0
{3}
      task.pack %d[%c0] into %c[%c0]
    }
    task.push %c, 1
    task.pop %a, 1
    task.pop %b, 1
    task.pop %ones, 1
  }
})",
                       p.in, p.out, p.how, p.compute, p.reader, p.outside,
                       p.dst, p.declared, p.outHow)
      .str();
}

} // namespace drawloom::sim

#endif // DRAWLOOM_UNITTESTS_SIM_SIMULATOR_TILEPROGRAMS_H
