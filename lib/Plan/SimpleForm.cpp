// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of one product, or of an element-wise kernel.

#include "SimpleForm.h"

#include "Buffered.h"
#include "drawloom/Tile/WholeTiles.h"
#include "drawloom/Tile/Written.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace drawloom::plan {
namespace {

bool isScalarIndexing(Operation &op) {
  return op.getNumRegions() == 0 && op.getNumResults() > 0 && !isa<tile::ReadOp>(op) &&
         llvm::all_of(op.getResultTypes(), [](Type type) { return type.isIntOrIndex(); });
}

bool isFloatFunction(Operation &op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::MaximumFOp,
             arith::MaxNumFOp, arith::MinimumFOp, arith::MinNumFOp, arith::NegFOp, math::ExpOp,
             math::Exp2Op, math::LogOp, math::Log2Op, math::SqrtOp, math::RsqrtOp, math::TanhOp, math::ErfOp,
             math::AbsFOp, math::FmaOp>(op);
}

class FormChecker {
public:
  explicit FormChecker(tile::GridOp grid) : grid(grid) {}
  bool check();

private:
  bool checkBody(Operation &op);
  bool checkLoop(scf::ForOp loop);
  bool checkProduct(linalg::MatmulOp product);
  bool checkAccess(Operation *op) const;
  bool isLoaded(Value operand) const;
  bool isExtremum(arith::SelectOp select) const;

  tile::GridOp grid;
  scf::ForOp reduction;
  linalg::MatmulOp product;
  int stores = 0;
};

} // namespace

bool meetsBlocks(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isa<linalg::BroadcastOp>(user))
      return true;
    bool elementwise = user->getNumResults() == 1 &&
                       user->getResult(0).getType() != value.getType()
                           ? isa<arith::ExtFOp, arith::TruncFOp>(user)
                           : user->hasTrait<OpTrait::Elementwise>();
    return elementwise && user->getNumResults() == 1 && meetsBlocks(user->getResult(0));
  });
}

int64_t runOf(Operation *op) {
  auto load = dyn_cast<tile::LoadOp>(op);
  auto store = dyn_cast<tile::StoreOp>(op);
  Value tile = load ? load.getTile() : store.getTile();
  AffineMap map = load ? load.getAccess() : store.getAccess();
  auto type = cast<RankedTensorType>(tile.getType());
  unsigned rank = map.getNumResults(), lane = map.getNumDims() - 1;
  if (type.getRank() != 1 || rank < 1 || meetsBlocks(tile))
    return 0;
  for (unsigned dim = 0; dim + 1 < rank; ++dim)
    if (map.getResult(dim).isFunctionOfDim(lane))
      return 0;
  AffineExpr base = simplifyAffineExpr(
      map.getResults().back() - getAffineDimExpr(lane, map.getContext()), map.getNumDims(), 0);
  int64_t elements = std::min<int64_t>(type.getNumElements(), kTileElements);
  return !base.isFunctionOfDim(lane) && base.isMultipleOf(elements) ? elements : 0;
}

bool FormChecker::checkAccess(Operation *op) const {
  auto load = dyn_cast<tile::LoadOp>(op);
  auto store = dyn_cast<tile::StoreOp>(op);
  if (load ? load.getLookup() : store.getLookup())
    return false;
  auto type = cast<RankedTensorType>((load ? load.getTile() : store.getTile()).getType());
  if (!isa<FloatType>(type.getElementType()))
    return false;
  return runOf(op) > 0 || tile::movesWholeTiles(op);
}

bool FormChecker::isLoaded(Value operand) const {
  operand = bare(operand);
  if (auto transpose = operand.getDefiningOp<linalg::TransposeOp>())
    operand = bare(transpose.getInput());
  auto load = operand.getDefiningOp<tile::LoadOp>();
  return load && load->hasOneUse();
}

