// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the loads and stores of a kernel with their addresses and masks.

#include "Access.h"
#include "Refuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace drawloom::tt {

TypedAttr constantOf(const Kernel &kernel, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  if (auto *index = kernel.as<IndexExpr>(value))
    if (auto constant = index->constant();
        constant && isa<IntegerType, IndexType>(element))
      return IntegerAttr::get(element, *constant);
  if (auto *condition = kernel.exactly(value))
    if (condition->isAlways() || isNever(*condition))
      return IntegerAttr::get(element, condition->isAlways());
  while (auto *op = value.getDefiningOp()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Attribute attribute = constant.getValue();
      if (auto splat = dyn_cast<SplatElementsAttr>(attribute))
        attribute = splat.getSplatValue<Attribute>();
      return isa<FloatAttr, IntegerAttr>(attribute) ? cast<TypedAttr>(attribute)
                                                    : TypedAttr();
    }
    if (!isa<SplatOp, BroadcastOp, ExpandDimsOp>(op))
      return {};
    value = op->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &kernel.function.getBody().front() ||
      !isa<FloatType>(element))
    return {};
  const auto &given = kernel.given(argument.getArgNumber()).value;
  if (auto *number = std::get_if<double>(&given))
    return FloatAttr::get(element, *number);
  if (auto *number = std::get_if<int64_t>(&given))
    return FloatAttr::get(element, double(*number));
  return {};
}

namespace {

class Collector {
public:
  Collector(const Kernel &kernel, bool exactWraps)
      : kernel(kernel), exactWraps(exactWraps) {}
  FailureOr<std::vector<Access>> collect();

private:
  LogicalResult visit(Operation *op);
  LogicalResult throughPointers(Operation *op, Value pointers, Value mask,
                                Value other);
  LogicalResult throughDescriptor(Operation *op, Value descriptor,
                                  ValueRange indices, Type tile);
  LogicalResult addAxis(Access &access, const Descriptor &descriptor,
                        unsigned d, const IndexExpr &start, Condition &inside);
  LogicalResult setMask(Access &access, Value mask);
  LogicalResult setPad(Access &access, Value other);
  LogicalResult unwrap(Access &access);
  LogicalResult overflow(Operation *op) {
    return refuse(op->getLoc(), "the address overflows 64 bits in this launch");
  }
  LogicalResult add(Access access);
  LogicalResult update(AtomicRMWOp op);
  StringRef named(Operation *op) {
    return isa<LoadOp, DescriptorLoadOp>(op) ? "a load" : "a store";
  }

  const Kernel &kernel;
  bool exactWraps;
  std::vector<Access> accesses;
};

} // namespace

LogicalResult Collector::add(Access access) {
  auto modest = [&](const IndexExpr &value) {
    return isModest(value, kernel.loopExtents());
  };
  if (failed(unwrap(access)))
    return failure();
  if (!modest(access.offset) || !llvm::all_of(access.bounds, modest))
    return overflow(access.op);
  accesses.push_back(std::move(access));
  return success();
}

FailureOr<std::vector<Access>> Collector::collect() {
  bool failedAny = false;
  kernel.forEachOperation(
      [&](Operation *op) { failedAny |= failed(visit(op)); });
  if (failedAny)
    return failure();
  return std::move(accesses);
}

LogicalResult Collector::visit(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return throughPointers(op, load.getPtr(), load.getMask(), load.getOther());
  if (auto store = dyn_cast<StoreOp>(op))
    return throughPointers(op, store.getPtr(), store.getMask(), {});
  if (auto atomic = dyn_cast<AtomicRMWOp>(op))
    return update(atomic);
  if (auto load = dyn_cast<DescriptorLoadOp>(op))
    return throughDescriptor(op, load.getDesc(), load.getIndices(),
                             load.getType());
  if (auto store = dyn_cast<DescriptorStoreOp>(op))
    return throughDescriptor(op, store.getDesc(), store.getIndices(),
                             store.getValue().getType());
  return success();
}

LogicalResult Collector::throughPointers(Operation *op, Value pointers,
                                         Value mask, Value other) {
  auto *pointer = kernel.as<Pointer>(pointers);
  if (!pointer) {
    auto *unknown = kernel.as<Unknown>(pointers);
    return refuse(op->getLoc(),
                  "the address of " + named(op) +
                      " must be affine in programs, loops, lanes and integers "
                      "loaded one by one or one a row, which the engines that "
                      "move data can follow; here it",
                  *unknown);
  }
  Access access = {
      op,
      pointer->argument,
      cast<PointerType>(getElementTypeOrSelf(pointers.getType())).getPointee(),
      SmallVector<int64_t>(laneShape(pointers.getType())),
      pointer->offset,
      {},
      {},
      {},
      {}};
  Type declared =
      cast<PointerType>(kernel.function.getArgument(access.argument).getType())
          .getPointee();
  bool isBool = declared.isInteger(1) && access.element.isInteger(8);
  if (declared != access.element && !isBool)
    return refuse(
        op->getLoc(),
        "reinterpreting the elements of an argument in memory is not imported; "
        "pass the array with its own element type");
  if (failed(setMask(access, mask)) || failed(setPad(access, other)))
    return failure();
  return add(std::move(access));
}

/// The address and mask of `tl.atomic_add` and its kin.
LogicalResult Collector::update(AtomicRMWOp op) {
  ValueRange values = op.getValues();
  Value mask = values.size() > 2 ? values[2] : Value();
  return throughPointers(op, values[0], mask, {});
}

