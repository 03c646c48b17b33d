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
  SmallVector<OpAsmParser::UnresolvedOperand, 1> lookup;
  IntegerAttr axis; ///< with `lookup`
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

/// `lookup %ids axis 0`, if there is one.
static void printLookup(OpAsmPrinter &printer, Value lookup, IntegerAttr axis) {
  if (lookup)
    printer << " lookup " << lookup << " axis " << axis.getInt();
}

static unsigned laneRank(Type tile) {
  return cast<RankedTensorType>(tile).getRank();
}

/// What a load or store reaches: indices, lookup, map and bounds.
template <typename Op> static void printWhere(OpAsmPrinter &printer, Op op) {
  auto names =
      accessNames(printer, op.getAt(), laneRank(op.getTile().getType()),
                  bool(op.getLookup()));
  printAt(printer, op.getAt());
  printLookup(printer, op.getLookup(), op.getAxisAttr());
  printer << " ";
  printMap(printer.getStream(), op.getAccess(), names);
  if (auto bounds = op.getBounds())
    printBounds(printer, *bounds, names);
}

void LoadOp::print(OpAsmPrinter &printer) {
  printer << " " << getArray();
  printWhere(printer, *this);
  if (getPadAttr())
    printer << " else " << getPadAttr();
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"access", "bounds", "pad", "travel", "hoist",
                                 "depth", "axis", "operandSegmentSizes"});
  printer << " : " << getArray().getType() << " -> " << getTile().getType();
  if (getTravelAttr())
    printer << " travel " << getTravelAttr();
  if (getHoist())
    printer << " hoist " << *getHoist();
  if (getDepth())
    printer << " depth " << *getDepth();
}

void StoreOp::print(OpAsmPrinter &printer) {
  printer << " " << getTile() << ", " << getArray();
  printWhere(printer, *this);
  printer.printOptionalAttrDict(
      (*this)->getAttrs(), {"access", "bounds", "axis", "operandSegmentSizes"});
  printer << " : " << getTile().getType() << ", " << getArray().getType();
}

void ReadOp::print(OpAsmPrinter &printer) {
  printer << " " << getArray();
  printAt(printer, getAt());
  printer << " ";
  printMap(printer.getStream(), getAccess(), accessNames(printer, getAt(), 0));
  printer.printOptionalAttrDict((*this)->getAttrs(), {"access"});
  printer << " : " << getArray().getType() << " -> " << getValue().getType();
}

void IndexOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printAt(printer, getAt());
  printer << " ";
  printMap(printer.getStream(), getMap(),
           accessNames(printer, getAt(), laneRank(getTile().getType())));
  printer.printOptionalAttrDict((*this)->getAttrs(), {"map"});
  printer << " : " << getTile().getType();
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

static ParseResult parseOptionalLookup(OpAsmParser &parser,
                                       OperationState &state,
                                       AccessSyntax &syntax) {
  if (failed(parser.parseOptionalKeyword("lookup")))
    return success();
  int64_t axis;
  if (parser.parseOperand(syntax.lookup.emplace_back()) ||
      parser.parseKeyword("axis") || parser.parseInteger(axis))
    return failure();
  syntax.axis = parser.getBuilder().getI64IntegerAttr(axis);
  state.addAttribute("axis", syntax.axis);
  return success();
}

static ParseResult parseAccess(OpAsmParser &parser, OperationState &state,
                               StringRef name = "access") {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  if (!isa<AffineMapAttr>(attribute))
    return parser.emitError(
        loc, "expected an affine_map of indices and lanes to array subscripts");
  state.addAttribute(name, attribute);
  return success();
}

static ParseResult parseSet(OpAsmParser &parser, OperationState &state) {
  SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  if (!isa<IntegerSetAttr>(attribute))
    return parser.emitError(loc,
                            "expected an affine_set of the lanes that exist");
  state.addAttribute("bounds", attribute);
  return success();
}

static ParseResult parseOptionalBounds(OpAsmParser &parser,
                                       OperationState &state) {
  if (failed(parser.parseOptionalKeyword("where")))
    return success();
  return parseSet(parser, state);
}

static ParseResult parseOptionalAttribute(OpAsmParser &parser,
                                          OperationState &state,
                                          StringRef keyword, StringRef name) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  state.addAttribute(name, attribute);
  return success();
}

