// What has no lowering is refused at its operation, with what to do instead.
// RUN: drawloom-opt %s --split-input-file --verify-diagnostics --tile-to-task

tile.program @blocks_of_16 on "wormhole" precision #tile.precision<hifi4, f32> {
  %x = tile.array 0 "x" in : memref<64x64xbf16> layout #tile.tiled
  %y = tile.array 1 "y" out : memref<64x64xbf16> layout #tile.tiled
  tile.grid [4] map [#tile.space<0 on "x" x 4>] {
  ^bb0(%i: index):
    // expected-error @+1 {{starts inside a tile (at d0 * 16): start at multiples of 32}}
    %a = tile.load %x[%i] affine_map<(i, r, c) -> (16 * i + r, c)> : memref<64x64xbf16> -> tensor<16x64xbf16>
           travel #tile.direct<net 0> hoist 0 depth 1
    tile.store %a, %y[%i] affine_map<(i, r, c) -> (16 * i + r, c)> : tensor<16x64xbf16>, memref<64x64xbf16>
  }
}

// -----

tile.program @needs_different_tiles on "wormhole" precision #tile.precision<hifi4, f32> {
  %x = tile.array 0 "x" in : memref<128x32xbf16> layout #tile.tiled
  %y = tile.array 1 "y" out : memref<128x32xbf16> layout #tile.tiled
  tile.grid [4] map [#tile.space<0 on "x" x 4>] {
  ^bb0(%i: index):
    // expected-error @+1 {{is multicast along "x", but the cores along it need different tiles: load it directly}}
    %a = tile.load %x[%i] affine_map<(i, r, c) -> (32 * i + r, c)> : memref<128x32xbf16> -> tensor<32x32xbf16>
           travel #tile.multicast<along ["x"] senders one net 0> hoist 0 depth 1
    tile.store %a, %y[%i] affine_map<(i, r, c) -> (32 * i + r, c)> : tensor<32x32xbf16>, memref<128x32xbf16>
  }
}

// -----

tile.program @arc_tangent on "wormhole" precision #tile.precision<hifi4, f32> {
  %x = tile.array 0 "x" in : memref<32x32xf32> layout #tile.tiled
  %y = tile.array 1 "y" out : memref<32x32xf32> layout #tile.tiled
  tile.grid [1] map [#tile.wave<0 x 1>] {
  ^bb0(%i: index):
    %a = tile.load %x[] affine_map<(r, c) -> (r, c)> : memref<32x32xf32> -> tensor<32x32xf32>
           travel #tile.direct<net 0> hoist 0 depth 1
    // expected-error @+1 {{is nothing the vector unit computes on tiles of 'f32'}}
    %b = math.atan %a : tensor<32x32xf32>
    tile.store %b, %y[] affine_map<(r, c) -> (r, c)> : tensor<32x32xf32>, memref<32x32xf32>
  }
}

// -----

tile.program @part_of_a_tile on "wormhole" precision #tile.precision<hifi4, f32> {
  %x = tile.array 0 "x" in : memref<32x32xf32> layout #tile.tiled
  %y = tile.array 1 "y" out : memref<32x32xf32> layout #tile.tiled
  tile.grid [1] map [#tile.wave<0 x 1>] {
  ^bb0(%i: index):
    %a = tile.load %x[] affine_map<(r, c) -> (r, c)> : memref<32x32xf32> -> tensor<32x32xf32>
           travel #tile.direct<net 0> hoist 0 depth 1
    // expected-error @+1 {{writes part of a tile inside its array: bound the store by the array's end or by a multiple of 32}}
    tile.store %a, %y[] affine_map<(r, c) -> (r, c)> where affine_set<(r, c) : (19 - r >= 0)>
      : tensor<32x32xf32>, memref<32x32xf32>
  }
}

// -----

tile.program @overlapping on "wormhole" precision #tile.precision<hifi4, f32> {
  %x = tile.array 0 "x" in : memref<160x32xf32> layout #tile.tiled
  %y = tile.array 1 "y" out : memref<256x32xf32> layout #tile.tiled
  tile.grid [4] map [#tile.wave<0 x 4>] {
  ^bb0(%i: index):
    // expected-error @+1 {{is delivered across iterations that overlap or leave gaps (a step of 32 elements, 64 of them already there): hoist it less}}
    %a = tile.load %x[%i] affine_map<(i, r, c) -> (32 * i + r, c)> : memref<160x32xf32> -> tensor<64x32xf32>
           travel #tile.direct<net 0> hoist 1 depth 1
    tile.store %a, %y[%i] affine_map<(i, r, c) -> (64 * i + r, c)> : tensor<64x32xf32>, memref<256x32xf32>
  }
}

// -----

tile.program @unmapped {
  %x = tile.array 0 "x" in : memref<32x32xf32>
}
// expected-error @-3 {{names no machine: plan it first}}
