// A row softmax: statistics stay columns of tiles, everything else meets in Dst.

// RUN: drawloom-opt %s --tile-to-task --task-verify-logical --task-allocate --task-verify-physical | FileCheck %s

// Rows of 1000: the mover fills the last tile's lanes, so that none is a maximum.
// CHECK: task.kernel dm0
// CHECK: task.fill %x{{.*}} with 0xFF80 : bf16

// CHECK: task.kernel compute
// CHECK: task.dst
// CHECK: task.init reduce(%x{{[_0-9]*}}, %ones) max over row
// CHECK: task.reduce max over row %x
// CHECK: task.pack {{.*}} into %reduced
// CHECK: task.binary sub %x{{.*}}, %reduced{{.*}} broadcast column
// CHECK: task.sfpu "exp"
// CHECK: task.pack {{.*}} into %exp
// CHECK: task.pop %x
// CHECK: task.reduce sum over row %exp
// One reciprocal a row.
// CHECK: task.sfpu "recip"
// CHECK-NOT: task.sfpu_binary "div"
// Sums are f32: the vector unit multiplies, with all their bits.
// CHECK: task.copy %exp
// CHECK: task.copy %div{{.*}} broadcast column
// CHECK: task.sfpu_binary "mul"
// CHECK: task.pack {{.*}} into %y
tile.program @softmax on "wormhole" precision #tile.precision<hifi4, f32> {
  %X = tile.array 0 "x" in : memref<100x1000xbf16> layout #tile.tiled
  %Y = tile.array 1 "y" out : memref<100x1000xbf16> layout #tile.tiled
  tile.grid [4] map [#tile.wave<0 x 2>, #tile.space<0 on "x" x 2>] {
  ^bb0(%p: index):
    %x = tile.load %X[%p] affine_map<(p, r, c) -> (32 * p + r, c)>
           where affine_set<(p, r, c) : (99 - 32 * p - r >= 0, 999 - c >= 0)> else 0xFF80 : bf16
           : memref<100x1000xbf16> -> tensor<32x1024xbf16> travel #tile.direct<net 0> hoist 0 depth 2
    %f = arith.extf %x : tensor<32x1024xbf16> to tensor<32x1024xf32>
    %low = arith.constant dense<0xFF800000> : tensor<32xf32>
    %m = linalg.reduce { arith.maxnumf } ins(%f : tensor<32x1024xf32>) outs(%low : tensor<32xf32>) dimensions = [1]
    %empty = tensor.empty() : tensor<32x1024xf32>
    %mb = linalg.broadcast ins(%m : tensor<32xf32>) outs(%empty : tensor<32x1024xf32>) dimensions = [1]
    %s = arith.subf %f, %mb : tensor<32x1024xf32>
    %e = math.exp %s : tensor<32x1024xf32>
    %zero = arith.constant dense<0.0> : tensor<32xf32>
    %l = linalg.reduce { arith.addf } ins(%e : tensor<32x1024xf32>) outs(%zero : tensor<32xf32>) dimensions = [1]
    %lb = linalg.broadcast ins(%l : tensor<32xf32>) outs(%empty : tensor<32x1024xf32>) dimensions = [1]
    %q = arith.divf %e, %lb : tensor<32x1024xf32>
    %o = arith.truncf %q : tensor<32x1024xf32> to tensor<32x1024xbf16>
    tile.store %o, %Y[%p] affine_map<(p, r, c) -> (32 * p + r, c)>
      where affine_set<(p, r, c) : (99 - 32 * p - r >= 0, 999 - c >= 0)>
      : tensor<32x1024xbf16>, memref<100x1000xbf16>
  }
}
