// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the simulator stops on, and what it says.
#include "Programs.h"

namespace drawloom::sim {
namespace {

class SimErrors : public ProgramTest {
protected:
  /// A program of `grid` with buffers a and b of two tiles, and kernels.
  void expectError(llvm::StringRef kernels, llvm::StringRef text,
                   llvm::StringRef grid = "[2, 2]") {
    std::string program = R"(
task.program @p on "wormhole" grid )" +
                          grid.str() +
                          R"( precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<64x64xbf16> layout #tile.tiled
  %C = task.array 1 "c" out : memref<64x64xbf16> layout #tile.tiled
  %a = task.buffer "a" of bf16 tiles 1 depth 2 id 0 at 131072
  %b = task.buffer "b" of bf16 tiles 1 depth 2 id 1 at 135168
  %s = task.semaphore "s" id 0
)" + kernels.str() + "}";
    errors.clear();
    auto parsed = parse(program);
    ASSERT_TRUE(parsed) << errors;
    EXPECT_TRUE(failed(time(parsed)));
    EXPECT_NE(errors.find(text.str()), std::string::npos)
        << "wanted: " << text.str() << "\ngot: " << errors;
  }
  static std::string mover(llvm::StringRef body,
                           llvm::StringRef engine = "dm0") {
    return "task.kernel " + engine.str() + " network 0 {\n" +
           "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n" +
           body.str() + "}\n";
  }
  static std::string compute(llvm::StringRef body) {
    return "task.kernel compute {\n%c0 = arith.constant 0 : index\n" +
           body.str() + "}\n";
  }
};

TEST_F(SimErrors, ADeadlockNamesWhoWaitsForWhat) {
  expectError(mover("task.await %s at_least %c1\n") +
                  mover("task.wait %a, 1\n", "dm1"),
              "[deadlock] no engine can go on after cycle 0: dm0 of cores "
              "(0..1, 0..1) waits for semaphore 's' to reach 1, which is at 0");
  EXPECT_NE(errors.find("note: dm1 of cores (0..1, 0..1) waits for 1 tiles in "
                        "buffer 'a', which has 0"),
            std::string::npos)
      << errors;
}

TEST_F(SimErrors, ADeadlockGroupsCoresThatWaitAlike) {
  // Core (0, 0) is signalled, the others are not.
  expectError(mover(R"(
      task.signal %s to [%c0, %c0, %c0, %c0]
      task.await %s at_least %c1
    )"),
              "dm0 of cores (1, 0), (0..1, 1) waits");
}

TEST_F(SimErrors, AFullBufferIsADeadlock) {
  expectError(
      mover(R"(
      task.reserve %a, 2
      task.push %a, 2
      task.reserve %a, 1
    )"),
      "waits for room for 1 tiles in buffer 'a', which has 0 of 2 free");
}

TEST_F(SimErrors, RacesOfAMover) {
  expectError(mover(R"(
      task.read %A[%c0] into %a[%c0]
      task.reserve %a, 1
    )"),
              "[undefined] dm0 of core (0, 0): touches slots 0 to 0 of buffer "
              "'a', where it has reserved 0");
  expectError(mover(R"(
      task.reserve %a, 1
      task.read %A[%c0] into %a[%c0]
      task.push %a, 1
    )"),
              "still being read; fence the reads");
  expectError(mover(R"(
      task.wait %a, 1
      task.write %a[%c0] into %C[%c0]
      task.pop %a, 1
    )",
                    "dm1") +
                  mover(R"(
      task.reserve %a, 1
      task.read %A[%c0] into %a[%c0]
      task.fence reads
      task.push %a, 1
    )"),
              "still being sent; fence it");
  expectError(mover(R"(
      task.reserve %a, 1
      task.push %a, 2
    )"),
              "pushes 2 tiles to buffer 'a', where 1 are reserved");
}

TEST_F(SimErrors, AccessesOutsideTheArray) {
  expectError(mover(R"(
      %p = arith.constant 4 : index
      task.reserve %a, 1
      task.read %A[%p] into %a[%c0]
    )"),
              "page 4 of array 'a', which has 4");
  expectError(mover(R"(
      %n = arith.constant 64 : index
      %o = arith.constant 16 : index
      task.reserve %a, 1
      task.read %A[%c0] into %a[%c0] part [%o, %c0, %n]
    )"),
              "must agree modulo 32");
  expectError(mover(R"(
      task.wait %a, 1
      task.write %a[%c0] into %A[%c0]
    )"),
              "only read by its role");
}

