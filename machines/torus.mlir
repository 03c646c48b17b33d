// The example machine of the TileLoom paper (figure 1, section 2.4): an 8x8
// torus with a DRAM bank for every four neighbouring cores along each edge.
//
// TL = TileLoom, its text and Table 1 (the listings' own numbers are not in the
// text). (M) derived, (L) an estimate. Cycles are of a 1 GHz clock.
df.machine @torus clock 1 { // GHz; Wormhole's, as TL Table 1's 64 TFLOPS implies (M)
  //===--- Scale-out layer ------------------------------------------------===//
  %x = df.spatial_dim "x" 8 // TL 2.4
  %y = df.spatial_dim "y" 8 // TL 2.4
  %edge = df.spatial_dim "edge" 4 // west, east, north, south
  %half = df.spatial_dim "half" 2 // 8 cores an edge, 4 a bank; TL 2.4

  // 512 multiply-adds a cycle: TL Table 1's 64 TFLOPS over 64 cores.
  %fpu = df.mat "mat"
    shape [8, 16, 16] // as Wormhole's (M)
    throughput 0.25 // TL Table 1 (M)
  %sfpu = df.vec "vec"
    shape [32] // as Wormhole's (M)
    throughput 1 // (M)
  %riscv = df.scalar "scalar"
    latency 1 // (L)
  %cores = df.core "core" scaleout(%x, %y) scalein(%fpu, %sfpu, %riscv)

  %h = df.interconnects "noc_h" components(%cores)
    map affine_map<(x, y) -> ((x + 1) mod 8, y)> // TL 2.4
    bandwidth 32 // as Wormhole's (M)
  %v = df.interconnects "noc_v" components(%cores)
    map affine_map<(x, y) -> (x, (y + 1) mod 8)> // TL 2.4
    bandwidth 32 // as Wormhole's (M)

  //===--- Memory and transport -------------------------------------------===//
  %l1 = df.memory local "l1" scaleout(%x, %y)
    size 1572864 // around 1.5 MB; TL 2.4
    bandwidth 383 // 24.5 TB/s over 64 cores; TL 1
    read_align 16 // as Wormhole's (M)
    write_align 16 // (M)
  df.mux dst(%cores) srcs(%l1) map affine_map<(x, y) -> (x, y)>
    bandwidth 383 // TL 1

  %dram = df.memory global "dram" scaleout(%edge, %half)
    size 1610612736 // 12 GB over 8 banks; TL Table 1
    bandwidth 36 // 288 GB/s over 8 banks; TL Table 1
    latency 99 // as Wormhole's (M)
    read_align 32 // (M)
    write_align 16 // (M)
  df.mux dst(%cores) srcs(%dram) map affine_map<(x, y) -> (0, y floordiv 4)>
    where affine_set<(x, y) : (x == 0)> bandwidth 36 // TL Table 1
  df.mux dst(%cores) srcs(%dram) map affine_map<(x, y) -> (1, y floordiv 4)>
    where affine_set<(x, y) : (x - 7 == 0)> bandwidth 36 // TL Table 1
  df.mux dst(%cores) srcs(%dram) map affine_map<(x, y) -> (2, x floordiv 4)>
    where affine_set<(x, y) : (y == 0)> bandwidth 36 // TL Table 1
  df.mux dst(%cores) srcs(%dram) map affine_map<(x, y) -> (3, x floordiv 4)>
    where affine_set<(x, y) : (y - 7 == 0)> bandwidth 36 // TL Table 1

  %noc = df.network "noc" unicast(%h, %v) multicast(%h, %v)
    flit 32 // as Wormhole's (M)
    packet 8192 // (M)
    hop 9 // (M)
    niu 5 // (M)
    inject 32 // the link's rate (M)
    absorb 32 // (M)
    multicast_rate 32 // (M)
    read_turnaround 75 // (M)
    write_turnaround 75 // (M)

  df.engine dm0 processor "dm0" network %noc
  df.engine dm1 processor "dm1" network %noc
  df.engine compute processor "compute"
}
