// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers what one launch gave, as JSON and as text.

#include "drawloom/Driver/Report.h"

#include "drawloom/Plan/Apply.h"
#include "drawloom/Plan/Explain.h"
#include "llvm/Support/FormatAdapters.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace drawloom {
namespace {

std::string mebibytes(double bytes) { return formatv("{0:F2} MiB", bytes / 1048576).str(); }

std::string share(double part, double whole) {
  return formatv("{0:F0} %", whole > 0 ? 100 * part / whole : 0).str();
}

/// "math 82 % busy; waits: data 10 %, dst 3 %": where a thread's time went.
std::string describeThread(sim::SimThread thread, const sim::SimResult &result) {
  sim::ThreadTime time = result.total(thread);
  double whole = result.cycles * result.columns * result.rows;
  std::string text =
      formatv("{0} {1} busy", sim::stringify(thread), share(time.busy, whole)).str();
  const char *separator = "; waits for ";
  for (int i = 0; i < sim::kStallCount; ++i)
    if (time.stalls[i] >= 0.01 * whole) {
      text += separator + sim::stringify(static_cast<sim::Stall>(i)).str() + " " +
              share(time.stalls[i], whole);
      separator = ", ";
    }
  return text;
}

/// "sfpu exp 66 %, set-ups 9 %": what the math threads ran of their busy time.
std::string describeMath(const sim::SimResult &result) {
  double whole = result.total(sim::SimThread::Math).busy;
  std::string text;
  for (const auto &[name, cycles] : result.math) {
    if (cycles < 0.05 * whole)
      break;
    text += (text.empty() ? "" : ", ") + name + " " + share(cycles, whole);
  }
  return text;
}

constexpr sim::SimThread kThreads[] = {sim::SimThread::DM0, sim::SimThread::DM1,
                                       sim::SimThread::Math, sim::SimThread::Pack};

json::Object engineJson(const sim::SimResult &result) {
  json::Object engines;
  for (sim::SimThread thread : kThreads) {
    sim::ThreadTime time = result.total(thread);
    json::Object waits;
    for (int i = 0; i < sim::kStallCount; ++i)
      waits[sim::stringify(static_cast<sim::Stall>(i))] = time.stalls[i];
    engines[sim::stringify(thread)] =
        json::Object{{"busy_cycles", time.busy}, {"waits", std::move(waits)}};
  }
  return engines;
}

} // namespace

void Report::line(StringRef label, const Twine &text) {
  report.text += formatv("  {0}{1}\n", fmt_align(label, AlignStyle::Left, 11), text.str()).str();
}

void Report::setSource(const Launch *launch, Programs programs) {
  std::string name = launch           ? launch->kernel
                     : programs.tile ? programs.tile.getSymName().str()
                                     : programs.task.getName().str();
  json::Array grid;
  if (launch) {
    for (int64_t programsAlong : launch->grid)
      grid.push_back(programsAlong);
  } else if (programs.tile) {
    for (auto op : programs.tile.getBody().getOps<tile::GridOp>())
      for (int64_t extent : op.getExtents())
        grid.push_back(extent);
  }
  std::string programsText;
  for (const json::Value &extent : grid)
    programsText += (programsText.empty() ? "" : "x") + std::to_string(*extent.getAsInteger());
  SmallVector<std::string> sizes;
  for (const Dim &dim : machine.dims())
    sizes.push_back(std::to_string(dim.size));
  report.text = formatv("{0} [{1}] on {2} {3}\n", name, programsText, machine.name(),
                        llvm::join(sizes, "x"));
  report.json["kernel"] = name;
  report.json["grid"] = std::move(grid);
}

void Report::setPlan(const Plan &plan) {
  const plan::Candidate &winner = plan.result.best[plan.chosen];
  flops = plan.problem.flops;
  report.json["plan"] = plan::toJson(plan.result, plan.chosen, plan.problem, machine);
  double clock = machine.clockGHz().value_or(1) * 1e3;
  report.json["estimate_us"] = winner.estimate.total / clock;
  if (options.command == Command::Plan) {
    raw_string_ostream os(report.text);
    plan::printTable(os, plan.result, plan.problem, machine);
    return;
  }
  line("plan", plan::describeMapping(winner.mapping, machine));
  size_t index = 0;
  for (const plan::Access &access : plan.problem.accesses)
    if (!access.isStore)
      line("", plan::describeLoad(access, winner.loads[index++], plan.problem, winner, machine));
  line("", formatv("chosen of {0} candidates, {1} of which fit L1", plan.result.enumerated,
                   plan.result.legal()));
  line("estimate", formatv("{0:F1} us, bound by {1}", winner.estimate.total / clock,
                           winner.estimate.bound));
}

