// Tenstorrent Blackhole, up to 13x10 workers (p150; columns x rows).
//
// Each number is followed by its source; cycles are of the 1.35 GHz AI clock.
// Sources: noc.yaml = tt-metal noc_estimator/latencies/noc_latencies.yaml;
// tm = tt-metal; UMD = its device layer; soc descriptor = the chip description
// in the ttnn wheel; DRAMdoc = tt-metal tech_reports/
// Saturating_DRAM_bandwidth; GEMM = tt-metal tech_reports/GEMM_FLOPS; wolf =
// the wolfpine simulator's measured tables; ttsim = Tenstorrent's functional
// simulator; ISA = the Wormhole document, taken over where Blackhole has none
// (M). (M) derived from such figures, (L) an estimate.
//
// Rows of the published tables that set a number here, and so cannot test it:
// the noc.yaml rows named below. No GEMM row sets one: the matrix unit's cycles
// are of the single-core matmul_tiles benchmark (wolf). `buffer` was chosen after
// trying values against the noc.yaml rows of all cores reading all banks, 512 to
// 4096 B on NoC0 and 4096 B on NoC1; `read_interval` is of the row of 64 B. The
// row of 1024 B on NoC1, and wolf's of 2 to 32 readers, only test.
df.machine @blackhole clock 1.35 { // GHz; UMD, C2B
  //===--- Scale-out layer ------------------------------------------------===//
  %x = df.spatial_dim "x" 13 // 14 columns, one left to dispatch; core-descriptor yaml (tm)
  %y = df.spatial_dim "y" 10 // core-descriptor yaml (tm)
  %column = df.spatial_dim "column" 17 // soc descriptor
  %row = df.spatial_dim "row" 12 // soc descriptor
  %bank = df.spatial_dim "bank" 8 // soc descriptor

  %routers = df.router "routers" scaleout(%column, %row)
  // Two unidirectional tori; NoC0 runs right and down, NoC1 up and left (ISA, M).
  %east = df.interconnects "noc0.x" components(%routers)
    map affine_map<(c, r) -> ((c + 1) mod 17, r)>
    bandwidth 64 // one flit a cycle; tm noc_parameters.h
  %south = df.interconnects "noc0.y" components(%routers)
    map affine_map<(c, r) -> (c, (r + 1) mod 12)>
    bandwidth 64 // tm noc_parameters.h
  %north = df.interconnects "noc1.y" components(%routers)
    map affine_map<(c, r) -> (c, (r + 11) mod 12)>
    bandwidth 64 // tm noc_parameters.h
  %west = df.interconnects "noc1.x" components(%routers)
    map affine_map<(c, r) -> ((c + 16) mod 17, r)>
    bandwidth 64 // tm noc_parameters.h

  //===--- Inside a core: units -------------------------------------------===//
  %fpu = df.mat "fpu"
    shape [8, 16, 16] // MVMUL; ISA (M)
    throughput 1 // ISA (M)
    mantissa 10 // Src is TF32; ttsim
    multiplier [7, 5] // SrcB x SrcA; ttsim
    groups [2, 8] // ttsim
    addend [24, 11] // ttsim
    accumulate nearest_away // ttsim
    pack nearest_away // ttsim
    misnormalises_minus_one false // ttsim
  %sfpu = df.vec "sfpu"
    shape [32] // ISA (M)
    throughput 1 // ISA (M)
    store truncate // SFPSTORE to a 16-bit Dst; ttsim
    function_bits 8 // functions are written for bf16 results (L)
    keeps_zero_sign true // ttsim fma
    nan 0x7FC00000 // ttsim fma
  %riscv = df.scalar "riscv"
    latency 1 // in-order, about one instruction a cycle; ISA (M)

  %cores = df.core "tensix" scaleout(%x, %y) scalein(%fpu, %sfpu, %riscv)

  //===--- Memory and transport -------------------------------------------===//
  %l1 = df.memory local "l1" scaleout(%x, %y)
    size 1572864 // soc descriptor
    bandwidth 256 // 16 banks of 16 B; ISA (M)
    reserved 111744 // MEM_MAP_END 41088 + kernel-config ring 70656; dev_mem_map.h (M)
    read_align 16 // tm noc_parameters.h
    write_align 16 // tm noc_parameters.h
  df.mux dst(%cores) srcs(%l1) map affine_map<(x, y) -> (x, y)>
    bandwidth 256 // ISA (M)

  %dram = df.memory global "dram" scaleout(%bank)
    size 4278190080 // soc descriptor
    bandwidth 46.7 // one bank 46.3-47.1, any number of readers; wolf
    write_bandwidth 34 // one bank; tm ideal_performance test_bounds
    latency 126 // on top of the flight; wolf, from tm's end-to-end rows (M)
    write_latency 22 // wolf (M)
    read_interval 16.5 // 256 x 64 B by all 110 cores: (58442 - 500) / 3520 a bank; noc.yaml (M)
    contention 2.4 // simulated products of 512^3 on 4x4 cores and 1024^3 on 8x8 (L)
    read_align 64 // tm noc_parameters.h
    write_align 16 // tm noc_parameters.h

  %noc0 = df.network "noc0"
    unicast(%east, %south) // ISA (M)
    multicast(%east, %south) // along x, then down each column; ISA (M)
    flit 64 // tm noc_parameters.h
    packet 16384 // NOC_MAX_BURST_SIZE; tm
    buffer 128 // 2 KiB a port over 16 channels, ISA; chosen by rows, see above (M)
    hop 9 // 8.65-9 from round trips; wolf
    niu 5 // ISA (M)
    inject 60 // 1 to 1 at large sizes; noc.yaml
    absorb 60 // 57.6-60.5, one core reading interleaved; noc.yaml
    multicast_rate 59 // linked, 25 or 64 cores; noc.yaml
    read_turnaround 92 // 64 B read, 373 diagonal less 29 hops and 4 NIUs; noc.yaml (M)
    write_turnaround 77 // 64 B write, 358 diagonal, the same way; noc.yaml (M)
  %noc1 = df.network "noc1"
    unicast(%north, %west) // ISA (M)
    multicast(%west, %north) // ISA (M)
    flit 64 // tm noc_parameters.h
    packet 16384 // tm
    buffer 128 // as noc0 (M)
    hop 9 // 8.65-9 from round trips; wolf
    niu 5 // ISA (M)
    inject 60 // noc.yaml
    absorb 60 // noc.yaml
    multicast_rate 59 // noc.yaml
    read_turnaround 92 // noc.yaml (M)
    write_turnaround 77 // noc.yaml (M)

  // Logical to NoC0 coordinates of an unharvested chip, dispatch in the last
  // column. Boards of 12 and 11 columns have lost one or two; which ones
  // differs from part to part, the first columns stand for them (M).
  df.place %cores on %routers
    axes [[1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15], // soc descriptor
          [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]] // soc descriptor
  // Worker end point of each bank: subchannel 2 or 0 on NoC0, 1 on NoC1.
  df.place %dram on %routers network %noc0
    at [[0, 11], [0, 2], [0, 9], [0, 5], // soc descriptor
        [9, 11], [9, 3], [9, 8], [9, 6]] // soc descriptor
  df.place %dram on %routers network %noc1
    at [[0, 1], [0, 10], [0, 4], [0, 7], // soc descriptor
        [9, 1], [9, 10], [9, 4], [9, 7]] // soc descriptor

  //===--- Inside a core: engines, limits, costs --------------------------===//
  // DRAM reads belong on NoC0 and writes on NoC1 (tm kernel_types.cpp).
  df.engine dm0 processor "RISCV_1" network %noc0 // NCRISC; tm kernel_types.cpp
  df.engine dm1 processor "RISCV_0" network %noc1 // BRISC; tm kernel_types.cpp
  df.engine compute processor "TRISC" // unpack, math and pack threads; ISA (M)

  df.limit circular_buffers 32 // tm
  df.limit semaphores 16 // tm
  df.limit dst_tiles_16 8 // half-sync; ISA (M)
  df.limit dst_tiles_32 4 // half-sync; ISA (M)
  df.limit runtime_arguments 341 // tm kernel_types.hpp, from memory (L)
  df.limit transaction_ids 15 // ISA (M)
  df.limit outstanding_per_id 255 // ISA (M)

  df.cost read 36.3 // slope at small sizes; noc.yaml
  df.cost read_stateful 35.3 // noc.yaml
  df.cost read_interleaved 29 // noc.yaml
  df.cost write 36.3 // as a read, of the same order; noc.yaml (L)
  df.cost write_stateful 35.3 // as a read (L)
  df.cost write_interleaved 29 // as a read (L)
  df.cost semaphore_inc 36.3 // as a write (L)
  df.cost semaphore_set 5 // one L1 store; ISA (M)
  df.cost semaphore_poll 8 // one L1 load; ISA (M)
  df.cost semaphore_apply 5 // a 4-byte atomic holds its bank; ISA (M)
  df.cost barrier 7 // one load of a NIU counter; ISA (M)
  df.cost multicast_unlinked 374 // each of 256 to 64 cores, besides its bytes; noc.yaml
  df.cost multicast_linked 27 // 25 cores; noc.yaml
  df.cost multicast_receiver 1.04 // 66 for 64 cores, 114 for 110; noc.yaml (M)

  df.cost mover_reserve 20 // low end of 20-40 a pair of calls (L)
  df.cost mover_push 15 // (L)
  df.cost mover_wait 20 // (L)
  df.cost mover_pop 15 // (L)
  df.cost compute_reserve 20 // (L)
  df.cost compute_push 30 // with the drain of the pack thread, 20-50 (L)
  df.cost compute_wait 30 // with the sync of the unpack thread, 20-50 (L)
  df.cost compute_pop 20 // (L)

  df.cost mover_load 8 // L1 load; ISA (M)
  df.cost mover_store 5 // L1 store; ISA (M)
  df.cost mover_alu 1 // ISA (M)
  df.cost mover_branch 5 // mispredicted; wolf

  df.cost init_matmul 75 // short init, 50-100 (L)
  df.cost init_eltwise 75 // (L)
  df.cost init_copy 75 // (L)
  df.cost init_reduce 480 // measured on Wormhole; wolf (M)
  df.cost init_transpose 75 // (L)
  df.cost init_sfpu 75 // (L)
  df.cost reconfig_unpack 75 // 50-100 (L)
  df.cost reconfig_pack 75 // 50-100 (L)
  df.cost dst_acquire 20 // semaphore between math and pack (L)
  df.cost dst_release 20 // (L)

  df.cost launch 2025 // 1.5 us in a trace; tm pgm_dispatch goldens, GEMM (M)
  df.cost launch_argument 10 // 4.17, 4.38, 5.11 us at 1, 32, 128 per core; tm pgm_dispatch (M)

  // Math thread: 34.92, 52.47, 86.12 cycles a matmul_tiles call at LoFi, HiFi2
  // and HiFi4 are 17.9 + 17.05 a phase (wolf); a block call pays the first once.
  df.tile_op matmul
    math 0.5 // the block call, spread over its products (L)
    per_phase 17.05 // wolf
    operands 1 // the other stays in Src; tm matmul block
    unpack 128 // tm tt-llk
    unpack_fixed 7.5 // 5-10 (M)
  df.tile_op matmul_single
    math 17.9 // a call for each product; wolf
    per_phase 17.05 // wolf
    operands 2 // both are unpacked again; tm matmul_tiles
    unpack 128 // tm tt-llk
  df.tile_op add
    math 8 // 8 instructions; ISA (M)
    operands 2 // ISA (M)
    unpack 128 // two unpackers at 64 B; tm tt-llk
    unpack_fixed 2 // address phase; ISA (M)
  df.tile_op sub
    math 8 // ISA (M)
    operands 2 // ISA (M)
    unpack 128 // tm tt-llk
    unpack_fixed 2 // ISA (M)
  df.tile_op mul
    math 0 // ISA (M)
    per_phase 8 // ISA (M)
    operands 2 // ISA (M)
    unpack 128 // tm tt-llk
    unpack_fixed 2 // ISA (M)
  df.tile_op broadcast
    math 8 // as add, SrcB holds one face; ISA (M)
    operands 2 // ISA (M)
    unpack 128 // tm tt-llk
    unpack_fixed 2 // ISA (M)
  df.tile_op copy
    math 8 // MOVA2D, 8 rows a cycle; ISA (M)
    operands 1 // ISA (M)
    unpack 128 // tm tt-llk
    unpack_fixed 2 // ISA (M)
  df.tile_op copy_to_dst
    math 0 // the unpacker writes Dst; ISA (M)
    operands 1 // ISA (M)
    unpack 64 // fp32 halves the rate (L)
    unpack_fixed 2 // ISA (M)
  df.tile_op transpose
    math 32 // face swap through MOVD2B, MOVB2D (L)
    operands 1 // ISA (M)
    unpack 128 // in the unpacker; ISA (M)
    unpack_fixed 2 // ISA (M)
  df.tile_op reduce_row
    math 58.1 // reduce-row-max block; tt-llk
    operands 1 // ISA (M)
    unpack 128 // tm tt-llk
    unpack_fixed 21.3 // 37.3 in all; tt-llk
  df.tile_op reduce_column
    math 8 // 4 pools of one face; ISA (M)
    operands 1 // ISA (M)
    unpack 128 // tm tt-llk
    unpack_fixed 10 // (L)
  df.tile_op reduce_scalar
    math 66 // a column and a row reduction (L)
    operands 1 // ISA (M)
    unpack 128 // tm tt-llk
    unpack_fixed 10 // (L)
  df.tile_op tilize
    math 8 // ISA (M)
    operands 1 // ISA (M)
    unpack 128 // tm tt-llk
    unpack_fixed 9 // 25 for a bf16 tile in all; tt-llk (M)
  df.tile_op untilize
    math 8 // ISA (M)
    operands 1 // ISA (M)
    unpack 128 // tm tt-llk
    unpack_fixed 12 // 28 for a bf16 tile in all; tt-llk (M)

  df.pack
    bandwidth 128 // one packer, 4 interfaces of 32 B; tt-llk (M)
    fixed 0 // none is stated (L)
    accumulate 8 // as Wormhole: 2 cycles each 16 B (L)

  // Vector unit, cycles a tile, by width of Dst.
  df.sfpu "exp" bf16 1161 // as Wormhole, "same or better"; tt-llk (M)
  df.sfpu "exp" fp32 2548 // tt-llk
  df.sfpu "exp_approx" bf16 189 // as Wormhole; 93.6 without a clamp, tt-llk (M)
  df.sfpu "exp_approx" fp32 266 // tt-llk
  df.sfpu "exp2" bf16 896 // as Wormhole (M)
  df.sfpu "exp2" fp32 896 // as Wormhole (M)
  df.sfpu "exp2_approx" bf16 189 // as exp_approx (M)
  df.sfpu "exp2_approx" fp32 266 // the same steps with another constant (M)
  df.sfpu "log" bf16 1000 // (L)
  df.sfpu "log" fp32 1500 // (L)
  df.sfpu "tanh" bf16 530 // as Wormhole (M)
  df.sfpu "tanh" fp32 1601 // as Wormhole (M)
  df.sfpu "sigmoid" bf16 1450 // an exp and a reciprocal (L)
  df.sfpu "sigmoid" fp32 3186 // an exp and a reciprocal (L)
  df.sfpu "silu" bf16 1610 // a sigmoid and a product (L)
  df.sfpu "silu" fp32 3346 // (L)
  df.sfpu "gelu" bf16 2849 // tt-llk
  df.sfpu "gelu" fp32 2849 // tt-llk (M)
  df.sfpu "recip" bf16 288 // tt-llk
  df.sfpu "recip" fp32 638 // the older figure; tt-llk (M)
  df.sfpu "rsqrt" bf16 600 // middle of 400-800 (L)
  df.sfpu "rsqrt" fp32 800 // (L)
  df.sfpu "sqrt" bf16 600 // (L)
  df.sfpu "sqrt" fp32 800 // (L)
  df.sfpu "relu" bf16 298 // as Wormhole (M)
  df.sfpu "relu" fp32 298 // as Wormhole (M)
  df.sfpu "abs" bf16 124 // load and store; tt-llk (M)
  df.sfpu "abs" fp32 124 // (M)
  df.sfpu "neg" bf16 124 // (M)
  df.sfpu "neg" fp32 124 // (M)
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
  df.sfpu "div" bf16 480 // a reciprocal and a product (L)
  df.sfpu "div" fp32 830 // (L)
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
  df.sfpu "gelu_tanh" bf16 2014 // tt-llk
  df.sfpu "gelu_tanh" fp32 2014 // tt-llk
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
  df.sfpu "muli" bf16 256 // 8 a row; tt-llk
  df.sfpu "muli" fp32 256 // 8 a row; tt-llk
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
  df.sfpu "softplus" bf16 1450 // as Wormhole (M)
  df.sfpu "sinh" bf16 1440 // as Wormhole (M)
  df.sfpu "cosh" bf16 1120 // tt-llk
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
