// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of two row-major fp64 matrices, blocked for registers.

#include "Matmul.h"
#include <algorithm>
#include <vector>

namespace drawloom {
namespace {

// 4 x 8 accumulators are 8 vectors of 4: enough independent sums to hide the
// latency of a fused multiply-add, few enough to stay in registers.
constexpr int64_t kRows = 4, kColumns = 8;
using Vector = double __attribute__((vector_size(32), aligned(8)));

} // namespace

/// out[4][8] = sum over k of rows[i][k] * panel[k][8].
__attribute__((target_clones("arch=haswell", "default"))) static void
multiplyBlock(const double *const rows[kRows], const double *panel, int64_t k,
              double *out) {
  Vector sum[kRows][2] = {};
  for (int64_t step = 0; step < k; ++step, panel += kColumns) {
    Vector left = *reinterpret_cast<const Vector *>(panel);
    Vector right = *reinterpret_cast<const Vector *>(panel + 4);
    for (int i = 0; i < kRows; ++i) {
      double scalar = rows[i][step];
      Vector factor = {scalar, scalar, scalar, scalar};
      sum[i][0] += factor * left;
      sum[i][1] += factor * right;
    }
  }
  for (int i = 0; i < kRows; ++i) {
    *reinterpret_cast<Vector *>(out + i * kColumns) = sum[i][0];
    *reinterpret_cast<Vector *>(out + i * kColumns + 4) = sum[i][1];
  }
}

/// Copies columns [from, from + width) of b, zeros behind, so that steps along
/// k are contiguous and do not fall on the same cache sets.
static void packPanel(const double *b, int64_t n, int64_t k, int64_t from,
                      int64_t width, double *panel) {
  for (int64_t step = 0; step < k; ++step, panel += kColumns) {
    std::copy_n(b + step * n + from, width, panel);
    std::fill(panel + width, panel + kColumns, 0.0);
  }
}

void multiplyAdd(const double *a, const double *b, double *c, int64_t m,
                 int64_t n, int64_t k) {
  std::vector<double> panel(k * kColumns);
  double out[kRows * kColumns];
  for (int64_t column = 0; column < n; column += kColumns) {
    int64_t width = std::min(kColumns, n - column);
    packPanel(b, n, k, column, width, panel.data());
    for (int64_t row = 0; row < m; row += kRows) {
      int64_t height = std::min(kRows, m - row);
      const double *rows[kRows];
      for (int64_t i = 0; i < kRows; ++i) // a short block repeats its last row
        rows[i] = a + (row + std::min(i, height - 1)) * k;
      multiplyBlock(rows, panel.data(), k, out);
      for (int64_t i = 0; i < height; ++i)
        for (int64_t j = 0; j < width; ++j)
          c[(row + i) * n + column + j] += out[i * kColumns + j];
    }
  }
}

} // namespace drawloom
