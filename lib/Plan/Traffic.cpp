// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the bytes of a way to travel to each link of its routes.

#include "drawloom/Plan/Traffic.h"

using namespace llvm;

namespace drawloom::plan {
namespace {

/// Calls `visit` with the index of every core inside the used box.
template <typename Visit>
void forEachUsed(const MachineModel &machine, ArrayRef<int64_t> used, Visit visit) {
  for (int core = 0; core < machine.coreCount(); ++core) {
    SmallVector<int64_t> coords = machine.coreCoords(core);
    bool inside = true;
    for (auto [axis, coord] : enumerate(coords))
      inside &= coord < used[axis];
    if (inside)
      visit(core, coords);
  }
}

} // namespace

const Profile &Traffic::load(const Travel &travel, ArrayRef<int64_t> used) {
  Key key = {travel.along, travel.group, travel.network, used[0],
             used.size() > 1 ? used[1] : 1, 0};
  auto [it, inserted] = loads.try_emplace(key);
  if (inserted)
    it->second = measureLoad(travel, used);
  return it->second;
}

const Profile &Traffic::store(int network, ArrayRef<int64_t> used) {
  Key key = {network, used[0], used.size() > 1 ? used[1] : 1, 0, 0, 0};
  auto [it, inserted] = stores.try_emplace(key);
  if (inserted)
    it->second = measureStore(network, used);
  return it->second;
}

void Traffic::addRead(Profile &profile, int network, int core, double bytes) const {
  SmallVector<LinkId, 32> links;
  for (int bank = 0; bank < machine.bankCount(); ++bank) {
    links.clear();
    machine.route(network, machine.bankNode(bank, network, core),
                  machine.coreNode(core), links);
    for (LinkId link : links)
      profile.links[link] += bytes / machine.bankCount();
  }
  profile.bankBytes += bytes;
}

/// The rectangle that receives from `core`: the whole used extent along the
/// multicast dimensions, the core's own coordinate along the others.
static CoreRect rectangle(ArrayRef<int64_t> coords, unsigned along, ArrayRef<int64_t> used) {
  auto low = [&](unsigned axis) { return along >> axis & 1 ? 0 : coords[axis]; };
  auto high = [&](unsigned axis) { return along >> axis & 1 ? used[axis] - 1 : coords[axis]; };
  bool flat = coords.size() < 2;
  return {low(0), flat ? 0 : low(1), high(0), flat ? 0 : high(1)};
}

Profile Traffic::measureLoad(const Travel &travel, ArrayRef<int64_t> used) const {
  Profile profile;
  profile.links.assign(machine.linkCount(), 0);
  int64_t sharers = 1;
  for (auto [axis, size] : enumerate(used))
    if (travel.along >> axis & 1)
      sharers *= size;
  double part = travel.group ? 1.0 / sharers : 1.0;
  forEachUsed(machine, used, [&](int core, ArrayRef<int64_t> coords) {
    bool sends = travel.along == 0 || travel.group;
    if (!sends) {
      sends = true;
      for (auto [axis, coord] : enumerate(coords))
        sends &= !(travel.along >> axis & 1) || coord == 0;
    }
    if (!sends)
      return;
    ++profile.senders;
    addRead(profile, travel.network, core, part);
    if (!travel.along)
      return;
    MulticastTree tree =
        machine.multicast(travel.network, core, rectangle(coords, travel.along, used));
    for (LinkId link : tree.links)
      profile.links[link] += part;
  });
  profile.receivers = travel.along ? sharers - 1 : 0;
  finish(profile);
  return profile;
}

Profile Traffic::measureStore(int network, ArrayRef<int64_t> used) const {
  Profile profile;
  profile.links.assign(machine.linkCount(), 0);
  forEachUsed(machine, used, [&](int core, ArrayRef<int64_t>) {
    SmallVector<LinkId, 32> links;
    for (int bank = 0; bank < machine.bankCount(); ++bank) {
      links.clear();
      machine.route(network, machine.coreNode(core),
                    machine.bankNode(bank, network, core), links);
      for (LinkId link : links)
        profile.links[link] += 1.0 / machine.bankCount();
    }
    profile.bankBytes += 1;
    ++profile.senders;
  });
  finish(profile);
  return profile;
}

void Traffic::finish(Profile &profile) const {
  for (auto [link, share] : enumerate(profile.links)) {
    share /= machine.linkRate(link);
    profile.busiest = std::max<double>(profile.busiest, share);
  }
}

} // namespace drawloom::plan
