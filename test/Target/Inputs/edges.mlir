// What lies beyond an array is filled by the mover: a corner of 40x50 lanes kept
// of 2x2 tiles, bf16; one of 20x10 kept of an fp32 tile, which passes unrounded.

task.program @edges on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %X = task.array 0 "x" in : memref<64x64xbf16> layout #tile.tiled
  %Y = task.array 1 "y" in : memref<32x32xf32> layout #tile.tiled
  %U = task.array 2 "u" out : memref<64x64xbf16> layout #tile.tiled
  %V = task.array 3 "v" out : memref<32x32xf32> layout #tile.tiled
  %x = task.buffer "x" of bf16 tiles 1 depth 2 id 0 at 108544
  %y = task.buffer "y" of f32 tiles 1 depth 1 direct id 1 at 112640
  %u = task.buffer "u" of bf16 tiles 1 depth 2 id 2 at 116736
  %v = task.buffer "v" of f32 tiles 1 depth 1 id 3 at 120832

  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    %c20 = arith.constant 20 : index
    scf.for %i = %c0 to %c2 step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
        task.reserve %x, 1
        %page = affine.apply affine_map<(i, j) -> (2 * i + j)>(%i, %j)
        task.read %X[%page] into %x[%c0]
        task.fence reads
        %rows = affine.apply affine_map<(i) -> (40 - 32 * i)>(%i)
        %columns = affine.apply affine_map<(j) -> (50 - 32 * j)>(%j)
        task.fill %x[%c0] keep [%rows, %columns] with 1.5 : bf16
        task.push %x, 1
      }
    }
    task.reserve %y, 1
    task.read %Y[%c0] into %y[%c0]
    task.fence reads
    task.fill %y[%c0] keep [%c20, %c10] with 0xFF800000 : f32
    task.push %y, 1
  }

  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %t = %c0 to %c4 step %c1 {
      task.wait %u, 1
      task.write %u[%c0] into %U[%t]
      task.fence writes
      task.pop %u, 1
    }
    task.wait %v, 1
    task.write %v[%c0] into %V[%c0]
    task.fence writes
    task.pop %v, 1
  }

  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    task.startup %x, %x, %u
    task.init copy(%x)
    task.init pack(%u)
    scf.for %t = %c0 to %c4 step %c1 {
      task.wait %x, 1
      task.reserve %u, 1
      task.dst {
        %d = task.register 1 slot 0
        task.copy %x[%c0] into %d[%c0]
        task.pack %d[%c0] into %u[%c0]
      }
      task.push %u, 1
      task.pop %x, 1
    }
    task.init copy(%y)
    task.init pack(%v)
    task.wait %y, 1
    task.reserve %v, 1
    task.dst {
      %d = task.register 1 slot 0
      task.copy %y[%c0] into %d[%c0]
      task.pack %d[%c0] into %v[%c0]
    }
    task.push %v, 1
    task.pop %y, 1
  }
}
