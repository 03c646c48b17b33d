// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cycles of a candidate: compute, movers, banks and links, and their overlap
// (section 2.5 of TileLoom, with bytes added per actual link of each route).

#ifndef DRAWLOOM_PLAN_ESTIMATE_H
#define DRAWLOOM_PLAN_ESTIMATE_H

#include "drawloom/Plan/Footprint.h"
#include "drawloom/Plan/Traffic.h"
#include "mlir/Support/LLVM.h"

namespace drawloom::plan {

/// One way to serve one load, with what it costs in each resource over the
/// whole program, in cycles; `bytes` of L1.
struct Option {
  LoadChoice choice;
  int64_t bytes = 0;
  double mover = 0, dram = 0, links = 0;
  double first = 0; ///< cycles of the first delivery, which nothing overlaps
};

/// Prices candidates of one problem on one machine.
class Estimator {
public:
  /// Refuses, at the program, machines that do not state what pricing needs.
  static mlir::FailureOr<Estimator> create(const Problem &problem,
                                           const MachineModel &machine,
                                           Fidelity fidelity);

  /// The load's own share of the estimate; all but `bytes`.
  Option priceLoad(const Access &load, const LoadChoice &choice, const Candidate &candidate);

  /// Fills in everything but `l1Bytes`. O(links x loads).
  Estimate estimate(const Candidate &candidate);

private:
  /// The costs of the machine that a delivery pays, in cycles.
  struct Costs {
    double reserve, push, readIssue, barrier, multicast, semaphore, poll,
        writeIssue, wait, pop, store, load, alu, branch, launch;
  };
  struct Delivery {
    double cycles; ///< of the mover, one delivery
    double times;  ///< deliveries in all
    double edges;  ///< cycles of the mover for edges, all deliveries
    double first;  ///< cycles of the first, on a core at an edge
    double total() const { return cycles * times + edges; }
  };

  Estimator(const Problem &problem, const MachineModel &machine, Fidelity fidelity)
      : problem(problem), machine(machine), traffic(machine), fidelity(fidelity) {}

  Delivery deliver(const Access &load, const LoadChoice &choice, const Candidate &candidate,
                   const Profile &profile) const;
  double flightCycles(int network) const;
  double compute(const Candidate &candidate);
  struct Tally;
  int writerOf(const Candidate &candidate) const;
  void addStore(const Access &store, int network, Tally &tally);
  void addLoad(const Access &load, const LoadChoice &choice, Tally &tally);
  /// A data mover's own work on lanes that no whole tiles serve.
  double laneCycles(const Access &access, double issue) const;

  const Problem &problem;
  const MachineModel &machine;
  Traffic traffic;
  Fidelity fidelity;
  Costs costs;
  std::vector<double> flights; ///< mean round trip per network
  /// What the units take is a matter of these alone, which candidates that
  /// follow one another mostly share.
  struct Computed {
    llvm::SmallVector<double> trips;
    int64_t chunk = 0;
    double cycles = 0;
  } computed;
};

} // namespace drawloom::plan

#endif // DRAWLOOM_PLAN_ESTIMATE_H
