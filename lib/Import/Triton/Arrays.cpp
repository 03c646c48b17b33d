// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays: their extents from what accesses reach.

#include "Objects.h"
#include "Refuse.h"

#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir;

namespace drawloom::tt {
namespace {

class Recovery {
public:
  Recovery(const Kernel &kernel, const Linearizer &linearize)
      : kernel(kernel), linearize(linearize), objects(kernel, linearize) {}
  FailureOr<Arrays> run(ArrayRef<Access> accesses);

private:
  LogicalResult addArray(unsigned argument);
  std::pair<int64_t, int64_t> reach(unsigned d,
                                    ArrayRef<ArrayAccess *> accesses);
  LogicalResult setExtents(Array &array, ArrayRef<ArrayAccess *> accesses,
                           bool startsAtFirst);
  LogicalResult boundByObject(Array &array, ArrayRef<ArrayAccess *> accesses,
                              ArrayRef<unsigned> open);
  bool endsByMemory(const ArrayAccess &access, const Linear &subscript) const;
  bool covers(const Array &array, const ArrayAccess &store);
  bool joinRows(const Array &array, ArrayRef<ArrayAccess *> accesses,
                std::set<int64_t> &joined);

  const Kernel &kernel;
  const Linearizer &linearize;
  Objects objects;
  Arrays result;
};

} // namespace

FailureOr<Arrays> Recovery::run(ArrayRef<Access> accesses) {
  for (const Access &access : accesses)
    result.accesses.push_back(overGrid(kernel, linearize, access));
  for (unsigned argument = 0; argument < kernel.function.getNumArguments();
       ++argument)
    if (failed(addArray(argument)))
      return failure();
  if (failed(objects.mergeAliases(result)))
    return failure();
  return std::move(result);
}

/// What all accesses lie behind their pointer is where their array starts.
static int64_t takeCommonOffset(ArrayRef<ArrayAccess *> accesses) {
  int64_t common = std::numeric_limits<int64_t>::max();
  for (const ArrayAccess *access : accesses)
    common = std::clamp<int64_t>(access->address.constant, 0, common);
  for (ArrayAccess *access : accesses)
    access->address.constant -= common;
  return common;
}

LogicalResult Recovery::addArray(unsigned argument) {
  SmallVector<ArrayAccess *> accesses;
  for (ArrayAccess &access : result.accesses)
    if (access.access->argument == argument)
      accesses.push_back(&access);
  if (accesses.empty())
    return success();
  Array array;
  int64_t offset = takeCommonOffset(accesses);
  array = {argument, accesses.front()->access->element, offset, {}, {}};
  struct Way {
    bool stepsByMasks, startsAtFirst;
  };
  for (Way way : {Way{true, false}, {false, false}, {true, true}}) {
    std::set<int64_t> joined;
    do {
      array.offset = offset;
      array.shape.clear();
      array.strides =
          splitAddresses(accesses, linearize.symbolStart(),
                         linearize.laneStart(), joined, way.stepsByMasks);
      if (failed(setExtents(array, accesses, way.startsAtFirst)))
        return failure();
    } while (!objects.hold(array) && joinRows(array, accesses, joined));
    if (objects.hold(array))
      break;
  }
  for (ArrayAccess *access : accesses) {
    access->array = result.arrays.size();
    (access->access->isStore() ? array.written : array.read) = true;
    array.read |= access->access->readsToo();
    array.covered |= access->access->isStore() && covers(array, *access);
  }
  if (failed(objects.check(array, accesses)))
    return failure();
  result.arrays.push_back(array);
  return success();
}

/// Whether masks let an access touch anything.
static bool happens(const ArrayAccess &access) {
  return llvm::none_of(access.facts, [&](const Linear &fact) {
    return greatest(fact, access.extents, {}) < 0;
  });
}

/// The first and the last subscript of dimension d that accesses reach. What
/// only memory bounds starts at 0.
std::pair<int64_t, int64_t> Recovery::reach(unsigned d,
                                            ArrayRef<ArrayAccess *> accesses) {
  std::optional<int64_t> low;
  int64_t high = 0;
  for (ArrayAccess *access : accesses) {
    if (!happens(*access))
      continue;
    const Linear &subscript = access->subscripts[d];
    int64_t first = least(subscript, access->extents, access->facts);
    if (linearize.dependsOnMemory(subscript))
      first = 0;
    low = low ? std::min(*low, first) : first;
    high = std::max(high, greatest(subscript, access->extents, access->facts));
  }
  return {low.value_or(0), high};
}

/// The extents are what accesses reach from the argument's pointer; an array
/// that starts before it has a negative offset, and one whose rows would
/// overlap from there, or with `startsAtFirst`, starts where accesses do. Where
/// only memory knows what is reached, the argument's object bounds the array.
LogicalResult Recovery::setExtents(Array &array,
                                   ArrayRef<ArrayAccess *> accesses,
                                   bool startsAtFirst) {
  SmallVector<unsigned> open;
  for (auto [d, stride] : llvm::enumerate(array.strides)) {
    auto [first, high] = reach(d, accesses);
    int64_t low = std::min<int64_t>(first, 0);
    auto overlap = [&, high = high, d = d, stride = stride] {
      return d > 0 && (high - low) * stride >= array.strides[d - 1];
    };
    if (overlap() || startsAtFirst)
      low = first;
    for (ArrayAccess *access : accesses)
      access->subscripts[d].constant -= low;
    array.offset += low * stride;
    if (high >= Linearizer::kOpen / 2 ||
        ((overlap() || d == 0) && llvm::any_of(accesses, [&](auto *access) {
           return endsByMemory(*access, access->subscripts[d]);
         })))
      open.push_back(d);
    array.shape.push_back(high - low + 1);
  }
  return boundByObject(array, accesses, open);
}

/// Whether a bound from memory ends what a subscript reaches.
bool Recovery::endsByMemory(const ArrayAccess &access,
                            const Linear &subscript) const {
  auto meets = [&](const Linear &guard) {
    for (auto [s, g] : llvm::zip(subscript.factors, guard.factors))
      if ((s > 0 && g < 0) || (s < 0 && g > 0))
        return true;
    return false;
  };
  return llvm::any_of(access.guards, [&](const Linear &guard) {
    return linearize.dependsOnMemory(guard) && meets(guard);
  });
}

/// An inner dimension ends where the next one steps, the outermost with the
/// object.
LogicalResult Recovery::boundByObject(Array &array,
                                      ArrayRef<ArrayAccess *> accesses,
                                      ArrayRef<unsigned> open) {
  for (unsigned d : open)
    if (d > 0 && array.strides[d - 1] % array.strides[d] == 0)
      array.shape[d] =
          std::min(array.shape[d], array.strides[d - 1] / array.strides[d]);
  for (unsigned d : open) {
    if (d > 0 && array.strides[d - 1] % array.strides[d] == 0)
      continue;
    PointerArgument given = objects.pointer(array);
    if (given.high == 0 && array.shape[d] < Linearizer::kOpen / 2)
      continue;
    if (given.high == 0)
      return refuse(accesses.front()->access->op->getLoc(),
                    llvm::formatv("how far argument `{0}` is reached depends "
                                  "on data, and this launch does not say how "
                                  "large its object is; launch it on arrays",
                                  objects.argument(array).name)
                        .str());
    int64_t rest =
        int64_t(given.high - given.address) / Objects::elementBytes(array) - 1 -
        array.offset;
    for (auto [other, extent] : llvm::enumerate(array.shape))
      if (other != d && extent < Linearizer::kOpen / 2)
        rest -= (extent - 1) * array.strides[other];
    array.shape[d] = std::min(
        array.shape[d], std::max<int64_t>(rest, 0) / array.strides[d] + 1);
  }
  return success();
}

/// Whether a store writes every element: its indices are the digits of its
/// subscripts, each used once, and its guards are only the array's extents.
bool Recovery::covers(const Array &array, const ArrayAccess &store) {
  if (store.access->readsToo() || kernel.isConditional(store.access->op))
    return false;
  SmallVector<bool> used(store.extents.size(), false);
  for (Operation *op = store.access->op->getParentOp(); op;
       op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(op);
        loop && kernel.factsOf(loop).trips.constant().value_or(0) < 1)
      return false;
  for (unsigned v = linearize.symbolStart(); v < linearize.laneStart(); ++v)
    if (store.address.factors[v])
      return false;
  std::vector<Linear> allowed;
  for (auto [d, subscript] : llvm::enumerate(store.subscripts)) {
    SmallVector<std::pair<int64_t, unsigned>> digits;
    for (auto [variable, factor] : llvm::enumerate(subscript.factors))
      if (factor)
        digits.push_back({factor, variable});
    llvm::sort(digits);
    int64_t next = 1;
    for (auto [factor, variable] : digits) {
      if (used[variable] || factor != next)
        return false;
      used[variable] = true;
      next = factor * store.extents[variable];
    }
    if (subscript.constant != 0 || next < array.shape[d])
      return false;
    Linear bound = {array.shape[d] - 1, {}};
    for (int64_t factor : subscript.factors)
      bound.factors.push_back(-factor);
    allowed.push_back(bound);
  }
  return llvm::all_of(store.guards, [&](const Linear &guard) {
    return llvm::is_contained(allowed, guard);
  });
}

/// Rows that overlap reach further than their accesses, some of which walk the
/// rows and others all of them in one; rows whose elements only constants name
/// may end early. A smaller stride serves both. Whether there is one to try.
bool Recovery::joinRows(const Array &array, ArrayRef<ArrayAccess *> accesses,
                        std::set<int64_t> &joined) {
  for (unsigned d = 1; d < array.strides.size(); ++d) {
    bool overlaps =
        (array.shape[d] - 1) * array.strides[d] >= array.strides[d - 1];
    bool isWalked = llvm::any_of(accesses, [&](ArrayAccess *access) {
      return llvm::any_of(access->subscripts[d].factors,
                          [](int64_t factor) { return factor != 0; });
    });
    if ((overlaps || !isWalked) && joined.insert(array.strides[d - 1]).second)
      return true;
  }
  return false;
}

FailureOr<Arrays> recoverArrays(const Kernel &kernel, ArrayRef<Access> accesses,
                                const Linearizer &linearize) {
  return Recovery(kernel, linearize).run(accesses);
}

} // namespace drawloom::tt
