// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of arrays at the host's boundary, fills, and the compute operations
// besides the product.
#include "Programs.h"

namespace drawloom::sim {
namespace {

class Values : public ProgramTest {};

TEST_F(Values, ARaggedStridedArrayInTiles) {
  auto program = parse(R"(
task.program @copy on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<40x50xbf16, strided<[64, 1], offset: 7>> layout #tile.tiled
  %C = task.array 1 "c" out : memref<40x50xbf16, strided<[1, 48], offset: 3>> layout #tile.tiled
  %a = task.buffer "a" of bf16 tiles 4 depth 1 id 0 at 131072
  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    task.reserve %a, 4
    scf.for %t = %c0 to %c4 step %c1 {
      task.read %A[%t] into %a[%t]
    }
    task.fence reads
    task.push %a, 4
  }
  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    task.wait %a, 4
    scf.for %t = %c0 to %c4 step %c1 {
      task.write %a[%t] into %C[%t]
    }
    task.fence sent
    task.pop %a, 4
  }
})");
  std::vector<Bf16> a(7 + 40 * 64), c(3 + 50 * 48, 0x1234);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = i;
  ASSERT_TRUE(succeeded(run(program, {bytesOf(a), bytesOf(c)}))) << errors;
  std::vector<Bf16> expected(c.size(), 0x1234);
  for (int row = 0; row < 40; ++row)
    for (int column = 0; column < 50; ++column)
      expected[3 + row + column * 48] = a[7 + row * 64 + column];
  EXPECT_EQ(c, expected); // elements outside the array survive
}

TEST_F(Values, RowsInPartsKeepWhatIsNotWritten) {
  auto program = parse(R"(
task.program @rows on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<3x100xf32> layout #tile.rows<64>
  %C = task.array 1 "c" out : memref<3x100xf32> layout #tile.rows<64>
  %a = task.buffer "a" of f32 tiles 6 depth 1 id 0 at 131072
  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %bytes = arith.constant 128 : index
    task.reserve %a, 6
    scf.for %t = %c0 to %c6 step %c1 {
      task.read %A[%t] into %a[%t] part [%c0, %bytes, %bytes]
    }
    task.fence reads
    task.push %a, 6
  }
  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %bytes = arith.constant 128 : index
    task.wait %a, 6
    scf.for %t = %c0 to %c6 step %c1 {
      task.write %a[%t] into %C[%t] part [%bytes, %bytes, %bytes]
      task.write %a[%t] into %C[%t] part [%c0, %bytes, %c0]
    }
    task.fence writes
    task.pop %a, 6
  }
})");
  std::vector<float> a(300), c(300, -1);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = i;
  ASSERT_TRUE(succeeded(run(program, {bytesOf(a), bytesOf(c)}))) << errors;
  // The first half of each page of A becomes the second half of C's.
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 100; ++column)
      EXPECT_EQ(c[row * 100 + column],
                column % 64 < 32 ? -1 : a[row * 100 + column - 32])
          << row << ", " << column;
}

/// One tile of A and B on one core; `compute` is the body of the compute
/// kernel, `extra` what the reader does to the tile of A.
std::string tileProgram(llvm::StringRef extra, llvm::StringRef compute) {
  return R"(
task.program @tiles on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<32x32xbf16> layout #tile.tiled
  %B = task.array 1 "b" in : memref<32x32xbf16> layout #tile.tiled
  %C = task.array 2 "c" out : memref<32x32xf32> layout #tile.tiled
  %a = task.buffer "a" of bf16 tiles 1 depth 1 id 0 at 131072
  %b = task.buffer "b" of bf16 tiles 1 depth 1 id 1 at 133120
  %c = task.buffer "c" of f32 tiles 1 depth 1 id 2 at 135168
  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    task.reserve %a, 1
    task.reserve %b, 1
    task.read %A[%c0] into %a[%c0]
    task.read %B[%c0] into %b[%c0]
    task.fence reads
)" + extra.str() +
         R"(
    task.push %a, 1
    task.push %b, 1
  }
  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    task.wait %c, 1
    task.write %c[%c0] into %C[%c0]
    task.fence writes
    task.pop %c, 1
  }
  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    task.startup %a, %b, %c
    task.init pack(%c)
    task.wait %a, 1
    task.wait %b, 1
    task.reserve %c, 1
    task.dst {
      %d = task.register 2 slot 0
)" + compute.str() +
         R"(
      task.pack %d[%c0] into %c[%c0]
    }
    task.push %c, 1
    task.pop %a, 1
    task.pop %b, 1
  }
})";
}

