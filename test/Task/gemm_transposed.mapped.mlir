// Both operands stored transposed, nothing divides: A's tiles are transposed
// through Dst into a buffer of their own, B's by the product itself.
// RUN: drawloom-opt %s --tile-to-task --task-verify-logical --task-allocate --task-verify-physical | FileCheck %s

// CHECK: %[[A:.*]] = task.buffer "a" of bf16 tiles 8
// CHECK: %[[T:.*]] = task.buffer "a.transposed" of bf16 tiles 8
// CHECK-LABEL: task.kernel compute
// CHECK: task.reserve %[[T]], 8
// CHECK: task.transpose %[[A]]
// CHECK: task.pack {{.*}} into %[[T]]
// CHECK: task.matmul %[[T]]{{.*}} transposed
tile.program @matmul on "wormhole" precision #tile.precision<hifi4, f32> {
  %A = tile.array 0 "a" in : memref<180x200xbf16> layout #tile.tiled
  %B = tile.array 1 "b" in : memref<190x180xbf16> layout #tile.tiled
  %C = tile.array 2 "c" out : memref<200x190xbf16> layout #tile.tiled
  tile.grid [4, 3] map [#tile.space<0 on "y" x 4>, #tile.space<1 on "x" x 4>] {
  ^bb0(%i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cT = arith.constant 3 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %cT step %c1 iter_args(%sum = %zero) -> (tensor<64x64xf32>) {
      %a = tile.load %A[%i, %k] affine_map<(i, k, r, c) -> (64*k + c, 64*i + r)> where affine_set<(i,k,r,c) : (199 - 64*i - r >= 0, 179 - 64*k - c >= 0)> else 0.0 : bf16 : memref<180x200xbf16> -> tensor<64x64xbf16> travel #tile.multicast<along ["x"] senders one net 0> hoist 0 depth 2
      %b = tile.load %B[%k, %j] affine_map<(k, j, r, c) -> (64*j + c, 64*k + r)> where affine_set<(k,j,r,c) : (179 - 64*k - r >= 0, 189 - 64*j - c >= 0)> else 0.0 : bf16 : memref<190x180xbf16> -> tensor<64x64xbf16> travel #tile.multicast<along ["y"] senders group net 1> hoist 0 depth 2
      %d = linalg.matmul ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%sum : tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.chunk = 2 : i64}
    %o = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xbf16>
    tile.store %o, %C[%i, %j] affine_map<(i, j, r, c) -> (64*i + r, 64*j + c)> where affine_set<(i,j,r,c) : (199 - 64*i - r >= 0, 189 - 64*j - c >= 0)> : tensor<64x64xbf16>, memref<200x190xbf16>
  }
}
