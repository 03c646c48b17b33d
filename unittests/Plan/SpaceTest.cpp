// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planning space: mappings, travels and hoist levels as the paper has them.

#include "drawloom/Plan/Space.h"
#include <gtest/gtest.h>

using namespace drawloom;
using namespace drawloom::plan;

namespace {

const std::vector<Dim> kMesh = {{"x", 8}, {"y", 8}};

bool has(const std::vector<Mapping> &all, std::vector<std::array<int64_t, 3>> digits) {
  return llvm::any_of(all, [&](const Mapping &mapping) {
    std::vector<std::array<int64_t, 3>> own;
    for (const Digit &d : mapping.digits)
      own.push_back({d.dim, d.axis, d.size});
    return own == digits;
  });
}

Mapping mapped(llvm::SmallVector<Digit> digits) { return {std::move(digits)}; }

TEST(Space, EveryMappingCoversTheGrid) {
  for (auto extents : {std::vector<int64_t>{8, 7}, {32, 32}, {1, 64}, {3, 5, 9}, {97}})
    for (const Mapping &mapping : enumerateMappings(extents, kMesh)) {
      std::vector<int64_t> covered(extents.size(), 1);
      for (const Digit &digit : mapping.digits)
        covered[digit.dim] *= digit.size;
      for (size_t dim = 0; dim < extents.size(); ++dim)
        EXPECT_GE(covered[dim], extents[dim]);
    }
}

TEST(Space, EachMachineDimensionIsUsedAtMostOnce) {
  for (const Mapping &mapping : enumerateMappings({32, 32}, kMesh)) {
    EXPECT_LE(mapping.dimsOn(0).size(), 1u);
    EXPECT_LE(mapping.dimsOn(1).size(), 1u);
  }
}

TEST(Space, GridDimensionsShareWhatOneLeavesIdle) {
  auto all = enumerateMappings({2, 32}, kMesh);
  EXPECT_TRUE(has(all, {{0, 0, 2}, {1, 0, 4}, {1, 1, 8}}));
  EXPECT_TRUE(has(all, {{0, 1, 2}, {1, 0, 8}, {1, 1, 4}}));
  for (const Mapping &mapping : all) {
    EXPECT_LE(mapping.used(0), 8);
    EXPECT_LE(mapping.used(1), 8);
  }
}

TEST(Space, BothTilingOrdersOfOneDimension) {
  auto all = enumerateMappings({64}, kMesh);
  EXPECT_TRUE(has(all, {{0, 0, 8}, {0, 1, 8}})); // x outside y
  EXPECT_TRUE(has(all, {{0, 1, 8}, {0, 0, 8}})); // y outside x
}

TEST(Space, WavesOutsideAndInsideCores) {
  auto all = enumerateMappings({32, 8}, kMesh);
  EXPECT_TRUE(has(all, {{0, -1, 4}, {0, 1, 8}, {1, 0, 8}})); // cyclic
  EXPECT_TRUE(has(all, {{0, 1, 8}, {1, 0, 8}, {0, -1, 4}})); // blocked
}

TEST(Space, WavesInEveryOrder) {
  auto all = enumerateMappings({32, 32}, kMesh);
  EXPECT_TRUE(has(all, {{0, -1, 4}, {1, -1, 4}, {0, 1, 8}, {1, 0, 8}}));
  EXPECT_TRUE(has(all, {{1, -1, 4}, {0, -1, 4}, {0, 1, 8}, {1, 0, 8}}));
}

TEST(Space, OrderedDimensionsAreTakenOverTime) {
  for (const Mapping &mapping : enumerateMappings({32, 8}, kMesh, {true, false}))
    for (const Digit &digit : mapping.digits)
      EXPECT_TRUE(digit.dim != 0 || digit.axis < 0);
}

TEST(Space, TheBusiestCoreCounts) {
  Problem problem;
  problem.extents = {16};
  problem.loops.push_back({});
  problem.loops[0].dims = {0};
  for (int point = 0; point < 16; ++point)
    problem.loops[0].tripsAt.push_back(point);
  problem.loops[0].trip = 7.5;
  // The last core of a blocked mapping has points 14 and 15, of a cyclic one 7 and 15.
  EXPECT_EQ(tripsUnder(mapped({{0, 0, 8}, {0, -1, 2}}), problem)[0], 14.5);
  EXPECT_EQ(tripsUnder(mapped({{0, -1, 2}, {0, 0, 8}}), problem)[0], 11);
}

TEST(Space, NoMappingTwice) {
  auto all = enumerateMappings({32, 32, 4}, kMesh);
  for (const Mapping &mapping : all) {
    std::vector<std::array<int64_t, 3>> digits;
    for (const Digit &d : mapping.digits)
      digits.push_back({d.dim, d.axis, d.size});
    EXPECT_EQ(llvm::count_if(all, [&](const Mapping &other) {
                return has({other}, digits);
              }), 1);
  }
}

/// A load whose tile depends on grid dimension 0 only.
Access rowLoad() {
  Access access;
  access.tiles = 8;
  access.tileBytes = 2048;
  access.onGrid = {true, false};
  access.loops = {0};
  access.onLoop = {true};
  return access;
}

/// A candidate of a program with one loop of 16 iterations.
Candidate candidate(llvm::SmallVector<Digit> digits, int64_t chunk) {
  return {mapped(std::move(digits)), {16}, chunk, {}, {}};
}

TEST(Space, MulticastOnlyWhereTheTileIsTheSame) {
  Mapping mapping = mapped({{0, 1, 8}, {1, 0, 8}});
  for (const Travel &travel : enumerateTravels(rowLoad(), mapping, 2, 2))
    EXPECT_EQ(travel.along & 2u, 0u) << "rows differ along y";
  // Own copy, one sender, a group; on either network.
  EXPECT_EQ(enumerateTravels(rowLoad(), mapping, 2, 2).size(), 6u);
}

TEST(Space, HoistingGrowsTheBufferOnlyAcrossLoopsItDependsOn) {
  Nest nest = nestOf(rowLoad(), candidate({{0, 1, 8}, {1, 0, 8}, {0, -1, 2}, {1, -1, 4}}, 4));
  // waves of i (2), waves of j (4), then 4 deliveries of 4 iterations.
  EXPECT_EQ(nest.footprint(0), 4);
  EXPECT_EQ(nest.deliveries(0), 2 * 4 * 4);
  EXPECT_EQ(nest.footprint(1), 16); // the whole strip A[i, *]
  EXPECT_EQ(nest.deliveries(1), 2 * 4);
  EXPECT_EQ(nest.footprint(2), 16); // the same strip for every j
  EXPECT_EQ(nest.deliveries(2), 2);
  EXPECT_EQ(nest.footprint(3), 32);
  EXPECT_EQ(nest.deliveries(3), 1);
}

TEST(Space, NoDeliveryAcrossWavesThatJump) {
  // Rows of a cyclic mapping are 8 blocks apart, those of a blocked one adjoin.
  Nest cyclic = nestOf(rowLoad(), candidate({{0, -1, 2}, {0, 1, 8}}, 16));
  EXPECT_TRUE(cyclic.covers(1));
  EXPECT_FALSE(cyclic.covers(2));
  Nest blocked = nestOf(rowLoad(), candidate({{0, 1, 8}, {0, -1, 2}}, 16));
  EXPECT_TRUE(blocked.covers(2));
}

} // namespace
