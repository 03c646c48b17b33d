// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reservation of links, network interfaces and banks.
#include "Fabric.h"

using namespace llvm;

namespace drawloom::sim {

/// A semaphore or its increment.
static constexpr int64_t kMessageBytes = 4;

Fabric::Fabric(const MachineModel &model)
    : model(model), cores(model.coreCount()), nodes(model.nodeCount()) {
  links.resize(model.linkCount());
  for (int i = 0; i < model.networkCount(); ++i) {
    const Network &net = model.network(i);
    int64_t buffer = net.bufferBytes.value_or(net.packetBytes);
    nets.push_back({net.flitBytes, buffer / net.flitBytes,
                    toTicks(net.hopCycles), toTicks(net.niuCycles),
                    toTicks(net.readTurnaround / 2),
                    toTicks(net.writeTurnaround / 2), Rate(net.injectRate),
                    Rate(net.absorbRate), Rate(net.multicastRate)});
  }
  // Links carry flits of the network they belong to; all have one flit size.
  for (int link = 0; link < model.linkCount(); ++link)
    links[link].flit = Rate(model.linkRate(link))(nets[0].flitBytes);
  ports.resize(nets.size() * cores);
  routes.resize(nets.size() * nodes * nodes);
  banks.resize(model.bankCount());
  for (size_t net = 0; net < nets.size(); ++net)
    for (int core = 0; core < cores; ++core)
      for (size_t bank = 0; bank < banks.size(); ++bank)
        bankNodes.push_back(model.bankNode(bank, net, core));
  if (model.hasBanks()) {
    const Memory &memory = model.global();
    bankRead = Rate(memory.readRate);
    bankWrite = Rate(memory.writeRate);
    readLatency = toTicks(memory.readLatency);
    writeLatency = toTicks(memory.writeLatency);
    readInterval = toTicks(memory.readInterval);
  }
}

ArrayRef<LinkId> Fabric::route(int net, NodeId from, NodeId to) {
  uint32_t &known = routes[(size_t(net) * nodes + from) * nodes + to];
  if (!known) {
    SmallVector<LinkId> path;
    model.route(net, from, to, path);
    routeLinks.push_back(path.size());
    known = routeLinks.size();
    routeLinks.insert(routeLinks.end(), path.begin(), path.end());
  }
  return ArrayRef(routeLinks).slice(known, routeLinks[known - 1]);
}

void Fabric::take(Link &link, int64_t bytes, Time now, Time start, Time busy) {
  link.calendar.take(now, start, busy);
  link.busy += busy;
  link.bytes += bytes;
}

Time Fabric::absorb(int net, int core, int64_t bytes, Time now, Time head) {
  Calendar &calendar = port(net, core).absorb;
  Time busy = nets[net].absorb(bytes);
  Time start = calendar.firstFit(head, busy);
  calendar.take(now, start, busy);
  return start;
}

Time Fabric::enter(const Net &net, ArrayRef<LinkId> path, int64_t length,
                   Time start) {
  Time head = start + net.niu;
  entries.resize_for_overwrite(path.size());
  for (auto [id, entry] : zip_equal(path, entries)) {
    const Link &link = links[id];
    entry = link.calendar.firstFit(head, length * link.flit);
    head = entry + net.hop;
  }
  return head + net.niu;
}

void Fabric::hold(const Net &net, ArrayRef<LinkId> path, int64_t length,
                  int64_t bytes, Time start, Time blocked) {
  injectedBytes += bytes;
  for (size_t i = path.size(); i-- > 0;) {
    Link &link = links[path[i]];
    blocked = std::max<Time>(blocked - net.bufferFlits * link.flit, 0);
    take(link, bytes, start, entries[i], length * link.flit + blocked);
    if (i > 0) // what the head waited between the two links
      blocked += entries[i] - entries[i - 1] - net.hop;
  }
}

Time Fabric::travel(int index, NodeId from, NodeId to, int64_t bytes,
                    Time start) {
  const Net &net = nets[index];
  ArrayRef<LinkId> path = route(index, from, to);
  int64_t length = flits(net, bytes);
  Time head = enter(net, path, length, start);
  hold(net, path, length, bytes, start, 0);
  return head;
}

//===--- Reads ------------------------------------------------------------===//

Time Fabric::request(int net, int core, int bank, Time start) {
  return travel(net, model.coreNode(core), bankNode(net, core, bank), 0,
                start) +
         nets[net].readHalf;
}

Time Fabric::serve(Bank &bank, Time start, Time service) {
  start = std::max(start, bank.free);
  bank.free = start + service;
  bank.busy += service;
  return start;
}

Time Fabric::readBank(int index, int64_t bytes, Time start) {
  Bank &bank = banks[index];
  bank.readBytes += bytes;
  return serve(bank, start, std::max(bankRead(bytes), readInterval)) +
         readLatency;
}

Time Fabric::reply(int net, int core, int bank, int64_t bytes, Time start) {
  const Net &n = nets[net];
  ArrayRef<LinkId> path =
      route(net, bankNode(net, core, bank), model.coreNode(core));
  int64_t length = flits(n, bytes);
  Time head = enter(n, path, length, start) + n.readHalf;
  Time absorbed = absorb(net, core, bytes, start, head);
  hold(n, path, length, bytes, start, absorbed - head);
  return absorbed + std::max(n.absorb(bytes), bankRead(bytes));
}

//===--- Writes -----------------------------------------------------------===//

Time Fabric::write(int net, int core, int bank, int64_t bytes, Time start) {
  const Net &n = nets[net];
  Time injection = n.inject(bytes);
  port(net, core).inject = start + injection;
  Time head = travel(net, model.coreNode(core), bankNode(net, core, bank),
                     bytes, start);
  return head + injection + n.writeHalf;
}

Time Fabric::writeBank(int index, int64_t bytes, Time start) {
  Bank &bank = banks[index];
  bank.writeBytes += bytes;
  Time service = bankWrite(bytes);
  return serve(bank, start, service) + service + writeLatency;
}

Time Fabric::acknowledge(int net, int core, int bank, Time start) {
  return travel(net, bankNode(net, core, bank), model.coreNode(core), 0,
                start) +
         nets[net].writeHalf;
}

Time Fabric::message(int net, int from, int to, Time start) {
  return travel(net, model.coreNode(from), model.coreNode(to), kMessageBytes,
                start) +
         nets[net].writeHalf;
}

//===--- Multicast --------------------------------------------------------===//

const Tree &Fabric::tree(int net, int sender, CoreRect rect) {
  uint64_t key = net;
  for (int64_t part : {int64_t(sender), rect.x0, rect.y0, rect.x1, rect.y1})
    key = key << 12 | static_cast<uint64_t>(part);
  std::unique_ptr<Tree> &known = trees[key];
  if (known)
    return *known;
  known = std::make_unique<Tree>();
  known->network = net;
  known->sender = sender;
  const Net &n = nets[net];
  MulticastTree tree = model.multicast(net, sender, rect);
  for (auto [link, parent] : zip_equal(tree.links, tree.parents)) {
    Time depth = parent < 0 ? n.niu : known->branches[parent].depth + n.hop;
    known->branches.push_back({link, depth});
  }
  for (const MulticastTree::Receiver &receiver : tree.receivers) {
    int back = route(net, model.coreNode(receiver.core), model.coreNode(sender))
                   .size();
    known->receivers.push_back({receiver.core,
                                receiver.hops * n.hop + 2 * n.niu,
                                back * n.hop + 2 * n.niu});
  }
  return *known;
}

Time Fabric::freeTree(const Tree &tree, int64_t length, Time start) const {
  for (bool moved = true; moved;) {
    moved = false;
    for (const Tree::Branch &branch : tree.branches) {
      const Link &link = links[branch.link];
      Time wanted = start + branch.depth;
      Time free = link.calendar.firstFit(wanted, length * link.flit);
      moved |= free > wanted;
      start += free - wanted;
    }
  }
  return start;
}

Time Fabric::multicast(const Tree &tree, int64_t bytes, Time setUp, Time start,
                       SmallVectorImpl<Time> &arrivals) {
  const Net &n = nets[tree.network];
  Time now = start;
  int64_t length = flits(n, bytes);
  start = freeTree(tree, length, start + setUp);
  for (const Tree::Branch &branch : tree.branches) {
    Link &link = links[branch.link];
    take(link, bytes, now, start + branch.depth, length * link.flit);
  }
  injectedBytes += bytes;
  Time transfer = n.multicast(bytes), acknowledged = start;
  port(tree.network, tree.sender).inject = start + transfer;
  arrivals.clear();
  for (const Tree::Receiver &receiver : tree.receivers) {
    Time head = start + receiver.flight + n.writeHalf;
    Time arrived = absorb(tree.network, receiver.core, bytes, now, head) +
                   std::max(n.absorb(bytes), transfer);
    arrivals.push_back(arrived);
    acknowledged =
        std::max(acknowledged, arrived + receiver.backFlight + n.writeHalf);
  }
  return acknowledged;
}

//===--- Totals -----------------------------------------------------------===//

std::vector<LinkTraffic> Fabric::linkTraffic() const {
  std::vector<LinkTraffic> totals;
  for (const Link &link : links)
    totals.push_back({link.bytes, toCycles(link.busy)});
  return totals;
}

std::vector<BankTraffic> Fabric::bankTraffic() const {
  std::vector<BankTraffic> totals;
  for (const Bank &bank : banks)
    totals.push_back({bank.readBytes, bank.writeBytes, toCycles(bank.busy)});
  return totals;
}

} // namespace drawloom::sim
