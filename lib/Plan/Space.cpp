// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumerates the planning space: mappings, travels, hoist levels and chunks.

#include "drawloom/Plan/Space.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace drawloom::plan {

//===-- Mapping -------------------------------------------------------------//

SmallVector<Digit> Mapping::waves() const {
  SmallVector<Digit> waves;
  for (const Digit &digit : digits)
    if (digit.axis < 0 && digit.size > 1)
      waves.push_back(digit);
  return waves;
}

int64_t Mapping::waveCount() const {
  int64_t count = 1;
  for (const Digit &digit : waves())
    count *= digit.size;
  return count;
}

int64_t Mapping::used(int axis) const {
  int64_t size = 1;
  for (const Digit &digit : digits)
    if (digit.axis == axis)
      size *= digit.size;
  return size;
}

SmallVector<int> Mapping::dimsOn(int axis) const {
  SmallVector<int> dims;
  for (const Digit &digit : digits)
    if (digit.axis == axis)
      dims.push_back(digit.dim);
  return dims;
}

bool Mapping::isInnermost(const Digit &digit) const {
  for (const Digit &other : reverse(digits))
    if (other.dim == digit.dim && other.size > 1)
      return other.axis == digit.axis;
  return true;
}

namespace {

/// The grid dimensions that share a machine dimension: at most two, of which
/// the second takes its cores first.
using Sharers = SmallVector<int, 2>;

/// All choices for one machine dimension, and none.
SmallVector<Sharers> enumerateSharers(int dims) {
  SmallVector<Sharers> all = {{}};
  for (int outer = 0; outer < dims; ++outer) {
    all.push_back({outer});
    for (int inner = 0; inner < dims; ++inner)
      if (inner != outer)
        all.push_back({outer, inner});
  }
  return all;
}

/// Builds mappings for one assignment of machine dimensions to grid dimensions.
class MappingBuilder {
public:
  MappingBuilder(ArrayRef<int64_t> extents, ArrayRef<Dim> machine, ArrayRef<bool> ordered,
                 std::vector<Mapping> &out)
      : extents(extents), machine(machine), ordered(ordered), out(out) {}

  /// `order` lists machine dimensions, outermost digit first; `sharers` gives
  /// each the grid dimensions that it tiles.
  void build(ArrayRef<int> order, ArrayRef<const Sharers *> sharers) {
    SmallVector<Digit> space;
    SmallVector<int64_t> rest(extents);
    // The innermost digit is filled first, so that an outer one is only as
    // large as what is left.
    for (int axis : reverse(order)) {
      int64_t cores = machine[axis].size;
      for (int dim : reverse(*sharers[axis])) {
        if (size_t(dim) < ordered.size() && ordered[dim])
          continue;
        int64_t size = std::min(cores, rest[dim]);
        // Sharing is for what a whole small dimension leaves idle.
        bool isInner = cores == machine[axis].size;
        if (sharers[axis]->size() > 1 && (size == 1 || (isInner && size < extents[dim])))
          return;
        cores /= size;
        rest[dim] = divideCeil(rest[dim], size);
        space.insert(space.begin(), {dim, axis, size});
      }
    }
    // Digits of different dimensions do not nest in one another.
    llvm::stable_sort(space, [](const Digit &a, const Digit &b) { return a.dim < b.dim; });
    SmallVector<int> waveDims;
    for (int dim = 0, e = extents.size(); dim < e; ++dim)
      if (rest[dim] > 1)
        waveDims.push_back(dim);
    do {
      addWithWaves(space, waveDims, rest);
    } while (std::next_permutation(waveDims.begin(), waveDims.end()));
  }

private:
  /// Adds the mapping with each waved dimension cyclic (its waves outside its
  /// cores) or blocked (inside).
  void addWithWaves(ArrayRef<Digit> space, ArrayRef<int> waveDims,
                    ArrayRef<int64_t> rest) {
    for (unsigned blocked = 0; blocked < (1u << waveDims.size()); ++blocked) {
      Mapping mapping;
      SmallVector<Digit> inner;
      bool redundant = false;
      for (auto [position, dim] : enumerate(waveDims)) {
        bool spread = any_of(space, [&](const Digit &d) { return d.dim == dim; });
        bool block = blocked >> position & 1;
        redundant |= block && !spread; // without cores both are the same
        (block ? inner : mapping.digits).push_back({dim, -1, rest[dim]});
      }
      if (redundant)
        continue;
      // Wave order must be that of `waveDims` whatever mixture is blocked.
      if (!mapping.digits.empty() && !inner.empty() && !inOrder(waveDims, mapping.digits, inner))
        continue;
      append_range(mapping.digits, space);
      append_range(mapping.digits, inner);
      if (seen.insert(key(mapping)).second)
        out.push_back(std::move(mapping));
    }
  }

  static bool inOrder(ArrayRef<int> waveDims, ArrayRef<Digit> outer, ArrayRef<Digit> inner) {
    SmallVector<int> listed;
    for (const Digit &digit : outer)
      listed.push_back(digit.dim);
    for (const Digit &digit : inner)
      listed.push_back(digit.dim);
    return equal(listed, waveDims);
  }

  static std::vector<std::array<int64_t, 3>> key(const Mapping &mapping) {
    std::vector<std::array<int64_t, 3>> digits;
    for (const Digit &d : mapping.digits)
      digits.push_back({d.dim, d.axis, d.size});
    return digits;
  }

  ArrayRef<int64_t> extents;
  ArrayRef<Dim> machine;
  ArrayRef<bool> ordered;
  std::vector<Mapping> &out;
  std::set<std::vector<std::array<int64_t, 3>>> seen;
};

} // namespace

