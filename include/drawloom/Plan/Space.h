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
/// only. O((d+1)^m m! 2^d d!) for d grid and m machine dimensions, both small.
std::vector<Mapping> enumerateMappings(llvm::ArrayRef<int64_t> extents,
                                       llvm::ArrayRef<Dim> machine);

/// Ways a load may travel under a mapping: by itself, or multicast along any
/// subset of the machine dimensions its tile does not depend on, from one
/// sender or a group, on any network.
std::vector<Travel> enumerateTravels(const Access &load, const Mapping &mapping,
                                     int machineDims, int networks);

/// The nest of an access: trips, outermost first (waves, then loops, the
/// chunked one in deliveries), and whether its tile depends on each.
struct Nest {
  llvm::SmallVector<int64_t> trips;
  llvm::SmallVector<bool> dependent;
  /// Whether the tiles of successive iterations of a level lie side by side in
  /// the array: a wave that is not its dimension's innermost digit jumps.
  llvm::SmallVector<bool> contiguous;
  int64_t inside; ///< iterations of the chunk that one delivery covers

  /// Tiles held per iteration tile when issued outside `hoist` loops.
  int64_t footprint(int hoist) const;
  /// Whether one delivery can cover the `hoist` innermost levels: the tiles
  /// of every level it depends on must lie side by side.
  bool covers(int hoist) const;
  /// Deliveries in all.
  int64_t deliveries(int hoist) const;
};
Nest nestOf(const Access &access, const Problem &problem, const Mapping &mapping,
            int64_t chunk);

/// Iterations per delivery worth trying for the reduction loop: powers of two
/// and divisors up to its trip count.
std::vector<int64_t> enumerateChunks(const Problem &problem);

} // namespace drawloom::plan

#endif // DRAWLOOM_PLAN_SPACE_H
