// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a context needs to parse physical task programs.
#ifndef DRAWLOOM_UNITTESTS_TARGET_PROGRAMS_H
#define DRAWLOOM_UNITTESTS_TARGET_PROGRAMS_H

#include "drawloom/Machine/LoadMachine.h"
#include "drawloom/Task/Task.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

namespace drawloom {

inline mlir::DialectRegistry registry() {
  mlir::DialectRegistry registry;
  registry.insert<task::TaskDialect, tile::TileDialect,
                  mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
  return registry;
}

} // namespace drawloom

#endif // DRAWLOOM_UNITTESTS_TARGET_PROGRAMS_H
