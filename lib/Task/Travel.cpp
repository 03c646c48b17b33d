// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a load's travel attribute to its mover and multicast.

#include "Travel.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

static LogicalResult addMulticast(Delivery &delivery, tile::MulticastAttr travel,
                                  const Schedule &schedule, const MachineModel &model) {
  tile::LoadOp load = delivery.load;
  Multicast multicast;
  multicast.group = travel.getSenders() == tile::Senders::Group;
  for (StringAttr axis : travel.getAlong()) {
    std::optional<int> c = model.dimIndex(axis);
    if (!c || *c > 1)
      return load.emitError("is multicast along ") << axis << ", which the machine does not have";
    if (delivery.block.dependsOn(*c))
      return load.emitError("is multicast along ")
             << axis << ", but the cores along it need different tiles: load it directly";
    multicast.cores *= schedule.extent(*c);
    if (schedule.extent(*c) > 1)
      multicast.along.push_back(*c);
  }
  if (multicast.cores > 1)
    delivery.multicast = multicast;
  return success();
}

LogicalResult drawloom::task::addTravel(Delivery &delivery, const Schedule &schedule,
                                        const MachineModel &model) {
  tile::LoadOp load = delivery.load;
  auto multicast = dyn_cast_or_null<tile::MulticastAttr>(load.getTravelAttr());
  auto direct = dyn_cast_or_null<tile::DirectAttr>(load.getTravelAttr());
  if (!multicast && !direct)
    return load.emitError("does not say how it travels: plan it, or give it #tile.direct<net 0>");
  int64_t net = multicast ? multicast.getNetwork() : direct.getNetwork();
  if (model.defaultNetwork(Engine::DM0) == net)
    delivery.mover = Engine::DM0;
  else if (model.defaultNetwork(Engine::DM1) == net)
    delivery.mover = Engine::DM1;
  else
    return load.emitError("travels on network ") << net << ", which no data mover uses";
  return multicast ? addMulticast(delivery, multicast, schedule, model) : success();
}

void drawloom::task::createSemaphores(Delivery &delivery, OpBuilder &b) {
  auto buffer = delivery.buffer.getDefiningOp<BufferOp>();
  // Deliveries that share a buffer have counters of their own.
  auto create = [&](StringRef suffix) -> Value {
    return SemaphoreOp::create(b, delivery.load.getLoc(), SemaphoreType::get(b.getContext()),
                               b.getStringAttr(buffer.getName() + suffix), IntegerAttr());
  };
  delivery.multicast->free = create(".free");
  delivery.multicast->full = create(".full");
}
