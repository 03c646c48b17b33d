// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a verified df.machine into a MachineModel, whole or cut to a sub-grid.
#include "Diagnose.h"
#include "drawloom/Machine/LoadMachine.h"
#include "drawloom/Machine/Machine.h"
#include <deque>

using namespace mlir;
using namespace drawloom;
using namespace drawloom::df;

/// Most nodes of a machine without df.network, whose routes are tabulated.
static constexpr int kMaxUnroutedNodes = 4096;

static std::optional<double> toDouble(std::optional<llvm::APFloat> value) {
  if (!value)
    return std::nullopt;
  return value->convertToDouble();
}

namespace drawloom {
class MachineModelBuilder {
public:
  explicit MachineModelBuilder(MachineOp machine)
      : machine(machine), body(machine.getBody().front()),
        core(machine.getCore()) {}

  FailureOr<MachineModel> build(std::optional<GridSize> grid);

private:
  LogicalResult cores(std::optional<GridSize> grid);
  LogicalResult links();
  void networks();
  LogicalResult shortestRoutes();
  LogicalResult memories();
  LogicalResult banks(MemoryOp memory);
  void units();
  void costs();

  NodeId placedNode(PlaceOp place, ArrayRef<int64_t> point,
                    ArrayRef<int64_t> extents);
  std::vector<int> indices(OperandRange interconnects);
  bool hasRouters() { return !body.getOps<RouterOp>().empty(); }

  MachineOp machine;
  Block &body;
  CoreOp core;
  llvm::SmallDenseMap<Value, int> interconnectIndex, networkIndex;
  MachineModel model;
};
} // namespace drawloom

//===--- Cores and links --------------------------------------------------===//

/// The node one instance of a placed component sits on.
NodeId MachineModelBuilder::placedNode(PlaceOp place, ArrayRef<int64_t> point,
                                       ArrayRef<int64_t> extents) {
  std::optional<ArrayAttr> axes = place.getAxes(), points = place.getPoints();
  SmallVector<int64_t> router;
  if (axes) {
    for (auto [axis, attr] : llvm::enumerate(*axes))
      router.push_back(cast<DenseI64ArrayAttr>(attr).asArrayRef()[point[axis]]);
  } else {
    Attribute attr = (*points)[linearize(point, extents)];
    router = llvm::to_vector(cast<DenseI64ArrayAttr>(attr).asArrayRef());
  }
  return linearize(router, model.nodeSizes);
}

LogicalResult MachineModelBuilder::cores(std::optional<GridSize> grid) {
  SmallVector<int64_t> extents = extentsOf(core.getResult());
  SmallVector<int64_t> wanted = extents;
  if (grid) {
    wanted[0] = grid->columns;
    bool flat = extents.size() == 1 && grid->rows == 1;
    if (extents.size() == 2)
      wanted[1] = grid->rows;
    else if (!flat)
      return refuse(core,
                    "has " + Twine(extents.size()) +
                        " dimensions; a grid of columns x rows needs two",
                    "leave the grid out");
  }
  for (auto [want, extent] : llvm::zip_equal(wanted, extents))
    if (want < 1 || want > extent)
      return refuse(core,
                    "has " + extentText(extents) + " cores; a grid of " +
                        extentText(wanted) + " (columns x rows) does not fit",
                    "ask for at most " + extentText(extents));
  if (wanted != extents && !hasRouters())
    return refuse(core,
                  "links its cores to one another; a grid of " +
                      extentText(wanted) + " would cut links",
                  "leave the grid out, or describe the smaller machine");

  for (auto [dim, want] : llvm::zip_equal(core.getScaleout(), wanted))
    model.coreDims.push_back(
        {dim.getDefiningOp<SpatialDimOp>().getName().str(), want});
  model.cores = 1;
  for (int64_t want : wanted)
    model.cores *= want;

  SmallVector<int64_t> nodes =
      hasRouters() ? extentsOf((*body.getOps<RouterOp>().begin()).getResult())
                   : extents;
  model.nodes = 1;
  for (int64_t extent : nodes) {
    model.nodeSizes.push_back(extent);
    model.nodeStrides.push_back(model.nodes);
    model.nodes *= extent;
  }
  std::optional<PlaceOp> place;
  for (auto op : body.getOps<PlaceOp>())
    if (op.getComponent() == core)
      place = op;
  for (int index = 0; index < model.cores; ++index) {
    SmallVector<int64_t> point = delinearize(index, wanted);
    model.coreNodes.push_back(place ? placedNode(*place, point, extents)
                                    : index);
  }
  return success();
}

LogicalResult MachineModelBuilder::links() {
  for (auto op : body.getOps<InterconnectsOp>()) {
    interconnectIndex[op] = model.interconnects.size();
    model.interconnects.push_back(
        {op.getName().str(), *toDouble(op.getBandwidth())});
    model.axisOf.push_back(movedAxis(op.getMap()).value_or(0));
    std::vector<NodeId> &next = model.next.emplace_back();
    for (int node = 0; node < model.nodes; ++node) {
      auto image = evaluate(op.getMap(), delinearize(node, model.nodeSizes));
      if (failed(image))
        return refuse(op, "map has no value at a node",
                      "do not divide by zero in the map");
      next.push_back(linearize(*image, model.nodeSizes));
    }
  }
  return success();
}

