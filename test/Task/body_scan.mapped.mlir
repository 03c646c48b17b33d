// Scans: sums are products with ones and a triangle, others double their reach.

// RUN: drawloom-opt %s --tile-to-task --task-verify-logical --task-allocate --task-verify-physical | FileCheck %s

// CHECK: task.kernel compute
// The triangle is made of lane numbers.
// CHECK: task.sfpu_binary "ge"
// CHECK: task.pack {{.*}} into %upper
// Tiles before a lane's own, then its own.
// CHECK: scf.for {{.*}} to %[[HERE:.*]] step
// CHECK: task.matmul %{{.*}}, %ones
// CHECK: task.matmul %{{.*}}, %upper
// Backwards, along rows.
// CHECK: task.matmul %ones
// CHECK: task.matmul %upper
tile.program @scans on "wormhole" precision #tile.precision<hifi4, f32> {
  %X = tile.array 0 "x" in : memref<64x96xbf16, strided<[96, 1]>> layout #tile.tiled
  %A = tile.array 1 "a" out : memref<64x96xf32, strided<[96, 1]>> layout #tile.tiled
  %B = tile.array 2 "b" out : memref<64x96xf32, strided<[96, 1]>> layout #tile.tiled
  %C = tile.array 3 "c" out : memref<64x96xf32, strided<[96, 1]>> layout #tile.tiled
  tile.grid [1] map [#tile.space<0 on "x" x 1>] {
  ^bb0(%p: index):
    %x = tile.load %X[] affine_map<(r, c) -> (r, c)> : memref<64x96xbf16, strided<[96, 1]>> -> tensor<64x96xbf16> travel #tile.direct<net 0> hoist 0 depth 1
    %f = arith.extf %x : tensor<64x96xbf16> to tensor<64x96xf32>
    %s = tile.scan %f axis 1 {
    ^bb0(%a: f32, %b: f32):
      %q = arith.addf %a, %b : f32
      tile.yield %q : f32
    } : tensor<64x96xf32>
    %t = tile.scan %f axis 0 reverse {
    ^bb0(%a: f32, %b: f32):
      %q = arith.addf %a, %b : f32
      tile.yield %q : f32
    } : tensor<64x96xf32>
    %h = arith.constant dense<0.5> : tensor<64x96xf32>
    %u:2 = tile.scan %h, %f axis 0 {
    ^bb0(%a0: f32, %b0: f32, %a1: f32, %b1: f32):
      %q = arith.mulf %a0, %a1 : f32
      %w = arith.mulf %b0, %a1 : f32
      %v = arith.addf %w, %b1 : f32
      tile.yield %q, %v : f32, f32
    } : tensor<64x96xf32>, tensor<64x96xf32>
    tile.store %s, %A[] affine_map<(r, c) -> (r, c)> : tensor<64x96xf32>, memref<64x96xf32, strided<[96, 1]>>
    tile.store %t, %B[] affine_map<(r, c) -> (r, c)> : tensor<64x96xf32>, memref<64x96xf32, strided<[96, 1]>>
    tile.store %u#1, %C[] affine_map<(r, c) -> (r, c)> : tensor<64x96xf32>, memref<64x96xf32, strided<[96, 1]>>
  }
}
