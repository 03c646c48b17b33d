// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tile program computes: the kernel's operations on tensors.

#include "Emitter.h"
#include "Refuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace drawloom::tt {

//===-- Element by element --------------------------------------------------//

LogicalResult Emitter::emitElementwise(Operation *op, StringRef name,
                                       ValueRange operands,
                                       ArrayRef<NamedAttribute> attributes) {
  Value result = op->getResult(0);
  if (Value thin = buildThin(op, name, operands, attributes)) {
    tiles[result] = thin;
    return success();
  }
  OperationState state(at(op), name, operands, {tensorOf(result.getType())},
                       attributes);
  tiles[result] = build(state).front();
  return success();
}

/// Axes of extent 1 wait for a broadcast: computes on the operands without them
/// and adds them to the result. Null when an operand has no such form.
Value Emitter::buildThin(Operation *op, StringRef name, ValueRange operands,
                         ArrayRef<NamedAttribute> attributes) {
  tensor::ExpandShapeOp expanded;
  for (Value operand : operands)
    if (auto found = operand.getDefiningOp<tensor::ExpandShapeOp>())
      expanded = found;
  if (!expanded || laneShape(op->getResult(0).getType()) !=
                       expanded.getResultType().getShape())
    return {};
  ArrayRef<int64_t> shape = expanded.getSrcType().getShape();
  SmallVector<Value> thin;
  for (Value operand : operands) {
    auto other = operand.getDefiningOp<tensor::ExpandShapeOp>();
    auto literal = operand.getDefiningOp<arith::ConstantOp>();
    auto splat = literal ? dyn_cast<SplatElementsAttr>(literal.getValue())
                         : SplatElementsAttr();
    if (other && other.getSrcType().getShape() == shape &&
        other.getResultType().getShape() ==
            expanded.getResultType().getShape() &&
        other.getReassociationIndices() == expanded.getReassociationIndices())
      thin.push_back(other.getSrc());
    else if (splat)
      thin.push_back(constant(cast<TypedAttr>(splat.getSplatValue<Attribute>()),
                              shape, at(op)));
    else
      return {};
  }
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  OperationState state(at(op), name, thin,
                       {RankedTensorType::get(shape, element)}, attributes);
  return tensor::ExpandShapeOp::create(
      builder, at(op), tensorOf(op->getResult(0).getType()),
      build(state).front(), expanded.getReassociationIndices());
}

LogicalResult Emitter::emitCast(FpToFpOp op) {
  Type from = getElementTypeOrSelf(op.getSource().getType()),
       to = getElementTypeOrSelf(op.getType());
  auto rounding = dyn_cast_or_null<StringAttr>(op.getRoundingAttr());
  if (!isa<FloatType>(from) || !isa<FloatType>(to) ||
      from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth() ||
      (rounding && rounding.getValue() != "rtne"))
    return refuse(op.getLoc(), "a conversion between floating-point formats "
                               "must widen, or narrow rounding to "
                               "nearest even");
  Value source = data(op.getSource(), op);
  if (!source)
    return failure();
  bool widens = from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  return emitElementwise(op, widens ? "arith.extf" : "arith.truncf", source,
                         {});
}

/// Numbers of 32 bits keep them wherever the vector unit has them.
LogicalResult Emitter::emitBitcast(Operation *op, Value source) {
  RankedTensorType to = tensorOf(op->getResult(0).getType());
  Type from = getElementTypeOrSelf(source);
  Value &result = tiles[op->getResult(0)];
  result = source;
  if (source.getType() == to)
    return success();
  bool suits = (from.isF32() && to.getElementType().isInteger(32)) ||
               (from.isInteger(32) && to.getElementType().isF32());
  if (!suits)
    return refuse(op->getLoc(),
                  "taking the bits of a number for another type "
                  "(bitcast=True) is imported between float32 and int32 only: "
                  "of others a tile has values, whose bits its engines choose; "
                  "convert on the host");
  result = arith::BitcastOp::create(builder, at(op), to, source);
  return success();
}

LogicalResult Emitter::emitClamp(ClampFOp op) {
  auto operands = dataOperands(op);
  if (failed(operands))
    return failure();
  bool keepsNaN = op.getNan() == "all";
  OperationState low(at(op), keepsNaN ? "arith.maximumf" : "arith.maxnumf",
                     {(*operands)[0], (*operands)[1]}, {tensorOf(op.getType())},
                     {});
  return emitElementwise(op, keepsNaN ? "arith.minimumf" : "arith.minnumf",
                         {build(low).front(), (*operands)[2]}, {});
}

