// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The enumerations of the machine description; C++ sees them through Formats.h.
#ifndef DRAWLOOM_MACHINE_ENUMS_TD
#define DRAWLOOM_MACHINE_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class Df_Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::drawloom";
}

def Df_Format : Df_Enum<"Format", "number format of a tile in memory", [
  I32EnumCase<"BF16", 0, "bf16">, I32EnumCase<"FP16", 1, "fp16">,
  I32EnumCase<"FP32", 2, "fp32">, I32EnumCase<"TF32", 3, "tf32">,
  I32EnumCase<"BFP8", 4, "bfp8">, I32EnumCase<"BFP4", 5, "bfp4">,
  I32EnumCase<"I32", 6, "i32">,   I32EnumCase<"U32", 7, "u32">,
  I32EnumCase<"U16", 8, "u16">,   I32EnumCase<"I8", 9, "i8">,
  I32EnumCase<"U8", 10, "u8">,
  I32EnumCase<"I64", 11, "i64">]>;

def Df_Fidelity : Df_Enum<"Fidelity", "mantissa phases of the matrix unit", [
  I32EnumCase<"LoFi", 0, "lofi">, I32EnumCase<"HiFi2", 1, "hifi2">,
  I32EnumCase<"HiFi3", 2, "hifi3">, I32EnumCase<"HiFi4", 3, "hifi4">]>;

// dm0 and dm1 are data movers; compute is the unpack, math and pack threads.
def Df_Engine : Df_Enum<"Engine", "program engine of a core", [
  I32EnumCase<"DM0", 0, "dm0">, I32EnumCase<"DM1", 1, "dm1">,
  I32EnumCase<"Compute", 2, "compute">]>;

def Df_MemoryLevel : Df_Enum<"MemoryLevel", "who reaches a memory directly", [
  I32EnumCase<"Local", 0, "local">, I32EnumCase<"Global", 1, "global">]>;

def Df_Rounding : Df_Enum<"Rounding", "how bits are dropped", [
  I32EnumCase<"Truncate", 0, "truncate">,
  I32EnumCase<"NearestEven", 1, "nearest_even">,
  I32EnumCase<"NearestAway", 2, "nearest_away">]>;

// Tile operations of the matrix unit. `matmul` is a product inside a block
// call, `matmul_single` one product per call.
def Df_TileOp : Df_Enum<"TileOp", "tile operation of the matrix unit", [
  I32EnumCase<"Matmul", 0, "matmul">,
  I32EnumCase<"MatmulSingle", 1, "matmul_single">,
  I32EnumCase<"Add", 2, "add">, I32EnumCase<"Sub", 3, "sub">,
  I32EnumCase<"Mul", 4, "mul">, I32EnumCase<"Copy", 5, "copy">,
  I32EnumCase<"CopyToDst", 6, "copy_to_dst">,
  I32EnumCase<"Transpose", 7, "transpose">,
  I32EnumCase<"ReduceRow", 8, "reduce_row">,
  I32EnumCase<"ReduceColumn", 9, "reduce_column">,
  I32EnumCase<"ReduceScalar", 10, "reduce_scalar">,
  I32EnumCase<"Tilize", 11, "tilize">,
  I32EnumCase<"Untilize", 12, "untilize">,
  I32EnumCase<"Broadcast", 13, "broadcast">]>;

// Fixed costs, in cycles of the engine that pays them.
def Df_Cost : Df_Enum<"Cost", "fixed cost in cycles", [
  // One transaction handed to the network by a data mover. A linked multicast
  // costs the larger of multicast_linked and its receivers times
  // multicast_receiver.
  I32EnumCase<"Read", 0, "read">,
  I32EnumCase<"ReadStateful", 1, "read_stateful">,
  I32EnumCase<"ReadInterleaved", 2, "read_interleaved">,
  I32EnumCase<"Write", 3, "write">,
  I32EnumCase<"WriteStateful", 4, "write_stateful">,
  I32EnumCase<"WriteInterleaved", 5, "write_interleaved">,
  I32EnumCase<"SemaphoreInc", 6, "semaphore_inc">,
  I32EnumCase<"SemaphoreSet", 7, "semaphore_set">,
  I32EnumCase<"SemaphorePoll", 8, "semaphore_poll">,
  I32EnumCase<"SemaphoreApply", 9, "semaphore_apply">,
  I32EnumCase<"Barrier", 10, "barrier">,
  I32EnumCase<"MulticastUnlinked", 11, "multicast_unlinked">,
  I32EnumCase<"MulticastLinked", 12, "multicast_linked">,
  I32EnumCase<"MulticastReceiver", 13, "multicast_receiver">,
  // One circular-buffer call.
  I32EnumCase<"MoverReserve", 14, "mover_reserve">,
  I32EnumCase<"MoverPush", 15, "mover_push">,
  I32EnumCase<"MoverWait", 16, "mover_wait">,
  I32EnumCase<"MoverPop", 17, "mover_pop">,
  I32EnumCase<"ComputeReserve", 18, "compute_reserve">,
  I32EnumCase<"ComputePush", 19, "compute_push">,
  I32EnumCase<"ComputeWait", 20, "compute_wait">,
  I32EnumCase<"ComputePop", 21, "compute_pop">,
  // Scalar work of a data mover.
  I32EnumCase<"MoverLoad", 22, "mover_load">,
  I32EnumCase<"MoverStore", 23, "mover_store">,
  I32EnumCase<"MoverAlu", 24, "mover_alu">,
  I32EnumCase<"MoverBranch", 25, "mover_branch">,
  // Set-up of the compute engine.
  I32EnumCase<"InitMatmul", 26, "init_matmul">,
  I32EnumCase<"InitEltwise", 27, "init_eltwise">,
  I32EnumCase<"InitCopy", 28, "init_copy">,
  I32EnumCase<"InitReduce", 29, "init_reduce">,
  I32EnumCase<"InitTranspose", 30, "init_transpose">,
  I32EnumCase<"InitSfpu", 31, "init_sfpu">,
  I32EnumCase<"ReconfigUnpack", 32, "reconfig_unpack">,
  I32EnumCase<"ReconfigPack", 33, "reconfig_pack">,
  I32EnumCase<"DstAcquire", 34, "dst_acquire">,
  I32EnumCase<"DstRelease", 35, "dst_release">,
  // One program.
  I32EnumCase<"Launch", 36, "launch">,
  I32EnumCase<"LaunchArgument", 37, "launch_argument">]>;

def Df_Limit : Df_Enum<"Limit", "count a program must stay within", [
  I32EnumCase<"CircularBuffers", 0, "circular_buffers">,
  I32EnumCase<"Semaphores", 1, "semaphores">,
  I32EnumCase<"DstTiles16", 2, "dst_tiles_16">,
  I32EnumCase<"DstTiles32", 3, "dst_tiles_32">,
  I32EnumCase<"RuntimeArguments", 4, "runtime_arguments">,
  I32EnumCase<"TransactionIds", 5, "transaction_ids">,
  I32EnumCase<"OutstandingPerId", 6, "outstanding_per_id">]>;

#endif // DRAWLOOM_MACHINE_ENUMS_TD
