// 64x64x64 on 2x2 cores, by hand, in the physical state: core (x, y) makes the
// tile (y, x) of C. Column 0 reads A's tiles and multicasts them along its
// row on network 0; row 0 reads B's and multicasts them down on network 1.
// RUN: drawloom-opt %s --task-verify-logical --task-verify-physical | FileCheck %s
// CHECK: task.program @multicast_2x2

task.program @multicast_2x2 on "wormhole" grid [2, 2] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<64x64xbf16> layout #tile.tiled
  %B = task.array 1 "b" in : memref<64x64xbf16> layout #tile.tiled
  %C = task.array 2 "c" out : memref<64x64xbf16> layout #tile.tiled
  %a = task.buffer "a" of bf16 tiles 1 depth 2 id 0 at 108544
  %b = task.buffer "b" of bf16 tiles 1 depth 2 id 1 at 112640
  %c = task.buffer "c" of bf16 tiles 1 depth 1 id 2 at 116736
  %a_free = task.semaphore "a.free" id 0
  %a_full = task.semaphore "a.full" id 1
  %b_free = task.semaphore "b.free" id 2
  %b_full = task.semaphore "b.full" id 3

  task.kernel dm0 network 0 {
    %x = task.core x
    %y = task.core y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %sends = arith.cmpi eq, %x, %c0 : index
    scf.for %k = %c0 to %c2 step %c1 {
      %round = affine.apply affine_map<(k) -> (k + 1)>(%k)
      task.reserve %a, 1
      scf.if %sends {
        %page = affine.apply affine_map<(y, k) -> (2 * y + k)>(%y, %k)
        task.read %A[%page] into %a[%c0]
        task.fence reads
        task.await %a_free at_least %round
        task.multicast %a[%c0] tiles 1 to [%c1, %y, %c1, %y] receivers 1
        task.publish %a_full = %round to [%c1, %y, %c1, %y] receivers 1
        task.fence writes
      } else {
        task.signal %a_free to [%c0, %y, %c0, %y]
        task.await %a_full at_least %round
      }
      task.push %a, 1
    }
  }

  task.kernel dm1 network 1 {
    %x = task.core x
    %y = task.core y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %sends = arith.cmpi eq, %y, %c0 : index
    scf.for %k = %c0 to %c2 step %c1 {
      %round = affine.apply affine_map<(k) -> (k + 1)>(%k)
      task.reserve %b, 1
      scf.if %sends {
        %page = affine.apply affine_map<(x, k) -> (2 * k + x)>(%x, %k)
        task.read %B[%page] into %b[%c0]
        task.fence reads
        task.await %b_free at_least %round
        task.multicast %b[%c0] tiles 1 to [%x, %c1, %x, %c1] receivers 1
        task.publish %b_full = %round to [%x, %c1, %x, %c1] receivers 1
        task.fence writes
      } else {
        task.signal %b_free to [%x, %c0, %x, %c0]
        task.await %b_full at_least %round
      }
      task.push %b, 1
    }
    task.wait %c, 1
    %page = affine.apply affine_map<(x, y) -> (2 * y + x)>(%x, %y)
    task.write %c[%c0] into %C[%page]
    task.fence writes
    task.pop %c, 1
  }

  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    task.startup %a, %b, %c matmul
    task.init matmul(%a, %b) block [1, 1, 1]
    task.init pack(%c)
    task.dst {
      %d = task.register 1 slot 0
      scf.for %k = %c0 to %c2 step %c1 {
        task.wait %a, 1
        task.wait %b, 1
        task.matmul %a[%c0], %b[%c0] into %d[%c0] block [1, 1, 1]
        task.pop %a, 1
        task.pop %b, 1
      }
      task.reserve %c, 1
      task.pack %d[%c0] into %c[%c0]
      task.push %c, 1
    }
  }
}
