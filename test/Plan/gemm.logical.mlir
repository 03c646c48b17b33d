// RUN: drawloom-opt --tile-verify-logical %s | drawloom-opt | FileCheck %s

// 1000 x 777 x 300 in 128x128x64 blocks: edges in every dimension. The Plan
// room's tests plan it.

// CHECK: tile.grid [8, 7]

tile.program @matmul {
  %A = tile.array 0 "a" in : memref<1000x300xbf16, strided<[300, 1]>>
  %B = tile.array 1 "b" in : memref<300x777xbf16, strided<[777, 1]>>
  %C = tile.array 2 "c" out : memref<1000x777xbf16, strided<[777, 1]>>
  tile.grid [8, 7] {
  ^bb0(%i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %c5 step %c1 iter_args(%c = %zero) -> (tensor<128x128xf32>) {
      %a = tile.load %A[%i, %k] affine_map<(i, k, r, c) -> (128 * i + r, 64 * k + c)> where affine_set<(i, k, r, c) : (999 - 128 * i - r >= 0, 299 - 64 * k - c >= 0)> else 0.0 : bf16 : memref<1000x300xbf16, strided<[300, 1]>> -> tensor<128x64xbf16>
      %b = tile.load %B[%k, %j] affine_map<(k, j, r, c) -> (64 * k + r, 128 * j + c)> where affine_set<(k, j, r, c) : (299 - 64 * k - r >= 0, 776 - 128 * j - c >= 0)> else 0.0 : bf16 : memref<300x777xbf16, strided<[777, 1]>> -> tensor<64x128xbf16>
      %d = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x128xbf16>) outs(%c : tensor<128x128xf32>) -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    %o = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xbf16>
    tile.store %o, %C[%i, %j] affine_map<(i, j, r, c) -> (128 * i + r, 128 * j + c)> where affine_set<(i, j, r, c) : (999 - 128 * i - r >= 0, 776 - 128 * j - c >= 0)> : tensor<128x128xbf16>, memref<1000x777xbf16, strided<[777, 1]>>
  }
}
