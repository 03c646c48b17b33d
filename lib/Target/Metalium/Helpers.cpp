// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of the functions that emitted kernels define for themselves.
#include "Helpers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace drawloom::metalium;

namespace {
struct Definition {
  Helper helper;
  llvm::StringRef name;
  llvm::StringRef text;
};
} // namespace

static constexpr Definition definitions[] = {
    {Helper::FloorDivide, "floorDivide", R"(// a / b rounded down, for b > 0.
static constexpr int32_t floorDivide(int32_t a, int32_t b) {
  return a / b - (a % b < 0);
}
)"},
    {Helper::CeilDivide, "ceilDivide", R"(// a / b rounded up, for b > 0.
static constexpr int32_t ceilDivide(int32_t a, int32_t b) {
  return a / b + (a % b > 0);
}
)"},
    {Helper::Modulo, "modulo", R"(// What floorDivide leaves: 0 to b - 1.
static constexpr int32_t modulo(int32_t a, int32_t b) {
  return a - b * floorDivide(a, b);
}
)"},
    {Helper::Smaller, "smaller",
     R"(static constexpr int32_t smaller(int32_t a, int32_t b) {
  return a < b ? a : b;
}
)"},
    {Helper::Larger, "larger",
     R"(static constexpr int32_t larger(int32_t a, int32_t b) {
  return a > b ? a : b;
}
)"},
    {Helper::WriteSlot, "writeSlot",
     R"(// Address of a tile of the space that is reserved in a buffer.
static uint32_t writeSlot(uint32_t cb, int32_t tile) {
  return get_write_ptr(cb) + tile * get_tile_size(cb);
}
)"},
    {Helper::ReadSlot, "readSlot",
     R"(// Address of a tile that waits in a buffer.
static uint32_t readSlot(uint32_t cb, int32_t tile) {
  return get_read_ptr(cb) + tile * get_tile_size(cb);
}
)"},
    {Helper::ReadPart, "readPart",
     R"(// Starts reading `bytes` bytes from `offset` on in a page, if there are any.
template <typename Array>
static void readPart(const Array &array, int32_t page, int32_t offset,
                     uint32_t to, int32_t bytes) {
  if (bytes > 0)
    noc_async_read(array.get_noc_addr(page, offset), to, bytes);
}
)"},
    {Helper::WritePart, "writePart",
     R"(// Starts writing `bytes` bytes to a page from `offset` on, if there are any.
template <typename Array>
static void writePart(uint32_t from, const Array &array, int32_t page,
                      int32_t offset, int32_t bytes) {
  if (bytes > 0)
    noc_async_write(from, array.get_noc_addr(page, offset), bytes);
}
)"},
    {Helper::LaneIndex, "laneIndex",
     R"(// Where a lane of a tile lies: a tile is four 16x16 faces one after the other,
// each row-major.
static constexpr int32_t laneIndex(int32_t row, int32_t column) {
  return (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
}
)"},
    {Helper::FillOutside, "fillOutside",
     R"(// Overwrites a tile but for its first rows and columns.
template <typename Lane>
static void fillOutside(uint32_t tile, int32_t rows, int32_t columns, Lane value) {
  auto *lanes = (volatile tt_l1_ptr Lane *)tile;
  for (int32_t row = 0; row < 32; ++row) {
    for (int32_t column = row < rows ? larger(columns, 0) : 0; column < 32;) {
      auto *lane = lanes + laneIndex(row, column);
      do // to the end of the face's row
        *lane++ = value;
      while (++column % 16 != 0);
    }
  }
}
)"},
    {Helper::FillAfter, "fillAfter",
     R"(// Overwrites a tile but for its first elements in memory.
template <typename Lane>
static void fillAfter(uint32_t tile, int32_t elements, Lane value) {
  auto *lanes = (volatile tt_l1_ptr Lane *)tile;
  for (int32_t lane = larger(elements, 0); lane < 1024; ++lane)
    lanes[lane] = value;
}
)"},
    {Helper::FloatBits, "floatBits",
     R"(// The bits of an integer as a float.
static uint32_t floatBits(int32_t number) {
  return __builtin_bit_cast(uint32_t, (float)number);
}
)"},
    {Helper::NumberIntegers, "numberIntegers",
     R"(// Lanes of a tile become `base` plus their row, or column.
template <bool along_row>
static void numberIntegers(uint32_t tile, int32_t base) {
  auto *lanes = (volatile tt_l1_ptr int32_t *)tile;
  for (int32_t row = 0; row < 32; ++row)
    for (int32_t column = 0; column < 32; ++column)
      lanes[laneIndex(row, column)] = base + (along_row ? row : column);
}
)"},
    {Helper::NumberFloats, "numberFloats",
     R"(// The same as floats.
template <bool along_row>
static void numberFloats(uint32_t tile, int32_t base) {
  auto *lanes = (volatile tt_l1_ptr uint32_t *)tile;
  for (int32_t i = 0; i < 32; ++i) {
    const uint32_t value = floatBits(base + i);
    for (int32_t j = 0; j < 32; ++j)
      lanes[along_row ? laneIndex(i, j) : laneIndex(j, i)] = value;
  }
}
)"},
    {Helper::CountIntegers, "countIntegers",
     R"(// Lanes of a tile become `base` plus their place in memory.
static void countIntegers(uint32_t tile, int32_t base) {
  auto *lanes = (volatile tt_l1_ptr int32_t *)tile;
  for (int32_t i = 0; i < 1024; ++i)
    lanes[i] = base + i;
}
)"},
    {Helper::CountFloats, "countFloats",
     R"(// The same as floats.
static void countFloats(uint32_t tile, int32_t base) {
  auto *lanes = (volatile tt_l1_ptr uint32_t *)tile;
  for (int32_t i = 0; i < 1024; ++i)
    lanes[i] = floatBits(base + i);
}
)"},
    {Helper::CopyWords, "copyWords",
     R"(// Copies words; four loads are under way at once.
static void copyWords(uint32_t from, uint32_t to, int32_t count) {
  auto *source = (volatile tt_l1_ptr uint32_t *)from;
  auto *target = (volatile tt_l1_ptr uint32_t *)to;
  for (; count >= 4; count -= 4, source += 4, target += 4) {
    const uint32_t a = source[0], b = source[1], c = source[2], d = source[3];
    target[0] = a;
    target[1] = b;
    target[2] = c;
    target[3] = d;
  }
  for (; count > 0; --count)
    *target++ = *source++;
}
)"},
    {Helper::CopyRuns, "copyRuns",
     R"(// Copies what whole words hold of a line of elements and of lanes along a row
// of a tile, if a word begins with both; says how many elements those were.
template <typename Lane, bool to_tile>
static int32_t copyRuns(uint32_t line, uint32_t tile, int32_t row,
                        int32_t column, int32_t count) {
  constexpr int32_t per_word = 4 / sizeof(Lane);
  if (line % 4 != 0 || column % per_word != 0)
    return 0;
  int32_t done = 0;
  while (count - done >= per_word) {
    // Rows of a face have 16 lanes.
    const int32_t words =
        smaller(16 - (column + done) % 16, count - done) / per_word;
    const uint32_t lanes =
        tile + laneIndex(row, column + done) * sizeof(Lane);
    const uint32_t elements = line + done * sizeof(Lane);
    copyWords(to_tile ? elements : lanes, to_tile ? lanes : elements, words);
    done += words * per_word;
  }
  return done;
}
)"},
    {Helper::Place, "place",
     R"(// Copies elements, `step` bytes apart, to a line of lanes of a tile.
template <typename Element, typename Lane, bool along_row>
static void place(uint32_t from, int32_t step, int32_t count, uint32_t tile,
                  int32_t row, int32_t column) {
  auto *lanes = (volatile tt_l1_ptr Lane *)tile;
  int32_t i = 0;
  if constexpr (!along_row && sizeof(Element) == sizeof(Lane))
    if (step == sizeof(Lane))
      i = copyRuns<Lane, true>(from, tile, row, column, count);
  for (from += i * step; i < count; ++i, from += step)
    lanes[along_row ? laneIndex(row + i, column) : laneIndex(row, column + i)] =
        *(volatile tt_l1_ptr Element *)from;
}
)"},
    {Helper::Lift, "lift",
     R"(// Copies a line of lanes of a tile to elements, `step` bytes apart.
template <typename Lane, typename Element, bool along_row>
static void lift(uint32_t tile, int32_t row, int32_t column, int32_t count,
                 uint32_t to, int32_t step) {
  auto *lanes = (volatile tt_l1_ptr Lane *)tile;
  int32_t i = 0;
  if constexpr (!along_row && sizeof(Element) == sizeof(Lane))
    if (step == sizeof(Lane))
      i = copyRuns<Lane, false>(to, tile, row, column, count);
  for (to += i * step; i < count; ++i, to += step)
    *(volatile tt_l1_ptr Element *)to =
        lanes[along_row ? laneIndex(row + i, column) : laneIndex(row, column + i)];
}
)"},
    {Helper::Peek, "peek",
     R"(// The integer at an address.
template <typename Integer>
static int32_t peek(uint32_t address) {
  return *(volatile tt_l1_ptr Integer *)address;
}
)"},
    {Helper::PeekTile, "peekTile",
     R"(// An integer in a tile that waits in a buffer, the same for all three threads.
template <typename Integer>
static int32_t peekTile(uint32_t cb, int32_t tile, int32_t byte) {
  const uint32_t word = read_tile_value(cb, tile, byte / 4);
  return (Integer)(word >> byte % 4 * 8);
}
)"},
    {Helper::Counter, "counter", R"(// This core's instance of a semaphore.
static volatile tt_l1_ptr uint32_t *counter(uint32_t semaphore) {
  return (volatile tt_l1_ptr uint32_t *)get_semaphore(semaphore);
}
)"},
    {Helper::Core, "core",
     R"(// `address` in the L1 of core (x, y). The host tells where the network finds
// columns and rows of cores.
static uint64_t core(int32_t x, int32_t y, uint32_t address) {
  return get_noc_addr(get_common_arg_val<uint32_t>({0} + x),
                      get_common_arg_val<uint32_t>({1} + y), address);
}
)"},
    {Helper::Signal, "signal",
     R"(// Adds one to a semaphore of every core of a rectangle, but not to this core's
// own, unless the rectangle is this core alone.
static void signal(uint32_t semaphore, int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  const int32_t own_x = get_arg_val<uint32_t>(0);
  const int32_t own_y = get_arg_val<uint32_t>(1);
  const bool alone = x0 == x1 && y0 == y1;
  for (int32_t y = y0; y <= y1; ++y)
    for (int32_t x = x0; x <= x1; ++x)
      if (alone || x != own_x || y != own_y)
        noc_semaphore_inc(core(x, y, get_semaphore(semaphore)), 1);
}
)"},
    {Helper::Rectangle, "rectangle",
     R"(// `address` in the L1 of all cores from (x0, y0) to (x1, y1).{2}
static uint64_t rectangle(int32_t x0, int32_t y0, int32_t x1, int32_t y1, uint32_t address) {
  const uint32_t left = get_common_arg_val<uint32_t>({0} + x0);
  const uint32_t top = get_common_arg_val<uint32_t>({1} + y0);
  const uint32_t right = get_common_arg_val<uint32_t>({0} + x1);
  const uint32_t bottom = get_common_arg_val<uint32_t>({1} + y1);
  return get_noc_multicast_addr({3}, address);
}
)"},
    {Helper::Holds, "holdsThisCore",
     R"(static bool holdsThisCore(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  const int32_t x = get_arg_val<uint32_t>(0);
  const int32_t y = get_arg_val<uint32_t>(1);
  return x0 <= x && x <= x1 && y0 <= y && y <= y1;
}
)"},
    {Helper::Multicast, "multicast",
     R"(// Sends bytes to the same address of `receivers` other cores of a rectangle. A
// sender inside takes the loopback form and is sent what it has already: the
// plain form may leave it out, but simulators of the chips then never finish.
static void multicast(uint32_t from, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                      uint32_t bytes, uint32_t receivers) {
  const uint64_t to = rectangle(x0, y0, x1, y1, from);
  if (holdsThisCore(x0, y0, x1, y1))
    noc_async_write_multicast_loopback_src(from, to, bytes, receivers + 1);
  else
    noc_async_write_multicast(from, to, bytes, receivers);
}
)"},
    {Helper::Publish, "publish",
     R"(// The same for the value of a semaphore.
static void publish(uint32_t semaphore, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                    uint32_t receivers) {
  const uint32_t from = get_semaphore(semaphore);
  const uint64_t to = rectangle(x0, y0, x1, y1, from);
  if (holdsThisCore(x0, y0, x1, y1))
    noc_semaphore_set_multicast_loopback_src(from, to, receivers + 1);
  else
    noc_semaphore_set_multicast(from, to, receivers);
}
)"},
};

