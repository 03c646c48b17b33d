// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random and special tiles for the tests of the number formats.

#ifndef DRAWLOOM_UNITTESTS_SIM_NUMBERS_TESTTILES_H
#define DRAWLOOM_UNITTESTS_SIM_NUMBERS_TESTTILES_H

#include "drawloom/Sim/Numbers/Unpack.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace drawloom::sim::test {

inline uint32_t bitsOf(float x) { return std::bit_cast<uint32_t>(x); }
inline float floatOf(uint32_t x) { return std::bit_cast<float>(x); }

/// How the values of a random tile are spread.
enum class Spread { Unit, Wide, Tiny, AnyBits };

inline uint32_t randomBits(std::mt19937 &rng, Spread spread) {
  std::normal_distribution<float> normal;
  switch (spread) {
  case Spread::Unit:
    return bitsOf(normal(rng));
  case Spread::Wide: // and every fifth a zero
    return rng() % 5 ? bitsOf(std::ldexp(normal(rng), int(rng() % 60) - 30))
                     : 0;
  case Spread::Tiny: // products around the smallest normal number
    return bitsOf(std::ldexp(normal(rng), int(rng() % 40) - 78));
  case Spread::AnyBits: // infinities, NaNs and denormals among them
    return rng() % 16 ? uint32_t(rng()) : uint32_t(rng()) | 0x7F800000;
  }
  return 0;
}

inline std::vector<uint32_t> randomTile(std::mt19937 &rng, Spread spread) {
  std::vector<uint32_t> bits(kTileElements);
  for (uint32_t &b : bits)
    b = randomBits(rng, spread);
  return bits;
}

/// Row-major patterns as a tile in L1.
inline std::vector<uint8_t> toL1(const std::vector<uint32_t> &bits,
                                 Format format) {
  std::vector<uint8_t> l1(tileBytes(format));
  size_t bytes = *elementBytes(format);
  for (int row = 0; row < kTileSide; ++row)
    for (int column = 0; column < kTileSide; ++column) {
      uint32_t value = bits[row * kTileSide + column] >> (bytes == 2 ? 16 : 0);
      std::memcpy(&l1[bytes * faceOrderIndex(row, column)], &value, bytes);
    }
  return l1;
}

/// A tile in L1 as row-major patterns.
inline std::vector<uint32_t> fromL1(const std::vector<uint8_t> &l1,
                                    Format format) {
  std::vector<uint32_t> bits(kTileElements);
  size_t bytes = *elementBytes(format);
  for (int row = 0; row < kTileSide; ++row)
    for (int column = 0; column < kTileSide; ++column) {
      uint32_t value = 0;
      std::memcpy(&value, &l1[bytes * faceOrderIndex(row, column)], bytes);
      bits[row * kTileSide + column] = value << (bytes == 2 ? 16 : 0);
    }
  return bits;
}

inline SrcTile toSrc(const std::vector<uint32_t> &bits, SrcFormat format,
                     bool transpose = false) {
  SrcTile src;
  unpackToSrc(toL1(bits, Format::FP32).data(), Format::FP32, format, src,
              transpose);
  return src;
}

inline DstTile toDst(const std::vector<uint32_t> &bits, DstWidth width) {
  DstTile dst;
  for (int i = 0; i < kTileElements; ++i)
    dst.bits[i] = bits[i] & (width == DstWidth::Bits16 ? 0xFFFF0000 : ~0u);
  return dst;
}

inline constexpr DstWidth kWidths[] = {DstWidth::Bits16, DstWidth::Bits32};
inline constexpr SrcFormat kSrcFormats[] = {SrcFormat::Bf16, SrcFormat::Tf32};
inline constexpr Fidelity kFidelities[] = {Fidelity::LoFi, Fidelity::HiFi2,
                                           Fidelity::HiFi3, Fidelity::HiFi4};
inline constexpr Spread kSpreads[] = {Spread::Unit, Spread::Wide, Spread::Tiny,
                                      Spread::AnyBits};

} // namespace drawloom::sim::test

#endif // DRAWLOOM_UNITTESTS_SIM_NUMBERS_TESTTILES_H
