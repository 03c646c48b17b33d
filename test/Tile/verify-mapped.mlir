// What a mapped program must state.
// RUN: drawloom-opt --tile-verify-mapped --split-input-file --verify-diagnostics %s

// expected-error @below {{a mapped program states its machine (`on`)}}
// expected-note @below {{the planner writes it}}
tile.program @logical {
}

// -----

// expected-error @below {{a mapped program states its precision policy}}
// expected-note @below {{the planner writes it}}
tile.program @imprecise on "wormhole" {
}

// -----

tile.program @nowhere on "wormhole" precision <hifi4, f32> {
  // expected-error @below {{a mapped program states each array's layout}}
  // expected-note @below {{the planner writes it}}
  %x = tile.array 0 "x" in : memref<64xf32>
}

// -----

tile.program @unmapped on "wormhole" precision <hifi4, f32> {
  // expected-error @below {{a mapped program states each grid's mapping}}
  // expected-note @below {{the planner writes it}}
  tile.grid [2] {
  ^bb0(%i: index):
  }
}

// -----

tile.program @deep on "wormhole" precision <hifi4, f32> {
  %x = tile.array 0 "x" in : memref<64xf32> layout #tile.tiled
  // expected-note @below {{a nest is the wave digits of the mapping, then the loops around the load}}
  tile.grid [2] map [#tile.space<0 on "y" x 1>, #tile.wave<0 x 2>] {
  ^bb0(%i: index):
    // expected-error @below {{is hoisted across 2 loops, but its nest has 1}}
    %t = tile.load %x[%i] affine_map<(i, l) -> (32 * i + l)> : memref<64xf32> -> tensor<32xf32> travel #tile.direct<net 0> hoist 2 depth 1
  }
}

// -----

tile.program @different on "wormhole" precision <hifi4, f32> {
  %x = tile.array 0 "x" in : memref<64xf32> layout #tile.tiled
  // expected-note @below {{the mapping spreads that dimension by #tile.space<0 on "y" x 2>}}
  tile.grid [2, 2] map [#tile.space<0 on "y" x 2>, #tile.space<1 on "x" x 2>] {
  ^bb0(%i: index, %j: index):
    // Along "x" the tile is the same, along "y" it is not.
    %t = tile.load %x[%i] affine_map<(i, l) -> (32 * i + l)> : memref<64xf32> -> tensor<32xf32> travel #tile.multicast<along ["x"] senders one net 0> hoist 0 depth 1
    // expected-error @below {{a tile is multicast along "y", but the cores along it need different tiles: its subscripts depend on grid dimension 0}}
    %u = tile.load %x[%i] affine_map<(i, l) -> (32 * i + l)> : memref<64xf32> -> tensor<32xf32> travel #tile.multicast<along ["y"] senders one net 0> hoist 0 depth 1
  }
}

// -----

// The trip count of the loop around the load differs along "y".
tile.program @uneven on "wormhole" precision <hifi4, f32> {
  %x = tile.array 0 "x" in : memref<64xf32> layout #tile.tiled
  // expected-note @below {{the mapping spreads that dimension}}
  tile.grid [2] map [#tile.space<0 on "y" x 2>] {
  ^bb0(%i: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = affine.apply affine_map<(i) -> (i + 1)>(%i)
    scf.for %k = %c0 to %n step %c1 {
      // expected-error @below {{its bounds or the loops around it depend on grid dimension 0}}
      %t = tile.load %x[%k] affine_map<(k, l) -> (32 * k + l)> : memref<64xf32> -> tensor<32xf32> travel #tile.multicast<along ["y"] senders one net 0> hoist 0 depth 1
    }
  }
}