bool FormChecker::checkProduct(linalg::MatmulOp matmul) {
  if (product || matmul.hasUserDefinedMaps() || !isLoaded(matmul.getInputs()[0]) ||
      !isLoaded(matmul.getInputs()[1]))
    return false;
  // Operands in parts need more than one.
  if (tile::takesExactOperands(matmul) && llvm::any_of(matmul.getInputs(), [](Value operand) {
        return getElementTypeOrSelf(operand).isF32();
      }))
    return false;
  product = matmul;
  Value start = matmul.getOutputs()[0];
  if (auto loop = dyn_cast<scf::ForOp>(matmul->getParentOp())) {
    if (start != loop.getRegionIterArgs()[0] ||
        loop.getBody()->getTerminator()->getOperand(0) != matmul.getResult(0))
      return false;
    start = loop.getInitArgs()[0];
  }
  auto value = splatOf(start);
  return value && *value == 0;
}

bool FormChecker::checkLoop(scf::ForOp loop) {
  auto lower = getConstantIntValue(loop.getLowerBound());
  auto upper = getConstantIntValue(loop.getUpperBound());
  if (reduction || loop.getNumRegionIterArgs() != 1 || !lower || !upper || *lower >= *upper ||
      !getConstantIntValue(loop.getStep()))
    return false;
  reduction = loop;
  for (Operation &op : *loop.getBody()) {
    if (auto matmul = dyn_cast<linalg::MatmulOp>(op)) {
      if (!checkProduct(matmul))
        return false;
    } else if (isa<tile::LoadOp>(op)) {
      if (!checkAccess(&op))
        return false;
    } else if (!isa<linalg::TransposeOp, arith::ExtFOp, arith::TruncFOp, arith::ConstantOp,
                    tensor::EmptyOp, scf::YieldOp>(op) &&
               !isScalarIndexing(op)) {
      return false;
    }
  }
  return product != nullptr;
}

/// A choice that is a maximum or a minimum: of what is compared, or of a value
/// and a fraction of it by its sign.
bool FormChecker::isExtremum(arith::SelectOp select) const {
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  if (!compare)
    return false;
  auto same = [](Value a, Value b) {
    auto x = splatOf(a), y = splatOf(b);
    return bare(a) == bare(b) || (x && y && *x == *y);
  };
  Value x = compare.getLhs(), y = compare.getRhs();
  Value yes = select.getTrueValue(), no = select.getFalseValue();
  if ((same(yes, x) && same(no, y)) || (same(yes, y) && same(no, x)))
    return true;
  auto isFractionOfX = [&](Value value) {
    auto scaled = bare(value).getDefiningOp<arith::MulFOp>();
    return scaled && (same(scaled.getLhs(), x) || same(scaled.getRhs(), x));
  };
  auto bound = splatOf(y);
  return bound && *bound == 0 &&
         ((same(yes, x) && isFractionOfX(no)) || (same(no, x) && isFractionOfX(yes)));
}

bool FormChecker::checkBody(Operation &op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return checkLoop(loop);
  if (auto matmul = dyn_cast<linalg::MatmulOp>(op))
    return checkProduct(matmul);
  if (isa<tile::StoreOp>(op))
    ++stores;
  if (isa<tile::LoadOp, tile::StoreOp>(op))
    return checkAccess(&op);
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return bare(transpose.getInput()).getDefiningOp<tile::LoadOp>() != nullptr;
  if (auto repeat = dyn_cast<linalg::BroadcastOp>(op))
    return splatOf(repeat.getInput()) ||
           (cast<ShapedType>(repeat.getInput().getType()).getRank() == 1 &&
            repeat.getDimensions() == ArrayRef<int64_t>{0});
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return isExtremum(select);
  return isa<arith::ExtFOp, arith::TruncFOp, arith::ConstantOp, arith::CmpFOp, linalg::FillOp,
             tensor::SplatOp, tensor::EmptyOp>(op) ||
         isFloatFunction(op) || isScalarIndexing(op);
}

bool FormChecker::check() {
  if (grid.getOrderedAttr() && !grid.getOrderedAttr().empty())
    return false;
  for (Operation &op : grid.getBody().front())
    if (!checkBody(op))
      return false;
  // Lanes in memory order and tiles do not meet.
  bool runs = false, tiles = false;
  grid.walk([&](Operation *op) {
    if (isa<tile::LoadOp, tile::StoreOp>(op))
      (runOf(op) > 0 ? runs : tiles) = true;
  });
  return stores > 0 && !tile::readsWhatItWrote(grid) && !(product && stores > 1) && !(runs && tiles);
}

bool isSimple(tile::GridOp grid) { return FormChecker(grid).check(); }

} // namespace drawloom::plan
