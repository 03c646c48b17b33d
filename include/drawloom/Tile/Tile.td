// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `tile` dialect: what a kernel computes and, once mapped, where and when.

#ifndef DRAWLOOM_TILE_TD
#define DRAWLOOM_TILE_TD

include "drawloom/Machine/MachineEnums.td"
include "drawloom/Tile/TileEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

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
class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

//===-- Attributes of the mapped state --------------------------------------//

def Tile_SpaceAttr : Tile_Attr<"Space", "space"> {
  let summary = "a digit of a grid dimension spread over a machine dimension";
  let description = [{
    `#tile.space<0 on "y" x 8>`: this digit of grid dimension 0 takes 8 values,
    one per index of machine dimension "y".
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
    the element type of the Dst registers (f32 or bf16).
  }];
  let parameters = (ins EnumParameter<Df_Fidelity>:$fidelity, "::mlir::Type":$dst);
  let assemblyFormat = "`<` $fidelity `,` $dst `>`";
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

//===-- Containers ----------------------------------------------------------//

def Tile_ProgramOp : Tile_Op<"program",
    [IsolatedFromAbove, NoTerminator, SingleBlock, Symbol]> {
  let summary = "one launch of a kernel";
  let description = [{
    Holds `tile.array`s and one or more `tile.grid`s run in order. `machine`
    and `precision` belong to the mapped state.

    ```mlir
    tile.program @scale on "wormhole" precision #tile.precision<hifi4, f32> {
      %x = tile.array 0 "x_ptr" in : memref<64x64xbf16>
      %y = tile.array 1 "y_ptr" out : memref<64x64xbf16>
      tile.grid [2, 2] { ... }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$machine,
                       OptionalAttr<Tile_PrecisionAttr>:$precision);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`on` $machine^)? (`precision` $precision^)?
    attr-dict-with-keyword $body }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The state the program is in: mapped once it names its machine.
    bool isMapped() { return static_cast<bool>(getMachineAttr()); }
  }];
}

def Tile_ArrayOp : Tile_Op<"array", [Pure]> {
  let summary = "an argument of the launch as an array";
  let description = [{
    `argument` is the launch argument's position, `name` its name in the source.
    The memref's shape is what the program's accesses reach, its strides and
    offset (in elements) say where the elements lie in the caller's memory.
    `layout` (mapped state) says how it lies in device memory.
  }];
  let arguments = (ins I64Attr:$argument, StrAttr:$name,
                       Tile_Role:$role,
                       OptionalAttr<Tile_LayoutAttr>:$layout);
  let results = (outs AnyMemRef:$view);
  let assemblyFormat = "$argument $name $role (`layout` $layout^)? attr-dict `:` type($view)";
  let hasVerifier = 1;
}

def Tile_GridOp : Tile_Op<"grid", [NoTerminator, SingleBlock]> {
  let summary = "independent programs over a box";
  let description = [{
    The body runs once for each point of the box `extents`, in any order or at
    once. `mapping` (mapped state) is an ordered list of digits, outermost
    first; a dimension's index is the mixed-radix number of its digits. The
    product of a dimension's digits may exceed its extent: the points beyond it
    are idle. `[wave, space]` is TileLoom's order, `[space, wave]` is owner
    computes.
  }];
  let arguments = (ins DenseI64ArrayAttr:$extents, OptionalAttr<ArrayAttr>:$mapping);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$extents (`map` $mapping^)? attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The index of one grid dimension inside the body.
    ::mlir::BlockArgument getIndex(unsigned dim) { return getBody().getArgument(dim); }
  }];
}

//===-- Accesses ------------------------------------------------------------//

def Tile_LoadOp : Tile_Op<"load"> {
  let summary = "a tile of an array";
  let description = [{
    Element (lanes) of the result is `array[access(at, lanes)]`. Lanes outside
    `bounds` are not read and are `pad` (undefined when there is no `pad`).
    `access` and `bounds` take the values `at`, then one dimension per lane
    axis; each constraint of `bounds` is an inequality over at most one lane
    axis. Printed with the names of the indices.

    Mapped state: `travel` says how the tile gets to the core, `hoist` across
    how many of the innermost loops of its nest it is issued (0: at every
    iteration), `depth` how many deliveries its buffer holds.

    ```mlir
    %a = tile.load %A[%i, %k] affine_map<(i, k, r, c) -> (128 * i + r, 64 * k + c)>
           where affine_set<(i, k, r, c) : (299 - 64 * k - c >= 0)> else 0.0 : bf16
           travel #tile.multicast<along ["x"] senders group net 0> hoist 0 depth 2
           : memref<1024x300xbf16> -> tensor<128x64xbf16>
    ```
  }];
  let arguments = (ins AnyMemRef:$array, Variadic<Index>:$at, AffineMapAttr:$access,
                       OptionalAttr<Tile_BoundsAttr>:$bounds, OptionalAttr<TypedAttrInterface>:$pad,
                       OptionalAttr<Tile_TravelAttr>:$travel,
                       OptionalAttr<I64Attr>:$hoist, OptionalAttr<I64Attr>:$depth);
  let results = (outs AnyRankedTensor:$tile);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store"> {
  let summary = "write a tile to an array";
  let description = "The inverse of `tile.load`: lanes outside `bounds` are not written.";
  let arguments = (ins AnyRankedTensor:$tile, AnyMemRef:$array, Variadic<Index>:$at,
                       AffineMapAttr:$access, OptionalAttr<Tile_BoundsAttr>:$bounds);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_MaskOp : Tile_Op<"mask", [Pure]> {
  let summary = "replace the lanes outside a set";
  let description = [{
    Lanes of `tile` outside `bounds` become `other`. Unlike a load's bounds, a
    constraint may involve several lane axes (a causal mask).
  }];
  let arguments = (ins AnyRankedTensor:$tile, Variadic<Index>:$at,
                       Tile_BoundsAttr:$bounds, TypedAttrInterface:$other);
  let results = (outs AnyRankedTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // DRAWLOOM_TILE_TD
