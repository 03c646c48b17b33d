// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays: their extents from what accesses reach, checked against the launch.

#include "Arrays.h"
#include "Refuse.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace drawloom::tt {
namespace {

class Recovery {
public:
  Recovery(const Kernel &kernel, const Linearizer &linearize)
      : kernel(kernel), linearize(linearize) {}
  FailureOr<Arrays> run(ArrayRef<Access> accesses);

private:
  ArrayAccess linear(const Access &access);
  LogicalResult addArray(unsigned argument);
  void setExtents(Array &array, ArrayRef<ArrayAccess *> accesses);
  bool covers(const Array &array, const ArrayAccess &store);
  LogicalResult checkOverlap(const Array &array,
                             ArrayRef<ArrayAccess *> accesses);
  LogicalResult checkObject(const Array &array,
                            ArrayRef<ArrayAccess *> accesses);
  LogicalResult mergeAliases();

  const LaunchArgument &launched(const Array &array) {
    return kernel.launch.arguments[kernel.argumentPositions[array.argument]];
  }
  PointerArgument pointer(const Array &array) {
    return std::get<PointerArgument>(launched(array).value);
  }
  int64_t bytes(const Array &array) {
    return (array.element.getIntOrFloatBitWidth() + 7) / 8;
  }
  /// First and last element the array has, from its pointer.
  std::pair<int64_t, int64_t> span(const Array &array);

  const Kernel &kernel;
  const Linearizer &linearize;
  Arrays result;
};

} // namespace

/// The access over the box of programs. A loop whose trip count varies gives
/// facts of its own.
ArrayAccess Recovery::linear(const Access &access) {
  ArrayAccess converted = {&access, linearize(access.offset),        {},
                           {},      linearize.extents(access.shape), 0,
                           {}};
  for (const IndexExpr &bound : access.bounds) {
    Linear form = linearize(bound);
    converted.facts.push_back(form);
    if (least(form, converted.extents, {}) < 0 &&
        !llvm::is_contained(converted.guards, form))
      converted.guards.push_back(form);
  }
  for (const IndexExpr &bound : access.implied)
    if (auto form = linearize.attempt(bound))
      converted.facts.push_back(*form);
  for (Operation *op = access.op->getParentOp(); op; op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || kernel.factsOf(loop).trips.constant())
      continue;
    Linear remaining = linearize(kernel.factsOf(loop).trips);
    remaining.constant -= 1;
    remaining.factors.resize(converted.extents.size(), 0);
    remaining.factors[linearize.loopStart() + kernel.factsOf(loop).number] -= 1;
    converted.facts.push_back(remaining);
  }
  return converted;
}

FailureOr<Arrays> Recovery::run(ArrayRef<Access> accesses) {
  for (const Access &access : accesses)
    result.accesses.push_back(linear(access));
  for (unsigned argument = 0; argument < kernel.function.getNumArguments();
       ++argument)
    if (failed(addArray(argument)))
      return failure();
  if (failed(mergeAliases()))
    return failure();
  return std::move(result);
}

LogicalResult Recovery::addArray(unsigned argument) {
  SmallVector<ArrayAccess *> accesses;
  for (ArrayAccess &access : result.accesses)
    if (access.access->argument == argument)
      accesses.push_back(&access);
  if (accesses.empty())
    return success();
  Array array = {argument, accesses.front()->access->element, 0, {}, {}};
  array.strides = splitAddresses(accesses, linearize.laneStart());
  setExtents(array, accesses);
  for (ArrayAccess *access : accesses) {
    access->array = result.arrays.size();
    (access->access->isStore() ? array.written : array.read) = true;
    array.covered |= access->access->isStore() && covers(array, *access);
  }
  if (failed(checkOverlap(array, accesses)) ||
      failed(checkObject(array, accesses)))
    return failure();
  result.arrays.push_back(array);
  return success();
}

/// The extents are what accesses reach; an array that starts before its
/// argument's pointer has a negative offset.
void Recovery::setExtents(Array &array, ArrayRef<ArrayAccess *> accesses) {
  for (auto [d, stride] : llvm::enumerate(array.strides)) {
    int64_t low = 0, high = 0;
    for (ArrayAccess *access : accesses) {
      low = std::min(
          low, least(access->subscripts[d], access->extents, access->facts));
      high = std::max(high, greatest(access->subscripts[d], access->extents,
                                     access->facts));
    }
    for (ArrayAccess *access : accesses)
      access->subscripts[d].constant -= low;
    array.offset += low * stride;
    array.shape.push_back(high - low + 1);
  }
}

