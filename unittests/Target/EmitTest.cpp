// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is written for the programs by hand, and what is refused.
#include "Programs.h"
#include "drawloom/Target/Metalium/EmitMetalium.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace drawloom;
using namespace mlir;

namespace {
/// A directory that goes with the test.
struct Scratch {
  Scratch() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("emit", path));
  }
  ~Scratch() { llvm::sys::fs::remove_directories(path); }
  llvm::SmallString<64> path;
};
} // namespace

static std::string readFile(const llvm::Twine &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(static_cast<bool>(file)) << path.str();
  return file ? (*file)->getBuffer().str() : "";
}

/// Emits the only program of `text`; the first diagnostic, or nothing.
static std::string emit(StringRef text, StringRef directory,
                        const EmitInputs &inputs = {}) {
  MLIRContext context(registry());
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
  });
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return message;
  auto program = *module->getOps<task::ProgramOp>().begin();
  auto model = loadMachine(context, program.getMachine(), std::nullopt,
                           DRAWLOOM_MACHINES_DIR);
  if (succeeded(model) &&
      succeeded(emitMetalium(program, *model, directory, inputs)))
    return "";
  return message.empty() ? "failed without a diagnostic" : message;
}

/// A one-core program with a kernel of the data mover dm0.
static std::string moverProgram(StringRef body) {
  return (R"(task.program @p on "wormhole" grid [4, 2] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "int" in : memref<64x64xbf16> layout #tile.tiled
  %a = task.buffer "a" of bf16 tiles 4 depth 1 id 0 at 108544
  %s = task.semaphore "a.full" id 5
  task.kernel dm0 network 0 {
    %x = task.core x
    %y = task.core y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
)" + body +
          "  }\n}\n")
      .str();
}

static std::string computeProgram(StringRef body) {
  return (R"(task.program @p on "wormhole" grid [1, 1] precision #tile.precision<hifi2, bf16> {
  %a = task.buffer "a" of bf16 tiles 4 depth 1 id 0 at 108544
  %p = task.buffer "p" of f32 tiles 4 depth 1 direct id 1 at 116736
  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    task.startup %a, %a, %a
)" + body +
          "  }\n}\n")
      .str();
}

static std::string sourceOf(StringRef program, StringRef kernel) {
  Scratch scratch;
  EXPECT_EQ(emit(program, scratch.path), "");
  return readFile(scratch.path + "/kernels/" + kernel + ".cpp");
}

static void expectParts(const std::string &text,
                        std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

//===-- Whole programs ------------------------------------------------------//

class EmitGolden : public testing::TestWithParam<const char *> {};

/// The committed files ran on the vendor's runtime with the right values.
TEST_P(EmitGolden, WritesTheCommittedSources) {
  const std::string source = DRAWLOOM_SOURCE_DIR, name = GetParam();
  Scratch scratch;
  ASSERT_EQ(
      emit(readFile(source + "/test/Task/" + name + ".mlir"), scratch.path),
      "");
  for (const char *file : {"kernels/dm0.cpp", "kernels/dm1.cpp",
                           "kernels/compute.cpp", "program.json"})
    EXPECT_EQ(
        readFile(scratch.path + "/" + file),
        readFile(source + "/test/Target/Inputs/emitted/" + name + "/" + file))
        << file;
  expectParts(readFile(scratch.path + "/run.py"), {"ttnn.generic_op"});
}
INSTANTIATE_TEST_SUITE_P(ByHand, EmitGolden,
                         testing::Values("matmul_64", "multicast_2x2"));

TEST(Emit, SavesValuesAsNumpyFiles) {
  Scratch scratch;
  std::vector<std::byte> bits(64 * 64 * 2, std::byte{0x3F});
  EmitInputs inputs;
  inputs.before = {bits};
  ASSERT_EQ(emit(moverProgram(""), scratch.path, inputs), "");
  // The array's name is a word of C++.
  std::string file = readFile(scratch.path + "/inputs/int_.npy");
  EXPECT_EQ(file.size(), 128 + bits.size());
  expectParts(file.substr(0, 128), {"NUMPY", "'<u2'", "(64,64,)"});
  inputs.before = {llvm::ArrayRef(bits).drop_back()};
  EXPECT_EQ(emit(moverProgram(""), scratch.path, inputs),
            "8191 bytes of values given for array `int` of 8192");
}

//===-- Parts of kernels ----------------------------------------------------//

TEST(EmitMover, PrintsIndexExpressions) {
  std::string source = sourceOf(moverProgram(R"(
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %i to %c3 step %c3 {
        %page = affine.apply affine_map<(i, j, x) -> ((i * 2 + j) mod 5 + (x - 3) floordiv 2 - i * 4)>(%i, %j, %x)
        %slot = affine.min affine_map<(j) -> (j, 3)>(%j)
        task.read %A[%page] into %a[%slot]
      }
    })"),
                                "dm0");
  expectParts(source, {"for (int32_t i = 0; i < 3; ++i) {",
                       "for (int32_t j = i; j < 3; j += 3) {",
                       "(2 * i + j) % 5 + floorDivide(x - 3, 2) - 4 * i",
                       "writeSlot(cb_a, smaller(j, 3))",
                       "const auto int_ = TensorAccessor"});
}

