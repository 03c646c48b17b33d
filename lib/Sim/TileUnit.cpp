// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile operations on real bytes, through the number formats.
#include "TileUnit.h"

#include "HostArrays.h"
#include "drawloom/Sim/Numbers/Pack.h"
#include <algorithm>
#include <cstring>

namespace drawloom::sim {

TileUnit::TileUnit(const Program &program, const NumberModel &model)
    : program(program), model(model), cores(program.cores()) {
  int64_t end = 0;
  base = program.buffers.empty() ? 0 : program.buffers.front().address;
  for (const BufferInfo &buffer : program.buffers) {
    base = std::min(base, buffer.address);
    end = std::max(end, buffer.address + buffer.capacity * buffer.tileBytes);
  }
  for (Core &core : cores) {
    core.l1.assign(std::max<int64_t>(end - base, 0), kPoison);
    core.dst.resize(2 * program.dstTiles);
    core.prepared.resize(program.slots);
  }
}

std::byte *TileUnit::tile(int core, int buffer, int64_t slot) {
  const BufferInfo &info = program.buffers[buffer];
  return cores[core].l1.data() + (info.address - base) + slot * info.tileBytes;
}

void TileUnit::changed(int core, int buffer, int64_t slot) {
  const BufferInfo &info = program.buffers[buffer];
  auto forget = [](Prepared &prepared) {
    prepared.in0Valid = prepared.in1Valid = false;
  };
  forget(cores[core].prepared[info.firstSlot + slot]);
  for (int other : info.overlapping) {
    const BufferInfo &alias = program.buffers[other];
    for (int64_t i = 0; i < alias.capacity; ++i)
      forget(cores[core].prepared[alias.firstSlot + i]);
  }
}

void TileUnit::clearHalf(int core, int half) {
  std::memset(&dst(core, half, 0), 0, program.dstTiles * sizeof(DstTile));
}

//===--- Operands ---------------------------------------------------------===//

/// The matrix unit reads both source registers in the format of the first,
/// whatever more the second has: that of SrcA's buffer goes for both.
SrcFormat TileUnit::srcFormat(int buffer) const {
  return srcFormatFor(program.buffers[buffer].format, program.dstWidth);
}

SrcTile TileUnit::unpack(int core, int buffer, int64_t slot, SrcFormat format,
                         bool transposed) {
  SrcTile src;
  unpackToSrc(bytes(core, buffer, slot), program.buffers[buffer].format, format,
              src, transposed);
  return src;
}

const PreparedIn0 &TileUnit::in0(int core, int buffer, int64_t slot,
                                 SrcFormat format) {
  Prepared &prepared =
      cores[core].prepared[program.buffers[buffer].firstSlot + slot];
  if (!prepared.in0Valid || prepared.in0Format != format) {
    if (!prepared.in0)
      prepared.in0 = std::make_unique<PreparedIn0>();
    prepareIn0(unpack(core, buffer, slot, format), *prepared.in0);
    prepared.in0Valid = true;
    prepared.in0Format = format;
  }
  return *prepared.in0;
}

const PreparedIn1 &TileUnit::in1(int core, int buffer, int64_t slot,
                                 bool transposed) {
  Prepared &prepared =
      cores[core].prepared[program.buffers[buffer].firstSlot + slot];
  if (!prepared.in1Valid || prepared.in1Transposed != transposed) {
    if (!prepared.in1)
      prepared.in1 = std::make_unique<PreparedIn1>();
    prepareIn1(unpack(core, buffer, slot, srcFormat(buffer), transposed),
               *prepared.in1);
    prepared.in1Valid = true;
    prepared.in1Transposed = transposed;
  }
  return *prepared.in1;
}

//===--- Matrix unit ------------------------------------------------------===//

void TileUnit::matmul(int core, int half, const MathOp &op, int64_t lhs,
                      int64_t rhs, int64_t at) {
  const SrcFormat format = srcFormat(op.rhs); // which goes to SrcA
  for (int row = 0; row < op.rows; ++row) {
    const PreparedIn0 &left = in0(core, op.lhs, lhs + row * op.inner, format);
    for (int column = 0; column < op.columns; ++column)
      multiplyAccumulate(dst(core, half, at + row * op.columns + column), left,
                         in1(core, op.rhs, rhs + column, op.transposed),
                         program.fidelity, program.dstWidth, model);
  }
}

void TileUnit::binary(int core, int half, const MathOp &op, int64_t lhs,
                      int64_t rhs, int64_t at) {
  const SrcFormat format = srcFormat(op.lhs);
  SrcTile left = unpack(core, op.lhs, lhs, format),
          right = unpack(core, op.rhs, rhs, format);
  broadcastSrc(right, op.broadcast);
  // The hardware's multiply always accumulates.
  elementwise(op.arithmetic, dst(core, half, at), left, right, program.fidelity,
              program.dstWidth, op.arithmetic == FpuBinary::Mul, model);
}

void TileUnit::copy(int core, int half, const MathOp &op, int64_t slot,
                    int64_t at) {
  const BufferInfo &buffer = program.buffers[op.lhs];
  DstTile &into = dst(core, half, at);
  SrcTile src;
  if (!buffer.direct) {
    src = unpack(core, op.lhs, slot, srcFormat(op.lhs));
    broadcastSrc(src, op.broadcast);
    return copyToDst(into, src, program.dstWidth);
  }
  unpackToDst(bytes(core, op.lhs, slot), buffer.format, into);
  if (op.broadcast == Broadcast::None)
    return;
  // By way of both halves of the bits, which are whole at the end.
  std::copy(std::begin(into.bits), std::end(into.bits), src.bits);
  broadcastSrc(src, op.broadcast);
  std::copy(std::begin(src.bits), std::end(src.bits), into.bits);
}

void TileUnit::transpose(int core, int half, const MathOp &op, int64_t slot,
                         int64_t at) {
  const BufferInfo &buffer = program.buffers[op.lhs];
  DstTile &into = dst(core, half, at);
  if (!buffer.direct)
    return copyToDst(into,
                     unpack(core, op.lhs, slot, srcFormat(op.lhs), true),
                     program.dstWidth);
  unpackToDst(bytes(core, op.lhs, slot), buffer.format, into);
  transposeDst(into);
}

void TileUnit::reduce(int core, int half, const MathOp &op, int64_t slot,
                      int64_t ones, int64_t at, bool first) {
  // Sums over a row are products with the ones as the left operand.
  const bool swapped =
      op.reduction == ReduceKind::Sum && op.over == ReduceDim::Row;
  const SrcFormat format = srcFormat(swapped ? op.rhs : op.lhs);
  reduceTile(op.reduction, op.over, dst(core, half, at),
             unpack(core, op.lhs, slot, format),
             unpack(core, op.rhs, ones, format), format, program.fidelity,
             program.dstWidth, first, model);
}

//===--- Vector unit ------------------------------------------------------===//

/// The scalar of an operation that has one.
static float scalarOf(const MathOp &op, std::optional<int64_t> number) {
  return number ? static_cast<float>(*number) : *op.scalar;
}

void TileUnit::sfpu(int core, int half, const MathOp &op, int64_t at,
                    std::optional<int64_t> number) {
  DstTile &tile = dst(core, half, at);
  if (op.scalar)
    applyScalar(std::get<VectorBinary>(op.binary), tile, scalarOf(op, number),
                program.dstWidth, model);
  else if (auto *conversion = std::get_if<VectorConversion>(&op.unary))
    applyConversion(*conversion, tile);
  else if (auto *reduction = std::get_if<VectorReduction>(&op.unary))
    applyReduction(*reduction, tile, program.dstWidth, model);
  else
    applyUnary(std::get<VectorUnary>(op.unary), tile, program.dstWidth, model);
}

void TileUnit::sfpuBinary(int core, int half, const MathOp &op, int64_t lhs,
                          int64_t rhs, int64_t at) {
  const DstTile &a = dst(core, half, lhs), &b = dst(core, half, rhs);
  DstTile &into = dst(core, half, at);
  if (auto *integer = std::get_if<VectorInteger>(&op.binary))
    applyInteger(*integer, a, b, into);
  else
    applyBinary(std::get<VectorBinary>(op.binary), a, b, into, program.dstWidth,
                model);
}

void TileUnit::where(int core, int half, int64_t condition, int64_t yes,
                     int64_t no, int64_t at) {
  applyWhere(dst(core, half, condition), dst(core, half, yes),
             dst(core, half, no), dst(core, half, at));
}

void TileUnit::fillDst(int core, int half, const MathOp &op, int64_t at,
                       std::optional<int64_t> number) {
  DstTile &tile = dst(core, half, at);
  if (op.scalar)
    return fillTile(tile, scalarOf(op, number), program.dstWidth);
  uint32_t bits = number ? static_cast<uint32_t>(*number) : op.bits;
  std::fill(std::begin(tile.bits), std::end(tile.bits), bits);
}

//===--- To memory --------------------------------------------------------===//

void TileUnit::pack(int core, int half, const MathOp &op, int64_t slot,
                    int64_t at) {
  packTile(dst(core, half, at), program.dstWidth,
           program.buffers[op.lhs].format,
           reinterpret_cast<uint8_t *>(tile(core, op.lhs, slot)), op.mask);
  changed(core, op.lhs, slot);
}

void TileUnit::fill(int core, int buffer, int64_t slot, bool box, int64_t rows,
                    int64_t columns, int64_t bits) {
  size_t size = *elementBytes(program.buffers[buffer].format);
  std::byte *to = tile(core, buffer, slot);
  auto set = [&](int64_t element) {
    std::memcpy(to + element * size, &bits, size);
  };
  if (!box)
    for (int64_t element = rows; element < kTileElements; ++element)
      set(element);
  else
    for (int row = 0; row < kTileSide; ++row)
      for (int column = row < rows ? columns : 0; column < kTileSide; ++column)
        set(faceOrderIndex(row, column));
  changed(core, buffer, slot);
}

//===--- Lanes one by one -------------------------------------------------===//

void TileUnit::iota(int core, int buffer, int64_t slot, LaneOrder along,
                    int64_t base) {
  bool real = program.buffers[buffer].format == Format::FP32;
  std::byte *to = tile(core, buffer, slot);
  for (int row = 0; row < kTileSide; ++row)
    for (int column = 0; column < kTileSide; ++column) {
      int64_t number = along == LaneOrder::Row      ? row
                       : along == LaneOrder::Column ? column
                                                         : faceOrderIndex(row, column);
      auto value = static_cast<int32_t>(base + number);
      uint32_t bits = real ? std::bit_cast<uint32_t>(static_cast<float>(value))
                           : static_cast<uint32_t>(value);
      std::memcpy(to + faceOrderIndex(row, column) * sizeof(bits), &bits,
                  sizeof(bits));
    }
  changed(core, buffer, slot);
}

int64_t readInteger(const std::byte *from, const ElementType &element) {
  int64_t value = 0;
  std::memcpy(&value, from, element.bytes);
  if (element.isBool)
    return value != 0;
  int unused = 64 - 8 * element.bytes;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
}

/// Calls `move(byte in memory, byte in the tile)` for each element.
template <typename Move>
static void forLanes(const LineOp &line, int64_t byte, int64_t row,
                     int64_t column, int64_t count, size_t laneBytes,
                     Move move) {
  for (int64_t i = 0; i < count; ++i) {
    int lane = faceOrderIndex(row + (line.alongRow ? i : 0),
                              column + (line.alongRow ? 0 : i));
    move(byte + i * line.step, lane * laneBytes);
  }
}

void TileUnit::placeLine(int core, const LineOp &line, int64_t byte,
                         int64_t slot, int64_t row, int64_t column,
                         int64_t count) {
  size_t laneBytes = *elementBytes(program.buffers[line.tiles].format);
  const std::byte *memory = tile(core, line.linear, 0);
  std::byte *lanes = tile(core, line.tiles, slot);
  forLanes(line, byte, row, column, count, laneBytes,
           [&](int64_t from, int64_t to) {
             int64_t value = readInteger(memory + from, line.element);
             std::memcpy(lanes + to, &value, laneBytes);
           });
  changed(core, line.tiles, slot);
}

void TileUnit::liftLine(int core, const LineOp &line, int64_t byte,
                        int64_t slot, int64_t row, int64_t column,
                        int64_t count) {
  size_t laneBytes = *elementBytes(program.buffers[line.tiles].format);
  std::byte *memory = tile(core, line.linear, 0);
  const std::byte *lanes = tile(core, line.tiles, slot);
  forLanes(line, byte, row, column, count, laneBytes,
           [&](int64_t to, int64_t from) {
             int64_t value = readInteger(
                 lanes + from, {static_cast<int>(laneBytes), false});
             if (line.element.isBool)
               value = value != 0;
             std::memcpy(memory + to, &value, line.element.bytes);
           });
}

} // namespace drawloom::sim
