// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers what one launch gave, as JSON and as text.

#ifndef DRAWLOOM_DRIVER_REPORT_H
#define DRAWLOOM_DRIVER_REPORT_H

#include "drawloom/Driver/Launcher.h"
#include "drawloom/Driver/Stations.h"
#include "drawloom/Sim/Interpreter/Check.h"
#include "drawloom/Sim/Interpreter/Policy.h"

namespace drawloom {

/// Built up station by station; wall times are in seconds, device times in
/// microseconds.
class Report {
public:
  Report(const MachineModel &machine, const Options &options)
      : machine(machine), options(options) {}

  /// The kernel's name and grid; `launch` is null for programs from files.
  void setSource(const Launch *launch, Programs programs);
  void setPlan(const Plan &plan);
  void setSeconds(llvm::StringRef station, double seconds);
  void setResult(const sim::SimResult &result);
  /// The policy that the checks' bounds follow from.
  void setPolicy(const Policy &policy, tile::ProgramOp program);
  void addCheck(const Reference &reference, const CheckResult &result);
  LaunchReport finish();

private:
  void line(llvm::StringRef label, const llvm::Twine &text);

  const MachineModel &machine;
  const Options &options;
  LaunchReport report;
  std::optional<double> flops; ///< the source's, once planned
  llvm::json::Object seconds;
  llvm::json::Array checks;
};

} // namespace drawloom

#endif // DRAWLOOM_DRIVER_REPORT_H
