// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `tile` dialect: registration, attributes and containers.

#include "drawloom/Tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom::tile;

#include "drawloom/Tile/TileDialect.cpp.inc"
#include "drawloom/Tile/TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "drawloom/Tile/TileAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "drawloom/Tile/TileOps.cpp.inc"

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "drawloom/Tile/TileAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "drawloom/Tile/TileOps.cpp.inc"
      >();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() != kChunkAttr)
    return op->emitOpError("does not take the attribute `")
           << attribute.getName().getValue() << "`";
  auto chunk = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!isa<scf::ForOp>(op) || !chunk || chunk.getInt() < 1)
    return op->emitOpError("`tile.chunk` is a positive number of iterations "
                           "per delivery, on an `scf.for`");
  return success();
}

std::optional<drawloom::Format> drawloom::tile::formatOf(Type element) {
  if (element.isBF16())
    return drawloom::Format::BF16;
  if (element.isF16())
    return drawloom::Format::FP16;
  if (element.isF32())
    return drawloom::Format::FP32;
  if (element.isInteger(32))
    return drawloom::Format::I32;
  if (element.isInteger(64))
    return drawloom::Format::I64;
  if (element.isInteger(16))
    return drawloom::Format::U16;
  if (element.isInteger(8))
    return drawloom::Format::I8;
  if (element.isInteger(1))
    return drawloom::Format::U8;
  return std::nullopt;
}

int64_t drawloom::tile::chunkOf(Operation *loop) {
  auto chunk = loop->getAttrOfType<IntegerAttr>(kChunkAttr);
  return chunk ? chunk.getInt() : 1;
}

LogicalResult
PrecisionAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                      drawloom::Fidelity, Type dst, Operands operands) {
  if (!dst.isF32() && !dst.isBF16())
    return emitError() << "Dst holds f32 or bf16, not " << dst;
  if (operands == Operands::Exact && !dst.isF32())
    return emitError() << "exact operands need a Dst of f32: one of " << dst
                       << " rounds every sum of their parts";
  return success();
}

bool drawloom::tile::takesExactOperands(Operation *op) {
  auto program = isa<ProgramOp>(op) ? cast<ProgramOp>(op)
                                    : op->getParentOfType<ProgramOp>();
  auto precision = program ? program.getPrecisionAttr() : PrecisionAttr();
  return precision && precision.getOperands() == Operands::Exact;
}

bool drawloom::tile::isApproximate(Operation *op) {
  auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
  return flags && arith::bitEnumContainsAll(flags.getFastMathFlagsAttr().getValue(),
                                            arith::FastMathFlags::afn);
}

LogicalResult ProgramOp::verifyRegions() {
  for (Operation &op : *getBody().begin())
    if (!isa<ArrayOp, GridOp>(op) && !op.hasTrait<OpTrait::ConstantLike>())
      return op.emitOpError("may not stand in a tile.program: it holds arrays, "
                            "constants and grids");
  return success();
}

void ArrayOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getView(), getName());
}

LogicalResult ArrayOp::verify() {
  auto type = cast<MemRefType>(getView().getType());
  int64_t offset;
  SmallVector<int64_t> strides;
  if (!type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic) ||
      ShapedType::isDynamic(offset))
    return emitOpError("needs a static shape and static strides: a program is "
                       "specialised on its launch");
  if (auto rows = dyn_cast_or_null<RowsAttr>(getLayoutAttr()))
    if (rows.getElements() < 1)
      return emitOpError("needs at least one element in a page");
  return success();
}

/// Checks one digit and multiplies it into the capacity of its dimension.
static LogicalResult addDigit(GridOp grid, Attribute digit,
                              MutableArrayRef<int64_t> capacity) {
  int64_t dim, size;
  if (auto space = dyn_cast<SpaceAttr>(digit)) {
    dim = space.getDim(), size = space.getSize();
  } else if (auto wave = dyn_cast<WaveAttr>(digit)) {
    dim = wave.getDim(), size = wave.getSize();
  } else {
    return grid.emitOpError("maps with #tile.space and #tile.wave digits, not ")
           << digit;
  }
  if (dim < 0 || dim >= static_cast<int64_t>(capacity.size()) || size < 1)
    return grid.emitOpError("has no dimension for the digit ") << digit;
  capacity[dim] *= size;
  return success();
}

void GridOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  static const StringRef names[] = {"i", "j", "k"};
  for (BlockArgument index : region.getArguments())
    if (index.getArgNumber() < std::size(names))
      setName(index, names[index.getArgNumber()]);
}

LogicalResult GridOp::verifyRegions() {
  ArrayRef<int64_t> extents = getExtents();
  Block &body = getBody().front();
  if (body.getNumArguments() != extents.size() ||
      !llvm::all_of(body.getArgumentTypes(),
                    [](Type t) { return t.isIndex(); }))
    return emitOpError("needs one index per extent as arguments of its body");
  if (llvm::any_of(extents, [](int64_t extent) { return extent < 1; }))
    return emitOpError("needs positive extents");
  auto ordered = getOrdered();
  for (int64_t dim : ordered.value_or(ArrayRef<int64_t>()))
    if (dim < 0 || dim >= static_cast<int64_t>(extents.size()))
      return emitOpError("orders dimension ")
             << dim << ", which it does not have";
  if (!getMappingAttr())
    return success();
  SmallVector<int64_t> capacity(extents.size(), 1);
  for (Attribute digit : getMappingAttr())
    if (failed(addDigit(*this, digit, capacity)))
      return failure();
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (capacity[dim] < extent)
      return emitOpError("maps ")
             << capacity[dim] << " of the " << extent << " points of dimension "
             << dim << ": the product of its digits must cover its extent";
  return success();
}

//===-- Scans ---------------------------------------------------------------//

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

LogicalResult ScanOp::verifyRegions() {
  if (getTiles().empty())
    return emitOpError("needs a tile to scan");
  auto first = cast<RankedTensorType>(getTiles().front().getType());
  int64_t axis = getAxis();
  if (axis < 0 || axis >= first.getRank())
    return emitOpError("scans along axis ") << axis << " of " << first;
  SmallVector<Type> elements;
  for (Value tile : getTiles()) {
    auto type = cast<RankedTensorType>(tile.getType());
    if (type.getShape() != first.getShape())
      return emitOpError("scans tiles of one shape, not ")
             << first << " and " << type;
    elements.push_back(type.getElementType());
  }
  Block &body = getCombiner().front();
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield || !llvm::equal(yield.getOperandTypes(), elements))
    return emitOpError("needs a body that yields one element for each tile");
  llvm::append_range(elements, llvm::to_vector(elements));
  if (!llvm::equal(body.getArgumentTypes(), elements))
    return emitOpError(
        "needs a body that takes the results so far, then the new elements");
  return success();
}
