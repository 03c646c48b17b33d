// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `tile` dialect's attributes, which the `task` dialect uses too.

#ifndef DRAWLOOM_TILE_ATTRS_TD
#define DRAWLOOM_TILE_ATTRS_TD

include "drawloom/Machine/MachineEnums.td"
include "drawloom/Tile/TileEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::drawloom::tile";
  let summary = "tile programs: the meeting point of the front doors";
  let description = [{
    A `tile.program` says what is computed: arrays, a grid of independent
    programs, and a body per grid point that loads tiles with affine accesses,
    computes on them with `arith`, `math`, `linalg` and `scf.for`, and stores
    them. The logical state holds only that. The mapped state (TilePlan) adds
    attributes: the grid's mapping to cores and waves, and for each load how it
    travels, at which level of the nest it is issued and how deep its buffer is.
    Attributes never change what a program computes, so the interpreter runs
    every state.

    The nest of a load is, outermost first: the wave digits of the grid in the
    order of its mapping, then the `scf.for` loops around the load.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::mlir::affine::AffineDialect"];
}

class Tile_Attr<string name, string mnemonic_, list<Trait> traits = []>
    : AttrDef<Tile_Dialect, name, traits> { let mnemonic = mnemonic_; }

//===-- Attributes of the mapped state --------------------------------------//

def Tile_SpaceAttr : Tile_Attr<"Space", "space"> {
  let summary = "a digit of a grid dimension spread over a machine dimension";
  let description = [{
    `#tile.space<0 on "y" x 8>`: this digit of grid dimension 0 takes 8 values,
    one per index of machine dimension "y". Several digits on one machine
    dimension, outermost first, are the digits of its index.
  }];
  let parameters = (ins "int64_t":$dim, "::mlir::StringAttr":$axis, "int64_t":$size);
  let assemblyFormat = "`<` $dim `on` $axis `x` $size `>`";
}

def Tile_WaveAttr : Tile_Attr<"Wave", "wave"> {
  let summary = "a digit of a grid dimension taken in time";
  let description = "`#tile.wave<0 x 4>`: this digit of grid dimension 0 is a loop of 4 waves.";
  let parameters = (ins "int64_t":$dim, "int64_t":$size);
  let assemblyFormat = "`<` $dim `x` $size `>`";
}

def Tile_DirectAttr : Tile_Attr<"Direct", "direct"> {
  let summary = "every core loads its own copy from memory";
  let parameters = (ins "int64_t":$network);
  let assemblyFormat = "`<` `net` $network `>`";
}

def Tile_MulticastAttr : Tile_Attr<"Multicast", "multicast"> {
  let summary = "a tile is read once and multicast along machine dimensions";
  let description = [{
    `#tile.multicast<along ["x"] senders group net 0>`: the cores that differ
    only in "x" need the same tile; each of them reads a part of it and
    multicasts that part to the others on network 0. With `one`, the core at
    index 0 of the dimensions reads it all.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$along,
                        EnumParameter<Tile_Senders>:$senders, "int64_t":$network);
  let assemblyFormat = "`<` `along` `[` $along `]` `senders` $senders `net` $network `>`";
}

def Tile_TiledAttr : Tile_Attr<"Tiled", "tiled"> {
  let summary = "an array stored as pages of one hardware tile each";
  let description = [{
    The last two dimensions are cut in 32x32 tiles (a rank-1 array counts as
    one row); a page is one tile, pages are in row-major order of the outer
    dimensions and tile coordinates, and lanes beyond the array are undefined.
    The host converts at the boundary.
  }];
  let assemblyFormat = "";
}

def Tile_RowsAttr : Tile_Attr<"Rows", "rows"> {
  let summary = "an array stored row by row";
  let description = [{
    `#tile.rows<1024>`: the last dimension is cut in pages of 1024 elements,
    pages are in row-major order of the outer dimensions and page index.
  }];
  let parameters = (ins "int64_t":$elements);
  let assemblyFormat = "`<` $elements `>`";
}

def Tile_PrecisionAttr : Tile_Attr<"Precision", "precision"> {
  let summary = "the precision policy of a program";
  let description = [{
    `#tile.precision<hifi4, f32>`: multiplier passes of the matrix unit, and
    the element type of the Dst registers (f32 or bf16). Products, sums and
    scans take of each f32 operand what the operand registers keep; with
    `#tile.precision<hifi4, f32, exact>` they take all of it, in parts.

    A logical program may ask for a policy before it is planned.
  }];
  let parameters = (ins EnumParameter<Df_Fidelity>:$fidelity, "::mlir::Type":$dst,
                        DefaultValuedParameter<"::drawloom::tile::Operands",
                                               "::drawloom::tile::Operands::Cut">:$operands);
  let assemblyFormat = "`<` $fidelity `,` $dst (`,` $operands^)? `>`";
  let genVerifyDecl = 1;
}

class Tile_AnyOf<string summary, string pred> : Attr<CPred<pred>, summary> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
  let valueType = NoneType;
}
def Tile_TravelAttr : Tile_AnyOf<"how a load travels",
  "::llvm::isa<::drawloom::tile::DirectAttr, ::drawloom::tile::MulticastAttr>($_self)">;
def Tile_LayoutAttr : Tile_AnyOf<"how an array lies in device memory",
  "::llvm::isa<::drawloom::tile::TiledAttr, ::drawloom::tile::RowsAttr>($_self)">;
def Tile_BoundsAttr : Attr<CPred<"::llvm::isa<::mlir::IntegerSetAttr>($_self)">, "set of lanes"> {
  let storageType = "::mlir::IntegerSetAttr";
  let returnType = "::mlir::IntegerSet";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = "::mlir::IntegerSetAttr::get($0)";
  let valueType = NoneType;
}

#endif // DRAWLOOM_TILE_ATTRS_TD
