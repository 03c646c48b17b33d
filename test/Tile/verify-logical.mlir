// The contract of the logical state, rule by rule.
// RUN: drawloom-opt --tile-verify-logical --split-input-file --verify-diagnostics %s

// A legal program: bounds on a ragged edge, no padding where no lane outside
// is stored, a triangular loop.
tile.program @legal {
  %x = tile.array 0 "x" in : memref<100x50xf32>
  %y = tile.array 1 "y" out : memref<100x50xf32>
  tile.grid [4] {
  ^bb0(%i: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = affine.apply affine_map<(i) -> (i + 1)>(%i)
    %zero = arith.constant dense<0.0> : tensor<32x64xf32>
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<32x64xf32>) {
      %t = tile.load %x[%k] affine_map<(k, r, c) -> (32 * k + r, c)>
        where affine_set<(k, r, c) : (99 - 32 * k - r >= 0, 49 - c >= 0)> else 0.0 : f32
        : memref<100x50xf32> -> tensor<32x64xf32>
      %b = arith.addf %a, %t : tensor<32x64xf32>
      scf.yield %b : tensor<32x64xf32>
    }
    %u = tile.load %x[%i] affine_map<(i, r, c) -> (32 * i + r, c)>
      where affine_set<(i, r, c) : (99 - 32 * i - r >= 0, 49 - c >= 0)>
      : memref<100x50xf32> -> tensor<32x64xf32>
    %v = arith.mulf %s, %u : tensor<32x64xf32>
    tile.store %v, %y[%i] affine_map<(i, r, c) -> (32 * i + r, c)>
      where affine_set<(i, r, c) : (99 - 32 * i - r >= 0, 49 - c >= 0)>
      : tensor<32x64xf32>, memref<100x50xf32>
  }
}

// -----

tile.program @element {
  // expected-error @below {{array of 'f64' elements: a tile program has bf16, f32, i32, i16, i8 and i1}}
  // expected-note @below {{the front door refuses other types}}
  %x = tile.array 0 "x" in : memref<64xf64>
}

// -----

tile.program @views {
  // expected-note @below {{the first array over argument 0}}
  %x = tile.array 0 "x" in : memref<64xf32>
  // expected-error @below {{arrays over one argument must agree on its name and element type}}
  %z = tile.array 0 "x" in : memref<64xbf16>
}

// -----

tile.program @role {
  // expected-error @below {{array "x" has role out but is never stored to}}
  // expected-note @below {{the front door reads the role off the accesses}}
  %x = tile.array 0 "x" out : memref<64xf32>
}

// -----

tile.program @overlapping {
  // expected-error @below {{different subscripts of a stored array must be different elements}}
  %x = tile.array 0 "x" out : memref<4x32xf32, strided<[16, 1]>>
  tile.grid [4] {
  ^bb0(%i: index):
    %t = arith.constant dense<0.0> : tensor<32xf32>
    tile.store %t, %x[%i] affine_map<(i, l) -> (i, l)> : tensor<32xf32>, memref<4x32xf32, strided<[16, 1]>>
  }
}

// -----

tile.program @operation {
  tile.grid [1] {
  ^bb0(%i: index):
    %t = arith.constant dense<1.0> : tensor<32xf32>
    // expected-error @below {{`math.cbrt` has no place in a tile program}}
    // expected-note @below {{the front door expresses it by arith, math, linalg and scf on tiles}}
    %u = math.cbrt %t : tensor<32xf32>
  }
}

// -----

tile.program @outside {
  %x = tile.array 0 "x" in : memref<100xf32>
  tile.grid [4] {
  ^bb0(%i: index):
    // expected-error @below {{subscript 0 reaches 127, outside the 100 of array "x", at grid point (3), lane (31)}}
    // expected-note @below {{turns masks into bounds}}
    %t = tile.load %x[%i] affine_map<(i, l) -> (32 * i + l)> : memref<100xf32> -> tensor<32xf32>
  }
}

// -----

// The bound is one off, so is the message.
tile.program @off_by_one {
  %x = tile.array 0 "x" in : memref<100xf32>
  tile.grid [4] {
  ^bb0(%i: index):
    // expected-error @below {{subscript 0 reaches 100, outside the 100}}
    // expected-note @below {{turns masks into bounds}}
    %t = tile.load %x[%i] affine_map<(i, l) -> (32 * i + l)> where affine_set<(i, l) : (100 - 32 * i - l >= 0)> else 0.0 : f32 : memref<100xf32> -> tensor<32xf32>
  }
}

// -----

