// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules between the operations of one df.machine.
#include "Diagnose.h"
#include "drawloom/Machine/Machine.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace drawloom::df;

/// Runs before the body is verified: what the body's verifiers rely on.
LogicalResult MachineOp::verify() {
  if (auto clock = getClock()) {
    double value = clock->convertToDouble();
    if (!std::isfinite(value) || value <= 0)
      return refuse(*this, "'clock' must be positive",
                    "give the clock in GHz, or leave it out");
  }
  if (getBody().getNumArguments() != 0)
    return refuse(*this, "has block arguments",
                  "a machine declares all it refers to");
  for (Operation &op : getBody().front()) {
    if (!isa_and_present<DfDialect>(op.getDialect()) || isa<MachineOp>(op))
      return refuse(*this,
                    "holds '" + op.getName().getStringRef() +
                        "', which is not part of a machine",
                    "a machine holds only the other df operations");
    for (Value operand : op.getOperands()) {
      Operation *definition = operand.getDefiningOp();
      if (!definition || definition->getBlock() != op.getBlock() ||
          !definition->isBeforeInBlock(&op))
        return refuse(&op, "refers to something declared later or elsewhere",
                      "declare the parts of a machine before they are used");
    }
  }
  return success();
}

/// Refuses the second of two operations with the same key.
template <typename Op, typename Key>
static LogicalResult verifyDistinct(Block &body, Key key, StringRef what) {
  std::map<decltype(key(std::declval<Op>())), Op> seen;
  for (Op op : body.getOps<Op>()) {
    auto [first, isNew] = seen.try_emplace(key(op), op);
    if (isNew)
      continue;
    InFlightDiagnostic error = op.emitOpError()
                               << "is the second with this " << what;
    error.attachNote(first->second.getLoc())
        << "the first is here; remove one of them or rename it";
    return error;
  }
  return success();
}

static LogicalResult verifyNames(Block &body) {
  llvm::StringMap<Operation *> seen;
  for (Operation &op : body) {
    auto name = op.getAttrOfType<StringAttr>("name");
    if (!name)
      continue;
    auto [first, isNew] = seen.try_emplace(name.getValue(), &op);
    if (isNew)
      continue;
    InFlightDiagnostic error = op.emitOpError() << "repeats the name \""
                                                << name.getValue() << "\"";
    error.attachNote(first->second->getLoc())
        << "first used here; names are how plans and reports refer to parts "
           "of the machine, so each needs its own";
    return error;
  }
  return success();
}

static LogicalResult verifyUniqueEntries(Block &body) {
  return success(
      succeeded(verifyDistinct<CostOp>(
          body, [](CostOp op) { return op.getCost(); }, "kind")) &&
      succeeded(verifyDistinct<LimitOp>(
          body, [](LimitOp op) { return op.getLimit(); }, "kind")) &&
      succeeded(verifyDistinct<TileOpOp>(
          body, [](TileOpOp op) { return op.getKind(); }, "operation")) &&
      succeeded(verifyDistinct<EngineOp>(
          body, [](EngineOp op) { return op.getEngine(); }, "engine")) &&
      succeeded(verifyDistinct<PackOp>(
          body, [](PackOp) { return 0; }, "purpose")) &&
      succeeded(verifyDistinct<HostOp>(
          body, [](HostOp) { return 0; }, "purpose")) &&
      succeeded(verifyDistinct<MemoryOp>(
          body, [](MemoryOp op) { return op.getLevel(); }, "level")) &&
      succeeded(verifyDistinct<SfpuOp>(
          body,
          [](SfpuOp op) {
            return std::pair(op.getFunction().str(), op.getDst());
          },
          "function and Dst")));
}

/// Whether `component` is placed for every network.
static bool isPlaced(Block &body, Value component) {
  auto placedOn = [&](Value network) {
    return llvm::any_of(body.getOps<PlaceOp>(), [&](PlaceOp place) {
      Value only = place.getNetwork();
      return place.getComponent() == component && (!only || only == network);
    });
  };
  auto networks = body.getOps<NetworkOp>();
  if (networks.empty())
    return placedOn(Value());
  return llvm::all_of(networks, placedOn);
}

/// Whether some mux leads to `memory`.
static bool isReached(Block &body, Value memory) {
  return llvm::any_of(body.getOps<MuxOp>(),
                      [&](MuxOp mux) { return mux.getSrcs() == memory; });
}

/// All networks run over the same nodes, those of the routers if any.
static LogicalResult verifyNodes(Block &body) {
  auto routers = body.getOps<RouterOp>();
  if (std::distance(routers.begin(), routers.end()) > 1)
    return refuse(*std::next(routers.begin()), "is a second set of routers",
                  "networks share one set; give each its interconnects");
  for (auto links : body.getOps<InterconnectsOp>())
    if (!routers.empty() &&
        isa_and_present<CoreOp>(links.getComponents().getDefiningOp()))
      return refuse(links, "links cores in a machine with routers",
                    "link the routers, and place the cores on them");
  return success();
}

static LogicalResult verifyMemories(Block &body, CoreOp core) {
  for (auto memory : body.getOps<MemoryOp>()) {
    bool local = memory.getLevel() == drawloom::MemoryLevel::Local;
    if (local && memory.getScaleout() != core.getScaleout())
      return refuse(memory, "is local but not scaled out like the cores",
                    "each core has one local memory: use the dimensions of "
                    "df.core");
    if (local || isReached(body, memory))
      continue;
    bool networks = !body.getOps<NetworkOp>().empty();
    if (!networks || !isPlaced(body, memory))
      return refuse(memory, "cannot be reached",
                    "give the banks their end points with df.place, for every "
                    "network, or connect them with df.mux");
  }
  return success();
}

LogicalResult MachineOp::verifyRegions() {
  Block &body = getBody().front();
  auto cores = body.getOps<CoreOp>();
  if (std::distance(cores.begin(), cores.end()) != 1)
    return refuse(*this, "must have exactly one df.core",
                  "all cores of a machine are alike; declare them once");
  CoreOp core = *cores.begin();
  if (failed(verifyNames(body)) || failed(verifyUniqueEntries(body)) ||
      failed(verifyNodes(body)) || failed(verifyMemories(body, core)))
    return failure();
  if (!body.getOps<RouterOp>().empty() && !isPlaced(body, core))
    return refuse(core, "is not placed on the routers",
                  "give every core its router with df.place");
  return success();
}
