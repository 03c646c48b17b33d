// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries of the machine model: routes, multicast trees, costs.
#include "drawloom/Machine/MachineModel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace drawloom {

std::optional<GridSize> GridSize::parse(StringRef text) {
  GridSize grid{};
  auto [columns, rows] = text.split('x');
  if (columns.getAsInteger(10, grid.columns) ||
      rows.getAsInteger(10, grid.rows))
    return std::nullopt;
  if (grid.columns < 1 || grid.rows < 1)
    return std::nullopt;
  return grid;
}

//===--- Cores ------------------------------------------------------------===//

template <typename Range>
static std::optional<int> findName(const Range &range, StringRef name) {
  for (auto [index, entry] : enumerate(range))
    if (entry.name == name)
      return static_cast<int>(index);
  return std::nullopt;
}

std::optional<int> MachineModel::dimIndex(StringRef name) const {
  return findName(coreDims, name);
}

std::optional<int> MachineModel::networkIndex(StringRef name) const {
  return findName(networks, name);
}

SmallVector<int64_t> MachineModel::coreCoords(int core) const {
  SmallVector<int64_t> coords;
  int64_t rest = core;
  for (const Dim &dim : coreDims) {
    coords.push_back(rest % dim.size);
    rest /= dim.size;
  }
  return coords;
}

int MachineModel::coreAt(ArrayRef<int64_t> coords) const {
  int64_t core = 0;
  for (size_t axis = coreDims.size(); axis-- > 0;)
    core = core * coreDims[axis].size + coords[axis];
  return static_cast<int>(core);
}

//===--- Network ----------------------------------------------------------===//

/// Follows each interconnect until its axis is right.
void MachineModel::follow(const std::vector<int> &order, NodeId from, NodeId to,
                          SmallVectorImpl<LinkId> &links) const {
  NodeId node = from;
  for (int interconnect : order) {
    int axis = axisOf[interconnect];
    auto along = [&](NodeId at) {
      return (at / nodeStrides[axis]) % nodeSizes[axis];
    };
    while (along(node) != along(to)) {
      links.push_back(interconnect * nodes + node);
      node = next[interconnect][node];
    }
  }
}

/// Walks the breadth-first tree of `from` back from `to`.
void MachineModel::shortest(NodeId from, NodeId to,
                            SmallVectorImpl<LinkId> &links) const {
  size_t start = links.size();
  while (to != from) {
    LinkId link = shortestStep[from][to];
    links.push_back(link);
    to = linkSource(link);
  }
  std::reverse(links.begin() + start, links.end());
}

void MachineModel::route(int net, NodeId from, NodeId to,
                         SmallVectorImpl<LinkId> &links) const {
  if (routed)
    follow(unicastOrder[net], from, to, links);
  else
    shortest(from, to, links);
}

int MachineModel::hops(int net, NodeId from, NodeId to) const {
  SmallVector<LinkId> links;
  route(net, from, to, links);
  return static_cast<int>(links.size());
}

MulticastTree MachineModel::multicast(int net, int sender, CoreRect rect,
                                      bool loopback) const {
  MulticastTree tree;
  DenseMap<LinkId, int> indexOf;
  SmallVector<LinkId> path;
  NodeId source = coreNode(sender);
  auto receive = [&](int core) {
    if (core == sender && !loopback)
      return;
    path.clear();
    if (routed)
      follow(multicastOrder[net], source, coreNode(core), path);
    else
      shortest(source, coreNode(core), path);
    int parent = -1;
    for (LinkId link : path) {
      auto [entry, isNew] = indexOf.try_emplace(link, tree.links.size());
      if (isNew) {
        tree.links.push_back(link);
        tree.parents.push_back(parent);
      }
      parent = entry->second;
    }
    tree.receivers.push_back({core, parent, static_cast<int>(path.size())});
  };
  SmallVector<int64_t> coords(coreDims.size(), 0);
  for (int64_t y = rect.y0; y <= rect.y1; ++y)
    for (int64_t x = rect.x0; x <= rect.x1; ++x) {
      coords[0] = x;
      if (coords.size() > 1)
        coords[1] = y;
      receive(coreAt(coords));
    }
  return tree;
}

