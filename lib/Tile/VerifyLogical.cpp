// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract of the logical state, which both front doors must meet.

#include "Conflicts.h"
#include "Nest.h"
#include "UndefinedLanes.h"
#include "drawloom/Tile/Integers.h"
#include "drawloom/Tile/TilePasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <set>

using namespace mlir;
using namespace drawloom::tile;

namespace drawloom::tile {
#define GEN_PASS_DEF_VERIFYLOGICAL
#include "drawloom/Tile/TilePasses.h.inc"
} // namespace drawloom::tile

//===-- Arrays --------------------------------------------------------------//

/// Element types that the engines and both judges have. f16 and f64 have no
/// exact place there; the host converts.
static bool isElement(Type type) {
  return type.isBF16() || type.isF32() || type.isInteger(32) ||
         type.isInteger(16) || type.isInteger(8) || type.isInteger(1);
}

static LogicalResult verifyElement(Operation *op, Type type, StringRef what) {
  if (isElement(type))
    return success();
  auto error = op->emitError()
               << what << " of " << type
               << " elements: a tile program has bf16, f32, i32, i16, i8 and i1";
  error.attachNote()
      << "the front door refuses other types at the source line, or converts";
  return error;
}

/// Whether different subscripts always mean different elements: each stride
/// steps over all that the smaller ones reach.
static bool isInjective(MemRefType type) {
  SmallVector<std::pair<int64_t, int64_t>> axes;
  for (auto [stride, size] :
       llvm::zip_equal(type.getStridesAndOffset().first, type.getShape()))
    if (size > 1)
      axes.push_back({std::abs(stride), size});
  llvm::sort(axes);
  int64_t reach = 0;
  for (auto [stride, size] : axes) {
    if (stride <= reach)
      return false;
    reach += stride * (size - 1);
  }
  return true;
}

static bool isStored(ArrayOp array) {
  return llvm::any_of(array.getView().getUsers(),
                      [&](Operation *user) { return isa<StoreOp>(user); });
}

static LogicalResult verifyArray(ArrayOp array) {
  auto type = cast<MemRefType>(array.getView().getType());
  // i64 narrows to i32 on its way to a tile.
  if (!type.getElementType().isInteger(64) &&
      failed(verifyElement(array, type.getElementType(), "array")))
    return failure();
  for (Operation *user : array.getView().getUsers())
    if (!isa<LoadOp, StoreOp, ReadOp>(user))
      return user->emitError(
          "only tile.load, tile.read and tile.store use an array: every other "
          "access would be invisible to the plan");
  // Roles decide what is copied to the device and back.
  bool isIn = array.getRole() == Role::In;
  if (isIn == isStored(array)) {
    auto error = array.emitError("array \"")
                 << array.getName() << "\" has role "
                 << stringifyRole(array.getRole())
                 << (isIn ? " but is stored to" : " but is never stored to");
    error.attachNote() << "the front door reads the role off the accesses";
    return error;
  }
  if (!isIn && !isInjective(type))
    return array.emitError(
               "different subscripts of a stored array must be different "
               "elements, or the order of stores would matter; strides of ")
           << type << " overlap";
  return success();
}

/// Arrays of one argument are views of one object: they must agree on what it
/// holds. Arrays of different arguments never overlap.
static LogicalResult verifyArguments(ProgramOp program) {
  llvm::DenseMap<int64_t, ArrayOp> firstOf;
  for (auto array : program.getBody().getOps<ArrayOp>()) {
    if (failed(verifyArray(array)))
      return failure();
    ArrayOp first =
        firstOf.try_emplace(array.getArgument(), array).first->second;
    auto elementOf = [](ArrayOp op) {
      return cast<MemRefType>(op.getView().getType()).getElementType();
    };
    if (first.getName() == array.getName() &&
        elementOf(first) == elementOf(array))
      continue;
    auto error =
        array.emitError("arrays over one argument must agree on its name and "
                        "element type");
    error.attachNote(first.getLoc())
        << "the first array over argument " << array.getArgument();
    return error;
  }
  return success();
}

//===-- Operations
//------------------------------------------------------------//

/// Lane by lane, with a rule in every judge and engine. On indices it is
/// arithmetic of the data-movement engines.
static bool isElementwise(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp, arith::SelectOp,
             arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
             arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp>(op) ||
         isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRSIOp,
             arith::ShRUIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
             arith::MinUIOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
             arith::RemUIOp, arith::MulUIExtendedOp, arith::CmpIOp,
             arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op) ||
         isa<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op, math::SqrtOp,
             math::RsqrtOp, math::ErfOp, math::TanhOp, math::SinOp, math::CosOp,
             math::AbsFOp, math::FloorOp, math::CeilOp, math::FmaOp,
             math::Log1pOp, math::ExpM1Op>(op);
}

static bool isIndexing(Operation *op) {
  return isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp,
             arith::IndexCastOp>(op);
}

