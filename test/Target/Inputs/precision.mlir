// What the matrix unit reads of f32 tiles: with a bf16 first operand, no more than
// bf16. Copies, reductions, and operations with and without a repeated column.

task.program @precision on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %X = task.array 0 "x" in : memref<32x64xf32> layout #tile.tiled
  %B = task.array 1 "b" in : memref<32x32xbf16> layout #tile.tiled
  %OUT = task.array 2 "out" out : memref<19x32x32xf32> layout #tile.tiled
  %x = task.buffer "x" of f32 tiles 2 depth 1 id 0 at 131072
  %b = task.buffer "b" of bf16 tiles 1 depth 1 id 1 at 139264
  %ones = task.buffer "ones" of f32 tiles 1 depth 1 id 2 at 141312
  %m = task.buffer "m" of f32 tiles 1 depth 1 id 3 at 145408
  %d = task.buffer "d" of f32 tiles 2 depth 1 direct id 4 at 149504
  %o = task.buffer "o" of f32 tiles 1 depth 2 direct id 5 at 157696

  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    task.reserve %x, 2
    task.reserve %b, 1
    task.reserve %d, 2
    task.reserve %ones, 1
    task.read %X[%c0] into %x[%c0]
    task.read %X[%c1] into %x[%c1]
    task.read %X[%c0] into %d[%c0]
    task.read %X[%c1] into %d[%c1]
    task.read %B[%c0] into %b[%c0]
    task.fill %ones[%c0] keep [%c0] with 1.0 : f32
    task.fence reads
    task.push %x, 2
    task.push %d, 2
    task.push %b, 1
    task.push %ones, 1
  }

  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c19 = arith.constant 19 : index
    scf.for %t = %c0 to %c19 step %c1 {
      task.wait %o, 1
      task.write %o[%c0] into %OUT[%t]
      task.fence writes
      task.pop %o, 1
    }
  }

  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    task.startup %x, %ones, %o
    task.wait %x, 2
    task.wait %b, 1
    task.wait %d, 2
    task.wait %ones, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init copy(%x)
      task.copy %x[%c0] into %r[%c0]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init copy(%x) broadcast column
      task.copy %x[%c0] into %r[%c0] broadcast column
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init reduce(%x, %ones) sum over row
      task.reduce sum over row %x[%c0] by %ones into %r[%c0]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init reduce(%x, %ones) max over row
      task.reduce max over row %x[%c0] by %ones into %r[%c0]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init reduce(%x, %ones) sum over column
      task.reduce sum over column %x[%c0] by %ones into %r[%c0]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init reduce(%x, %ones) sum over scalar
      task.reduce sum over scalar %x[%c0] by %ones into %r[%c0]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.init pack(%m)
    task.reserve %m, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init reduce(%x, %ones) max over row
      task.reduce max over row %x[%c0] by %ones into %r[%c0]
      task.pack %r[%c0] into %m[%c0]
    }
    task.push %m, 1
    task.wait %m, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init binary(%x, %m) sub broadcast column
      task.binary sub %x[%c1], %m[%c0] into %r[%c0] broadcast column
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init binary(%x, %m) mul broadcast column
      task.binary mul %x[%c1], %m[%c0] into %r[%c0] broadcast column
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.pop %m, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init binary(%x, %b) add
      task.binary add %x[%c0], %b[%c0] into %r[%c0]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init binary(%x, %b) sub
      task.binary sub %x[%c0], %b[%c0] into %r[%c0]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init binary(%x, %b) mul
      task.binary mul %x[%c0], %b[%c0] into %r[%c0]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init binary(%b, %x) add
      task.binary add %b[%c0], %x[%c0] into %r[%c0]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init binary(%b, %x) sub
      task.binary sub %b[%c0], %x[%c0] into %r[%c0]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init binary(%b, %x) mul
      task.binary mul %b[%c0], %x[%c0] into %r[%c0]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init matmul(%x, %b) block [1, 1, 1]
      task.matmul %x[%c0], %b[%c0] into %r[%c0] block [1, 1, 1]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init matmul(%b, %x) block [1, 1, 1]
      task.matmul %b[%c0], %x[%c0] into %r[%c0] block [1, 1, 1]
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init copy(%d) broadcast row
      task.copy %d[%c1] into %r[%c0] broadcast row
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init copy(%d) broadcast column
      task.copy %d[%c1] into %r[%c0] broadcast column
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %r = task.register 2 slot 0
      task.init copy(%d) broadcast scalar
      task.copy %d[%c1] into %r[%c0] broadcast scalar
      task.pack %r[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.pop %x, 2
    task.pop %b, 1
    task.pop %d, 2
    task.pop %ones, 1
  }
}
