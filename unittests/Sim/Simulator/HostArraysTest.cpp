// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arrays the host converts, and how fast it does: the figure of df.host.
#include "HostArrays.h"
#include "Programs.h"
#include "mlir/AsmParser/AsmParser.h"
#include <algorithm>
#include <ctime>

namespace drawloom::sim {
namespace {

class HostArrays : public ProgramTest {
protected:
  /// An array of bf16; `rowElements` of a page, or 0 for tiles.
  ArrayInfo array(llvm::StringRef type, int64_t rowElements) {
    auto view = llvm::cast<mlir::MemRefType>(mlir::parseType(type, &context));
    ArrayInfo info{"a", view, true, rowElements, 0, 0, 2};
    llvm::ArrayRef<int64_t> shape = view.getShape();
    int64_t outer = llvm::product_of(shape.drop_back());
    if (rowElements) {
      info.pages = outer * llvm::divideCeil(shape.back(), rowElements);
      info.pageBytes = rowElements * info.elementBytes;
    } else {
      info.pages = outer * shape.back() / kTileElements;
      info.pageBytes = kTileElements * info.elementBytes;
    }
    return info;
  }
  int64_t converted(llvm::StringRef type, int64_t rowElements) {
    return convertedBytes(array(type, rowElements));
  }
};

TEST_F(HostArrays, TilesAreConverted) {
  EXPECT_EQ(converted("memref<64x96xbf16>", 0), 64 * 96 * 2);
}

TEST_F(HostArrays, RowsInOrderAreCopied) {
  EXPECT_EQ(converted("memref<64x96xbf16>", 96), 0);
  EXPECT_EQ(converted("memref<64x96xbf16>", 32), 0);
  EXPECT_EQ(converted("memref<4x8x32xbf16>", 32), 0);
  EXPECT_EQ(converted("memref<100xbf16>", 64), 0); // only the end is padded
}

TEST_F(HostArrays, RowsWithGapsAreConverted) {
  EXPECT_EQ(converted("memref<64x100xbf16>", 64), 64 * 100 * 2);
  EXPECT_EQ(converted("memref<64x96xbf16, strided<[128, 1]>>", 96),
            64 * 96 * 2);
  EXPECT_EQ(converted("memref<64x96xbf16, strided<[1, 64]>>", 96), 64 * 96 * 2);
}

TEST_F(HostArrays, LayoutTakesBytesOverTheStatedRate) {
  const char *text = R"(
task.program @p on "{0}" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<64x96xbf16> layout #tile.tiled
  %B = task.array 1 "b" out : memref<64x96xbf16> layout #tile.tiled
  %C = task.array 2 "c" in : memref<64x96xbf16> layout #tile.rows<96>
})";
  for (const char *name : {"wormhole", "blackhole"}) {
    std::string program = text;
    program.replace(program.find("{0}"), 3, name);
    auto result = time(parse(program), name);
    ASSERT_TRUE(succeeded(result)) << errors;
    // A once, B to the device and back.
    EXPECT_DOUBLE_EQ(result->layoutMicroseconds,
                     3 * 64 * 96 * 2 / *machine(name).hostConversionRate() /
                         1000);
    EXPECT_TRUE(result->notes.empty());
  }
}

TEST_F(HostArrays, Rate) {
  ArrayInfo tiles = array("memref<2048x2048xbf16>", 0);
  std::vector<Bf16> values(2048 * 2048);
  double rate = 0; // the best: other work on the machine only slows it
  for (int run = 0; run < 9; ++run) {
    std::clock_t start = std::clock();
    std::vector<std::byte> pages = uploadArray(tiles, bytesOf(values));
    downloadArray(tiles, pages, bytesOf(values));
    double nanoseconds = (std::clock() - start) * 1e9 / CLOCKS_PER_SEC;
    rate = std::max(rate, 2 * convertedBytes(tiles) / nanoseconds);
  }
  printf("  %.2f bytes a nanosecond, arrays of bf16 to tiles and back\n", rate);
  EXPECT_GT(rate, 0);
}

} // namespace
} // namespace drawloom::sim
