// A one-dimensional machine of three rings, after the TileLoom paper's figure 4
// (similar to IBM's Spyre). The paper gives the topology in words only, so all
// sizes and rates here are estimates (L): the machine keeps plans honest about
// shapes that are no mesh, it does not stand for a product.
df.machine @triple_ring clock 1 { // GHz (L)
  %i = df.spatial_dim "i" 32 // (L)
  %bank = df.spatial_dim "bank" 8 // a bank for four cores (L)

  %mat = df.mat "mat"
    shape [8, 16, 16] // (L)
    throughput 1 // (L)
  %vec = df.vec "vec"
    shape [64] // (L)
    throughput 1 // (L)
  %scalar = df.scalar "scalar"
    latency 1 // (L)
  %cores = df.core "core" scaleout(%i) scalein(%mat, %vec, %scalar)

  // Two rings one way and one the other.
  %first = df.interconnects "ring0.links" components(%cores)
    map affine_map<(i) -> ((i + 1) mod 32)>
    bandwidth 128 // (L)
  %second = df.interconnects "ring1.links" components(%cores)
    map affine_map<(i) -> ((i + 31) mod 32)>
    bandwidth 128 // (L)
  %third = df.interconnects "ring2.links" components(%cores)
    map affine_map<(i) -> ((i + 1) mod 32)>
    bandwidth 32 // (L)

  %l1 = df.memory local "l1" scaleout(%i)
    size 2097152 // (L)
    bandwidth 256 // (L)
    read_align 16 // (L)
    write_align 16 // (L)
  df.mux dst(%cores) srcs(%l1) map affine_map<(i) -> (i)>
    bandwidth 256 // (L)
  %dram = df.memory global "dram" scaleout(%bank)
    size 17179869184 // (L)
    bandwidth 25.6 // (L)
    latency 100 // (L)
    read_align 64 // (L)
    write_align 64 // (L)
  df.mux dst(%cores) srcs(%dram) map affine_map<(i) -> (i floordiv 4)>
    bandwidth 25.6 // (L)

  %ring0 = df.network "ring0" unicast(%first) multicast(%first)
    flit 128 // (L)
    packet 8192 // (L)
    hop 4 // (L)
    niu 4 // (L)
    inject 128 // (L)
    absorb 128 // (L)
    multicast_rate 128 // (L)
    read_turnaround 50 // (L)
    write_turnaround 50 // (L)
  %ring1 = df.network "ring1" unicast(%second) multicast(%second)
    flit 128 // (L)
    packet 8192 // (L)
    hop 4 // (L)
    niu 4 // (L)
    inject 128 // (L)
    absorb 128 // (L)
    multicast_rate 128 // (L)
    read_turnaround 50 // (L)
    write_turnaround 50 // (L)
  %ring2 = df.network "ring2" unicast(%third) multicast(%third)
    flit 32 // (L)
    packet 8192 // (L)
    hop 4 // (L)
    niu 4 // (L)
    inject 32 // (L)
    absorb 32 // (L)
    multicast_rate 32 // (L)
    read_turnaround 50 // (L)
    write_turnaround 50 // (L)

  df.engine dm0 processor "dm0" network %ring0
  df.engine dm1 processor "dm1" network %ring1
  df.engine compute processor "compute"
}