//===--- Networks ---------------------------------------------------------===//

std::vector<int> MachineModelBuilder::indices(OperandRange interconnects) {
  std::vector<int> order;
  for (Value links : interconnects)
    order.push_back(interconnectIndex.lookup(links));
  return order;
}

void MachineModelBuilder::networks() {
  for (auto op : body.getOps<NetworkOp>()) {
    networkIndex[op] = model.networks.size();
    Network &network = model.networks.emplace_back();
    network.name = op.getName().str();
    network.flitBytes = *op.getFlit();
    network.packetBytes = *op.getPacket();
    network.bufferBytes = op.getBuffer();
    network.hopCycles = *toDouble(op.getHop());
    network.niuCycles = *toDouble(op.getNiu());
    network.injectRate = *toDouble(op.getInject());
    network.absorbRate = *toDouble(op.getAbsorb());
    network.multicastRate = *toDouble(op.getMulticastRate());
    network.readTurnaround = *toDouble(op.getReadTurnaround());
    network.writeTurnaround = *toDouble(op.getWriteTurnaround());
    model.unicastOrder.push_back(indices(op.getUnicast()));
    model.multicastOrder.push_back(indices(op.getMulticast()));
  }
  model.routed = !model.networks.empty();
}

/// Without df.network: one network of all links, and shortest ways over it,
/// ties broken by the order of the interconnects.
LogicalResult MachineModelBuilder::shortestRoutes() {
  if (model.nodes > kMaxUnroutedNodes)
    return refuse(machine,
                  "has " + Twine(model.nodes) + " nodes and no df.network",
                  "state the routing order with df.network; without one, at "
                  "most " +
                      Twine(kMaxUnroutedNodes) + " nodes are routed");
  Network &network = model.networks.emplace_back();
  network.name = "links";
  int kinds = model.interconnects.size();
  for (int from = 0; from < model.nodes; ++from) {
    std::vector<int> &step = model.shortestStep.emplace_back(model.nodes, -1);
    std::deque<int> queue{from};
    int reached = 0;
    for (; !queue.empty(); queue.pop_front(), ++reached)
      for (int kind = 0; kind < kinds; ++kind) {
        int to = model.next[kind][queue.front()];
        if (to == from || step[to] >= 0)
          continue;
        step[to] = kind * model.nodes + queue.front();
        queue.push_back(to);
      }
    if (kinds > 0 && reached < model.nodes)
      return refuse(machine,
                    "has nodes that " +
                        pointText(delinearize(from, model.nodeSizes)) +
                        " cannot reach",
                    "add df.interconnects until every core reaches every "
                    "other");
  }
  return success();
}

//===--- Memories ---------------------------------------------------------===//

static Memory describe(MemoryOp op, int64_t instances) {
  Memory memory;
  memory.name = op.getName().str();
  memory.instances = instances;
  memory.size = *op.getSize();
  memory.reserved = op.getReserved().value_or(0);
  memory.readRate = *toDouble(op.getBandwidth());
  memory.writeRate = toDouble(op.getWriteBandwidth()).value_or(memory.readRate);
  memory.readLatency = toDouble(op.getLatency()).value_or(0);
  memory.writeLatency =
      toDouble(op.getWriteLatency()).value_or(memory.readLatency);
  memory.readInterval = toDouble(op.getReadInterval()).value_or(0);
  memory.contention = toDouble(op.getContention()).value_or(1);
  memory.readAlign = op.getReadAlign().value_or(1);
  memory.writeAlign = op.getWriteAlign().value_or(1);
  return memory;
}

LogicalResult MachineModelBuilder::memories() {
  for (auto op : body.getOps<MemoryOp>()) {
    if (op.getLevel() == MemoryLevel::Local) {
      model.localMemory = describe(op, model.cores);
      continue;
    }
    int64_t instances = 1;
    for (int64_t extent : extentsOf(op.getResult()))
      instances *= extent;
    model.globalMemory = describe(op, instances);
    if (failed(banks(op)))
      return failure();
  }
  return success();
}

