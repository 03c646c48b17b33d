// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says in a program's body what tiles need and its source leaves unsaid.

#ifndef DRAWLOOM_LIB_TASK_BODY_PREPARE_H
#define DRAWLOOM_LIB_TASK_BODY_PREPARE_H

#include "Exact.h"

namespace drawloom::task {

/// Rewrites a program's body, which is then as before but that
/// - loops that run once are gone, and loads and computations stand outside
///   the loops they do not depend on;
/// - loads and stores take rows as rows: those of exchanged axes are a load or
///   store and a transposition;
/// - reductions start from their identity, take a sum or a maximum, and lanes
///   of tiles that hold no value are the identity (of products: zero).
/// Returns the reductions that only carry lanes, with all their digits.
ExactOps prepareBody(tile::GridOp grid);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_PREPARE_H
