// A sum that all programs add to: one mover loads what it stored before.

// RUN: drawloom-opt %s --tile-to-task --task-verify-logical --task-allocate --task-verify-physical | FileCheck %s

// CHECK: task.kernel dm1
// CHECK: scf.for
// CHECK: task.read %o
// CHECK: task.write %o{{.*}} into %o
// CHECK-NEXT: }
// CHECK: task.fence writes
tile.program @adds on "wormhole" precision #tile.precision<hifi4, f32> {
  %X = tile.array 0 "x" in : memref<256x64xbf16, strided<[64, 1]>> layout #tile.tiled
  %O = tile.array 1 "o" inout : memref<32x64xf32, strided<[64, 1]>> layout #tile.tiled
  tile.grid [8] ordered [0] map [#tile.wave<0 x 8>] {
  ^bb0(%p: index):
    %x = tile.load %X[%p] affine_map<(p, r, c) -> (32 * p + r, c)> : memref<256x64xbf16, strided<[64, 1]>> -> tensor<32x64xbf16> travel #tile.direct<net 0> hoist 0 depth 2
    %f = arith.extf %x : tensor<32x64xbf16> to tensor<32x64xf32>
    %o = tile.load %O[] affine_map<(r, c) -> (r, c)> : memref<32x64xf32, strided<[64, 1]>> -> tensor<32x64xf32> travel #tile.direct<net 0> hoist 0 depth 1
    %y = arith.addf %o, %f : tensor<32x64xf32>
    tile.store %y, %O[] affine_map<(r, c) -> (r, c)> : tensor<32x64xf32>, memref<32x64xf32, strided<[64, 1]>>
  }
}