/// Libdevice functions by their mathematics.
LogicalResult Emitter::emitExtern(ExternElementwiseOp op) {
  StringRef symbol = op.getSymbol();
  symbol.consume_front("__nv_");
  StringRef name =
      llvm::StringSwitch<StringRef>(symbol)
          .Cases({"exp", "expf", "fast_expf"}, "math.exp")
          .Cases({"exp2", "exp2f"}, "math.exp2")
          .Cases({"log", "logf", "fast_logf"}, "math.log")
          .Cases({"log2", "log2f"}, "math.log2")
          .Cases({"sqrt", "sqrtf", "sqrt_rn", "fsqrt_rn"}, "math.sqrt")
          .Cases({"rsqrt", "rsqrtf"}, "math.rsqrt")
          .Cases({"erf", "erff"}, "math.erf")
          .Cases({"tanh", "tanhf", "fast_tanhf"}, "math.tanh")
          .Cases({"sin", "sinf", "fast_sinf"}, "math.sin")
          .Cases({"cos", "cosf", "fast_cosf"}, "math.cos")
          .Cases({"fmax", "fmaxf"}, "arith.maxnumf")
          .Cases({"fmin", "fminf"}, "arith.minnumf")
          .Cases({"fabs", "fabsf"}, "math.absf")
          .Cases({"floor", "floorf"}, "math.floor")
          .Cases({"ceil", "ceilf"}, "math.ceil")
          .Cases({"fma", "fmaf"}, "math.fma")
          .Cases({"div_rn", "fdiv_rn", "fast_fdividef"}, "arith.divf")
          .Default("");
  if (name.empty())
    return refuse(op.getLoc(), "the library function `" + op.getSymbol() +
                                   "` is not imported; write it with "
                                   "tl's own functions");
  auto operands = dataOperands(op);
  return failed(operands) ? failure()
                          : emitElementwise(op, name, *operands, {});
}

LogicalResult Emitter::emitSelect(Operation *op) {
  Value result = op->getResult(0);
  auto *condition = kernel.exactly(op->getOperand(0));
  if (condition && (condition->isAlways() || isNever(*condition))) {
    tiles[result] = data(op->getOperand(condition->isAlways() ? 1 : 2), op);
    return success(bool(tiles[result]));
  }
  if (TypedAttr other =
          condition ? constantOf(kernel, op->getOperand(2)) : TypedAttr()) {
    Value tile = data(op->getOperand(1), op);
    if (!tile)
      return failure();
    tiles[result] = masked(tile, *condition, narrowed(other), at(op));
    if (tiles[result])
      return success();
  }
  auto operands = dataOperands(op);
  return failed(operands) ? failure()
                          : emitElementwise(op, "arith.select", *operands, {});
}

//===-- Products ------------------------------------------------------------//

/// Whether an addition is `acc += tl.dot(a, b)`: the product then accumulates.
bool Emitter::accumulates(Operation *op) {
  if (!isa<arith::AddFOp, arith::AddIOp>(op))
    return false;
  for (unsigned i : {0, 1}) {
    auto dot = op->getOperand(i).getDefiningOp<DotOp>();
    TypedAttr start = dot ? constantOf(kernel, dot.getC()) : TypedAttr();
    bool zero = start && (isa<FloatAttr>(start)
                              ? cast<FloatAttr>(start).getValue().isPosZero()
                              : cast<IntegerAttr>(start).getValue().isZero());
    if (zero && dot->hasOneUse() && isa<BlockArgument>(op->getOperand(1 - i)))
      return true;
  }
  return false;
}

LogicalResult Emitter::emitDot(DotOp op) {
  Value accumulator = op.getC(), result = op.getResult();
  if (op->hasOneUse() && accumulates(*op->user_begin())) {
    Operation *sum = *op->user_begin();
    accumulator = sum->getOperand(sum->getOperand(0) == op.getResult());
    result = sum->getResult(0);
  }
  Value a = data(op.getA(), op), b = data(op.getB(), op),
        c = data(accumulator, op);
  if (!a || !b || !c)
    return failure();
  auto precision = dyn_cast_or_null<StringAttr>(op.getPrecisionAttr());
  if (precision && precision.getValue() != "ieee" &&
      getElementTypeOrSelf(a.getType()).isF32() && !warnedPrecision) {
    emitWarning(at(op)) << "input_precision=\"" << precision.getValue()
                        << "\" is not followed: fp32 operands round as the "
                           "precision policy of the program says";
    warnedPrecision = true;
  }
  Type type = tensorOf(op.getType());
  Operation *product =
      op.getType().getRank() == 3
          ? linalg::BatchMatmulOp::create(builder, at(op), type,
                                          ValueRange{a, b}, c)
                .getOperation()
          : linalg::MatmulOp::create(builder, at(op), type, ValueRange{a, b}, c)
                .getOperation();
  tiles[result] = product->getResult(0);
  return success();
}