class TileValues : public Values {
protected:
  void expect(const std::string &text,
              llvm::function_ref<float(int, int)> value) {
    auto program = parse(text);
    ASSERT_TRUE(program) << errors;
    ASSERT_TRUE(succeeded(run(program, {bytesOf(a), bytesOf(b), bytesOf(c)})))
        << errors;
    for (int row = 0; row < 32; ++row)
      for (int column = 0; column < 32; ++column)
        ASSERT_EQ(c[row * 32 + column], value(row, column))
            << row << ", " << column;
  }
  float at(const std::vector<Bf16> &tile, int row, int column) {
    return fromBf16(tile[row * 32 + column]);
  }
  std::vector<Bf16> a = smallIntegers(1024, 3), b = smallIntegers(1024, 4);
  std::vector<float> c = std::vector<float>(1024);
};

TEST_F(TileValues, BroadcastSumThenRelu) {
  expect(tileProgram("", R"(
      task.init binary(%a, %b) add broadcast row
      task.binary add %a[%c0], %b[%c0] into %d[%c0] broadcast row
      task.init sfpu "relu"
      task.sfpu "relu" %d[%c0]
    )"),
         [&](int row, int column) {
           return std::max(at(a, row, column) + at(b, 0, column), 0.0f);
         });
}

TEST_F(TileValues, MaximumOfATransposeAndACopy) {
  expect(tileProgram("", R"(
      task.init transpose(%a)
      task.transpose %a[%c0] into %d[%c0]
      task.init copy(%b)
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "max"
      task.sfpu_binary "max" %d[%c0], %d[%c1] into %d[%c0]
    )"),
         [&](int row, int column) {
           return std::max(at(a, column, row), at(b, row, column));
         });
}

TEST_F(TileValues, AnInvalidOperationGivesTheMachinesNaN) {
  std::string text = tileProgram("", R"(
      task.init copy(%a)
      task.copy %a[%c0] into %d[%c0]
      task.init sfpu "sqrt"
      task.sfpu "sqrt" %d[%c0]
    )");
  std::string machineName = "wormhole", other = "blackhole";
  a.assign(1024, toBf16(-1));
  for (uint32_t nan : {0x7F800001u, 0x7FC00000u}) {
    ASSERT_TRUE(succeeded(
        run(parse(text), {bytesOf(a), bytesOf(b), bytesOf(c)}, machineName)))
        << errors;
    EXPECT_EQ(std::bit_cast<uint32_t>(c[0]), nan) << machineName;
    text.replace(text.find(machineName), machineName.size(), other);
    machineName = other;
  }
}

TEST_F(TileValues, AFillOutsideABox) {
  std::string fill = R"(
    %rows = arith.constant 20 : index
    %columns = arith.constant 5 : index
    task.fill %a[%c0] keep [%rows, %columns] with 7.0 : bf16
  )";
  expect(tileProgram(fill, R"(
      task.init binary(%a, %b) mul
      task.binary mul %a[%c0], %b[%c0] into %d[%c0]
      task.init sfpu "add"
      task.sfpu "add" %d[%c0], 1.0
    )"),
         [&](int row, int column) {
           float left = row < 20 && column < 5 ? at(a, row, column) : 7;
           return left * at(b, row, column) + 1;
         });
}

} // namespace
} // namespace drawloom::sim
