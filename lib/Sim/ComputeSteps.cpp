// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compute engine: set-ups, operations on Dst, and the two halves of Dst
// that pass between the math and the pack thread.
#include "Simulation.h"

namespace drawloom::sim {

//===--- Set-up -----------------------------------------------------------===//

Simulation::Step Simulation::setUp(Thread &t, const Instruction &i) {
  const MathOp &op = program.maths[i.imm];
  Core &core = cores[t.core];
  bool starts = i.op == Op::Startup;
  bool packs = op.unit == MathOp::Unit::Packer;
  if (!packs && starts == core.started)
    return undefined(t, starts ? "a second startup"
                               : "sets up before task.startup");
  t.now += i.cost;
  if (packs) {
    core.packSetUp = op.setUp;
  } else if (op.unit == MathOp::Unit::Vector) {
    core.vectorSetUp = op.setUp;
  } else {
    if (!starts && op.formats != core.formats)
      t.now += op.reconfigure;
    core.formats = op.formats;
    core.matrixSetUp = op.setUp;
    core.started = true;
  }
  return Step::Next;
}

bool Simulation::checkSetUp(const Thread &t, const MathOp &op) {
  const Core &core = cores[t.core];
  int present = op.unit == MathOp::Unit::Matrix   ? core.matrixSetUp
                : op.unit == MathOp::Unit::Vector ? core.vectorSetUp
                                                  : core.packSetUp;
  if (present == op.setUp)
    return true;
  undefined(t, "needs the set-up '" + program.setUps[op.setUp] + "' but runs " +
                   (present < 0 ? "under none"
                                : "under '" + program.setUps[present] + "'"));
  return false;
}

std::optional<int> Simulation::dstTile(const Thread &t, const DstRange &range,
                                       int64_t index, int64_t count) {
  if (index >= 0 && index + count <= range.tiles)
    return range.first + static_cast<int>(index);
  undefined(t, "tiles " + llvm::Twine(index) + " to " +
                   llvm::Twine(index + count - 1) + " of a register of " +
                   llvm::Twine(range.tiles));
  return std::nullopt;
}

std::optional<llvm::SmallVector<int, 4>>
Simulation::dstTiles(const Thread &t, const Instruction &i,
                     llvm::ArrayRef<DstRange> of) {
  llvm::SmallVector<int, 4> at;
  for (auto [range, index] : llvm::zip(of, i.r)) {
    auto tile = dstTile(t, range, t.registers[index]);
    if (!tile)
      return std::nullopt;
    at.push_back(*tile);
  }
  return at;
}

//===--- Operations -------------------------------------------------------===//

Simulation::Step Simulation::matmul(Thread &t, const Instruction &i) {
  const MathOp &op = program.maths[i.imm];
  const int64_t *r = t.registers.data();
  int64_t count = op.rows * op.columns;
  auto at = dstTile(t, op.into, r[i.r[2]], count);
  if (!checkSetUp(t, op) || !at)
    return Step::Halted;
  int64_t lhs = 0;
  for (int row = 0; row < op.rows; ++row) {
    auto slot =
        source(t, op.lhs, Side::Consumer, r[i.r[0]] + row * op.inner, 1);
    if (!slot)
      return Step::Halted;
    if (row == 0)
      lhs = *slot;
  }
  auto rhs = source(t, op.rhs, Side::Consumer, r[i.r[1]], op.columns);
  if (!rhs)
    return Step::Halted;
  t.now += i.cost;
  products += count;
  for (int tile = 0; tile < count; ++tile)
    holdsOf(t, *at + tile) = kValues;
  if (tiles)
    tiles->matmul(t.core, mathHalf(t), op, lhs, *rhs, *at);
  return Step::Next;
}

Simulation::Step Simulation::binary(Thread &t, const Instruction &i) {
  const MathOp &op = program.maths[i.imm];
  const int64_t *r = t.registers.data();
  auto lhs = source(t, op.lhs, Side::Consumer, r[i.r[0]], 1);
  auto rhs = source(t, op.rhs, Side::Consumer, r[i.r[1]], 1);
  auto at = dstTile(t, op.into, r[i.r[2]]);
  if (!checkSetUp(t, op) || !lhs || !rhs || !at)
    return Step::Halted;
  if (op.arithmetic == FpuBinary::Mul && holdsOf(t, *at) != kFresh)
    return undefined(t, "multiplies into a tile of Dst that already holds "
                        "values, to which the matrix unit adds; use a tile "
                        "nothing has written in this task.dst");
  computed(t, i, *at);
  if (tiles)
    tiles->binary(t.core, mathHalf(t), op, *lhs, *rhs, *at);
  return Step::Next;
}

Simulation::Step Simulation::copyTile(Thread &t, const Instruction &i) {
  const MathOp &op = program.maths[i.imm];
  const int64_t *r = t.registers.data();
  auto slot = source(t, op.lhs, Side::Consumer, r[i.r[0]], 1);
  auto at = dstTile(t, op.into, r[i.r[1]]);
  if (!checkSetUp(t, op) || !slot || !at)
    return Step::Halted;
  computed(t, i, *at);
  int half = mathHalf(t);
  if (tiles && i.op == Op::Transpose)
    tiles->transpose(t.core, half, op, *slot, *at);
  else if (tiles)
    tiles->copy(t.core, half, op, *slot, *at);
  return Step::Next;
}

Simulation::Step Simulation::reduce(Thread &t, const Instruction &i) {
  const MathOp &op = program.maths[i.imm];
  const int64_t *r = t.registers.data();
  auto data = source(t, op.lhs, Side::Consumer, r[i.r[0]], 1);
  auto ones = source(t, op.rhs, Side::Consumer, 0, 1);
  auto at = dstTile(t, op.into, r[i.r[1]]);
  if (!checkSetUp(t, op) || !data || !ones || !at)
    return Step::Halted;
  int &holds = holdsOf(t, *at);
  if (holds != kFresh && holds != op.setUp)
    return undefined(t,
                     "reduces into a tile of Dst that already holds " +
                         llvm::Twine(holds == kValues ? "other values"
                                                      : "another reduction") +
                         "; use a tile nothing has written in this "
                         "task.dst");
  t.now += i.cost;
  if (tiles)
    tiles->reduce(t.core, mathHalf(t), op, *data, *ones, *at, holds == kFresh);
  holds = op.setUp;
  return Step::Next;
}

Simulation::Step Simulation::sfpu(Thread &t, const Instruction &i) {
  const MathOp &op = program.maths[i.imm];
  auto at = dstTile(t, op.into, t.registers[i.r[0]]);
  if (!checkSetUp(t, op) || !at)
    return Step::Halted;
  computed(t, i, *at);
  std::optional<int64_t> number;
  if (i.hasNumber())
    number = t.registers[i.r[1]];
  if (tiles && i.op == Op::FillDst)
    tiles->fillDst(t.core, mathHalf(t), op, *at, number);
  else if (tiles)
    tiles->sfpu(t.core, mathHalf(t), op, *at, number);
  return Step::Next;
}

Simulation::Step Simulation::sfpuBinary(Thread &t, const Instruction &i) {
  const MathOp &op = program.maths[i.imm];
  auto at = dstTiles(t, i, {op.first, op.second, op.into});
  if (!checkSetUp(t, op) || !at)
    return Step::Halted;
  computed(t, i, at->back());
  if (tiles)
    tiles->sfpuBinary(t.core, mathHalf(t), op, (*at)[0], (*at)[1], at->back());
  return Step::Next;
}

Simulation::Step Simulation::where(Thread &t, const Instruction &i) {
  const MathOp &op = program.maths[i.imm];
  auto at = dstTiles(t, i, {op.first, op.second, op.third, op.into});
  if (!checkSetUp(t, op) || !at)
    return Step::Halted;
  computed(t, i, at->back());
  if (tiles)
    tiles->where(t.core, mathHalf(t), (*at)[0], (*at)[1], (*at)[2], at->back());
  return Step::Next;
}

Simulation::Step Simulation::pack(Thread &t, const Instruction &i) {
  const MathOp &op = program.maths[i.imm];
  const int64_t *r = t.registers.data();
  auto slot = place(t, op.lhs, Side::Producer, r[i.r[0]], 1);
  auto from = dstTile(t, op.into, r[i.r[1]]);
  if (!checkSetUp(t, op) || !slot || !from)
    return Step::Halted;
  t.now += i.cost;
  written(t.core, op.lhs, *slot);
  if (tiles)
    tiles->pack(t.core, cores[t.core].packed % kHalves, op, *slot, *from);
  return Step::Next;
}

//===--- Halves of Dst ----------------------------------------------------===//

Simulation::Step Simulation::acquire(Thread &t, const Instruction &i) {
  Core &core = cores[t.core];
  if (core.acquired - core.packed == kHalves)
    return block(t, Stall::Dst, 0);
  if (tiles)
    tiles->clearHalf(t.core, core.acquired % kHalves);
  ++core.acquired;
  std::fill_n(&holdsOf(t, 0), program.dstTiles, kFresh);
  t.now += i.cost;
  return Step::Next;
}

Simulation::Step Simulation::commit(Thread &t, const Instruction &i) {
  Core &core = cores[t.core];
  ++core.committed;
  if (i.imm) // a reduction's set-up is undone
    core.matrixSetUp = -1;
  wake(t.core, Stall::Math, kCommitted, t.now);
  return Step::Next;
}

Simulation::Step Simulation::dstWait(Thread &t) {
  const Core &core = cores[t.core];
  if (core.committed == core.packed)
    return block(t, Stall::Math, kCommitted);
  return Step::Next;
}

Simulation::Step Simulation::dstRelease(Thread &t) {
  ++cores[t.core].packed;
  wake(t.core, Stall::Dst, 0, t.now);
  return Step::Next;
}

} // namespace drawloom::sim
