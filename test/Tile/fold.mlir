// Programs of one row each share tiles; what must not fold stays.
// RUN: drawloom-opt %s --tile-fold --tile-verify-logical | FileCheck %s

// A softmax of 100 rows: bounds on rows where 32 does not divide them, statistics
// as columns, and what is the same in every row stays one row.
// CHECK-LABEL: tile.program @softmax
tile.program @softmax {
  %x = tile.array 0 "x" in : memref<100x50xbf16>
  %w = tile.array 1 "w" in : memref<50xbf16>
  %y = tile.array 2 "y" out : memref<100x50xf32>
  %s = tile.array 3 "s" out : memref<100xf32>
  // CHECK: tile.grid [4]
  tile.grid [100] {
  ^bb0(%i: index):
    %low = arith.constant dense<0xFF800000> : tensor<f32>
    %zero = arith.constant dense<0.0> : tensor<f32>
    // CHECK: tile.load %x[%i] affine_map<(i, r, c) -> (32 * i + r, c)>
    // CHECK-SAME: where affine_set<(i, r, c) : (49 - c >= 0, 99 - 32 * i - r >= 0)> else 0xFF80 : bf16
    // CHECK-SAME: -> tensor<32x64xbf16>
    %a = tile.load %x[%i] affine_map<(i, l) -> (i, l)> where affine_set<(i, l) : (49 - l >= 0)>
      else 0xFF80 : bf16 : memref<100x50xbf16> -> tensor<64xbf16>
    %f = arith.extf %a : tensor<64xbf16> to tensor<64xf32>
    // CHECK: %[[LOW:.*]] = arith.constant dense<0xFF800000> : tensor<32xf32>
    // CHECK: linalg.reduce {{.*}} ins(%{{.*}} : tensor<32x64xf32>) outs(%[[LOW]] : tensor<32xf32>) dimensions = [1]
    %m = linalg.reduce { arith.maximumf } ins(%f : tensor<64xf32>) outs(%low : tensor<f32>) dimensions = [0]
    %e = tensor.empty() : tensor<64xf32>
    // CHECK: linalg.broadcast ins(%{{.*}} : tensor<32xf32>) outs(%{{.*}} : tensor<32x64xf32>) dimensions = [1]
    %b = linalg.broadcast ins(%m : tensor<f32>) outs(%e : tensor<64xf32>) dimensions = [0]
    %d = arith.subf %f, %b : tensor<64xf32>
    %p = math.exp %d : tensor<64xf32>
    %t = linalg.reduce { arith.addf } ins(%p : tensor<64xf32>) outs(%zero : tensor<f32>) dimensions = [0]
    // CHECK: tile.load %w[] affine_map<(l) -> (l)> {{.*}} -> tensor<64xbf16>
    %v = tile.load %w[] affine_map<(l) -> (l)> where affine_set<(l) : (49 - l >= 0)> : memref<50xbf16> -> tensor<64xbf16>
    %u = arith.extf %v : tensor<64xbf16> to tensor<64xf32>
    // CHECK: linalg.broadcast ins(%{{.*}} : tensor<64xf32>) outs(%{{.*}} : tensor<32x64xf32>) dimensions = [0]
    // CHECK: arith.mulf {{.*}} : tensor<32x64xf32>
    %q = arith.mulf %p, %u : tensor<64xf32>
    // CHECK: tile.store %{{.*}}, %s[%i] affine_map<(i, l) -> (32 * i + l)> where affine_set<(i, l) : (99 - 32 * i - l >= 0)>
    tile.store %t, %s[%i] affine_map<(i) -> (i)> : tensor<f32>, memref<100xf32>
    // CHECK: tile.store
    tile.store %q, %y[%i] affine_map<(i, l) -> (i, l)> where affine_set<(i, l) : (49 - l >= 0)>
      : tensor<64xf32>, memref<100x50xf32>
  }
}

