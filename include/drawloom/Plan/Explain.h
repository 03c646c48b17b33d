// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans in words: for a terminal and as JSON.

#ifndef DRAWLOOM_PLAN_EXPLAIN_H
#define DRAWLOOM_PLAN_EXPLAIN_H

#include "drawloom/Plan/Search.h"
#include "llvm/Support/JSON.h"

namespace drawloom::plan {

/// "i over y, j over x, 4 waves of i": the mapping, grid dimensions as i, j, k.
std::string describeMapping(const Mapping &mapping, const MachineModel &machine);

/// "A multicast along x by a group on noc0, every 4 iterations, 2 deep".
std::string describeLoad(const Access &load, const LoadChoice &choice, const Problem &problem,
                         const Candidate &candidate, const MachineModel &machine);

/// One sentence: mapping, loads and what bounds it.
std::string summarize(const Candidate &candidate, const Problem &problem,
                      const MachineModel &machine);

/// A table of the best candidates and why the first one won.
void printTable(llvm::raw_ostream &os, const PlanResult &result, const Problem &problem,
                const MachineModel &machine);

/// `{summary, mapping, loads, candidates: {enumerated, legal}, best: [...]}`.
llvm::json::Object toJson(const PlanResult &result, size_t chosen, const Problem &problem,
                          const MachineModel &machine);

} // namespace drawloom::plan

#endif // DRAWLOOM_PLAN_EXPLAIN_H
