// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing and printing of the df dialect's numbers and lists.
#include "MachineSyntax.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"
#include <charconv>
#include <cmath>

using namespace mlir;

namespace drawloom::df {

ParseResult parseNumber(OpAsmParser &parser, FloatAttr &attr) {
  int64_t whole;
  OptionalParseResult integer = parser.parseOptionalInteger(whole);
  double value;
  if (!integer.has_value()) {
    if (parser.parseFloat(value))
      return failure();
  } else if (*integer) {
    return failure();
  } else {
    value = static_cast<double>(whole);
  }
  attr = parser.getBuilder().getF64FloatAttr(value);
  return success();
}

/// The shortest decimal that reads back as the same number, with a point only
/// where it has a fraction. Numbers the parser cannot read back keep MLIR's
/// own form.
void printNumber(OpAsmPrinter &printer, Operation *, FloatAttr attr) {
  double value = attr.getValueAsDouble();
  if (value == std::trunc(value) && std::fabs(value) < 0x1p53) {
    printer << static_cast<int64_t>(value);
    return;
  }
  char text[64];
  auto [end, error] = std::to_chars(std::begin(text), std::end(text), value,
                                    std::chars_format::fixed);
  if (std::isfinite(value) && error == std::errc())
    printer << StringRef(text, end - text);
  else
    printer.printFloat(attr.getValue());
}

ParseResult parseSize(OpAsmParser &parser, IntegerAttr &attr) {
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  attr = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

void printSize(OpAsmPrinter &printer, Operation *, IntegerAttr attr) {
  printer << attr.getInt();
}

ParseResult parsePattern(OpAsmParser &parser, IntegerAttr &attr) {
  return parseSize(parser, attr);
}

void printPattern(OpAsmPrinter &printer, Operation *, IntegerAttr attr) {
  printer << llvm::formatv("{0:X}", attr.getInt());
}

ParseResult parseInts(OpAsmParser &parser, DenseI64ArrayAttr &attr) {
  SmallVector<int64_t> values;
  auto element = [&] { return parser.parseInteger(values.emplace_back()); };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, element))
    return failure();
  attr = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

void printInts(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr attr) {
  printer << '[';
  llvm::interleaveComma(attr.asArrayRef(), printer);
  printer << ']';
}

ParseResult parseIntLists(OpAsmParser &parser, ArrayAttr &attr) {
  SmallVector<Attribute> lists;
  auto list = [&]() -> ParseResult {
    DenseI64ArrayAttr ints;
    if (parseInts(parser, ints))
      return failure();
    lists.push_back(ints);
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, list))
    return failure();
  attr = parser.getBuilder().getArrayAttr(lists);
  return success();
}

void printIntLists(OpAsmPrinter &printer, Operation *op, ArrayAttr attr) {
  printer << '[';
  llvm::interleaveComma(attr, printer, [&](Attribute list) {
    printInts(printer, op, cast<DenseI64ArrayAttr>(list));
  });
  printer << ']';
}

ParseResult parseRoundingName(OpAsmParser &parser, RoundingAttr &attr) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<Rounding> rounding = symbolizeRounding(name);
  if (!rounding)
    return parser.emitError(loc, "unknown rounding '")
           << name << "'; expected truncate, nearest_even or nearest_away";
  attr = RoundingAttr::get(parser.getContext(), *rounding);
  return success();
}

void printRoundingName(OpAsmPrinter &printer, Operation *, RoundingAttr attr) {
  printer << stringifyRounding(attr.getValue());
}

} // namespace drawloom::df