TEST(EmitMover, CountsSlotsOfScratchInBytes) {
  std::string program = moverProgram(R"(
    scf.for %i = %c0 to %c3 step %c1 {
      %slot = affine.apply affine_map<(i) -> (i floordiv 2)>(%i)
      %n = task.peek %a[%slot] byte %c3 of i64
      task.iota %a[%n] along row from %n
      task.iota %a[%n] along memory from %n
    })");
  const StringRef buffer = "of bf16 tiles 4 depth 1 id";
  program.replace(program.find(buffer), buffer.size(),
                  "of i32 tiles 4 depth 1 scratch id");
  expectParts(sourceOf(program, "dm0"),
              {"const int32_t number = peek<int64_t>(get_write_ptr(cb_a) + "
               "4096 * (i / 2) + 3);\n    "
               "numberIntegers<true>(get_write_ptr(cb_a) + 4096 * number, "
               "number);\n    "
               "countIntegers(get_write_ptr(cb_a) + 4096 * number, number);"});
}

TEST(EmitMover, LooksForItselfInRectanglesOfCores) {
  std::string source = sourceOf(moverProgram(R"(
    task.multicast %a[%c0] tiles 4 to [%c0, %c0, %c3, %c1] receivers 7
    task.multicast %a[%c0] tiles 4 to [%c0, %y, %c3, %y] receivers 3
    task.publish %s = %c1 to [%c0, %c0, %c3, %c1] receivers 7
    task.signal %s to [%c0, %c0, %c3, %c1]
    task.signal %s to [%c0, %y, %c0, %y])"),
                                "dm0");
  expectParts(
      source,
      {"multicast(get_write_ptr(cb_a), 0, 0, 3, 1, 4 * get_tile_size(cb_a), "
       "7);",
       "multicast(get_write_ptr(cb_a), 0, y, 3, y, 4 * get_tile_size(cb_a), "
       "3);",
       "constexpr uint32_t sem_a_full = 5;",
       "publish(sem_a_full, 0, 0, 3, 1, 7);",
       // No fence follows in the program.
       "noc_async_writes_flushed();", "signal(sem_a_full, 0, 0, 3, 1);",
       "noc_semaphore_inc(core(0, y, get_semaphore(sem_a_full)), 1);",
       "  noc_async_atomic_barrier();\n}\n"});
}

TEST(EmitCompute, TellsTheUnpackersOfOtherFormats) {
  std::string source = sourceOf(computeProgram(R"(
    task.init copy(%p)
    task.dst {
      %d = task.register 1 slot 2
      task.copy %p[%c0] into %d[%c0]
      "task.init"() <{function = "add", kind = 4 : i32}> : () -> ()
      task.sfpu "add" %d[%c0], 1.5
      task.pack %d[%c0] into %a[%c1]
    })"),
                                "compute");
  expectParts(source,
              {"reconfig_data_format_srca(cb_p);\n  copy_init(cb_p);",
               "copy_tile(cb_p, 0, 2);", "binop_with_scalar_tile_init();",
               "add_unary_tile(2, 0x3fc00000);",
               "tile_regs_commit();\n  tile_regs_wait();\n  pack_tile<true>(2, "
               "cb_a, 1);"});
}

