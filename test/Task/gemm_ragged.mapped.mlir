// A 1000x777x300 product in blocks of 128x128x64 on 8x7 cores: every edge is
// ragged, and the five iterations of k do not divide by the chunk of two.
// RUN: drawloom-opt %s --tile-to-task --task-verify-logical --task-allocate --task-verify-physical | FileCheck %s

// The last chunk holds one iteration that does not exist: nothing computes on
// its tiles, so only the ragged edge of k is filled. Rows of A beyond its end
// make rows of C that are not stored: its last rows are read in their place.
// CHECK-LABEL: task.kernel dm0
// CHECK: arith.minsi
// CHECK: task.read
// CHECK: task.fence reads
// CHECK: scf.if
// CHECK: task.fill %{{.*}} keep[%{{.*}}, %{{.*}}] with 0.000000e+00 : bf16
// CHECK: task.multicast

// Only pages inside C are written.
// CHECK-LABEL: task.kernel dm1
// CHECK: task.wait %[[C:.*]], 16
// CHECK: scf.if
// CHECK: task.write %[[C]]

// Three chunks: two iterations, two, and one.
// CHECK-LABEL: task.kernel compute
// CHECK: %[[C2:.*]] = arith.constant 2 : index
// CHECK: task.copy
// CHECK: task.copy
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[C2]]
// CHECK: task.matmul
tile.program @matmul on "wormhole" precision #tile.precision<hifi4, f32> {
  %A = tile.array 0 "a" in : memref<1000x300xbf16> layout #tile.tiled
  %B = tile.array 1 "b" in : memref<300x777xbf16> layout #tile.tiled
  %C = tile.array 2 "c" out : memref<1000x777xbf16> layout #tile.tiled
  tile.grid [8, 7] map [#tile.space<0 on "y" x 8>, #tile.space<1 on "x" x 8>] {
  ^bb0(%i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %c5 step %c1 iter_args(%sum = %zero) -> (tensor<128x128xf32>) {
      %a = tile.load %A[%i, %k] affine_map<(i, k, r, c) -> (128 * i + r, 64 * k + c)>
             where affine_set<(i, k, r, c) : (999 - 128 * i - r >= 0, 299 - 64 * k - c >= 0)> else 0.0 : bf16
             : memref<1000x300xbf16> -> tensor<128x64xbf16>
             travel #tile.multicast<along ["x"] senders group net 0> hoist 0 depth 2
      %b = tile.load %B[%k, %j] affine_map<(k, j, r, c) -> (64 * k + r, 128 * j + c)>
             where affine_set<(k, j, r, c) : (299 - 64 * k - r >= 0, 776 - 128 * j - c >= 0)> else 0.0 : bf16
             : memref<300x777xbf16> -> tensor<64x128xbf16>
             travel #tile.multicast<along ["y"] senders one net 1> hoist 0 depth 2
      %d = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x128xbf16>)
                         outs(%sum : tensor<128x128xf32>) -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.chunk = 2 : i64}
    %o = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xbf16>
    tile.store %o, %C[%i, %j] affine_map<(i, j, r, c) -> (128 * i + r, 128 * j + c)>
      where affine_set<(i, j, r, c) : (999 - 128 * i - r >= 0, 776 - 128 * j - c >= 0)>
      : tensor<128x128xbf16>, memref<1000x777xbf16>
  }
}
