// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What differs between the programs along one dimension of a grid.

#include "Followers.h"
#include "drawloom/Tile/Integers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom::tile;

//===-- Dimensions of a folded access ---------------------------------------//

FoldedDims::FoldedDims(ValueRange from, Value lookup, unsigned lanes,
                       const Followers &followers, bool needsIndex)
    : context(followers.index.getContext()) {
  for (Value value : from)
    if (value != followers.index && followers.contains(value)) {
      beyond |= read || lookup || !value.getDefiningOp<ReadOp>();
      read = value;
    } else {
      at.push_back(value);
    }
  if (needsIndex && !llvm::is_contained(at, Value(followers.index)))
    at.push_back(followers.index);
  index = llvm::find(at, Value(followers.index)) - at.begin();
  row = at.size() + (read || lookup);
  total = row + 1 + lanes;
  auto dim = [&](unsigned d) { return getAffineDimExpr(d, context); };
  for (unsigned next = 0; Value value : from)
    if (value == read)
      replacements.push_back(dim(at.size()));
    else if (unsigned d = next++; value == followers.index)
      replacements.push_back(dim(d) * kRows + dim(row));
    else
      replacements.push_back(dim(d));
  if (lookup)
    replacements.push_back(dim(at.size()));
  for (unsigned lane = 0; lane < lanes; ++lane)
    replacements.push_back(dim(row + 1 + lane));
}

AffineExpr FoldedDims::operator()(AffineExpr expr) const {
  return simplifyAffineExpr(expr.replaceDims(replacements), total, 0);
}

AffineExpr FoldedDims::program() const {
  return getAffineDimExpr(index, context) * kRows +
         getAffineDimExpr(row, context);
}

//===-- What follows --------------------------------------------------------//

bool Followers::spreadOnce(Operation *op) {
  bool grown = false;
  auto follow = [&](Value value) { grown |= values.insert(value).second; };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    auto yielded = loop.getBody()->getTerminator()->getOperands();
    for (auto [init, argument, next, result] :
         llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(), yielded,
                         loop.getResults()))
      if (contains(init) || contains(next))
        follow(argument), follow(result);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Region *region : branch.getRegions())
      if (!region->empty())
        for (auto [yielded, result] :
             llvm::zip(region->front().getTerminator()->getOperands(),
                       branch.getResults()))
          if (contains(yielded))
            follow(result);
  } else if (llvm::any_of(op->getOperands(),
                          [&](Value operand) { return contains(operand); })) {
    for (Value result : op->getResults())
      follow(result);
  }
  return grown;
}

/// Values only ever join, and there are finitely many.
void Followers::spread(GridOp grid) {
  values.insert(index);
  for (bool grown = true; grown;) {
    grown = false;
    grid.getBody().walk([&](Operation *op) { grown |= spreadOnce(op); });
  }
}

//===-- What may be folded --------------------------------------------------//

static unsigned rankOf(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? tensor.getRank() : 0;
}

/// Whether rows do not meet lanes or remainders in the expression.
static bool rowsStandApart(AffineExpr expr, const FoldedDims &dims) {
  if (!dims.differs(expr))
    return true;
  for (unsigned lane = dims.row + 1; lane < dims.total; ++lane)
    if (expr.isFunctionOfDim(lane))
      return false;
  bool linear = true;
  expr.walk([&](AffineExpr part) {
    bool divides = part.getKind() == AffineExprKind::Mod ||
                   part.getKind() == AffineExprKind::FloorDiv ||
                   part.getKind() == AffineExprKind::CeilDiv;
    linear &= !(divides && part.isFunctionOfDim(dims.row));
  });
  return linear;
}

/// The step of a linear expression from one row to the next.
static int64_t stepOf(AffineExpr expr, const FoldedDims &dims) {
  auto at = [&](int64_t row) {
    SmallVector<int64_t> point(dims.total, 0);
    point[dims.row] = row;
    return evaluate(expr, point);
  };
  return at(1) - at(0);
}