tile.program @below {
  %x = tile.array 0 "x" in : memref<100xf32>
  tile.grid [3] {
  ^bb0(%i: index):
    // expected-error @below {{subscript 0 reaches -2, outside the 100}}
    // expected-note @below {{turns masks into bounds}}
    %t = tile.load %x[%i] affine_map<(i, l) -> (32 * i + l - 2)> : memref<100xf32> -> tensor<32xf32>
  }
}

// -----

// A wrapped subscript stays inside.
tile.program @wrapped {
  %x = tile.array 0 "x" in : memref<5xf32>
  tile.grid [3] {
  ^bb0(%i: index):
    %t = tile.load %x[%i] affine_map<(i, l) -> ((32 * i + l) mod 5)> : memref<5xf32> -> tensor<32xf32>
    // expected-error @below {{subscript 0 reaches 5, outside the 5}}
    // expected-note @below {{turns masks into bounds}}
    %u = tile.load %x[%i] affine_map<(i, l) -> ((32 * i + l) mod 6)> : memref<5xf32> -> tensor<32xf32>
  }
}

// -----

tile.program @bounds {
  tile.grid [3] {
  ^bb0(%i: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.muli %i, %i : index
    // expected-error @below {{a loop of a tile program needs bounds that are affine in grid and loop indices}}
    // expected-note @below {{the front door specialises bounds}}
    scf.for %k = %c0 to %n step %c1 {
    }
  }
}

// -----

tile.program @index {
  %x = tile.array 0 "x" in : memref<100xf32>
  tile.grid [3] {
  ^bb0(%i: index):
    %n = arith.muli %i, %i : index
    // expected-error @below {{the indices of an access must be affine}}
    // expected-note @below {{the front door evaluates what feeds an address}}
    %t = tile.load %x[%n] affine_map<(i, l) -> (i + l)> : memref<100xf32> -> tensor<32xf32>
  }
}

// -----

tile.program @undefined_sum {
  %x = tile.array 0 "x" in : memref<20xf32>
  %y = tile.array 1 "y" out : memref<1xf32>
  tile.grid [1] {
  ^bb0(%i: index):
    // expected-note @below {{bound 0 of this load leaves them undefined; give it a padding value}}
    %t = tile.load %x[] affine_map<(l) -> (l)> where affine_set<(l) : (19 - l >= 0)> : memref<20xf32> -> tensor<32xf32>
    %z = arith.constant dense<0.0> : tensor<f32>
    // expected-error @below {{undefined lanes reach a reduction}}
    %s = linalg.reduce { arith.addf } ins(%t : tensor<32xf32>) outs(%z : tensor<f32>) dimensions = [0]
    tile.store %s, %y[%i] affine_map<(i) -> (i)> : tensor<f32>, memref<1xf32>
  }
}

// -----

tile.program @undefined_store {
  %x = tile.array 0 "x" in : memref<20xf32>
  %y = tile.array 1 "y" out : memref<32xf32>
  tile.grid [1] {
  ^bb0(%i: index):
    // expected-note @below {{bound 0 of this load}}
    %t = tile.load %x[] affine_map<(l) -> (l)> where affine_set<(l) : (19 - l >= 0)> : memref<20xf32> -> tensor<32xf32>
    %u = math.exp %t : tensor<32xf32>
    // expected-error @below {{undefined lanes reach memory at grid point (0), lane (}}
    tile.store %u, %y[] affine_map<(l) -> (l)> : tensor<32xf32>, memref<32xf32>
  }
}

// -----

// Rows of the left operand that do not exist only reach rows that are not
// stored; its columns would reach every sum.
tile.program @undefined_product {
  %a = tile.array 0 "a" in : memref<20x20xbf16>
  %c = tile.array 1 "c" out : memref<20x32xf32>
  tile.grid [1] {
  ^bb0(%i: index):
    %b = arith.constant dense<1.0> : tensor<32x32xbf16>
    %z = arith.constant dense<0.0> : tensor<32x32xf32>
    %t = tile.load %a[] affine_map<(r, c) -> (r, c mod 20)> where affine_set<(r, c) : (19 - r >= 0)> : memref<20x20xbf16> -> tensor<32x32xbf16>
    %d = linalg.matmul ins(%t, %b : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
    tile.store %d, %c[] affine_map<(r, c) -> (r, c)> where affine_set<(r, c) : (19 - r >= 0)> : tensor<32x32xf32>, memref<20x32xf32>
    // expected-note @below {{bound 0 of this load}}
    %u = tile.load %a[] affine_map<(r, c) -> (r mod 20, c)> where affine_set<(r, c) : (19 - c >= 0)> : memref<20x20xbf16> -> tensor<32x32xbf16>
    // expected-error @below {{undefined lanes reach the sums of a product}}
    %e = linalg.matmul ins(%u, %b : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%z : tensor<32x32xf32>) -> tensor<32x32xf32>
  }
}

// -----

tile.program @two_writers {
  %y = tile.array 0 "y" out : memref<64xf32>
  tile.grid [2] {
  ^bb0(%i: index):
    %t = arith.constant dense<0.0> : tensor<32xf32>
    // expected-error @below {{grid points must be independent: array "y" is written at grid point (1)}}
    // expected-note @below {{the other access, at grid point (0)}}
    tile.store %t, %y[%i] affine_map<(i, l) -> (31 * i + l)> : tensor<32xf32>, memref<64xf32>
  }
}

// -----

// In place is fine, shifted in place is not.
tile.program @in_place {
  %x = tile.array 0 "x" inout : memref<65xf32>
  tile.grid [2] {
  ^bb0(%i: index):
    %t = tile.load %x[%i] affine_map<(i, l) -> (32 * i + l)> : memref<65xf32> -> tensor<32xf32>
    // expected-note @below {{the other access, at grid point (0)}}
    %u = tile.load %x[%i] affine_map<(i, l) -> (32 * i + l + 1)> : memref<65xf32> -> tensor<32xf32>
    %v = arith.addf %t, %u : tensor<32xf32>
    // expected-error @below {{where another point reads the same element}}
    tile.store %v, %x[%i] affine_map<(i, l) -> (32 * i + l)> : tensor<32xf32>, memref<65xf32>
  }
}

// -----

tile.program @unfilled {
  tile.grid [1] {
  ^bb0(%i: index):
    // expected-note @below {{use linalg.fill or a constant}}
    %e = tensor.empty() : tensor<32xf32>
    // expected-error @below {{reads a tensor that nothing has filled}}
    %t = arith.addf %e, %e : tensor<32xf32>
  }
}

// -----

// The same update without an order: the points may overtake each other.
tile.program @unordered {
  %y = tile.array 0 "y" inout : memref<4x32xf32>
  tile.grid [4, 8] ordered [1] {
  ^bb0(%i: index, %j: index):
    %old = tile.load %y[%i] affine_map<(i, l) -> (i floordiv 2, l)> : memref<4x32xf32> -> tensor<32xf32>
    %new = arith.addf %old, %old : tensor<32xf32>
    // expected-error @below {{grid points must be independent}}
    // expected-note @below {{the other access}}
    tile.store %new, %y[%i] affine_map<(i, l) -> (i floordiv 2, l)> : tensor<32xf32>, memref<4x32xf32>
  }
}

// -----

tile.program @address {
  %ids = tile.array 0 "ids" in : memref<100xi32>
  %w = tile.array 1 "w" in : memref<50x64xf32>
  %o = tile.array 2 "o" out : memref<128x64xf32>
  tile.grid [4] {
  ^bb0(%i: index):
    // expected-note @below {{bound 0 of this load leaves them undefined}}
    %id = tile.load %ids[%i] affine_map<(i, l) -> (32 * i + l)>
      where affine_set<(i, l) : (99 - 32 * i - l >= 0)> : memref<100xi32> -> tensor<32xi32>
    // expected-error @below {{undefined lanes reach an address at grid point}}
    %rows = tile.load %w[%i] lookup %id axis 0 affine_map<(i, v, r, c) -> (v, c)> : memref<50x64xf32> -> tensor<32x64xf32>
    tile.store %rows, %o[%i] affine_map<(i, r, c) -> (32 * i + r, c)> : tensor<32x64xf32>, memref<128x64xf32>
  }
}

// -----

tile.program @decided {
  %y = tile.array 0 "y" inout : memref<32xi32>
  tile.grid [1] {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i32
    %x = arith.constant dense<0> : tensor<32xi32>
    %less = arith.cmpi slt, %zero, %zero : i32
    // expected-error @below {{a condition compares indices}}
    scf.if %less {
      tile.store %x, %y[] affine_map<(l) -> (l)> : tensor<32xi32>, memref<32xi32>
    }
  }
}

// -----

tile.program @combiner {
  %y = tile.array 0 "y" out : memref<32xf32>
  tile.grid [1] {
  ^bb0(%i: index):
    %x = arith.constant dense<0.0> : tensor<32xf32>
    // expected-error @below {{combines its elements with `tile.index`}}
    %s = tile.scan %x axis 0 {
    ^bb0(%a: f32, %b: f32):
      // expected-note @below {{a combiner is arithmetic}}
      %t = tile.index [] affine_map<(l) -> (l)> : tensor<4xi32>
      tile.yield %a : f32
    } : tensor<32xf32>
    tile.store %s, %y[] affine_map<(l) -> (l)> : tensor<32xf32>, memref<32xf32>
  }
}
