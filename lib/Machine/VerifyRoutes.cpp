// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules a network's routes and the places on its routers keep.
#include "Clauses.h"
#include "Diagnose.h"

using namespace mlir;
using namespace drawloom::df;

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
