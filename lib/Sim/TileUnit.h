// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of every core: bytes of L1, Dst, and the operations on them.
#ifndef DRAWLOOM_LIB_SIM_TILEUNIT_H
#define DRAWLOOM_LIB_SIM_TILEUNIT_H

#include "Bytecode.h"
#include "drawloom/Sim/Numbers/Matmul.h"
#include <memory>

namespace drawloom::sim {

class TileUnit {
public:
  TileUnit(const Program &program, const NumberModel &model);

  /// Bytes of a tile; `slot` counts from the buffer's address.
  std::byte *tile(int core, int buffer, int64_t slot);
  /// Must be told of every change of a tile's bytes.
  void changed(int core, int buffer, int64_t slot);

  void clearHalf(int core, int half);

  /// Slots count from the buffers' addresses, `at` from the half's first tile.
  void matmul(int core, int half, const MathOp &op, int64_t lhs, int64_t rhs,
              int64_t at);
  void binary(int core, int half, const MathOp &op, int64_t lhs, int64_t rhs,
              int64_t at);
  void copy(int core, int half, const MathOp &op, int64_t slot, int64_t at);
  void transpose(int core, int half, const MathOp &op, int64_t slot,
                 int64_t at);
  /// `first` starts the reduction.
  void reduce(int core, int half, const MathOp &op, int64_t slot, int64_t ones,
              int64_t at, bool first);
  /// `number` takes the place of the operation's scalar.
  void sfpu(int core, int half, const MathOp &op, int64_t at,
            std::optional<int64_t> number);
  void sfpuBinary(int core, int half, const MathOp &op, int64_t lhs,
                  int64_t rhs, int64_t at);
  void where(int core, int half, int64_t condition, int64_t yes, int64_t no,
             int64_t at);
  void fillDst(int core, int half, const MathOp &op, int64_t at,
               std::optional<int64_t> number);
  void pack(int core, int half, const MathOp &op, int64_t slot, int64_t at);
  /// Sets elements of a tile outside the kept box, or from the kept element on
  /// in memory order.
  void fill(int core, int buffer, int64_t slot, bool box, int64_t rows,
            int64_t columns, int64_t bits);
  /// Numbers lanes from `base` on.
  void iota(int core, int buffer, int64_t slot, LaneOrder along, int64_t base);
  /// Elements from `byte` of the scratch buffer on to lanes from (row, column)
  /// on, and back.
  void placeLine(int core, const LineOp &line, int64_t byte, int64_t slot,
                 int64_t row, int64_t column, int64_t count);
  void liftLine(int core, const LineOp &line, int64_t byte, int64_t slot,
                int64_t row, int64_t column, int64_t count);

private:
  /// A tile made ready for the multiplier, until its bytes change.
  struct Prepared {
    std::unique_ptr<PreparedIn0> in0;
    std::unique_ptr<PreparedIn1> in1;
    bool in0Valid = false, in1Valid = false, in1Transposed = false;
    SrcFormat in0Format = SrcFormat::Bf16;
  };
  struct Core {
    std::vector<std::byte> l1;
    std::vector<DstTile> dst;
    std::vector<Prepared> prepared; ///< by slot of all buffers
  };

  DstTile &dst(int core, int half, int64_t at) {
    return cores[core].dst[half * program.dstTiles + at];
  }
  const uint8_t *bytes(int core, int buffer, int64_t slot) {
    return reinterpret_cast<uint8_t *>(tile(core, buffer, slot));
  }
  SrcFormat srcFormat(int buffer) const;
  SrcTile unpack(int core, int buffer, int64_t slot, SrcFormat format,
                 bool transposed = false);
  const PreparedIn0 &in0(int core, int buffer, int64_t slot, SrcFormat format);
  const PreparedIn1 &in1(int core, int buffer, int64_t slot, bool transposed);

  const Program &program;
  NumberModel model;
  int64_t base = 0; ///< lowest address of a buffer
  std::vector<Core> cores;
};

/// The integer at `from`, with its sign.
int64_t readInteger(const std::byte *from, const ElementType &element);

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_TILEUNIT_H
