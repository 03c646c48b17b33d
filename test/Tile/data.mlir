// What depends on data: integers read as indices, looked-up rows, lane numbers,
// scans, conditions and ordered grids print with the names of their indices,
// read back as they were, and meet the contract.
// RUN: drawloom-opt --tile-verify-logical %s | FileCheck %s
// RUN: drawloom-opt %s | drawloom-opt | FileCheck %s
// RUN: drawloom-opt --mlir-print-op-generic %s | drawloom-opt | FileCheck %s

// CHECK-LABEL: tile.program @gather
tile.program @gather {
  %ids = tile.array 0 "ids" in : memref<100xi64>
  %w = tile.array 1 "w" in : memref<5000x64xbf16>
  %o = tile.array 2 "o" out : memref<100x64xbf16>
  %n = tile.array 3 "n" in : memref<4xi32>
  tile.grid [4] {
  ^bb0(%i: index):
    // CHECK: %[[N:[0-9]+]] = tile.read %n[%i] affine_map<(i) -> (i)> : memref<4xi32> -> index
    %len = tile.read %n[%i] affine_map<(i) -> (i)> : memref<4xi32> -> index
    %id = tile.load %ids[%i] affine_map<(i, l) -> (32 * i + l)>
      where affine_set<(i, l) : (99 - 32 * i - l >= 0)> : memref<100xi64> -> tensor<32xi32>
    // CHECK: tile.load %w[%i, %[[N]]] lookup %{{[0-9]+}} axis 0
    // CHECK-SAME: affine_map<(i, v[[N]], v, r, c) -> (v floordiv 2, c)>
    // CHECK-SAME: where affine_set<(i, v[[N]], v, r, c) : (99 - 32 * i - r >= 0, v[[N]] - v - 1 >= 0)> else 0.000000e+00 : bf16
    %rows = tile.load %w[%i, %len] lookup %id axis 0 affine_map<(i, n, v, r, c) -> (v floordiv 2, c)>
      where affine_set<(i, n, v, r, c) : (99 - 32 * i - r >= 0, n - 1 - v >= 0)> else 0.0 : bf16
      : memref<5000x64xbf16> -> tensor<32x64xbf16>
    tile.store %rows, %o[%i] affine_map<(i, r, c) -> (32 * i + r, c)>
      where affine_set<(i, r, c) : (99 - 32 * i - r >= 0)> : tensor<32x64xbf16>, memref<100x64xbf16>
  }
}

// CHECK-LABEL: tile.program @scatter
tile.program @scatter {
  %ids = tile.array 0 "ids" in : memref<64xi32>
  %o = tile.array 1 "o" out : memref<1000x64xi32>
  tile.grid [2] {
  ^bb0(%i: index):
    %id = tile.load %ids[%i] affine_map<(i, l) -> (32 * i + l)> : memref<64xi32> -> tensor<32xi32>
    // CHECK: tile.index [%i] affine_map<(i, r, c) -> (32 * i + r + 100 * c)> : tensor<32x64xi32>
    %x = tile.index [%i] affine_map<(i, r, c) -> (32 * i + r + 100 * c)> : tensor<32x64xi32>
    // CHECK: tile.store %{{[0-9]+}}, %o[] lookup %{{[0-9]+}} axis 0 affine_map<(v, r, c) -> (v, c)>
    tile.store %x, %o[] lookup %id axis 0 affine_map<(v, r, c) -> (v, c)> : tensor<32x64xi32>, memref<1000x64xi32>
  }
}

// CHECK-LABEL: tile.program @control
tile.program @control {
  %n = tile.array 0 "n" in : memref<4xi32>
  %x = tile.array 1 "x" in : memref<4x128xf32>
  %y = tile.array 2 "y" inout : memref<1x32xf32>
  // CHECK: tile.grid [4] ordered [0]
  tile.grid [4] ordered [0] {
  ^bb0(%i: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %len = tile.read %n[%i] affine_map<(i) -> (i)> : memref<4xi32> -> index
    %some = arith.cmpi sgt, %len, %c0 : index
    // CHECK: scf.if
    scf.if %some {
      %blocks = affine.min affine_map<(n) -> (n ceildiv 32, 4)>(%len)
      %zero = arith.constant dense<0.0> : tensor<32xf32>
      %sum = scf.for %k = %c0 to %blocks step %c1 iter_args(%s = %zero) -> (tensor<32xf32>) {
        %t = tile.load %x[%i, %k, %len] affine_map<(i, k, n, l) -> (i, 32 * k + l)>
          where affine_set<(i, k, n, l) : (n - 1 - 32 * k - l >= 0)> else 0.0 : f32 : memref<4x128xf32> -> tensor<32xf32>
        %a = arith.addf %s, %t : tensor<32xf32>
        scf.yield %a : tensor<32xf32>
      }
      // CHECK: tile.scan %{{[0-9]+}}, %{{[0-9]+}} axis 0 reverse {
      // CHECK: tile.yield %{{[0-9]+}}, %{{[0-9]+}} : f32, f32
      // CHECK: } : tensor<32xf32>, tensor<32xf32>
      %h:2 = tile.scan %sum, %sum axis 0 reverse {
      ^bb0(%a0: f32, %b0: f32, %a1: f32, %b1: f32):
        %a = arith.mulf %a0, %a1 : f32
        %m = arith.mulf %a1, %b0 : f32
        %b = arith.addf %m, %b1 : f32
        tile.yield %a, %b : f32, f32
      } : tensor<32xf32>, tensor<32xf32>
      %old = tile.load %y[] affine_map<(l) -> (0, l)> : memref<1x32xf32> -> tensor<32xf32>
      %new = arith.addf %old, %h#1 : tensor<32xf32>
      tile.store %new, %y[] affine_map<(l) -> (0, l)> : tensor<32xf32>, memref<1x32xf32>
    }
  }
}
