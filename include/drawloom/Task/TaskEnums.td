// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The enumerations of the `task` dialect.

#ifndef DRAWLOOM_TASK_ENUMS_TD
#define DRAWLOOM_TASK_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class Task_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::drawloom::task";
}

def Task_CoreDim : Task_Enum<"CoreDim", "a coordinate of a core", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">]>;

// `reads`: all reads of this engine have arrived. `writes`: all its writes and
// multicasts are acknowledged. `sent`: they have left the core, so that their
// source may be overwritten.
def Task_Transfers : Task_Enum<"Transfers", "which transfers a fence waits for", [
  I32EnumAttrCase<"Reads", 0, "reads">, I32EnumAttrCase<"Writes", 1, "writes">,
  I32EnumAttrCase<"Sent", 2, "sent">]>;

// Which line of the operand is repeated: its row 0, its column 0, its element 0.
def Task_Broadcast : Task_Enum<"Broadcast", "what of a tile is repeated over it", [
  I32EnumAttrCase<"Row", 0, "row">, I32EnumAttrCase<"Column", 1, "column">,
  I32EnumAttrCase<"Scalar", 2, "scalar">]>;

def Task_Arithmetic : Task_Enum<"Arithmetic", "element-wise operation of the matrix unit", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">,
  I32EnumAttrCase<"Mul", 2, "mul">]>;

def Task_Setup : Task_Enum<"Setup", "what the compute engine is set up for", [
  I32EnumAttrCase<"Matmul", 0, "matmul">, I32EnumAttrCase<"Binary", 1, "binary">,
  I32EnumAttrCase<"Copy", 2, "copy">, I32EnumAttrCase<"Transpose", 3, "transpose">,
  I32EnumAttrCase<"Sfpu", 4, "sfpu">, I32EnumAttrCase<"Pack", 5, "pack">,
  I32EnumAttrCase<"Reduce", 6, "reduce">]>;

def Task_Reduction : Task_Enum<"Reduction", "how the matrix unit combines lanes", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">]>;

// `row` leaves one value a row, in column 0; `column` one a column, in row 0;
// `scalar` one a tile, in its first element.
def Task_Extent : Task_Enum<"Extent", "which lanes of a tile are combined", [
  I32EnumAttrCase<"Row", 0, "row">, I32EnumAttrCase<"Column", 1, "column">,
  I32EnumAttrCase<"Scalar", 2, "scalar">]>;

// Along which axis of a tile lanes count up; `memory`: as they lie in memory,
// face after face, which only `task.iota` numbers.
def Task_LaneAxis : Task_Enum<"LaneAxis", "an axis of a tile", [
  I32EnumAttrCase<"Row", 0, "row">, I32EnumAttrCase<"Column", 1, "column">,
  I32EnumAttrCase<"Memory", 2, "memory">]>;

#endif // DRAWLOOM_TASK_ENUMS_TD
