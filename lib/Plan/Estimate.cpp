// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prices a candidate: what each engine, bank and link has to do in all, and
// how much of it cannot overlap.

#include "drawloom/Plan/Estimate.h"

#include "ComputeCost.h"
#include "Edges.h"
#include "mlir/IR/Diagnostics.h"

using namespace llvm;

namespace drawloom::plan {

/// Scalar operations that find a line's place in memory and in its tile.
static constexpr double kLineSteps = 30;

mlir::FailureOr<Estimator> Estimator::create(const Problem &problem,
                                             const MachineModel &machine,
                                             Fidelity fidelity) {
  tile::ProgramOp program = problem.program;
  if (!machine.hasMemories() || !machine.hasBanks() || !machine.hasUnits())
    return program.emitOpError("cannot be priced on machine ")
           << machine.name() << ": its description stops at the scale-out layer; add "
           << "its memories and units";
  Estimator estimator(problem, machine, fidelity);
  std::pair<Cost, double *> needed[] = {
      {Cost::MoverReserve, &estimator.costs.reserve},
      {Cost::MoverPush, &estimator.costs.push},
      {Cost::ReadInterleaved, &estimator.costs.readIssue},
      {Cost::Barrier, &estimator.costs.barrier},
      {Cost::MulticastUnlinked, &estimator.costs.multicast},
      {Cost::SemaphoreInc, &estimator.costs.semaphore},
      {Cost::SemaphorePoll, &estimator.costs.poll},
      {Cost::WriteInterleaved, &estimator.costs.writeIssue},
      {Cost::MoverWait, &estimator.costs.wait},
      {Cost::MoverPop, &estimator.costs.pop},
      {Cost::MoverStore, &estimator.costs.store},
      {Cost::MoverLoad, &estimator.costs.load},
      {Cost::MoverAlu, &estimator.costs.alu},
      {Cost::MoverBranch, &estimator.costs.branch},
      {Cost::Launch, &estimator.costs.launch}};
  for (auto [cost, target] : needed) {
    std::optional<double> cycles = machine.cycles(cost);
    if (!cycles)
      return program.emitOpError("cannot be priced on machine ")
             << machine.name() << ": it states no cost of `" << stringifyCost(cost) << "`";
    *target = *cycles;
  }
  for (int network = 0; network < machine.networkCount(); ++network)
    estimator.flights.push_back(estimator.flightCycles(network));
  return estimator;
}

/// Mean round trip of a read to a bank, without the bank's own latency.
double Estimator::flightCycles(int network) const {
  const Network &net = machine.network(network);
  double hops = 0;
  for (int bank = 0; bank < machine.bankCount(); ++bank)
    for (int core = 0; core < machine.coreCount(); ++core) {
      NodeId there = machine.bankNode(bank, network, core), here = machine.coreNode(core);
      hops += machine.hops(network, here, there) + machine.hops(network, there, here);
    }
  hops /= std::max(1, machine.bankCount() * machine.coreCount());
  return hops * net.hopCycles + 4 * net.niuCycles + net.readTurnaround;
}

//===-- Movement ------------------------------------------------------------//

/// Lines pass through scratch: each is asked for and then copied, in two rows of
/// faces, into a tile that was filled before.
double Estimator::laneCycles(const Access &access, double issue) const {
  double filled = access.isStore ? 0 : access.tiles * access.tileBytes / kWordBytes;
  return access.tiles * costs.barrier + filled * costs.store +
         access.lines * (issue + 2 * (kLineSteps * costs.alu + costs.branch)) +
         (access.words ? 2 * access.lines * costs.load : 0) + access.words * (costs.store + costs.alu) +
         access.elements * (costs.load + costs.store + 2 * costs.alu);
}

/// Cores that each read the same pages ask for them at the same time and queue at
/// their banks and on the way from there: how many times as long as alone.
static double queues(const Access &load, const LoadChoice &choice, const Mapping &mapping,
                     const MachineModel &machine) {
  bool shared = choice.travel.along == 0 && load.wholeTiles && any_of(mapping.digits, [&](const Digit &digit) {
    return digit.axis >= 0 && digit.size > 1 && !load.onGrid[digit.dim];
  });
  return shared ? machine.global().contention : 1;
}

/// One delivery: reserve, read, fence, and for a multicast the handshake, the
/// sending and the acknowledgement.
Estimator::Delivery Estimator::deliver(const Access &load, const LoadChoice &choice,
                                       const Candidate &candidate,
                                       const Profile &profile) const {
  Nest nest = nestOf(load, candidate);
  double bytes = double(load.tiles) * nest.footprint(choice.hoist) * load.tileBytes;
  double pages = bytes / load.tileBytes;
  const Network &net = machine.network(choice.travel.network);
  double share = choice.travel.group ? 1.0 / (profile.receivers + 1) : 1.0;
  double bankRate = machine.global().readRate * machine.bankCount();
  double queued = queues(load, choice, candidate.mapping, machine);
  double read = std::max({share * pages * costs.readIssue, share * bytes / net.absorbRate,
                          queued * bytes * profile.bankBytes / bankRate, queued * bytes * profile.busiest});
  double flight = flights[choice.travel.network];
  double cycles = costs.reserve + costs.push + costs.barrier + read + flight +
                  machine.global().readLatency;
  if (!load.wholeTiles)
    cycles = costs.reserve + costs.push +
             share * (load.tiles * (flight + machine.global().readLatency) +
                      laneCycles(load, costs.readIssue));
  if (choice.travel.along) {
    double oneWay = flight / 2;
    double send = std::max(share * bytes / net.multicastRate, bytes * profile.busiest);
    double signals = choice.travel.group ? 2.0 * profile.receivers : 1.0;
    cycles += signals * costs.semaphore + costs.multicast + send + 3 * oneWay + 2 * costs.poll;
  }
  // Lanes that no array has are filled word by word.
  FilledLanes filled = load.wholeTiles ? filledLanes(load, problem, candidate) : FilledLanes();
  double perLane = share * costs.store * load.tileBytes / (kTileElements * double(kWordBytes));
  cycles += perLane * filled.always * nest.footprint(choice.hoist);
  double times = nest.deliveries(choice.hoist);
  return {cycles, times, perLane * filled.sometimes, cycles + perLane * (filled.first - filled.always)};
}

static SmallVector<int64_t> usedCores(const MachineModel &machine, const Mapping &mapping) {
  SmallVector<int64_t> used;
  for (int axis = 0, e = machine.dims().size(); axis < e; ++axis)
    used.push_back(mapping.used(axis));
  return used;
}

Option Estimator::priceLoad(const Access &load, const LoadChoice &choice,
                            const Candidate &candidate) {
  const Profile &profile = traffic.load(choice.travel, usedCores(machine, candidate.mapping));
  Delivery delivery = deliver(load, choice, candidate, profile);
  Nest nest = nestOf(load, candidate);
  double bytes = double(load.tiles) * nest.footprint(choice.hoist) * load.tileBytes *
                 delivery.times;
  bool waits = choice.depth < 2 && delivery.times > 1;
  Option option{choice};
  // A delivery that nothing overlaps counts as if the mover did it twice.
  option.mover = delivery.total() * (waits ? 2 : 1);
  double queued = queues(load, choice, candidate.mapping, machine);
  option.dram = queued * bytes * profile.bankBytes;
  option.links = queued * bytes * profile.busiest;
  option.first = delivery.first;
  return option;
}

/// Cycles of the compute engine in one wave.
double Estimator::compute(const Candidate &candidate) {
  if (computed.chunk != candidate.chunk || computed.trips != candidate.trips)
    computed = {candidate.trips, candidate.chunk, computeCycles(problem, candidate, machine, fidelity)};
  return computed.cycles;
}

/// What the accesses of a candidate add up to, besides what the estimate shows.
struct Estimator::Tally {
  const Candidate &candidate;
  Estimate result;
  SmallVector<int64_t> used; ///< cores along each machine dimension
  std::vector<float> links;  ///< cycles of each
  std::array<double, 2> first = {0, 0}; ///< mover cycles before the first result
  std::array<double, 2> again = {0, 0}; ///< the same after each wave's results
  double drain = 0;                     ///< cycles of one wave's results
  double serial = 0;                    ///< cycles of deliveries that nothing overlaps

