// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From operations on tensors to terms of a formula.

#include "../Expression.h"
#include "../Fusion.h"
#include "FormulaBuilder.h"
#include "VectorNames.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

bool drawloom::task::isHead(Operation *op) {
  return isa_and_nonnull<linalg::MatmulOp, linalg::BatchMatmulOp, linalg::ReduceOp, linalg::TransposeOp, tile::ScanOp>(op);
}

bool Formula::isAfterProduct() const {
  return isa_and_nonnull<linalg::MatmulOp, linalg::BatchMatmulOp>(head);
}

static std::optional<int64_t> integerSplatOf(Value value) {
  APInt constant;
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return integerSplatOf(fill.getInputs()[0]);
  if (auto repeat = value.getDefiningOp<linalg::BroadcastOp>())
    return integerSplatOf(repeat.getInput());
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return isCondition(value) ? constant.getZExtValue() : constant.getSExtValue();
}

int FormulaBuilder::add(Term term) {
  for (int operand : term.operands)
    if (operand >= 0)
      ++formula.terms[operand].uses;
  formula.terms.push_back(std::move(term));
  return formula.terms.size() - 1;
}

int FormulaBuilder::tile(Value value, std::optional<Broadcast> broadcast) {
  Term result{Term::Tile, "", 0, isInteger(value), {-1, -1, -1}, value, broadcast, {}, 0, value.getLoc()};
  return add(result);
}

int FormulaBuilder::filled(Operation *op, double value, bool integer) {
  Term constant = term(Term::Fill, op);
  constant.scalar = value;
  constant.integer = integer;
  return add(constant);
}

FailureOr<int> FormulaBuilder::build(Value value) {
  value = bare(value);
  if (auto it = known.find(value); it != known.end())
    return it->second;
  auto made = make(value);
  if (failed(made))
    return failure();
  Term &result = formula.terms[*made];
  if (!result.value)
    result.value = value;
  return known[value] = *made;
}

/// A constant, or a tile of a buffer.
std::optional<int> FormulaBuilder::leaf(Value value) {
  if (auto constant = splatOf(value)) {
    Term fill{Term::Fill, "", *constant, false, {-1, -1, -1}, value, {}, {}, 0, value.getLoc()};
    return add(fill);
  }
  if (auto constant = integerSplatOf(value)) {
    Term fill{Term::Fill, "", double(*constant), !isCondition(value), {-1, -1, -1}, value, {}, {}, 0,
              value.getLoc()};
    return add(fill);
  }
  if (!ctx.isBuffered(value))
    return std::nullopt;
  int loaded = tile(value);
  if (!isCondition(value) || !value.getDefiningOp<tile::LoadOp>())
    return loaded;
  // Memory holds conditions as integers.
  formula.terms[loaded].integer = true;
  formula.terms[loaded].value = value;
  return add(Term{Term::Unary, "sitofp", 0, false, {loaded, -1, -1}, {}, {}, {}, 0, value.getLoc()});
}

FailureOr<int> FormulaBuilder::make(Value value) {
  if (auto known = leaf(value))
    return *known;
  Operation *op = value.getDefiningOp();
  if (!op)
    return emitError(value.getLoc(), "is a value that no buffer holds");
  if (isHead(op)) {
    heads.push_back(op);
    formula.head = op;
    return add(term(Term::Head, op));
  }
  return TypeSwitch<Operation *, FailureOr<int>>(op)
      .Case([&](linalg::BroadcastOp repeat) { return repeated(repeat); })
      .Case([&](tensor::ExtractSliceOp slice) { return sliced(slice); })
      .Case([&](tile::MaskOp mask) { return masked(mask); })
      .Case([&](tile::IndexOp index) { return numbered(index, true); })
      .Case<arith::CmpFOp, arith::CmpIOp>([&](auto compare) { return compared(compare); })
      .Case([&](arith::SelectOp select) { return chosen(select); })
      .Case([&](math::FmaOp fused) { return multipliedAndAdded(fused); })
      .Case<arith::BitcastOp, arith::TruncIOp, arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp, arith::UIToFPOp>(
          [&](auto cast) { return converted(cast); })
      .Default([&](Operation *) { return computed(op); });
}

FailureOr<int> FormulaBuilder::chosen(arith::SelectOp op) {
  if (!isa<RankedTensorType>(op.getCondition().getType()))
    return op->emitError("chooses a whole tile by one condition: choose lane by lane");
  auto c = build(op.getCondition()), x = build(op.getTrueValue()), y = build(op.getFalseValue());
  if (failed(c) || failed(x) || failed(y))
    return failure();
  return add(term(Term::Select, op, "select", *c, *x, *y));
}

