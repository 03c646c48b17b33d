// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a loop twice, plain and for AVX2, and chooses when it is loaded.

#ifndef DRAWLOOM_LIB_SIM_NUMBERS_VECTORCLONES_H
#define DRAWLOOM_LIB_SIM_NUMBERS_VECTORCLONES_H

#if defined(__x86_64__) && defined(__linux__)
#define DRAWLOOM_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define DRAWLOOM_VECTOR_CLONES
#endif

// Loops over lambdas must end up inside the clone that calls them.
#define DRAWLOOM_INLINE inline __attribute__((always_inline))

#endif // DRAWLOOM_LIB_SIM_NUMBERS_VECTORCLONES_H
