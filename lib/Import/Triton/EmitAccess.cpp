// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes loads, stores and updates.

#include "Emitter.h"
#include "Refuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace drawloom::tt {

/// The integers, one a lane, that an access looks up; null when it looks up
/// none. Fails, with an error, when they do not fit.
FailureOr<Value> Emitter::lookupOf(Operation *op, const Indices &indices,
                                   ArrayRef<int64_t> shape) {
  if (!indices.lookup)
    return Value();
  int axis = linearize.useOf(*indices.lookup).axis;
  Value ids = tiles.lookup(linearize.symbolOf(*indices.lookup).value);
  auto type =
      ids ? dyn_cast<RankedTensorType>(ids.getType()) : RankedTensorType();
  if (indices.several || !type || type.getRank() != 1 ||
      type.getDimSize(0) != shape[axis]) {
    (void)refuse(op->getLoc(),
                 "the addresses of a load or store may follow one tile of "
                 "loaded integers, one for each lane of one axis; look up one "
                 "after the other");
    return failure();
  }
  auto wide = RankedTensorType::get(type.getShape(), builder.getI32Type());
  if (type == wide)
    return ids;
  return arith::ExtSIOp::create(builder, at(op), wide, ids).getResult();
}

static IntegerAttr axisAttr(OpBuilder &builder, const Linearizer &linearize,
                            std::optional<unsigned> lookup) {
  return lookup ? builder.getI64IntegerAttr(linearize.useOf(*lookup).axis)
                : IntegerAttr();
}

/// The form with lane axis `order[to]` as axis `to`.
Linear Emitter::permuted(const Linear &form, ArrayRef<unsigned> order) {
  Linear result = form;
  for (auto [to, from] : llvm::enumerate(order)) {
    result.factors[linearize.laneStart() + to] =
        form.factors[linearize.laneStart() + from];
    for (unsigned number = 0; number < kernel.symbolTable().size(); ++number)
      result.factors[linearize.variableOf({number, int(to)})] =
          form.factors[linearize.variableOf({number, int(from)})];
  }
  return result;
}

/// Reads the tile of an access; lanes outside its bounds are `pad`.
Value Emitter::readTile(Operation *op, ArrayRef<unsigned> order,
                        TypedAttr pad) {
  const ArrayAccess &access = *accesses.lookup(op);
  std::vector<Linear> subscripts, guards;
  for (const Linear &form : access.subscripts)
    subscripts.push_back(permuted(form, order));
  for (const Linear &form : access.guards)
    guards.push_back(permuted(form, order));
  auto shape = llvm::map_to_vector(
      order, [&](unsigned axis) { return access.access->shape[axis]; });
  Indices indices = indicesOf({&subscripts, &guards}, shape.size());
  auto lookup = lookupOf(op, indices, shape);
  if (failed(lookup))
    return {};
  IntegerSetAttr bounds = setOf(guards, indices);
  Type element = narrow(access.access->element);
  if (auto integer = dyn_cast_or_null<IntegerAttr>(pad))
    pad = IntegerAttr::get(element, integer.getInt());
  return tile::LoadOp::create(
      builder, at(op), RankedTensorType::get(shape, element),
      views[access.array], indices.operands, *lookup,
      AffineMapAttr::get(mapOf(subscripts, indices)), bounds,
      bounds ? pad : TypedAttr(), Attribute(), IntegerAttr(), IntegerAttr(),
      axisAttr(builder, linearize, indices.lookup));
}

static SmallVector<unsigned> identityOrder(size_t rank) {
  return llvm::to_vector(llvm::seq<unsigned>(rank));
}

LogicalResult Emitter::emitLoad(Operation *op) {
  const Access &access = *accesses.lookup(op)->access;
  Value loaded = op->getResult(0);
  SmallVector<unsigned> order = identityOrder(access.shape.size());
  // A load that is only transposed reads its array in the other order.
  bool plain = access.masks.empty() && !access.choice;
  if (auto trans = loaded.hasOneUse() && plain
                       ? dyn_cast<TransOp>(*loaded.user_begin())
                       : TransOp()) {
    for (auto [to, from] : llvm::enumerate(trans.getOrder()))
      order[to] = from;
    loaded = trans.getResult();
  }
  Value tile = readTile(op, order, access.pad);
  if (!tile)
    return failure();
  if (!access.masks.empty() && access.pad)
    tile = masked(tile, Condition{access.masks}, narrowed(access.pad), at(op));
  auto load = dyn_cast<LoadOp>(op);
  if (tile && access.choice && load && load.getOther()) {
    Value mask = data(access.choice, op), other = data(load.getOther(), op);
    if (!mask || !other)
      return failure();
    tile = arith::SelectOp::create(builder, at(op), mask, tile, other);
  }
  tiles[loaded] = tile;
  return success(bool(tile));
}

