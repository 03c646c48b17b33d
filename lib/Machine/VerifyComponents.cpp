// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules components, their links and their memories keep by themselves;
// those between operations are in MachineLayers.cpp.
#include "Clauses.h"
#include "Diagnose.h"

using namespace mlir;
using namespace drawloom::df;

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