/// What is known of a mask bounds the access; the rest chooses.
LogicalResult Collector::setMask(Access &access, Value mask) {
  if (!mask)
    return success();
  auto *condition = kernel.as<Condition>(mask);
  if (!condition || condition->partial)
    access.choice = mask;
  if (!condition)
    return success();
  access.implied = condition->implied;
  for (const IndexExpr &term : condition->terms) {
    MaybeIndex exact = withoutWraps(term, kernel.symbolTable());
    if (!exact)
      return refuse(
          access.op->getLoc(),
          "the mask of " + named(access.op) +
              " compares an index after `%`; compare the index itself");
    (laneAxisOf(*exact) ? access.bounds : access.masks).push_back(*exact);
  }
  return success();
}

LogicalResult Collector::setPad(Access &access, Value other) {
  bool masked = !access.bounds.empty() || !access.masks.empty();
  if (!other || (!masked && !access.choice))
    return success();
  access.pad = constantOf(kernel, other);
  if (!access.pad) // the mask chooses between what is read and `other`
    access.choice = cast<LoadOp>(access.op).getMask();
  return success();
}

/// Replaces `inner mod m` by `inner` where inner < m. Other lanes are not read
/// and become the padding value; whether that matters is checked later.
LogicalResult Collector::unwrap(Access &access) {
  if (exactWraps || access.isStore()) {
    MaybeIndex exact = withoutWraps(access.offset, kernel.symbolTable());
    if (!exact)
      return refuse(access.op->getLoc(),
                    "an index after several `%` is not imported; keep one");
    access.offset = *exact;
    return success();
  }
  while (!access.offset.wraps.empty()) {
    Wrap wrap = access.offset.wraps.pop_back_val();
    MaybeIndex inner = scale(*wrap.inner, wrap.factor);
    MaybeIndex offset = inner ? tt::add(access.offset, *inner) : std::nullopt;
    MaybeIndex bound =
        subtract(IndexExpr(wrap.modulus - 1, wrap.inner->shape), *wrap.inner);
    if (!offset || !bound)
      return overflow(access.op);
    access.offset = *offset;
    if (!bound->wraps.empty())
      return refuse(access.op->getLoc(),
                    "an index after two `%` is not imported; keep one");
    if (llvm::is_contained(access.bounds, *bound))
      continue;
    access.bounds.push_back(*bound);
    access.unwrapped.push_back(*bound);
    if (!access.pad)
      access.pad = cast<TypedAttr>(
          Builder(access.op->getContext()).getZeroAttr(access.element));
  }
  return success();
}

/// Lane l of axis d is `start` + l, inside the descriptor's shape: moves the
/// access there, and adds to what holds of its lanes.
LogicalResult Collector::addAxis(Access &access, const Descriptor &descriptor,
                                 unsigned d, const IndexExpr &start,
                                 Condition &inside) {
  ArrayRef<int64_t> shape = access.shape;
  IndexExpr lane =
      moveLanes(start, shape, SmallVector<int64_t>(shape.size(), -1));
  if (shape[d] > 1)
    lane.lanes[d] = 1;
  MaybeIndex step = scale(lane, descriptor.strides[d]);
  MaybeIndex offset = step ? tt::add(access.offset, *step) : std::nullopt;
  MaybeIndex below = subtract(IndexExpr(descriptor.shape[d] - 1, shape), lane);
  if (!offset || !below)
    return overflow(access.op);
  access.offset = *offset;
  inside.terms.push_back(lane);
  inside.terms.push_back(*below);
  return success();
}

/// What lanes outside of a descriptor's array read.
static TypedAttr padOf(const Descriptor &descriptor, Type element) {
  auto floating = dyn_cast<FloatType>(element);
  if (floating && descriptor.padsWithNaN)
    return FloatAttr::get(floating,
                          APFloat::getNaN(floating.getFloatSemantics()));
  return cast<TypedAttr>(Builder(element.getContext()).getZeroAttr(element));
}

LogicalResult Collector::throughDescriptor(Operation *op, Value value,
                                           ValueRange indices, Type tile) {
  auto *descriptor = kernel.as<Descriptor>(value);
  if (!descriptor)
    return refuse(op->getLoc(),
                  "a tensor descriptor must follow from the launch; here it",
                  *kernel.as<Unknown>(value));
  ArrayRef<int64_t> shape = laneShape(tile);
  if (shape.size() != indices.size())
    return refuse(op->getLoc(),
                  "a descriptor's tile must have as many axes as its array");
  Access access = {op,
                   descriptor->base.argument,
                   getElementTypeOrSelf(tile),
                   SmallVector<int64_t>(shape),
                   moveLanes(descriptor->base.offset, shape,
                             SmallVector<int64_t>(shape.size(), -1)),
                   {},
                   {},
                   {},
                   {}};
  Condition inside;
  for (auto [d, index] : llvm::enumerate(indices)) {
    auto *start = kernel.as<IndexExpr>(index);
    if (!start)
      return refuse(op->getLoc(),
                    "the index of " + named(op) +
                        " through a descriptor must be affine in "
                        "programs and loops; here it",
                    *kernel.as<Unknown>(index));
    if (failed(addAxis(access, *descriptor, d, *start, inside)))
      return failure();
  }
  inside = simplify(inside, kernel.loopExtents());
  access.bounds = inside.terms;
  access.implied = inside.implied;
  if (!access.isStore() && !access.bounds.empty())
    access.pad = padOf(*descriptor, access.element);
  return add(std::move(access));
}

FailureOr<std::vector<Access>> collectAccesses(const Kernel &kernel,
                                               bool exactWraps) {
  return Collector(kernel, exactWraps).collect();
}

} // namespace drawloom::tt
