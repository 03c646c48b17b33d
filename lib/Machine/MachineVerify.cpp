// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules each df operation keeps by itself; those between operations are in
// MachineLayers.cpp.
#include "Diagnose.h"
#include "drawloom/Machine/Machine.h"
#include <cmath>

using namespace mlir;
using namespace drawloom::df;

/// Most instances of one component: bounds the tables built from a machine.
static constexpr int64_t kMaxInstances = 1 << 16;

//===--- Numbers ----------------------------------------------------------===//

static LogicalResult optionalNumber(Operation *op, StringRef name,
                                    std::optional<llvm::APFloat> value,
                                    bool zeroAllowed) {
  if (!value)
    return success();
  double number = value->convertToDouble();
  if (std::isfinite(number) && (number > 0 || (zeroAllowed && number == 0)))
    return success();
  return refuse(
      op,
      "'" + name + "' must be a " +
          (zeroAllowed ? "finite, non-negative" : "finite, positive") +
          " number",
      "a rate or a time of the machine; correct the number, or "
      "remove the clause if it is not known");
}

static LogicalResult number(Operation *op, StringRef name, StringRef meaning,
                            std::optional<llvm::APFloat> value,
                            bool zeroAllowed = false) {
  if (!value)
    return refuse(op, "has no '" + name + "': " + meaning,
                  "add `" + name + " <number>`, followed by its source");
  return optionalNumber(op, name, value, zeroAllowed);
}

static LogicalResult optionalSize(Operation *op, StringRef name,
                                  std::optional<int64_t> value,
                                  int64_t least = 1) {
  if (!value || *value >= least)
    return success();
  return refuse(
      op, "'" + name + "' is " + Twine(*value) + ", less than " + Twine(least),
      "give `" + name + "` its real size");
}

static LogicalResult size(Operation *op, StringRef name, StringRef meaning,
                          std::optional<int64_t> value) {
  if (!value)
    return refuse(op, "has no '" + name + "': " + meaning,
                  "add `" + name + " <integer>`, followed by its source");
  return optionalSize(op, name, value);
}

//===--- Scale-out layer --------------------------------------------------===//

LogicalResult SpatialDimOp::verify() {
  if (getSize() < 1 || getSize() > kMaxInstances)
    return refuse(*this,
                  "has size " + Twine(getSize()) + ", outside 1 to " +
                      Twine(kMaxInstances),
                  "a dimension counts components; give it at least one");
  return success();
}

/// The dimensions of a component: given, each once, and not too many points.
static LogicalResult verifyScaleout(Operation *op, ValueRange dims) {
  if (dims.empty())
    return refuse(op, "has no spatial dimension",
                  "list one or more df.spatial_dim in `scaleout(...)`");
  int64_t instances = 1;
  for (auto [position, dim] : llvm::enumerate(dims)) {
    if (llvm::is_contained(dims.take_front(position), dim))
      return refuse(op, "lists a spatial dimension twice",
                    "each axis of a component needs its own df.spatial_dim");
    instances *= dim.getDefiningOp<SpatialDimOp>().getSize();
    if (instances > kMaxInstances)
      return refuse(op, "has more than " + Twine(kMaxInstances) + " instances",
                    "describe a smaller machine");
  }
  return success();
}

LogicalResult CoreOp::verify() { return verifyScaleout(*this, getScaleout()); }
LogicalResult RouterOp::verify() {
  return verifyScaleout(*this, getScaleout());
}

/// `map` must take every point of `from` that `where` admits into `to`.
static LogicalResult verifyMap(Operation *op, AffineMap map,
                               ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                               std::optional<IntegerSet> where = {}) {
  if (map.getNumDims() != from.size() || map.getNumSymbols() != 0 ||
      map.getNumResults() != to.size())
    return refuse(op,
                  "map must take " + Twine(from.size()) + " dimensions to " +
                      Twine(to.size()) + " results, without symbols",
                  "one dimension for each axis of the components it links");
  int64_t instances = 1;
  for (int64_t extent : from)
    instances *= extent;
  for (int64_t index = 0; index < instances; ++index) {
    SmallVector<int64_t> point = delinearize(index, from);
    if (where && !contains(*where, point))
      continue;
    auto image = evaluate(map, point);
    if (failed(image))
      return refuse(op, "map has no value at " + pointText(point),
                    "do not divide by zero in the map");
    for (auto [value, extent] : llvm::zip_equal(*image, to))
      if (value < 0 || value >= extent)
        return refuse(op,
                      "map leaves the grid: it sends " + pointText(point) +
                          " to " + pointText(*image) + ", outside " +
                          extentText(to),
                      "wrap the coordinate with `mod " + Twine(extent) +
                          "`, or correct the sizes");
  }
  return success();
}

