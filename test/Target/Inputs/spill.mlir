// A 64x64x64 product whose partial sums leave Dst after each step of k, as fp32,
// and come back to it unrounded.

task.program @spill on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<64x64xbf16> layout #tile.tiled
  %B = task.array 1 "b" in : memref<64x64xbf16> layout #tile.tiled
  %C = task.array 2 "c" out : memref<64x64xbf16> layout #tile.tiled
  %a = task.buffer "a" of bf16 tiles 4 depth 1 id 0 at 108544
  %b = task.buffer "b" of bf16 tiles 4 depth 1 id 1 at 116736
  %c = task.buffer "c" of bf16 tiles 4 depth 1 id 2 at 124928
  %partial = task.buffer "partial" of f32 tiles 4 depth 1 direct id 3 at 133120

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
    task.startup %a, %b, %partial matmul
    task.wait %a, 4
    task.wait %b, 4
    task.init matmul(%a, %b) block [2, 2, 2]
    task.init pack(%partial)
    task.reserve %partial, 4
    task.dst {
      %d = task.register 4 slot 0
      task.matmul %a[%c0], %b[%c0] into %d[%c0] block [2, 2, 2]
      scf.for %t = %c0 to %c4 step %c1 {
        task.pack %d[%t] into %partial[%t]
      }
    }
    task.push %partial, 4
    task.init pack(%c)
    task.reserve %c, 4
    task.dst {
      %d = task.register 4 slot 0
      task.init copy(%partial)
      task.wait %partial, 4
      scf.for %t = %c0 to %c4 step %c1 {
        task.copy %partial[%t] into %d[%t]
      }
      task.pop %partial, 4
      task.init matmul(%a, %b) block [2, 2, 2]
      task.matmul %a[%c1], %b[%c2] into %d[%c0] block [2, 2, 2]
      scf.for %t = %c0 to %c4 step %c1 {
        task.pack %d[%t] into %c[%t]
      }
    }
    task.push %c, 4
    task.pop %a, 4
    task.pop %b, 4
  }
}
