// A machine of the scale-out layer alone is whole: each layer above is optional.
// RUN: drawloom-opt %s | FileCheck %s
// RUN: drawloom-opt %s | drawloom-opt | FileCheck %s
// RUN: drawloom-opt --mlir-print-op-generic %s | drawloom-opt | FileCheck %s

// CHECK-LABEL: df.machine @scale_out {
// CHECK-NEXT: %x = df.spatial_dim "x" 8
// CHECK-NEXT: %y = df.spatial_dim "y" 4
// CHECK-NEXT: %core = df.core "core" scaleout(%x, %y)
// CHECK-NEXT: %h = df.interconnects "h" components(%core) map #{{.*}} bandwidth 32
// CHECK-NEXT: %v = df.interconnects "v" components(%core) map #{{.*}} bandwidth 22.5
df.machine @scale_out {
  %x = df.spatial_dim "x" 8
  %y = df.spatial_dim "y" 4
  %cores = df.core "core" scaleout(%x, %y)
  %h = df.interconnects "h" components(%cores)
    map affine_map<(x, y) -> ((x + 1) mod 8, y)> bandwidth 32
  %v = df.interconnects "v" components(%cores)
    map affine_map<(x, y) -> (x, (y + 1) mod 4)> bandwidth 22.5
}

// CHECK-LABEL: df.machine @memories clock 1.35 {
// CHECK: df.memory local "l1" scaleout(%x) size 4096 bandwidth 64 reserved 512 latency 0 read_align 16
// CHECK-NEXT: df.mux dst(%core) srcs(%l1) map #{{.*}} bandwidth 64
// CHECK-NEXT: df.memory global "dram" scaleout(%x) size 8192 bandwidth 8
// CHECK-NEXT: df.mux dst(%l1) srcs(%dram) map #{{.*}} where #{{.*}} bandwidth 8
df.machine @memories clock 1.35 {
  %x = df.spatial_dim "x" 4
  %cores = df.core "core" scaleout(%x)
  %links = df.interconnects "links" components(%cores)
    map affine_map<(x) -> ((x + 1) mod 4)> bandwidth 32
  %l1 = df.memory local "l1" scaleout(%x) size 4096
    read_align 16 latency 0 bandwidth 64 reserved 512
  df.mux dst(%cores) srcs(%l1) map affine_map<(x) -> (x)> bandwidth 64
  %dram = df.memory global "dram" scaleout(%x) size 8192 bandwidth 8
  df.mux dst(%l1) srcs(%dram) map affine_map<(x) -> (x)>
    where affine_set<(x) : (x >= 0)> bandwidth 8
}

// CHECK-LABEL: df.machine @units
// CHECK: %mat = df.mat "mat" shape [8, 16, 16] throughput 0.25 mantissa 10 multiplier [7, 5] groups [2, 8] addend [24, 11] accumulate nearest_away pack nearest_even misnormalises_minus_one true
// CHECK-NEXT: %vec = df.vec "vec" shape [32] throughput 1 store truncate function_bits 8 keeps_zero_sign false nan 0x7F800001
// CHECK-NEXT: %scalar = df.scalar "scalar" latency 1
// CHECK-NEXT: df.core "core" scaleout(%x) scalein(%mat, %vec, %scalar)
// CHECK-NEXT: df.engine dm0 processor "RISCV_1"
// CHECK-NEXT: df.limit circular_buffers 32
// CHECK-NEXT: df.cost read 26.1
// CHECK-NEXT: df.tile_op matmul math 0.5 per_phase 16.96 operands 1 unpack 48.1
// CHECK-NEXT: df.pack bandwidth 64 accumulate 8
// CHECK-NEXT: df.host convert 2.5
// CHECK-NEXT: df.sfpu "exp_approx" bf16 189
df.machine @units {
  %x = df.spatial_dim "x" 1
  %mat = df.mat "mat" shape [8, 16, 16] throughput 0.25 mantissa 10
    multiplier [7, 5] groups [2, 8] addend [24, 11]
    accumulate nearest_away pack nearest_even misnormalises_minus_one true
  %vec = df.vec "vec" shape [32] throughput 1
    store truncate function_bits 8 keeps_zero_sign false nan 0x7F800001
  %scalar = df.scalar "scalar" latency 1
  %cores = df.core "core" scaleout(%x) scalein(%mat, %vec, %scalar)
  df.engine dm0 processor "RISCV_1"
  df.limit circular_buffers 32
  df.cost read 26.1
  df.tile_op matmul math 0.5 per_phase 16.96 operands 1 unpack 48.1
  df.pack bandwidth 64 accumulate 8
  df.host convert 2.5
  df.sfpu "exp_approx" bf16 189
}