LogicalResult InterconnectsOp::verify() {
  if (isa_and_present<MemoryOp>(getComponents().getDefiningOp()))
    return refuse(*this, "links memories",
                  "link the cores or routers, and attach memories with df.mux "
                  "or df.place");
  if (failed(number(*this, "bandwidth", "bytes per cycle of each link",
                    getBandwidth())))
    return failure();
  SmallVector<int64_t> extents = extentsOf(getComponents());
  return verifyMap(*this, getMap(), extents, extents);
}

//===--- Memory and transport layer ---------------------------------------===//

LogicalResult MemoryOp::verify() {
  if (failed(verifyScaleout(*this, getScaleout())) ||
      failed(size(*this, "size", "bytes of each instance", getSize())) ||
      failed(number(*this, "bandwidth", "bytes per cycle of each instance",
                    getBandwidth())) ||
      failed(optionalNumber(*this, "write_bandwidth", getWriteBandwidth(),
                            false)) ||
      failed(optionalNumber(*this, "latency", getLatency(), true)) ||
      failed(optionalNumber(*this, "write_latency", getWriteLatency(), true)) ||
      failed(optionalNumber(*this, "read_interval", getReadInterval(), true)) ||
      failed(optionalNumber(*this, "contention", getContention(), false)) ||
      failed(optionalSize(*this, "reserved", getReserved(), 0)) ||
      failed(optionalSize(*this, "read_align", getReadAlign())) ||
      failed(optionalSize(*this, "write_align", getWriteAlign())))
    return failure();
  if (getContention() && getContention()->convertToDouble() < 1)
    return refuse(*this, "has a 'contention' below 1",
                  "reads that meet take no less than their bytes");
  if (getReserved().value_or(0) >= *getSize())
    return refuse(*this, "reserves all of its bytes",
                  "`reserved` must be less than `size`");
  return success();
}

LogicalResult MuxOp::verify() {
  if (!isa_and_present<MemoryOp>(getSrcs().getDefiningOp()))
    return refuse(*this, "has srcs that are not memories",
                  "a mux gives its dst access to a df.memory");
  auto memory = dyn_cast_if_present<MemoryOp>(getDst().getDefiningOp());
  bool local = memory && memory.getLevel() == drawloom::MemoryLevel::Local;
  if (!local && !isa_and_present<CoreOp>(getDst().getDefiningOp()))
    return refuse(*this, "has a dst that is neither cores nor local memories",
                  "say which cores reach the memory");
  if (failed(number(*this, "bandwidth", "bytes per cycle of each connection",
                    getBandwidth())))
    return failure();
  std::optional<IntegerSet> where = getWhere();
  SmallVector<int64_t> from = extentsOf(getDst());
  if (where && (where->getNumDims() != from.size() || where->getNumSymbols()))
    return refuse(*this,
                  "'where' must be a set over the dst's " + Twine(from.size()) +
                      " dimensions",
                  "use the same dimensions as the map");
  return verifyMap(*this, getMap(), from, extentsOf(getSrcs()), where);
}

/// Whether following the links from anywhere visits all of a line along
/// `axis` and comes back: what a route needs to end.
static bool isRing(AffineMap map, unsigned axis, ArrayRef<int64_t> extents) {
  int64_t nodes = 1;
  for (int64_t extent : extents)
    nodes *= extent;
  for (int64_t index = 0; index < nodes; ++index) {
    SmallVector<int64_t> start = delinearize(index, extents);
    if (start[axis] != 0)
      continue;
    SmallVector<int64_t> point = start;
    for (int64_t step = 1; step <= extents[axis]; ++step) {
      point = *evaluate(map, point);
      if ((point == start) != (step == extents[axis]))
        return false;
    }
  }
  return true;
}

