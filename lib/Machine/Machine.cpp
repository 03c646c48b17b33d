// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `df` dialect: registration, and the geometry of its components.
#include "drawloom/Machine/Machine.h"
#include "MachineSyntax.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom::df;

#include "drawloom/Machine/MachineDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "drawloom/Machine/MachineAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "drawloom/Machine/MachineTypes.cpp.inc"
#define GET_OP_CLASSES
#include "drawloom/Machine/MachineOps.cpp.inc"

void DfDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "drawloom/Machine/MachineOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "drawloom/Machine/MachineAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "drawloom/Machine/MachineTypes.cpp.inc"
      >();
}

SmallVector<int64_t> drawloom::df::extentsOf(Value component) {
  Operation *op = component.getDefiningOp();
  ValueRange dims =
      llvm::TypeSwitch<Operation *, ValueRange>(op)
          .Case<CoreOp, RouterOp, MemoryOp>(
              [](auto decl) -> ValueRange { return decl.getScaleout(); })
          .Default([](Operation *) { return ValueRange(); });
  return llvm::map_to_vector(dims, [](Value dim) -> int64_t {
    return dim.getDefiningOp<SpatialDimOp>().getSize();
  });
}

SmallVector<int64_t> drawloom::df::delinearize(int64_t index,
                                               ArrayRef<int64_t> extents) {
  SmallVector<int64_t> point;
  for (int64_t extent : extents) {
    point.push_back(index % extent);
    index /= extent;
  }
  return point;
}

int64_t drawloom::df::linearize(ArrayRef<int64_t> point,
                                ArrayRef<int64_t> extents) {
  int64_t index = 0;
  for (size_t axis = extents.size(); axis-- > 0;)
    index = index * extents[axis] + point[axis];
  return index;
}

FailureOr<SmallVector<int64_t>>
drawloom::df::evaluate(AffineMap map, ArrayRef<int64_t> point) {
  Builder builder(map.getContext());
  auto operands = llvm::map_to_vector(point, [&](int64_t value) -> Attribute {
    return builder.getIndexAttr(value);
  });
  SmallVector<Attribute> results;
  if (failed(map.constantFold(operands, results)))
    return failure();
  return llvm::map_to_vector(results, [](Attribute value) {
    return cast<IntegerAttr>(value).getInt();
  });
}

bool drawloom::df::contains(IntegerSet set, ArrayRef<int64_t> point) {
  auto map = AffineMap::get(set.getNumDims(), 0, set.getConstraints(),
                            set.getContext());
  auto values = evaluate(map, point);
  if (failed(values))
    return false;
  for (auto [position, value] : llvm::enumerate(*values))
    if (set.isEq(position) ? value != 0 : value < 0)
      return false;
  return true;
}

std::optional<unsigned> drawloom::df::movedAxis(AffineMap map) {
  std::optional<unsigned> moved;
  for (auto [axis, result] : llvm::enumerate(map.getResults())) {
    if (result == getAffineDimExpr(axis, map.getContext()))
      continue;
    if (moved)
      return std::nullopt;
    moved = axis;
  }
  return moved;
}

CoreOp MachineOp::getCore() {
  auto cores = getBody().getOps<CoreOp>();
  return *cores.begin();
}
