// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Routes and multicast trees against the vendor's routing rules.
#include "Machines.h"
#include <gtest/gtest.h>
#include <set>

using namespace drawloom;
using llvm::SmallVector;

/// Router coordinates of a node on a torus of `columns`.
static std::pair<int, int> at(NodeId node, int columns) {
  return {node % columns, node / columns};
}

/// Hop counts by the ISA's formula.
static int isaHops(int net, std::pair<int, int> from, std::pair<int, int> to,
                   int columns, int rows) {
  int dx = to.first - from.first, dy = to.second - from.second;
  if (net == 1)
    dx = -dx, dy = -dy;
  return (dx + columns) % columns + (dy + rows) % rows;
}

static void checkAllRoutes(const MachineModel &machine, int columns, int rows) {
  for (int net = 0; net < 2; ++net)
    for (int a = 0; a < machine.coreCount(); ++a)
      for (int b = 0; b < machine.coreCount(); ++b) {
        NodeId from = machine.coreNode(a), to = machine.coreNode(b);
        SmallVector<LinkId> links;
        machine.route(net, from, to, links);
        ASSERT_EQ(
            static_cast<int>(links.size()),
            isaHops(net, at(from, columns), at(to, columns), columns, rows));
        NodeId here = from;
        for (LinkId link : links) {
          ASSERT_EQ(machine.linkSource(link), here);
          here = machine.linkTarget(link);
        }
        ASSERT_EQ(here, to);
      }
}

TEST(Network, RoutesHaveTheLengthTheIsaGives) {
  checkAllRoutes(load("wormhole"), 10, 12);
  checkAllRoutes(load("blackhole"), 17, 12);
}

TEST(Network, Noc0GoesRightThenDownAndNoc1UpThenLeft) {
  MachineModel machine = load("wormhole");
  NodeId from = machine.coreNode(machine.coreAt({0, 0}));
  NodeId to = machine.coreNode(machine.coreAt({1, 1}));
  auto kinds = [&](int net) {
    SmallVector<LinkId> links;
    machine.route(net, from, to, links);
    std::vector<std::string> names;
    for (LinkId link : links)
      if (names.empty() || names.back() != machine.linkKind(link).name)
        names.push_back(machine.linkKind(link).name);
    return names;
  };
  EXPECT_EQ(kinds(0), (std::vector<std::string>{"noc0.x", "noc0.y"}));
  EXPECT_EQ(kinds(1), (std::vector<std::string>{"noc1.y", "noc1.x"}));
  EXPECT_EQ(machine.hops(0, from, to), 2);
  EXPECT_EQ(machine.hops(1, from, to), 20); // round the torus the other way
}

TEST(Network, RequestAndReplyGoOnceRoundTheTorus) {
  MachineModel machine = load("wormhole");
  NodeId a = machine.coreNode(0), b = machine.coreNode(63);
  for (int net : {0, 1})
    EXPECT_EQ(machine.hops(net, a, b) + machine.hops(net, b, a), 22);
}

TEST(Network, RoundTripOfA64ByteRead) {
  // noc.yaml: 293 cycles on Wormhole and 373 on Blackhole, both axes differing.
  for (auto [name, measured] :
       {std::pair("wormhole", 293.0), {"blackhole", 373.0}}) {
    MachineModel machine = load(name);
    const Network &net = machine.network(0);
    NodeId a = machine.coreNode(0),
           b = machine.coreNode(machine.coreAt({1, 1}));
    int hops = machine.hops(0, a, b) + machine.hops(0, b, a);
    double cycles =
        hops * net.hopCycles + 4 * net.niuCycles + net.readTurnaround;
    EXPECT_NEAR(cycles, measured, 1.0) << name;
  }
}

TEST(Network, MulticastOfARowTakesEachLinkOnce) {
  MachineModel machine = load("wormhole");
  MulticastTree tree = machine.multicast(0, 0, {0, 0, 7, 0});
  EXPECT_EQ(tree.receivers.size(), 7u);
  EXPECT_EQ(tree.links.size(), 8u); // columns 1 to 9: the hole at 5 is crossed
  EXPECT_EQ(machine.multicast(0, 0, {0, 0, 7, 0}, true).receivers.size(), 8u);
}

TEST(Network, MulticastTreeIsATreeOfDistinctLinks) {
  MachineModel machine = load("blackhole");
  for (int net : {0, 1}) {
    MulticastTree tree = machine.multicast(net, 17, {2, 1, 9, 7});
    std::set<LinkId> distinct(tree.links.begin(), tree.links.end());
    EXPECT_EQ(distinct.size(), tree.links.size());
    for (size_t i = 0; i < tree.links.size(); ++i) {
      ASSERT_LT(tree.parents[i], static_cast<int>(i));
      NodeId before = tree.parents[i] < 0
                          ? machine.coreNode(17)
                          : machine.linkTarget(tree.links[tree.parents[i]]);
      EXPECT_EQ(machine.linkSource(tree.links[i]), before);
    }
    for (const MulticastTree::Receiver &receiver : tree.receivers)
      EXPECT_EQ(machine.linkTarget(tree.links[receiver.link]),
                machine.coreNode(receiver.core));
  }
}

TEST(Network, BanksAnswerAtTheirEndPointOfEachNetwork) {
  MachineModel blackhole = load("blackhole");
  EXPECT_EQ(at(blackhole.bankNode(0, 0, 5), 17), std::pair(0, 11));
  EXPECT_EQ(at(blackhole.bankNode(0, 1, 5), 17), std::pair(0, 1));
  EXPECT_EQ(at(blackhole.bankNode(7, 0, 5), 17), std::pair(9, 6));
  MachineModel wormhole = load("wormhole");
  EXPECT_EQ(at(wormhole.bankNode(11, 1, 0), 10), std::pair(5, 7));
}

TEST(Network, TorusOfThePaperUsesItsNearestBankPort) {
  MachineModel torus = load("torus");
  ASSERT_EQ(torus.bankCount(), 8);
  // Bank 0: west edge, rows 0 to 3. Routes go right and down.
  int core = torus.coreAt({6, 2});
  EXPECT_EQ(torus.bankNode(0, 0, core), torus.coreNode(torus.coreAt({0, 2})));
  EXPECT_EQ(torus.hops(0, torus.coreNode(core), torus.bankNode(0, 0, core)), 2);
}

TEST(Network, RingsOfThePaperGoBothWays) {
  MachineModel ring = load("triple_ring");
  ASSERT_EQ(ring.networkCount(), 3);
  EXPECT_EQ(ring.hops(0, 3, 1), 30);
  EXPECT_EQ(ring.hops(1, 3, 1), 2);
  EXPECT_EQ(ring.hops(2, 3, 1), 30);
}