/// A routing order: at least one interconnect, all on the same components,
/// each along an axis of its own, every axis of more than one stop covered.
static LogicalResult verifyOrder(NetworkOp op, StringRef name,
                                 OperandRange order) {
  llvm::SmallDenseSet<unsigned> axes;
  Value components;
  for (Value links : order) {
    auto interconnects = links.getDefiningOp<InterconnectsOp>();
    if (components && interconnects.getComponents() != components)
      return refuse(op,
                    "'" + name +
                        "' mixes interconnects of different "
                        "components",
                    "a network runs over one set of routers or cores");
    components = interconnects.getComponents();
    std::optional<unsigned> axis = movedAxis(interconnects.getMap());
    if (!axis || !axes.insert(*axis).second)
      return refuse(op,
                    "'" + name +
                        "' needs interconnects that each move "
                        "along one axis of their own; '" +
                        interconnects.getName() + "' does not",
                    "list one interconnect for each axis, in routing order");
    if (!isRing(interconnects.getMap(), *axis, extentsOf(components)))
      return refuse(op,
                    "'" + interconnects.getName() +
                        "' does not visit every node along axis " +
                        Twine(*axis),
                    "a routed interconnect is a ring: `mod` the extent");
  }
  if (!components)
    return refuse(op, "'" + name + "' lists no interconnect",
                  "list one interconnect for each axis, in routing order");
  for (auto [axis, extent] : llvm::enumerate(extentsOf(components)))
    if (extent > 1 && !axes.contains(axis))
      return refuse(
          op, "'" + name + "' has no interconnect along axis " + Twine(axis),
          "nodes that differ along that axis could not be reached");
  return success();
}

LogicalResult NetworkOp::verify() {
  if (failed(verifyOrder(*this, "unicast", getUnicast())) ||
      failed(verifyOrder(*this, "multicast", getMulticast())))
    return failure();
  return success(
      succeeded(size(*this, "flit", "bytes a link moves at once", getFlit())) &&
      succeeded(size(*this, "packet", "payload bytes of the longest packet",
                     getPacket())) &&
      succeeded(optionalSize(*this, "buffer", getBuffer())) &&
      succeeded(number(*this, "hop", "cycles from router to router", getHop(),
                       true)) &&
      succeeded(
          number(*this, "niu", "cycles from core to router", getNiu(), true)) &&
      succeeded(number(*this, "inject",
                       "bytes per cycle from a core into the network",
                       getInject())) &&
      succeeded(number(*this, "absorb",
                       "bytes per cycle from the network into a core",
                       getAbsorb())) &&
      succeeded(number(*this, "multicast_rate",
                       "bytes per cycle of one sender's linked multicast",
                       getMulticastRate())) &&
      succeeded(number(*this, "read_turnaround",
                       "cycles of a read besides hops", getReadTurnaround(),
                       true)) &&
      succeeded(number(*this, "write_turnaround",
                       "cycles of a write besides hops", getWriteTurnaround(),
                       true)));
}

/// A point list of PlaceOp inside the routers, each point once.
static LogicalResult verifyPoints(PlaceOp op, ArrayAttr points,
                                  ArrayRef<int64_t> routers,
                                  int64_t instances) {
  if (static_cast<int64_t>(points.size()) != instances)
    return refuse(op,
                  "gives " + Twine(points.size()) + " points for " +
                      Twine(instances) + " instances",
                  "give one point for each, the first dimension fastest");
  for (Attribute attr : points) {
    ArrayRef<int64_t> point = cast<DenseI64ArrayAttr>(attr).asArrayRef();
    bool inside = point.size() == routers.size() &&
                  llvm::all_of(llvm::zip_equal(point, routers), [](auto pair) {
                    auto [value, extent] = pair;
                    return value >= 0 && value < extent;
                  });
    if (!inside)
      return refuse(op,
                    "point " + pointText(point) + " is outside the " +
                        extentText(routers) + " routers",
                    "use router coordinates, counted from zero");
  }
  return success();
}

