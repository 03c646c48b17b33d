// silu(2 (A B^T) + bias) with B stored by columns, in waves, A's panel kept
// over the inner wave, one sender for the bias.
// RUN: drawloom-opt %s --tile-to-task --task-verify-logical --task-allocate --task-verify-physical | FileCheck %s

// CHECK: %[[ZEROS:.*]] = task.buffer "zeros" of bf16 tiles 1
// CHECK: task.fill %[[ZEROS]]
// CHECK: task.kernel compute
// CHECK: task.init matmul({{.*}}) block [1, 2, {{.*}}] transposed
// CHECK: task.matmul {{.*}} transposed
// A row of bf16 gets to a 32-bit Dst by way of zeros.
// CHECK: task.binary add %[[ZEROS]][%{{.*}}], %{{.*}} broadcast row
// CHECK: task.sfpu_binary "div"
// CHECK: task.pack
tile.program @matmul on "wormhole" precision #tile.precision<hifi4, f32> {
  %A = tile.array 0 "a" in : memref<512x256xbf16> layout #tile.tiled
  %B = tile.array 1 "b" in : memref<512x256xbf16> layout #tile.tiled
  %bias = tile.array 2 "bias" in : memref<512xbf16> layout #tile.tiled
  %C = tile.array 3 "c" out : memref<512x512xbf16> layout #tile.tiled
  tile.grid [8, 8] map [#tile.space<0 on "y" x 4>, #tile.wave<0 x 2>, #tile.wave<1 x 4>, #tile.space<1 on "x" x 2>] {
  ^bb0(%i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %one = arith.constant dense<1.0> : tensor<64x64xf32>
    %two = arith.constant dense<2.0> : tensor<64x64xf32>
    %acc = scf.for %k = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> (tensor<64x64xf32>) {
      %a = tile.load %A[%i, %k] affine_map<(i, k, r, c) -> (64 * i + r, 64 * k + c)>
             : memref<512x256xbf16> -> tensor<64x64xbf16>
             travel #tile.multicast<along ["x"] senders group net 0> hoist 2 depth 1
      %b = tile.load %B[%k, %j] affine_map<(k, j, r, c) -> (64 * j + c, 64 * k + r)>
             : memref<512x256xbf16> -> tensor<64x64xbf16>
             travel #tile.multicast<along ["y"] senders one net 1> hoist 0 depth 2
      %d = linalg.matmul ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>)
                         outs(%sum : tensor<64x64xf32>) -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    } {tile.chunk = 2 : i64}
    %v = tile.load %bias[%j] affine_map<(j, l) -> (64 * j + l)>
           : memref<512xbf16> -> tensor<64xbf16> travel #tile.multicast<along ["y"] senders one net 0> hoist 0 depth 1
    %w = arith.extf %v : tensor<64xbf16> to tensor<64xf32>
    %e = tensor.empty() : tensor<64x64xf32>
    %rows = linalg.broadcast ins(%w : tensor<64xf32>) outs(%e : tensor<64x64xf32>) dimensions = [0]
    %t = arith.mulf %acc, %two : tensor<64x64xf32>
    %u = arith.addf %t, %rows : tensor<64x64xf32>
    %n = arith.negf %u : tensor<64x64xf32>
    %x = math.exp %n : tensor<64x64xf32>
    %p = arith.addf %x, %one : tensor<64x64xf32>
    %q = arith.divf %u, %p : tensor<64x64xf32>
    %o = arith.truncf %q : tensor<64x64xf32> to tensor<64x64xbf16>
    tile.store %o, %C[%i, %j] affine_map<(i, j, r, c) -> (64 * i + r, 64 * j + c)>
      : tensor<64x64xbf16>, memref<512x512xbf16>
  }
}
