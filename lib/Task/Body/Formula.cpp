// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From operations on tensors to terms of a formula.

#include "Formula.h"

#include "../Expression.h"
#include "../Fusion.h"
#include "VectorNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

static bool isCondition(Value value) { return getElementTypeOrSelf(value).isInteger(1); }
static bool isInteger(Value value) {
  return isa<IntegerType>(getElementTypeOrSelf(value)) && !isCondition(value);
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

namespace {

class FormulaBuilder {
public:
  FormulaBuilder(const FormulaContext &context, SmallVectorImpl<Operation *> &heads)
      : ctx(context), heads(heads) {}
  FailureOr<int> build(Value value);
  Formula formula;

private:
  std::optional<int> leaf(Value value);
  FailureOr<int> make(Value value);
  FailureOr<int> chosen(arith::SelectOp op);
  FailureOr<int> multipliedAndAdded(math::FmaOp op);
  FailureOr<int> converted(Operation *op);
  FailureOr<int> computed(Operation *op);
  FailureOr<int> repeated(linalg::BroadcastOp op);
  static AffineExpr outerOf(linalg::BroadcastOp op);
  FailureOr<int> sliced(tensor::ExtractSliceOp op);
  FailureOr<int> masked(tile::MaskOp op);
  FailureOr<int> numbered(tile::IndexOp op, bool integer);
  FailureOr<int> integers(AffineExpr expr, Operation *op);
  int filled(Operation *op, double value, bool integer);
  bool isEven(AffineExpr expr) const;
  FailureOr<int> compared(arith::CmpFOp op);
  FailureOr<int> compared(arith::CmpIOp op);
  FailureOr<int> logical(Operation *op);
  FailureOr<int> named(Operation *op, StringRef function, ValueRange operands, bool integer);
  FailureOr<int> withScalar(Operation *op, StringRef function, double scalar, bool scalarFirst,
                            int operand);
  FailureOr<SmallVector<AffineExpr>> lanesOf(Operation *op, Value value, ValueRange at,
                                             ArrayRef<AffineExpr> exprs);
  int tile(Value value, std::optional<Broadcast> broadcast = {});
  int add(Term term);
  Term term(Term::Kind kind, Operation *op, StringRef function = "", int a = -1, int b = -1, int c = -1) {
    Term result{kind, function.str(), 0, false, {a, b, c}, {}, {}, {}, 0, op->getLoc()};
    return result;
  }

  const FormulaContext &ctx;
  SmallVectorImpl<Operation *> &heads;
  llvm::DenseMap<Value, int> known;
};

} // namespace

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

FailureOr<SmallVector<AffineExpr>> FormulaBuilder::lanesOf(Operation *op, Value value, ValueRange at,
                                                           ArrayRef<AffineExpr> exprs) {
  const Schedule &s = ctx.schedule;
  SmallVector<AffineExpr> dims;
  for (Value index : at) {
    auto expr = s.express(index, op);
    if (failed(expr))
      return failure();
    dims.push_back(*expr);
  }
  auto type = cast<RankedTensorType>(value.getType());
  Form form = ctx.forms.of(value);
  AffineExpr row = getAffineDimExpr(s.size(), s.context()), column = getAffineDimExpr(s.size() + 1, s.context()),
             outer = getAffineDimExpr(s.size() + 2, s.context());
  SmallVector<AffineExpr> inTile;
  if (form.kind == Form::Block || form.kind == Form::Column)
    inTile.push_back(row);
  if (form.kind == Form::Block || form.kind == Form::Row || form.kind == Form::Flat)
    inTile.push_back(column);
  int64_t inner = form.outer;
  for (int64_t size : type.getShape().drop_back(inTile.size())) {
    inner /= size;
    dims.push_back(outer.floorDiv(inner) % size);
  }
  llvm::append_range(dims, inTile);
  SmallVector<AffineExpr> result;
  for (AffineExpr expr : exprs)
    result.push_back(simplifyAffineExpr(expr.replaceDims(dims), s.size() + 3, 0));
  return result;
}

/// Bounds that move evenly with the lanes cost nothing on interior tiles; of
/// others every lane is computed and compared.
FailureOr<int> FormulaBuilder::masked(tile::MaskOp op) {
  auto operand = build(op.getTile());
  auto lanes = lanesOf(op, op.getTile(), op.getAt(), op.getBounds().getConstraints());
  if (failed(operand) || failed(lanes))
    return failure();
  double scalar = 0;
  if (auto other = dyn_cast<FloatAttr>(op.getOther()))
    scalar = other.getValueAsDouble();
  else if (auto other = dyn_cast<IntegerAttr>(op.getOther()))
    scalar = isCondition(op.getTile()) ? other.getValue().getZExtValue() : other.getInt();
  int result = *operand;
  SmallVector<AffineExpr> even;
  for (AffineExpr expr : *lanes) {
    if (isEven(expr)) {
      even.push_back(expr);
      continue;
    }
    auto number = integers(expr, op);
    if (failed(number))
      return failure();
    Term inside = term(Term::Binary, op, "gei", *number, filled(op, 0, true));
    inside.integer = true;
    int condition = add(inside);
    result = add(term(Term::Select, op, "select", condition, result, filled(op, scalar, isInteger(op.getTile()))));
  }
  if (even.empty())
    return result;
  Term mask = term(Term::Mask, op, "select", result);
  mask.lanes = even;
  mask.scalar = scalar;
  mask.integer = isInteger(op.getTile());
  return add(mask);
}

/// Whether an expression moves evenly with a lane's row and column.
bool FormulaBuilder::isEven(AffineExpr expr) const {
  const Schedule &s = ctx.schedule;
  return llvm::all_of(std::array{s.size(), s.size() + 1}, [&](unsigned axis) {
    AffineExpr lane = getAffineDimExpr(axis, s.context());
    return isa<AffineConstantExpr>(simplifyAffineExpr(expr.replace(lane, lane + 1) - expr, s.size() + 3, 0));
  });
}

/// Integer lanes of an expression: even parts are numbers of lanes, quotients
/// and remainders by powers of two are taken from their bits.
FailureOr<int> FormulaBuilder::integers(AffineExpr expr, Operation *op) {
  if (isEven(expr)) {
    Term number = term(Term::Lanes, op);
    number.lanes = {expr};
    number.integer = true;
    return add(number);
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto lhs = integers(binary.getLHS(), op);
  if (failed(lhs))
    return failure();
  auto with = [&](StringRef function, FailureOr<int> rhs) -> FailureOr<int> {
    if (failed(rhs))
      return failure();
    Term result = term(Term::Binary, op, function, *lhs, *rhs);
    result.integer = true;
    return add(result);
  };
  auto fill = [&](int64_t value) -> FailureOr<int> { return filled(op, double(value), true); };
  if (binary.getKind() == AffineExprKind::Add)
    return with("addi", integers(binary.getRHS(), op));
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (constant && binary.getKind() == AffineExprKind::Mul)
    return with("muli", fill(constant.getValue()));
  bool power = constant && constant.getValue() > 0 && llvm::isPowerOf2_64(constant.getValue());
  if (power && binary.getKind() == AffineExprKind::FloorDiv)
    return with("shrsi", fill(llvm::Log2_64(constant.getValue())));
  if (power && binary.getKind() == AffineExprKind::Mod)
    return with("andi", fill(constant.getValue() - 1));
  return op->emitError("numbers lanes by a division or remainder other than by a power of two: number "
                       "them evenly");
}

/// Lane numbers, as integers or as the floats they are made of.
FailureOr<int> FormulaBuilder::numbered(tile::IndexOp op, bool integer) {
  auto lanes = lanesOf(op, op.getTile(), op.getAt(), op.getMap().getResults());
  if (failed(lanes))
    return failure();
  if (isEven((*lanes)[0]) && !integer) {
    Term number = term(Term::Lanes, op);
    number.lanes = *lanes;
    return add(number);
  }
  auto numbers = integers((*lanes)[0], op);
  if (failed(numbers) || integer)
    return numbers;
  return add(term(Term::Unary, op, "sitofp", *numbers));
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
