// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumerates, prunes, prices and ranks candidates.

#include "drawloom/Plan/Search.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace drawloom::plan {
namespace {

/// Whether `a` is no worse than `b` anywhere, on the same network.
bool dominates(const Option &a, const Option &b) {
  return a.choice.travel.network == b.choice.travel.network && a.bytes <= b.bytes &&
         a.mover <= b.mover && a.first <= b.first && a.dram <= b.dram && a.links <= b.links;
}

/// Combinations beyond which only promising ones are tried.
constexpr int64_t kMostCombinations = 1024;

int64_t combinations(ArrayRef<std::vector<Option>> perLoad) {
  int64_t count = 1;
  for (const std::vector<Option> &options : perLoad)
    count = SaturatingMultiply<uint64_t>(count, options.size());
  return count;
}

/// Choices for the first loads of a program, and their sums.
struct Partial {
  SmallVector<LoadChoice> choices;
  std::array<double, 2> mover = {0, 0};
  double dram = 0, links = 0;
  int64_t bytes = 0;

  Partial with(const Option &option) const {
    Partial next = *this;
    next.choices.push_back(option.choice);
    next.mover[std::min(option.choice.travel.network, 1)] += option.mover;
    next.dram += option.dram;
    next.links += option.links;
    next.bytes += option.bytes;
    return next;
  }
  double cost() const { return std::max({mover[0], mover[1], dram, links}); }
};

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
    for (const Mapping &mapping :
         enumerateMappings(problem.extents, machine.dims(), problem.ordered)) {
      Candidate candidate{mapping, tripsUnder(mapping, problem), 1, {}, {}};
      for (int64_t chunk : enumerateChunks(problem)) {
        candidate.chunk = chunk;
        tryAll(candidate);
      }
    }
    sort();
  }

  PlanResult result;

private:
  void tryAll(Candidate candidate) {
    std::vector<std::vector<Option>> perLoad;
    int64_t points = 1;
    for (const Access *load : loads) {
      std::vector<Option> all = optionsOf(*load, candidate);
      points = SaturatingMultiply<uint64_t>(points, all.size());
      perLoad.push_back(undominated(std::move(all)));
    }
    result.enumerated += points;
    candidate.loads.assign(loads.size(), {});
    int64_t fixed = fixedBytes(candidate);
    int64_t before = priced;
    if (problem.isSimple || combinations(perLoad) <= kMostCombinations)
      combine(candidate, perLoad, 0, fixed);
    else
      combinePromising(candidate, perLoad, fixed);
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
    Nest nest = nestOf(load, candidate);
    return load.tiles * nest.footprint(choice.hoist) * choice.depth * load.tileBytes;
  }

  std::vector<Option> optionsOf(const Access &load, const Candidate &candidate) {
    Nest nest = nestOf(load, candidate);
    std::vector<Option> all;
    int levels = nest.trips.size();
    for (const Travel &travel : enumerateTravels(load, candidate.mapping, machine.dims().size(),
                                                 std::min(2, machine.networkCount())))
      for (int hoist = 0; hoist <= (load.canHoist ? levels : 0) && nest.covers(hoist); ++hoist)
        for (int64_t depth : {2, 1}) {
          bool repeats = nest.deliveries(hoist) > 1;
          if (depth == 2 && !(repeats && load.canPrefetch))
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

  /// With many loads, extends the most promising choices load by load: the
  /// cheapest by their busiest resource, and some of the smallest.
  void combinePromising(Candidate &candidate, ArrayRef<std::vector<Option>> perLoad,
                        int64_t fixed) {
    constexpr size_t kCheapest = 48, kSmallest = 16;
    std::vector<Partial> partials(1);
    partials.front().bytes = fixed;
    for (ArrayRef<Option> options : perLoad) {
      std::vector<Partial> extended;
      for (const Partial &partial : partials)
        for (const Option &option : options)
          extended.push_back(partial.with(option));
      if (extended.size() > kCheapest + kSmallest) {
        std::stable_sort(extended.begin(), extended.end(), [](const Partial &a, const Partial &b) {
          return std::pair(a.cost(), a.bytes) < std::pair(b.cost(), b.bytes);
        });
        std::stable_sort(extended.begin() + kCheapest, extended.end(),
                         [](const Partial &a, const Partial &b) { return a.bytes < b.bytes; });
        extended.resize(kCheapest + kSmallest);
      }
      partials = std::move(extended);
    }
    for (const Partial &partial : partials) {
      candidate.loads = partial.choices;
      consider(candidate, partial.bytes);
    }
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
  searcher.result.fidelity = options.fidelity;
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
