// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing programs and laying out their arrays, for the interpreter's tests.

#ifndef DRAWLOOM_UNITTESTS_SIM_INTERPRETER_PROGRAMS_H
#define DRAWLOOM_UNITTESTS_SIM_INTERPRETER_PROGRAMS_H

#include "drawloom/Sim/Interpreter/Check.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <bit>
#include <random>

namespace drawloom {

/// One parsed program and the diagnostics it gave since.
class Program {
public:
  explicit Program(llvm::StringRef text) {
    context.loadDialect<tile::TileDialect, mlir::affine::AffineDialect,
                        mlir::arith::ArithDialect, mlir::linalg::LinalgDialect,
                        mlir::math::MathDialect, mlir::scf::SCFDialect,
                        mlir::tensor::TensorDialect>();
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &diagnostic) {
          errors += diagnostic.str() + "\n";
          for (mlir::Diagnostic &note : diagnostic.getNotes())
            errors += note.str() + "\n";
          return mlir::success();
        });
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  tile::ProgramOp op() {
    return module ? *module->getOps<tile::ProgramOp>().begin()
                  : tile::ProgramOp();
  }

  std::string errors;

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// bf16 as memory holds it, by truncation: tests need values, not rounding.
inline uint16_t toBF16(float value) {
  return std::bit_cast<uint32_t>(value) >> 16;
}
inline float fromBF16(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

inline std::vector<uint16_t> randomBF16(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  std::vector<uint16_t> result(count);
  for (uint16_t &bits : result)
    bits = toBF16(normal(generator));
  return result;
}

template <typename T> ArrayMemory memoryOf(const std::vector<T> &elements) {
  return {reinterpret_cast<const std::byte *>(elements.data())};
}

/// C = A x B, ragged, bf16 in and out with f32 accumulation, in blocks of
/// `block` x `block` and steps of `step`.
inline std::string matmulText(int64_t m, int64_t n, int64_t k, int64_t block,
                              int64_t step) {
  auto up = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  return llvm::formatv(R"(
tile.program @matmul {{
  %A = tile.array 0 "a" in : memref<{0}x{2}xbf16>
  %B = tile.array 1 "b" in : memref<{2}x{1}xbf16>
  %C = tile.array 2 "c" out : memref<{0}x{1}xbf16>
  tile.grid [{5}, {6}] {{
  ^bb0(%i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %steps = arith.constant {7} : index
    %zero = arith.constant dense<0.0> : tensor<{3}x{3}xf32>
    %acc = scf.for %k = %c0 to %steps step %c1 iter_args(%c = %zero) -> (tensor<{3}x{3}xf32>) {{
      %a = tile.load %A[%i, %k] affine_map<(i, k, r, c) -> ({3} * i + r, {4} * k + c)>
        where affine_set<(i, k, r, c) : ({8} - {3} * i - r >= 0, {10} - {4} * k - c >= 0)> else 0.0 : bf16
        : memref<{0}x{2}xbf16> -> tensor<{3}x{4}xbf16>
      %b = tile.load %B[%k, %j] affine_map<(k, j, r, c) -> ({4} * k + r, {3} * j + c)>
        where affine_set<(k, j, r, c) : ({10} - {4} * k - r >= 0, {9} - {3} * j - c >= 0)> else 0.0 : bf16
        : memref<{2}x{1}xbf16> -> tensor<{4}x{3}xbf16>
      %d = linalg.matmul ins(%a, %b : tensor<{3}x{4}xbf16>, tensor<{4}x{3}xbf16>)
        outs(%c : tensor<{3}x{3}xf32>) -> tensor<{3}x{3}xf32>
      scf.yield %d : tensor<{3}x{3}xf32>
    }
    %o = arith.truncf %acc : tensor<{3}x{3}xf32> to tensor<{3}x{3}xbf16>
    tile.store %o, %C[%i, %j] affine_map<(i, j, r, c) -> ({3} * i + r, {3} * j + c)>
      where affine_set<(i, j, r, c) : ({8} - {3} * i - r >= 0, {9} - {3} * j - c >= 0)>
      : tensor<{3}x{3}xbf16>, memref<{0}x{1}xbf16>
  }
})",
                       m, n, k, block, step, up(m, block), up(n, block),
                       up(k, step), m - 1, n - 1, k - 1)
      .str();
}

} // namespace drawloom

#endif // DRAWLOOM_UNITTESTS_SIM_INTERPRETER_PROGRAMS_H