static bool isStructured(Operation *op) {
  return isa<linalg::MatmulOp, linalg::BatchMatmulOp, linalg::BroadcastOp,
             linalg::TransposeOp, linalg::ReduceOp, linalg::FillOp,
             tensor::SplatOp, tensor::EmptyOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::ExtractSliceOp, ScanOp>(op);
}

/// A slice is a part of the rows and columns of a tile, side by side.
static LogicalResult verifySlice(tensor::ExtractSliceOp slice) {
  bool isStatic = slice.getOffsets().empty() && slice.getSizes().empty() && slice.getStrides().empty();
  if (isStatic && slice.hasUnitStride() && slice.getSourceType().getRank() == 2 && slice.getType().getRank() == 2)
    return success();
  return slice.emitError("a slice takes constant rows and columns, side by side, of a tile of two axes");
}

/// The body of a reduction or scan is arithmetic on its elements.
static LogicalResult verifyCombiner(Operation *op, Block &body) {
  for (Operation &step : body.without_terminator())
    if (!isElementwise(&step) && !isa<arith::ConstantOp>(step)) {
      auto error = op->emitError("combines its elements with `")
                   << step.getName() << "`";
      error.attachNote(step.getLoc())
          << "a combiner is arithmetic: its order is free to follow the tiles";
      return error;
    }
  return success();
}

/// Data decides by arith.select; only what the movers know decides what runs.
static LogicalResult verifyCondition(scf::IfOp branch) {
  SmallVector<Value> conditions = {branch.getCondition()};
  while (!conditions.empty()) {
    Operation *op = conditions.pop_back_val().getDefiningOp();
    auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
    if (isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
      conditions.append(op->operand_begin(), op->operand_end());
    else if (!isa_and_nonnull<arith::ConstantOp>(op) &&
             !(compare && compare.getLhs().getType().isIndex()))
      return branch.emitError("a condition compares indices: what runs is "
                              "decided by the engines that move data");
  }
  return success();
}

/// What tensor.empty holds is undefined: it may only be a destination that is
/// written whole.
static LogicalResult verifyEmpty(tensor::EmptyOp empty) {
  for (OpOperand &use : empty->getUses()) {
    auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    if (user && user.isDpsInit(&use) &&
        !isa<linalg::MatmulOp, linalg::BatchMatmulOp, linalg::ReduceOp>(user))
      continue;
    auto error =
        use.getOwner()->emitError("reads a tensor that nothing has filled");
    error.attachNote(empty.getLoc())
        << "use linalg.fill or a constant for its first value";
    return error;
  }
  return success();
}

static LogicalResult verifyTypes(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (isa<ShapedType>(type) && (!tensor || !tensor.hasStaticShape()))
      return op->emitError("a tile is a tensor of static shape, not ") << type;
    if (!getElementTypeOrSelf(type).isIndex() &&
        failed(verifyElement(op, getElementTypeOrSelf(type),
                             tensor ? "a tile" : "a scalar")))
      return failure();
  }
  return success();
}

static LogicalResult verifyOperation(Operation *op) {
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op))
    if (failed(verifyCombiner(op, reduce.getCombiner().front())))
      return failure();
  if (auto scan = dyn_cast<ScanOp>(op))
    if (failed(verifyCombiner(op, scan.getCombiner().front())))
      return failure();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    if (failed(verifyCondition(branch)))
      return failure();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    if (failed(verifySlice(slice)))
      return failure();
  if (auto product = dyn_cast<linalg::MatmulOp>(op))
    if (product.hasUserDefinedMaps())
      return op->emitError(
          "a product takes its operands as they are: use linalg.transpose");
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    if (failed(verifyEmpty(empty)))
      return failure();
  if (isElementwise(op) || isIndexing(op) || isStructured(op) ||
      isa<arith::ConstantOp, scf::ForOp, scf::IfOp, scf::YieldOp, LoadOp,
          StoreOp, ReadOp, IndexOp, MaskOp>(op))
    return verifyTypes(op);
  auto error = op->emitError("`")
               << op->getName() << "` has no place in a tile program";
  error.attachNote()
      << "the front door expresses it by arith, math, linalg and scf on "
         "tiles, or refuses it at the source line";
  return error;
}

