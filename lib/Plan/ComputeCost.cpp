// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prices stages: what each tile takes in the units, and what set-ups add.

#include "ComputeCost.h"

#include "drawloom/Machine/ExactParts.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace llvm;

namespace drawloom::plan {
namespace {

class StageCost {
public:
  StageCost(const Stage &stage, const Problem &problem, const MachineModel &machine,
            Fidelity fidelity)
      : stage(stage), problem(problem), machine(machine), fidelity(fidelity) {}

  double cycles() const;
  /// A product over the deliveries of its loop: see below.
  double chunkedProduct(const Candidate &candidate) const;
  /// Cycles of the vector unit and of copies for one tile.
  double perTile() const;

private:
  double cost(Cost kind) const { return machine.cycles(kind).value_or(0); }
  double tileOp(TileOp op, Format lhs, Format rhs) const {
    auto cycles = machine.tileOp(op, lhs, rhs, fidelity);
    return cycles ? cycles->bound() : 0;
  }
  double copy(Format format) const {
    return tileOp(is32Bit(format) ? TileOp::CopyToDst : TileOp::Copy, format, format);
  }
  int64_t capacity() const { return machine.dstTiles(problem.dst32).value_or(1); }
  /// Result tiles that go through Dst together.
  int64_t together() const;
  double headCycles() const;
  double packCycles() const;
  /// How the head takes its operands, if in parts.
  std::optional<ExactParts> parts() const;
  double cutCycles() const;