static ParseResult parseOptionalCount(OpAsmParser &parser,
                                      OperationState &state,
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

/// A looked-up tile has one i32 for each lane of its axis, so its type need not
/// be written.
static ParseResult resolveLookup(OpAsmParser &parser, OperationState &state,
                                 AccessSyntax &syntax, Type tile) {
  if (syntax.lookup.empty())
    return success();
  auto type = dyn_cast<RankedTensorType>(tile);
  int64_t axis = syntax.axis.getInt();
  if (!type || axis < 0 || axis >= type.getRank())
    return parser.emitError(syntax.lookup.front().location)
           << "looks up along axis " << axis
           << ", which the tile does not have";
  auto ids = RankedTensorType::get({type.getDimSize(axis)},
                                   parser.getBuilder().getI32Type());
  return parser.resolveOperand(syntax.lookup.front(), ids, state.operands);
}

ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand array;
  AccessSyntax syntax;
  Type arrayType, tileType;
  if (parser.parseOperand(array) || parseAt(parser, syntax) ||
      parseOptionalLookup(parser, state, syntax) ||
      parseAccess(parser, state) || parseOptionalBounds(parser, state) ||
      parseOptionalAttribute(parser, state, "else", "pad") ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(arrayType) || parser.parseArrow() ||
      parser.parseType(tileType) ||
      parseOptionalAttribute(parser, state, "travel", "travel") ||
      parseOptionalCount(parser, state, "hoist") ||
      parseOptionalCount(parser, state, "depth") ||
      parser.resolveOperand(array, arrayType, state.operands) ||
      resolveAt(parser, state, syntax) ||
      resolveLookup(parser, state, syntax, tileType))
    return failure();
  state.getOrAddProperties<LoadOp::Properties>().operandSegmentSizes = {
      1, int(syntax.at.size()), int(syntax.lookup.size())};
  state.addTypes(tileType);
  return success();
}

ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand tile, array;
  AccessSyntax syntax;
  Type tileType, arrayType;
  if (parser.parseOperand(tile) || parser.parseComma() ||
      parser.parseOperand(array) || parseAt(parser, syntax) ||
      parseOptionalLookup(parser, state, syntax) ||
      parseAccess(parser, state) || parseOptionalBounds(parser, state) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(tileType) || parser.parseComma() ||
      parser.parseType(arrayType) ||
      parser.resolveOperand(tile, tileType, state.operands) ||
      parser.resolveOperand(array, arrayType, state.operands) ||
      resolveAt(parser, state, syntax) ||
      resolveLookup(parser, state, syntax, tileType))
    return failure();
  state.getOrAddProperties<StoreOp::Properties>().operandSegmentSizes = {
      1, 1, int(syntax.at.size()), int(syntax.lookup.size())};
  return success();
}

ParseResult ReadOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand array;
  AccessSyntax syntax;
  Type arrayType, type;
  if (parser.parseOperand(array) || parseAt(parser, syntax) ||
      parseAccess(parser, state) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(arrayType) || parser.parseArrow() ||
      parser.parseType(type) ||
      parser.resolveOperand(array, arrayType, state.operands) ||
      resolveAt(parser, state, syntax))
    return failure();
  state.addTypes(type);
  return success();
}

ParseResult IndexOp::parse(OpAsmParser &parser, OperationState &state) {
  AccessSyntax syntax;
  Type type;
  if (parseAt(parser, syntax) || parseAccess(parser, state, "map") ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) || resolveAt(parser, state, syntax))
    return failure();
  state.addTypes(type);
  return success();
}

ParseResult MaskOp::parse(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand tile;
  AccessSyntax syntax;
  Attribute other;
  Type type;
  if (parser.parseOperand(tile) || parseAt(parser, syntax) ||
      parser.parseKeyword("where") || parseSet(parser, state) ||
      parser.parseKeyword("else") || parser.parseAttribute(other) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(tile, type, state.operands) ||
      resolveAt(parser, state, syntax))
    return failure();
  state.addAttribute("other", other);
  state.addTypes(type);
  return success();
}

//===-- Verifying -----------------------------------------------------------//

/// Bounds over `indices` values, then `lanes` lane axes; a looked-up value
/// stands before the lanes and counts as the lane axis `lookupAxis`.
static LogicalResult verifyBounds(Operation *op, IntegerSet set,
                                  unsigned indices, unsigned lanes,
                                  std::optional<int64_t> lookupAxis,
                                  bool oneLaneEach) {
  unsigned firstLane = indices + lookupAxis.has_value();
  if (set.getNumDims() != firstLane + lanes || set.getNumSymbols())
    return op->emitOpError("bounds take ")
           << indices << " indices" << (lookupAxis ? ", a looked-up value" : "")
           << " and " << lanes << " lane axes, not " << set.getNumDims()
           << " dimensions";
  for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
    if (set.isEq(i))
      return op->emitOpError("bounds are inequalities; constraint ")
             << i << " is an equality";
    AffineExpr constraint = set.getConstraint(i);
    unsigned used = 0;
    for (unsigned lane = 0; lane < lanes; ++lane)
      used += constraint.isFunctionOfDim(firstLane + lane) ||
              (lookupAxis == lane && constraint.isFunctionOfDim(indices));
    if (oneLaneEach && used > 1)
      return op->emitOpError("constraint ")
             << i << " involves " << used
             << " lane axes; a bound of an access may involve one (use "
                "tile.mask)";
  }
  return success();
}