NodeId MachineModel::bankNode(int bank, int net, int core) const {
  const std::vector<NodeId> &ports = bankNodes[bank][net];
  if (ports.size() == 1)
    return ports.front();
  return *std::min_element(ports.begin(), ports.end(), [&](NodeId a, NodeId b) {
    return hops(net, coreNode(core), a) < hops(net, coreNode(core), b);
  });
}

std::optional<int> MachineModel::defaultNetwork(Engine mover) const {
  return engineNetwork[static_cast<size_t>(mover)];
}

StringRef MachineModel::processorName(Engine engine) const {
  return engineProcessor[static_cast<size_t>(engine)];
}

//===--- Costs ------------------------------------------------------------===//

template <typename Map, typename Key>
static std::optional<typename Map::mapped_type> lookUp(const Map &map,
                                                       const Key &key) {
  auto entry = map.find(key);
  if (entry == map.end())
    return std::nullopt;
  return entry->second;
}

std::optional<double> MachineModel::cycles(Cost cost) const {
  return lookUp(costs, cost);
}

std::optional<int64_t> MachineModel::limit(Limit limit) const {
  return lookUp(limits, limit);
}

/// Elements over throughput, for machines that state units alone.
std::optional<OpCycles> MachineModel::coarseTileOp(TileOp op) const {
  if (!tileOps.empty())
    return std::nullopt;
  if (op == TileOp::Matmul || op == TileOp::MatmulSingle) {
    if (!matrixUnit)
      return std::nullopt;
    const std::vector<int64_t> &shape = matrixUnit->shape;
    double intrinsics = 1;
    for (int64_t extent : shape)
      intrinsics *= static_cast<double>(kTileSide) / extent;
    return OpCycles{0, intrinsics / matrixUnit->throughput};
  }
  if (!vectorUnit)
    return std::nullopt;
  return OpCycles{0, static_cast<double>(kTileElements) / vectorUnit->shape[0] /
                         vectorUnit->throughput};
}

std::optional<OpCycles> MachineModel::tileOp(TileOp op, Format lhs, Format rhs,
                                             Fidelity fidelity) const {
  auto cost = lookUp(tileOps, op);
  if (!cost)
    return coarseTileOp(op);
  bool matmul = op == TileOp::Matmul || op == TileOp::MatmulSingle;
  int64_t bytes = tileBytes(lhs);
  if (cost->operands == 2)
    bytes += tileBytes(rhs);
  else if (matmul)
    bytes = std::max(bytes, tileBytes(rhs));
  double unpack = cost->unpackFixed;
  if (cost->operands > 0)
    unpack += bytes / cost->unpackRate;
  return OpCycles{unpack, cost->fixed + cost->perPhase * phases(fidelity)};
}

std::optional<double> MachineModel::matmulCycles(Format lhs, Format rhs,
                                                 Fidelity fidelity,
                                                 bool block) const {
  auto cost =
      tileOp(block ? TileOp::Matmul : TileOp::MatmulSingle, lhs, rhs, fidelity);
  if (!cost)
    return std::nullopt;
  return cost->bound();
}

std::optional<double> MachineModel::packCycles(Format to,
                                               bool accumulate) const {
  std::optional<double> rate = accumulate ? packAccumulateRate : packRate;
  if (!rate)
    return std::nullopt;
  return tileBytes(to) / *rate + packFixed.value_or(0);
}

std::optional<double> MachineModel::sfpuCycles(StringRef function, bool dst32) const {
  if (auto cycles = lookUp(sfpu, SfpuKey{function.str(), dst32}))
    return cycles;
  if (!sfpu.empty() || !vectorUnit)
    return std::nullopt;
  return static_cast<double>(kTileElements) / vectorUnit->shape[0] /
         vectorUnit->throughput;
}

} // namespace drawloom