void Report::setSeconds(StringRef station, double value) { seconds[station] = value; }

void Report::setResult(const sim::SimResult &result) {
  json::Object &json = report.json;
  json["simulated_us"] = result.microseconds;
  json["layout_us"] = result.layoutMicroseconds;
  json["cycles"] = result.cycles;
  // Padding is no work: the source's own count, where the plan knows it.
  double useful = flops.value_or(result.flops);
  json["flops"] = static_cast<int64_t>(useful);
  json["dram_read_bytes"] = result.dramReadBytes;
  json["dram_write_bytes"] = result.dramWriteBytes;
  json["noc_bytes"] = result.nocBytes;
  json["peak_l1_bytes"] = result.peakL1Bytes;
  json["engines"] = engineJson(result);
  json::Object math;
  for (const auto &[name, cycles] : result.math)
    math[name] = cycles;
  json["math_cycles"] = std::move(math);
  double clock = machine.clockGHz().value_or(1) * 1e3;
  std::string rate;
  if (useful > 0)
    rate = formatv(", {0:F2} TFLOP/s", useful / result.microseconds / 1e6);
  line("simulated", formatv("{0:F1} us (launch {1:F1}){2}", result.microseconds,
                            result.launchCycles / clock, rate));
  line("moved", formatv("{0} read and {1} written in DRAM, {2} over the NoC; L1 {3:F1} KiB a core",
                        mebibytes(result.dramReadBytes), mebibytes(result.dramWriteBytes),
                        mebibytes(result.nocBytes), result.peakL1Bytes / 1024.0));
  const char *label = "time went";
  for (sim::SimThread thread : kThreads) {
    line(label, describeThread(thread, result));
    label = "";
  }
  if (std::string math = describeMath(result); !math.empty())
    line("math ran", math);
  for (const std::string &note : result.notes)
    line("note", note);
}

void Report::setPolicy(const Policy &policy, tile::ProgramOp program) {
  tile::PrecisionAttr precision = program.getPrecisionAttr();
  bool approximates = plan::hasApproximate(program);
  json::Object terms;
  for (auto [name, relative] : policy.terms())
    terms[name] = relative;
  report.json["policy"] = std::move(terms);
  bool exact = precision.getOperands() == tile::Operands::Exact;
  line("policy",
       formatv("Dst of {0} rounds by {1:e1}, {2} leaves out {3:e1}, f32 operands of the matrix unit {4} {5:e1}, "
               "functions are right to {6:e1}{7}",
               precision.getDst().isF32() ? "f32" : "bf16", policy.f32,
               stringifyFidelity(precision.getFidelity()), policy.product,
               exact ? "in parts lose" : "are cut by",
               exact ? policy.parts->leftOut : policy.wideOperand, policy.function,
               approximates ? formatv(", approximate exponentials to {0:e1}", policy.approximate).str() : ""));
}

/// JSON has no NaN and no infinity.
static json::Value numberOrNull(double number) {
  return std::isfinite(number) ? json::Value(number) : json::Value(nullptr);
}

void Report::addCheck(const Reference &reference, const CheckResult &result) {
  tile::ArrayOp array = reference.array;
  report.passed &= result.passed();
  checks.push_back(json::Object{{"array", array.getName()},
                                {"compared", result.compared},
                                {"beyond", result.beyond},
                                {"max_error", numberOrNull(result.maxError)},
                                {"explained", numberOrNull(result.explained)},
                                {"remaining", numberOrNull(result.remaining())}});
  if (result.passed())
    line("check", formatv("{0}: {1} elements within their bounds, largest error {2:e2} against fp64, all of it "
                          "the policy's",
                          array.getName(), result.compared, result.maxError));
  else
    line("CHECK", describe(reference, result));
}

LaunchReport Report::finish() {
  report.json["seconds"] = std::move(seconds);
  if (!checks.empty())
    report.json["check"] = std::move(checks);
  return std::move(report);
}

} // namespace drawloom
