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

//===-- Values --------------------------------------------------------------//

RankedTensorType Emitter::tensorOf(Type type) {
  return RankedTensorType::get(laneShape(type), getElementTypeOrSelf(type));
}

Value Emitter::constant(TypedAttr value, ArrayRef<int64_t> shape,
                        Location loc) {
  auto type = RankedTensorType::get(shape, value.getType());
  return shared(DenseElementsAttr::get(type, Attribute(value)), loc);
}

Value Emitter::index(int64_t value, Location loc) {
  return shared(builder.getIndexAttr(value), loc);
}

Value Emitter::shared(TypedAttr value, Location loc) {
  Value &known = constants[value];
  if (!known) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&grid.getBody().front());
    known = arith::ConstantOp::create(builder, loc, value);
  }
  return known;
}

Value Emitter::empty(RankedTensorType type, Location loc) {
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType());
}

Value Emitter::data(Value value, Operation *user) {
  if (Value tile = tiles.lookup(value))
    return tile;
  ArrayRef<int64_t> shape = laneShape(value.getType());
  if (TypedAttr attribute = constantOf(kernel, value))
    return constant(attribute, shape, at(user));
  if (auto *condition = kernel.as<Condition>(value)) {
    Value always = constant(builder.getBoolAttr(true), shape, at(user));
    return masked(always, *condition, builder.getBoolAttr(false), at(user));
  }
  (void)refuse(user->getLoc(),
               "an index that differs between programs, iterations or lanes is "
               "used as data; "
               "indices may only address memory, bound loops and be compared");
  return {};
}

FailureOr<SmallVector<Value>> Emitter::dataOperands(Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(data(operand, op));
    if (!operands.back())
      return failure();
  }
  return operands;
}

Value Emitter::masked(Value tile, const Condition &condition, TypedAttr other,
                      Location loc) {
  std::vector<Linear> forms;
  for (const IndexExpr &term : condition.terms)
    forms.push_back(linearize(term));
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tile.getType()).getShape();
  Indices indices = indicesOf({&forms});
  auto bounds = IntegerSetAttr::get(setOf(forms, indices, shape));
  return tile::MaskOp::create(builder, loc, tile.getType(), tile,
                              indices.operands, bounds, other);
}

SmallVector<Value> Emitter::build(const OperationState &state) {
  Operation *created = builder.create(state);
  SmallVector<Value> folded;
  if (succeeded(builder.tryFold(created, folded)) &&
      folded.size() == created->getNumResults()) {
    created->erase();
    return folded;
  }
  return SmallVector<Value>(created->getResults());
}

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
          .Cases({"pow", "powf", "fast_powf"}, "math.powf")
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
  auto *condition = kernel.as<Condition>(op->getOperand(0));
  if (condition && (condition->isAlways() || isNever(*condition))) {
    tiles[result] = data(op->getOperand(condition->isAlways() ? 1 : 2), op);
    return success(bool(tiles[result]));
  }
  if (TypedAttr other =
          condition ? constantOf(kernel, op->getOperand(2)) : TypedAttr()) {
    Value tile = data(op->getOperand(1), op);
    if (!tile)
      return failure();
    tiles[result] = masked(tile, *condition, other, at(op));
    return success();
  }
  auto operands = dataOperands(op);
  return failed(operands) ? failure()
                          : emitElementwise(op, "arith.select", *operands, {});
}

//===-- Shapes --------------------------------------------------------------//

/// Splats and broadcasts: the axes that stretch are new axes of a
/// linalg.broadcast.
LogicalResult Emitter::emitBroadcast(Operation *op) {
  Value source = data(op->getOperand(0), op);
  if (!source)
    return failure();
  RankedTensorType to = tensorOf(op->getResult(0).getType());
  auto from = cast<RankedTensorType>(source.getType());
  if (from == to) {
    tiles[op->getResult(0)] = source;
    return success();
  }
  if (auto literal = source.getDefiningOp<arith::ConstantOp>())
    if (auto splat = dyn_cast<SplatElementsAttr>(literal.getValue())) {
      tiles[op->getResult(0)] =
          constant(cast<TypedAttr>(splat.getSplatValue<Attribute>()),
                   to.getShape(), at(op));
      return success();
    }
  SmallVector<int64_t> stretched, kept;
  for (int64_t d = 0; d < to.getRank(); ++d)
    if (from.getRank() == 0 || from.getDimSize(d) != to.getDimSize(d))
      stretched.push_back(d);
    else
      kept.push_back(to.getDimSize(d));
  auto thin = RankedTensorType::get(kept, to.getElementType());
  auto expanded = source.getDefiningOp<tensor::ExpandShapeOp>();
  if (expanded && expanded.getSrcType() == thin) {
    source = expanded.getSrc();
  } else if (from != thin) {
    auto reassociation = getReassociationIndicesForReshape(from, thin);
    source = tensor::CollapseShapeOp::create(
        builder, at(op), thin, source,
        reassociation.value_or(SmallVector<ReassociationIndices>()));
  }
  tiles[op->getResult(0)] =
      linalg::BroadcastOp::create(builder, at(op), source, empty(to, at(op)),
                                  stretched)
          ->getResult(0);
  return success();
}

LogicalResult Emitter::emitExpandDims(ExpandDimsOp op) {
  Value source = data(op.getSource(), op);
  if (!source)
    return failure();
  RankedTensorType to = tensorOf(op.getType());
  SmallVector<ReassociationIndices> groups;
  int64_t sourceRank = to.getRank() - 1, axis = op.getAxis();
  for (int64_t d = 0, next = 0; d < sourceRank; ++d) {
    ReassociationIndices group = {next++};
    if (next == axis && d == sourceRank - 1)
      group.push_back(next++);
    else if (group[0] == axis)
      group.push_back(next++);
    groups.push_back(group);
  }
  tiles[op.getResult()] =
      tensor::ExpandShapeOp::create(builder, at(op), to, source, groups);
  return success();
}

