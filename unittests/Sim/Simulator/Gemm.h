// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of a square matrix product on a square of cores, with multicasts along
// rows and columns and partial sums kept in L1 between chunks of K.
#ifndef DRAWLOOM_UNITTESTS_SIM_SIMULATOR_GEMM_H
#define DRAWLOOM_UNITTESTS_SIM_SIMULATOR_GEMM_H

#include "llvm/Support/FormatVariadic.h"
#include <string>

namespace drawloom::sim {

/// Elements; a core computes blocks of 128x128, `chunk` tiles of K at a time.
inline std::string gemmText(int64_t size, int64_t cores, int64_t chunk) {
  int64_t tiles = size / 32, block = 4 * chunk;
  int64_t waves = size / 128 / cores;
  int64_t a = 131072, b = a + 2 * block * 2048, acc = b + 2 * block * 2048,
          c = acc + 2 * 16 * 4096;
  // One mover: reads and multicasts along `axis`, where its core is first.
  auto delivery = [](const char *buffer, const char *array, const char *own,
                     const char *first, const char *others, const char *page) {
    return llvm::formatv(R"(
          task.reserve %{0}, %BLOCK%
          scf.if %{2} {{
            scf.for %r = %c0 to %c{6} step %c1 {{
              scf.for %q = %c0 to %c{7} step %c1 {{
                %page = affine.apply {5}
                %slot = affine.apply affine_map<(r, q) -> (r * %W% + q)>(%r, %q)
                task.read %{1}[%page] into %{0}[%slot]
              }
            }
            task.fence reads
            %ready = affine.apply affine_map<(n) -> (n * %OTHERS%)>(%round)
            task.await %{0}_free at_least %ready
            task.multicast %{0}[%c0] tiles %BLOCK% to [{4}] receivers %OTHERS%
            task.publish %{0}_full = %round to [{4}] receivers %OTHERS%
            task.fence writes
          } else {{
            task.signal %{0}_free to [{3}]
            task.await %{0}_full at_least %round
          }
          task.push %{0}, %BLOCK%
)",
                         buffer, array, own, first, others, page,
                         buffer[0] == 'a' ? "4" : "chunk",
                         buffer[0] == 'a' ? "chunk" : "4")
        .str();
  };
  std::string text = R"(
task.program @gemm on "wormhole" grid [%CORES%, %CORES%] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<%SIZE%x%SIZE%xbf16> layout #tile.tiled
  %B = task.array 1 "b" in : memref<%SIZE%x%SIZE%xbf16> layout #tile.tiled
  %C = task.array 2 "c" out : memref<%SIZE%x%SIZE%xbf16> layout #tile.tiled
  %a = task.buffer "a" of bf16 tiles %BLOCK% depth 2 id 0 at %ADDRA%
  %b = task.buffer "b" of bf16 tiles %BLOCK% depth 2 id 1 at %ADDRB%
  %acc = task.buffer "acc" of f32 tiles 16 depth 2 direct id 2 at %ADDRP%
  %c = task.buffer "c" of bf16 tiles 16 depth 1 id 3 at %ADDRC%
  %a_free = task.semaphore "a.free" id 0
  %a_full = task.semaphore "a.full" id 1
  %b_free = task.semaphore "b.free" id 2
  %b_full = task.semaphore "b.full" id 3

  task.kernel dm0 network 0 {
    %PRELUDE%
    %sends = arith.cmpi eq, %x, %c0 : index
    scf.for %w = %c0 to %waves step %c1 {
      scf.for %v = %c0 to %waves step %c1 {
        scf.for %k = %c0 to %chunks step %c1 {
          %round = affine.apply affine_map<(w, v, k) -> ((w * %WAVES% + v) * %CHUNKS% + k + 1)>(%w, %v, %k)
          %DELIVERA%
        }
      }
    }
  }

  task.kernel dm1 network 1 {
    %PRELUDE%
    %sends = arith.cmpi eq, %y, %c0 : index
    scf.for %w = %c0 to %waves step %c1 {
      scf.for %v = %c0 to %waves step %c1 {
        scf.for %k = %c0 to %chunks step %c1 {
          %round = affine.apply affine_map<(w, v, k) -> ((w * %WAVES% + v) * %CHUNKS% + k + 1)>(%w, %v, %k)
          %DELIVERB%
        }
        task.wait %c, 16
        scf.for %r = %c0 to %c4 step %c1 {
          scf.for %q = %c0 to %c4 step %c1 {
            %slot = affine.apply affine_map<(r, q) -> (r * 4 + q)>(%r, %q)
            %page = affine.apply affine_map<(w, v, x, y, r, q) -> (((w * %CORES% + y) * 4 + r) * %TILES% + (v * %CORES% + x) * 4 + q)>(%w, %v, %x, %y, %r, %q)
            task.write %c[%slot] into %C[%page]
          }
        }
        task.fence writes
        task.pop %c, 16
      }
    }
  }

  task.kernel compute {
    %PRELUDE%
    task.startup %a, %b, %acc matmul
    scf.for %w = %c0 to %waves step %c1 {
      scf.for %v = %c0 to %waves step %c1 {
        task.init pack(%acc)
        scf.for %k = %c0 to %chunks step %c1 {
          %more = arith.cmpi ne, %k, %c0 : index
          %last = arith.cmpi eq, %k, %lastchunk : index
          scf.if %last {
            task.init pack(%c)
            task.reserve %c, 16
          } else {
            task.reserve %acc, 16
          }
          scf.if %more {
            task.wait %acc, 16
          }
          task.wait %a, %BLOCK%
          task.wait %b, %BLOCK%
          scf.for %i = %c0 to %c2 step %c1 {
            scf.for %j = %c0 to %c2 step %c1 {
              task.dst {
                %d = task.register 4 slot 0
                scf.if %more {
                  task.init copy(%acc)
                  scf.for %t = %c0 to %c4 step %c1 {
                    %from = affine.apply affine_map<(i, j, t) -> (8 * i + 2 * j + 4 * (t floordiv 2) + t mod 2)>(%i, %j, %t)
                    task.copy %acc[%from] into %d[%t]
                  }
                }
                task.init matmul(%a, %b) block [2, 2, %W%]
                scf.for %q = %c0 to %cchunk step %c1 {
                  %lhs = affine.apply affine_map<(i, q) -> (2 * i * %W% + q)>(%i, %q)
                  %rhs = affine.apply affine_map<(j, q) -> (4 * q + 2 * j)>(%j, %q)
                  task.matmul %a[%lhs], %b[%rhs] into %d[%c0] block [2, 2, %W%]
                }
                scf.for %t = %c0 to %c4 step %c1 {
                  %to = affine.apply affine_map<(i, j, t) -> (8 * i + 2 * j + 4 * (t floordiv 2) + t mod 2)>(%i, %j, %t)
                  scf.if %last {
                    task.pack %d[%t] into %c[%to]
                  } else {
                    task.pack %d[%t] into %acc[%to]
                  }
                }
              }
            }
          }
          scf.if %last {
            task.push %c, 16
          } else {
            task.push %acc, 16
          }
          scf.if %more {
            task.pop %acc, 16
          }
          task.pop %a, %BLOCK%
          task.pop %b, %BLOCK%
        }
      }
    }
  }
})";
  auto replace = [&](llvm::StringRef name, const std::string &value) {
    std::string key = ("%" + name + "%").str();
    for (size_t at; (at = text.find(key)) != std::string::npos;)
      text.replace(at, key.size(), value);
  };
  replace("DELIVERA",
          delivery("a", "A", "sends", "%c0, %y, %c0, %y",
                   "%c1, %y, %lastcore, %y",
                   "affine_map<(w, y, r, k, q) -> (((w * %CORES% + y) * 4 + r) "
                   "* %TILES% + k * %W% + q)>(%w, %y, %r, %k, %q)"));
  std::string b_ =
      delivery("b", "B", "sends", "%x, %c0, %x, %c0", "%x, %c1, %x, %lastcore",
               "affine_map<(v, x, r, k, q) -> ((k * %W% + r) * "
               "%TILES% + (v * %CORES% + x) * 4 + q)>(%v, %x, %r, "
               "%k, %q)");
  size_t stride = b_.find("r * %W% + q)>(%r, %q)");
  b_.replace(stride, 8, "r * 4  ");
  replace("DELIVERB", b_);
  replace("PRELUDE", R"(%x = task.core x
    %y = task.core y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %cchunk = arith.constant %W% : index
    %waves = arith.constant %WAVES% : index
    %chunks = arith.constant %CHUNKS% : index
    %lastchunk = arith.constant %LASTCHUNK% : index
    %lastcore = arith.constant %OTHERS% : index)");
  for (auto [name, value] :
       std::initializer_list<std::pair<const char *, int64_t>>{
           {"SIZE", size},
           {"CORES", cores},
           {"OTHERS", cores - 1},
           {"BLOCK", block},
           {"W", chunk},
           {"TILES", tiles},
           {"WAVES", waves},
           {"CHUNKS", tiles / chunk},
           {"LASTCHUNK", tiles / chunk - 1},
           {"ADDRA", a},
           {"ADDRB", b},
           {"ADDRP", acc},
           {"ADDRC", c}})
    replace(name, std::to_string(value));
  return text;
}

} // namespace drawloom::sim

#endif // DRAWLOOM_UNITTESTS_SIM_SIMULATOR_GEMM_H
