// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random legal logical programs, for comparing one judge with another.

#include "RandomProgram.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using namespace drawloom;
using llvm::formatv;

namespace {

/// Writes one program of two-dimensional tiles.
class Writer {
public:
  Writer(uint64_t seed, const RandomOptions &options)
      : generator(seed), options(options) {}

  RandomProgram write();

private:
  // The same seed gives the same program everywhere: the standard's
  // distributions differ between libraries.
  int64_t pick(int64_t low, int64_t high) {
    return low + generator() % (high - low + 1);
  }
  bool maybe() { return pick(0, 1); }
  template <typename T> T oneOf(std::initializer_list<T> values) {
    return values.begin()[pick(0, values.size() - 1)];
  }

  /// An array, as SSA value `%name`.
  std::string array(const std::string &name, bool isOut, bool isF32,
                    int64_t rows, int64_t columns);
  std::string load(const std::string &result, const std::string &array,
                   int64_t rows, int64_t columns, const std::string &rowIndex,
                   int64_t rowBlock, const std::string &columnIndex,
                   int64_t columnBlock, const char *pad);
  std::string next() { return "%v" + std::to_string(count++); }
  std::string tile() const {
    return formatv("tensor<{0}x{1}xf32>", rowBlock, columnBlock).str();
  }
  void line(const std::string &text) { body += "    " + text + "\n"; }

  std::string product();
  std::string input(const char *pad);
  std::string unary(const std::string &x);
  std::string binary(const std::string &x);
  std::string rowStatistic(const std::string &x);
  void store(const std::string &x);

  std::mt19937_64 generator;
  RandomOptions options;
  RandomProgram program;
  std::string declarations, body;
  int64_t m = 1, n = 1, rowBlock = 32, columnBlock = 32;
  bool wholeRows = false;
  int count = 0;
};

} // namespace

static std::string element(bool isF32) { return isF32 ? "f32" : "bf16"; }

std::string Writer::array(const std::string &name, bool isOut, bool isF32,
                          int64_t rows, int64_t columns) {
  declarations +=
      formatv("  %{0} = tile.array {1} \"{0}\" {2} : memref<{3}x{4}x{5}>\n",
              name, program.arrays.size(), isOut ? "out" : "in", rows, columns,
              element(isF32));
  program.arrays.push_back({name, isOut, isF32, {rows, columns}});
  return name;
}

/// Loads a block at (rowIndex, columnIndex); bounds only where the block can
/// leave the array.
std::string Writer::load(const std::string &result, const std::string &name,
                         int64_t rows, int64_t columns,
                         const std::string &rowIndex, int64_t blockRows,
                         const std::string &columnIndex, int64_t blockColumns,
                         const char *pad) {
  bool isF32 = program.arrays.back().isF32;
  std::string bounds;
  if (rows % blockRows)
    bounds = formatv("{0} - {1} * p - r >= 0", rows - 1, blockRows);
  if (columns % blockColumns)
    bounds += formatv("{0}{1} - {2} * q - c >= 0", bounds.empty() ? "" : ", ",
                      columns - 1, blockColumns);
  std::string where;
  if (!bounds.empty()) {
    where = formatv(" where affine_set<(p, q, r, c) : ({0})>", bounds);
    // -inf is written by its bits.
    std::string value = llvm::StringRef(pad) == "-inf"
                            ? (isF32 ? "0xFF800000" : "0xFF80")
                            : pad;
    if (*pad)
      where += formatv(" else {0} : {1}", value, element(isF32));
  }
  line(formatv("{0} = tile.load %{1}[{2}, {3}] affine_map<(p, q, r, c) -> ({4} "
               "* p + r, {5} * q + "
               "c)>{6} : memref<{7}x{8}x{9}> -> tensor<{4}x{5}x{9}>",
               result, name, rowIndex, columnIndex, blockRows, blockColumns,
               where, rows, columns, element(isF32)));
  return result;
}

/// A tile of a new input array of the output's shape, in f32.
std::string Writer::input(const char *pad) {
  bool isF32 = options.f32Arrays && maybe();
  std::string name =
      array("x" + std::to_string(program.arrays.size()), false, isF32, m, n);
  std::string loaded = load(next(), name, m, n, "%i", rowBlock,
                            wholeRows ? "%zero" : "%j", columnBlock, pad);
  if (isF32)
    return loaded;
  std::string wide = next();
  line(formatv("{0} = arith.extf {1} : tensor<{2}x{3}xbf16> to {4}", wide,
               loaded, rowBlock, columnBlock, tile()));
  return wide;
}

std::string Writer::product() {
  int64_t k = pick(1, options.largestExtent), step = 32 * pick(1, 2);
  std::string start = next(), steps = next(), acc = next(), a = next(),
              b = next(), sum = next();
  line(formatv("{0} = arith.constant dense<0.0> : {1}", start, tile()));
  line(formatv("{0} = arith.constant {1} : index", steps,
               (k + step - 1) / step));
  line(formatv("{0} = scf.for %k = %zero to {1} step %one iter_args(%c = {2}) "
               "-> ({3}) {{",
               acc, steps, start, tile()));
  load(a, array("a", false, false, m, k), m, k, "%i", rowBlock, "%k", step,
       "0.0");
  load(b, array("b", false, false, k, n), k, n, "%k", step, "%j", columnBlock,
       "0.0");
  line(formatv("{0} = linalg.matmul ins({1}, {2} : tensor<{3}x{4}xbf16>, "
               "tensor<{4}x{5}xbf16>) "
               "outs(%c : {6}) -> {6}",
               sum, a, b, rowBlock, step, columnBlock, tile()));
  line(formatv("scf.yield {0} : {1}", sum, tile()));
  line("}");
  return acc;
}

