// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `tile` dialect's accesses: syntax and verifiers of load, store and mask.

#include "drawloom/Tile/NamedMap.h"
#include "drawloom/Tile/Tile.h"

using namespace mlir;
using namespace drawloom::tile;

namespace {
/// The parts that every access prints: operands, map and bounds.
struct AccessSyntax {
  SmallVector<OpAsmParser::UnresolvedOperand> at;
};
} // namespace

//===-- Printing ------------------------------------------------------------//

static void printAt(OpAsmPrinter &printer, ValueRange at) {
  printer << "[";
  printer.printOperands(at);
  printer << "]";
}

static void printBounds(OpAsmPrinter &printer, IntegerSet set,
                        ArrayRef<std::string> names) {
  printer << " where ";
  printSet(printer.getStream(), set, names);
}

static unsigned laneRank(Type tile) { return cast<RankedTensorType>(tile).getRank(); }

void LoadOp::print(OpAsmPrinter &printer) {
  auto names = accessNames(printer, getAt(), laneRank(getTile().getType()));
  printer << " " << getArray();
  printAt(printer, getAt());
  printer << " ";
  printMap(printer.getStream(), getAccess(), names);
  if (auto bounds = getBounds())
    printBounds(printer, *bounds, names);
  if (getPadAttr())
    printer << " else " << getPadAttr();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"access", "bounds", "pad", "travel", "hoist", "depth"});
  printer << " : " << getArray().getType() << " -> " << getTile().getType();
  if (getTravelAttr())
    printer << " travel " << getTravelAttr();
  if (getHoist())
    printer << " hoist " << *getHoist();
  if (getDepth())
    printer << " depth " << *getDepth();
}

void StoreOp::print(OpAsmPrinter &printer) {
  auto names = accessNames(printer, getAt(), laneRank(getTile().getType()));
  printer << " " << getTile() << ", " << getArray();
  printAt(printer, getAt());
  printer << " ";
  printMap(printer.getStream(), getAccess(), names);
  if (auto bounds = getBounds())
    printBounds(printer, *bounds, names);
  printer.printOptionalAttrDict((*this)->getAttrs(), {"access", "bounds"});
  printer << " : " << getTile().getType() << ", " << getArray().getType();
}

void MaskOp::print(OpAsmPrinter &printer) {
  auto names = accessNames(printer, getAt(), laneRank(getTile().getType()));
  printer << " " << getTile();
  printAt(printer, getAt());
  printBounds(printer, getBounds(), names);
  printer << " else " << getOther();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"bounds", "other"});
  printer << " : " << getTile().getType();
}

//===-- Parsing -------------------------------------------------------------//

static ParseResult parseAt(OpAsmParser &parser, AccessSyntax &syntax) {
  return parser.parseOperandList(syntax.at, OpAsmParser::Delimiter::Square);
}

static ParseResult parseAccess(OpAsmParser &parser, OperationState &state) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  if (!isa<AffineMapAttr>(attribute))
    return parser.emitError(loc, "expected an affine_map of indices and lanes to array subscripts");
  state.addAttribute("access", attribute);
  return success();
}

static ParseResult parseSet(OpAsmParser &parser, OperationState &state) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  if (!isa<IntegerSetAttr>(attribute))
    return parser.emitError(loc, "expected an affine_set of the lanes that exist");
  state.addAttribute("bounds", attribute);
  return success();
}

static ParseResult parseOptionalBounds(OpAsmParser &parser, OperationState &state) {
  if (failed(parser.parseOptionalKeyword("where")))
    return success();
  return parseSet(parser, state);
}

static ParseResult parseOptionalAttribute(OpAsmParser &parser, OperationState &state,
                                          StringRef keyword, StringRef name) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  state.addAttribute(name, attribute);
  return success();
}

static ParseResult parseOptionalCount(OpAsmParser &parser, OperationState &state,
                                      StringRef keyword) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  state.addAttribute(keyword, parser.getBuilder().getI64IntegerAttr(value));
  return success();
}

