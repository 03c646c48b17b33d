// Tenstorrent Wormhole B0, 8x8 workers (n300, or n150 less its dispatch row).
//
// Each number is followed by its source; cycles are of the 1 GHz AI clock.
// Sources: ISA = tt-isa-documentation/WormholeB0; noc.yaml = tt-metal
// noc_estimator/latencies/noc_latencies.yaml; tm = tt-metal; UMD = its device
// layer; soc descriptor = the chip description in the ttnn wheel; DRAMdoc =
// tt-metal tech_reports/Saturating_DRAM_bandwidth; GEMM = tt-metal
// tech_reports/GEMM_FLOPS; wolf = the wolfpine simulator's measured tables.
// (M) derived from such figures, (L) an estimate.
//
// Rows of the published tables that set a number here, and so cannot test it:
// GEMM 3072x4096x4096 bf16 HiFi2 and 16384^3 bfp8 LoFi (matmul's unpack line);
// the noc.yaml rows named below. `buffer` was chosen after trying values against
// the noc.yaml rows of all cores reading all banks, 512 and 2048 B on both NoCs.
// The rows of 64 to 256 B, and of 1024 B on NoC1, only test.
df.machine @wormhole clock 1 { // GHz; ISA, UMD
  //===--- Scale-out layer ------------------------------------------------===//
  %x = df.spatial_dim "x" 8 // core-descriptor yaml (tm)
  %y = df.spatial_dim "y" 8 // core-descriptor yaml (tm)
  %column = df.spatial_dim "column" 10 // soc descriptor
  %row = df.spatial_dim "row" 12 // soc descriptor
  %bank = df.spatial_dim "bank" 12 // 6 controllers, 2 views each; soc descriptor

  %routers = df.router "routers" scaleout(%column, %row)
  // Two unidirectional tori; NoC0 runs right and down, NoC1 up and left (ISA).
  %east = df.interconnects "noc0.x" components(%routers)
    map affine_map<(c, r) -> ((c + 1) mod 10, r)>
    bandwidth 32 // one flit a cycle; ISA
  %south = df.interconnects "noc0.y" components(%routers)
    map affine_map<(c, r) -> (c, (r + 1) mod 12)>
    bandwidth 32 // ISA
  %north = df.interconnects "noc1.y" components(%routers)
    map affine_map<(c, r) -> (c, (r + 11) mod 12)>
    bandwidth 32 // ISA
  %west = df.interconnects "noc1.x" components(%routers)
    map affine_map<(c, r) -> ((c + 9) mod 10, r)>
    bandwidth 32 // ISA

  //===--- Inside a core: units -------------------------------------------===//
  %fpu = df.mat "fpu"
    shape [8, 16, 16] // MVMUL; ISA
    throughput 1 // ISA
    mantissa 10 // Src is TF32; ISA, ttsim
    multiplier [7, 5] // SrcB x SrcA; ttsim
    groups [2, 8] // ttsim
    addend [24, 11] // ttsim
    accumulate nearest_away // ttsim
    pack nearest_away // ttsim
    misnormalises_minus_one true // ttsim
  %sfpu = df.vec "sfpu"
    shape [32] // ISA
    throughput 1 // ISA
    store truncate // SFPSTORE to a 16-bit Dst; ttsim
    function_bits 8 // functions are written for bf16 results (L)
    keeps_zero_sign false // ttsim fma
    nan 0x7F800001 // ttsim fma
  %riscv = df.scalar "riscv"
    latency 1 // in-order, about one instruction a cycle; ISA

  %cores = df.core "tensix" scaleout(%x, %y) scalein(%fpu, %sfpu, %riscv)

  //===--- Memory and transport -------------------------------------------===//
  %l1 = df.memory local "l1" scaleout(%x, %y)
    size 1499136 // soc descriptor
    bandwidth 256 // 16 banks of 16 B; ISA
    reserved 105824 // MEM_MAP_END 35168 + kernel-config ring 70656; dev_mem_map.h (M)
    read_align 16 // tm noc_parameters.h
    write_align 16 // tm noc_parameters.h
  df.mux dst(%cores) srcs(%l1) map affine_map<(x, y) -> (x, y)>
    bandwidth 256 // ISA

  %dram = df.memory global "dram" scaleout(%bank)
    size 1073741824 // soc descriptor
    bandwidth 22.2 // one channel read 22.2-22.3 GB/s; DRAMdoc
    write_bandwidth 21.9 // one channel write 21.8-22.0 GB/s; DRAMdoc
    latency 99 // on top of the flight; wolf, from tm's end-to-end rows (M)
    write_latency 22 // taken over from Blackhole's (L)
    contention 2.4 // simulated products of 512^3 on 4x4 cores and 1024^3 on 8x8 (L)
    read_align 32 // tm noc_parameters.h
    write_align 16 // tm noc_parameters.h

  %noc0 = df.network "noc0"
    unicast(%east, %south) // ISA
    multicast(%east, %south) // along x, then down each column; ISA
    flit 32 // ISA
    packet 8192 // 256 data flits; ISA
    buffer 128 // 2 KiB a port over 16 channels, ISA; chosen by rows, see above (M)
    hop 9 // ISA
    niu 5 // ISA
    inject 28.6 // 1 to 1 at large sizes; noc.yaml
    absorb 30.4 // one core reading interleaved; noc.yaml
    multicast_rate 29.8 // linked, a row of 8; noc.yaml
    read_turnaround 75 // 64 B read, 293 diagonal less 22 hops and 4 NIUs; noc.yaml (M)
    write_turnaround 75 // 64 B write, 293 diagonal, the same way; noc.yaml (M)
  %noc1 = df.network "noc1"
    unicast(%north, %west) // ISA
    multicast(%west, %north) // ISA
    flit 32 // ISA
    packet 8192 // ISA
    buffer 128 // as noc0 (M)
    hop 9 // ISA
    niu 5 // ISA
    inject 28.6 // noc.yaml
    absorb 30.4 // noc.yaml
    multicast_rate 29.8 // noc.yaml
    read_turnaround 75 // noc.yaml (M)
    write_turnaround 75 // noc.yaml (M)

  // Logical to NoC0 coordinates, the last two worker rows harvested. Which
  // rows a chip has lost differs from part to part (M).
  df.place %cores on %routers
    axes [[1, 2, 3, 4, 6, 7, 8, 9], // soc descriptor
          [1, 2, 3, 4, 5, 7, 8, 9]] // soc descriptor
  // Worker end point of each bank, two banks a controller, on both networks.
  df.place %dram on %routers
    at [[0, 11], [0, 1], [0, 5], [0, 7], [5, 1], [5, 11], // soc descriptor
        [5, 2], [5, 9], [5, 8], [5, 3], [5, 5], [5, 7]] // soc descriptor

  //===--- Inside a core: engines, limits, costs --------------------------===//
  // DRAM reads belong on NoC0 and writes on NoC1 (tm kernel_types.cpp).
  df.engine dm0 processor "RISCV_1" network %noc0 // NCRISC; tm kernel_types.cpp
  df.engine dm1 processor "RISCV_0" network %noc1 // BRISC; tm kernel_types.cpp
  df.engine compute processor "TRISC" // unpack, math and pack threads; ISA

  df.limit circular_buffers 32 // tm
  df.limit semaphores 16 // tm
  df.limit dst_tiles_16 8 // half-sync; ISA
  df.limit dst_tiles_32 4 // half-sync; ISA
  df.limit runtime_arguments 341 // tm kernel_types.hpp, from memory (L)
  df.limit transaction_ids 15 // ISA
  df.limit outstanding_per_id 255 // ISA

  df.cost read 26.1 // slope at small sizes; noc.yaml
  df.cost read_stateful 18.5 // noc.yaml
  df.cost read_interleaved 36 // noc.yaml
  df.cost write 23 // noc.yaml
  df.cost write_stateful 21 // noc.yaml
  df.cost write_interleaved 33 // write plus the read's address cost, 36 - 26 (L)
  df.cost semaphore_inc 23 // as a write (L)
  df.cost semaphore_set 5 // one L1 store; ISA
  df.cost semaphore_poll 8 // one L1 load; ISA
  df.cost semaphore_apply 5 // a 4-byte atomic holds its bank; ISA
  df.cost barrier 7 // one load of a NIU counter; ISA
  df.cost multicast_unlinked 246 // each of 256 to 25 cores, besides its bytes; noc.yaml
  df.cost multicast_linked 24 // a row of 8; noc.yaml
  df.cost multicast_receiver 0 // no row separates it (L)

  df.cost mover_reserve 20 // low end of 20-40 a pair of calls (L)
  df.cost mover_push 15 // (L)
  df.cost mover_wait 20 // (L)
  df.cost mover_pop 15 // (L)
  df.cost compute_reserve 20 // (L)
  df.cost compute_push 30 // with the drain of the pack thread, 20-50 (L)
  df.cost compute_wait 30 // with the sync of the unpack thread, 20-50 (L)
  df.cost compute_pop 20 // (L)

  df.cost mover_load 8 // L1 load; ISA
  df.cost mover_store 5 // L1 store; ISA
  df.cost mover_alu 1 // ISA
  df.cost mover_branch 3 // mispredicted; ISA

  df.cost init_matmul 75 // short init, 50-100 (L)
  df.cost init_eltwise 75 // (L)
  df.cost init_copy 75 // (L)
  df.cost init_reduce 480 // REDUCE_INIT 209 math, 461 unpack, 482 pack; wolf
  df.cost init_transpose 75 // (L)
  df.cost init_sfpu 75 // (L)
  df.cost reconfig_unpack 75 // 50-100 (L)
  df.cost reconfig_pack 75 // 50-100 (L)
  df.cost dst_acquire 20 // semaphore between math and pack (L)
  df.cost dst_release 20 // (L)

  df.cost launch 2600 // 2.6 us in a trace; tm pgm_dispatch goldens, GEMM (M)
  df.cost launch_argument 50 // 3.82, 5.02, 10.15 us at 1, 32, 128 per core; tm pgm_dispatch (M)

  // Math thread: 16 MVMUL a phase. The 6 % and the half cycle are the best
  // GEMM rows'. A bf16 tile streams in 42.6 cycles, a bfp8 tile in 22.7: a
  // line of 48.1 B/cycle, below the unpacker's 64.
  df.tile_op matmul
    math 0.5 // GEMM (M)
    per_phase 16.96 // ISA's 16, 6 % of stalls; GEMM (M)
    operands 1 // the other stays in Src; tm matmul block
    unpack 48.1 // GEMM bf16 HiFi2 and bfp8 LoFi (M)
    unpack_fixed 0.1 // GEMM (M)
  df.tile_op matmul_single
    math 17.9 // a call for each product; measured on Blackhole, wolf (L)
    per_phase 17.05 // measured on Blackhole, wolf (L)
    operands 2 // both are unpacked again; tm matmul_tiles
    unpack 64 // two unpackers at 32 B; ISA
  df.tile_op add
    math 8 // 8 instructions; ISA
    operands 2 // ISA
    unpack 64 // two unpackers at 32 B; ISA
    unpack_fixed 2 // address phase; ISA
  df.tile_op sub
    math 8 // ISA
    operands 2 // ISA
    unpack 64 // ISA
    unpack_fixed 2 // ISA
  df.tile_op mul
    math 0 // ISA
    per_phase 8 // ISA
    operands 2 // ISA
    unpack 64 // ISA
    unpack_fixed 2 // ISA
  df.tile_op broadcast
    math 8 // as add, SrcB holds one face; ISA
    operands 2 // ISA
    unpack 64 // ISA
    unpack_fixed 2 // ISA
  df.tile_op copy
    math 8 // MOVA2D, 8 rows a cycle; ISA
    operands 1 // ISA
    unpack 64 // ISA
    unpack_fixed 2 // ISA
  df.tile_op copy_to_dst
    math 0 // the unpacker writes Dst; ISA
    operands 1 // ISA
    unpack 32 // fp32 halves the rate (L)
    unpack_fixed 2 // ISA
  df.tile_op transpose
    math 32 // face swap through MOVD2B, MOVB2D (L)
    operands 1 // ISA
    unpack 64 // in the unpacker; ISA
    unpack_fixed 2 // ISA
  df.tile_op reduce_row
    math 58.1 // measured on Blackhole; tt-llk (M)
    operands 1 // ISA
    unpack 64 // ISA
    unpack_fixed 10 // the scaler's faces (L)
  df.tile_op reduce_column
    math 8 // 4 pools of one face; ISA (M)
    operands 1 // ISA
    unpack 64 // ISA
    unpack_fixed 10 // (L)
  df.tile_op reduce_scalar
    math 66 // a column and a row reduction (L)
    operands 1 // ISA
    unpack 64 // ISA
    unpack_fixed 10 // (L)
  df.tile_op tilize
    math 8 // ISA
    operands 1 // ISA
    unpack 64 // ISA
    unpack_fixed 20 // 52 for a bf16 tile in all; tt-llk (M)
  df.tile_op untilize
    math 8 // ISA
    operands 1 // ISA
    unpack 64 // ISA
    unpack_fixed 6 // 38 for a bf16 tile in all; tt-llk (M)

  df.pack
    bandwidth 64 // four packers of 16 B; ISA
    fixed 0 // none is stated (L)
    accumulate 8 // 2 cycles each 16 B, not atomic; tt-llk (M)

  // Vector unit, cycles a tile, by width of Dst.
  df.sfpu "exp" bf16 1161 // 2025-11; tt-llk
  df.sfpu "exp" fp32 2533 // tt-llk
  df.sfpu "exp_approx" bf16 189 // fast and approximate; tt-llk
  df.sfpu "exp_approx" fp32 311 // tt-llk
  df.sfpu "exp2" bf16 896 // the fp32 figure (M)
  df.sfpu "exp2" fp32 896 // tt-llk
  df.sfpu "exp2_approx" bf16 189 // the same steps with another constant (M)
  df.sfpu "exp2_approx" fp32 311 // (M)
  df.sfpu "log" bf16 1000 // (L)
  df.sfpu "log" fp32 1500 // (L)
  df.sfpu "tanh" bf16 530 // tt-llk
  df.sfpu "tanh" fp32 1601 // tt-llk
  df.sfpu "sigmoid" bf16 2220 // an exp and a reciprocal (L)
  df.sfpu "sigmoid" fp32 3592 // an exp and a reciprocal (L)
  df.sfpu "silu" bf16 2412 // a sigmoid and a product (L)
  df.sfpu "silu" fp32 3784 // (L)
  df.sfpu "gelu" bf16 2849 // measured on Blackhole (M)
  df.sfpu "gelu" fp32 2849 // measured on Blackhole (M)
  df.sfpu "recip" bf16 1059 // recip_compat; tt-llk
  df.sfpu "recip" fp32 1059 // tt-llk
  df.sfpu "rsqrt" bf16 600 // middle of 400-800 (L)
  df.sfpu "rsqrt" fp32 800 // (L)
  df.sfpu "sqrt" bf16 600 // (L)
  df.sfpu "sqrt" fp32 800 // (L)
  df.sfpu "relu" bf16 298 // relu_max; tt-llk
  df.sfpu "relu" fp32 298 // tt-llk
  df.sfpu "abs" bf16 128 // load and store; tt-llk (M)
  df.sfpu "abs" fp32 128 // (M)
  df.sfpu "neg" bf16 128 // (M)
  df.sfpu "neg" fp32 128 // (M)
  df.sfpu "square" bf16 160 // 5 slots a row (M)
  df.sfpu "square" fp32 160 // (M)
  df.sfpu "fill" bf16 64 // 2 slots a row (M)
  df.sfpu "fill" fp32 64 // (M)
  df.sfpu "add" bf16 192 // 5-6 slots a row; tt-llk (M)
  df.sfpu "add" fp32 192 // (M)
  df.sfpu "sub" bf16 192 // (M)
  df.sfpu "sub" fp32 192 // (M)
  df.sfpu "mul" bf16 192 // (M)
  df.sfpu "mul" fp32 192 // (M)
  df.sfpu "div" bf16 1251 // a reciprocal and a product (L)
  df.sfpu "div" fp32 1251 // (L)
  df.sfpu "max" bf16 96 // 3 a row; tt-llk
  df.sfpu "max" fp32 96 // tt-llk
  df.sfpu "min" bf16 96 // tt-llk
  df.sfpu "min" fp32 96 // tt-llk
  df.sfpu "where" bf16 128 // 3-4 a row; tt-llk
  df.sfpu "where" fp32 128 // tt-llk
  df.sfpu "compare" bf16 128 // as where (L)
  df.sfpu "compare" fp32 128 // (L)
  df.sfpu "log2" bf16 1000 // as log, which it scales (L)
  df.sfpu "log2" fp32 1500 // as log, which it scales (L)
  df.sfpu "gelu_tanh" bf16 2014 // measured on Blackhole (M)
  df.sfpu "gelu_tanh" fp32 2014 // measured on Blackhole (M)
  df.sfpu "erf" bf16 2849 // as gelu, which it is a part of (L)
  df.sfpu "erf" fp32 2849 // as gelu, which it is a part of (L)
  df.sfpu "sin" bf16 800 // reduction and polynomial, 25 slots a row (L)
  df.sfpu "sin" fp32 800 // reduction and polynomial, 25 slots a row (L)
  df.sfpu "cos" bf16 800 // reduction and polynomial, 25 slots a row (L)
  df.sfpu "cos" fp32 800 // reduction and polynomial, 25 slots a row (L)
  df.sfpu "floor" bf16 256 // 8 slots a row (L)
  df.sfpu "floor" fp32 256 // 8 slots a row (L)
  df.sfpu "ceil" bf16 256 // 8 slots a row (L)
  df.sfpu "ceil" fp32 256 // 8 slots a row (L)
  df.sfpu "sitofp" bf16 128 // load, cast, store (L)
  df.sfpu "sitofp" fp32 128 // load, cast, store (L)
  df.sfpu "fptosi" bf16 384 // mantissa shifted by the exponent, 12 slots a row (L)
  df.sfpu "fptosi" fp32 384 // mantissa shifted by the exponent, 12 slots a row (L)
  df.sfpu "addi" bf16 160 // two loads, one operation, store (L)
  df.sfpu "addi" fp32 160 // two loads, one operation, store (L)
  df.sfpu "subi" bf16 160 // two loads, one operation, store (L)
  df.sfpu "subi" fp32 160 // two loads, one operation, store (L)
  df.sfpu "andi" bf16 160 // two loads, one operation, store (L)
  df.sfpu "andi" fp32 160 // two loads, one operation, store (L)
  df.sfpu "ori" bf16 160 // two loads, one operation, store (L)
  df.sfpu "ori" fp32 160 // two loads, one operation, store (L)
  df.sfpu "xori" bf16 160 // two loads, one operation, store (L)
  df.sfpu "xori" fp32 160 // two loads, one operation, store (L)
  df.sfpu "shli" bf16 160 // two loads, one operation, store (L)
  df.sfpu "shli" fp32 160 // two loads, one operation, store (L)
  df.sfpu "shrui" bf16 160 // two loads, one operation, store (L)
  df.sfpu "shrui" fp32 160 // two loads, one operation, store (L)
  df.sfpu "shrsi" bf16 160 // two loads, one operation, store (L)
  df.sfpu "shrsi" fp32 160 // two loads, one operation, store (L)
  df.sfpu "muli" bf16 384 // 12 a row; tt-llk
  df.sfpu "muli" fp32 384 // 12 a row; tt-llk
  df.sfpu "maxsi" bf16 96 // as max (M)
  df.sfpu "maxsi" fp32 96 // as max (M)
  df.sfpu "minsi" bf16 96 // as min (M)
  df.sfpu "minsi" fp32 96 // as min (M)
  df.sfpu "row_add" bf16 248 // 62 for each 8 rows, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "row_max" bf16 248 // 62 for each 8 rows, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "row_add" fp32 248 // 62 for each 8 rows, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "row_max" fp32 248 // 62 for each 8 rows, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "row_min" bf16 248 // 62 for each 8 rows, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "row_min" fp32 248 // 62 for each 8 rows, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "row_addi" fp32 200 // 50 for each 8 rows, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "row_maxsi" fp32 392 // 98 for each 8 rows, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "row_minsi" fp32 392 // 98 for each 8 rows, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "column_add" bf16 160 // 40 for each 8 columns, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "column_max" bf16 160 // 40 for each 8 columns, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "column_add" fp32 160 // 40 for each 8 columns, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "column_max" fp32 160 // 40 for each 8 columns, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "column_min" bf16 160 // 40 for each 8 columns, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "column_min" fp32 160 // 40 for each 8 columns, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "column_addi" fp32 160 // 40 for each 8 columns, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "column_maxsi" fp32 320 // 80 for each 8 columns, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "column_minsi" fp32 320 // 80 for each 8 columns, counted in ckernel_sfpu_reduce.h; tt-llk (M)
  df.sfpu "softplus" bf16 1450 // tt-llk
  df.sfpu "sinh" bf16 1440 // tt-llk
  df.sfpu "cosh" bf16 1280 // tt-llk
  df.sfpu "add_scalar" bf16 128 // load, one MAD with its wait, store (L)
  df.sfpu "add_scalar" fp32 128 // load, one MAD with its wait, store (L)
  df.sfpu "sub_scalar" bf16 128 // load, one MAD with its wait, store (L)
  df.sfpu "sub_scalar" fp32 128 // load, one MAD with its wait, store (L)
  df.sfpu "mul_scalar" bf16 128 // load, one MAD with its wait, store (L)
  df.sfpu "mul_scalar" fp32 128 // load, one MAD with its wait, store (L)
  df.sfpu "max_scalar" bf16 64 // 2 a row; tt-llk
  df.sfpu "max_scalar" fp32 64 // 2 a row; tt-llk
  df.sfpu "min_scalar" bf16 64 // 2 a row; tt-llk
  df.sfpu "min_scalar" fp32 64 // 2 a row; tt-llk

  //===--- Beside the machine ---------------------------------------------===//
  // Belongs to the computer, not the card: one thread of a shared server ran at
  // 1.5 to 3.2 depending on its other work.
  df.host convert 3 // measured: DrawloomSimulatorTests --gtest_filter=HostArrays.Rate (L)
}
