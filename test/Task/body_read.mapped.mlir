// A loop as long as memory says: each engine reads the number for itself.

// RUN: drawloom-opt %s --tile-to-task --task-verify-logical --task-allocate --task-verify-physical | FileCheck %s

// CHECK: task.kernel dm0
// CHECK: task.read %lens[{{.*}}] into %lens
// CHECK: task.read %lens[{{.*}}] into %dm0_number
// CHECK: %[[N:.*]] = task.peek %dm0_number
// CHECK: %[[TRIPS:.*]] = arith.remui %[[N]]
// CHECK: task.kernel compute
// CHECK: task.wait %lens
// CHECK: task.peek %lens
// CHECK: task.pop %lens
// A carried value: the new block behind the old one.
// CHECK: task.reserve %carried
// CHECK: task.push %carried
// CHECK: task.pop %carried
tile.program @lengths on "wormhole" precision #tile.precision<hifi4, f32> {
  %L = tile.array 0 "lens" in : memref<4xi32, strided<[1]>> layout #tile.rows<32>
  %X = tile.array 1 "x" in : memref<256x64xbf16, strided<[64, 1]>> layout #tile.tiled
  %O = tile.array 2 "o" out : memref<4x32x64xbf16, strided<[2048, 64, 1]>> layout #tile.tiled
  tile.grid [4] map [#tile.wave<0 x 2>, #tile.space<0 on "x" x 2>] {
  ^bb0(%p: index):
    %n = tile.read %L[%p] affine_map<(p) -> (p)> : memref<4xi32, strided<[1]>> -> index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %m = arith.remui %n, %c7 : index
    %z = arith.constant dense<0.0> : tensor<32x64xf32>
    %s = scf.for %k = %c0 to %m step %c1 iter_args(%a = %z) -> (tensor<32x64xf32>) {
      %x = tile.load %X[%k] affine_map<(k, r, c) -> (32 * k + r, c)> : memref<256x64xbf16, strided<[64, 1]>> -> tensor<32x64xbf16> travel #tile.direct<net 0> hoist 0 depth 2
      %f = arith.extf %x : tensor<32x64xbf16> to tensor<32x64xf32>
      %y = arith.addf %a, %f : tensor<32x64xf32>
      scf.yield %y : tensor<32x64xf32>
    }
    %o = arith.truncf %s : tensor<32x64xf32> to tensor<32x64xbf16>
    tile.store %o, %O[%p] affine_map<(p, r, c) -> (p, r, c)> : tensor<32x64xbf16>, memref<4x32x64xbf16, strided<[2048, 64, 1]>>
  }
}