TEST_F(SimErrors, AReceiverThatIsNotReady) {
  expectError(mover(R"(
      %x = task.core x
      %sends = arith.cmpi eq, %x, %c0 : index
      scf.if %sends {
        task.reserve %a, 1
        task.read %A[%c0] into %a[%c0]
        task.fence reads
        task.multicast %a[%c0] tiles 1 to [%c1, %c0, %c1, %c0] receivers 1
      }
    )"),
              "buffer 'a' of core (1, 0), which has reserved 0 tiles",
              "[2, 1]");
  expectError(mover(R"(
      task.publish %s = %c1 to [%c0, %c0, %c1, %c0] receivers 2
    )"),
              "states 2 receivers, but its rectangle has 1", "[2, 1]");
}

TEST_F(SimErrors, ComputeOnWhatNothingWrote) {
  std::string math = R"(
      task.startup %a, %a, %b matmul
      task.init matmul(%a, %a) block [1, 1, 1]
      task.init pack(%b)
      task.wait %a, 1
      task.dst {
        %d = task.register 1 slot 0
        task.matmul %a[%c0], %a[%c0] into %d[%c0] block [1, 1, 1]
      }
    )";
  expectError(mover("task.reserve %a, 1\n task.push %a, 1\n") + compute(math),
              "uses slot 0 of buffer 'a', which nothing has written");
}

TEST_F(SimErrors, AWrongSetUp) {
  std::string read = mover(R"(
      task.reserve %a, 1
      task.read %A[%c0] into %a[%c0]
      task.fence reads
      task.push %a, 1
    )");
  expectError(read + compute(R"(
      task.startup %a, %a, %b matmul
      task.init copy(%a)
      task.wait %a, 1
      task.dst {
        %d = task.register 1 slot 0
        task.matmul %a[%c0], %a[%c0] into %d[%c0] block [1, 1, 1]
      }
    )"),
              "needs the set-up 'matmul block [1, 1, 1] of (bf16, bf16)' but "
              "runs under 'copy of (bf16)'");
  expectError(read + compute("task.init copy(%a)\n"),
              "sets up before task.startup");
}

TEST_F(SimErrors, TooMuchOfDst) {
  expectError(compute(R"(
      task.dst {
        %d = task.register 5 slot 0
        task.sfpu "exp" %d[%c0]
      }
    )"),
              "tiles 0 to 4 of Dst; a half holds 4");
}

TEST_F(SimErrors, TwoProducersOfABuffer) {
  expectError(mover("task.reserve %a, 1\n") +
                  mover("task.reserve %a, 1\n", "dm1"),
              "has two producers");
}

TEST_F(SimErrors, TheWrongMachineAndTheStepLimit) {
  auto program = parseFile("matmul_64.mlir");
  EXPECT_TRUE(failed(simulate(program, machine("blackhole"), {}, {false})));
  EXPECT_NE(errors.find("[config] the program is for machine 'wormhole'"),
            std::string::npos);
  EXPECT_TRUE(failed(simulate(program, machine("wormhole"), {},
                              {.values = false, .maxSteps = 10})));
  EXPECT_NE(errors.find("[limit]"), std::string::npos);
}

TEST_F(SimErrors, ValuesOfUnitsThatComputeOtherwise) {
  auto file = mlir::parseSourceFile<mlir::ModuleOp>(
      DRAWLOOM_MACHINES_DIR "/wormhole.mlir", &context);
  df::MachineOp wormhole = *file->getOps<df::MachineOp>().begin();
  df::MatOp matrix = *wormhole.getBody().getOps<df::MatOp>().begin();
  df::VecOp vector = *wormhole.getBody().getOps<df::VecOp>().begin();
  std::vector<Bf16> values(1024);
  auto expectRefusal = [&](llvm::StringRef why) {
    auto model = createModel(wormhole);
    ASSERT_TRUE(succeeded(model)) << errors;
    errors.clear();
    auto program = parse(R"(
task.program @p on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<32x32xbf16> layout #tile.tiled
})");
    EXPECT_TRUE(failed(simulate(program, *model, {bytesOf(values)})));
    EXPECT_NE(errors.find("[unmodelled]"), std::string::npos) << errors;
    EXPECT_NE(errors.find(why.str()), std::string::npos) << errors;
    EXPECT_TRUE(succeeded(simulate(program, *model, {}, {false}))) << errors;
  };
  vector.setStore(Rounding::NearestEven);
  expectRefusal("vector unit does not truncate");
  matrix.setMultiplier(llvm::ArrayRef<int64_t>{8, 8});
  expectRefusal("7x5-bit multipliers");
  matrix.removeMantissaAttr();
  expectRefusal("do not both state");
}

TEST_F(SimErrors, AMachineWithoutCosts) {
  // TileLoom's torus states no cost of a call.
  std::string text = R"(
task.program @p on "torus" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<32x32xbf16> layout #tile.tiled
})";
  EXPECT_TRUE(failed(time(parse(text), "torus")));
  EXPECT_NE(errors.find("[config]"), std::string::npos) << errors;
}

} // namespace
} // namespace drawloom::sim
