// A 64x64x64 product on one core, by hand, in the physical state.
// RUN: drawloom-opt %s --task-verify-logical --task-verify-physical | FileCheck %s
// CHECK: task.program @matmul_64

task.program @matmul_64 on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<64x64xbf16> layout #tile.tiled
  %B = task.array 1 "b" in : memref<64x64xbf16> layout #tile.tiled
  %C = task.array 2 "c" out : memref<64x64xbf16> layout #tile.tiled
  %a = task.buffer "a" of bf16 tiles 4 depth 1 id 0 at 108544
  %b = task.buffer "b" of bf16 tiles 4 depth 1 id 1 at 116736
  %c = task.buffer "c" of bf16 tiles 4 depth 1 id 2 at 124928

  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    task.reserve %a, 4
    task.reserve %b, 4
    scf.for %t = %c0 to %c4 step %c1 {
      task.read %A[%t] into %a[%t]
      task.read %B[%t] into %b[%t]
    }
    task.fence reads
    task.push %a, 4
    task.push %b, 4
  }

  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    task.wait %c, 4
    scf.for %t = %c0 to %c4 step %c1 {
      task.write %c[%t] into %C[%t]
    }
    task.fence writes
    task.pop %c, 4
  }

  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    task.startup %a, %b, %c matmul
    task.init matmul(%a, %b) block [2, 2, 2]
    task.init pack(%c)
    task.wait %a, 4
    task.wait %b, 4
    task.reserve %c, 4
    task.dst {
      %d = task.register 4 slot 0
      scf.for %k = %c0 to %c2 step %c1 {
        %row = affine.apply affine_map<(k) -> (2 * k)>(%k)
        task.matmul %a[%k], %b[%row] into %d[%c0] block [2, 2, 2]
      }
      scf.for %t = %c0 to %c4 step %c1 {
        task.pack %d[%t] into %c[%t]
      }
    }
    task.push %c, 4
    task.pop %a, 4
    task.pop %b, 4
  }
}
