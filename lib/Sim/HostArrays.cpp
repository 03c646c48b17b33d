// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks an array's elements in order and finds each in its page.
#include "HostArrays.h"

#include "drawloom/Sim/Numbers/Registers.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;

namespace drawloom::sim {

namespace {
/// The array as rows of its last dimension.
class RowWalk {
public:
  explicit RowWalk(const ArrayInfo &array) : array(array) {
    auto [strides, offset] = array.view.getStridesAndOffset();
    this->strides = strides;
    this->offset = offset;
    shape = llvm::to_vector(array.view.getShape());
    if (shape.empty()) {
      shape = {1};
      this->strides = {1};
    }
  }

  int64_t elements() const { return llvm::product_of(shape); }

  /// Whether the elements lie in the pages as the caller has them: row-major
  /// without gaps, the last page of a row full unless it is the last of all.
  bool isInOrder() const {
    if (!array.rowElements)
      return false;
    int64_t dense = 1;
    for (size_t dim = shape.size(); dim-- > 0; dense *= shape[dim])
      if (shape[dim] != 1 && strides[dim] != dense)
        return false;
    return width() % array.rowElements == 0 || elements() == width();
  }

  int64_t width() const { return shape.back(); }
  int64_t stride() const { return strides.back(); }

  /// Calls `visit(row, element)` for each row: its index over all outer
  /// dimensions and the caller's element it starts at.
  template <typename Visit> void forEachRow(Visit visit) const {
    int64_t rows = 1;
    for (int64_t size : llvm::ArrayRef(shape).drop_back())
      rows *= size;
    for (int64_t row = 0; row < rows; ++row) {
      int64_t element = offset, rest = row;
      for (size_t dim = shape.size() - 1; dim-- > 0; rest /= shape[dim])
        element += rest % shape[dim] * strides[dim];
      visit(row, element);
    }
  }

  /// Element of the pages, counted from the first page's first, that column 0
  /// of `row` is, and the distance of column `column` from it.
  int64_t pageElement(int64_t row, int64_t column) const {
    return array.rowElements ? rowElement(row, column)
                             : tileElement(row, column);
  }

private:
  int64_t rowElement(int64_t row, int64_t column) const {
    int64_t pages = llvm::divideCeil(width(), array.rowElements);
    return (row * pages + column / array.rowElements) * array.rowElements +
           column % array.rowElements;
  }

  int64_t tileElement(int64_t row, int64_t column) const {
    int64_t height = shape.size() > 1 ? shape[shape.size() - 2] : 1;
    int64_t outer = row / height, y = row % height;
    int64_t tileRows = llvm::divideCeil(height, kTileSide);
    int64_t tileColumns = llvm::divideCeil(width(), kTileSide);
    int64_t tile =
        (outer * tileRows + y / kTileSide) * tileColumns + column / kTileSide;
    return tile * kTileElements +
           faceOrderIndex(y % kTileSide, column % kTileSide);
  }

  const ArrayInfo &array;
  llvm::SmallVector<int64_t> shape, strides;
  int64_t offset;
};

/// Calls `copy(byte in the pages, byte from the argument, bytes)` for all
/// elements, as many at once as lie together in both.
template <typename Copy> void forEachRun(const ArrayInfo &array, Copy copy) {
  RowWalk walk(array);
  int64_t size = array.elementBytes;
  int64_t run = walk.stride() != 1  ? 1
                : array.rowElements ? array.rowElements
                                    : kFaceSide;
  walk.forEachRow([&](int64_t row, int64_t element) {
    for (int64_t column = 0; column < walk.width(); column += run)
      copy(walk.pageElement(row, column) * size,
           (element + column * walk.stride()) * size,
           std::min(run, walk.width() - column) * size);
  });
}
} // namespace

std::vector<std::byte> uploadArray(const ArrayInfo &array,
                                   const std::byte *argument) {
  std::vector<std::byte> pages(array.pages * array.pageBytes, kPoison);
  forEachRun(array, [&](int64_t to, int64_t from, int64_t bytes) {
    std::memcpy(pages.data() + to, argument + from, bytes);
  });
  return pages;
}

void downloadArray(const ArrayInfo &array, const std::vector<std::byte> &pages,
                   std::byte *argument) {
  forEachRun(array, [&](int64_t from, int64_t to, int64_t bytes) {
    std::memcpy(argument + to, pages.data() + from, bytes);
  });
}

int64_t convertedBytes(const ArrayInfo &array) {
  RowWalk walk(array);
  return walk.isInOrder() ? 0 : walk.elements() * array.elementBytes;
}

} // namespace drawloom::sim
