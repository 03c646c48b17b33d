// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumerates the planning space.

#ifndef DRAWLOOM_PLAN_SPACE_H
#define DRAWLOOM_PLAN_SPACE_H

#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Plan/Candidate.h"
#include "drawloom/Plan/Problem.h"

namespace drawloom::plan {

/// Every spatiotemporal mapping of a grid on the machine's dimensions: each
/// machine dimension to a grid dimension or none, in every tiling order,
/// blocked or cyclic, the waves in every order. Needs the scale-out layer
/// only. Dimensions that `ordered` names are taken over time alone.
/// O((d+1)^m m! 2^d d!) for d grid and m machine dimensions, both small.
std::vector<Mapping> enumerateMappings(llvm::ArrayRef<int64_t> extents,
                                       llvm::ArrayRef<Dim> machine,
                                       llvm::ArrayRef<bool> ordered = {});

/// Iterations of each loop of the problem on the core that has most of them, a
/// mean over its waves. O(loops x grid points).
llvm::SmallVector<double> tripsUnder(const Mapping &mapping, const Problem &problem);

/// Ways a load may travel under a mapping: by itself, or multicast along any
/// subset of the machine dimensions its tile does not depend on, from one
/// sender or a group, on any network.
std::vector<Travel> enumerateTravels(const Access &load, const Mapping &mapping,
                                     int machineDims, int networks);

/// The nest of an access: trips, outermost first (waves, then loops, the
/// chunked one in deliveries), and whether its tile depends on each.
struct Nest {
  llvm::SmallVector<double> trips;
  llvm::SmallVector<bool> dependent;
  /// Whether one delivery can bring the tiles of successive iterations of a
  /// level: a wave that is not its dimension's innermost digit jumps.
  llvm::SmallVector<bool> contiguous;
  int64_t inside; ///< iterations of the chunk that one delivery covers

  /// Tiles held per iteration tile when issued outside `hoist` loops.
  int64_t footprint(int hoist) const;
  /// Whether one delivery can cover the `hoist` innermost levels: the tiles
  /// of every level it depends on must lie side by side.
  bool covers(int hoist) const;
  /// Deliveries in all.
  double deliveries(int hoist) const;
};
/// Reads the mapping, the trips and the chunk of `candidate`.
Nest nestOf(const Access &access, const Candidate &candidate);

/// Iterations per delivery worth trying for the reduction loop: powers of two
/// and divisors up to its trip count; one for programs of other loops.
std::vector<int64_t> enumerateChunks(const Problem &problem);

} // namespace drawloom::plan

#endif // DRAWLOOM_PLAN_SPACE_H
