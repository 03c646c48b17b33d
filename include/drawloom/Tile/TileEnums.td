// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The enumerations of the `tile` dialect.

#ifndef DRAWLOOM_TILE_ENUMS_TD
#define DRAWLOOM_TILE_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::drawloom::tile";
}

def Tile_Role : Tile_Enum<"Role", "what a program does with an array", [
  I32EnumAttrCase<"In", 0, "in">, I32EnumAttrCase<"Out", 1, "out">,
  I32EnumAttrCase<"InOut", 2, "inout">]>;
def Tile_Operands : Tile_Enum<"Operands", "what the matrix unit takes of operands of 32 bits", [
  I32EnumAttrCase<"Cut", 0, "cut">, I32EnumAttrCase<"Exact", 1, "exact">]>;
def Tile_Senders : Tile_Enum<"Senders", "who reads a multicast tile from memory", [
  I32EnumAttrCase<"One", 0, "one">, I32EnumAttrCase<"Group", 1, "group">]>;

#endif // DRAWLOOM_TILE_ENUMS_TD
