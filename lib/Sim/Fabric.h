// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The network and the memory banks: when a transfer gets where, given all that
// is under way.
//
// Packets cut through: the head takes a link as soon as it is free and holds
// it for its flits, in one virtual channel: first come, first served. Every
// function reserves what it uses at the time it is called for, so it must be
// called in order of time, one leg of a transfer at a time: request, bank and
// reply are three calls.
#ifndef DRAWLOOM_LIB_SIM_FABRIC_H
#define DRAWLOOM_LIB_SIM_FABRIC_H

#include "Calendar.h"
#include "drawloom/Machine/MachineModel.h"
#include "drawloom/Sim/SimResult.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace drawloom::sim {

/// A multicast's links and receivers, in ticks from its injection.
struct Tree {
  int network;
  int sender;
  struct Branch {
    LinkId link;
    Time depth; ///< when the head enters the link
  };
  struct Receiver {
    int core;
    Time flight;     ///< of the head to the core
    Time backFlight; ///< of the acknowledgement
  };
  std::vector<Branch> branches;
  std::vector<Receiver> receivers;
};

class Fabric {
public:
  explicit Fabric(const MachineModel &model);

  /// Legs of a read, from the time the mover has issued it. `request` and
  /// `readBank` return when the next leg starts, `reply` when all has arrived.
  Time request(int net, int core, int bank, Time start);
  Time readBank(int bank, int64_t bytes, Time start);
  Time reply(int net, int core, int bank, int64_t bytes, Time start);

  /// When the core's network interface can take the next transfer.
  Time injectFree(int net, int core) const { return port(net, core).inject; }

  /// Legs of a write. `write` needs injectFree and returns when the last byte
  /// is at the bank, `writeBank` when it is stored, `acknowledge` when the
  /// core knows.
  Time write(int net, int core, int bank, int64_t bytes, Time start);
  Time writeBank(int bank, int64_t bytes, Time start);
  Time acknowledge(int net, int core, int bank, Time start);

  /// A four-byte message: when it has arrived at `to`.
  Time message(int net, int from, int to, Time start);

  /// The tree from `sender` to `rect` without the sender itself.
  const Tree &tree(int net, int sender, CoreRect rect);

  /// Sends a packet down the tree once all of it is free; needs injectFree.
  /// `setUp` ticks pass first at the sender. `arrivals` gets the time of the
  /// last byte for each receiver; returns when all acknowledgements are back,
  /// which take time but no bandwidth (a flit each).
  Time multicast(const Tree &tree, int64_t bytes, Time setUp, Time start,
                 llvm::SmallVectorImpl<Time> &arrivals);

  std::vector<LinkTraffic> linkTraffic() const;
  std::vector<BankTraffic> bankTraffic() const;
  int64_t nocBytes() const { return injectedBytes; }

private:
  struct Port {
    Time inject = 0; ///< free from here on
    Calendar absorb;
  };
  struct Net {
    int64_t flitBytes, bufferFlits;
    Time hop, niu, readHalf, writeHalf;
    Rate inject, absorb, multicast;
  };
  struct Link {
    Time flit; ///< ticks per flit
    Time busy = 0;
    int64_t bytes = 0;
    Calendar calendar;
  };
  struct Bank {
    Time free = 0, busy = 0;
    int64_t readBytes = 0, writeBytes = 0;
  };

  Port &port(int net, int core) { return ports[net * cores + core]; }
  const Port &port(int net, int core) const {
    return ports[net * cores + core];
  }
  NodeId bankNode(int net, int core, int bank) const {
    return bankNodes[(net * cores + core) * banks.size() + bank];
  }
  /// Stays valid until another is asked for.
  llvm::ArrayRef<LinkId> route(int net, NodeId from, NodeId to);
  int64_t flits(const Net &net, int64_t bytes) const {
    return 1 + (bytes + net.flitBytes - 1) / net.flitBytes;
  }
  /// Takes the receiver's port: when it takes in the head.
  Time absorb(int net, int core, int64_t bytes, Time now, Time head);
  void take(Link &link, int64_t bytes, Time now, Time start, Time busy);
  /// Takes the route's links in turn; the head's arrival at `to`.
  Time travel(int net, NodeId from, NodeId to, int64_t bytes, Time start);
  /// The two parts of it: when the head enters each link (`entries`) and
  /// arrives; and how long it holds them if it then waits for `blocked`. A
  /// packet that waits holds the links behind it as far as the buffers between
  /// cannot store it.
  Time enter(const Net &net, llvm::ArrayRef<LinkId> path, int64_t length,
             Time start);
  void hold(const Net &net, llvm::ArrayRef<LinkId> path, int64_t length,
            int64_t bytes, Time start, Time blocked);
  /// The first time from `start` on when all of a tree is free.
  Time freeTree(const Tree &tree, int64_t length, Time start) const;
  Time serve(Bank &bank, Time start, Time service);

  const MachineModel &model;
  int cores;
  int nodes;
  std::vector<Net> nets;
  std::vector<Port> ports;
  std::vector<Link> links;
  std::vector<Bank> banks;
  std::vector<NodeId> bankNodes;
  /// Where each route starts in routeLinks, by network and end points; 0 for one
  /// that has not been asked for.
  std::vector<uint32_t> routes;
  std::vector<LinkId> routeLinks; ///< of each route, behind their number
  llvm::DenseMap<uint64_t, std::unique_ptr<Tree>> trees;
  Rate bankRead, bankWrite;
  Time readLatency = 0, writeLatency = 0, readInterval = 0;
  int64_t injectedBytes = 0;
  llvm::SmallVector<Time> entries;
};

} // namespace drawloom::sim

#endif // DRAWLOOM_LIB_SIM_FABRIC_H