  void addLinks(const Profile &profile, double bytes) {
    float times = bytes;
    for (size_t link = 0, e = links.size(); link < e; ++link)
      links[link] += profile.links[link] * times;
  }
};

/// The network whose mover writes the results: that which reads less.
int Estimator::writerOf(const Candidate &candidate) const {
  std::array<double, 2> tiles = {0, 0};
  const LoadChoice *choice = candidate.loads.begin();
  for (const Access &access : problem.accesses) {
    if (access.isStore)
      continue;
    Nest nest = nestOf(access, candidate);
    tiles[std::min(choice->travel.network, 1)] +=
        nest.deliveries(choice->hoist) * nest.footprint(choice->hoist) * access.tiles;
    ++choice;
  }
  return std::min(tiles[0] < tiles[1] ? 0 : 1, machine.networkCount() - 1);
}

void Estimator::addStore(const Access &store, int network, Tally &tally) {
  const Profile &profile = traffic.store(network, tally.used);
  double bytes = double(store.tiles) * store.tileBytes;
  double times = nestOf(store, tally.candidate).deliveries(0);
  double bankRate = machine.global().writeRate * machine.bankCount();
  double cycles = costs.wait + costs.pop +
                  std::max({store.tiles * costs.writeIssue,
                            bytes / machine.network(network).injectRate,
                            bytes * profile.bankBytes / bankRate, bytes * profile.busiest}) +
                  flights[network] / 2;
  if (!store.wholeTiles)
    cycles = costs.wait + costs.pop + store.tiles * flights[network] / 2 +
             laneCycles(store, costs.writeIssue);
  tally.result.mover[std::min(network, 1)] += cycles * times;
  tally.result.dramBytes += bytes * times * profile.bankBytes;
  tally.result.dram += bytes * times * profile.bankBytes / bankRate;
  tally.addLinks(profile, bytes * times);
  tally.drain += cycles;
}

void Estimator::addLoad(const Access &load, const LoadChoice &choice, Tally &tally) {
  const Candidate &candidate = tally.candidate;
  const Profile &profile = traffic.load(choice.travel, tally.used);
  Delivery delivery = deliver(load, choice, candidate, profile);
  double bytes = double(load.tiles) * nestOf(load, candidate).footprint(choice.hoist) * load.tileBytes;
  double bankRate = machine.global().readRate * machine.bankCount();
  double queued = queues(load, choice, candidate.mapping, machine);
  const int mover = std::min(choice.travel.network, 1);
  tally.result.mover[mover] += delivery.total();
  tally.result.dramBytes += bytes * delivery.times * profile.bankBytes;
  tally.result.dram += queued * bytes * delivery.times * profile.bankBytes / bankRate;
  tally.addLinks(profile, queued * bytes * delivery.times);
  tally.first[mover] += delivery.first;
  tally.again[mover] +=
      delivery.cycles * std::min(1.0, delivery.times / candidate.mapping.waveCount());
  // With one buffer the next delivery waits until this one is used up.
  if (choice.depth < 2 && delivery.times > 1)
    tally.serial += delivery.total();
}

/// Between the first delivery and the last store everything overlaps: what is
/// busiest takes as long as all.
static void addOverlap(Estimate &result, std::array<double, 2> first) {
  std::pair<double, const char *> resources[] = {
      {result.compute, "compute"},
      {result.mover[0] - first[0], "data mover 0"},
      {result.mover[1] - first[1], "data mover 1"},
      {result.dram - result.fill, "DRAM"},
      {result.links - result.fill, "NoC links"}};
  auto busiest = llvm::max_element(resources);
  result.bound = busiest->second;
  result.total = std::max(busiest->first, 0.0) + result.fill + result.launch;
}

Estimate Estimator::estimate(const Candidate &candidate) {
  Tally tally{candidate, {}, usedCores(machine, candidate.mapping),
              std::vector<float>(machine.linkCount(), 0)};
  int writer = writerOf(candidate);
  const LoadChoice *choice = candidate.loads.begin();
  for (const Access &access : problem.accesses)
    if (access.isStore)
      addStore(access, writer, tally);
    else
      addLoad(access, *choice++, tally);

  Estimate &result = tally.result;
  for (float cycles : tally.links)
    result.links = std::max<double>(result.links, cycles);
  // A mover that writes a wave's results goes on with the next wave's loads
  // only then.
  double waves = candidate.mapping.waveCount(), again = tally.again[writer];
  double stall = again > 0 ? (waves - 1) * (tally.drain + again) : 0;
  result.compute = compute(candidate) * waves + tally.serial + stall;
  result.fill = std::max(tally.first[0], tally.first[1]) + tally.drain;
  result.launch = costs.launch;
  addOverlap(result, tally.first);
  return result;
}

} // namespace drawloom::plan
