// A 1024^3 product, mapped: rows over y, columns over x, k in chunks of four
// iterations a delivery; A travels along x, B along y, a group sending each.
// RUN: drawloom-opt %s --tile-to-task --task-verify-logical | FileCheck %s
// RUN: drawloom-opt %s --tile-to-task --task-allocate --task-verify-physical | FileCheck %s --check-prefix=PHYSICAL

// CHECK-LABEL: task.program @matmul on "wormhole" grid [8, 8]
// CHECK: %[[A:.*]] = task.buffer "a" of bf16 tiles 32 depth 2
// CHECK: %[[B:.*]] = task.buffer "b" of bf16 tiles 32 depth 2
// CHECK: %[[P:.*]] = task.buffer "partials" of f32 tiles 16 depth 1 direct
// CHECK: %[[C:.*]] = task.buffer "c" of bf16 tiles 16 depth 1

// Each of the eight cores of a row reads four of the 32 tiles and multicasts them.
// CHECK-LABEL: task.kernel dm0 network 0
// CHECK: task.reserve %[[A]], 32
// CHECK: task.signal %[[FREE:.*]] to
// CHECK-NEXT: scf.for
// CHECK: task.read %{{.*}} into %[[A]]
// CHECK: task.fence reads
// CHECK-NEXT: task.await %[[FREE]]
// CHECK-NEXT: task.multicast %[[A]][{{.*}}] tiles 4 {{.*}} receivers 7
// CHECK-NEXT: task.fence writes
// CHECK-NEXT: task.signal %[[FULL:.*]] to
// CHECK-NEXT: task.await %[[FULL]]
// CHECK-NEXT: task.push %[[A]], 32

// Four chunks: the first and the last apart, so that pushes and pops balance.
// CHECK-LABEL: task.kernel compute
// CHECK: task.startup %[[A]], %[[B]], %[[C]] matmul
// CHECK-NOT: task.copy
// CHECK: task.matmul %[[A]]{{.*}} block [1, 4, 8]
// CHECK: task.push %[[P]], 4
// CHECK: scf.for
// CHECK: task.copy %[[P]]
// CHECK: task.pop %[[P]], 4
// CHECK: task.matmul
// CHECK: task.push %[[P]], 4
// CHECK: task.copy %[[P]]
// CHECK: task.matmul
// CHECK-NOT: task.push %[[P]]
// CHECK: task.pack {{.*}} into %[[C]]
// CHECK: task.push %[[C]], 16

// PHYSICAL: task.buffer "a" of bf16 tiles 32 depth 2 id 0 at [[#BASE:]]
// PHYSICAL: task.buffer "b" of bf16 tiles 32 depth 2 id 1 at [[#BASE + 131072]]
// PHYSICAL: task.semaphore "b.full" id 3
// PHYSICAL: task.register 4 slot 0
tile.program @matmul on "wormhole" precision #tile.precision<hifi4, f32> {
  %A = tile.array 0 "a" in : memref<1024x1024xbf16> layout #tile.tiled
  %B = tile.array 1 "b" in : memref<1024x1024xbf16> layout #tile.tiled
  %C = tile.array 2 "c" out : memref<1024x1024xbf16> layout #tile.tiled
  tile.grid [8, 8] map [#tile.space<0 on "y" x 8>, #tile.space<1 on "x" x 8>] {
  ^bb0(%i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %acc = scf.for %k = %c0 to %c16 step %c1 iter_args(%sum = %zero) -> (tensor<128x128xf32>) {
      %a = tile.load %A[%i, %k] affine_map<(i, k, r, c) -> (128 * i + r, 64 * k + c)>
             : memref<1024x1024xbf16> -> tensor<128x64xbf16>
             travel #tile.multicast<along ["x"] senders group net 0> hoist 0 depth 2
      %b = tile.load %B[%k, %j] affine_map<(k, j, r, c) -> (64 * k + r, 128 * j + c)>
             : memref<1024x1024xbf16> -> tensor<64x128xbf16>
             travel #tile.multicast<along ["y"] senders group net 1> hoist 0 depth 2
      %d = linalg.matmul ins(%a, %b : tensor<128x64xbf16>, tensor<64x128xbf16>)
                         outs(%sum : tensor<128x128xf32>) -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    } {tile.chunk = 4 : i64}
    %o = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xbf16>
    tile.store %o, %C[%i, %j] affine_map<(i, j, r, c) -> (128 * i + r, 128 * j + c)>
      : tensor<128x128xbf16>, memref<1024x1024xbf16>
  }
}
