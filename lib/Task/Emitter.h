// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the body of one kernel: index arithmetic, loops and conditions.

#ifndef DRAWLOOM_LIB_TASK_EMITTER_H
#define DRAWLOOM_LIB_TASK_EMITTER_H

#include "Schedule.h"
#include "drawloom/Task/Task.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace drawloom::task {

class Emitter {
public:
  /// Writes into `kernel`, whose body is empty; core coordinates are read first.
  Emitter(const Schedule &schedule, KernelOp kernel);

  mlir::OpBuilder &builder() { return b; }
  mlir::Location loc() const { return location; }
  void setLoc(mlir::Location loc) { location = loc; }

  template <typename OpTy, typename... Args> OpTy create(Args &&...args) {
    return OpTy::create(b, location, std::forward<Args>(args)...);
  }

  mlir::Value constant(int64_t value);
  /// A range of so many Dst tiles.
  mlir::Value registers(int64_t tiles);
  /// The value of an expression over the schedule's coordinates, then `more`.
  mlir::Value apply(mlir::AffineExpr expr, mlir::ValueRange more = {});
  mlir::Value isPositive(mlir::AffineExpr expr, mlir::ValueRange more = {});
  /// All of several conditions; null when there are none.
  mlir::Value all(llvm::ArrayRef<mlir::Value> conditions);

  /// `for i in 0..trips`; no loop for one trip.
  void loop(int64_t trips, llvm::function_ref<void(mlir::Value)> body) { loop(0, trips, body); }
  void loop(int64_t from, int64_t to, llvm::function_ref<void(mlir::Value)> body);
  void loop(mlir::Value from, mlir::Value to, llvm::function_ref<void(mlir::Value)> body);
  /// The same over a coordinate, which has the loop's value inside.
  void loopOver(unsigned coordinate, llvm::function_ref<void()> body);
  /// A loop of the source over a coordinate, its iterations counted from 0;
  /// bounds are index values of the source.
  void loopOver(mlir::scf::ForOp source, unsigned coordinate, llvm::function_ref<void()> body);
  /// A number of the source, an index or a condition, computed here.
  mlir::Value number(mlir::Value source);
  /// The same, by the source's own operation.
  mlir::Value compute(mlir::Value source);
  void set(unsigned coordinate, mlir::Value value) { coordinates[coordinate] = value; }
  /// `if condition`; always, when there is no condition.
  void when(mlir::Value condition, llvm::function_ref<void()> then,
            llvm::function_ref<void()> otherwise = nullptr);

private:
  const Schedule &schedule;
  mlir::OpBuilder b;
  mlir::Location location;
  mlir::Block *top;
  mlir::Operation *lastConstant = nullptr; ///< constants stand first
  llvm::DenseMap<int64_t, mlir::Value> constants;
  llvm::SmallVector<mlir::Value> coordinates;
};

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_EMITTER_H
