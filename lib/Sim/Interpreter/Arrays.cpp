// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a program while it runs.

#include "Arrays.h"
#include "Elements.h"
#include <atomic>

using namespace mlir;
using namespace drawloom;

//===-- One written argument ------------------------------------------------//

void WrittenArgument::startGrid(Visit first, bool alsoRead) {
  gridStart = first;
  reader.assign(alsoRead ? value.size() : 0, 0);
}

bool WrittenArgument::write(int64_t element, Approx x, Visit visit) {
  int64_t i = element - low;
  // Points on other threads may write the same element: whoever comes second
  // must see the first.
  Visit last =
      std::atomic_ref(writer[i]).exchange(visit, std::memory_order_relaxed);
  if (isOtherPoint(last, visit))
    return false;
  value[i] = x.value, error[i] = x.error;
  return reader.empty() || !isOtherPoint(reader[i], visit);
}

bool WrittenArgument::read(int64_t element, Approx &x, Visit visit) {
  int64_t i = element - low;
  x = {value[i], error[i]};
  if (reader.empty())
    return true;
  reader[i] = isOtherPoint(reader[i], visit) ? kSeveral : visit;
  return !isOtherPoint(writer[i], visit);
}

//===-- All arrays ----------------------------------------------------------//

/// Calls `visit(element)` for each element of an array, row-major.
template <typename F> static void forEachElement(MemRefType type, F visit) {
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<int64_t> at(type.getRank(), 0);
  int64_t element = offset;
  for (int64_t i = 0, end = type.getNumElements(); i < end; ++i) {
    visit(element);
    for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
      element += strides[axis];
      if (++at[axis] < type.getDimSize(axis))
        break;
      element -= strides[axis] * at[axis];
      at[axis] = 0;
    }
  }
}

/// First and last element of an array from its argument's base.
static std::pair<int64_t, int64_t> span(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t low = offset, high = offset;
  for (auto [stride, size] : llvm::zip_equal(strides, type.getShape()))
    (stride < 0 ? low : high) += stride * (size - 1);
  return {low, high};
}

FailureOr<Arrays> Arrays::create(tile::ProgramOp program,
                                 ArrayRef<ArrayMemory> memory) {
  Arrays result;
  for (auto op : program.getBody().getOps<tile::ArrayOp>()) {
    if (result.arrays.size() == memory.size())
      return program.emitError("has more arrays than the ")
             << memory.size() << " given";
    auto type = cast<MemRefType>(op.getView().getType());
    if (!isReadable(type.getElementType()))
      return op.emitError("the interpreter does not read elements of type ")
             << type.getElementType();
    result.index[op.getView()] = result.arrays.size();
    result.arrays.push_back(
        {op, type, memory[result.arrays.size()].base, nullptr});
  }
  for (ProgramArray &array : result.arrays)
    if (array.op.getRole() != tile::Role::In)
      result.addWritten(array.op.getArgument());
  return result;
}

void Arrays::addWritten(int64_t argument) {
  auto &slot = written[argument];
  if (slot)
    return;
  int64_t low = INT64_MAX, high = INT64_MIN;
  auto shares = [&](ProgramArray &array) {
    return static_cast<int64_t>(array.op.getArgument()) == argument;
  };
  for (ProgramArray &array : llvm::make_filter_range(arrays, shares)) {
    auto [first, last] = span(array.type);
    low = std::min(low, first), high = std::max(high, last);
  }
  slot = std::make_unique<WrittenArgument>(low, high + 1);
  for (ProgramArray &array : llvm::make_filter_range(arrays, shares)) {
    array.written = slot.get();
    forEachElement(array.type, [&](int64_t element) {
      double original;
      readElements(array.type.getElementType(), array.base, element, 1, 1,
                   &original);
      slot->fill(element, original);
    });
  }
}

bool Arrays::startGrid(tile::GridOp grid, Visit first) {
  llvm::SmallPtrSet<WrittenArgument *, 4> writes, reads;
  grid.walk([&](tile::StoreOp store) {
    writes.insert((*this)[store.getArray()].written);
  });
  grid.walk([&](tile::LoadOp load) {
    reads.insert((*this)[load.getArray()].written);
  });
  grid.walk([&](tile::ReadOp read) {
    reads.insert((*this)[read.getArray()].written);
  });
  bool oneThread = grid.getOrdered().has_value();
  for (auto &[argument, slot] : written) {
    bool both = writes.contains(slot.get()) && reads.contains(slot.get());
    slot->startGrid(first, both);
    oneThread |= both;
  }
  return oneThread;
}

std::vector<Reference> Arrays::references() const {
  std::vector<Reference> result;
  for (const ProgramArray &array : arrays) {
    tile::ArrayOp op = array.op;
    if (op.getRole() == tile::Role::In)
      continue;
    Reference reference{op, {}, {}, {}};
    forEachElement(array.type, [&](int64_t element) {
      Approx x = array.written->get(element);
      reference.value.push_back(x.value);
      reference.bound.push_back(x.error);
      reference.written.push_back(array.written->isWritten(element));
    });
    result.push_back(std::move(reference));
  }
  return result;
}
