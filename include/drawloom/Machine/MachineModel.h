// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Immutable view of one df.machine: cores, routes, memories, rates and costs.
// Every number comes from the machine file; what the file does not state is
// an empty optional, and the caller refuses rather than guesses.
#ifndef DRAWLOOM_MACHINE_MACHINEMODEL_H
#define DRAWLOOM_MACHINE_MACHINEMODEL_H

#include "drawloom/Machine/Formats.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace drawloom {

/// A place on the network: a router where the machine has a torus of its own,
/// otherwise a core.
using NodeId = int;
/// One directed link, in [0, linkCount()).
using LinkId = int;

struct Dim {
  std::string name;
  int64_t size;
};

/// Columns (first dimension, "x") by rows (second dimension, "y").
struct GridSize {
  int64_t columns;
  int64_t rows;
  /// Parses "12x10"; nothing if the text is not two positive integers.
  static std::optional<GridSize> parse(llvm::StringRef text);
  friend bool operator==(const GridSize &, const GridSize &) = default;
};

/// Inclusive rectangle of logical cores.
struct CoreRect {
  int64_t x0, y0, x1, y1;
};

/// One set of links all going the same way.
struct Interconnect {
  std::string name;
  double bytesPerCycle; ///< of each link
};

/// One network. Bytes and cycles; rates in bytes per cycle. A machine of the
/// scale-out layer alone has one, of free hops and unbounded rates but those
/// of its links.
struct Network {
  static constexpr double unbounded = std::numeric_limits<double>::infinity();

  std::string name;
  int64_t flitBytes = 1; ///< a header takes one flit more than the data
  int64_t packetBytes = std::numeric_limits<int64_t>::max(); ///< most payload
  /// What a router stores of a packet that cannot go on; nothing: all of it.
  std::optional<int64_t> bufferBytes;
  double hopCycles = 0;             ///< router to router
  double niuCycles = 0;             ///< core or bank to router, each way
  double injectRate = unbounded;    ///< a core into the network
  double absorbRate = unbounded;    ///< the network into a core
  double multicastRate = unbounded; ///< one sender's linked multicast
  double readTurnaround = 0; ///< at both ends of a read, besides hops and NIUs
  double writeTurnaround = 0;
};

/// The links of one multicast, a parent before its children. A packet takes
/// each link once, whatever the number of receivers.
struct MulticastTree {
  llvm::SmallVector<LinkId> links;
  /// For each link, the index in `links` it continues, or -1 at the source.
  llvm::SmallVector<int> parents;
  struct Receiver {
    int core;
    int link; ///< index in `links` of its last link, -1 for the source itself
    int hops;
  };
  llvm::SmallVector<Receiver> receivers;
};

/// A memory, per instance. Sizes and alignments in bytes.
struct Memory {
  std::string name;
  int64_t instances = 0;
  int64_t size = 0;
  int64_t reserved = 0; ///< bytes at the bottom that programs may not use
  double readRate = 0;  ///< bytes per cycle
  double writeRate = 0;
  double readLatency = 0; ///< cycles, besides the flight over the network
  double writeLatency = 0;
  double readInterval = 0; ///< fewest cycles from one read to the next
  double contention = 1;   ///< of reads of the same pages by several cores
  int64_t readAlign = 1;
  int64_t writeAlign = 1;
};

/// Page `page` of an interleaved array: in bank `bank`, at `slot` pages from
/// the array's base address, which is the same in every bank.
struct PagePlace {
  int bank;
  int64_t slot;
};

/// What one tile operation costs the threads of the compute engine, which
/// run at the same time: a long sequence takes the larger of the two.
struct OpCycles {
  double unpack;
  double math;
  double bound() const { return unpack > math ? unpack : math; }
};

/// A unit inside a core: intrinsics of a shape, so many per cycle.
struct Unit {
  std::vector<int64_t> shape; ///< matrix: m, k, n; vector: lanes
  double throughput;
};

