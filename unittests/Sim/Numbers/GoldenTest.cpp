// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit for bit against what the vendor's kernels computed (test/vendor/golden).

#include "TestTiles.h"
#include "drawloom/Sim/Numbers/Elementwise.h"
#include "drawloom/Sim/Numbers/Matmul.h"
#include "drawloom/Sim/Numbers/Pack.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace drawloom;
using namespace drawloom::sim;
using namespace drawloom::sim::test;

namespace {

const std::filesystem::path kGolden = DRAWLOOM_GOLDEN_DIR;

Format formatNamed(const std::string &name) {
  return name == "bf16" ? Format::BF16 : Format::FP32;
}

/// A row-major matrix of fp32 patterns, in whole tiles.
struct Matrix {
  int rows, columns;
  std::vector<uint32_t> bits;

  std::vector<uint32_t> tile(int row, int column) const {
    std::vector<uint32_t> result(kTileElements);
    for (int i = 0; i < kTileElements; ++i)
      result[i] = bits[(row * kTileSide + i / kTileSide) * columns +
                       column * kTileSide + i % kTileSide];
    return result;
  }
};

/// Reads a .npy file of uint16 or uint32 with a header of 128 bytes.
Matrix read(const std::string &name, Format format) {
  std::ifstream file(kGolden / (name + ".npy"), std::ios::binary);
  std::string all((std::istreambuf_iterator<char>(file)), {});
  Matrix m = {0, 0, {}};
  size_t shape = all.find("'shape': (");
  if (shape == std::string::npos ||
      std::sscanf(all.c_str() + shape, "'shape': (%d, %d)", &m.rows,
                  &m.columns) != 2)
    return m;
  size_t bytes = *elementBytes(format);
  for (size_t at = 128; at + bytes <= all.size(); at += bytes) {
    uint32_t value = 0;
    std::memcpy(&value, &all[at], bytes);
    m.bits.push_back(bytes == 2 ? value << 16 : value);
  }
  return m;
}

/// A file name: operation[.spread].fidelity.operand-dst-result.
struct Case {
  std::string name, operation, operands;
  Fidelity fidelity;
  Format operand, result;
  DstWidth width;
};

std::vector<std::string> splitAt(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

bool parse(const std::string &name, Case &c) {
  std::vector<std::string> parts = splitAt(name, '.');
  bool isMatmul = parts[0] == "matmul";
  bool isKnown =
      isMatmul || parts[0] == "add" || parts[0] == "sub" || parts[0] == "mul";
  if (!isKnown || parts.size() != (isMatmul ? 3 : 4))
    return false;
  std::string fidelity = parts[parts.size() - 2];
  std::vector<std::string> forms = splitAt(parts.back(), '-');
  if (forms.size() != 3)
    return false;
  std::string stem = isMatmul ? "matmul" : "eltwise." + parts[1];
  c = {name,
       parts[0],
       stem + "." + forms[0],
       *symbolizeFidelity(llvm::StringRef(fidelity).lower()),
       formatNamed(forms[0]),
       formatNamed(forms[2]),
       forms[1] == "fp32" ? DstWidth::Bits32 : DstWidth::Bits16};
  return true;
}

std::vector<Case> cases() {
  std::vector<Case> found;
  std::error_code missing;
  for (const auto &entry :
       std::filesystem::directory_iterator(kGolden, missing)) {
    Case c;
    if (entry.path().extension() == ".npy" && parse(entry.path().stem(), c))
      found.push_back(c);
  }
  std::sort(found.begin(), found.end(),
            [](const Case &x, const Case &y) { return x.name < y.name; });
  return found;
}

struct GoldenTest : testing::TestWithParam<Case> {
  NumberModel model;
  Matrix a, b, expected;

  void SetUp() override {
    const Case &c = GetParam();
    a = read(c.operands + ".a", c.operand);
    b = read(c.operands + ".b", c.operand);
    expected = read(c.name, c.result);
    ASSERT_FALSE(a.bits.empty() || b.bits.empty() || expected.bits.empty());
  }

  SrcTile source(const Matrix &m, int row, int column) const {
    const Case &c = GetParam();
    SrcTile src;
    unpackToSrc(toL1(m.tile(row, column), c.operand).data(), c.operand,
                srcFormatFor(c.operand, c.width), src);
    return src;
  }

  DstTile compute(int row, int column) const {
    const Case &c = GetParam();
    DstTile dst;
    if (c.operation != "matmul") {
      FpuBinary op = c.operation == "add"   ? FpuBinary::Add
                     : c.operation == "sub" ? FpuBinary::Sub
                                            : FpuBinary::Mul;
      elementwise(op, dst, source(a, row, column), source(b, row, column),
                  c.fidelity, c.width, false, model);
      return dst;
    }
    for (int k = 0; k < a.columns / kTileSide; ++k) {
      PreparedIn0 in0;
      PreparedIn1 in1;
      prepareIn0(source(a, row, k), in0);
      prepareIn1(source(b, k, column), in1);
      multiplyAccumulate(dst, in0, in1, c.fidelity, c.width, model);
    }
    return dst;
  }
};

TEST_P(GoldenTest, EqualBits) {
  const Case &c = GetParam();
  int wrong = 0;
  for (int row = 0; row < expected.rows / kTileSide; ++row)
    for (int column = 0; column < expected.columns / kTileSide; ++column) {
      std::vector<uint8_t> l1(tileBytes(c.result));
      packTile(compute(row, column), c.width, c.result, l1.data());
      std::vector<uint32_t> got = fromL1(l1, c.result);
      std::vector<uint32_t> want = expected.tile(row, column);
      for (int i = 0; i < kTileElements; ++i)
        if (got[i] != want[i] && ++wrong <= 3)
          ADD_FAILURE() << "element " << i << ": " << std::hex << got[i]
                        << ", the vendor has " << want[i];
    }
  EXPECT_EQ(wrong, 0) << "of " << expected.bits.size();
}

INSTANTIATE_TEST_SUITE_P(Vendor, GoldenTest, testing::ValuesIn(cases()),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           for (char &ch : name)
                             if (!std::isalnum(ch))
                               ch = '_';
                           return name;
                         });
TEST(Golden, FilesAreThere) { EXPECT_GE(cases().size(), 30u); }

} // namespace