std::string Writer::unary(const std::string &x) {
  std::string y = next(), z = next();
  switch (pick(0, 4)) {
  case 0: // of a bounded argument
    line(formatv("{0} = math.tanh {1} : {2}", y, x, tile()));
    line(formatv("{0} = math.exp {1} : {2}", z, y, tile()));
    return z;
  case 1:
    line(formatv("{0} = arith.negf {1} : {2}", y, x, tile()));
    return y;
  case 2: // of a positive argument
    line(formatv("{0} = math.absf {1} : {2}", y, x, tile()));
    line(formatv("{0} = math.sqrt {1} : {2}", z, y, tile()));
    return z;
  case 3:
    line(formatv("{0} = arith.constant dense<0.0> : {1}", y, tile()));
    line(formatv("{0} = arith.maximumf {1}, {2} : {3}", z, x, y, tile()));
    return z;
  default:
    line(formatv("{0} = arith.constant dense<{1}> : {2}", y,
                 oneOf({"0.5", "-2.0", "1.25"}), tile()));
    line(formatv("{0} = arith.mulf {1}, {2} : {3}", z, x, y, tile()));
    return z;
  }
}

std::string Writer::binary(const std::string &x) {
  std::string other = input(maybe() ? "0.0" : ""), y = next();
  line(formatv("{0} = arith.{1} {2}, {3} : {4}", y,
               oneOf({"addf", "subf", "mulf", "maximumf", "minimumf"}), x,
               other, tile()));
  return y;
}

/// Subtracts each row's maximum, or adds each row's sum.
std::string Writer::rowStatistic(const std::string &x) {
  bool isMax = maybe();
  std::string init = next(), row = next(), empty = next(), wide = next(),
              masked = next(), y = next();
  // Lanes beyond the row must not take part.
  std::string source = x;
  if (n % columnBlock) {
    line(formatv("{0} = tile.mask {1}[%zero] where affine_set<(q, r, c) : ({2} "
                 "- q - c >= 0)> "
                 "else {3} : f32 : {4}",
                 masked, x, n - 1, isMax ? "0xFF800000" : "0.0", tile()));
    source = masked;
  }
  std::string rowType = formatv("tensor<{0}xf32>", rowBlock);
  line(formatv("{0} = arith.constant dense<{1}> : {2}", init,
               isMax ? "0xFF800000" : "0.0", rowType));
  line(formatv("{0} = linalg.reduce {{ arith.{1} } ins({2} : {3}) outs({4} : "
               "{5}) dimensions = [1]",
               row, isMax ? "maximumf" : "addf", source, tile(), init,
               rowType));
  line(formatv("{0} = tensor.empty() : {1}", empty, tile()));
  line(formatv(
      "{0} = linalg.broadcast ins({1} : {2}) outs({3} : {4}) dimensions = [1]",
      wide, row, rowType, empty, tile()));
  line(formatv("{0} = arith.{1} {2}, {3} : {4}", y, isMax ? "subf" : "addf", x,
               wide, tile()));
  return y;
}

void Writer::store(const std::string &x) {
  bool isF32 = options.f32Arrays && maybe();
  std::string name = array("y", true, isF32, m, n), value = x;
  if (!isF32) {
    value = next();
    line(formatv("{0} = arith.truncf {1} : {2} to tensor<{3}x{4}xbf16>", value,
                 x, tile(), rowBlock, columnBlock));
  }
  std::string bounds;
  if (m % rowBlock)
    bounds = formatv("{0} - {1} * p - r >= 0", m - 1, rowBlock);
  if (n % columnBlock)
    bounds += formatv("{0}{1} - {2} * q - c >= 0", bounds.empty() ? "" : ", ",
                      n - 1, columnBlock);
  if (!bounds.empty())
    bounds = formatv(" where affine_set<(p, q, r, c) : ({0})>", bounds);
  line(formatv("tile.store {0}, %{1}[%i, {2}] affine_map<(p, q, r, c) -> ({3} "
               "* p + r, {4} * q + "
               "c)>{5} : tensor<{3}x{4}x{6}>, memref<{7}x{8}x{6}>",
               value, name, wholeRows ? "%zero" : "%j", rowBlock, columnBlock,
               bounds, element(isF32), m, n));
}

RandomProgram Writer::write() {
  m = pick(1, options.largestExtent), n = pick(1, options.largestExtent);
  rowBlock = 32 * pick(1, 2), columnBlock = 32 * pick(1, 2);
  bool isProduct = options.matmul && maybe();
  wholeRows = !isProduct && options.reductions && maybe();
  if (wholeRows)
    columnBlock = (n + 31) / 32 * 32;
  auto blocks = [](int64_t extent, int64_t block) {
    return (extent + block - 1) / block;
  };
  line("%zero = arith.constant 0 : index");
  line("%one = arith.constant 1 : index");
  std::string x = isProduct ? product() : input("0.0");
  for (int64_t links = pick(0, 3); links > 0; --links)
    x = maybe() ? unary(x) : binary(x);
  if (wholeRows)
    x = rowStatistic(x);
  store(x);
  std::string grid = wholeRows ? formatv("[{0}]", blocks(m, rowBlock)).str()
                               : formatv("[{0}, {1}]", blocks(m, rowBlock),
                                         blocks(n, columnBlock))
                                     .str();
  program.text = formatv(
      "tile.program @random {{\n{0}  tile.grid {1} {{\n  ^bb0(%i: index{2}):\n"
      "{3}  }\n}\n",
      declarations, grid, wholeRows ? "" : ", %j: index", body);
  return std::move(program);
}

RandomProgram drawloom::randomProgram(uint64_t seed,
                                      const RandomOptions &options) {
  return Writer(seed, options).write();
}