/// How the matrix unit handles numbers.
struct MatrixNumbers {
  int srcMantissaBits; ///< explicit mantissa bits kept of an operand
  int leftBits;        ///< multiplier width for in0 (SrcB), hidden bit included
  int rightBits;       ///< multiplier width for in1 (SrcA), hidden bit included
  /// A step adds so many sums to Dst, each of products aligned to the largest.
  int groupsPerStep;
  int productsPerGroup;
  /// Significand bits of the terms of that addition, by width of Dst.
  int wideAddendBits;
  int narrowAddendBits;
  Rounding dstRounding;  ///< on accumulation
  Rounding packRounding; ///< from Dst to memory
  /// Whether a sum of exactly -1 in the last place of a 32-bit Dst comes out
  /// 2^27 times too large.
  bool misnormalisesMinusOne;

  int addendBits(bool dst32) const {
    return dst32 ? wideAddendBits : narrowAddendBits;
  }
};

/// How the vector unit handles numbers.
struct VectorNumbers {
  Rounding storeRounding; ///< to a 16-bit Dst
  int functionBits;       ///< significand bits that functions get right
  bool keepsZeroSign;     ///< of a result; otherwise every zero is +0
  uint32_t nan;           ///< fp32 pattern of an invalid operation's result
};

class MachineModel {
public:
  //===--- Scale-out layer: always there ----------------------------------===//

  llvm::StringRef name() const { return machineName; }
  /// Cycles per nanosecond, or nothing if the file has no clock.
  std::optional<double> clockGHz() const { return clock; }

  /// Dimensions of the core array, the fastest first. For a 2-D chip "x"
  /// (columns) then "y" (rows).
  llvm::ArrayRef<Dim> dims() const { return coreDims; }
  std::optional<int> dimIndex(llvm::StringRef name) const;
  int coreCount() const { return cores; }
  /// Coordinates of core `core`, one per dimension, and back.
  llvm::SmallVector<int64_t> coreCoords(int core) const;
  int coreAt(llvm::ArrayRef<int64_t> coords) const;

  //===--- Network --------------------------------------------------------===//

  int networkCount() const { return static_cast<int>(networks.size()); }
  const Network &network(int net) const { return networks[net]; }
  std::optional<int> networkIndex(llvm::StringRef name) const;

  int nodeCount() const { return nodes; }
  NodeId coreNode(int core) const { return coreNodes[core]; }
  /// Where a core's traffic with a bank enters or leaves the network.
  NodeId bankNode(int bank, int net, int core) const;

  int linkCount() const {
    return static_cast<int>(interconnects.size()) * nodes;
  }
  NodeId linkSource(LinkId link) const { return link % nodes; }
  NodeId linkTarget(LinkId link) const {
    return next[link / nodes][link % nodes];
  }
  const Interconnect &linkKind(LinkId link) const {
    return interconnects[link / nodes];
  }
  /// Bytes per cycle that one link carries.
  double linkRate(LinkId link) const { return linkKind(link).bytesPerCycle; }

  /// The links a unicast takes, in order; appended to `links`. A reply takes
  /// route(net, to, from).
  void route(int net, NodeId from, NodeId to,
             llvm::SmallVectorImpl<LinkId> &links) const;
  int hops(int net, NodeId from, NodeId to) const;

  /// The tree of a multicast from a core to a rectangle of cores. The sender
  /// is a receiver only with `loopback`.
  MulticastTree multicast(int net, int sender, CoreRect rect,
                          bool loopback = false) const;

  /// Network a data mover uses unless told otherwise, and the vendor's name
  /// of its processor ("RISCV_1").
  std::optional<int> defaultNetwork(Engine mover) const;
  llvm::StringRef processorName(Engine engine) const;

  //===--- Memories -------------------------------------------------------===//

  bool hasMemories() const { return localMemory.has_value(); }
  /// Whether cores and banks sit on a network with a stated route order.
  bool hasTorus() const { return routed; }
  const Memory &local() const { return *localMemory; }
  bool hasBanks() const { return globalMemory.has_value(); }
  const Memory &global() const { return *globalMemory; }
  int bankCount() const {
    return hasBanks() ? static_cast<int>(globalMemory->instances) : 0;
  }
  /// Requires hasBanks().
  PagePlace interleave(int64_t page) const {
    return {static_cast<int>(page % bankCount()), page / bankCount()};
  }

  //===--- Units and costs ------------------------------------------------===//

  bool hasUnits() const { return matrixUnit.has_value(); }
  const std::optional<Unit> &matrix() const { return matrixUnit; }
  const std::optional<Unit> &vector() const { return vectorUnit; }
  /// Cycles of one scalar operation.
  std::optional<double> scalarLatency() const { return scalar; }
  const std::optional<MatrixNumbers> &matrixNumbers() const {
    return matrixBits;
  }
  const std::optional<VectorNumbers> &vectorNumbers() const {
    return vectorBits;
  }