/// Device memory holds i64, tiles only i32: the mover narrows and widens.
static bool holds(Type memory, Type tile) {
  return memory == tile || (memory.isInteger(64) && tile.isInteger(32));
}

static LogicalResult verifyLookup(Operation *op, Value lookup, IntegerAttr axis,
                                  RankedTensorType tile) {
  if (bool(lookup) != bool(axis))
    return op->emitOpError("needs `axis` with `lookup`, and only then");
  if (!lookup)
    return success();
  if (axis.getInt() < 0 || axis.getInt() >= tile.getRank())
    return op->emitOpError("looks up along axis ")
           << axis.getInt() << " of " << tile;
  auto expected = RankedTensorType::get({tile.getDimSize(axis.getInt())},
                                        IntegerType::get(op->getContext(), 32));
  if (lookup.getType() != expected)
    return op->emitOpError("looks up ")
           << expected << ", one value a lane, not " << lookup.getType();
  return success();
}

static LogicalResult verifyMap(Operation *op, AffineMap map, unsigned indices,
                               unsigned lanes, bool looksUp) {
  if (map.getNumDims() == indices + looksUp + lanes && !map.getNumSymbols())
    return success();
  return op->emitOpError("access takes ")
         << indices << " indices" << (looksUp ? ", a looked-up value" : "")
         << " and " << lanes << " lane axes, not " << map.getNumDims()
         << " dimensions";
}

static LogicalResult verifySubscripts(Operation *op, AffineMap access,
                                      MemRefType array) {
  if (access.getNumResults() == static_cast<unsigned>(array.getRank()))
    return success();
  return op->emitOpError("access gives ")
         << access.getNumResults() << " subscripts for an array of rank "
         << array.getRank();
}

/// The rules that loads and stores share.
template <typename Op> static LogicalResult verifyAccess(Op op) {
  auto array = cast<MemRefType>(op.getArray().getType());
  auto tile = cast<RankedTensorType>(op.getTile().getType());
  if (!tile.hasStaticShape())
    return op.emitOpError("needs a tile of static shape, not ") << tile;
  if (!holds(array.getElementType(), tile.getElementType()))
    return op.emitOpError("moves ")
           << array.getElementType() << " elements to or from a tile of "
           << tile.getElementType() << "; convert with an explicit cast";
  unsigned indices = op.getAt().size(), lanes = tile.getRank();
  if (failed(verifyLookup(op, op.getLookup(), op.getAxisAttr(), tile)) ||
      failed(verifyMap(op, op.getAccess(), indices, lanes,
                       bool(op.getLookup()))) ||
      failed(verifySubscripts(op, op.getAccess(), array)))
    return failure();
  std::optional<int64_t> axis;
  if (op.getAxisAttr())
    axis = op.getAxisAttr().getInt();
  if (auto bounds = op.getBounds())
    return verifyBounds(op, *bounds, indices, lanes, axis,
                        /*oneLaneEach=*/true);
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyAccess(*this)))
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

LogicalResult StoreOp::verify() { return verifyAccess(*this); }

LogicalResult ReadOp::verify() {
  auto array = cast<MemRefType>(getArray().getType());
  if (!array.getElementType().isInteger())
    return emitOpError("reads an integer, not ") << array.getElementType();
  if (failed(verifyMap(*this, getAccess(), getAt().size(), 0, false)))
    return failure();
  return verifySubscripts(*this, getAccess(), array);
}

LogicalResult IndexOp::verify() {
  auto type = cast<RankedTensorType>(getTile().getType());
  if (!type.hasStaticShape() || !type.getElementType().isInteger(32))
    return emitOpError("gives a tile of i32 of static shape, not ") << type;
  if (failed(verifyMap(*this, getMap(), getAt().size(), type.getRank(), false)))
    return failure();
  if (getMap().getNumResults() != 1)
    return emitOpError("needs a map with one result, not ")
           << getMap().getNumResults();
  return success();
}

LogicalResult MaskOp::verify() {
  auto type = cast<RankedTensorType>(getTile().getType());
  if (getOther().getType() != type.getElementType())
    return emitOpError("fills ")
           << type.getElementType() << " lanes with a value of type "
           << getOther().getType();
  return verifyBounds(*this, getBounds(), getAt().size(), type.getRank(),
                      std::nullopt,
                      /*oneLaneEach=*/false);
}
