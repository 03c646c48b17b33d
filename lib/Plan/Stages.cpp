// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From operations to stages through Dst.

#include "Stages.h"

#include "Functions.h"
#include "Invariants.h"
#include "Multiplications.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace drawloom::plan {
namespace {

RankedTensorType typeOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }
bool isProduct(Operation *op) { return isa_and_nonnull<linalg::MatmulOp, linalg::BatchMatmulOp>(op); }

/// The value behind a product's operand, which the unpacker may transpose.
Value operandOf(Operation *product, unsigned position) {
  Value value = product->getOperand(position);
  auto transpose = bare(value).getDefiningOp<linalg::TransposeOp>();
  return transpose && position == 1 ? transpose.getInput() : value;
}

/// Whether a mask numbers the lanes of a tile beyond what 16 bits hold: bf16
/// has integers up to 256, and those that are divided lie in 32 bits.
bool countsFar(tile::MaskOp mask, const Form &form) {
  constexpr int64_t kLast = 256;
  IntegerSet bounds = mask.getBounds();
  ArrayRef<int64_t> shape = typeOf(mask.getTile()).getShape();
  int64_t along = form.kind == Form::Flat ? kTileElements : kTileSide;
  return llvm::any_of(bounds.getConstraints(), [&](AffineExpr bound) {
    int64_t reach = 0;
    for (auto [axis, size] : llvm::enumerate(shape)) {
      if (axis + 2 < shape.size())
        continue; // counts tiles
      AffineExpr lane = getAffineDimExpr(bounds.getNumDims() - shape.size() + axis, mask.getContext());
      auto step = dyn_cast<AffineConstantExpr>(
          simplifyAffineExpr(bound.replace(lane, lane + 1) - bound, bounds.getNumDims(), 0));
      if (!step)
        return true;
      reach += std::abs(step.getValue()) * (std::min(size, along) - 1);
    }
    return reach > kLast;
  });
}

} // namespace

Format StageReader::formatOf(Value value) const {
  return bufferFormatOf(getElementTypeOrSelf(value)).value_or(Format::FP32);
}

/// Vectors of simple programs lie in memory order.
int64_t StageReader::tilesIn(Value value) const {
  return problem.isSimple ? tilesOf(typeOf(value), !isProduct(value.getDefiningOp()))
                          : buffered.formOf(value).tiles();
}

/// Whether a stage reads `value` from a buffer. A simple program's product
/// stays in Dst to the end.
bool StageReader::isKept(Value value) const {
  return problem.isSimple ? value.getDefiningOp<tile::LoadOp>() != nullptr : buffered.contains(value);
}

bool StageReader::isDirect(Value value) const {
  Format format = formatOf(value);
  return format == Format::I32 || (format == Format::FP32 && buffered.needsAllBits(value));
}

void StageReader::copy(Value value, Stage &stage) const {
  Format format = formatOf(value);
  stage.steps.push_back({isDirect(value) ? TileOp::CopyToDst : TileOp::Copy, format, format});
}

/// Additions and products of two buffered tiles, of which the operand registers
/// lose nothing.
bool StageReader::inMatrixUnit(Operation *op, StringRef function, Stage &stage) const {
  std::optional<TileOp> arithmetic = matrixOperation(function);
  if (!arithmetic || op->getNumOperands() != 2)
    return false;
  SmallVector<Format> formats;
  SmallVector<bool> repeated;
  for (Value operand : op->getOperands()) {
    Value value = bare(operand);
    auto repeat = value.getDefiningOp<linalg::BroadcastOp>();
    if (repeat && !isKept(value))
      value = bare(repeat.getInput());
    repeated.push_back(value != bare(operand));
    if (splatOf(value) || !isKept(value) || !fitsNarrow(value))
      return false;
    formats.push_back(formatOf(value));
  }
  // Only the second operand is repeated.
  if (repeated[0] && (repeated[1] || function == "sub"))
    return false;
  stage.steps.push_back({repeated[0] || repeated[1] ? TileOp::Broadcast : *arithmetic, formats[0], formats[1]});
  return true;
}

