// Lanes that movers number, place and lift by way of scratch, and integers in memory
// that bound loops and decide branches of all engines.

task.program @lanes on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %N = task.array 0 "n" in : memref<1x64xi32> layout #tile.rows<64>
  %S = task.array 1 "small" in : memref<2x64xi8> layout #tile.rows<64>
  %X = task.array 2 "x" in : memref<3x64xbf16> layout #tile.rows<64>
  %Y = task.array 3 "y" inout : memref<6x64xbf16> layout #tile.rows<64>
  %Z = task.array 4 "z" out : memref<2x64xi16> layout #tile.rows<64>
  %I = task.array 5 "i" out : memref<2x32x32xf32> layout #tile.tiled
  %n = task.buffer "n" of i32 tiles 1 depth 1 direct id 0 at 108544
  %m = task.buffer "m" of i32 tiles 1 depth 1 scratch id 1 at 112640
  %s = task.buffer "s" of i8 tiles 1 depth 2 scratch id 2 at 116736
  %line = task.buffer "line" of bf16 tiles 1 depth 1 scratch id 3 at 118784
  %x = task.buffer "x" of bf16 tiles 1 depth 2 id 4 at 120832
  %y = task.buffer "y" of bf16 tiles 1 depth 2 id 5 at 124928
  %out = task.buffer "out" of bf16 tiles 1 depth 1 scratch id 6 at 129024
  %w = task.buffer "w" of i32 tiles 1 depth 1 scratch id 7 at 131072
  %v = task.buffer "v" of i16 tiles 1 depth 1 scratch id 8 at 135168
  %i = task.buffer "i" of f32 tiles 1 depth 2 direct id 9 at 137216
  %k = task.buffer "k" of i32 tiles 1 depth 1 direct id 10 at 145408
  %o = task.buffer "o" of f32 tiles 1 depth 2 direct id 11 at 149504

  // Three rows of x become a row of tile 0 and a column of tile 1, as often as n
  // says; small integers go by way of a tile to wider ones.
  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c20 = arith.constant 20 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    task.reserve %n, 1
    task.read %N[%c0] into %n[%c0] part [%c0, %c0, %c128]
    task.fence reads
    %count = task.peek %n[%c0] byte %c0 of i32
    task.push %n, 1
    scf.for %t = %c0 to %count step %c1 {
      task.read %X[%t] into %line[%c0] part [%c0, %c0, %c128]
      task.fence reads
      task.reserve %x, 1
      task.fill %x[%c0] keep [%c0] with 0.0 : bf16
      %even = arith.remui %t, %c2 : index
      %is = arith.cmpi eq, %even, %c0 : index
      scf.if %is {
        task.place %line[%c0] byte %c2 step 4 of bf16 count %c20 into %x[%c0] at [%c3, %c5] along column
      } else {
        task.place %line[%c0] byte %c2 step 2 of bf16 count %c20 into %x[%c0] at [%c5, %c3] along row
      }
      task.push %x, 1
    }
    scf.for %t = %c0 to %c2 step %c1 {
      task.read %S[%t] into %s[%t] part [%c0, %c0, %c64]
      task.fence reads
      task.place %s[%t] byte %c3 step 1 of i8 count %c20 into %w[%c0] at [%c0, %c1] along row
      task.lift %w[%c0] at [%c0, %c1] along row count %c20 into %v[%c0] byte %c0 step 2 of i16
      task.fence writes
      %bytes = arith.constant 40 : index
      task.write %v[%c0] into %Z[%t] part [%c0, %c0, %bytes]
      task.fence writes
    }
    task.reserve %k, 1
    task.iota %k[%c0] along row from %c3
    task.push %k, 1
    task.reserve %i, 1
    task.iota %i[%c0] along column from %c20
    task.push %i, 1
  }

  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c20 = arith.constant 20 : index
    %c40 = arith.constant 40 : index
    %c128 = arith.constant 128 : index
    task.read %N[%c0] into %m[%c0] part [%c0, %c0, %c128]
    task.fence reads
    %count = task.peek %m[%c0] byte %c0 of i32
    scf.for %t = %c0 to %count step %c1 {
      task.wait %y, 1
      task.lift %y[%c0] at [%c3, %c5] along column count %c20 into %out[%c0] byte %c0 step 2 of bf16
      task.write %out[%c0] into %Y[%t] part [%c0, %c0, %c40]
      task.fence writes
      task.lift %y[%c0] at [%c5, %c3] along row count %c20 into %out[%c0] byte %c0 step 2 of bf16
      %below = affine.apply affine_map<(t) -> (t + 3)>(%t)
      task.write %out[%c0] into %Y[%below] part [%c0, %c0, %c40]
      task.fence writes
      task.pop %y, 1
    }
    scf.for %t = %c0 to %c2 step %c1 {
      task.wait %o, 1
      task.write %o[%c0] into %I[%t]
      task.fence writes
      task.pop %o, 1
    }
  }

  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    task.startup %x, %x, %y
    task.init pack(%y)
    task.init copy(%x)
    task.wait %n, 1
    %count = task.peek %n[%c0] byte %c0 of i32
    %twice = task.peek %n[%c0] byte %c6 of i16
    task.pop %n, 1
    %is = arith.cmpi slt, %twice, %c0 : index
    scf.for %t = %c0 to %count step %c1 {
      task.wait %x, 1
      task.reserve %y, 1
      task.dst {
        %d = task.register 1 slot 0
        task.copy %x[%c0] into %d[%c0]
        scf.if %is {
          task.init sfpu "mul"
          task.sfpu "mul" %d[%c0], 2.0
        } else {
          task.init sfpu "neg"
          task.sfpu "neg" %d[%c0]
        }
        task.pack %d[%c0] into %y[%c0]
      }
      task.push %y, 1
      task.pop %x, 1
    }
    task.init pack(%o)
    task.init copy(%k)
    task.wait %k, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 1 slot 0
      task.copy %k[%c0] into %d[%c0]
      task.init sfpu "sitofp"
      task.sfpu "sitofp" %d[%c0]
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.pop %k, 1
    task.init copy(%i)
    task.wait %i, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 1 slot 0
      task.copy %i[%c0] into %d[%c0]
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.pop %i, 1
  }
}