template <typename Access>
bool Followers::admitsAccess(Access access, Value tile) {
  Value lookup;
  if constexpr (requires { access.getLookup(); })
    lookup = access.getLookup();
  unsigned lanes = tile ? rankOf(tile) : 0;
  FoldedDims dims(access.getAt(), lookup, lanes, *this, /*needsIndex=*/false);
  bool follows = llvm::any_of(access.getAt(),
                              [&](Value value) { return contains(value); });
  if (dims.beyond || (lookup && contains(lookup)))
    return false;
  if (!follows) // every program would write the same place
    return !isa<StoreOp>(access);
  bool walks = bool(dims.read);
  for (AffineExpr subscript : access.getAccess().getResults()) {
    AffineExpr folded = dims(subscript);
    if (!rowsStandApart(folded, dims))
      return false;
    if (!folded.isFunctionOfDim(dims.row))
      continue;
    walks = true;
    unitSteps &= stepOf(folded, dims) == 1;
  }
  if constexpr (requires { access.getBounds(); })
    if (auto bounds = access.getBounds())
      for (AffineExpr constraint : bounds->getConstraints())
        if (!rowsStandApart(dims(constraint), dims))
          return false;
  return walks;
}

/// An integer a program reads becomes a tile of them, which accesses look up.
bool Followers::admitsRead(ReadOp read) {
  Type element = cast<MemRefType>(read.getArray().getType()).getElementType();
  FoldedDims dims(read.getAt(), {}, 0, *this, /*needsIndex=*/false);
  return !dims.read && (element.isInteger(32) || element.isInteger(64)) &&
         llvm::all_of(read->getUsers(),
                      [](Operation *user) { return isa<LoadOp, StoreOp>(user); }) &&
         admitsAccess(read, {});
}

/// Lane by lane; a scalar among the operands is the same in every program.
bool Followers::admitsLanes(Operation *op) {
  auto isTile = [](Value value) {
    return isa<RankedTensorType>(value.getType());
  };
  return op->hasTrait<OpTrait::Elementwise>() &&
         llvm::all_of(op->getResults(), isTile) &&
         llvm::all_of(op->getOperands(), [&](Value value) {
           return isTile(value) || !contains(value);
         });
}

/// Whether an operation on values that follow has a folded form.
bool Followers::admits(Operation *op) {
  auto isFree = [&](Value value) { return !contains(value); };
  if (auto store = dyn_cast<StoreOp>(op))
    return admitsAccess(store, store.getTile());
  if (llvm::all_of(op->getResults(), isFree) &&
      llvm::all_of(op->getOperands(), isFree))
    return true;
  if (llvm::any_of(op->getResults(), [](Value v) { return rankOf(v) > 1; }))
    return false;
  wholeTiles &= !isa<linalg::LinalgOp, ScanOp>(op);
  for (Value result : op->getResults())
    if (auto tensor = dyn_cast<RankedTensorType>(result.getType()))
      wholeTiles &= tensor.getNumElements() % (kRows * kRows) == 0;
  auto readsNothing = [&](ValueRange at) {
    FoldedDims dims(at, {}, 0, *this, /*needsIndex=*/false);
    return !dims.read && !dims.beyond;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](LoadOp load) { return admitsAccess(load, load.getTile()); })
      .Case([&](ReadOp read) { return admitsRead(read); })
      .Case([&](MaskOp mask) { return readsNothing(mask.getAt()); })
      .Case([&](IndexOp index) { return readsNothing(index.getAt()); })
      .Case([&](scf::ForOp loop) {
        return isFree(loop.getLowerBound()) && isFree(loop.getUpperBound()) &&
               isFree(loop.getStep());
      })
      .Case([&](scf::IfOp branch) { return isFree(branch.getCondition()); })
      .Case<scf::YieldOp, linalg::ReduceOp, linalg::BroadcastOp,
            linalg::TransposeOp, tensor::ExpandShapeOp,
            tensor::CollapseShapeOp, ScanOp>([](auto) { return true; })
      .Default([&](Operation *) { return admitsLanes(op); });
}

std::optional<Followers> Followers::find(GridOp grid, unsigned dim) {
  Followers followers(grid, dim);
  followers.spread(grid);
  bool admitted = true;
  grid.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    admitted &= followers.admits(op);
    return isa<linalg::LinalgOp, ScanOp>(op) ? WalkResult::skip()
                                             : WalkResult::advance();
  });
  return admitted ? std::optional(followers) : std::nullopt;
}