static ParseResult resolveAt(OpAsmParser &parser, OperationState &state,
                             AccessSyntax &syntax) {
  return parser.resolveOperands(syntax.at, parser.getBuilder().getIndexType(),
                                state.operands);
}

ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand array;
  AccessSyntax syntax;
  Type arrayType, tileType;
  if (parser.parseOperand(array) || parseAt(parser, syntax) ||
      parseAccess(parser, state) || parseOptionalBounds(parser, state) ||
      parseOptionalAttribute(parser, state, "else", "pad") ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(arrayType) || parser.parseArrow() ||
      parser.parseType(tileType) ||
      parseOptionalAttribute(parser, state, "travel", "travel") ||
      parseOptionalCount(parser, state, "hoist") ||
      parseOptionalCount(parser, state, "depth") ||
      parser.resolveOperand(array, arrayType, state.operands) ||
      resolveAt(parser, state, syntax))
    return failure();
  state.addTypes(tileType);
  return success();
}

ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand tile, array;
  AccessSyntax syntax;
  Type tileType, arrayType;
  return failure(
      parser.parseOperand(tile) || parser.parseComma() || parser.parseOperand(array) ||
      parseAt(parser, syntax) || parseAccess(parser, state) ||
      parseOptionalBounds(parser, state) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(tileType) || parser.parseComma() ||
      parser.parseType(arrayType) ||
      parser.resolveOperand(tile, tileType, state.operands) ||
      parser.resolveOperand(array, arrayType, state.operands) ||
      resolveAt(parser, state, syntax));
}

ParseResult MaskOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand tile;
  AccessSyntax syntax;
  Attribute other;
  Type type;
  if (parser.parseOperand(tile) || parseAt(parser, syntax) ||
      parser.parseKeyword("where") || parseSet(parser, state) ||
      parser.parseKeyword("else") || parser.parseAttribute(other) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type) ||
      parser.resolveOperand(tile, type, state.operands) ||
      resolveAt(parser, state, syntax))
    return failure();
  state.addAttribute("other", other);
  state.addTypes(type);
  return success();
}

//===-- Verifying -----------------------------------------------------------//

static LogicalResult verifyBounds(Operation *op, IntegerSet set, unsigned indices,
                                  unsigned lanes, bool oneLaneEach) {
  if (set.getNumDims() != indices + lanes || set.getNumSymbols())
    return op->emitOpError("bounds take ") << indices << " indices and " << lanes
           << " lane axes, not " << set.getNumDims() << " dimensions";
  for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
    if (set.isEq(i))
      return op->emitOpError("bounds are inequalities; constraint ") << i << " is an equality";
    unsigned used = 0;
    for (unsigned lane = 0; lane < lanes; ++lane)
      used += set.getConstraint(i).isFunctionOfDim(indices + lane);
    if (oneLaneEach && used > 1)
      return op->emitOpError("constraint ") << i << " involves " << used
             << " lane axes; a bound of an access may involve one (use tile.mask)";
  }
  return success();
}

static LogicalResult verifyAccess(Operation *op, Value array, ValueRange at,
                                  AffineMap access, std::optional<IntegerSet> bounds,
                                  Type tile) {
  auto arrayType = cast<MemRefType>(array.getType());
  auto tileType = cast<RankedTensorType>(tile);
  if (!tileType.hasStaticShape())
    return op->emitOpError("needs a tile of static shape, not ") << tileType;
  if (arrayType.getElementType() != tileType.getElementType())
    return op->emitOpError("moves ") << arrayType.getElementType() << " elements to or from a tile of "
           << tileType.getElementType() << "; convert with an explicit cast";
  unsigned lanes = tileType.getRank();
  if (access.getNumDims() != at.size() + lanes || access.getNumSymbols())
    return op->emitOpError("access takes ") << at.size() << " indices and " << lanes
           << " lane axes, not " << access.getNumDims() << " dimensions";
  if (access.getNumResults() != static_cast<unsigned>(arrayType.getRank()))
    return op->emitOpError("access gives ") << access.getNumResults()
           << " subscripts for an array of rank " << arrayType.getRank();
  if (bounds)
    return verifyBounds(op, *bounds, at.size(), lanes, /*oneLaneEach=*/true);
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyAccess(*this, getArray(), getAt(), getAccess(), getBounds(),
                          getTile().getType())))
    return failure();
  if (getPadAttr() && !getBounds())
    return emitOpError("has a padding value but no bounds");
  auto element = cast<RankedTensorType>(getTile().getType()).getElementType();
  if (getPadAttr() && getPadAttr().getType() != element)
    return emitOpError("pads ") << element << " lanes with a value of type "
           << getPadAttr().getType();
  IntegerAttr hoist = getHoistAttr(), depth = getDepthAttr();
  if ((hoist && hoist.getInt() < 0) || (depth && depth.getInt() < 1))
    return emitOpError("needs a hoist of 0 or more and a depth of 1 or more");
  return success();
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getArray(), getAt(), getAccess(), getBounds(),
                      getTile().getType());
}

LogicalResult MaskOp::verify() {
  auto type = cast<RankedTensorType>(getTile().getType());
  if (getOther().getType() != type.getElementType())
    return emitOpError("fills ") << type.getElementType() << " lanes with a value of type "
           << getOther().getType();
  return verifyBounds(*this, getBounds(), getAt().size(), type.getRank(),
                      /*oneLaneEach=*/false);
}