TEST(EmitCompute, EndsReductionsAfterPacking) {
  std::string source = sourceOf(computeProgram(R"(
    task.dst {
      %d = task.register 2 slot 2
      task.init reduce(%a, %a) sum over row
      task.reduce sum over row %a[%c1] by %a into %d[%c0]
      task.pack %d[%c0] into %p[%c0]
    }
    %n = task.peek %a[%c1] byte %c1 of i8
    scf.for %i = %c0 to %n step %c1 {
      task.dst {
        %d = task.register 3 slot 0
        task.init sfpu "select"
        task.select %d[%c0], %d[%c1], %d[%c0] into %d[%c1]
        task.init sfpu "fill"
        task.fill_register %d[%c0] with 1.5 : f32
        task.fill_register %d[%c1] number %n as f32
      }
    })"),
                                "compute");
  expectParts(
      source,
      {"reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_a, cb_a, cb_p);\n"
       "  reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(cb_a, cb_a, 1, 0, "
       "2);\n",
       "pack_tile<true>(2, cb_p, 0);\n  reduce_uninit(cb_a);\n  "
       "tile_regs_release();",
       "const int32_t number = peekTile<int8_t>(cb_a, 1, 1);\n  for (int32_t i "
       "= 0; i < number; ++i)",
       "where_tile<DataFormat::Float16_b>(0, 1, 0, 1);",
       // Half a step more, as a store to 16-bit Dst cuts.
       "fill_tile_bitcast(0, 0x3fc08000);",
       "fill_tile_bitcast(1, floatBits(number) + 0x8000);"});
}

TEST(EmitCompute, SetsUpEachFormOfAFunction) {
  std::string source = sourceOf(computeProgram(R"(
    task.dst {
      %d = task.register 1 slot 0
      task.init sfpu "add"
      task.sfpu "add" %d[%c0], 2.0
      task.sfpu_binary "add" %d[%c0], %d[%c0] into %d[%c0]
    })"),
                                "compute");
  expectParts(source, {"tile_regs_acquire();\n  "
                       "binop_with_scalar_tile_init();\n  add_unary_tile(0, "
                       "0x40000000);\n  add_binary_tile_init();\n  "
                       "add_binary_tile(0, 0, 0);"});
}

TEST(EmitCompute, CallsOftenByWayOfFunctions) {
  std::string body = "task.dst {\n  %d = task.register 2 slot 0\n"
                     "  task.init copy(%p)\n  scf.for %i = %c0 to %c1 step %c1 {\n";
  for (int i = 0; i < 128; ++i)
    body += "task.copy %p[%c1] into %d[%i]\n";
  std::string source =
      sourceOf(computeProgram(body + "}\n task.pack %d[%c0] into %a[%c1] }"), "compute");
  expectParts(source, {"noinline)) void call_copy_tile_cb_p(uint32_t a, uint32_t b) {\n"
                       "  copy_tile(cb_p, a, b);\n}",
                       "#pragma GCC unroll 1\n  for (int32_t i", "call_copy_tile_cb_p(1, i);",
                       "pack_tile<true>(0, cb_a, 1);"});
}

//===-- Refusals ------------------------------------------------------------//

static void expectRefused(const std::string &program, const char *reason) {
  Scratch scratch;
  EXPECT_NE(emit(program, scratch.path).find(reason), std::string::npos)
      << emit(program, scratch.path);
  // Nothing is written.
  EXPECT_FALSE(llvm::sys::fs::exists(scratch.path + "/run.py"));
}

TEST(EmitRefuses, WhatHasNoCounterpart) {
  expectRefused(moverProgram("    %v = arith.shli %x, %c1 : index\n"),
                "`arith.shli` has no expression in C++");
  expectRefused(computeProgram(R"(
    task.dst {
      %d = task.register 1 slot 0
      task.sfpu "div" %d[%c0], 2.0
    }
)"),
                "the vector unit has no call for `div` with a constant");
  expectRefused(computeProgram(R"(
    task.dst {
      %d = task.register 1 slot 0
      task.sfpu_binary "addi" %d[%c0], %d[%c0] into %d[%c0]
    }
)"),
                "it concerns 32-bit integers, and Dst has 16-bit lanes");
  std::string wide = computeProgram(R"(
    task.dst {
      %d = task.register 1 slot 0
      task.copy %a[%c0] into %d[%c0] broadcast row
    }
)");
  wide.replace(wide.find("hifi2, bf16"), 11, "hifi2, f32");
  expectRefused(wide, "it repeats a row of bf16 in a 32-bit Dst");
  std::string bytes = moverProgram("");
  bytes.replace(bytes.find("64x64xbf16"), 10, "64x64xi8");
  expectRefused(bytes, "array `int` holds 'i8'; tensors are made of bf16, f32, "
                       "i32 or, in rows, of i1, i8, i16 or i64");
  expectRefused(computeProgram(R"(
    task.dst {
      %d = task.register 1 slot 0
      scf.for %i = %c0 to %c1 step %c1 {
        task.copy %a[%c0] into %d[%c0]
        task.pack %d[%c0] into %a[%c0]
      }
    }
)"),
                "it computes and packs inside one `task.dst`");
  expectRefused(computeProgram(R"(
    task.dst {
      %d = task.register 1
    }
)"),
                "is not in the physical state");
}