// Of several dimensions the one along neighbouring rows; loops of one iteration
// vanish, values carried by others fold, loads that repeat are made once.
// CHECK-LABEL: tile.program @heads
tile.program @heads {
  %x = tile.array 0 "x" in : memref<2x64x128xf32>
  %y = tile.array 1 "y" out : memref<2x64xf32>
  // CHECK: tile.grid [2, 2]
  tile.grid [2, 64] {
  ^bb0(%i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant dense<0.0> : tensor<f32>
    // CHECK: %[[FIRST:.*]] = tile.load %x[%i, %j] affine_map<(i, j, r, c) -> (i, 32 * j + r, c)>
    // CHECK-NOT: scf.for
    %s = scf.for %k = %c0 to %c1 step %c1 iter_args(%acc = %zero) -> (tensor<f32>) {
      %a = tile.load %x[%i, %j, %k] affine_map<(i, j, k, l) -> (i, j, 32 * k + l)> : memref<2x64x128xf32> -> tensor<32xf32>
      %r = linalg.reduce { arith.addf } ins(%a : tensor<32xf32>) outs(%acc : tensor<f32>) dimensions = [0]
      scf.yield %r : tensor<f32>
    }
    // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<32xf32>)
    %t = scf.for %k = %c0 to %c4 step %c1 iter_args(%acc = %s) -> (tensor<f32>) {
      // CHECK: %[[NEXT:.*]] = tile.load %x[%i, %j, %{{.*}}] affine_map<{{.*}} -> (i, 32 * j + r, 32 * {{.*}} + c)>
      // CHECK-NOT: tile.load
      // CHECK: arith.mulf %[[NEXT]], %[[FIRST]] : tensor<32x32xf32>
      %a = tile.load %x[%i, %j, %k] affine_map<(i, j, k, l) -> (i, j, 32 * k + l)> : memref<2x64x128xf32> -> tensor<32xf32>
      %b = tile.load %x[%i, %j] affine_map<(i, j, l) -> (i, j, l)> : memref<2x64x128xf32> -> tensor<32xf32>
      %p = arith.mulf %a, %b : tensor<32xf32>
      %r = linalg.reduce { arith.addf } ins(%p : tensor<32xf32>) outs(%acc : tensor<f32>) dimensions = [0]
      scf.yield %r : tensor<f32>
    }
    tile.store %t, %y[%i, %j] affine_map<(i, j) -> (i, j)> : tensor<f32>, memref<2x64xf32>
  }
}

// Blocks of one axis are no rows.
// CHECK-LABEL: tile.program @blocks
tile.program @blocks {
  %x = tile.array 0 "x" in : memref<4096xf32>
  %y = tile.array 1 "y" out : memref<4096xf32>
  // CHECK: tile.grid [64]
  tile.grid [64] {
  ^bb0(%i: index):
    %a = tile.load %x[%i] affine_map<(i, l) -> (64 * i + l)> : memref<4096xf32> -> tensor<64xf32>
    %b = math.exp %a : tensor<64xf32>
    tile.store %b, %y[%i] affine_map<(i, l) -> (64 * i + l)> : tensor<64xf32>, memref<4096xf32>
  }
}

// How often a loop runs may not depend on the row.
// CHECK-LABEL: tile.program @triangle
tile.program @triangle {
  %x = tile.array 0 "x" in : memref<64x64xf32>
  %y = tile.array 1 "y" out : memref<64xf32>
  // CHECK: tile.grid [64]
  tile.grid [64] {
  ^bb0(%i: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant dense<0.0> : tensor<f32>
    %s = scf.for %k = %c0 to %i step %c1 iter_args(%acc = %zero) -> (tensor<f32>) {
      %a = tile.load %x[%i, %k] affine_map<(i, k) -> (i, k)> : memref<64x64xf32> -> tensor<f32>
      %r = arith.addf %acc, %a : tensor<f32>
      scf.yield %r : tensor<f32>
    }
    tile.store %s, %y[%i] affine_map<(i) -> (i)> : tensor<f32>, memref<64xf32>
  }
}

// A bound that compares rows with lanes.
// CHECK-LABEL: tile.program @causal
tile.program @causal {
  %x = tile.array 0 "x" in : memref<64x64xf32>
  %y = tile.array 1 "y" out : memref<64xf32>
  // CHECK: tile.grid [64]
  tile.grid [64] {
  ^bb0(%i: index):
    %zero = arith.constant dense<0.0> : tensor<f32>
    %a = tile.load %x[%i] affine_map<(i, l) -> (i, l)> where affine_set<(i, l) : (i - l >= 0)> else 0.0 : f32
      : memref<64x64xf32> -> tensor<64xf32>
    %s = linalg.reduce { arith.addf } ins(%a : tensor<64xf32>) outs(%zero : tensor<f32>) dimensions = [0]
    tile.store %s, %y[%i] affine_map<(i) -> (i)> : tensor<f32>, memref<64xf32>
  }
}

// Rows that are whole tiles, lane by lane.
// CHECK-LABEL: tile.program @whole
tile.program @whole {
  %x = tile.array 0 "x" in : memref<64x1024xf32>
  %y = tile.array 1 "y" out : memref<64x1024xf32>
  // CHECK: tile.grid [64]
  tile.grid [64] {
  ^bb0(%i: index):
    %a = tile.load %x[%i] affine_map<(i, l) -> (i, l)> : memref<64x1024xf32> -> tensor<1024xf32>
    %b = math.exp %a : tensor<1024xf32>
    tile.store %b, %y[%i] affine_map<(i, l) -> (i, l)> : tensor<1024xf32>, memref<64x1024xf32>
  }
}
