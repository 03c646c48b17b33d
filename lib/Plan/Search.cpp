// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumerates, prunes, prices and ranks candidates.

#include "drawloom/Plan/Search.h"

#include "mlir/IR/Diagnostics.h"
#include <algorithm>

using namespace llvm;

namespace drawloom::plan {
namespace {

/// Whether `a` is no worse than `b` anywhere, on the same network.
bool dominates(const Option &a, const Option &b) {
  return a.choice.travel.network == b.choice.travel.network && a.bytes <= b.bytes &&
         a.mover <= b.mover && a.first <= b.first && a.dram <= b.dram && a.links <= b.links;
}

class Searcher {
public:
  Searcher(const Problem &problem, const MachineModel &machine, const PlanOptions &options,
           Estimator &estimator)
      : problem(problem), machine(machine), options(options), estimator(estimator),
        usable(usableBytes(machine)) {
    for (const Access &access : problem.accesses)
      if (!access.isStore)
        loads.push_back(&access);
  }

  void run() {
    for (const Mapping &mapping : enumerateMappings(problem.extents, machine.dims()))
      for (int64_t chunk : enumerateChunks(problem))
        tryAll(mapping, chunk);
    sort();
  }

  PlanResult result;

private:
  void tryAll(const Mapping &mapping, int64_t chunk) {
    Candidate candidate{mapping, chunk, {}, {}};
    std::vector<std::vector<Option>> perLoad;
    int64_t points = 1;
    for (const Access *load : loads) {
      std::vector<Option> all = optionsOf(*load, candidate);
      points *= all.size();
      perLoad.push_back(undominated(std::move(all)));
    }
    result.enumerated += points;
    candidate.loads.resize(loads.size());
    int64_t fixed = fixedBytes(candidate);
    int64_t before = priced;
    combine(candidate, perLoad, 0, fixed);
    if (priced == before)
      result.overflowing += points;
  }

  /// L1 bytes of what is not a load: results and accumulators.
  int64_t fixedBytes(const Candidate &candidate) const {
    int64_t bytes = 0, load = 0;
    for (const BufferBytes &buffer : buffersOf(problem, candidate, machine))
      bytes += buffer.bytes();
    for (const Access *access : loads)
      bytes -= loadBytes(*access, candidate, candidate.loads[load++]);
    return bytes;
  }

  int64_t loadBytes(const Access &load, const Candidate &candidate,
                    const LoadChoice &choice) const {
    Nest nest = nestOf(load, problem, candidate.mapping, candidate.chunk);
    return load.tiles * nest.footprint(choice.hoist) * choice.depth * load.tileBytes;
  }

  std::vector<Option> optionsOf(const Access &load, const Candidate &candidate) {
    Nest nest = nestOf(load, problem, candidate.mapping, candidate.chunk);
    std::vector<Option> all;
    int levels = nest.trips.size();
    for (const Travel &travel : enumerateTravels(load, candidate.mapping, machine.dims().size(),
                                                 std::min(2, machine.networkCount())))
      for (int hoist = 0; hoist <= levels && nest.covers(hoist); ++hoist)
        for (int64_t depth : {2, 1}) {
          bool once = nest.deliveries(hoist) == 1;
          if (once && depth == 2)
            continue; // nothing to overlap with
          LoadChoice choice{travel, hoist, depth};
          Option option = estimator.priceLoad(load, choice, candidate);
          option.bytes = loadBytes(load, candidate, choice);
          all.push_back(option);
        }
    return all;
  }

  static std::vector<Option> undominated(std::vector<Option> all) {
    std::vector<Option> kept;
    for (size_t i = 0; i < all.size(); ++i) {
      bool beaten = false;
      for (size_t j = 0; j < all.size() && !beaten; ++j)
        beaten = i != j && dominates(all[j], all[i]) && (!dominates(all[i], all[j]) || j < i);
      if (!beaten)
        kept.push_back(all[i]);
    }
    return kept;
  }

  void combine(Candidate &candidate, ArrayRef<std::vector<Option>> perLoad, size_t load,
               int64_t bytes) {
    if (load == perLoad.size()) {
      consider(candidate, bytes);
      return;
    }
    for (const Option &option : perLoad[load]) {
      candidate.loads[load] = option.choice;
      combine(candidate, perLoad, load + 1, bytes + option.bytes);
    }
  }

  void consider(Candidate candidate, int64_t bytes) {
    candidate.estimate.l1Bytes = bytes;
    if (bytes > usable) {
      std::optional<Candidate> &smallest = result.smallestOverflow;
      if (!smallest || bytes < smallest->estimate.l1Bytes)
        smallest = std::move(candidate);
      return;
    }
    ++priced;
    candidate.estimate = estimator.estimate(candidate);
    candidate.estimate.l1Bytes = bytes;
    result.best.push_back(std::move(candidate));
    if (result.best.size() > size_t(64 * options.topK))
      sort();
  }

  void sort() {
    std::stable_sort(result.best.begin(), result.best.end(),
                     [](const Candidate &a, const Candidate &b) {
                       return std::tuple(a.estimate.total, a.estimate.dramBytes, a.estimate.l1Bytes) <
                              std::tuple(b.estimate.total, b.estimate.dramBytes, b.estimate.l1Bytes);
                     });
    if (result.best.size() > size_t(options.topK))
      result.best.resize(options.topK);
  }

  const Problem &problem;
  const MachineModel &machine;
  const PlanOptions &options;
  Estimator &estimator;
  int64_t usable;
  std::vector<const Access *> loads;
  int64_t priced = 0;
};

} // namespace

mlir::FailureOr<PlanResult> search(const Problem &problem, const MachineModel &machine,
                                   const PlanOptions &options) {
  mlir::FailureOr<Estimator> estimator = Estimator::create(problem, machine, options.fidelity);
  if (failed(estimator))
    return mlir::failure();
  Searcher searcher(problem, machine, options, *estimator);
  searcher.run();
  if (!searcher.result.best.empty())
    return std::move(searcher.result);
  tile::ProgramOp program = problem.program;
  const Candidate &smallest = *searcher.result.smallestOverflow;
  auto error = program.emitOpError("does not fit L1: the smallest of ")
               << searcher.result.enumerated << " plans needs " << smallest.estimate.l1Bytes
               << " of " << usableBytes(machine) << " bytes in every core; use smaller blocks";
  for (const BufferBytes &buffer : buffersOf(problem, smallest, machine))
    error.attachNote() << "buffer " << buffer.name << ": " << buffer.tiles << " tiles of "
                       << buffer.tileBytes << " bytes, " << buffer.depth
                       << " deep: " << buffer.bytes() << " bytes";
  return error;
}

} // namespace drawloom::plan
