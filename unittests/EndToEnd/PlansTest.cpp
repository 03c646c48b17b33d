// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best plans of a program all lower, all are right, and those whose
// deliveries bring equally many iterations give equal bits.

#include "drawloom/Driver/Launcher.h"
#include "drawloom/Driver/Memory.h"
#include "drawloom/Driver/Stations.h"
#include "drawloom/Machine/LoadMachine.h"
#include "drawloom/Machine/Machine.h"
#include "drawloom/Plan/Apply.h"
#include "drawloom/Sim/Interpreter/Check.h"
#include "drawloom/Sim/Simulator.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <map>

using namespace drawloom;
using namespace mlir;

namespace {

/// M x N x K in blocks of bm x bn x 32, all edges bounded.
std::string product(int64_t m, int64_t n, int64_t k, int64_t bm, int64_t bn) {
  return llvm::formatv(R"mlir(
tile.program @product {{
  %A = tile.array 0 "a" in : memref<{0}x{2}xbf16>
  %B = tile.array 1 "b" in : memref<{2}x{1}xbf16>
  %C = tile.array 2 "c" out : memref<{0}x{1}xbf16>
  tile.grid [{3}, {4}] {{
  ^bb0(%i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %end = arith.constant {5} : index
    %zero = arith.constant dense<0.0> : tensor<{6}x{7}xf32>
    %acc = scf.for %k = %c0 to %end step %c1 iter_args(%c = %zero) -> (tensor<{6}x{7}xf32>) {{
      %a = tile.load %A[%i, %k] affine_map<(i, k, r, c) -> ({6} * i + r, 32 * k + c)> where affine_set<(i, k, r, c) : ({0} - {6} * i - r - 1 >= 0, {2} - 32 * k - c - 1 >= 0)> else 0.0 : bf16 : memref<{0}x{2}xbf16> -> tensor<{6}x32xbf16>
      %b = tile.load %B[%k, %j] affine_map<(k, j, r, c) -> (32 * k + r, {7} * j + c)> where affine_set<(k, j, r, c) : ({2} - 32 * k - r - 1 >= 0, {1} - {7} * j - c - 1 >= 0)> else 0.0 : bf16 : memref<{2}x{1}xbf16> -> tensor<32x{7}xbf16>
      %d = linalg.matmul ins(%a, %b : tensor<{6}x32xbf16>, tensor<32x{7}xbf16>) outs(%c : tensor<{6}x{7}xf32>) -> tensor<{6}x{7}xf32>
      scf.yield %d : tensor<{6}x{7}xf32>
    }
    %o = arith.truncf %acc : tensor<{6}x{7}xf32> to tensor<{6}x{7}xbf16>
    tile.store %o, %C[%i, %j] affine_map<(i, j, r, c) -> ({6} * i + r, {7} * j + c)> where affine_set<(i, j, r, c) : ({0} - {6} * i - r - 1 >= 0, {1} - {7} * j - c - 1 >= 0)> : tensor<{6}x{7}xbf16>, memref<{0}x{1}xbf16>
  }
})mlir",
                       m, n, k, llvm::divideCeil(m, bm), llvm::divideCeil(n, bn),
                       llvm::divideCeil(k, 32), bm, bn)
      .str();
}

struct Case {
  const char *machine;
  int64_t m, n, k, bm, bn;
};
void PrintTo(const Case &c, std::ostream *os) {
  *os << c.machine << " " << c.m << "x" << c.n << "x" << c.k << " in " << c.bm << "x" << c.bn;
}

class PlansTest : public testing::TestWithParam<Case> {
protected:
  PlansTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  OwningOpRef<ModuleOp> parse() {
    Case c = GetParam();
    return parseSourceString<ModuleOp>(product(c.m, c.n, c.k, c.bm, c.bn), &context);
  }

  MLIRContext context;
};

/// Arrays of one seed, and the bytes of the result among them.
struct Memory {
  explicit Memory(tile::ProgramOp program) {
    for (auto array : program.getBody().getOps<tile::ArrayOp>())
      EXPECT_TRUE(succeeded(
          arrays.add(array.getArgument(), cast<MemRefType>(array.getView().getType()), 7)));
  }
  std::vector<std::byte> result(const Case &c) const {
    const std::byte *start = arrays.pointers()[2];
    return {start, start + c.m * c.n * 2};
  }
  SeededMemory arrays;
};

TEST_P(PlansTest, AllAreRightAndThoseOfEqualChunksAreEqual) {
  Case c = GetParam();
  auto machine = loadMachine(context, c.machine, std::nullopt, DRAWLOOM_MACHINES_DIR);
  ASSERT_TRUE(succeeded(machine));
  auto logical = parse();
  ASSERT_TRUE(logical);
  auto program = *logical->getOps<tile::ProgramOp>().begin();
  plan::chooseLayouts(program);
  auto problem = plan::readProblem(program);
  ASSERT_TRUE(succeeded(problem));
  plan::PlanOptions options;
  options.topK = 24;
  auto plans = plan::search(*problem, *machine, options);
  ASSERT_TRUE(succeeded(plans));
  ASSERT_FALSE(plans->best.empty());

  std::map<int64_t, std::vector<std::byte>> results;
  for (const plan::Candidate &candidate : plans->best) {
    auto module = parse();
    auto own = *module->getOps<tile::ProgramOp>().begin();
    plan::chooseLayouts(own);
    auto ownProblem = plan::readProblem(own);
    ASSERT_TRUE(succeeded(ownProblem));
    plan::apply(candidate, *ownProblem, *machine, options.fidelity);
    ASSERT_TRUE(succeeded(lowerProgram(*module, *machine, State::Physical)));

    Memory memory(own);
    InterpretOptions policy;
    policy.policy =
        policyFor(*machine->matrixNumbers(), *machine->vectorNumbers(), own.getPrecisionAttr());
    std::vector<ArrayMemory> inputs;
    for (std::byte *start : memory.arrays.pointers())
      inputs.push_back({start});
    auto references = interpret(own, inputs, policy);
    ASSERT_TRUE(succeeded(references));
    auto lowered = *module->getOps<task::ProgramOp>().begin();
    ASSERT_TRUE(
        succeeded(sim::simulate(lowered, *machine, memory.arrays.pointers(), {.values = true})));
    for (const Reference &reference : *references) {
      tile::ArrayOp array = reference.array;
      ArrayMemory device = {memory.arrays.pointers()[array.getArgument()]};
      CheckResult result = check(reference, device);
      EXPECT_TRUE(result.passed()) << describe(reference, result);
    }
    auto [first, isNew] = results.try_emplace(candidate.chunk, memory.result(c));
    EXPECT_TRUE(isNew || first->second == memory.result(c)) << "chunk " << candidate.chunk;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, PlansTest,
    testing::Values(Case{"wormhole", 256, 256, 128, 32, 32}, Case{"wormhole", 150, 100, 70, 64, 32},
                    Case{"wormhole", 37, 600, 65, 32, 64}, Case{"blackhole", 256, 256, 128, 32, 32},
                    Case{"blackhole", 330, 90, 200, 32, 64}, Case{"blackhole", 7, 5, 3, 32, 32}));

} // namespace