/// The upper half of an unsigned product, from products of halves: no sum of
/// them leaves 32 bits.
LogicalResult Emitter::emitMulhi(MulhiUIOp op) {
  auto operands = dataOperands(op);
  if (failed(operands))
    return failure();
  RankedTensorType type = tensorOf(op.getType());
  unsigned width = type.getElementTypeBitWidth(), half = width / 2;
  auto number = [&](APInt value) {
    return constant(IntegerAttr::get(type.getElementType(), value),
                    type.getShape(), at(op));
  };
  Value shift = number(APInt(width, half)),
        mask = number(APInt::getLowBitsSet(width, half));
  auto compute = [&](StringRef name, Value a, Value b) {
    return build(OperationState(at(op), name, {a, b}, {type}, {})).front();
  };
  auto high = [&](Value v) { return compute("arith.shrui", v, shift); };
  auto low = [&](Value v) { return compute("arith.andi", v, mask); };
  auto product = [&](Value a, Value b) { return compute("arith.muli", a, b); };
  auto sum = [&](Value a, Value b) { return compute("arith.addi", a, b); };
  Value a = (*operands)[0], b = (*operands)[1];
  Value first = product(high(a), low(b)), second = product(low(a), high(b));
  Value carry =
      high(sum(sum(low(first), low(second)), high(product(low(a), low(b)))));
  tiles[op.getResult()] = sum(sum(product(high(a), high(b)), carry),
                              sum(high(first), high(second)));
  return success();
}

//===-- All operations ------------------------------------------------------//

/// Whether a conversion between integers is none in a tile.
static bool keepsWidth(Operation *op, Value operand) {
  return isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op) &&
         getElementTypeOrSelf(operand.getType()).isInteger(32) &&
         llvm::is_contained({32u, 64u},
                            getElementTypeOrSelf(op->getResult(0).getType())
                                .getIntOrFloatBitWidth());
}

/// Whether an operation's result would differ with 32 bits for 64.
static bool needs64Bits(Operation *op) {
  auto isWide = [](Type type) {
    return getElementTypeOrSelf(type).isInteger(64);
  };
  return llvm::any_of(op->getResultTypes(), isWide) &&
         !isa<LoadOp, DescriptorLoadOp, arith::ExtSIOp, arith::ExtUIOp,
              arith::SelectOp, arith::MinSIOp, arith::MaxSIOp, SplatOp,
              BroadcastOp, ExpandDimsOp, ReshapeOp, TransOp, arith::ConstantOp>(
             op);
}

/// Whether a value that lanes look up, or a mask of such, has no tile: where it
/// serves as an index, all 64 bits are there.
bool Emitter::onlyServesAsIndex(Operation *op) {
  return kernel.isLaneData(op->getResult(0)) &&
         (needs64Bits(op) ||
          llvm::any_of(op->getOperands(), [&](Value operand) {
            return kernel.isLaneData(operand) && !tiles.count(operand);
          }));
}

LogicalResult Emitter::emitCompute(Operation *op) {
  if (tiles.count(op->getResult(0))) // accumulated by its product
    return success();
  if (onlyServesAsIndex(op))
    return success();
  if (needs64Bits(op))
    return refuse(op->getLoc(), "integers of 64 bits are data only to be "
                                "loaded, compared, chosen and stored: a tile "
                                "has 32; compute in tl.int32");
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<DotOp>([&](auto dot) { return emitDot(dot); })
      .Case<MulhiUIOp>([&](auto product) { return emitMulhi(product); })
      .Case<ReduceOp>([&](auto reduce) { return emitReduce(reduce); })
      .Case<ScanOp>([&](auto scan) { return emitScan(scan); })
      .Case<SplitOp>([&](auto split) { return emitSplit(split); })
      .Case<JoinOp>([&](auto join) { return emitJoin(join); })
      .Case<CatOp>([&](auto cat) { return emitCat(cat); })
      .Case<TransOp>([&](auto trans) { return emitTrans(trans); })
      .Case<SplatOp, BroadcastOp>(
          [&](auto broadcast) { return emitBroadcast(broadcast); })
      .Case<ExpandDimsOp>([&](auto expand) { return emitExpandDims(expand); })
      .Case<ReshapeOp>([&](auto reshape) { return emitReshape(reshape); })
      .Case<FpToFpOp>([&](auto cast) { return emitCast(cast); })
      .Case<ClampFOp>([&](auto clamp) { return emitClamp(clamp); })
      .Case<ExternElementwiseOp>([&](auto call) { return emitExtern(call); })
      .Case<arith::SelectOp>([&](auto select) { return emitSelect(select); })
      .Case<arith::ConstantOp>([&](arith::ConstantOp literal) -> LogicalResult {
        if (TypedAttr value = constantOf(kernel, literal))
          tiles[literal] =
              constant(value, laneShape(literal.getType()), at(op));
        return tiles.count(literal)
                   ? success()
                   : refuse(
                         op->getLoc(),
                         "a constant tile must have one value in every lane");
      })
      .Default([&](Operation *) -> LogicalResult {
        auto operands = dataOperands(op);
        if (failed(operands))
          return failure();
        if (keepsWidth(op, (*operands)[0])) {
          tiles[op->getResult(0)] = (*operands)[0];
          return success();
        }
        if (isa<BitcastOp>(op))
          return emitBitcast(op, (*operands)[0]);
        StringRef name = isa<PreciseSqrtOp>(op) ? "math.sqrt"
                         : isa<PreciseDivFOp>(op)
                             ? "arith.divf"
                             : op->getName().getStringRef();
        return emitElementwise(op, name, *operands, op->getAttrs());
      });
}

} // namespace drawloom::tt