  const Stage &stage;
  const Problem &problem;
  const MachineModel &machine;
  Fidelity fidelity;
};

int64_t StageCost::together() const {
  if (stage.head != Stage::Product)
    return 1;
  int64_t most = 1;
  for (int64_t tiles = 1; tiles <= std::min(stage.tiles, capacity()); ++tiles)
    if (stage.tiles % tiles == 0)
      most = tiles;
  return most;
}

std::optional<ExactParts> StageCost::parts() const {
  bool wide = stage.lhs == Format::FP32 || stage.rhs == Format::FP32;
  if (!problem.exact || !wide || stage.head != Stage::Product || !machine.matrixNumbers())
    return std::nullopt;
  return ExactParts(*machine.matrixNumbers());
}

/// Each part of an operand's tile is rounded, taken away and packed.
double StageCost::cutCycles() const {
  auto cut = parts();
  if (!cut)
    return 0;
  double part = 3 * (machine.sfpuCycles("add", true).value_or(0) + cost(Cost::InitSfpu)) +
                2 * copy(Format::FP32) + machine.packCycles(Format::BF16).value_or(0);
  // A block of as many rows as columns.
  double operand = std::sqrt(double(stage.tiles)) * stage.inner;
  return operand * (cut->left.count + cut->right.count) * part;
}

/// Of all result tiles.
double StageCost::headCycles() const {
  auto cut = parts();
  switch (stage.head) {
  case Stage::None:
    return 0;
  case Stage::Product:
    if (cut)
      return cutCycles() + stage.tiles * stage.inner * cut->products.size() *
                               machine.matmulCycles(Format::BF16, Format::BF16, fidelity, together() > 1).value_or(0);
    return stage.tiles * stage.inner *
           machine.matmulCycles(stage.lhs, stage.rhs, fidelity, together() > 1).value_or(0);
  case Stage::Reduction:
    return stage.tiles * (cost(Cost::InitReduce) +
                          stage.inner * tileOp(stage.headOp, stage.lhs, Format::BF16));
  case Stage::Transposition:
    return stage.tiles * (cost(Cost::InitTranspose) + tileOp(stage.headOp, stage.lhs, stage.lhs));
  }
  return 0;
}

/// Set-ups stand in front of a loop over tiles only where it needs one of a
/// kind; otherwise each tile pays for each change.
double StageCost::perTile() const {
  double cycles = 0;
  for (const Stage::Step &step : stage.steps)
    cycles += tileOp(step.op, step.lhs, step.rhs);
  for (const std::string &function : stage.functions)
    cycles += machine.sfpuCycles(function, problem.dst32).value_or(0);
  // Unpackers are configured anew where formats change.
  size_t steps = stage.steps.size();
  if (steps + (stage.head != Stage::None) > 1)
    for (size_t i = 0; i < steps; ++i) {
      const Stage::Step &before = stage.steps[i ? i - 1 : steps - 1];
      bool changes = before.lhs != stage.steps[i].lhs || before.rhs != stage.steps[i].rhs;
      cycles += cost(Cost::InitCopy) + (changes ? cost(Cost::ReconfigUnpack) : 0);
    }
  size_t changes = 0;
  for (size_t i = 0, e = stage.functions.size(); i < e; ++i)
    changes += stage.functions[i] != stage.functions[i ? i - 1 : e - 1];
  return cycles + changes * cost(Cost::InitSfpu);
}

double StageCost::packCycles() const {
  double cycles = 0;
  for (Format target : stage.targets)
    cycles += machine.packCycles(target).value_or(0);
  if (stage.targets.size() > 1)
    cycles += stage.targets.size() * cost(Cost::ReconfigPack);
  return cycles;
}

double StageCost::cycles() const {
  double sections = divideCeil(stage.tiles, together());
  double math = sections * cost(Cost::DstAcquire) + headCycles() + stage.tiles * perTile();
  if (stage.head == Stage::Product)
    math += (stage.steps.empty() ? 1 : sections) *
            (cost(Cost::InitMatmul) + cost(Cost::ReconfigUnpack));
  else if (stage.head == Stage::None)
    math += cost(Cost::InitCopy) + cost(Cost::ReconfigUnpack);
  double once = (stage.functions.empty() ? 0 : cost(Cost::InitSfpu)) + cost(Cost::ComputeWait) +
                cost(Cost::ComputePop);
  double pack = stage.tiles * packCycles() + sections * cost(Cost::DstRelease);
  if (stage.head == Stage::Reduction)
    pack += stage.tiles * cost(Cost::InitReduce);
  double tail = packCycles() * together() + cost(Cost::DstRelease) + cost(Cost::ComputePush);
  return once + std::max(math, pack) + tail;
}

/// A simple program's product takes its loop in chunks. A result that Dst
/// cannot hold goes block by block, to L1 and back for every chunk.
double StageCost::chunkedProduct(const Candidate &candidate) const {
  double trip = stage.loops.empty() ? 1 : candidate.trips[stage.loops.back()];
  double chunks = divideCeil(int64_t(trip), std::min(candidate.chunk, std::max<int64_t>(trip, 1)));
  double math = trip * headCycles();
  double sections = stage.tiles <= capacity() ? 1 : chunks * divideCeil(stage.tiles, together());
  math += sections * (cost(Cost::DstAcquire) + cost(Cost::InitMatmul));
  math += chunks * 2 * (cost(Cost::ComputeWait) + cost(Cost::ComputePop));
  if (stage.tiles > capacity()) {
    Format partial = problem.dst32 ? Format::FP32 : Format::BF16;
    math += (chunks - 1) * (stage.tiles * copy(partial) +
                            divideCeil(stage.tiles, together()) *
                                (cost(Cost::InitCopy) + 2 * cost(Cost::ReconfigUnpack)));
  }
  return math;
}

} // namespace

std::vector<double> stageCycles(const Problem &problem, const Candidate &candidate,
                                const MachineModel &machine, Fidelity fidelity) {
  std::vector<double> cycles;
  bool afterProduct = false;
  for (const Stage &stage : problem.stages) {
    StageCost cost(stage, problem, machine, fidelity);
    if (problem.isSimple && stage.head == Stage::Product) {
      cycles.push_back(cost.chunkedProduct(candidate));
      afterProduct = true;
      continue;
    }
    double iterations = 1;
    for (int loop : stage.loops)
      iterations *= candidate.trips[loop];
    // A product's end is computed where its blocks are in Dst.
    cycles.push_back(afterProduct ? stage.tiles * cost.perTile() : iterations * cost.cycles());
  }
  return cycles;
}

double computeCycles(const Problem &problem, const Candidate &candidate,
                     const MachineModel &machine, Fidelity fidelity) {
  std::vector<double> stages = stageCycles(problem, candidate, machine, fidelity);
  return std::accumulate(stages.begin(), stages.end(), 0.0);
}

} // namespace drawloom::plan
