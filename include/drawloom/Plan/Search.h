// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enumerates, prunes, prices and ranks candidates.

#ifndef DRAWLOOM_PLAN_SEARCH_H
#define DRAWLOOM_PLAN_SEARCH_H

#include "drawloom/Plan/Estimate.h"
#include <optional>

namespace drawloom::plan {

struct PlanOptions {
  int topK = 5; ///< candidates to return
  Fidelity fidelity = Fidelity::HiFi4;
};

struct PlanResult {
  Fidelity fidelity = Fidelity::HiFi4; ///< that they were priced for
  std::vector<Candidate> best; ///< cheapest first, at most topK
  int64_t enumerated = 0;      ///< points of the space
  int64_t overflowing = 0;     ///< of them, those whose buffers exceed L1
  /// The smallest plan that does not fit, for the explanation.
  std::optional<Candidate> smallestOverflow;
  int64_t legal() const { return enumerated - overflowing; }
};

/// The best candidates of a problem. When nothing fits L1 the error lists the
/// buffers of the smallest candidate with their bytes. Candidates that cost at
/// least as much as another in every resource are counted but not priced.
mlir::FailureOr<PlanResult> search(const Problem &problem, const MachineModel &machine,
                                   const PlanOptions &options);

} // namespace drawloom::plan

#endif // DRAWLOOM_PLAN_SEARCH_H