static const Definition &definitionOf(Helper helper) {
  return definitions[static_cast<size_t>(helper)];
}

HelperSet drawloom::metalium::allHelpers() {
  HelperSet all;
  for (const Definition &definition : definitions)
    all.insert(definition.helper);
  return all;
}

llvm::StringRef drawloom::metalium::nameOf(Helper helper) {
  return definitionOf(helper).name;
}

void drawloom::metalium::close(HelperSet &helpers) {
  static constexpr std::pair<Helper, Helper> uses[] = {
      {Helper::Modulo, Helper::FloorDivide},
      {Helper::FillOutside, Helper::Larger},
      {Helper::FillOutside, Helper::LaneIndex},
      {Helper::FillAfter, Helper::Larger},
      {Helper::NumberIntegers, Helper::LaneIndex},
      {Helper::NumberFloats, Helper::LaneIndex},
      {Helper::NumberFloats, Helper::FloatBits},
      {Helper::CountFloats, Helper::FloatBits},
      {Helper::Place, Helper::CopyRuns},
      {Helper::Lift, Helper::CopyRuns},
      {Helper::CopyRuns, Helper::CopyWords},
      {Helper::CopyRuns, Helper::LaneIndex},
      {Helper::CopyRuns, Helper::Smaller},
      {Helper::Signal, Helper::Core},
      {Helper::Multicast, Helper::Rectangle},
      {Helper::Multicast, Helper::Holds},
      {Helper::Publish, Helper::Rectangle},
      {Helper::Publish, Helper::Holds}};
  for (auto [user, used] : uses)
    if (helpers.count(user))
      helpers.insert(used);
}

/// Puts the arguments in the places {0} to {3} of a text full of other braces.
static std::string substitute(llvm::StringRef text,
                              llvm::ArrayRef<std::string> arguments) {
  std::string result = text.str();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string place = "{" + std::to_string(i) + "}";
    for (size_t at; (at = result.find(place)) != std::string::npos;)
      result.replace(at, place.size(), arguments[i]);
  }
  return result;
}

void drawloom::metalium::printHelpers(llvm::raw_ostream &os,
                                      const HelperSet &helpers,
                                      const CommonArguments &arguments,
                                      int64_t network) {
  const bool reversed = network == 1;
  const std::string places[] = {
      std::to_string(arguments.arrays),
      std::to_string(arguments.arrays + arguments.columns),
      reversed
          ? " Network 1\n// runs the other way: its rectangles begin at the "
            "bottom right."
          : "",
      reversed ? "right, bottom, left, top" : "left, top, right, bottom"};
  for (Helper helper : helpers)
    os << substitute(definitionOf(helper).text, places) << "\n";
}
