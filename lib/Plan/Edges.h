// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of loads that their bounds leave out, which data movers fill.

#ifndef DRAWLOOM_LIB_PLAN_EDGES_H
#define DRAWLOOM_LIB_PLAN_EDGES_H

#include "drawloom/Plan/Candidate.h"
#include "drawloom/Plan/Problem.h"

namespace drawloom::plan {

/// Reads the lanes and edges of a load off its bounds and its array's shape.
void findEdges(Access &access, tile::LoadOp load, const Problem &problem);

/// Lanes of its tiles that a core fills for one load.
struct FilledLanes {
  double always = 0; ///< for each iteration
  /// For all iterations together, besides: at the array's end, and at points
  /// beyond the grid, on the core that has most of them.
  double sometimes = 0;
  double first = 0; ///< for the first iteration, of a core at the end
};
FilledLanes filledLanes(const Access &access, const Problem &problem, const Candidate &candidate);

} // namespace drawloom::plan

#endif // DRAWLOOM_LIB_PLAN_EDGES_H