std::vector<Mapping> enumerateMappings(ArrayRef<int64_t> extents, ArrayRef<Dim> machine,
                                       ArrayRef<bool> ordered) {
  std::vector<Mapping> mappings;
  MappingBuilder builder(extents, machine, ordered, mappings);
  int axes = machine.size();
  SmallVector<Sharers> choices = enumerateSharers(extents.size());
  SmallVector<int> order = to_vector(seq(axes));
  do {
    SmallVector<const Sharers *> sharers(axes, choices.begin());
    // Count through all assignments.
    for (bool more = true; more;) {
      builder.build(order, sharers);
      more = false;
      for (const Sharers *&choice : sharers) {
        if (++choice != choices.end()) {
          more = true;
          break;
        }
        choice = choices.begin();
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return mappings;
}

//===-- Trips ---------------------------------------------------------------//

namespace {

/// The indices of one loop's grid dimensions, digit by digit.
class DigitWalk {
public:
  DigitWalk(const Mapping &mapping, const Problem &problem, const Loop &loop)
      : problem(problem), loop(loop) {
    for (const Digit &digit : mapping.digits)
      if (is_contained(loop.dims, digit.dim))
        (digit.axis < 0 ? waves : cores).push_back(&digit), all.push_back(&digit);
  }

  /// The largest of the cores' means.
  double busiest() {
    double most = 0;
    forEach(cores, 0, [&] {
      double sum = 0, count = 0;
      forEach(waves, 0, [&] { sum += here(), ++count; });
      most = std::max(most, sum / count);
    });
    return most;
  }

private:
  void forEach(ArrayRef<const Digit *> digits, size_t at, function_ref<void()> visit) {
    if (at == digits.size())
      return visit();
    for (int64_t value = 0; value < digits[at]->size; ++value) {
      values[digits[at]] = value;
      forEach(digits, at + 1, visit);
    }
  }
  /// Iterations at the point at hand; none at an idle one.
  double here() const {
    int64_t point = 0;
    for (int dim : loop.dims) {
      int64_t index = 0;
      for (const Digit *digit : all)
        if (digit->dim == dim)
          index = index * digit->size + values.lookup(digit);
      if (index >= problem.extents[dim])
        return 0;
      point = point * problem.extents[dim] + index;
    }
    return loop.tripsAt[point];
  }

  const Problem &problem;
  const Loop &loop;
  SmallVector<const Digit *> waves, cores, all;
  SmallDenseMap<const Digit *, int64_t> values;
};

} // namespace

SmallVector<double> tripsUnder(const Mapping &mapping, const Problem &problem) {
  SmallVector<double> trips;
  for (const Loop &loop : problem.loops)
    trips.push_back(loop.tripsAt.empty() ? loop.trip : DigitWalk(mapping, problem, loop).busiest());
  return trips;
}

//===-- Travel --------------------------------------------------------------//

std::vector<Travel> enumerateTravels(const Access &load, const Mapping &mapping,
                                     int machineDims, int networks) {
  unsigned reusable = 0;
  for (int axis = 0; load.canShare && axis < machineDims; ++axis) {
    SmallVector<int> dims = mapping.dimsOn(axis);
    bool spread = mapping.used(axis) > 1;
    if (spread && none_of(dims, [&](int dim) { return load.onGrid[dim]; }))
      reusable |= 1u << axis;
  }
  std::vector<Travel> travels;
  for (int network = 0; network < networks; ++network)
    for (unsigned along = 0; along < (1u << machineDims); ++along) {
      if (along & ~reusable)
        continue;
      travels.push_back({along, false, network});
      if (along)
        travels.push_back({along, true, network});
    }
  return travels;
}

//===-- Nest ----------------------------------------------------------------//

int64_t Nest::footprint(int hoist) const {
  int64_t tiles = inside;
  for (size_t level = trips.size() - hoist; level < trips.size(); ++level)
    if (dependent[level])
      tiles *= int64_t(trips[level]);
  return tiles;
}

bool Nest::covers(int hoist) const {
  for (size_t level = trips.size() - hoist; level < trips.size(); ++level)
    if (dependent[level] && !contiguous[level])
      return false;
  return true;
}

double Nest::deliveries(int hoist) const {
  double count = 1;
  for (size_t level = 0; level < trips.size() - hoist; ++level)
    count *= trips[level];
  return count;
}

Nest nestOf(const Access &access, const Candidate &candidate) {
  Nest nest;
  nest.inside = 1;
  for (const Digit &wave : candidate.mapping.waves()) {
    nest.trips.push_back(wave.size);
    nest.dependent.push_back(access.onGrid[wave.dim]);
    nest.contiguous.push_back(access.canGrow && candidate.mapping.isInnermost(wave));
  }
  for (auto [position, loop] : enumerate(access.loops)) {
    double trip = candidate.trips[loop];
    bool innermost = position + 1 == access.loops.size();
    if (innermost && !access.isStore && candidate.chunk > 1) {
      int64_t whole = std::max<int64_t>(1, trip), taken = std::min(candidate.chunk, whole);
      trip = divideCeil(whole, taken);
      if (access.onLoop[position])
        nest.inside = taken;
    }
    nest.trips.push_back(trip);
    nest.dependent.push_back(access.onLoop[position]);
    nest.contiguous.push_back(access.canGrow);
  }
  return nest;
}

std::vector<int64_t> enumerateChunks(const Problem &problem) {
  int64_t longest = 1;
  for (const Loop &loop : problem.loops)
    longest = std::max<int64_t>(longest, problem.isSimple ? loop.trip : 1);
  std::set<int64_t> chunks;
  for (int64_t chunk = 1; chunk <= longest; ++chunk)
    if (isPowerOf2_64(chunk) || longest % chunk == 0)
      chunks.insert(chunk);
  return {chunks.begin(), chunks.end()};
}

} // namespace drawloom::plan
