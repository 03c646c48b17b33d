// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiles of constants that a body's computations read.

#ifndef DRAWLOOM_LIB_TASK_BODY_CONSTANTTILES_H
#define DRAWLOOM_LIB_TASK_BODY_CONSTANTTILES_H

#include "Body.h"

namespace drawloom::task {

/// Makes those of Body that something asks for, as it is first met.
class ConstantTiles {
public:
  ConstantTiles(Body &body, const Forms &forms, bool wideDst, mlir::OpBuilder &builder)
      : body(body), forms(forms), wideDst(wideDst), b(builder) {}

  /// All that a stage reads.
  void provide(const Stage &stage);

private:
  void provide(const Formula &formula, const Form &form);
  void numberLanes(mlir::AffineExpr lane, const Form &form);
  void number(mlir::Value &tile, llvm::StringRef name);
  void triangleOf(tile::ScanOp scan);
  mlir::Value create(llvm::StringRef name, mlir::Type format, bool direct);

  Body &body;
  const Forms &forms;
  bool wideDst;
  mlir::OpBuilder &b;
};

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_CONSTANTTILES_H
