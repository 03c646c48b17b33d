// A 32x2048x32 product on one core: the result stays in Dst over all chunks.
// RUN: drawloom-opt %s --tile-to-task --task-verify-logical | FileCheck %s

// CHECK-NOT: partials
// CHECK: task.dst {
// CHECK: scf.for
// CHECK: task.wait %[[A:.*]], 4
// CHECK: task.matmul
// CHECK: task.pop %[[A]], 4
// CHECK: task.reserve
// CHECK: task.pack
tile.program @matmul on "wormhole" precision #tile.precision<hifi4, f32> {
  %A = tile.array 0 "a" in : memref<32x2048xbf16> layout #tile.tiled
  %B = tile.array 1 "b" in : memref<2048x32xbf16> layout #tile.tiled
  %C = tile.array 2 "c" out : memref<32x32xf32> layout #tile.tiled
  tile.grid [1, 1] map [#tile.wave<0 x 1>, #tile.wave<1 x 1>] {
  ^bb0(%i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %acc = scf.for %k = %c0 to %c32 step %c1 iter_args(%sum = %zero) -> (tensor<32x32xf32>) {
      %a = tile.load %A[%i, %k] affine_map<(i, k, r, c) -> (32 * i + r, 64 * k + c)>
             : memref<32x2048xbf16> -> tensor<32x64xbf16>
             travel #tile.direct<net 0> hoist 0 depth 2
      %b = tile.load %B[%k, %j] affine_map<(k, j, r, c) -> (64 * k + r, 32 * j + c)>
             : memref<2048x32xbf16> -> tensor<64x32xbf16>
             travel #tile.direct<net 1> hoist 0 depth 2
      %d = linalg.matmul ins(%a, %b : tensor<32x64xbf16>, tensor<64x32xbf16>)
                         outs(%sum : tensor<32x32xf32>) -> tensor<32x32xf32>
      scf.yield %d : tensor<32x32xf32>
    } {tile.chunk = 2 : i64}
    tile.store %acc, %C[%i, %j] affine_map<(i, j, r, c) -> (32 * i + r, 32 * j + c)>
      : tensor<32x32xf32>, memref<32x32xf32>
  }
}
