// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the planning problem off a logical tile program.

#include "drawloom/Plan/Problem.h"

#include "Multiplications.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace drawloom::plan {
namespace {

int64_t tilesOf(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() < 2)
    return llvm::divideCeil(type.getNumElements(), kTileElements);
  int64_t tiles = llvm::divideCeil(shape.back(), kTileSide) *
                  llvm::divideCeil(shape[shape.size() - 2], kTileSide);
  for (int64_t outer : shape.drop_back(2))
    tiles *= outer;
  return tiles;
}

/// Whether `value` is computed from `source` (an index of grid or loop).
bool dependsOn(Value value, Value source) {
  if (value == source)
    return true;
  Operation *def = value.getDefiningOp();
  return def && llvm::any_of(def->getOperands(),
                             [&](Value operand) { return dependsOn(operand, source); });
}

/// Whether the lanes an access touches depend on `source`.
bool accessDependsOn(ValueRange at, AffineMap map, Value source) {
  for (auto [position, value] : llvm::enumerate(at))
    if (map.isFunctionOfDim(position) && dependsOn(value, source))
      return true;
  return false;
}

class Reader {
public:
  explicit Reader(Problem &problem) : problem(problem) {}

  LogicalResult readBlock(Block &block, SmallVector<int> nest) {
    for (Operation &op : block)
      if (failed(readOp(op, nest)))
        return failure();
    return success();
  }

private:
  LogicalResult readOp(Operation &op, ArrayRef<int> nest) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return readLoop(loop, nest);
    if (auto load = dyn_cast<tile::LoadOp>(op))
      return addAccess(load, load.getArray(), load.getAt(), load.getAccess(),
                       load.getTile(), nest);
    if (auto store = dyn_cast<tile::StoreOp>(op))
      return addAccess(store, store.getArray(), store.getAt(), store.getAccess(),
                       store.getTile(), nest);
    if (auto matmul = dyn_cast<linalg::MatmulOp>(op))
      return addProduct(matmul, nest);
    return addElementwise(op, nest);
  }

  LogicalResult readLoop(scf::ForOp loop, ArrayRef<int> nest) {
    auto lower = getConstantIntValue(loop.getLowerBound());
    auto upper = getConstantIntValue(loop.getUpperBound());
    auto step = getConstantIntValue(loop.getStep());
    if (!lower || !upper || !step || *step < 1)
      return loop.emitOpError("has bounds that differ between programs; planning "
                              "needs the same constant trip count on every core");
    int index = problem.loops.size();
    problem.loops.push_back(
        {loop, std::max<int64_t>(0, llvm::divideCeil(*upper - *lower, *step)),
         nest.empty() ? std::nullopt : std::optional(nest.back())});
    SmallVector<int> inner(nest);
    inner.push_back(index);
    return readBlock(*loop.getBody(), inner);
  }

  LogicalResult addAccess(Operation *op, Value array, ValueRange at, AffineMap map,
                          Value tile, ArrayRef<int> nest) {
    auto type = cast<RankedTensorType>(tile.getType());
    std::optional<Format> format = tile::formatOf(type.getElementType());
    if (!format)
      return op->emitOpError("moves elements of type ")
             << type.getElementType() << ", which device memory does not hold";
    // 32 bits that are only moved pass through Dst as well.
    if (type.getElementType().getIntOrFloatBitWidth() == 32)
      problem.dst32 = true;
    Access access{op,
                  array.getDefiningOp<tile::ArrayOp>().getName().str(),
                  isa<tile::StoreOp>(op),
                  tilesOf(type),
                  tileBytes(*format),
                  {},
                  SmallVector<int>(nest),
                  {}};
    for (Value index : problem.grid.getBody().getArguments())
      access.onGrid.push_back(accessDependsOn(at, map, index));
    for (int loop : nest)
      access.onLoop.push_back(
          accessDependsOn(at, map, problem.loops[loop].op.getInductionVar()));
    problem.accesses.push_back(std::move(access));
    return success();
  }

  LogicalResult addProduct(linalg::MatmulOp matmul, ArrayRef<int> nest) {
    auto lhs = cast<RankedTensorType>(matmul.getInputs()[0].getType());
    auto rhs = cast<RankedTensorType>(matmul.getInputs()[1].getType());
    auto out = cast<RankedTensorType>(matmul.getOutputs()[0].getType());
    int64_t inner = llvm::divideCeil(lhs.getDimSize(1), kTileSide);
    auto lhsFormat = tile::formatOf(lhs.getElementType()), rhsFormat = tile::formatOf(rhs.getElementType());
    if (!lhsFormat || !rhsFormat)
      return matmul.emitOpError("multiplies ") << lhs << " and " << rhs
             << ", which the matrix unit does not take";
    problem.works.push_back({Work::Product, "", *lhsFormat, *rhsFormat,
                             tilesOf(out) * inner, tilesOf(out), SmallVector<int>(nest)});
    problem.flops += 2.0 * multiplications(matmul, problem, nest);
    return success();
  }

  LogicalResult addElementwise(Operation &op, ArrayRef<int> nest) {
    if (op.getNumResults() != 1)
      return success();
    auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
    if (!type)
      return success();
    if (type.getElementType().isF32())
      problem.dst32 = true;
    std::optional<StringRef> function = functionOf(op);
    if (!function)
      return success();
    Format format = tile::formatOf(type.getElementType()).value_or(Format::FP32);
    // A product in a 16-bit Dst is rounded at every pass of the multiplier.
    if (*function == "mul")
      problem.dst32 = true;
    bool fpu = format == Format::BF16 && llvm::is_contained({"add", "sub", "mul"}, *function);
    problem.works.push_back({fpu ? Work::Fpu : Work::Function, function->str(), format,
                             format, tilesOf(type), tilesOf(type), SmallVector<int>(nest)});
    return success();
  }

  /// The vector unit's name for an operation; nothing for those that cost
  /// nothing of their own (casts, constants, broadcasts).
  static std::optional<StringRef> functionOf(Operation &op) {
    if (isa<arith::TruncFOp, arith::ExtFOp, arith::ConstantOp>(op))
      return std::nullopt;
    StringRef name = op.getName().stripDialect();
    if (!isa<arith::ArithDialect, math::MathDialect>(op.getDialect()))
      return std::nullopt;
    name.consume_back("f");
    return name;
  }

  Problem &problem;
};

} // namespace

int64_t Problem::iterations(ArrayRef<int> nest) const {
  int64_t count = 1;
  for (int loop : nest)
    count *= loops[loop].trip;
  return count;
}

FailureOr<Problem> readProblem(tile::ProgramOp program) {
  Problem problem;
  problem.program = program;
  problem.dst32 = false;
  problem.flops = 0;
  for (auto grid : program.getBody().getOps<tile::GridOp>()) {
    if (problem.grid)
      return grid.emitOpError("is the second grid of its program; plan each grid "
                              "as a program of its own");
    problem.grid = grid;
  }
  if (!problem.grid)
    return program.emitOpError("has no grid to plan");
  problem.extents = SmallVector<int64_t>(problem.grid.getExtents());
  if (failed(Reader(problem).readBlock(problem.grid.getBody().front(), {})))
    return failure();
  return problem;
}

} // namespace drawloom::plan
