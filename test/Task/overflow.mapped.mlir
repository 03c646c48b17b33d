// Too much for L1: each buffer with its bytes, and what to change.
// RUN: drawloom-opt %s --verify-diagnostics --tile-to-task --task-allocate

// expected-error @+1 {{needs 2621440 bytes of L1 for its buffers; a core has}}
tile.program @too_deep on "wormhole" precision #tile.precision<hifi4, f32> {
  %x = tile.array 0 "x" in : memref<512x512xbf16> layout #tile.tiled
  %y = tile.array 1 "y" out : memref<512x512xbf16> layout #tile.tiled
  tile.grid [1] map [#tile.wave<0 x 1>] {
  ^bb0(%i: index):
    // expected-note @+2 {{x: 256 tiles of 'bf16' x depth 4 = 2097152 bytes}}
    // expected-note @+1 {{reduce the depth of x, the largest}}
    %a = tile.load %x[] affine_map<(r, c) -> (r, c)> : memref<512x512xbf16> -> tensor<512x512xbf16>
           travel #tile.direct<net 0> hoist 0 depth 4
    // expected-note @+1 {{y: 256 tiles of 'bf16' x depth 1 = 524288 bytes}}
    tile.store %a, %y[] affine_map<(r, c) -> (r, c)> : tensor<512x512xbf16>, memref<512x512xbf16>
  }
}
