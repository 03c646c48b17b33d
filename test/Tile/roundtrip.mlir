// Programs print with the names of their indices, and read back as they were.
// RUN: drawloom-opt %s | FileCheck %s
// RUN: drawloom-opt %s | drawloom-opt | FileCheck %s
// RUN: drawloom-opt --mlir-print-op-generic %s | drawloom-opt | FileCheck %s

// CHECK-LABEL: tile.program @gemm on "wormhole" precision <hifi4, f32>
tile.program @gemm on "wormhole" precision <hifi4, f32> {
  // CHECK: %a = tile.array 0 "a" in : memref<1000x300xbf16> layout #tile.tiled
  %a = tile.array 0 "a" in : memref<1000x300xbf16> layout #tile.tiled
  // CHECK: %b = tile.array 1 "b" in : memref<300x777xbf16> layout #tile.rows<512>
  %b = tile.array 1 "b" in : memref<300x777xbf16> layout #tile.rows<512>
  %c = tile.array 2 "c" out : memref<1000x777xbf16> layout #tile.tiled
  // CHECK: tile.grid [8, 7] map [#tile.space<0 on "y" x 8>, #tile.wave<1 x 7>]
  // CHECK: ^bb0(%i: index, %j: index)
  tile.grid [8, 7] map [#tile.space<0 on "y" x 8>, #tile.wave<1 x 7>] {
  ^bb0(%i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %c5 step %c1 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
      // CHECK: tile.load %a[%i, %[[K:[a-z0-9]+]]] affine_map<(i, [[K]], r, c) -> (128 * i + r, 64 * [[K]] + c)>
      // CHECK-SAME: where affine_set<(i, [[K]], r, c) : (999 - 128 * i - r >= 0, 299 - 64 * [[K]] - c >= 0)> else 0.000000e+00 : bf16
      // CHECK-SAME: travel #tile.direct<net 0> hoist 0 depth 2
      %x = tile.load %a[%i, %k] affine_map<(i, k, r, c) -> (128 * i + r, 64 * k + c)>
        where affine_set<(i, k, r, c) : (999 - 128 * i - r >= 0, 299 - 64 * k - c >= 0)> else 0.0 : bf16
        : memref<1000x300xbf16> -> tensor<128x64xbf16> travel #tile.direct<net 0> hoist 0 depth 2
      // CHECK: travel #tile.multicast<along{{ ?}}["y"] senders group net 1> hoist 0 depth 2
      %y = tile.load %b[%k, %j] affine_map<(k, j, r, c) -> (64 * k + r, 128 * j + c)>
        where affine_set<(k, j, r, c) : (299 - 64 * k - r >= 0, 776 - 128 * j - c >= 0)> else 0.0 : bf16
        : memref<300x777xbf16> -> tensor<64x128xbf16> travel #tile.multicast<along ["y"] senders group net 1> hoist 0 depth 2
      %d = linalg.matmul ins(%x, %y : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%s : tensor<128x128xf32>) -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    // CHECK: tile.mask {{.*}}[%i, %j] where affine_set<(i, j, r, c) : (128 * i + r - 128 * j - c >= 0)> else 0.000000e+00 : f32 : tensor<128x128xf32>
    %m = tile.mask %acc[%i, %j] where affine_set<(i, j, r, c) : (128 * i + r - 128 * j - c >= 0)> else 0.0 : f32 : tensor<128x128xf32>
    %o = arith.truncf %m : tensor<128x128xf32> to tensor<128x128xbf16>
    // CHECK: tile.store %{{.*}}, %c[%i, %j] affine_map<(i, j, r, c) -> (128 * i + r, 128 * j + c)>
    tile.store %o, %c[%i, %j] affine_map<(i, j, r, c) -> (128 * i + r, 128 * j + c)>
      where affine_set<(i, j, r, c) : (999 - 128 * i - r >= 0, 776 - 128 * j - c >= 0)>
      : tensor<128x128xbf16>, memref<1000x777xbf16>
  }
}