void StageReader::collectHead(Operation *op, Stage &stage) {
  stage.tiles = tilesIn(op->getResult(0));
  if (isProduct(op)) {
    Value left = operandOf(op, 0), right = operandOf(op, 1);
    stage.head = Stage::Product;
    stage.lhs = tile::formatOf(getElementTypeOrSelf(left)).value_or(Format::BF16);
    stage.rhs = tile::formatOf(getElementTypeOrSelf(right)).value_or(Format::BF16);
    stage.inner = llvm::divideCeil(typeOf(op->getOperand(0)).getShape().back(), kTileSide);
    // A simple program's accumulator needs no start.
    if (!problem.isSimple && !splatOf(op->getOperand(2)))
      collect(op->getOperand(2), false, stage);
    return;
  }
  Value input = op->getOperand(0);
  stage.lhs = stage.rhs = formatOf(input);
  if (isa<linalg::TransposeOp>(op)) {
    stage.head = Stage::Transposition;
    stage.headOp = TileOp::Transpose;
    return;
  }
  auto reduce = cast<linalg::ReduceOp>(op);
  int64_t rank = typeOf(input).getRank();
  bool overColumns = llvm::is_contained(reduce.getDimensions(), rank - 1);
  bool overRows = rank > 1 && llvm::is_contained(reduce.getDimensions(), rank - 2);
  stage.head = Stage::Reduction;
  stage.headOp = overColumns && overRows ? TileOp::ReduceScalar
                 : overColumns           ? TileOp::ReduceRow
                                         : TileOp::ReduceColumn;
  stage.inner = llvm::divideCeil(tilesIn(input), stage.tiles) * reduce.getInputs().size();
}

void StageReader::collectOperation(Operation *op, Stage &stage) {
  if (isProduct(op) || isa<linalg::ReduceOp>(op) ||
      (isa<linalg::TransposeOp>(op) && !problem.isSimple))
    return collectHead(op, stage);
  if (auto scan = dyn_cast<tile::ScanOp>(op)) {
    // Each doubling of the distance combines whole tiles once.
    int64_t along = typeOf(scan.getTiles()[0]).getShape()[scan.getAxis()];
    for (unsigned step = 0; step < llvm::Log2_64_Ceil(std::max<int64_t>(along, 2)); ++step)
      for (Operation &inner : scan.getCombiner().front().without_terminator())
        stage.functions.push_back(functionOf(&inner, {}).str());
    for (Value operand : scan.getTiles())
      copy(operand, stage);
    return;
  }
  if (isa<tile::IndexOp>(op)) {
    stage.steps.push_back({TileOp::CopyToDst, Format::FP32, Format::FP32}); // numbers of lanes
    stage.functions.append({"add_scalar", "fptosi"});
    return;
  }
  std::optional<unsigned> constant;
  for (auto [position, operand] : llvm::enumerate(op->getOperands()))
    if (op->getNumOperands() == 2 && splatOf(operand))
      constant = position;
  StringRef function = functionOf(op, constant);
  // Statistics are inverted once, not where they are repeated.
  if (isa<arith::DivFOp>(op) && !constant && bare(op->getOperand(1)).getDefiningOp<linalg::BroadcastOp>())
    function = "mul";
  if (!constant && inMatrixUnit(op, function, stage))
    return;
  for (Value operand : op->getOperands()) {
    if (!typeOf(operand))
      continue;
    if (!splatOf(operand))
      collect(operand, false, stage);
    else if (op->getNumOperands() != 2)
      stage.functions.push_back("fill");
  }
  if (isa<math::FmaOp>(op))
    stage.functions.append({"mul", "add"});
  else if (!function.empty())
    stage.functions.push_back(function.str());
}

