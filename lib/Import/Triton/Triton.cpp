// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `tt` dialect: registration and syntax.

#include "drawloom/Import/Triton/Triton.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom::tt;

//===-- Pieces of syntax the formats share ----------------------------------//

/// A bare word (`x`, `tf32`, `rtne`), kept as a string.
static ParseResult parseKeyword(OpAsmParser &parser, StringAttr &attribute) {
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  attribute = parser.getBuilder().getStringAttr(word);
  return success();
}
static ParseResult parseKeyword(OpAsmParser &parser, Attribute &attribute) {
  StringAttr word;
  if (parseKeyword(parser, word))
    return failure();
  attribute = word;
  return success();
}
static void printKeyword(OpAsmPrinter &printer, Operation *,
                         Attribute attribute) {
  if (auto word = dyn_cast_or_null<StringAttr>(attribute))
    printer << word.getValue();
  else
    printer << attribute;
}

/// The types a descriptor's shape (i32) and strides (i64) have, which Triton
/// does not print.
static ParseResult parseDescriptorTypes(OpAsmParser &parser, Type descriptor,
                                        SmallVectorImpl<Type> &shape,
                                        SmallVectorImpl<Type> &strides) {
  int64_t rank = cast<DescriptorType>(descriptor).getBlock().getRank();
  shape.assign(rank, parser.getBuilder().getI32Type());
  strides.assign(rank, parser.getBuilder().getI64Type());
  return success();
}
static void printDescriptorTypes(OpAsmPrinter &, Operation *, Type, TypeRange,
                                 TypeRange) {}

static ParseResult parseSameType(OpAsmParser &, Type from, Type &to) {
  to = from;
  return success();
}
static void printSameType(OpAsmPrinter &, Operation *, Type, Type) {}

#include "drawloom/Import/Triton/TritonDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "drawloom/Import/Triton/TritonTypes.cpp.inc"
#define GET_OP_CLASSES
#include "drawloom/Import/Triton/TritonOps.cpp.inc"

void TTDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "drawloom/Import/Triton/TritonTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "drawloom/Import/Triton/TritonOps.cpp.inc"
      >();
}

/// Cache policies and other hints (`#tt.cache_policy<...>`) mean nothing for
/// values: their text is kept as a string. Words, `=`, `,` and nothing else.
Attribute TTDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  return parser.getBuilder().getStringAttr(parser.getFullSymbolSpec());
}

//===-- Types ---------------------------------------------------------------//

/// `block` of integers without a sign: Triton writes one in descriptors, pointers
/// and tiles have none, and what extends them says it.
static RankedTensorType withoutSign(RankedTensorType block) {
  auto integer = dyn_cast<IntegerType>(block.getElementType());
  return integer ? block.clone(
                       IntegerType::get(block.getContext(), integer.getWidth()))
                 : block;
}

/// `<128x64xbf16>` (Triton 3.9) or `<tensor<128x64xbf16>>` (before).
Type DescriptorType::parse(AsmParser &parser) {
  if (parser.parseLess())
    return {};
  Type type;
  OptionalParseResult whole = parser.parseOptionalType(type);
  if (whole.has_value()) {
    auto block = dyn_cast_or_null<RankedTensorType>(type);
    if (failed(*whole) || !block || !block.hasStaticShape())
      return parser.emitError(parser.getCurrentLocation(),
                              "expected a tensor of static shape"),
             Type();
    return parser.parseGreater()
               ? Type()
               : get(parser.getContext(), withoutSign(block));
  }
  SmallVector<int64_t> shape;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(type) || parser.parseGreater())
    return {};
  if (!TensorType::isValidElementType(type))
    return parser.emitError(loc, "is no tensor element type: ") << type, Type();
  return get(parser.getContext(),
             withoutSign(RankedTensorType::get(shape, type)));
}

void DescriptorType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getBlock().getShape());
  printer << "x" << getBlock().getElementType() << ">";
}

//===-- Functions -----------------------------------------------------------//

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &state) {
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(inputs, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, state, /*allowVariadic=*/false,
      getFunctionTypeAttrName(state.name), buildType,
      getArgAttrsAttrName(state.name), getResAttrsAttrName(state.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

//===-- Loads and stores ----------------------------------------------------//

/// Up to Triton 3.8: `cacheModifier = cg evictionPolicy = evict_last`, hints to
/// a cache that the machines here do not have.
static ParseResult skipCacheHints(OpAsmParser &parser) {
  StringRef value;
  for (StringRef hint : {"cacheModifier", "evictionPolicy"})
    if (succeeded(parser.parseOptionalKeyword(hint)))
      if (parser.parseEqual() || parser.parseKeyword(&value))
        return failure();
  return success();
}

/// The type of what a pointer, or a tensor of pointers, points to.
static Type pointeeOf(Type pointers) {
  auto pointer = cast<PointerType>(getElementTypeOrSelf(pointers));
  auto tensor = dyn_cast<RankedTensorType>(pointers);
  return tensor ? tensor.clone(pointer.getPointee()) : pointer.getPointee();
}

/// `i1` in the shape of `type`.
static Type boolsLike(Type type) {
  Type i1 = IntegerType::get(type.getContext(), 1);
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(i1)) : i1;
}

/// Parses `operands hints attr-dict : pointers`.
static ParseResult
parseAccess(OpAsmParser &parser, OperationState &state,
            SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
            Type &pointers) {
  SMLoc loc;
  if (parser.parseOperandList(operands) || skipCacheHints(parser) ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColon() ||
      parser.getCurrentLocation(&loc) || parser.parseType(pointers))
    return failure();
  if (!isa<PointerType>(getElementTypeOrSelf(pointers)) ||
      isa<UnrankedTensorType>(pointers))
    return parser.emitError(loc, "expected pointers, not ") << pointers;
  if (auto inner = dyn_cast<RankedTensorType>(
          cast<PointerType>(getElementTypeOrSelf(pointers)).getPointee()))
    return parser.emitError(
        loc, "block pointers (tl.make_block_ptr) are not imported; "
             "use pointer arithmetic or tl.make_tensor_descriptor");
  return success();
}

static void printAccess(OpAsmPrinter &printer, Operation *op) {
  printer << " " << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : " << op->getOperand(0).getType();
}

ParseResult LoadOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  Type pointers;
  SMLoc loc = parser.getCurrentLocation();
  if (parseAccess(parser, state, operands, pointers))
    return failure();
  Type value = pointeeOf(pointers);
  SmallVector<Type> types = {pointers, boolsLike(value), value};
  if (operands.empty() || operands.size() > types.size())
    return parser.emitError(loc, "takes a pointer, a mask and another value");
  state.addTypes(value);
  return parser.resolveOperands(operands,
                                ArrayRef(types).take_front(operands.size()),
                                loc, state.operands);
}

void LoadOp::print(OpAsmPrinter &printer) {
  printAccess(printer, *this);
}

ParseResult StoreOp::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  Type pointers;
  SMLoc loc = parser.getCurrentLocation();
  if (parseAccess(parser, state, operands, pointers))
    return failure();
  Type value = pointeeOf(pointers);
  SmallVector<Type> types = {pointers, value, boolsLike(value)};
  if (operands.size() < 2 || operands.size() > types.size())
    return parser.emitError(loc, "takes a pointer, a value and a mask");
  return parser.resolveOperands(operands,
                                ArrayRef(types).take_front(operands.size()),
                                loc, state.operands);
}

void StoreOp::print(OpAsmPrinter &printer) {
  printAccess(printer, *this);
}