/// What an access stores where its mask does not say all: the old values
/// elsewhere.
Value Emitter::choose(Operation *op, Value stored, Value old) {
  const Access &access = *accesses.lookup(op)->access;
  Value mask;
  if (access.choice) {
    mask = data(access.choice, op);
  } else {
    Value always = constant(builder.getBoolAttr(true), access.shape, at(op));
    mask = masked(always, Condition{access.masks}, builder.getBoolAttr(false),
                  at(op));
  }
  return mask ? arith::SelectOp::create(builder, at(op), mask, stored, old)
              : Value();
}

LogicalResult Emitter::writeTile(Operation *op, Value stored) {
  const ArrayAccess &access = *accesses.lookup(op);
  Indices indices = indicesOf({&access.subscripts, &access.guards},
                              access.access->shape.size());
  auto lookup = lookupOf(op, indices, access.access->shape);
  if (failed(lookup))
    return failure();
  tile::StoreOp::create(builder, at(op), stored, views[access.array],
                        indices.operands, *lookup,
                        AffineMapAttr::get(mapOf(access.subscripts, indices)),
                        setOf(access.guards, indices),
                        axisAttr(builder, linearize, indices.lookup));
  return success();
}

LogicalResult Emitter::emitStore(Operation *op, Value value) {
  const Access &access = *accesses.lookup(op)->access;
  Value stored = data(value, op);
  if (!stored)
    return failure();
  if (access.readsToo()) {
    Value old = readTile(op, identityOrder(access.shape.size()), {});
    stored = old ? choose(op, stored, old) : Value();
    if (!stored)
      return failure();
  }
  return writeTile(op, stored);
}

//===-- Updates -------------------------------------------------------------//

/// Whether different values of the variables of a subscript are different
/// subscripts; each variable is in one subscript only.
bool Emitter::tellsApart(const ArrayAccess &access, bool lanesOnly) {
  unsigned first = lanesOnly ? linearize.laneStart() : 0;
  for (const Linear &subscript : access.subscripts) {
    SmallVector<std::pair<int64_t, int64_t>> digits;
    for (unsigned v = first; v < subscript.factors.size(); ++v)
      if (subscript.factors[v] && access.extents[v] > 1)
        digits.push_back({std::abs(subscript.factors[v]), access.extents[v]});
    llvm::sort(digits);
    int64_t reach = 0;
    for (auto [factor, extent] : digits) {
      if (factor <= reach)
        return false;
      reach += factor * (extent - 1);
    }
  }
  return true;
}

/// Orders the dimensions of the grid along which programs may update one
/// element.
void Emitter::orderPrograms(const ArrayAccess &access) {
  bool apart = tellsApart(access, /*lanesOnly=*/false);
  for (unsigned v = linearize.symbolStart(); v < linearize.laneStart(); ++v)
    apart &= !access.address.factors[v];
  std::set<int64_t> dims;
  if (auto known = grid.getOrdered())
    dims.insert(known->begin(), known->end());
  for (unsigned dim = 0; dim < linearize.loopStart(); ++dim)
    if (!apart || !access.address.factors[dim])
      dims.insert(dim);
  if (dims.empty())
    return;
  grid.setOrderedAttr(builder.getDenseI64ArrayAttr(
      SmallVector<int64_t>(dims.begin(), dims.end())));
}

/// Updates happen one after the other, each a load, an operation and a store.
LogicalResult Emitter::emitUpdate(AtomicRMWOp op) {
  const ArrayAccess &access = *accesses.lookup(op);
  bool distinct = tellsApart(access, /*lanesOnly=*/true);
  for (auto [axis, lanes] : llvm::enumerate(access.access->shape))
    distinct &=
        lanes == 1 || access.address.factors[linearize.laneStart() + axis] != 0;
  if (!distinct)
    return refuse(op.getLoc(),
                  "lanes of an atomic update may reach one element; combine "
                  "them first (tl.sum, tl.max), then update once");
  StringRef name = llvm::StringSwitch<StringRef>(op.getKind())
                       .Case("fadd", "arith.addf")
                       .Case("add", "arith.addi")
                       .Case("fmax", "arith.maxnumf")
                       .Case("fmin", "arith.minnumf")
                       .Case("max", "arith.maxsi")
                       .Case("min", "arith.minsi")
                       .Case("umax", "arith.maxui")
                       .Case("umin", "arith.minui")
                       .Case("and", "arith.andi")
                       .Case("or", "arith.ori")
                       .Case("xor", "arith.xori")
                       .Default("");
  if (name.empty())
    return refuse(op.getLoc(),
                  "the atomic `" + op.getKind() + "` is not imported");
  Value value = data(op.getValues()[1], op);
  Value old = value
                  ? readTile(op, identityOrder(access.access->shape.size()), {})
                  : Value();
  if (!old)
    return failure();
  OperationState state(at(op), name, {old, value}, {value.getType()}, {});
  Value updated = build(state).front();
  if (access.access->choice || !access.access->masks.empty())
    updated = choose(op, updated, old);
  if (!updated)
    return failure();
  orderPrograms(access);
  return writeTile(op, updated);
}

} // namespace drawloom::tt
