// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recovered arrays against the objects that the launch's pointers lie in.

#include "Objects.h"
#include "Refuse.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace drawloom::tt {

/// First and last element the array has, from its pointer.
static std::pair<int64_t, int64_t> span(const Array &array) {
  int64_t last = array.offset;
  for (auto [extent, stride] : llvm::zip(array.shape, array.strides))
    last += (extent - 1) * stride;
  return {array.offset, last};
}

/// Where an element begins, counted from the argument's pointer.
__int128 Objects::byteAt(const Array &array, int64_t element) const {
  return __int128(pointer(array).address) +
         __int128(element) * elementBytes(array);
}

bool Objects::hold(const Array &array) const {
  PointerArgument given = pointer(array);
  auto [first, last] = span(array);
  return given.high == 0 || (byteAt(array, first) >= given.low &&
                             byteAt(array, last + 1) <= given.high);
}

/// Whether it is for memory to say that the object ends too early: loads reach
/// no further where the indices they look up are small. A launch has nothing
/// behind the object's end.
bool Objects::mayHold(Array array, ArrayRef<ArrayAccess *> accesses) const {
  if (array.written || array.offset < 0)
    return false;
  for (auto [d, extent] : llvm::enumerate(array.shape))
    if (llvm::any_of(accesses, [&, d = d](ArrayAccess *access) {
          return linearize.dependsOnMemory(access->subscripts[d]);
        }))
      extent = 1;
  return hold(array);
}

LogicalResult Objects::check(const Array &array,
                             ArrayRef<ArrayAccess *> accesses) const {
  if (failed(checkWritable(array, accesses)) ||
      failed(checkOverlap(array, accesses)))
    return failure();
  return checkExtent(array, accesses);
}

LogicalResult Objects::checkWritable(const Array &array,
                                     ArrayRef<ArrayAccess *> accesses) const {
  if (pointer(array).writable)
    return success();
  for (ArrayAccess *access : accesses)
    if (access->access->isStore())
      return refuse(access->access->op->getLoc(),
                    llvm::formatv("stores to argument `{0}`, a read-only "
                                  "array; pass a copy that may be written",
                                  argument(array).name)
                        .str());
  return success();
}

/// Two subscripts may not name one element of an array that is written.
LogicalResult Objects::checkOverlap(const Array &array,
                                    ArrayRef<ArrayAccess *> accesses) const {
  int64_t span = 0;
  for (int64_t d = int64_t(array.strides.size()) - 1; d >= 0; --d) {
    if (span >= array.strides[d] && array.shape[d] > 1 && array.written)
      return refuse(accesses.front()->access->op->getLoc(),
                    llvm::formatv("argument `{0}` is written, and its rows "
                                  "overlap: a row of {1} elements "
                                  "at stride {2}; mask the accesses to the "
                                  "row, or pass its true stride",
                                  argument(array).name, span + 1,
                                  array.strides[d])
                        .str());
    span += (array.shape[d] - 1) * array.strides[d];
  }
  return success();
}

LogicalResult Objects::checkExtent(const Array &array,
                                   ArrayRef<ArrayAccess *> accesses) const {
  if (hold(array) || mayHold(array, accesses))
    return success();
  PointerArgument given = pointer(array);
  auto [first, last] = span(array);
  std::string shape;
  llvm::raw_string_ostream os(shape);
  llvm::interleave(array.shape, os, "x");
  bool isChosen = llvm::any_of(accesses, [](ArrayAccess *access) {
    return access->access->choice || !access->access->masks.empty();
  });
  StringRef advice =
      isChosen ? "a mask by data, or one that compares several axes at once, "
                 "does not bound it: pass a larger array, or mask each axis"
               : "pass a larger array or mask the access";
  return refuse(accesses.front()->access->op->getLoc(),
                llvm::formatv("argument `{0}`: the kernel reaches bytes {1} to "
                              "{2} from its pointer (an array "
                              "of {3}x{4} bytes), but its object has bytes {5} "
                              "to {6}; {7}",
                              argument(array).name, first * elementBytes(array),
                              (last + 1) * elementBytes(array), shape,
                              elementBytes(array),
                              int64_t(given.low - given.address),
                              int64_t(given.high - given.address), advice)
                    .str());
}

bool Objects::shareMemory(const Array &a, const Array &b) const {
  if (pointer(a).high == 0 || pointer(b).high == 0)
    return false;
  auto [firstA, lastA] = span(a);
  auto [firstB, lastB] = span(b);
  return byteAt(a, lastA + 1) > byteAt(b, firstB) &&
         byteAt(b, lastB + 1) > byteAt(a, firstA);
}

LogicalResult Objects::mergeAliases(Arrays &all) const {
  auto target = llvm::to_vector(llvm::seq<unsigned>(all.arrays.size()));
  for (unsigned j = 0; j < all.arrays.size(); ++j)
    for (unsigned i = 0; i < j; ++i) {
      Array &a = all.arrays[i], &b = all.arrays[j];
      if (target[i] != i || target[j] != j || !(a.written || b.written) ||
          !shareMemory(a, b))
        continue;
      if (byteAt(a, a.offset) != byteAt(b, b.offset) || a.shape != b.shape ||
          a.strides != b.strides || a.element != b.element)
        return refuse(kernel.function.getLoc(),
                      llvm::formatv("arguments `{0}` and `{1}` share memory "
                                    "that the kernel writes, but see it "
                                    "as different arrays; pass arrays that do "
                                    "not overlap, or the same array",
                                    argument(a).name, argument(b).name)
                          .str());
      a.read |= b.read, a.written |= b.written, a.covered |= b.covered;
      target[j] = i;
    }
  for (ArrayAccess &access : all.accesses)
    access.array = target[access.array];
  return success();
}

} // namespace drawloom::tt