/// Where each bank meets the network: its place, or the cores muxed to it.
LogicalResult MachineModelBuilder::banks(MemoryOp memory) {
  SmallVector<int64_t> extents = extentsOf(memory.getResult());
  int nets = model.networkCount();
  model.bankNodes.assign(model.globalMemory->instances,
                         std::vector<std::vector<NodeId>>(nets));
  for (auto place : body.getOps<PlaceOp>()) {
    if (place.getComponent() != memory)
      continue;
    for (auto [bank, ports] : llvm::enumerate(model.bankNodes)) {
      NodeId node = placedNode(place, delinearize(bank, extents), extents);
      for (int net = 0; net < nets; ++net)
        if (!place.getNetwork() ||
            networkIndex.lookup(place.getNetwork()) == net)
          ports[net].assign(1, node);
    }
  }
  for (auto mux : body.getOps<MuxOp>()) {
    if (mux.getSrcs() != memory)
      continue;
    std::optional<IntegerSet> where = mux.getWhere();
    for (int core = 0; core < model.cores; ++core) {
      SmallVector<int64_t> point = model.coreCoords(core);
      if (where && !contains(*where, point))
        continue;
      auto image = evaluate(mux.getMap(), point);
      if (failed(image))
        continue;
      for (std::vector<NodeId> &ports :
           model.bankNodes[linearize(*image, extents)])
        ports.push_back(model.coreNode(core));
    }
  }
  for (auto [bank, ports] : llvm::enumerate(model.bankNodes))
    if (llvm::any_of(ports, [](auto &nodes) { return nodes.empty(); }))
      return refuse(memory, "bank " + Twine(bank) + " is reached by no core",
                    "give it an end point with df.place, or a df.mux");
  return success();
}

//===--- Inside a core ----------------------------------------------------===//

static std::optional<MatrixNumbers> numbersOf(MatOp op) {
  if (!op.getMantissa())
    return std::nullopt;
  auto at = [](std::optional<ArrayRef<int64_t>> pair, int index) {
    return static_cast<int>((*pair)[index]);
  };
  MatrixNumbers numbers;
  numbers.srcMantissaBits = *op.getMantissa();
  numbers.leftBits = at(op.getMultiplier(), 0);
  numbers.rightBits = at(op.getMultiplier(), 1);
  numbers.groupsPerStep = at(op.getGroups(), 0);
  numbers.productsPerGroup = at(op.getGroups(), 1);
  numbers.wideAddendBits = at(op.getAddend(), 0);
  numbers.narrowAddendBits = at(op.getAddend(), 1);
  numbers.dstRounding = *op.getAccumulate();
  numbers.packRounding = *op.getPack();
  numbers.misnormalisesMinusOne = *op.getMisnormalisesMinusOne();
  return numbers;
}

static std::optional<VectorNumbers> numbersOf(VecOp op) {
  if (!op.getStore())
    return std::nullopt;
  return VectorNumbers{*op.getStore(), static_cast<int>(*op.getFunctionBits()),
                       *op.getKeepsZeroSign(),
                       static_cast<uint32_t>(*op.getNan())};
}

void MachineModelBuilder::units() {
  for (Value value : core.getScalein()) {
    Operation *op = value.getDefiningOp();
    if (auto mat = dyn_cast<MatOp>(op)) {
      model.matrixUnit =
          Unit{mat.getShape().vec(), *toDouble(mat.getThroughput())};
      model.matrixBits = numbersOf(mat);
    } else if (auto vec = dyn_cast<VecOp>(op)) {
      model.vectorUnit =
          Unit{vec.getShape().vec(), *toDouble(vec.getThroughput())};
      model.vectorBits = numbersOf(vec);
    } else {
      model.scalar = toDouble(cast<ScalarOp>(op).getLatency());
    }
  }
  for (auto engine : body.getOps<EngineOp>()) {
    auto index = static_cast<size_t>(engine.getEngine());
    model.engineProcessor[index] = engine.getProcessor().str();
    if (engine.getNetwork())
      model.engineNetwork[index] = networkIndex.lookup(engine.getNetwork());
  }
}

void MachineModelBuilder::costs() {
  for (auto op : body.getOps<CostOp>())
    model.costs[op.getCost()] = op.getCycles().convertToDouble();
  for (auto op : body.getOps<HostOp>())
    model.hostRate = toDouble(op.getConvert());
  for (auto op : body.getOps<LimitOp>())
    model.limits[op.getLimit()] = op.getValue();
  for (auto op : body.getOps<TileOpOp>())
    model.tileOps[op.getKind()] = {
        *toDouble(op.getMath()), toDouble(op.getPerPhase()).value_or(0),
        static_cast<int>(op.getOperands().value_or(0)),
        toDouble(op.getUnpack()).value_or(0),
        toDouble(op.getUnpackFixed()).value_or(0)};
  for (auto op : body.getOps<PackOp>()) {
    model.packRate = toDouble(op.getBandwidth());
    model.packFixed = toDouble(op.getFixed());
    model.packAccumulateRate = toDouble(op.getAccumulate());
  }
  for (auto op : body.getOps<SfpuOp>())
    model.sfpu[{op.getFunction().str(), op.getDst() == Format::FP32}] =
        op.getCycles().convertToDouble();
}

FailureOr<MachineModel>
MachineModelBuilder::build(std::optional<GridSize> grid) {
  model.machineName = machine.getSymName().str();
  model.clock = toDouble(machine.getClock());
  if (failed(cores(grid)) || failed(links()))
    return failure();
  networks();
  if (!model.routed && failed(shortestRoutes()))
    return failure();
  if (failed(memories()))
    return failure();
  units();
  costs();
  return std::move(model);
}

FailureOr<MachineModel> drawloom::createModel(MachineOp machine,
                                              std::optional<GridSize> grid) {
  return MachineModelBuilder(machine).build(grid);
}
