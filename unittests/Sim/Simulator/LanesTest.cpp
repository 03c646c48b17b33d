// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that data movers number and move through scratch, and integers that
// decide what all engines do.
#include "Programs.h"
#include "TilePrograms.h"

namespace drawloom::sim {
namespace {

class Lanes : public ProgramTest {
protected:
  /// A row of 64 elements of `in` becomes a row of 64 of `out`, by a mover that
  /// runs `body` between scratch %from, tile %t and scratch %to.
  std::string mover(llvm::StringRef in, llvm::StringRef tile,
                    llvm::StringRef out, llvm::StringRef body) {
    return llvm::formatv(R"(
task.program @lanes on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {{
  %A = task.array 0 "a" in : memref<1x64x{0}> layout #tile.rows<64>
  %C = task.array 1 "c" out : memref<1x64x{2}> layout #tile.rows<64>
  %from = task.buffer "from" of {0} tiles 1 depth 1 scratch id 0 at 131072
  %to = task.buffer "to" of {2} tiles 1 depth 1 scratch id 1 at 139264
  %t = task.buffer "t" of {1} tiles 1 depth 1 scratch id 2 at 147456
  task.kernel dm0 network 0 {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c20 = arith.constant 20 : index
    task.read %A[%c0] into %from[%c0]
    {3}
    task.write %to[%c0] into %C[%c0]
    task.fence writes
  }
})",
                         in, tile, out, body)
        .str();
  }
  void expectError(const std::string &text, llvm::StringRef wanted) {
    errors.clear();
    auto parsed = parse(text);
    ASSERT_TRUE(parsed) << errors;
    EXPECT_TRUE(failed(time(parsed)));
    EXPECT_NE(errors.find(wanted.str()), std::string::npos) << errors;
  }
};

TEST_F(Lanes, ALineGoesToLanesAndBack) {
  auto program = parse(mover("f32", "f32", "f32", R"(
    task.fence reads
    task.place %from[%c0] byte %c4 step 8 of f32 count %c20 into %t[%c0] at [%c3, %c8] along column
    task.place %from[%c0] byte %c0 step 4 of f32 count %c8 into %t[%c0] at [%c20, %c1] along row
    task.lift %t[%c0] at [%c3, %c8] along column count %c20 into %to[%c0] byte %c0 step 4 of f32
    %c80 = arith.constant 80 : index
    task.lift %t[%c0] at [%c20, %c1] along row count %c8 into %to[%c0] byte %c80 step 12 of f32
  )"));
  std::vector<float> a(64), c(64);
  for (int i = 0; i < 64; ++i)
    a[i] = static_cast<float>(i + 1);
  ASSERT_TRUE(succeeded(run(program, {bytesOf(a), bytesOf(c)}))) << errors;
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(c[i], a[1 + 2 * i]);
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(c[20 + 3 * i], a[i]);
}

TEST_F(Lanes, WordsOfLanesAreCopiedTogether) {
  auto cycles = [&](llvm::StringRef byte, llvm::StringRef step) {
    auto program = parse(mover("bf16", "bf16", "bf16",
                               llvm::formatv(R"(
    task.fence reads
    %c2 = arith.constant 2 : index
    task.place %from[%c0] byte %{0} step {1} of bf16 count %c20 into %t[%c0] at [%c3, %c8] along column
    task.lift %t[%c0] at [%c3, %c8] along column count %c8 into %to[%c0] byte %c0 step 4 of bf16
  )",
                                             byte, step)
                                   .str()));
    return time(program)->cycles;
  };
  // Wormhole: a load takes 8 cycles, a store 5, arithmetic 1, a branch 3. Lanes
  // 8 to 15 and 16 to 27 are in two faces, of 4 and 6 words.
  double apart = 20 * (8 + 5 + 2), together = 2 * (8 + 12 + 3) + 10 * (5 + 1);
  EXPECT_EQ(cycles("c2", "2") - cycles("c4", "2"), apart - together);
  EXPECT_EQ(cycles("c4", "4"), cycles("c2", "2"));
}

TEST_F(Lanes, SmallIntegersAreWidenedAndCut) {
  auto program = parse(mover("i8", "i32", "i16", R"(
    task.fence reads
    task.place %from[%c0] byte %c0 step 1 of i8 count %c20 into %t[%c0] at [%c0, %c0] along row
    task.lift %t[%c0] at [%c0, %c0] along row count %c20 into %to[%c0] byte %c0 step 2 of i16
  )"));
  std::vector<int8_t> a(64);
  std::vector<int16_t> c(64);
  for (int i = 0; i < 64; ++i)
    a[i] = static_cast<int8_t>(i * 37);
  ASSERT_TRUE(succeeded(run(program, {bytesOf(a), bytesOf(c)}))) << errors;
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(c[i], a[i]);
}

TEST_F(Lanes, LongIntegersAreCutAndWidened) {
  auto program = parse(mover("i64", "i32", "i64", R"(
    task.fence reads
    task.place %from[%c0] byte %c8 step 8 of i64 count %c20 into %t[%c0] at [%c0, %c0] along column
    task.lift %t[%c0] at [%c0, %c0] along column count %c20 into %to[%c0] byte %c0 step 8 of i64
  )"));
  std::vector<int64_t> a(64), c(64);
  for (int i = 0; i < 64; ++i)
    a[i] = i * 1000000 - 5000000;
  ASSERT_TRUE(succeeded(run(program, {bytesOf(a), bytesOf(c)}))) << errors;
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(c[i], a[i + 1]);
}

TEST_F(Lanes, AreNumberedInBothFormats) {
  for (bool real : {false, true}) {
    std::string type = real ? "f32" : "i32";
    auto program = parse(mover(type, type, type,
                               R"(
    task.fence reads
    task.iota %t[%c0] along row from %c20
    task.lift %t[%c0] at [%c4, %c3] along row count %c8 into %to[%c0] byte %c0 step 4 of )" +
                                   type + R"(
    task.iota %t[%c0] along column from %c3
    %c32 = arith.constant 32 : index
    task.lift %t[%c0] at [%c4, %c3] along column count %c8 into %to[%c0] byte %c32 step 4 of )" +
                                   type));
    std::vector<int32_t> a(64), c(64);
    ASSERT_TRUE(succeeded(run(program, {bytesOf(a), bytesOf(c)}))) << errors;
    for (int i = 0; i < 16; ++i) {
      int expected = i < 8 ? 20 + 4 + i : 3 + 3 + (i - 8);
      EXPECT_EQ(c[i],
                real ? std::bit_cast<int32_t>(float(expected)) : expected);
    }
  }
}

TEST_F(Lanes, ScratchHasNoRaces) {
  std::string place = "task.place %from[%c0] byte %c0 step 4 of f32 count %c8 "
                      "into %t[%c0] at [%c0, %c0] along column\n";
  std::string lift = "task.lift %t[%c0] at [%c0, %c0] along column count %c8 "
                     "into %to[%c0] byte %c0 step 4 of f32\n";
  expectError(mover("f32", "f32", "f32", place),
              "touches a tile of buffer 'from' that is still being read; fence "
              "the reads first");
  expectError(mover("f32", "f32", "f32", "task.fence reads\n" + lift),
              "uses slot 0 of buffer 't', which nothing has written");
  expectError(mover("f32", "f32", "f32",
                    "task.fence reads\n" + place + lift +
                        "task.write %to[%c0] into %C[%c0]\n" + lift),
              "touches a tile of buffer 'to' that is still being sent");
  std::string wide = place;
  wide.replace(wide.find("[%c0, %c0]"), 10, "[%c0, %c28]");
  expectError(
      mover("f32", "f32", "f32",
            "%c28 = arith.constant 28 : index\ntask.fence reads\n" + wide),
      "moves 8 lanes along column from lane (0, 28)");
  std::string far = place;
  far.replace(far.find("%from[%c0]"), 10, "%from[%c1]");
  expectError(mover("f32", "f32", "f32", "task.fence reads\n" + far),
              "touches bytes 4096 to 4127 of scratch buffer 'from', which has "
              "4096");
}

/// Adds the tile of b as often as the integer in the first element of a says,
/// on both threads of the compute engine.
TEST_F(Lanes, APeekedIntegerBoundsLoopsOfAllEngines) {
  auto program = parse(R"(
task.program @peeks on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<32x32xi32> layout #tile.tiled
  %B = task.array 1 "b" in : memref<32x32xf32> layout #tile.tiled
  %C = task.array 2 "c" out : memref<256x32xf32> layout #tile.tiled
  %n = task.buffer "n" of i32 tiles 1 depth 1 direct id 0 at 131072
  %b = task.buffer "b" of f32 tiles 1 depth 2 direct id 1 at 135168
  %c = task.buffer "c" of f32 tiles 1 depth 2 direct id 2 at 147456
  %m = task.buffer "m" of i32 tiles 1 depth 1 scratch id 3 at 163840
  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    task.reserve %n, 1
    task.read %A[%c0] into %n[%c0]
    task.fence reads
    %count = task.peek %n[%c0] byte %c0 of i32
    task.push %n, 1
    scf.for %i = %c0 to %count step %c1 {
      task.reserve %b, 1
      task.read %B[%c0] into %b[%c0]
      task.fence reads
      task.push %b, 1
    }
  }
  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    task.read %A[%c0] into %m[%c0]
    task.fence reads
    %count = task.peek %m[%c0] byte %c0 of i32
    scf.for %i = %c0 to %count step %c1 {
      task.wait %c, 1
      task.write %c[%c0] into %C[%i]
      task.fence writes
      task.pop %c, 1
    }
  }
  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    task.startup %b, %b, %c
    task.init pack(%c)
    task.init copy(%b)
    task.wait %n, 1
    %count = task.peek %n[%c0] byte %c0 of i32
    %flag = task.peek %n[%c0] byte %c4 of i8
    %set = arith.cmpi ne, %flag, %c0 : index
    task.pop %n, 1
    scf.for %i = %c0 to %count step %c1 {
      task.wait %b, 1
      task.reserve %c, 1
      task.dst {
        %d = task.register 1 slot 0
        task.copy %b[%c0] into %d[%c0]
        scf.if %set {
          task.init sfpu "add"
          task.sfpu "add" %d[%c0], 1.0
        }
        task.pack %d[%c0] into %c[%c0]
      }
      task.push %c, 1
      task.pop %b, 1
    }
  }
})");
  ASSERT_TRUE(program) << errors;
  for (int count : {0, 5})
    for (int set : {0, 7}) {
      std::vector<int32_t> a(1024);
      std::vector<float> b(1024), c(8192, -1);
      a[0] = count;
      a[1] = set;
      for (int i = 0; i < 1024; ++i)
        b[i] = static_cast<float>(i);
      ASSERT_TRUE(succeeded(run(program, {bytesOf(a), bytesOf(b), bytesOf(c)})))
          << errors;
      for (int i = 0; i < 8192; ++i)
        ASSERT_EQ(c[i], i / 1024 < count ? i % 1024 + (set ? 1 : 0) : -1) << i;
    }
  auto timing = time(program);
  ASSERT_TRUE(succeeded(timing)) << errors;
  EXPECT_NE(timing->notes.at(0).find("taken to be all zero"),
            std::string::npos);
}

} // namespace
} // namespace drawloom::sim
