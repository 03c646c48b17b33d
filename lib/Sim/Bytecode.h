// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task program in the form the simulator runs: flat instructions over
// integer registers, one sequence for each thread of a core.
#ifndef DRAWLOOM_LIB_SIM_BYTECODE_H
#define DRAWLOOM_LIB_SIM_BYTECODE_H

#include "Time.h"
#include "VectorFunctions.h"
#include "drawloom/Sim/Numbers/Elementwise.h"
#include "drawloom/Sim/Numbers/Reduce.h"
#include "drawloom/Sim/Numbers/Unpack.h"
#include "drawloom/Sim/SimResult.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include <optional>

namespace drawloom::sim {

/// Along what lanes are numbered, as task.iota's axis.
enum class LaneOrder : uint8_t { Row, Column, Memory };

/// Registers are r0 to r5 of the instruction; `a <- ` means r0.
enum class Op : uint8_t {
  // Scalars and control flow.
  Copy,   // a <- r1
  AddImm, // a <- r1 + imm
  MulImm, // a <- r1 * imm
  MulAdd, // a <- r1 * imm + r2
  Add,    // a <- r1 op r2, also for the following
  Sub,
  Mul,
  DivTrunc,
  RemTrunc,
  DivFloor,
  DivCeil,
  ModFloor,
  Min,
  Max,
  MinUnsigned,
  MaxUnsigned,
  And,
  Or,
  Xor,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  LessUnsigned,
  LessEqualUnsigned,
  Select,         // a <- r1 ? r2 : r3
  Jump,           // to imm
  JumpUnless,     // to imm if r0 is 0
  JumpUnlessLess, // to imm if r0 >= r1
  Next,           // r0 += r1, to imm if then r0 < r2
  Delay,          // only the cost
  // Compute operations that concern nobody else; imm indexes Program::maths.
  SetUp,
  Startup,
  Matmul,
  Binary,
  CopyTile,
  Transpose,
  Reduce,
  Sfpu,
  SfpuBinary,
  Where,
  FillDst,
  Pack,
  Fill,  // of a mover, on `object`; as the following
  Iota,  // slot r0 from r1 on
  Place, // imm indexes Program::lines: byte r0, slot r1, lane r2 r3, r4 of them
  Lift,
  Halt,
  // What other threads see, and so happens in order of time.
  Reserve, // `object` is the buffer, imm the tiles, also for the following
  Push,
  Wait,
  Pop,
  Read,  // page r0 of array `object` to slot r1 of buffer imm; part r2 r3 r4
  Write, // slot r1 of buffer imm to page r0 of array `object`; part r2 r3 r4
  FenceReads,
  FenceWrites,
  FenceSent,
  Multicast, // imm tiles from slot r0 of `object` to rectangle r1 to r4
  Signal,    // semaphore `object` in rectangle r1 to r4
  Publish,   // semaphore `object` = r0 in rectangle r1 to r4
  Await,     // semaphore `object` >= r0
  Peek,      // r0 <- imm indexes Program::peeks: byte r2 of slot r1 of `object`
  TakePeek,  // r0 <- what the math thread peeked
  Acquire,
  Commit, // imm: its set-up of the matrix unit ends with it
  DstWait,
  DstRelease,
};
inline constexpr Op kFirstEffect = Op::SetUp;
inline constexpr Op kFirstShared = Op::Reserve;

/// From which pointer of a buffer a slot counts.
enum class Side : uint8_t { Producer, Consumer };

inline constexpr uint8_t kPartFlag = 2;   ///< has a part, or two keeps
inline constexpr uint8_t kNumberFlag = 4; ///< r1 is the function's scalar

struct Instruction {
  Op op;
  uint8_t flags = 0; ///< Side for slots, and the flags below
  uint16_t object = 0;
  uint16_t r[5] = {};
  uint16_t receivers = 0; ///< as the operation states them
  int64_t imm = 0;
  int32_t cost = 0; ///< ticks
  int32_t location = 0;

  Side side() const { return static_cast<Side>(flags & 1); }
  bool hasPart() const { return flags & kPartFlag; }
  bool hasNumber() const { return flags & kNumberFlag; }
};

/// Tiles of a half of Dst.
struct DstRange {
  int first = 0, tiles = 0;
};

/// What a compute instruction does, besides its registers.
struct MathOp {
  uint16_t lhs = 0, rhs = 0; ///< buffers
  DstRange into;
  DstRange first, second, third; ///< the vector unit's operands
  int rows = 1, columns = 1, inner = 1;
  bool transposed = false;
  int setUp = -1; ///< the set-up it must run under, or makes
  int formats = -1;
  Time reconfigure = 0; ///< when the formats differ from those before
  FpuBinary arithmetic = FpuBinary::Add;
  Broadcast broadcast = Broadcast::None;
  ReduceKind reduction = ReduceKind::Sum;
  ReduceDim over = ReduceDim::Row;
  PackMask mask = PackMask::All;
  UnaryFunction unary;
  BinaryFunction binary;
  std::optional<float> scalar; ///< of a function, or to fill with
  uint32_t bits = 0;           ///< to fill with, if it is no float
  enum class Unit : uint8_t { Matrix, Vector, Packer } unit = Unit::Matrix;
};

/// Elements in memory of a type that lanes are moved from or to.
struct ElementType {
  int bytes;
  bool isBool; ///< a byte that counts as 0 or 1
};

/// What a mover's place or lift moves, besides its registers. Bytes count from
/// the scratch buffer's address.
struct LineOp {
  uint16_t linear, tiles; ///< buffers
  int64_t step;           ///< bytes
  ElementType element;
  bool alongRow; ///< lanes count up the rows, or else the columns
  Time ofElement = 0; ///< that is copied alone
  Time ofWord = 0;    ///< of lanes and elements that lie side by side alike
  Time ofRun = 0;     ///< of such words, in a row of a face
};

/// One thread's program.
struct Code {
  std::vector<Instruction> instructions;
  int registers = 2; ///< r0 and r1 hold the core's coordinates
  std::vector<std::pair<uint16_t, int64_t>> constants; ///< set at the start
  int network = 0;
};
inline constexpr uint16_t kCoreX = 0, kCoreY = 1;

struct BufferInfo {
  std::string name;
  Format format;
  bool direct, operand, scratch;
  int64_t capacity; ///< tiles
  int64_t tileBytes;
  int64_t address;
  int firstSlot;                ///< its first among a core's slots
  std::vector<int> overlapping; ///< other buffers in the same bytes
};

struct ArrayInfo {
  std::string name;
  mlir::MemRefType view;
  bool written;        ///< by the program
  int64_t rowElements; ///< of a page of rows, or 0 for tiles
  int64_t pages, pageBytes, elementBytes;
};

struct Program {
  int64_t columns, rows;
  Fidelity fidelity;
  DstWidth dstWidth;
  int dstTiles;
  std::vector<ArrayInfo> arrays;
  std::vector<BufferInfo> buffers;
  std::vector<std::string> semaphores;
  std::vector<MathOp> maths;
  std::vector<LineOp> lines;
  std::vector<ElementType> peeks;
  std::vector<std::string> setUps;         ///< their texts, for messages
  std::vector<mlir::Location> locations;
  std::array<std::optional<Code>, kThreadsPerCore> codes;
  int slots = 0; ///< of all buffers of a core
  Time launch, write, multicastSetUp, semaphoreApply, semaphoreSet;

  int cores() const { return static_cast<int>(columns * rows); }
};

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_BYTECODE_H