/// Bodies of linalg operations are part of the operation.
static LogicalResult verifyOperations(GridOp grid) {
  return failure(grid.walk<WalkOrder::PreOrder>([](Operation *op) {
                       if (isa<GridOp>(op))
                         return WalkResult::advance();
                       if (failed(verifyOperation(op)))
                         return WalkResult::interrupt();
                       return isa<linalg::LinalgOp, ScanOp>(op)
                                  ? WalkResult::skip()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted());
}

//===-- Accesses
//--------------------------------------------------------------//

/// From a point outside, climbs to the one with the largest `excess`.
static SmallVector<int64_t> worst(Points points, AffineExpr excess,
                                  SmallVector<int64_t> point) {
  for (int64_t step = 1; step > 0;) {
    Points further = points;
    further.nonNegative.push_back(excess - (evaluate(excess, point) + step));
    auto found = further.find();
    if (found)
      point = *found;
    step = found ? 2 * step : step / 2;
  }
  return point;
}

/// Whether integers from memory bound what the subscript moves with, as lengths
/// of sequences do.
static bool isBoundedByData(const AccessForm &form, AffineExpr subscript) {
  return llvm::any_of(form.points.nonNegative, [&](AffineExpr bound) {
    if (!form.dependsOnData(bound))
      return false;
    for (unsigned dim = 0; dim < form.data.size() + form.lanes; ++dim)
      if (bound.isFunctionOfDim(dim) && subscript.isFunctionOfDim(dim))
        return true;
    return false;
  });
}

/// Every element an access touches is the array's: the interpreter, the
/// simulator and the device would each read something else there. Subscripts
/// that come from memory, or end where memory says, are the caller's to keep
/// inside.
static LogicalResult verifyInside(const AccessParts &parts) {
  Nest nest(parts.op->getContext());
  if (failed(nest.enter(parts.op)))
    return failure();
  auto form = formOf(nest, parts);
  if (failed(form))
    return failure();
  if (!parts.access)
    return success();
  auto shape = cast<MemRefType>(parts.array.getType()).getShape();
  for (auto [axis, subscript] : llvm::enumerate(form->subscripts))
    for (AffineExpr excess : {subscript - shape[axis], -1 - subscript}) {
      if (form->dependsOnData(subscript) || isBoundedByData(*form, subscript))
        continue;
      Points outside = form->points;
      outside.nonNegative.push_back(excess);
      auto point = outside.find();
      if (!point)
        continue;
      SmallVector<int64_t> at = worst(form->points, excess, *point);
      auto error = parts.op->emitError("subscript ")
                   << axis << " reaches "
                   << evaluate(subscript, at)
                   << ", outside the " << shape[axis] << " of array \""
                   << parts.array.getDefiningOp<ArrayOp>().getName() << "\", "
                   << nest.describe(ArrayRef(at).take_front(form->firstLane +
                                                            form->lanes));
      error.attachNote()
          << "the front door sizes arrays by their accesses and turns masks "
             "into bounds (`where`)";
      return failure();
    }
  return success();
}

/// Quotients and remainders of lanes may meet in one place; others move evenly.
static bool isUneven(AffineMap map) {
  bool uneven = false;
  map.walkExprs([&](AffineExpr expr) {
    uneven |= llvm::is_contained({AffineExprKind::FloorDiv, AffineExprKind::CeilDiv, AffineExprKind::Mod},
                                 expr.getKind());
  });
  return uneven;
}

/// Two lanes of an axis that write one element leave it undefined.
static LogicalResult verifyDistinct(StoreOp store) {
  AffineMap map = store.getAccess();
  if (store.getLookup() || !isUneven(map))
    return success();
  auto shape = store.getTile().getType().getShape();
  for (auto [axis, lanes] : llvm::enumerate(shape)) {
    SmallVector<int64_t> at(map.getNumDims(), 0);
    std::set<std::vector<int64_t>> places;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      at[store.getAt().size() + axis] = lane;
      std::vector<int64_t> place;
      for (AffineExpr result : map.getResults())
        place.push_back(evaluate(result, at));
      if (!places.insert(place).second)
        return store.emitError("writes one element from several lanes of axis ")
               << axis << ": which of them it keeps is not defined; store each element once";
    }
  }
  return success();
}

static LogicalResult verifyAccesses(GridOp grid) {
  return failure(
      grid.walk([](Operation *op) {
            LogicalResult inside = success();
            if (auto store = dyn_cast<StoreOp>(op); store && failed(verifyDistinct(store)))
              return WalkResult::interrupt();
            if (auto load = dyn_cast<LoadOp>(op))
              inside = verifyInside(partsOf(load));
            else if (auto store = dyn_cast<StoreOp>(op))
              inside = verifyInside(partsOf(store));
            else if (auto read = dyn_cast<ReadOp>(op))
              inside = verifyInside(partsOf(read));
            else if (auto index = dyn_cast<IndexOp>(op))
              inside = verifyInside(partsOf(index));
            else if (auto mask = dyn_cast<MaskOp>(op))
              inside = verifyInside(partsOf(mask));
            else if (auto loop = dyn_cast<scf::ForOp>(op))
              inside =
                  Nest(op->getContext()).enter(loop.getBody()->getTerminator());
            return WalkResult(inside);
          })
          .wasInterrupted());
}

//===-- The contract
//----------------------------------------------------------//

LogicalResult drawloom::tile::verifyLogical(ProgramOp program) {
  if (failed(verifyArguments(program)))
    return failure();
  for (auto grid : program.getBody().getOps<GridOp>())
    if (failed(verifyOperations(grid)) || failed(verifyAccesses(grid)) ||
        failed(verifyDefinedLanes(grid)) || failed(verifyIndependent(grid)))
      return failure();
  return success();
}

namespace {
struct VerifyLogical : drawloom::tile::impl::VerifyLogicalBase<VerifyLogical> {
  void runOnOperation() override {
    for (auto program : getOperation().getOps<ProgramOp>())
      if (failed(verifyLogical(program)))
        signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