  /// Bytes per nanosecond that a thread of the host converts between row-major
  /// arrays and pages in another order.
  std::optional<double> hostConversionRate() const { return hostRate; }

  /// Fixed cost in cycles.
  std::optional<double> cycles(Cost cost) const;
  std::optional<int64_t> limit(Limit limit) const;
  /// Tiles of Dst one half holds, by width of its slots.
  std::optional<int64_t> dstTiles(bool dst32) const {
    return limit(dst32 ? Limit::DstTiles32 : Limit::DstTiles16);
  }

  /// One tile operation of the matrix unit. `lhs` and `rhs` are the operands'
  /// formats in memory; operations of one operand read `lhs` only. For
  /// Matmul the larger of the two is the one streamed. A machine that states
  /// units but no tile operation is as coarse as TileLoom's model: elements
  /// over throughput.
  std::optional<OpCycles> tileOp(TileOp op, Format lhs, Format rhs,
                                 Fidelity fidelity) const;
  /// One 32x32x32 tile product: the larger of math and unpack.
  std::optional<double> matmulCycles(Format lhs, Format rhs, Fidelity fidelity,
                                     bool block = true) const;
  /// Packing one tile of Dst to memory, with `accumulate` added to what is
  /// there.
  std::optional<double> packCycles(Format to, bool accumulate = false) const;
  /// One tile through the vector unit. `function` is the compute API's name
  /// of it: "exp", "rsqrt", "recip", "relu"; of two tiles "add", "max",
  /// "compare"; of a tile and a number "add_scalar"; of three "where".
  /// `dst32` is the width of Dst.
  std::optional<double> sfpuCycles(llvm::StringRef function, bool dst32) const;

private:
  friend class MachineModelBuilder;
  MachineModel() = default;

  void follow(const std::vector<int> &order, NodeId from, NodeId to,
              llvm::SmallVectorImpl<LinkId> &links) const;
  void shortest(NodeId from, NodeId to,
                llvm::SmallVectorImpl<LinkId> &links) const;
  std::optional<OpCycles> coarseTileOp(TileOp op) const;

  /// Cycles of one tile operation as the file states them.
  struct TileOpCost {
    double fixed, perPhase;
    int operands;
    double unpackRate, unpackFixed;
  };
  struct SfpuKey {
    std::string function;
    bool dst32;
    auto operator<=>(const SfpuKey &) const = default;
  };

  std::string machineName;
  std::optional<double> clock;
  std::vector<Dim> coreDims;
  int cores = 0;

  std::vector<int64_t> nodeSizes; ///< extents of the node space
  std::vector<int64_t> nodeStrides;
  int nodes = 0;
  std::vector<NodeId> coreNodes;
  std::vector<Interconnect> interconnects;
  std::vector<std::vector<NodeId>> next; ///< [interconnect][node]
  std::vector<int> axisOf;               ///< axis an interconnect moves along
  std::vector<Network> networks;
  bool routed = false;
  std::vector<std::vector<int>> unicastOrder;   ///< [net]: interconnects
  std::vector<std::vector<int>> multicastOrder; ///< [net]: interconnects
  /// Interconnect into each node on the shortest way from `from`; [from][to].
  std::vector<std::vector<int>> shortestStep;

  std::optional<Memory> localMemory, globalMemory;
  /// [bank][net]: the nodes a bank may be reached through.
  std::vector<std::vector<std::vector<NodeId>>> bankNodes;

  std::array<std::optional<int>, 3> engineNetwork;
  std::array<std::string, 3> engineProcessor;
  std::optional<Unit> matrixUnit, vectorUnit;
  std::optional<double> scalar;
  std::optional<MatrixNumbers> matrixBits;
  std::optional<VectorNumbers> vectorBits;
  std::optional<double> hostRate;
  std::map<Cost, double> costs;
  std::map<Limit, int64_t> limits;
  std::map<TileOp, TileOpCost> tileOps;
  std::optional<double> packRate, packFixed, packAccumulateRate;
  std::map<SfpuKey, double> sfpu;
};

} // namespace drawloom

#endif // DRAWLOOM_MACHINE_MACHINEMODEL_H
