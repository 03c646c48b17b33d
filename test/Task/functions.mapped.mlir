// Formulas that are one function of the vector unit: a leaky relu by its sign,
// and gelu by its error function.
// RUN: drawloom-opt %s --tile-to-task --task-verify-logical | FileCheck %s

// CHECK-LABEL: task.kernel compute
// CHECK: task.sfpu "mul" {{.*}}, 2.500000e-01
// CHECK: task.sfpu_binary "max"
// CHECK: task.sfpu "gelu"
// CHECK-NOT: task.sfpu
// CHECK: task.pack
tile.program @functions on "wormhole" precision #tile.precision<hifi4, f32> {
  %x = tile.array 0 "x" in : memref<32x32xf32> layout #tile.tiled
  %y = tile.array 1 "y" out : memref<32x32xf32> layout #tile.tiled
  tile.grid [1] map [#tile.wave<0 x 1>] {
  ^bb0(%i: index):
    %zero = arith.constant dense<0.0> : tensor<32x32xf32>
    %one = arith.constant dense<1.0> : tensor<32x32xf32>
    %half = arith.constant dense<0.5> : tensor<32x32xf32>
    %quarter = arith.constant dense<0.25> : tensor<32x32xf32>
    %root = arith.constant dense<0.70710678> : tensor<32x32xf32>
    %a = tile.load %x[] affine_map<(r, c) -> (r, c)> : memref<32x32xf32> -> tensor<32x32xf32>
           travel #tile.direct<net 0> hoist 0 depth 1
    %positive = arith.cmpf ogt, %a, %zero : tensor<32x32xf32>
    %small = arith.mulf %a, %quarter : tensor<32x32xf32>
    %leaky = arith.select %positive, %a, %small : tensor<32x32xi1>, tensor<32x32xf32>
    %scaled = arith.mulf %leaky, %root : tensor<32x32xf32>
    %erf = math.erf %scaled : tensor<32x32xf32>
    %sum = arith.addf %erf, %one : tensor<32x32xf32>
    %halved = arith.mulf %leaky, %half : tensor<32x32xf32>
    %gelu = arith.mulf %halved, %sum : tensor<32x32xf32>
    tile.store %gelu, %y[] affine_map<(r, c) -> (r, c)> : tensor<32x32xf32>, memref<32x32xf32>
  }
}
