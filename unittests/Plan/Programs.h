// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile programs that are more than one product, for tests of the planner.

#ifndef DRAWLOOM_UNITTESTS_PLAN_PROGRAMS_H
#define DRAWLOOM_UNITTESTS_PLAN_PROGRAMS_H

namespace drawloom {

/// Softmax of 1000 rows of 300, 32 rows a program, scaled by a weight of each
/// column.
inline constexpr const char *kSoftmax = R"mlir(
tile.program @softmax {
  %X = tile.array 0 "x" in : memref<1000x300xf32>
  %W = tile.array 1 "w" in : memref<300xf32>
  %Y = tile.array 2 "y" out : memref<1000x300xf32>
  tile.grid [32] {
  ^bb0(%i: index):
    %low = arith.constant dense<0xFF800000> : tensor<32xf32>
    %zero = arith.constant dense<0.0> : tensor<32xf32>
    %any = tensor.empty() : tensor<32x320xf32>
    %x = tile.load %X[%i] affine_map<(i, r, c) -> (32 * i + r, c)> where affine_set<(i, r, c) : (999 - 32 * i - r >= 0, 299 - c >= 0)> else 0xFF800000 : f32 : memref<1000x300xf32> -> tensor<32x320xf32>
    %w = tile.load %W[] affine_map<(c) -> (c)> where affine_set<(c) : (299 - c >= 0)> else 0.0 : f32 : memref<300xf32> -> tensor<320xf32>
    %m = linalg.reduce ins(%x : tensor<32x320xf32>) outs(%low : tensor<32xf32>) dimensions = [1] (%new: f32, %acc: f32) {
      %l = arith.maximumf %acc, %new : f32
      linalg.yield %l : f32
    }
    %ms = linalg.broadcast ins(%m : tensor<32xf32>) outs(%any : tensor<32x320xf32>) dimensions = [1]
    %d = arith.subf %x, %ms : tensor<32x320xf32>
    %e = math.exp %d : tensor<32x320xf32>
    %s = linalg.reduce ins(%e : tensor<32x320xf32>) outs(%zero : tensor<32xf32>) dimensions = [1] (%new: f32, %acc: f32) {
      %l = arith.addf %acc, %new : f32
      linalg.yield %l : f32
    }
    %ss = linalg.broadcast ins(%s : tensor<32xf32>) outs(%any : tensor<32x320xf32>) dimensions = [1]
    %q = arith.divf %e, %ss : tensor<32x320xf32>
    %ws = linalg.broadcast ins(%w : tensor<320xf32>) outs(%any : tensor<32x320xf32>) dimensions = [0]
    %y = arith.mulf %q, %ws : tensor<32x320xf32>
    tile.store %y, %Y[%i] affine_map<(i, r, c) -> (32 * i + r, c)> where affine_set<(i, r, c) : (999 - 32 * i - r >= 0, 299 - c >= 0)> : tensor<32x320xf32>, memref<1000x300xf32>
  }
})mlir";

/// Causal sums: block j of each of 8 heads adds up blocks 0 to 2 j + 1, twice
/// where a condition holds, and as many more as memory says.
inline constexpr const char *kCausal = R"mlir(
tile.program @causal {
  %L = tile.array 0 "lens" in : memref<8xi32>
  %K = tile.array 1 "k" in : memref<8x2048x64xbf16>
  %B = tile.array 2 "b" in : memref<32x64xbf16>
  %O = tile.array 3 "o" out : memref<8x1024x64xbf16>
  tile.grid [8, 32] {
  ^bb0(%h: index, %j: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : tensor<32x64xbf16>
    %n = tile.read %L[%h] affine_map<(h) -> (h)> : memref<8xi32> -> index
    %end = affine.apply affine_map<(j) -> (2 * j + 2)>(%j)
    %a = scf.for %k = %c0 to %end step %c1 iter_args(%s = %zero) -> (tensor<32x64xbf16>) {
      %t = tile.load %K[%h, %k] affine_map<(h, k, r, c) -> (h, 32 * k + r, c)> : memref<8x2048x64xbf16> -> tensor<32x64xbf16>
      %u = arith.addf %s, %t : tensor<32x64xbf16>
      scf.yield %u : tensor<32x64xbf16>
    }
    %early = arith.cmpi slt, %j, %c16 : index
    %f = scf.if %early -> (tensor<32x64xbf16>) {
      %p = tile.load %B[] affine_map<(r, c) -> (r, c)> : memref<32x64xbf16> -> tensor<32x64xbf16>
      %g = arith.addf %a, %p : tensor<32x64xbf16>
      scf.yield %g : tensor<32x64xbf16>
    } else {
      scf.yield %a : tensor<32x64xbf16>
    }
    %m = scf.for %k = %c0 to %n step %c1 iter_args(%s = %f) -> (tensor<32x64xbf16>) {
      %t = tile.load %K[%h, %k] affine_map<(h, k, r, c) -> (h, 32 * k + r, c)> : memref<8x2048x64xbf16> -> tensor<32x64xbf16>
      %u = arith.addf %s, %t : tensor<32x64xbf16>
      scf.yield %u : tensor<32x64xbf16>
    }
    %q = scf.for %k = %c0 to %c4 step %c1 iter_args(%s = %m) -> (tensor<32x64xbf16>) {
      %t = tile.load %B[] affine_map<(r, c) -> (r, c)> : memref<32x64xbf16> -> tensor<32x64xbf16>
      %u = arith.addf %s, %t : tensor<32x64xbf16>
      scf.yield %u : tensor<32x64xbf16>
    }
    tile.store %q, %O[%h, %j] affine_map<(h, j, r, c) -> (h, 32 * j + r, c)> : tensor<32x64xbf16>, memref<8x1024x64xbf16>
  }
})mlir";

} // namespace drawloom

#endif // DRAWLOOM_UNITTESTS_PLAN_PROGRAMS_H
