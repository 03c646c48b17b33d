// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes indices: affine maps, arithmetic on integers that memory holds, and
// conditions.

#include "Emitter.h"
#include "Refuse.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;

namespace drawloom::tt {

//===-- Affine forms --------------------------------------------------------//

Value Emitter::variable(unsigned number) {
  if (number < linearize.loopStart())
    return grid.getIndex(number);
  if (number < linearize.symbolStart())
    return loopIndices.lookup(number - linearize.loopStart());
  return symbols.lookup(linearize.symbolOf(number).value);
}

/// The variables a form is made of, those inside quotients included.
void Emitter::addVariables(const Linear &form, unsigned rank,
                           std::set<unsigned> &used) {
  for (unsigned v = 0; v < linearize.laneStart(); ++v) {
    if (!form.factors[v])
      continue;
    if (!linearize.isSymbol(v) || linearize.symbolOf(v).value)
      used.insert(v);
    else
      addVariables(*linearize.innerOf(v, rank), rank, used);
  }
}

Emitter::Indices Emitter::indicesOf(ArrayRef<const std::vector<Linear> *> forms,
                                    unsigned rank) {
  std::set<unsigned> used;
  for (const std::vector<Linear> *list : forms)
    for (const Linear &form : *list)
      addVariables(form, rank, used);
  Indices indices;
  indices.rank = rank;
  for (unsigned v : used) {
    if (linearize.isSymbol(v) && linearize.useOf(v).axis >= 0) {
      indices.several |= indices.lookup.has_value();
      indices.lookup = v;
    } else if (Value value = variable(v)) {
      indices.operands.push_back(value);
      indices.variables.push_back(v);
    }
  }
  return indices;
}

AffineExpr Emitter::affine(const Linear &form, const Indices &indices) {
  AffineExpr sum = builder.getAffineConstantExpr(0);
  for (unsigned v = 0; v < linearize.laneStart(); ++v) {
    if (!form.factors[v])
      continue;
    AffineExpr part;
    if (v == indices.lookup) {
      part = builder.getAffineDimExpr(indices.operands.size());
    } else if (auto known = llvm::find(indices.variables, v);
               known != indices.variables.end()) {
      part = builder.getAffineDimExpr(known - indices.variables.begin());
    } else if (linearize.isSymbol(v) && !linearize.symbolOf(v).value) {
      const Symbol &symbol = linearize.symbolOf(v);
      AffineExpr inner = affine(*linearize.innerOf(v, indices.rank), indices);
      part = symbol.isRemainder ? inner % symbol.divisor
                                : inner.floorDiv(symbol.divisor);
    } else {
      continue; // a loop of one iteration
    }
    sum = sum + part * form.factors[v];
  }
  for (unsigned lane = 0; linearize.laneStart() + lane < form.factors.size();
       ++lane)
    if (int64_t factor = form.factors[linearize.laneStart() + lane])
      sum = sum + builder.getAffineDimExpr(indices.firstLane() + lane) * factor;
  return sum + form.constant;
}

AffineMap Emitter::mapOf(ArrayRef<Linear> forms, const Indices &indices) {
  auto exprs = llvm::map_to_vector(
      forms, [&](const Linear &form) { return affine(form, indices); });
  return AffineMap::get(indices.firstLane() + indices.rank, 0, exprs,
                        builder.getContext());
}

IntegerSetAttr Emitter::setOf(ArrayRef<Linear> forms, const Indices &indices) {
  if (forms.empty())
    return {};
  auto exprs = llvm::map_to_vector(
      forms, [&](const Linear &form) { return affine(form, indices); });
  return IntegerSetAttr::get(
      IntegerSet::get(indices.firstLane() + indices.rank, 0, exprs,
                      SmallVector<bool>(exprs.size(), false)));
}

//===-- Index values --------------------------------------------------------//

/// The least of several forms without lanes.
Value Emitter::leastOf(std::vector<Linear> forms, Location loc) {
  Indices indices = indicesOf({&forms}, 0);
  AffineMap map = mapOf(forms, indices);
  if (forms.size() > 1)
    return affine::AffineMinOp::create(builder, loc, map, indices.operands);
  AffineExpr expr = map.getResult(0);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return index(constant.getValue(), loc);
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return indices.operands[dim.getPosition()];
  return affine::AffineApplyOp::create(builder, loc, map, indices.operands);
}

Value Emitter::indexOf(Value value, Operation *user) {
  auto *expr = kernel.as<IndexExpr>(value);
  auto form =
      expr && expr->shape.empty() ? linearize.attempt(*expr) : std::nullopt;
  if (form)
    return leastOf({*form}, at(user));
  (void)refuse(user->getLoc(),
               "an integer that decides what moves or runs must follow from "
               "the launch and from integers loaded one by one");
  return {};
}

/// A scalar that is a symbol, as the index that stands for it.
LogicalResult Emitter::emitSymbol(Operation *op) {
  Value result = op->getResult(0), created;
  if (isa<LoadOp>(op)) {
    created = emitRead(op);
  } else {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      bool isMask = operand.getType().isInteger(1);
      operands.push_back(isMask ? truthOf(operand, op) : indexOf(operand, op));
      if (!operands.back())
        return failure();
    }
    OperationState state(at(op), op->getName().getStringRef(), operands,
                         {builder.getIndexType()}, {});
    created = build(state).front();
  }
  symbols[result] = created;
  return success(bool(created));
}

