// 1500 elements in pages of 1024: the second is there in part. What is read of
// it is filled up with ones, doubled, and as much written back.

task.program @ragged on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %X = task.array 0 "x" in : memref<1500xbf16> layout #tile.rows<1024>
  %Y = task.array 1 "y" inout : memref<1500xbf16> layout #tile.rows<1024>
  %Z = task.array 2 "z" out : memref<32x64xbf16> layout #tile.tiled
  %x = task.buffer "x" of bf16 tiles 1 depth 2 id 0 at 108544
  %y = task.buffer "y" of bf16 tiles 1 depth 2 id 1 at 112640

  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      task.reserve %x, 1
      %count = affine.min affine_map<(i) -> (1024, 1500 - 1024 * i)>(%i)
      %bytes = affine.apply affine_map<(n) -> (2 * n)>(%count)
      task.read %X[%i] into %x[%c0] part [%c0, %c0, %bytes]
      task.fence reads
      task.fill %x[%c0] keep [%count] with 1.0 : bf16
      task.push %x, 1
    }
  }

  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c2 step %c1 {
      task.wait %y, 1
      // The second page but for its first 16 bytes, from there on in the tile.
      %from = affine.apply affine_map<(i) -> (16 * i)>(%i)
      %bytes = affine.min affine_map<(i, from) -> (2048, 3000 - 2048 * i - from)>(%i, %from)
      task.write %y[%c0] into %Y[%i] part [%from, %from, %bytes]
      task.write %y[%c0] into %Z[%i]
      task.fence writes
      task.pop %y, 1
    }
  }

  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    task.startup %x, %x, %y
    task.init binary(%x, %x) add
    task.init pack(%y)
    scf.for %t = %c0 to %c2 step %c1 {
      task.wait %x, 1
      task.reserve %y, 1
      task.dst {
        %d = task.register 1 slot 3
        task.binary add %x[%c0], %x[%c0] into %d[%c0]
        task.pack %d[%c0] into %y[%c0]
      }
      task.push %y, 1
      task.pop %x, 1
    }
  }
}
