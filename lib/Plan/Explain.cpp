// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans in words: for a terminal and as JSON.

#include "drawloom/Plan/Explain.h"

#include "ComputeCost.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatAdapters.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace drawloom::plan {
namespace {

std::string dimName(int dim) { return dim < 3 ? std::string(1, "ijk"[dim]) : formatv("d{0}", dim).str(); }

double microseconds(double cycles, const MachineModel &machine) {
  return cycles / (machine.clockGHz().value_or(1) * 1e3);
}

std::string networkName(int network, const MachineModel &machine) {
  return machine.network(network).name;
}

/// The loads of a problem in program order.
SmallVector<const Access *> loadsOf(const Problem &problem) {
  SmallVector<const Access *> loads;
  for (const Access &access : problem.accesses)
    if (!access.isStore)
      loads.push_back(&access);
  return loads;
}

std::string describeTravel(const Travel &travel, const MachineModel &machine) {
  if (!travel.along)
    return "read by every core on " + networkName(travel.network, machine);
  SmallVector<std::string> along;
  for (auto [axis, dim] : enumerate(machine.dims()))
    if (travel.along >> axis & 1)
      along.push_back(dim.name);
  return formatv("multicast along {0} by {1} on {2}", join(along, " and "),
                 travel.group ? "a group" : "one core", networkName(travel.network, machine));
}

/// Short form of a load for the table: "A:mc x group/0 h1".
std::string shortLoad(const Access &load, const LoadChoice &choice, const MachineModel &machine) {
  std::string text = load.array + ":";
  if (choice.travel.along) {
    for (auto [axis, dim] : enumerate(machine.dims()))
      if (choice.travel.along >> axis & 1)
        text += dim.name;
    text += choice.travel.group ? "*" : "1";
  } else {
    text += "own";
  }
  text += formatv("/{0} h{1}", choice.travel.network, choice.hoist);
  return text;
}

std::string shortMapping(const Mapping &mapping, const MachineModel &machine) {
  SmallVector<std::string> parts;
  for (const Digit &digit : mapping.digits)
    if (digit.size > 1)
      parts.push_back(digit.axis < 0 ? formatv("{0}:wave{1}", dimName(digit.dim), digit.size).str()
                                     : formatv("{0}:{1}{2}", dimName(digit.dim),
                                               machine.dims()[digit.axis].name, digit.size)
                                           .str());
  return parts.empty() ? "one core" : join(parts, " ");
}

/// "a 32 x 2048 B x 2 + ... = 1500000 of 1393312 B": why a plan does not fit.
void printOverflow(raw_ostream &os, const Candidate &candidate, const Problem &problem,
                   const MachineModel &machine) {
  SmallVector<std::string> terms;
  for (const BufferBytes &buffer : buffersOf(problem, candidate, machine))
    terms.push_back(formatv("{0} {1} x {2} B x {3}", buffer.name, buffer.tiles, buffer.tileBytes,
                            buffer.depth));
  os << formatv("The smallest that does not fit L1 ({0}, chunks of {1}): {2} = {3} of {4} B.\n",
                shortMapping(candidate.mapping, machine), candidate.chunk, join(terms, " + "),
                candidate.estimate.l1Bytes, usableBytes(machine));
}

/// What a program that is more than a product computes, keeps and guesses.
void printBody(raw_ostream &os, const PlanResult &result, const Problem &problem,
               const MachineModel &machine) {
  const Candidate &best = result.best.front();
  double waves = best.mapping.waveCount();
  SmallVector<std::pair<double, std::string>> stages;
  for (auto [stage, cycles] :
       zip(problem.stages, stageCycles(problem, best, machine, result.fidelity)))
    stages.push_back({microseconds(cycles * waves, machine), stage.name});
  llvm::stable_sort(stages, [](const auto &a, const auto &b) { return a.first > b.first; });
  SmallVector<std::string> longest, kept;
  for (const auto &[time, name] : ArrayRef(stages).take_front(4))
    longest.push_back(formatv("{0} {1:F1} us", name, time));
  os << formatv("Of the compute: {0}.\n", join(longest, ", "));
  for (const Resident &resident : problem.residents)
    kept.push_back(formatv("{0} {1:F0} KiB", resident.name,
                           resident.tiles * resident.copies * resident.tileBytes / 1024.0));
  if (!kept.empty())
    os << formatv("Kept in L1 between operations: {0}.\n", join(kept, ", "));
  for (const Loop &loop : problem.loops)
    if (loop.isGuessed && loop.loop())
      os << formatv("A loop whose bounds are in memory is taken to run {0:F0} times.\n", loop.trip);
}

/// What the program's arithmetic keeps, and what would make it keep more.
void printPrecision(raw_ostream &os, const PlanResult &result, const Problem &problem,
                    const MachineModel &machine) {
  os << formatv("Precision: Dst holds {0}, the matrix unit runs {1}", problem.dst32 ? "f32" : "bf16",
                stringifyFidelity(result.fidelity));
  if (machine.vectorNumbers())
    os << formatv(", exp and the like are right to {0} bits", machine.vectorNumbers()->functionBits);
  if (problem.powersOfTwo)
    os << ", e^x is 2^(x log2 e) for speed (--exp exact takes exp)";
  if (problem.approximates)
    os << ", exponentials are approximate, a line between powers of two";
  if (problem.takesWide && problem.exact)
    os << ", f32 operands of products and sums are taken whole, in parts";
  else if (problem.takesWide && machine.matrixNumbers())
    os << formatv(", f32 operands of products and sums are cut to {0} bits (TF32; --precision exact takes "
                  "them whole)",
                  machine.matrixNumbers()->srcMantissaBits + 1);
  os << ".\n";
}

} // namespace