FailureOr<int> FormulaBuilder::multipliedAndAdded(math::FmaOp op) {
  auto a = build(op.getA()), b = build(op.getB()), c = build(op.getC());
  if (failed(a) || failed(b) || failed(c))
    return failure();
  int product = add(term(Term::Binary, op, "mul", *a, *b));
  return add(term(Term::Binary, op, "add", product, *c));
}

/// Conversions, most of which lanes of 32 bits in Dst do without.
FailureOr<int> FormulaBuilder::converted(Operation *op) {
  Value from = op->getOperand(0);
  if (isa<arith::BitcastOp>(op)) {
    auto bits = build(from);
    if (failed(bits) || getElementTypeOrSelf(from).getIntOrFloatBitWidth() == 32)
      return bits;
    return op->emitError("takes the bits of ") << from.getType() << ": lanes have 32 bits in Dst";
  }
  if (isa<arith::SIToFPOp>(op))
    if (auto index = bare(from).getDefiningOp<tile::IndexOp>())
      return numbered(index, false);
  // Small integers lie in 32 bits, their sign extended.
  if (isa<arith::ExtSIOp, arith::TruncIOp>(op) && isInteger(from) && isInteger(op->getResult(0)))
    return build(from);
  // Conditions are 1.0 and 0.0 already.
  if (isa<arith::UIToFPOp, arith::ExtUIOp>(op) && isCondition(from)) {
    auto number = build(from);
    if (failed(number) || isa<arith::UIToFPOp>(op))
      return number;
    return add(term(Term::Unary, op, "fptosi", *number));
  }
  return computed(op);
}

/// What the vector unit has a function for.
FailureOr<int> FormulaBuilder::computed(Operation *op) {
  Value value = op->getResult(0);
  if (isCondition(value))
    return logical(op);
  if (auto fused = fusedFunction(op))
    return named(op, fused->function, fused->operand, false);
  StringRef function = floatFunction(op);
  if (!function.empty())
    return named(op, function, op->getOperands(), false);
  function = integerFunction(op);
  if (!function.empty() && getElementTypeOrSelf(value).isInteger(32))
    return named(op, function, op->getOperands(), true);
  return op->emitError("is nothing the vector unit computes on tiles of ")
         << getElementTypeOrSelf(value)
         << ": write it with arithmetic, comparisons and the functions of tl.math on f32, or with "
            "integer operations on int32";
}

/// A vector or a scalar over the lanes of a block.
FailureOr<int> FormulaBuilder::repeated(linalg::BroadcastOp op) {
  Value from = bare(op.getInput());
  auto type = cast<RankedTensorType>(op.getInput().getType());
  int64_t rank = cast<RankedTensorType>(op.getResult()[0].getType()).getRank();
  Form form = ctx.forms.of(from);
  if (!ctx.isBuffered(from))
    return op.emitError("repeats a value that no buffer holds");
  if (type.getRank() == 0)
    return tile(from, Broadcast::Scalar);
  if (ctx.forms.of(op.getResult()[0]).kind != Form::Block)
    return op.emitError("repeats ") << type << " to a tile that is repeated again along other axes than those that "
                                    << "tiles are counted along: repeat it along all its axes at once";
  Form::Kind wanted = repeatedKind(op.getDimensions(), rank);
  bool unitColumn = form.kind == Form::Block && form.columnLanes == 1,
       unitRow = form.kind == Form::Block && form.rowLanes == 1;
  bool fits = form.kind == wanted || (type.getRank() == 1 && ((wanted == Form::Column && unitColumn) ||
                                                              (wanted == Form::Row && unitRow)));
  if (!fits)
    return op.emitError("repeats ") << type << " along axes that tiles do not, for it lies otherwise for another use: "
                                    << "load or compute it once for each use";
  int result = wanted == Form::Block ? tile(from)
               : tile(from, wanted == Form::Column ? Broadcast::Column
                            : wanted == Form::Row  ? Broadcast::Row
                                                   : Broadcast::Scalar);
  formula.terms[result].outer = outerOf(op);
  return result;
}

/// Whole tiles of a buffered value.
FailureOr<int> FormulaBuilder::sliced(tensor::ExtractSliceOp op) {
  Value from = bare(op.getSource());
  if (splatOf(from) || integerSplatOf(from))
    return build(from);
  if (!ctx.isBuffered(from) || isCondition(from))
    return op.emitError("takes a part of a value that no buffer holds");
  int result = tile(from);
  formula.terms[result].firstRow = op.getStaticOffsets()[0] / kTileSide;
  formula.terms[result].firstColumn = op.getStaticOffsets()[1] / kTileSide;
  return result;
}

