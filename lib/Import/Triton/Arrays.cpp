// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays: their extents from what accesses reach, checked against the launch.

#include "Arrays.h"
#include "Refuse.h"

#include "llvm/Support/FormatVariadic.h"
#include <set>

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
  void endWithObject(const Access &access, ArrayAccess &converted);
  void addConditions(const Access &access, ArrayAccess &converted);
  void boundQuotients(ArrayAccess &converted);
  std::pair<int64_t, int64_t> reach(unsigned d,
                                    ArrayRef<ArrayAccess *> accesses);
  LogicalResult setExtents(Array &array, ArrayRef<ArrayAccess *> accesses,
                           bool startsAtFirst);
  LogicalResult boundByObject(Array &array, ArrayRef<ArrayAccess *> accesses,
                              ArrayRef<unsigned> open);
  bool dependsOnMemory(const Linear &form) const;
  bool endsByMemory(const ArrayAccess &access, const Linear &subscript) const;
  bool covers(const Array &array, const ArrayAccess &store);
  LogicalResult checkOverlap(const Array &array,
                             ArrayRef<ArrayAccess *> accesses);
  bool joinRows(const Array &array, ArrayRef<ArrayAccess *> accesses,
                std::set<int64_t> &joined);
  bool fitsObject(const Array &array);
  bool mayFitObject(Array array, ArrayRef<ArrayAccess *> accesses);
  LogicalResult checkWritable(const Array &array,
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
    bool holds =
        least(form, converted.extents, {}) >= 0 && !dependsOnMemory(form);
    if (!holds && !llvm::is_contained(converted.guards, form))
      converted.guards.push_back(form);
  }
  for (const IndexExpr &bound : access.implied)
    if (auto form = linearize.attempt(bound))
      converted.facts.push_back(*form);
  for (Operation *op = access.op->getParentOp(); op; op = op->getParentOp()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || kernel.isFlattened(loop) ||
        kernel.factsOf(loop).trips.constant())
      continue;
    const LoopFacts &facts = kernel.factsOf(loop);
    unsigned variable = linearize.loopStart() + facts.number;
    auto addFact = [&](Linear remaining, int64_t step) {
      remaining.constant -= 1;
      remaining.factors.resize(converted.extents.size(), 0);
      remaining.factors[variable] -= step;
      converted.facts.push_back(remaining);
    };
    for (const Linear &trips : linearize.tripsOf(facts))
      addFact(trips, 1);
    for (const IndexExpr &span : facts.spans)
      if (auto form = linearize.attempt(span))
        addFact(*form, facts.step);
  }
  addConditions(access, converted);
  boundQuotients(converted);
  if (access.choice)
    endWithObject(access, converted);
  return converted;
}

/// What masks say of an index holds for its quotients.
void Recovery::boundQuotients(ArrayAccess &converted) {
  unsigned rank = converted.extents.size() - linearize.laneStart();
  for (unsigned v = linearize.symbolStart(); v < linearize.laneStart(); ++v) {
    const Symbol &symbol = linearize.symbolOf(v);
    if (!converted.address.factors[v] || !symbol.extent || symbol.isRemainder)
      continue;
    auto inner =
        symbol.inner ? linearize.innerOf(v, rank) : std::optional<Linear>();
    int64_t last = inner ? greatest(*inner, converted.extents, converted.facts)
                         : std::numeric_limits<int64_t>::max();
    int64_t &extent = converted.extents[v];
    extent = std::min(extent, std::max<int64_t>(last, 0) / symbol.divisor + 1);
  }
}

/// Lanes beyond the argument's object are masked by what is not known of the
/// mask: the kernel may not touch them.
void Recovery::endWithObject(const Access &access, ArrayAccess &converted) {
  const LaunchArgument &launched =
      kernel.launch.arguments[kernel.argumentPositions[access.argument]];
  auto given = std::get<PointerArgument>(launched.value);
  auto axis = laneAxisOf(access.offset);
  if (given.high == 0 || !axis)
    return;
  int64_t bytes = (access.element.getIntOrFloatBitWidth() + 7) / 8;
  int64_t last = int64_t(given.high - given.address) / bytes - 1;
  if (greatest(converted.address, converted.extents, converted.facts) <= last)
    return;
  Linear bound = {last - converted.address.constant, {}};
  for (int64_t factor : converted.address.factors)
    bound.factors.push_back(-factor);
  converted.guards.push_back(bound);
  converted.facts.push_back(bound);
}