/// One list of distinct router coordinates for each axis of the component.
static LogicalResult verifyAxes(PlaceOp op, ArrayAttr axes,
                                ArrayRef<int64_t> routers,
                                ArrayRef<int64_t> extents) {
  if (axes.size() != extents.size() || axes.size() != routers.size())
    return refuse(op,
                  "gives " + Twine(axes.size()) + " axes; the component has " +
                      Twine(extents.size()) + " and the routers " +
                      Twine(routers.size()),
                  "give one list of router coordinates for each axis");
  for (auto [axis, attr] : llvm::enumerate(axes)) {
    ArrayRef<int64_t> list = cast<DenseI64ArrayAttr>(attr).asArrayRef();
    if (static_cast<int64_t>(list.size()) != extents[axis])
      return refuse(op,
                    "axis " + Twine(axis) + " places " + Twine(list.size()) +
                        " of " + Twine(extents[axis]) + " indices",
                    "give one router coordinate for each index");
    for (auto [position, value] : llvm::enumerate(list))
      if (value < 0 || value >= routers[axis] ||
          llvm::is_contained(list.take_front(position), value))
        return refuse(op,
                      "axis " + Twine(axis) + " has coordinate " +
                          Twine(value) + " twice or outside the routers' " +
                          Twine(routers[axis]),
                      "use distinct router coordinates, counted from zero");
  }
  return success();
}

LogicalResult PlaceOp::verify() {
  if (!isa_and_present<RouterOp>(getRouters().getDefiningOp()))
    return refuse(*this, "places on something that is not df.router",
                  "name the routers after `on`");
  if (isa_and_present<RouterOp>(getComponent().getDefiningOp()))
    return refuse(*this, "places routers on routers",
                  "place cores or memories");
  if (getNetwork() && isa_and_present<CoreOp>(getComponent().getDefiningOp()))
    return refuse(*this, "places cores on one network only",
                  "a core has the same router on every network; leave the "
                  "network out");
  std::optional<ArrayAttr> axes = getAxes(), points = getPoints();
  if (axes.has_value() == points.has_value())
    return refuse(*this, "needs one of `axes` and `at`",
                  "`axes` for a grid, `at` for single points");
  SmallVector<int64_t> extents = extentsOf(getComponent());
  SmallVector<int64_t> routers = extentsOf(getRouters());
  if (axes)
    return verifyAxes(*this, *axes, routers, extents);
  int64_t instances = 1;
  for (int64_t extent : extents)
    instances *= extent;
  return verifyPoints(*this, *points, routers, instances);
}

//===--- Inside a core ----------------------------------------------------===//

static LogicalResult verifyShape(Operation *op, ArrayRef<int64_t> shape,
                                 size_t rank) {
  bool positive = llvm::all_of(shape, [](int64_t extent) {
    return extent > 0 && extent <= kMaxInstances;
  });
  if (shape.size() == rank && positive)
    return success();
  return refuse(op, "shape must be " + Twine(rank) + " positive sizes",
                rank == 3 ? "m, k and n of one intrinsic"
                          : "the lanes of one intrinsic");
}

/// The number behaviour of a unit: `stated` says of each of `clauses` whether
/// it is there. All of them are, or none.
static LogicalResult verifyAllOrNone(Operation *op, ArrayRef<bool> stated,
                                     StringRef clauses) {
  if (llvm::all_equal(stated))
    return success();
  return refuse(op, "states only part of its number behaviour",
                "give " + clauses + ", or none");
}

/// A number of significand bits of an fp32 value.
static bool isWidth(int64_t bits) { return bits >= 1 && bits <= 24; }

static LogicalResult verifyNumbers(MatOp op) {
  ArrayRef<int64_t> multiplier = *op.getMultiplier(), groups = *op.getGroups(),
                    addend = *op.getAddend();
  if (!isWidth(*op.getMantissa()) || multiplier.size() != 2 ||
      !llvm::all_of(multiplier, isWidth))
    return refuse(op, "has a mantissa or multiplier width outside 1 to 24",
                  "`multiplier [in0 bits, in1 bits]`, hidden bit included");
  if (groups.size() != 2 || groups[0] < 1 || groups[1] < 1 ||
      groups[0] * groups[1] != op.getShape()[1])
    return refuse(op,
                  "has groups that do not make up the " +
                      Twine(op.getShape()[1]) + " products of a step",
                  "`groups [count, size]`, whose product is k of the shape");
  if (addend.size() != 2 || !llvm::all_of(addend, isWidth))
    return refuse(op, "has addend widths outside 1 to 24",
                  "`addend [bits with a 32-bit Dst, with a 16-bit Dst]`");
  return success();
}

