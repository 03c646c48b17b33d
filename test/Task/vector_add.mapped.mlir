// x + y over 98432 elements in blocks of 1024 on 8x8 cores, two waves: the
// last block has 128 elements, and 31 points are idle.
// RUN: drawloom-opt %s --tile-to-task --task-verify-logical --task-allocate --task-verify-physical | FileCheck %s

// CHECK-LABEL: task.kernel dm0
// CHECK: task.fill %{{.*}} keep[%{{.*}}] with 0.000000e+00 : f32
// Bytes after the last element survive.
// CHECK-LABEL: task.kernel dm1
// CHECK: task.write %{{.*}} part[
// Two f32 tiles are added in the vector unit, which keeps all their digits.
// CHECK-LABEL: task.kernel compute
// CHECK: task.copy
// CHECK: task.copy
// CHECK: task.sfpu_binary "add"
tile.program @vector_add on "wormhole" precision #tile.precision<hifi4, f32> {
  %x = tile.array 0 "x" in : memref<98432xf32> layout #tile.rows<1024>
  %y = tile.array 1 "y" in : memref<98432xf32> layout #tile.rows<1024>
  %o = tile.array 2 "out" out : memref<98432xf32> layout #tile.rows<1024>
  tile.grid [97] map [#tile.wave<0 x 2>, #tile.space<0 on "y" x 8>, #tile.space<0 on "x" x 8>] {
  ^bb0(%i: index):
    %a = tile.load %x[%i] affine_map<(i, l) -> (1024 * i + l)>
           where affine_set<(i, l) : (98431 - 1024 * i - l >= 0)> else 0.0 : f32
           : memref<98432xf32> -> tensor<1024xf32> travel #tile.direct<net 0> hoist 0 depth 2
    %b = tile.load %y[%i] affine_map<(i, l) -> (1024 * i + l)>
           where affine_set<(i, l) : (98431 - 1024 * i - l >= 0)> else 0.0 : f32
           : memref<98432xf32> -> tensor<1024xf32> travel #tile.direct<net 1> hoist 0 depth 2
    %s = arith.addf %a, %b : tensor<1024xf32>
    tile.store %s, %o[%i] affine_map<(i, l) -> (1024 * i + l)>
      where affine_set<(i, l) : (98431 - 1024 * i - l >= 0)> : tensor<1024xf32>, memref<98432xf32>
  }
}
