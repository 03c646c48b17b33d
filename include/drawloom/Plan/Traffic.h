// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a way to travel puts on each link and bank of the machine.

#ifndef DRAWLOOM_PLAN_TRAFFIC_H
#define DRAWLOOM_PLAN_TRAFFIC_H

#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Plan/Candidate.h"
#include <map>

namespace drawloom::plan {

/// What the links do for one delivery in which every used core receives one byte,
/// spread evenly over the banks.
struct Profile {
  std::vector<float> links; ///< cycles of each link, per byte
  double busiest = 0;       ///< cycles of the most loaded link, per byte
  double bankBytes = 0;     ///< bytes read from all banks together
  int64_t senders = 0;      ///< cores that read
  int64_t receivers = 0;    ///< cores each sender multicasts to; 0: none
};

/// Profiles of travels, computed once for each set of used cores.
class Traffic {
public:
  explicit Traffic(const MachineModel &machine) : machine(machine) {}

  /// `used`: cores along each machine dimension.
  const Profile &load(const Travel &travel, llvm::ArrayRef<int64_t> used);
  /// Every used core writes one byte over `network`.
  const Profile &store(int network, llvm::ArrayRef<int64_t> used);

private:
  using Key = std::array<int64_t, 6>;
  Profile measureLoad(const Travel &travel, llvm::ArrayRef<int64_t> used) const;
  Profile measureStore(int network, llvm::ArrayRef<int64_t> used) const;
  void addRead(Profile &profile, int network, int core, double bytes) const;
  void finish(Profile &profile) const;

  const MachineModel &machine;
  std::map<Key, Profile> loads, stores;
};

} // namespace drawloom::plan

#endif // DRAWLOOM_PLAN_TRAFFIC_H
