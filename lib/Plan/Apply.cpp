// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a candidate into its program: from the logical to the mapped state.

#include "drawloom/Plan/Apply.h"

using namespace mlir;

namespace drawloom::plan {
namespace {

Attribute digitAttr(const Digit &digit, const MachineModel &machine, MLIRContext *context) {
  if (digit.axis < 0)
    return tile::WaveAttr::get(context, digit.dim, digit.size);
  return tile::SpaceAttr::get(context, digit.dim,
                              StringAttr::get(context, machine.dims()[digit.axis].name),
                              digit.size);
}

Attribute travelAttr(const Travel &travel, const MachineModel &machine, MLIRContext *context) {
  if (!travel.along)
    return tile::DirectAttr::get(context, travel.network);
  SmallVector<StringAttr> along;
  for (auto [axis, dim] : llvm::enumerate(machine.dims()))
    if (travel.along >> axis & 1)
      along.push_back(StringAttr::get(context, dim.name));
  return tile::MulticastAttr::get(
      context, along, travel.group ? tile::Senders::Group : tile::Senders::One, travel.network);
}

/// The loop whose iterations are taken in chunks: the innermost around a load
/// that depends on it.
void setChunk(const Access &access, int64_t chunk, const Problem &problem) {
  if (access.loops.empty() || chunk == 1)
    return;
  const Loop &loop = problem.loops[access.loops.back()];
  Builder builder(loop.op->getContext());
  int64_t taken = std::min(chunk, std::max<int64_t>(loop.trip, 1));
  loop.op->setAttr(tile::kChunkAttr, builder.getI64IntegerAttr(taken));
}

} // namespace

void apply(const Candidate &candidate, const Problem &problem, const MachineModel &machine,
           Fidelity fidelity) {
  tile::ProgramOp program = problem.program;
  MLIRContext *context = program.getContext();
  Builder builder(context);
  program.setMachine(machine.name());
  Type dst = problem.dst32 ? Type(builder.getF32Type()) : Type(builder.getBF16Type());
  auto operands = tile::takesExactOperands(program) ? tile::Operands::Exact : tile::Operands::Cut;
  program.setPrecisionAttr(tile::PrecisionAttr::get(context, fidelity, dst, operands));

  SmallVector<Attribute> digits;
  for (const Digit &digit : candidate.mapping.digits)
    digits.push_back(digitAttr(digit, machine, context));
  tile::GridOp grid = problem.grid;
  grid.setMappingAttr(builder.getArrayAttr(digits));

  size_t index = 0;
  for (const Access &access : problem.accesses) {
    auto load = dyn_cast<tile::LoadOp>(access.op);
    if (!load)
      continue;
    const LoadChoice &choice = candidate.loads[index++];
    load.setTravelAttr(travelAttr(choice.travel, machine, context));
    load.setHoist(choice.hoist);
    load.setDepth(choice.depth);
    setChunk(access, candidate.chunk, problem);
  }
}

} // namespace drawloom::plan