/// What the `if`s and early returns around an access say.
void Recovery::addConditions(const Access &access, ArrayAccess &converted) {
  for (Block *block = access.op->getBlock(); block;
       block = block->getParentOp()->getBlock()) {
    if (const Condition *condition = kernel.holdsIn(block))
      for (const IndexExpr &term : condition->terms)
        if (auto form = linearize.attempt(term)) {
          form->factors.resize(converted.extents.size(), 0);
          converted.facts.push_back(*form);
        }
    if (block->getParentOp() == kernel.function)
      return;
  }
}

/// Whether a form has a part that only memory bounds, or knows.
bool Recovery::dependsOnMemory(const Linear &form) const {
  for (unsigned v = linearize.symbolStart(); v < linearize.laneStart(); ++v)
    if (form.factors[v] && !linearize.symbolOf(v).extent)
      return true;
  return false;
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
    } while (!fitsObject(array) && joinRows(array, accesses, joined));
    if (fitsObject(array))
      break;
  }
  for (ArrayAccess *access : accesses) {
    access->array = result.arrays.size();
    (access->access->isStore() ? array.written : array.read) = true;
    array.read |= access->access->readsToo();
    array.covered |= access->access->isStore() && covers(array, *access);
  }
  if (failed(checkWritable(array, accesses)) ||
      failed(checkOverlap(array, accesses)) ||
      failed(checkObject(array, accesses)))
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
    if (dependsOnMemory(subscript))
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
    return dependsOnMemory(guard) && meets(guard);
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
    PointerArgument given = pointer(array);
    if (given.high == 0 && array.shape[d] < Linearizer::kOpen / 2)
      continue;
    if (given.high == 0)
      return refuse(accesses.front()->access->op->getLoc(),
                    llvm::formatv("how far argument `{0}` is reached depends "
                                  "on data, and this launch does not say how "
                                  "large its object is; launch it on arrays",
                                  launched(array).name)
                        .str());
    int64_t rest =
        int64_t(given.high - given.address) / bytes(array) - 1 - array.offset;
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

LogicalResult Recovery::checkWritable(const Array &array,
                                      ArrayRef<ArrayAccess *> accesses) {
  if (pointer(array).writable)
    return success();
  for (ArrayAccess *access : accesses)
    if (access->access->isStore())
      return refuse(access->access->op->getLoc(),
                    llvm::formatv("stores to argument `{0}`, a read-only "
                                  "array; pass a copy that may be written",
                                  launched(array).name)
                        .str());
  return success();
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

bool Recovery::fitsObject(const Array &array) {
  PointerArgument given = pointer(array);
  auto [first, last] = span(array);
  if (given.high == 0)
    return true;
  __int128 low = __int128(given.address) + __int128(first) * bytes(array);
  __int128 high = __int128(given.address) + (__int128(last) + 1) * bytes(array);
  return low >= given.low && high <= given.high;
}

/// Whether it is for memory to say that the object ends too early: loads reach
/// no further where the indices they look up are small. A launch has nothing
/// behind the object's end.
bool Recovery::mayFitObject(Array array, ArrayRef<ArrayAccess *> accesses) {
  if (array.written || array.offset < 0)
    return false;
  for (auto [d, extent] : llvm::enumerate(array.shape))
    if (llvm::any_of(accesses, [&, d = d](ArrayAccess *access) {
          return dependsOnMemory(access->subscripts[d]);
        }))
      extent = 1;
  return fitsObject(array);
}

LogicalResult Recovery::checkObject(const Array &array,
                                    ArrayRef<ArrayAccess *> accesses) {
  if (fitsObject(array) || mayFitObject(array, accesses))
    return success();
  PointerArgument given = pointer(array);
  auto [first, last] = span(array);
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
