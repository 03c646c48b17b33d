// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs `tile` programs in fp64, grid after grid, points on several threads.

#include "drawloom/Sim/Interpreter/Interpret.h"
#include "Evaluator.h"
#include <atomic>
#include <thread>

using namespace mlir;
using namespace drawloom;

/// The grid point with this row-major number.
static SmallVector<int64_t> pointOf(tile::GridOp grid, int64_t number) {
  ArrayRef<int64_t> extents = grid.getExtents();
  SmallVector<int64_t> point(extents.size());
  for (int64_t dim = extents.size() - 1; dim >= 0; --dim) {
    point[dim] = number % extents[dim];
    number /= extents[dim];
  }
  return point;
}

/// A number for the points that run in order with the one of this number: the
/// same for all that differ in ordered dimensions alone.
static int64_t orderedWith(tile::GridOp grid, ArrayRef<int64_t> point) {
  int64_t number = 0;
  for (auto [dim, extent] : llvm::enumerate(grid.getExtents()))
    number = number * extent + (grid.isOrdered(dim) ? 0 : point[dim]);
  return number;
}

/// Runs all points of `grid`; visits count from `first`.
static LogicalResult
runGrid(tile::GridOp grid, MutableArrayRef<Evaluator> evaluators, Visit first) {
  int64_t points = llvm::product_of(grid.getExtents());
  std::atomic<int64_t> next = 0;
  std::atomic<bool> stopped = false;
  auto work = [&](Evaluator &evaluator) {
    for (int64_t number; !stopped && (number = next++) < points;) {
      SmallVector<int64_t> point = pointOf(grid, number);
      if (failed(evaluator.runPoint(grid, point, first + number,
                                    first + orderedWith(grid, point))))
        stopped = true;
    }
  };
  std::vector<std::thread> helpers;
  for (Evaluator &evaluator : evaluators.drop_front())
    helpers.emplace_back([&] { work(evaluator); });
  work(evaluators.front());
  for (std::thread &helper : helpers)
    helper.join();
  if (!stopped)
    return success();
  const Stop *earliest = nullptr;
  for (Evaluator &evaluator : evaluators)
    if (evaluator.stop().op &&
        (!earliest || evaluator.stop().visit < earliest->visit))
      earliest = &evaluator.stop();
  std::string point;
  llvm::raw_string_ostream os(point);
  llvm::interleaveComma(pointOf(grid, earliest->visit - first), os);
  InFlightDiagnostic diagnostic = earliest->op->emitError(earliest->message);
  diagnostic.attachNote(grid.getLoc()) << "at grid point (" << point << ")";
  return diagnostic;
}

FailureOr<std::vector<Reference>>
drawloom::interpret(tile::ProgramOp program, ArrayRef<ArrayMemory> memory,
                    const InterpretOptions &options) {
  FailureOr<Arrays> arrays = Arrays::create(program, memory);
  if (failed(arrays))
    return failure();
  std::vector<Evaluator> evaluators(std::max(1u, options.threads),
                                    Evaluator(*arrays, options.policy));
  int64_t first = 1;
  for (Operation &op : *program.getBody().begin()) {
    if (isa<tile::ArrayOp>(op))
      continue;
    auto grid = dyn_cast<tile::GridOp>(op);
    if (!grid) {
      for (Evaluator &evaluator : evaluators)
        if (failed(evaluator.run(&op)))
          return op.emitError(evaluator.stop().message);
      continue;
    }
    int64_t points = llvm::product_of(grid.getExtents());
    if (first + points >= UINT32_MAX)
      return grid.emitError("has more points than the interpreter counts: ")
             << points;
    bool oneThread = arrays->startGrid(grid, first);
    MutableArrayRef<Evaluator> workers(evaluators);
    if (failed(
            runGrid(grid, oneThread ? workers.take_front() : workers, first)))
      return failure();
    first += points;
  }
  return arrays->references();
}