/// Axes that tiles are counted along: which of the input's a result's tile has.
AffineExpr FormulaBuilder::outerOf(linalg::BroadcastOp op) {
  auto shape = cast<RankedTensorType>(op.getResult()[0].getType()).getShape();
  AffineExpr place = getAffineDimExpr(0, op.getContext()), outer = getAffineConstantExpr(0, op.getContext());
  int64_t inner = 1, innerOfInput = 1;
  bool repeats = false;
  for (int64_t axis = static_cast<int64_t>(shape.size()) - 3; axis >= 0; --axis) {
    bool isNew = llvm::is_contained(op.getDimensions(), axis);
    repeats |= isNew;
    if (!isNew) {
      outer = outer + place.floorDiv(inner) % shape[axis] * innerOfInput;
      innerOfInput *= shape[axis];
    }
    inner *= shape[axis];
  }
  return repeats ? outer : AffineExpr();
}

FailureOr<int> FormulaBuilder::compared(arith::CmpFOp op) {
  StringRef function = comparison(op.getPredicate());
  if (function.empty())
    return op.emitError("asks whether lanes are numbers: compare them");
  return named(op, function, op->getOperands(), false);
}

FailureOr<int> FormulaBuilder::compared(arith::CmpIOp op) {
  auto [function, exchanged] = comparison(op.getPredicate());
  if (isCondition(op.getLhs()))
    return named(op, function == "eqi" ? "eq" : "ne", op->getOperands(), false);
  if (function.empty())
    return op.emitError("compares unsigned lanes: compare signed ones");
  SmallVector<Value> operands{op.getLhs(), op.getRhs()};
  if (exchanged)
    std::swap(operands[0], operands[1]);
  return named(op, function, operands, true);
}

/// Conditions combined: and, or, exclusive or of 1.0 and 0.0.
FailureOr<int> FormulaBuilder::logical(Operation *op) {
  StringRef function = isa<arith::AndIOp>(op) ? "min" : isa<arith::OrIOp>(op) ? "max"
                       : isa<arith::XOrIOp>(op) ? "ne" : "";
  if (function.empty())
    return op->emitError("makes conditions in a way the vector unit does not: compare numbers and "
                         "combine with &, | and ^");
  return named(op, function, op->getOperands(), false);
}

FailureOr<int> FormulaBuilder::named(Operation *op, StringRef function, ValueRange values, bool integer) {
  SmallVector<int> operands;
  std::optional<double> scalar;
  bool scalarFirst = false;
  for (auto [index, operand] : llvm::enumerate(values)) {
    auto constant = splatOf(operand);
    if (!constant && isCondition(operand))
      if (auto bit = integerSplatOf(operand))
        constant = double(*bit);
    if (constant && !integer && values.size() == 2 && !scalar) {
      scalar = constant;
      scalarFirst = index == 0;
      continue;
    }
    auto made = build(operand);
    if (failed(made))
      return failure();
    operands.push_back(*made);
  }
  if (scalar && operands.empty())
    return op->emitError("computes a constant: fold it");
  if (scalar)
    return withScalar(op, function, *scalar, scalarFirst, operands[0]);
  Term result = operands.size() == 1 ? term(Term::Unary, op, function, operands[0])
                                     : term(Term::Binary, op, function, operands[0], operands[1]);
  result.integer = integer || function == "fptosi";
  return add(result);
}

/// An operation with one constant operand; the unit takes the constant second.
FailureOr<int> FormulaBuilder::withScalar(Operation *op, StringRef function, double scalar,
                                          bool scalarFirst, int operand) {
  auto second = [&](StringRef name, int of, double value) {
    Term result = term(Term::Scalar, op, name, of);
    result.scalar = value;
    return add(result);
  };
  if (scalarFirst && function == "sub")
    return second("add", add(term(Term::Unary, op, "neg", operand)), scalar);
  if (scalarFirst && function == "div") {
    int inverse = add(term(Term::Unary, op, "recip", operand));
    return scalar == 1 ? inverse : second("mul", inverse, scalar);
  }
  if (function == "div")
    return second("mul", operand, 1 / scalar);
  static const std::map<StringRef, StringRef> mirrored{{"lt", "gt"}, {"gt", "lt"}, {"le", "ge"}, {"ge", "le"}};
  auto mirror = mirrored.find(function);
  return second(scalarFirst && mirror != mirrored.end() ? mirror->second : function, operand, scalar);
}

FailureOr<Formula> drawloom::task::formulaOf(Value value, const FormulaContext &context,
                                             SmallVectorImpl<Operation *> &heads) {
  FormulaBuilder builder(context, heads);
  auto root = builder.build(value);
  if (failed(root))
    return failure();
  builder.formula.root = *root;
  ++builder.formula.terms[*root].uses;
  return std::move(builder.formula);
}
