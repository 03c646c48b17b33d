// Values of f32 that both units read lie in one buffer of two ids; what only the
// vector unit reads is unpacked straight to Dst, what only the matrix unit reads
// is not. With exact operands the product is one of parts.
// RUN: drawloom-opt %s --tile-to-task --task-verify-logical --task-allocate --task-verify-physical | FileCheck %s
// RUN: sed 's/<hifi4, f32>/<hifi4, f32, exact>/' %s > %t.exact.mlir
// RUN: drawloom-opt %t.exact.mlir --tile-to-task --task-verify-logical --task-allocate --task-verify-physical \
// RUN:   | FileCheck %s --check-prefix=EXACT

// CHECK-DAG: task.buffer "x" of f32 tiles 1 depth 1 direct operand id 0 as 1
// CHECK-DAG: task.buffer "reduced" of f32 tiles 1 depth 1 direct id
// CHECK-DAG: task.buffer "w" of f32 tiles 1 depth 1 id
// CHECK-DAG: task.buffer "mul" of f32 tiles 1 depth 1 id
// CHECK: task.reduce sum over row %x
// CHECK: task.copy %x
// CHECK: task.copy %reduced{{.*}} broadcast column
// CHECK: task.sfpu_binary "mul"
// CHECK: task.matmul %mul{{.*}} %w

// EXACT: task.kernel compute
// EXACT-COUNT-13: task.matmul
// EXACT-NOT: task.matmul
// EXACT: task.pack {{.*}} into %y
tile.program @normalise on "wormhole" precision #tile.precision<hifi4, f32> {
  %X = tile.array 0 "x" in : memref<32x32xf32> layout #tile.tiled
  %W = tile.array 1 "w" in : memref<32x32xf32> layout #tile.tiled
  %Y = tile.array 2 "y" out : memref<32x32xf32> layout #tile.tiled
  tile.grid [1] map [#tile.wave<0 x 1>] {
  ^bb0(%p: index):
    %x = tile.load %X[%p] affine_map<(p, r, c) -> (32 * p + r, c)>
           : memref<32x32xf32> -> tensor<32x32xf32> travel #tile.direct<net 0> hoist 0 depth 1
    %zero = arith.constant dense<0.0> : tensor<32xf32>
    %sum = linalg.reduce { arith.addf } ins(%x : tensor<32x32xf32>) outs(%zero : tensor<32xf32>) dimensions = [1]
    %empty = tensor.empty() : tensor<32x32xf32>
    %sums = linalg.broadcast ins(%sum : tensor<32xf32>) outs(%empty : tensor<32x32xf32>) dimensions = [1]
    %scaled = arith.mulf %x, %sums : tensor<32x32xf32>
    %w = tile.load %W[%p] affine_map<(p, r, c) -> (32 * p + r, c)>
           : memref<32x32xf32> -> tensor<32x32xf32> travel #tile.direct<net 0> hoist 0 depth 1
    %start = arith.constant dense<0.0> : tensor<32x32xf32>
    %y = linalg.matmul ins(%scaled, %w : tensor<32x32xf32>, tensor<32x32xf32>) outs(%start : tensor<32x32xf32>)
           -> tensor<32x32xf32>
    tile.store %y, %Y[%p] affine_map<(p, r, c) -> (32 * p + r, c)> : tensor<32x32xf32>, memref<32x32xf32>
  }
}
