// Rows looked up by index: the mover reads the indices, then a line for each.

// RUN: drawloom-opt %s --tile-to-task --task-verify-logical --task-allocate --task-verify-physical | FileCheck %s

// The looked-up values never reach the compute engine.
// CHECK: %[[LINES:.*]] = task.buffer "dm0_lines" of bf16 {{.*}} scratch
// CHECK: %[[VALUES:.*]] = task.buffer "dm0_values" of i32 {{.*}} scratch
// CHECK: task.kernel dm0
// CHECK: task.read %ids[{{.*}}] into %[[VALUES]]
// CHECK: task.fence reads
// CHECK: scf.for
// CHECK: task.peek %[[VALUES]]
// CHECK: task.read %w[{{.*}}] into %[[LINES]]
// CHECK: task.fence reads
// CHECK: task.place %[[LINES]]{{.*}} along column
// CHECK: task.kernel compute
// CHECK-NOT: task.peek
tile.program @embedding on "wormhole" precision #tile.precision<hifi4, f32> {
  %ids = tile.array 0 "ids" in : memref<100xi32, strided<[1]>> layout #tile.rows<128>
  %W = tile.array 1 "w" in : memref<50x200xbf16, strided<[200, 1]>> layout #tile.rows<224>
  %O = tile.array 2 "o" out : memref<100x200xbf16, strided<[200, 1]>> layout #tile.tiled
  tile.grid [4] map [#tile.space<0 on "x" x 4>] {
  ^bb0(%p: index):
    %i = tile.load %ids[%p] affine_map<(p, l) -> (32 * p + l)> where affine_set<(p, l) : (99 - 32 * p - l >= 0)> else 0 : i32 : memref<100xi32, strided<[1]>> -> tensor<32xi32> travel #tile.direct<net 0> hoist 0 depth 1
    %e = tile.load %W[%p] lookup %i axis 0 affine_map<(p, v, r, c) -> (v, c)> where affine_set<(p, v, r, c) : (199 - c >= 0, 99 - 32 * p - r >= 0)> else 0.0 : bf16 : memref<50x200xbf16, strided<[200, 1]>> -> tensor<32x256xbf16> travel #tile.direct<net 0> hoist 0 depth 2
    tile.store %e, %O[%p] affine_map<(p, r, c) -> (32 * p + r, c)> where affine_set<(p, r, c) : (199 - c >= 0, 99 - 32 * p - r >= 0)> : tensor<32x256xbf16>, memref<100x200xbf16, strided<[200, 1]>>
  }
}
