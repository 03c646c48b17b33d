// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SFPU's 32 lanes and their registers, named; every operation of this
// directory is written with these.
//
// A face function treats one 16x16 face of a tile in Dst: eight rows of 32 lanes.
// The vendor's *_params_ functions call it for the faces of a tile.
//
// Two hazards are kept by hand. Wormhole: the instruction after a multiply or add
// must not read its result (gap). Both chips: an integer, shift, swap or
// configuration instruction must not read it either (longGap); Blackhole's
// automatic stall misses those.
#pragma once
#include <cstdint>
#ifdef TRISC_MATH
#include "ckernel.h"
#include "llk_math_eltwise_binary_sfpu.h"
#include "llk_math_eltwise_binary_sfpu_params.h"
#include "llk_math_eltwise_ternary_sfpu.h"
#include "llk_math_eltwise_ternary_sfpu_params.h"
#include "llk_math_eltwise_unary_sfpu.h"
#include "llk_math_eltwise_unary_sfpu_params.h"
#include "sfpi.h"

namespace sfpu_math {
using namespace ckernel;

#define LANES inline __attribute__((always_inline)) void

/// Registers of a lane: r0 to r7 free; the rest constant, c12 to c14 ours to set.
enum Register { r0, r1, r2, r3, r4, r5, r6, r7, zero = 9, one, minusOne, c12, c13, c14 };

// How loads and stores move the row counter: keep it, or go two rows (32 lanes)
// on. Set by prepare(). Wormhole's field has two bits and a base of four.
#ifdef ARCH_WORMHOLE
enum AddressMode { keep = ADDR_MOD_3, next = ADDR_MOD_2 };
LANES gap() { TTI_SFPNOP; }
#else
enum AddressMode { keep = ADDR_MOD_7, next = ADDR_MOD_6 };
LANES gap() {}
#endif
LANES longGap() { TTI_SFPNOP; }

/// Sets up the address modes and row counters: what every *_init does.
LANES prepare() { _llk_math_eltwise_unary_sfpu_init_<SfpuType::typecast>(); }

/// Calls `row` for the eight rows of a face; it ends with storeRow.
template <typename Row> LANES forEachRow(Row row) {
  _Pragma("GCC unroll 0") for (int i = 0; i < 8; ++i) row();
}

/// From and to Dst, in the format that Dst has. `tile` counts from the tile the
/// face function was called for.
template <Register to> LANES loadRow() { TTI_SFPLOAD(to, 0, keep, 0); }
template <Register to> LANES loadRow(uint32_t tile) {
  TT_SFPLOAD(to, 0, keep, tile * 64);
}
template <Register from> LANES storeRow() { TTI_SFPSTORE(from, 0, next, 0); }
template <Register from> LANES storeRow(uint32_t tile) {
  TT_SFPSTORE(from, 0, next, tile * 64);
}
/// The same for the bits of 32-bit integers, two's complement.
constexpr uint32_t integers = 4;
template <Register to> LANES loadIntegers(uint32_t tile) {
  TT_SFPLOAD(to, integers, keep, tile * 64);
}
template <Register from> LANES storeIntegers(uint32_t tile) {
  TT_SFPSTORE(from, integers, next, tile * 64);
}

/// Rounds to bf16, nearest, half away from zero: a store to bf16 Dst truncates.
template <bool fp32, Register r> LANES roundForDst() {
  if constexpr (!fp32)
    TTI_SFP_STOCH_RND(0, 0, 0, r, r, 1);
}

/// A float to the nearest integer of 16 bits, between 0 and 65535.
template <Register r> LANES toShort() { TTI_SFP_STOCH_RND(0, 0, 0, r, r, 6); }

/// A float given by its bits.
template <Register to, uint32_t bits> LANES set() {
  if constexpr ((bits & 0xffff) == 0) {
    TTI_SFPLOADI(to, 0, bits >> 16);
  } else {
    TTI_SFPLOADI(to, 10, bits & 0xffff);
    TTI_SFPLOADI(to, 8, bits >> 16);
  }
}
LANES setAtRunTime(Register to, uint32_t bits) {
  TT_SFPLOADI(to, 10, bits & 0xffff);
  TT_SFPLOADI(to, 8, bits >> 16);
}
/// c12, c13 or c14, by way of r0.
template <Register to, uint32_t bits> LANES setConstant() {
  set<r0, bits>();
  TTI_SFPCONFIG(0, to, 0);
}

template <Register a, Register b, Register c, Register to> LANES multiplyAdd() {
  TTI_SFPMAD(a, b, c, to, 0);
}
template <Register a, Register b, Register to> LANES multiply() {
  TTI_SFPMUL(a, b, zero, to, 0);
}
template <Register a, Register b, Register to> LANES add() {
  TTI_SFPADD(one, a, b, to, 0);
}
template <Register from, Register to> LANES copy() { TTI_SFPMOV(0, from, to, 0); }
template <Register from, Register to> LANES negate() { TTI_SFPMOV(0, from, to, 1); }
template <Register from, Register to> LANES magnitude() {
  TTI_SFPSETSGN(0, from, to, 1);
}
template <Register from, Register to> LANES negativeMagnitude() {
  TTI_SFPSETSGN(1, from, to, 1);
}
/// to = `from` with the sign that `to` has.
template <Register from, Register to> LANES takeMagnitudeOf() {
  TTI_SFPSETSGN(0, from, to, 0);
}
/// a = min(a, b), b = max(a, b).
template <Register a, Register b> LANES sort() { TTI_SFPSWAP(0, b, a, 1); }
/// Integers: to += from; to = from - to.
template <Register from, Register to> LANES addBits() { TTI_SFPIADD(0, from, to, 4); }
template <Register from, Register to> LANES subtractBitsFrom() {
  TTI_SFPIADD(0, from, to, 2 | 4);
}
template <int number, Register r> LANES addToBits() {
  TTI_SFPIADD(number & 0xfff, r, r, 1 | 4);
}
template <Register with, Register r> LANES andBits() { TTI_SFPAND(0, with, r, 0); }
template <Register with, Register r> LANES orBits() { TTI_SFPOR(0, with, r, 0); }
template <Register with, Register r> LANES xorBits() { TTI_SFPXOR(0, with, r, 0); }
template <Register from, Register to> LANES complement() { TTI_SFPNOT(0, from, to, 0); }
/// To the left; to the right, with zeros, for negative `places`.
template <int places, Register r> LANES shiftLeft() {
  TTI_SFPSHFT(places & 0xfff, 0, r, 1);
}
/// By as many places as each lane of `places` says, modulo 32.
template <Register places, Register r> LANES shiftLeftBy() {
  TTI_SFPSHFT(0, places, r, 0);
}
/// to = `from`, an integer from 0 to 2^31 - 1, as a float.
template <Register from, Register to> LANES toFloat() { TTI_SFPCAST(from, to, 0); }

// Parts of a float.

/// to = the exponent of `from`; the field itself.
template <Register from, Register to> LANES exponent() { TTI_SFPEXEXP(0, from, to, 0); }
template <Register from, Register to> LANES exponentField() {
  TTI_SFPEXEXP(0, from, to, 1);
}
/// to = `from` with another exponent field.
template <int field, Register from, Register to> LANES setExponentField() {
  TTI_SFPSETEXP(field, from, to, 1);
}
/// to = the 24 bits of a mantissa; the 23 that are stored.
template <Register from, Register to> LANES mantissa() { TTI_SFPEXMAN(0, from, to, 0); }
template <Register from, Register to> LANES mantissaField() {
  TTI_SFPEXMAN(0, from, to, 1);
}
/// to = the exponent field of `from`, minus 255: negative for finite numbers.
template <Register from, Register to> LANES exponentBelowInfinity() {
  exponentField<from, to>();
  addToBits<-255, to>();
}

/// r += a bf16 number given by its bits; r *= one.
template <uint32_t bits, Register r> LANES addNumber() { TTI_SFPADDI(bits, r, 0); }
template <uint32_t bits, Register r> LANES multiplyByNumber() { TTI_SFPMULI(bits, r, 0); }
/// to = (first x + next) x + ..., floats given by their bits. `scratch` is lost.
template <Register x, Register to, Register scratch, uint32_t first, uint32_t... rest>
LANES polynomial() {
  set<to, first>();
  ((set<scratch, rest>(), multiplyAdd<to, x, scratch, to>()), ...);
  gap();
}

// Until allLanes(), only lanes of which this is true; conditions add up.
template <Register r> LANES whereNegative() { TTI_SFPSETCC(0, r, 0, 0); }
template <Register r> LANES whereNotZero() { TTI_SFPSETCC(0, r, 0, 2); }
template <Register r> LANES whereNotNegative() { TTI_SFPSETCC(0, r, 0, 4); }
template <Register r> LANES whereZero() { TTI_SFPSETCC(0, r, 0, 6); }
LANES allLanes() { TTI_SFPENCC(0, 0, 0, 0); }

/// Runs a face function over a tile of Dst, or over several into another.
template <typename Face, typename... Arguments>
LANES onTile(Face face, uint32_t tile, VectorMode faces, Arguments... arguments) {
  _llk_math_eltwise_unary_sfpu_params_(face, tile, faces, arguments...);
}
template <typename Face>
LANES onTiles(Face face, uint32_t left, uint32_t right, uint32_t result) {
  _llk_math_eltwise_binary_sfpu_params_(face, left, right, result, VectorMode::RC);
}
template <typename Face>
LANES onTiles(Face face, uint32_t first, uint32_t second, uint32_t third, uint32_t result) {
  _llk_math_eltwise_ternary_sfpu_params_(face, first, second, third, result,
                                         VectorMode::RC);
}

} // namespace sfpu_math
#endif
