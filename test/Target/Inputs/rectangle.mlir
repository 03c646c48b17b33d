// Two tiles, one after the other, to all of 3x2 cores; the rectangle has their
// sender in it. Before each the cores meet, by signals to one and to all.

task.program @rectangle on "wormhole" grid [3, 2] precision #tile.precision<hifi4, f32> {
  %X = task.array 0 "x" in : memref<64x32xbf16> layout #tile.tiled
  %Y = task.array 1 "y" out : memref<6x64x32xbf16> layout #tile.tiled
  %x_ = task.buffer "x" of bf16 tiles 1 depth 2 id 0 at 108544
  %met = task.semaphore "met" id 0
  %go = task.semaphore "go" id 1
  %full = task.semaphore "full" id 2

  task.kernel dm1 network 1 {
    %x = task.core x
    %y = task.core y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %left = arith.cmpi eq, %x, %c0 : index
    %top = arith.cmpi eq, %y, %c0 : index
    %first = arith.andi %left, %top : i1
    scf.for %i = %c0 to %c2 step %c1 {
      %round = affine.apply affine_map<(i) -> (i + 1)>(%i)
      task.reserve %x_, 1
      scf.if %first {
        %all = affine.apply affine_map<(i) -> (5 * i + 5)>(%i)
        task.await %met at_least %all
        task.signal %go to [%c0, %c0, %c2, %c1]
        task.read %X[%i] into %x_[%c0]
        task.fence reads
        task.multicast %x_[%c0] tiles 1 to [%c0, %c0, %c2, %c1] receivers 5
        task.publish %full = %round to [%c0, %c0, %c2, %c1] receivers 5
        task.fence writes
      } else {
        task.signal %met to [%c0, %c0, %c0, %c0]
        task.await %go at_least %round
        task.await %full at_least %round
      }
      %page = affine.apply affine_map<(x, y, i) -> (6 * y + 2 * x + i)>(%x, %y, %i)
      task.write %x_[%c0] into %Y[%page]
      task.fence writes
      task.push %x_, 1
    }
  }
}