LogicalResult Emitter::emitReshape(ReshapeOp op) {
  Value source = data(op.getSource(), op);
  if (!source)
    return failure();
  RankedTensorType from = tensorOf(op.getSource().getType()),
                   to = tensorOf(op.getType());
  if (from == to) {
    tiles[op.getResult()] = source;
    return success();
  }
  auto groups = getReassociationIndicesForReshape(from, to);
  if (!groups)
    return refuse(op.getLoc(), "a reshape must join or split neighbouring "
                               "axes; reshape in two steps, or load "
                               "the tile in its new shape");
  tiles[op.getResult()] = from.getRank() > to.getRank()
                              ? Value(tensor::CollapseShapeOp::create(
                                    builder, at(op), to, source, *groups))
                              : Value(tensor::ExpandShapeOp::create(
                                    builder, at(op), to, source, *groups));
  return success();
}

LogicalResult Emitter::emitTrans(TransOp op) {
  if (tiles.count(op.getResult())) // folded into its load
    return success();
  Value source = data(op.getSource(), op);
  if (!source)
    return failure();
  SmallVector<int64_t> order(op.getOrder().begin(), op.getOrder().end());
  tiles[op.getResult()] =
      linalg::TransposeOp::create(builder, at(op), source,
                                  empty(tensorOf(op.getType()), at(op)), order)
          ->getResult(0);
  return success();
}

//===-- Products and reductions ---------------------------------------------//

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

/// What a reduction starts from: the value that changes nothing.
static TypedAttr identityOf(Operation *op, Builder &builder) {
  Type type = op->getResult(0).getType();
  auto extremeFloat = [&](bool negative) -> TypedAttr {
    auto floating = cast<FloatType>(type);
    return builder.getFloatAttr(
        floating, APFloat::getInf(floating.getFloatSemantics(), negative));
  };
  auto integer = [&](APInt value) -> TypedAttr {
    return builder.getIntegerAttr(type, value);
  };
  unsigned width = type.getIntOrFloatBitWidth();
  return llvm::TypeSwitch<Operation *, TypedAttr>(op)
      .Case<arith::AddFOp>(
          [&](auto) { return builder.getFloatAttr(type, 0.0); })
      .Case<arith::MulFOp>(
          [&](auto) { return builder.getFloatAttr(type, 1.0); })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto) { return extremeFloat(true); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [&](auto) { return extremeFloat(false); })
      .Case<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(
          [&](auto) { return integer(APInt(width, 0)); })
      .Case<arith::MulIOp>([&](auto) { return integer(APInt(width, 1)); })
      .Case<arith::AndIOp, arith::MinUIOp>(
          [&](auto) { return integer(APInt::getAllOnes(width)); })
      .Case<arith::MaxSIOp>(
          [&](auto) { return integer(APInt::getSignedMinValue(width)); })
      .Case<arith::MinSIOp>(
          [&](auto) { return integer(APInt::getSignedMaxValue(width)); })
      .Default([](Operation *) { return TypedAttr(); });
}

LogicalResult Emitter::emitReduce(ReduceOp op) {
  Block &combine = op.getCombine().front();
  Operation *step =
      combine.getOperations().size() == 2 ? &combine.front() : nullptr;
  bool plain = step && step->getNumOperands() == 2 &&
               step->getNumResults() == 1 &&
               combine.back().getOperand(0) == step->getResult(0) &&
               llvm::all_of(step->getOperands(),
                            [&](Value v) { return isa<BlockArgument>(v); }) &&
               step->getOperand(0) != step->getOperand(1);
  TypedAttr identity = plain && op.getSources().size() == 1
                           ? identityOf(step, builder)
                           : TypedAttr();
  if (!identity)
    return refuse(op.getLoc(),
                  "a reduction must combine one value with one sum, product, "
                  "minimum or maximum "
                  "(not tl.argmax, return_indices, or a function of your own)");
  Value source = data(op.getSources()[0], op);
  if (!source)
    return failure();
  Type resultType = op.getResult(0).getType();
  Value init = constant(identity, laneShape(resultType), at(op));
  auto reduce = linalg::ReduceOp::create(
      builder, at(op), source, init, ArrayRef<int64_t>{int64_t(op.getAxis())},
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        OperationState state(loc, step->getName().getStringRef(), arguments,
                             {identity.getType()}, step->getAttrs());
        linalg::YieldOp::create(b, loc, b.create(state)->getResults());
      });
  tiles[op.getResult(0)] = reduce.getResult(0);
  return success();
}

//===-- All operations ------------------------------------------------------//

LogicalResult Emitter::emitCompute(Operation *op) {
  if (tiles.count(op->getResult(0))) // accumulated by its product
    return success();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<DotOp>([&](auto dot) { return emitDot(dot); })
      .Case<ReduceOp>([&](auto reduce) { return emitReduce(reduce); })
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
        if (isa<BitcastOp>(op))
          return emitElementwise(op, "arith.bitcast", *operands, {});
        StringRef name = isa<PreciseSqrtOp>(op) ? "math.sqrt"
                         : isa<PreciseDivFOp>(op)
                             ? "arith.divf"
                             : op->getName().getStringRef();
        return emitElementwise(op, name, *operands, op->getAttrs());
      });
}

} // namespace drawloom::tt
