// Broadcasts, a transposition and the vector unit, each to a tile of its own.

task.program @vector on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %X = task.array 0 "x" in : memref<32x32xbf16> layout #tile.tiled
  %V = task.array 1 "v" in : memref<32x32xbf16> layout #tile.tiled
  %O = task.array 2 "out" out : memref<9x32x32xbf16> layout #tile.tiled
  %x = task.buffer "x" of bf16 tiles 1 depth 1 id 0 at 108544
  %v = task.buffer "v" of bf16 tiles 1 depth 1 id 1 at 110592
  %o = task.buffer "o" of bf16 tiles 9 depth 1 id 2 at 112640

  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    task.reserve %x, 1
    task.reserve %v, 1
    task.read %X[%c0] into %x[%c0]
    task.read %V[%c0] into %v[%c0]
    task.fence reads
    task.push %x, 1
    task.push %v, 1
  }

  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    task.wait %o, 9
    scf.for %t = %c0 to %c9 step %c1 {
      task.write %o[%t] into %O[%t]
    }
    task.fence writes
    task.pop %o, 9
  }

  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    task.startup %x, %v, %o
    task.init pack(%o)
    task.wait %x, 1
    task.wait %v, 1
    task.reserve %o, 9
    task.dst {
      %d = task.register 3 slot 0
      task.init binary(%x, %v) add broadcast row
      task.binary add %x[%c0], %v[%c0] into %d[%c0] broadcast row
      task.init binary(%x, %v) mul broadcast column
      task.binary mul %x[%c0], %v[%c0] into %d[%c1] broadcast column
      task.init binary(%x, %v) sub broadcast scalar
      task.binary sub %x[%c0], %v[%c0] into %d[%c2] broadcast scalar
      task.pack %d[%c0] into %o[%c0]
      task.pack %d[%c1] into %o[%c1]
      task.pack %d[%c2] into %o[%c2]
    }
    task.dst {
      %d = task.register 3 slot 0
      task.init transpose(%x)
      task.transpose %x[%c0] into %d[%c0]
      task.init copy(%x) broadcast column
      task.copy %x[%c0] into %d[%c1] broadcast column
      task.init copy(%v) broadcast column
      task.copy %v[%c0] into %d[%c2] broadcast column
      task.pack %d[%c0] into %o[%c3]
      task.pack %d[%c1] into %o[%c4]
      task.pack %d[%c2] into %o[%c5]
    }
    task.dst {
      %d = task.register 3 slot 0
      %e = task.register 1 slot 3
      task.init copy(%x)
      task.copy %x[%c0] into %d[%c0]
      task.copy %x[%c0] into %d[%c1]
      task.copy %x[%c0] into %d[%c2]
      task.init copy(%v)
      task.copy %v[%c0] into %e[%c0]
      "task.init"() <{function = "relu", kind = 4 : i32}> : () -> ()
      task.sfpu "relu" %d[%c0]
      "task.init"() <{function = "max", kind = 4 : i32}> : () -> ()
      task.sfpu_binary "max" %d[%c1], %e[%c0] into %d[%c1]
      "task.init"() <{function = "exp", kind = 4 : i32}> : () -> ()
      task.sfpu "exp" %d[%c2]
      task.pack %d[%c0] into %o[%c6]
      task.pack %d[%c1] into %o[%c7]
      task.pack %d[%c2] into %o[%c8]
    }
    task.push %o, 9
    task.pop %x, 1
    task.pop %v, 1
  }
}