std::string describeMapping(const Mapping &mapping, const MachineModel &machine) {
  SmallVector<std::string> parts;
  for (const Digit &digit : mapping.digits) {
    if (digit.size == 1)
      continue;
    if (digit.axis < 0)
      parts.push_back(formatv("{0} waves of {1}", digit.size, dimName(digit.dim)));
    else
      parts.push_back(formatv("{0} over {1} ({2})", dimName(digit.dim),
                              machine.dims()[digit.axis].name, digit.size));
  }
  return parts.empty() ? "everything on one core" : join(parts, ", ");
}

std::string describeLoad(const Access &load, const LoadChoice &choice, const Problem &problem,
                         const Candidate &candidate, const MachineModel &machine) {
  Nest nest = nestOf(load, candidate);
  int64_t deliveries = std::llround(nest.deliveries(choice.hoist));
  return formatv("{0} {1}, {2} tile{3} a delivery, {4}, {5} deep", load.array,
                 describeTravel(choice.travel, machine),
                 load.tiles * nest.footprint(choice.hoist),
                 load.tiles * nest.footprint(choice.hoist) == 1 ? "" : "s",
                 deliveries == 1 ? "once" : formatv("{0} times", deliveries).str(), choice.depth);
}

std::string summarize(const Candidate &candidate, const Problem &problem,
                      const MachineModel &machine) {
  std::string text = describeMapping(candidate.mapping, machine);
  for (auto [load, choice] : zip(loadsOf(problem), candidate.loads))
    text += "; " + load->array + " " + describeTravel(choice.travel, machine);
  text += formatv("; bound by {0}", candidate.estimate.bound);
  return text;
}

void printTable(raw_ostream &os, const PlanResult &result, const Problem &problem,
                const MachineModel &machine) {
  SmallVector<std::pair<std::string, std::string>> names;
  size_t mapWidth = 7, loadWidth = 5;
  for (const Candidate &candidate : result.best) {
    std::string loads;
    for (auto [load, choice] : zip(loadsOf(problem), candidate.loads))
      loads += (loads.empty() ? "" : "  ") + shortLoad(*load, choice, machine);
    names.push_back({shortMapping(candidate.mapping, machine), loads});
    mapWidth = std::max(mapWidth, names.back().first.size());
    loadWidth = std::max(loadWidth, loads.size());
  }
  os << formatv("{0} candidates, {1} fit L1; the best {2}:\n", result.enumerated, result.legal(),
                result.best.size());
  auto row = [&](StringRef rank, StringRef mapping, StringRef loads, StringRef chunk, StringRef l1,
                 StringRef dram, StringRef us, StringRef bound) {
    os << formatv("{0,3}  {1}  {2}  {3,5}  {4,8}  {5,9}  {6,9}  {7}\n", rank,
                  fmt_align(mapping, AlignStyle::Left, mapWidth),
                  fmt_align(loads, AlignStyle::Left, loadWidth), chunk, l1, dram, us, bound);
  };
  row("", "mapping", "loads", "chunk", "L1 KiB", "DRAM MiB", "us", "bound by");
  for (auto [rank, candidate] : enumerate(result.best)) {
    const Estimate &e = candidate.estimate;
    row(itostr(rank + 1), names[rank].first, names[rank].second, itostr(candidate.chunk),
        formatv("{0:F1}", e.l1Bytes / 1024.0).str(),
        formatv("{0:F2}", e.dramBytes / 1048576.0).str(),
        formatv("{0:F1}", microseconds(e.total, machine)).str(), e.bound);
  }
  const Estimate &first = result.best.front().estimate;
  os << formatv("The first is bound by {0}: compute {1:F1} us, data movers {2:F1} and {3:F1}, DRAM "
                "{4:F1}, NoC links {5:F1}; fill and drain {6:F1}, launch {7:F1}.\n",
                first.bound, microseconds(first.compute, machine),
                microseconds(first.mover[0], machine), microseconds(first.mover[1], machine),
                microseconds(first.dram, machine), microseconds(first.links, machine),
                microseconds(first.fill, machine), microseconds(first.launch, machine));
  if (!problem.isSimple)
    printBody(os, result, problem, machine);
  printPrecision(os, result, problem, machine);
  if (result.smallestOverflow)
    printOverflow(os, *result.smallestOverflow, problem, machine);
  if (result.best.size() > 1) {
    const Estimate &second = result.best[1].estimate;
    os << formatv("The second takes {0:F1} us more, bound by {1}.\n",
                  microseconds(second.total - first.total, machine), second.bound);
  }
}

json::Object toJson(const PlanResult &result, size_t chosen, const Problem &problem,
                    const MachineModel &machine) {
  const Candidate &winner = result.best[chosen];
  json::Array loads, best;
  for (auto [load, choice] : zip(loadsOf(problem), winner.loads))
    loads.push_back(describeLoad(*load, choice, problem, winner, machine));
  for (const Candidate &candidate : result.best)
    best.push_back(json::Object{
        {"summary", summarize(candidate, problem, machine)},
        {"chunk", candidate.chunk},
        {"l1_bytes", candidate.estimate.l1Bytes},
        {"dram_bytes", candidate.estimate.dramBytes},
        {"estimate_us", microseconds(candidate.estimate.total, machine)},
        {"bound", candidate.estimate.bound}});
  return json::Object{
      {"summary", summarize(winner, problem, machine)},
      {"mapping", describeMapping(winner.mapping, machine)},
      {"chunk", winner.chunk},
      {"loads", std::move(loads)},
      {"bound", winner.estimate.bound},
      {"candidates", json::Object{{"enumerated", result.enumerated}, {"legal", result.legal()}}},
      {"best", std::move(best)}};
}

} // namespace drawloom::plan