/// One integer of an array; where its mask does not hold, `other` (or zero).
Value Emitter::emitRead(Operation *op) {
  const ArrayAccess &access = *accesses.lookup(op);
  Location loc = at(op);
  if (access.access->choice) {
    (void)refuse(op->getLoc(), "whether an integer that serves as an index is "
                               "loaded may not depend on computed data");
    return {};
  }
  Indices indices = indicesOf({&access.subscripts}, 0);
  auto read = [&] {
    return tile::ReadOp::create(
        builder, loc, builder.getIndexType(), views[access.array],
        indices.operands,
        AffineMapAttr::get(mapOf(access.subscripts, indices)));
  };
  if (access.guards.empty())
    return read();
  auto other = dyn_cast_or_null<IntegerAttr>(access.access->pad);
  Value condition = allOf(access.guards, loc);
  auto branch = scf::IfOp::create(builder, loc, builder.getIndexType(),
                                  condition, /*withElseRegion=*/true);
  Value none = index(other ? other.getInt() : 0, loc);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&branch.getThenRegion().front());
  scf::YieldOp::create(builder, loc, ValueRange{read()});
  builder.setInsertionPointToEnd(&branch.getElseRegion().front());
  scf::YieldOp::create(builder, loc, none);
  return branch.getResult(0);
}

//===-- Conditions ----------------------------------------------------------//

/// Whether every form, without lanes, is at least zero.
Value Emitter::allOf(ArrayRef<Linear> forms, Location loc) {
  Value all;
  for (const Linear &form : forms) {
    Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                        leastOf({form}, loc), index(0, loc));
    all = all ? arith::AndIOp::create(builder, loc, all, holds).getResult()
              : holds;
  }
  return all;
}

std::optional<std::vector<Linear>>
Emitter::formsOf(const Condition &condition) const {
  std::vector<Linear> forms;
  for (const IndexExpr &term : condition.terms)
    if (auto form = linearize.attempt(term))
      forms.push_back(*form);
    else
      return std::nullopt;
  return forms;
}

Value Emitter::truthOf(const Condition &condition, Location loc) {
  if (condition.isAlways() || isNever(condition))
    return shared(builder.getBoolAttr(condition.isAlways()), loc);
  auto forms = formsOf(condition);
  return forms ? allOf(*forms, loc) : Value();
}

/// A scalar mask as the engines that move data compute it; null, with an error,
/// where it depends on what only the compute engine has.
Value Emitter::truthOf(Value mask, Operation *user) {
  if (const Condition *condition = kernel.exactly(mask))
    if (Value truth = truthOf(*condition, at(user)))
      return truth;
  Operation *op = mask.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op)) {
    Value a = truthOf(op->getOperand(0), user);
    Value b = a ? truthOf(op->getOperand(1), user) : Value();
    if (!b)
      return {};
    OperationState state(at(user), op->getName().getStringRef(), {a, b},
                         {builder.getI1Type()}, {});
    return build(state).front();
  }
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
      compare && kernel.as<IndexExpr>(compare.getLhs()) &&
      kernel.as<IndexExpr>(compare.getRhs())) {
    Value a = indexOf(compare.getLhs(), user);
    Value b = a ? indexOf(compare.getRhs(), user) : Value();
    return b ? arith::CmpIOp::create(builder, at(user), compare.getPredicate(),
                                     a, b)
             : Value();
  }
  (void)refuse(user->getLoc(),
               "what runs is decided by the engines that move data: an `if` "
               "compares indices and integers loaded one by one; use tl.where "
               "for data that is computed");
  return {};
}

//===-- Indices as data -----------------------------------------------------//

Value Emitter::laneNumbers(const IndexExpr &expr, Location loc) {
  auto form = linearize.attempt(expr);
  if (!form)
    return {};
  // Axes of one lane are added behind, as where data has them.
  std::vector<Linear> thin = {*form};
  SmallVector<int64_t> &factors = thin[0].factors;
  SmallVector<int64_t> shape;
  SmallVector<int> kept; // of each axis: which it is now, or -1
  factors.assign(linearize.laneStart(), 0);
  for (auto [axis, lanes] : llvm::enumerate(expr.shape)) {
    bool isThin = lanes == 1 && expr.shape.size() > 1;
    kept.push_back(isThin ? -1 : int(shape.size()));
    if (isThin)
      continue;
    shape.push_back(lanes);
    factors.push_back(form->factors[linearize.laneStart() + axis]);
  }
  for (unsigned v = 0; v < linearize.laneStart(); ++v) {
    unsigned now = v; // quotients lie along axes, too
    if (linearize.isSymbol(v) && !linearize.symbolOf(v).value)
      if (SymbolUse use = linearize.useOf(v); use.axis >= 0 && form->factors[v])
        now = linearize.variableOf({use.number, kept[use.axis]});
    factors[now] += form->factors[v];
  }
  Indices indices = indicesOf({&thin}, shape.size());
  if (indices.lookup)
    return {};
  auto type = RankedTensorType::get(shape, builder.getI32Type());
  Value tile = tile::IndexOp::create(builder, loc, type, indices.operands,
                                     AffineMapAttr::get(mapOf(thin, indices)));
  if (shape.size() == expr.shape.size())
    return tile;
  auto wide = RankedTensorType::get(expr.shape, builder.getI32Type());
  auto groups = getReassociationIndicesForReshape(type, wide);
  return tensor::ExpandShapeOp::create(
      builder, loc, wide, tile,
      groups.value_or(SmallVector<ReassociationIndices>()));
}

} // namespace drawloom::tt
