// Sum and product of two arrays of two tiles, in turn on one core.

task.program @eltwise on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<32x64xbf16> layout #tile.tiled
  %B = task.array 1 "b" in : memref<32x64xbf16> layout #tile.tiled
  %S = task.array 2 "sum" out : memref<32x64xbf16> layout #tile.tiled
  %P = task.array 3 "product" out : memref<32x64xbf16> layout #tile.tiled
  %a = task.buffer "a" of bf16 tiles 1 depth 2 id 0 at 108544
  %b = task.buffer "b" of bf16 tiles 1 depth 2 id 1 at 112640
  %c = task.buffer "c" of bf16 tiles 2 depth 2 id 2 at 116736

  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %t = %c0 to %c2 step %c1 {
      task.reserve %a, 1
      task.reserve %b, 1
      task.read %A[%t] into %a[%c0]
      task.read %B[%t] into %b[%c0]
      task.fence reads
      task.push %a, 1
      task.push %b, 1
    }
  }

  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %t = %c0 to %c2 step %c1 {
      task.wait %c, 2
      task.write %c[%c0] into %S[%t]
      task.write %c[%c1] into %P[%t]
      task.fence writes
      task.pop %c, 2
    }
  }

  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    task.startup %a, %b, %c
    task.init pack(%c)
    scf.for %t = %c0 to %c2 step %c1 {
      task.wait %a, 1
      task.wait %b, 1
      task.reserve %c, 2
      task.dst {
        %d = task.register 2 slot 1
        task.init binary(%a, %b) add
        task.binary add %a[%c0], %b[%c0] into %d[%c0]
        task.init binary(%a, %b) mul
        task.binary mul %a[%c0], %b[%c0] into %d[%c1]
        task.pack %d[%c1] into %c[%c1]
        task.pack %d[%c0] into %c[%c0]
      }
      task.push %c, 2
      task.pop %a, 1
      task.pop %b, 1
    }
  }
}