LogicalResult MatOp::verify() {
  if (failed(verifyShape(*this, getShape(), 3)) ||
      failed(number(*this, "throughput", "intrinsics per cycle",
                    getThroughput())) ||
      failed(verifyAllOrNone(
          *this,
          {getMantissa().has_value(), getMultiplier().has_value(),
           getGroups().has_value(), getAddend().has_value(),
           getAccumulate().has_value(), getPack().has_value(),
           getMisnormalisesMinusOne().has_value()},
          "`mantissa`, `multiplier`, `groups`, `addend`, `accumulate`, `pack` "
          "and `misnormalises_minus_one`")))
    return failure();
  return getMantissa() ? verifyNumbers(*this) : success();
}

LogicalResult VecOp::verify() {
  if (failed(verifyShape(*this, getShape(), 1)) ||
      failed(number(*this, "throughput", "intrinsics per cycle",
                    getThroughput())) ||
      failed(verifyAllOrNone(
          *this,
          {getStore().has_value(), getFunctionBits().has_value(),
           getKeepsZeroSign().has_value(), getNan().has_value()},
          "`store`, `function_bits`, `keeps_zero_sign` and `nan`")))
    return failure();
  if (!getStore())
    return success();
  if (!isWidth(*getFunctionBits()))
    return refuse(*this, "has function bits outside 1 to 24",
                  "significand bits that functions get right");
  int64_t nan = *getNan();
  bool isNaN = nan > 0 && nan <= 0xFFFFFFFF && (nan & 0x7FFFFFFF) > 0x7F800000;
  if (!isNaN)
    return refuse(*this, "has a 'nan' that is not one",
                  "give the bits of an fp32 NaN, such as 0x7FC00000");
  return success();
}

LogicalResult ScalarOp::verify() {
  return number(*this, "latency", "cycles of one scalar operation",
                getLatency());
}

LogicalResult LimitOp::verify() {
  return optionalSize(*this, stringifyLimit(getLimit()), getValue());
}

LogicalResult CostOp::verify() {
  return optionalNumber(*this, stringifyCost(getCost()), getCycles(), true);
}

LogicalResult TileOpOp::verify() {
  if (failed(number(*this, "math", "cycles of the math thread", getMath(),
                    true)) ||
      failed(optionalNumber(*this, "per_phase", getPerPhase(), true)) ||
      failed(optionalNumber(*this, "unpack", getUnpack(), false)) ||
      failed(optionalNumber(*this, "unpack_fixed", getUnpackFixed(), true)) ||
      failed(optionalSize(*this, "operands", getOperands())))
    return failure();
  if (getOperands() && !getUnpack())
    return refuse(*this, "streams operands at no rate",
                  "add `unpack <bytes per cycle>`");
  if (getOperands().value_or(1) > 2)
    return refuse(*this, "streams more than two operands",
                  "the unpacker has one lane for each of two operands");
  return success();
}

LogicalResult PackOp::verify() {
  if (failed(number(*this, "bandwidth", "bytes per cycle to memory",
                    getBandwidth())) ||
      failed(optionalNumber(*this, "fixed", getFixed(), true)))
    return failure();
  return optionalNumber(*this, "accumulate", getAccumulate(), false);
}

LogicalResult HostOp::verify() {
  return number(*this, "convert", "bytes per nanosecond of one thread",
                getConvert());
}

LogicalResult SfpuOp::verify() {
  if (getFunction().empty())
    return refuse(*this, "names no function", "write `df.sfpu \"exp\" ...`");
  if (getDst() != drawloom::Format::BF16 && getDst() != drawloom::Format::FP32)
    return refuse(*this, "has a Dst of neither bf16 nor fp32",
                  "the vector unit is timed for 16-bit (bf16) and 32-bit "
                  "(fp32) Dst");
  return optionalNumber(*this, "cycles", getCycles(), false);
}