/// Whether a store writes every element: its indices are the digits of its
/// subscripts, each used once, and its guards are only the array's extents.
bool Recovery::covers(const Array &array, const ArrayAccess &store) {
  SmallVector<bool> used(store.extents.size(), false);
  for (Operation *op = store.access->op->getParentOp(); op;
       op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(op);
        loop && kernel.factsOf(loop).trips.constant().value_or(0) < 1)
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

/// Two subscripts may not name one element of an array that is written.
LogicalResult Recovery::checkOverlap(const Array &array,
                                     ArrayRef<ArrayAccess *> accesses) {
  int64_t span = 0;
  for (int64_t d = int64_t(array.strides.size()) - 1; d >= 0; --d) {
    if (span >= array.strides[d] && array.shape[d] > 1 && array.written)
      return refuse(accesses.front()->access->op->getLoc(),
                    llvm::formatv("argument `{0}` is written, and its rows "
                                  "overlap: a row of {1} elements "
                                  "at stride {2}; mask the accesses to the "
                                  "row, or pass its true stride",
                                  launched(array).name, span + 1,
                                  array.strides[d])
                        .str());
    span += (array.shape[d] - 1) * array.strides[d];
  }
  return success();
}

std::pair<int64_t, int64_t> Recovery::span(const Array &array) {
  int64_t last = array.offset;
  for (auto [extent, stride] : llvm::zip(array.shape, array.strides))
    last += (extent - 1) * stride;
  return {array.offset, last};
}

LogicalResult Recovery::checkObject(const Array &array,
                                    ArrayRef<ArrayAccess *> accesses) {
  PointerArgument given = pointer(array);
  auto [first, last] = span(array);
  if (given.high == 0)
    return success();
  __int128 low = __int128(given.address) + __int128(first) * bytes(array);
  __int128 high = __int128(given.address) + (__int128(last) + 1) * bytes(array);
  if (low >= given.low && high <= given.high)
    return success();
  std::string shape;
  llvm::raw_string_ostream os(shape);
  llvm::interleave(array.shape, os, "x");
  return refuse(accesses.front()->access->op->getLoc(),
                llvm::formatv("argument `{0}`: the kernel reaches bytes {1} to "
                              "{2} from its pointer (an array "
                              "of {3}x{4} bytes), but its object has bytes {5} "
                              "to {6}; pass a larger array or "
                              "mask the access",
                              launched(array).name, first * bytes(array),
                              (last + 1) * bytes(array), shape, bytes(array),
                              int64_t(given.low - given.address),
                              int64_t(given.high - given.address))
                    .str());
}

/// Arguments that share memory: one array when they see it alike; no matter
/// when nobody writes; else an error.
LogicalResult Recovery::mergeAliases() {
  SmallVector<unsigned> target =
      llvm::to_vector(llvm::seq<unsigned>(result.arrays.size()));
  for (unsigned j = 0; j < result.arrays.size(); ++j)
    for (unsigned i = 0; i < j; ++i) {
      Array &a = result.arrays[i], &b = result.arrays[j];
      PointerArgument pa = pointer(a), pb = pointer(b);
      if (target[i] != i || target[j] != j || pa.high == 0 || pb.high == 0 ||
          !(a.written || b.written))
        continue;
      auto [firstA, lastA] = span(a);
      auto [firstB, lastB] = span(b);
      __int128 startA = __int128(pa.address) + firstA * bytes(a),
               startB = __int128(pb.address) + firstB * bytes(b);
      __int128 endA = startA + (lastA - firstA + 1) * bytes(a),
               endB = startB + (lastB - firstB + 1) * bytes(b);
      if (endA <= startB || endB <= startA)
        continue;
      if (startA != startB || a.shape != b.shape || a.strides != b.strides ||
          a.element != b.element)
        return refuse(kernel.function.getLoc(),
                      llvm::formatv("arguments `{0}` and `{1}` share memory "
                                    "that the kernel writes, but see it "
                                    "as different arrays; pass arrays that do "
                                    "not overlap, or the same array",
                                    launched(a).name, launched(b).name)
                          .str());
      a.read |= b.read, a.written |= b.written, a.covered |= b.covered;
      target[j] = i;
    }
  for (ArrayAccess &access : result.accesses)
    access.array = target[access.array];
  return success();
}

FailureOr<Arrays> recoverArrays(const Kernel &kernel, ArrayRef<Access> accesses,
                                const Linearizer &linearize) {
  return Recovery(kernel, linearize).run(accesses);
}

} // namespace drawloom::tt