void StageReader::collect(Value value, bool isRoot, Stage &stage) {
  value = bare(value);
  if (splatOf(value))
    return stage.functions.push_back("fill");
  if (!isRoot && isKept(value))
    return copy(value, stage);
  if (!seen.insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  if (isa<linalg::BroadcastOp, tensor::ExtractSliceOp>(op))
    return collect(op->getOperand(0), false, stage);
  // A simple program's product is in Dst already.
  if (!isa<scf::ForOp>(op) && !(problem.isSimple && isProduct(op) && !isRoot))
    collectOperation(op, stage);
}

void StageReader::add(Value value, bool isDefinition, std::optional<Format> target,
                      ArrayRef<int> nest, StringRef name) {
  Stage stage;
  stage.name = name.str();
  stage.loops = SmallVector<int>(nest);
  stage.tiles = tilesIn(value);
  if (target)
    stage.targets.push_back(*target);
  if (buffered.isNarrowed(bare(value)) && isDefinition)
    stage.targets.push_back(Format::BF16);
  seen.clear();
  collect(value, isDefinition, stage);
  problem.stages.push_back(std::move(stage));
}

/// What the types and masks of a program ask of Dst.
void StageReader::note(Operation &op) {
  if (auto mask = dyn_cast<tile::MaskOp>(op))
    problem.dst32 |= countsFar(mask, buffered.formOf(mask.getTile()));
  for (Value result : op.getResults()) {
    auto type = typeOf(result);
    if (!type)
      continue;
    // 32 bits that are only moved pass through Dst as well, and a product in a
    // 16-bit Dst is rounded at every pass of the multiplier.
    if (type.getElementType().isF32() || isa<arith::MulFOp>(op) ||
        (type.getElementType().isInteger() && !type.getElementType().isInteger(1)))
      problem.dst32 = true;
  }
}

LogicalResult StageReader::countProduct(Operation &op, ArrayRef<int> nest) {
  for (unsigned position : {0u, 1u}) {
    Type element = getElementTypeOrSelf(op.getOperand(position));
    bool isSmall = element.isInteger(8) && getElementTypeOrSelf(op.getResult(0)).isInteger(32);
    if (!isSmall && (!isa<FloatType>(element) || !tile::formatOf(element)))
      return op.emitOpError("multiplies ") << op.getOperand(0).getType() << " and "
             << op.getOperand(1).getType() << ", which the matrix unit does not take";
  }
  problem.flops += 2 * multiplications(cast<linalg::LinalgOp>(op), problem, nest);
  return success();
}

/// Products, sums and scans of f32, products first.
void StageReader::noteWide(Operation &op) {
  if (!isProduct(&op) && !isa<linalg::ReduceOp, tile::ScanOp>(op))
    return;
  bool wide = llvm::any_of(op.getOperands().take_front(isProduct(&op) ? 2 : 1), [](Value operand) {
    return getElementTypeOrSelf(bare(operand)).isF32() && !splatOf(operand) && !fitsNarrow(operand);
  });
  if (wide && (!problem.takesWide || (isProduct(&op) && !isProduct(problem.takesWide))))
    problem.takesWide = &op;
}

LogicalResult StageReader::read(Operation &op, ArrayRef<int> nest) {
  note(op);
  noteWide(op);
  if (isProduct(&op) && failed(countProduct(op, nest)))
    return failure();
  if (auto store = dyn_cast<tile::StoreOp>(op)) {
    add(store.getTile(), false, formatOf(store.getTile()), nest, "store");
    return success();
  }
  if (problem.isSimple) {
    if (isProduct(&op))
      add(op.getResult(0), true, std::nullopt, nest, "product");
    return success();
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (Value start : loop.getInitArgs())
      if (typeOf(start))
        add(start, false, formatOf(start), nest, "start of a loop");
    return success();
  }
  if (isa<scf::YieldOp>(op)) {
    for (Value value : op.getOperands())
      if (typeOf(value))
        add(value, false, formatOf(value), nest, "carried");
    return success();
  }
  if (isa<tile::LoadOp, scf::IfOp>(op))
    return success();
  for (Value result : op.getResults())
    if (buffered.contains(result))
      add(result, true, formatOf(result), nestOfInvariant(&op, nest, problem),
          op.getName().stripDialect());
  return success();
}

} // namespace drawloom::plan
