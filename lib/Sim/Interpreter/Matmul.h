// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of two row-major fp64 matrices.

#ifndef DRAWLOOM_LIB_SIM_INTERPRETER_MATMUL_H
#define DRAWLOOM_LIB_SIM_INTERPRETER_MATMUL_H

#include <cstdint>

namespace drawloom {

/// c[m][n] += a[m][k] * b[k][n].
void multiplyAdd(const double *a, const double *b, double *c, int64_t m,
                 int64_t n, int64_t k);

} // namespace drawloom

#endif // DRAWLOOM_LIB_SIM_INTERPRETER_MATMUL_H
