// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect's custom assembly: numbers as people write them, lists in
// brackets.
#ifndef DRAWLOOM_LIB_MACHINE_MACHINESYNTAX_H
#define DRAWLOOM_LIB_MACHINE_MACHINESYNTAX_H

#include "drawloom/Machine/Machine.h"

namespace drawloom::df {

/// `32`, `22.5`: a float attribute; integers need no point.
mlir::ParseResult parseNumber(mlir::OpAsmParser &parser, mlir::FloatAttr &attr);
void printNumber(mlir::OpAsmPrinter &printer, mlir::Operation *,
                 mlir::FloatAttr attr);

/// `1464`: a 64-bit integer without a type suffix.
mlir::ParseResult parseSize(mlir::OpAsmParser &parser, mlir::IntegerAttr &attr);
void printSize(mlir::OpAsmPrinter &printer, mlir::Operation *,
               mlir::IntegerAttr attr);

/// `0x7FC00000`: the bits of a number; any integer is read.
mlir::ParseResult parsePattern(mlir::OpAsmParser &parser,
                               mlir::IntegerAttr &attr);
void printPattern(mlir::OpAsmPrinter &printer, mlir::Operation *,
                  mlir::IntegerAttr attr);

/// `[8, 16, 16]`.
mlir::ParseResult parseInts(mlir::OpAsmParser &parser,
                            mlir::DenseI64ArrayAttr &attr);
void printInts(mlir::OpAsmPrinter &printer, mlir::Operation *,
               mlir::DenseI64ArrayAttr attr);

/// `[[1, 2], [3]]`.
mlir::ParseResult parseIntLists(mlir::OpAsmParser &parser,
                                mlir::ArrayAttr &attr);
void printIntLists(mlir::OpAsmPrinter &printer, mlir::Operation *,
                   mlir::ArrayAttr attr);

/// `nearest_away`.
mlir::ParseResult parseRoundingName(mlir::OpAsmParser &parser,
                                    RoundingAttr &attr);
void printRoundingName(mlir::OpAsmPrinter &printer, mlir::Operation *,
                       RoundingAttr attr);

} // namespace drawloom::df

#endif // DRAWLOOM_LIB_MACHINE_MACHINESYNTAX_H
