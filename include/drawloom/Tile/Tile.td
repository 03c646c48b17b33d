// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `tile` dialect's operations: what a kernel computes and, once mapped,
// where and when.

#ifndef DRAWLOOM_TILE_TD
#define DRAWLOOM_TILE_TD

include "drawloom/Tile/TileAttrs.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

//===-- Containers ----------------------------------------------------------//

def Tile_ProgramOp : Tile_Op<"program",
    [IsolatedFromAbove, NoTerminator, SingleBlock, Symbol]> {
  let summary = "one launch of a kernel";
  let description = [{
    Holds `tile.array`s and one or more `tile.grid`s run in order. `machine`
    and `precision` belong to the mapped state; a logical program that states a
    `precision` asks the planner for it.

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

def Tile_ArrayOp : Tile_Op<"array",
    [Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
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
  let assemblyFormat = "$argument $name $role attr-dict `:` type($view) (`layout` $layout^)?";
  let hasVerifier = 1;
}

def Tile_GridOp : Tile_Op<"grid",
    [NoTerminator, SingleBlock,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "independent programs over a box";
  let description = [{
    The body runs once for each point of the box `extents`, in any order or at
    once. `mapping` (mapped state) is an ordered list of digits, outermost
    first; a dimension's index is the mixed-radix number of its digits. The
    product of a dimension's digits may exceed its extent: the points beyond it
    are idle. `[wave, space]` is TileLoom's order, `[space, wave]` is owner
    computes.

    `ordered [d, ...]`: points that differ in these dimensions alone run one
    after the other, in ascending (row-major) order, and may depend on each
    other through memory. An atomic update is a load, an operation and a store
    in such a grid. Ordered dimensions map to waves only.
  }];
  let arguments = (ins DenseI64ArrayAttr:$extents, OptionalAttr<ArrayAttr>:$mapping,
                       OptionalAttr<DenseI64ArrayAttr>:$ordered);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $extents (`ordered` $ordered^)? (`map` $mapping^)? attr-dict-with-keyword $body }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The index of one grid dimension inside the body.
    ::mlir::BlockArgument getIndex(unsigned dim) { return getBody().getArgument(dim); }
    /// Whether points along a dimension run in ascending order.
    bool isOrdered(int64_t dim) {
      auto dims = getOrdered();
      return dims && ::llvm::is_contained(*dims, dim);
    }
  }];
}

//===-- Accesses ------------------------------------------------------------//

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments]> {
  let summary = "a tile of an array";
  let description = [{
    Element (lanes) of the result is `array[access(at, lanes)]`. Lanes outside
    `bounds` are not read and are `pad` (undefined when there is no `pad`).
    `access` and `bounds` take the values `at`, then one dimension per lane
    axis; each constraint of `bounds` is an inequality over at most one lane
    axis. Printed with the names of the indices. An array of i64 is loaded into
    a tile of i32: its values must fit.

    With `lookup`, the load gathers: `lookup` is a tile of i32 with one value
    for each lane of `axis`, and the maps take that value, `v`, between the
    values `at` and the lanes. In a constraint `v` counts as a use of `axis`.
    Lanes outside the constraints without `v` look nothing up; a value within
    all bounds is not negative.

    Mapped state: `travel` says how the tile gets to the core, `hoist` across
    how many of the innermost loops of its nest it is issued (0: at every
    iteration), `depth` how many deliveries its buffer holds.

    ```mlir
    %a = tile.load %A[%i, %k] affine_map<(i, k, r, c) -> (128 * i + r, 64 * k + c)>
           where affine_set<(i, k, r, c) : (299 - 64 * k - c >= 0)> else 0.0 : bf16
           : memref<1024x300xbf16> -> tensor<128x64xbf16>
           travel #tile.multicast<along ["x"] senders group net 0> hoist 0 depth 2
    %rows = tile.load %W[%j] lookup %ids axis 0 affine_map<(j, v, r, c) -> (v, 64 * j + c)>
           : memref<5000x256xbf16> -> tensor<32x64xbf16>
    ```
  }];
  let arguments = (ins AnyMemRef:$array, Variadic<Index>:$at,
                       Optional<AnyRankedTensor>:$lookup, AffineMapAttr:$access,
                       OptionalAttr<Tile_BoundsAttr>:$bounds, OptionalAttr<TypedAttrInterface>:$pad,
                       OptionalAttr<Tile_TravelAttr>:$travel,
                       OptionalAttr<I64Attr>:$hoist, OptionalAttr<I64Attr>:$depth,
                       OptionalAttr<I64Attr>:$axis);
  let results = (outs AnyRankedTensor:$tile);
  let builders = [
    /// A load of the logical state that looks nothing up.
    OpBuilder<(ins "::mlir::Type":$tile, "::mlir::Value":$array, "::mlir::ValueRange":$at,
                   "::mlir::AffineMapAttr":$access, "::mlir::IntegerSetAttr":$bounds,
                   "::mlir::TypedAttr":$pad), [{
      build($_builder, $_state, tile, array, at, ::mlir::Value(), access, bounds, pad,
            ::mlir::Attribute(), ::mlir::IntegerAttr(), ::mlir::IntegerAttr(),
            ::mlir::IntegerAttr());
    }]>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store", [AttrSizedOperandSegments]> {
  let summary = "write a tile to an array";
  let description = [{
    The inverse of `tile.load`: lanes outside `bounds` are not written. With
    `lookup` it scatters; two lanes that write one element leave it undefined.
    A tile of i32 may be stored to an array of i64.
  }];
  let arguments = (ins AnyRankedTensor:$tile, AnyMemRef:$array, Variadic<Index>:$at,
                       Optional<AnyRankedTensor>:$lookup, AffineMapAttr:$access,
                       OptionalAttr<Tile_BoundsAttr>:$bounds, OptionalAttr<I64Attr>:$axis);
  let builders = [
    /// A store that looks nothing up.
    OpBuilder<(ins "::mlir::Value":$tile, "::mlir::Value":$array, "::mlir::ValueRange":$at,
                   "::mlir::AffineMapAttr":$access, "::mlir::IntegerSetAttr":$bounds), [{
      build($_builder, $_state, tile, array, at, ::mlir::Value(), access, bounds,
            ::mlir::IntegerAttr());
    }]>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_ReadOp : Tile_Op<"read"> {
  let summary = "an integer of an array as an index";
  let description = [{
    The element `array[access(at)]`, which may then take part in accesses,
    bounds, loop bounds, conditions and arithmetic on indices. Arrays of i64,
    i32, i8 and i1 can be read.

    ```mlir
    %n = tile.read %lens[%b] affine_map<(b) -> (b)> : memref<8xi32> -> index
    ```
  }];
  let arguments = (ins AnyMemRef:$array, Variadic<Index>:$at, AffineMapAttr:$access);
  let results = (outs Index:$value);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===-- Values --------------------------------------------------------------//

def Tile_IndexOp : Tile_Op<"index", [Pure]> {
  let summary = "lane numbers as data";
  let description = [{
    Each lane of the result is the integer `map(at, lanes)`.

    ```mlir
    %i = tile.index [%p] affine_map<(p, l) -> (128 * p + l)> : tensor<128xi32>
    ```
  }];
  let arguments = (ins Variadic<Index>:$at, AffineMapAttr:$map);
  let results = (outs AnyRankedTensor:$tile);
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

def Tile_ScanOp : Tile_Op<"scan",
    [Pure, SingleBlock,
     DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "inclusive scan along an axis";
  let description = [{
    Along `axis`, lane 0 of each result is lane 0 of its operand, and lane i is
    what the body makes of the results at lane i - 1 and the operands at lane
    i; with `reverse`, from the last lane down. The body takes the results so
    far, then the new elements, and must be associative.

    ```mlir
    %s = tile.scan %x axis 1 {
    ^bb0(%sum: f32, %new: f32):
      %next = arith.addf %sum, %new : f32
      tile.yield %next : f32
    } : tensor<32x64xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$tiles, I64Attr:$axis, UnitAttr:$reverse);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    $tiles `axis` $axis (`reverse` $reverse^)? attr-dict-with-keyword $combiner
    `:` type($tiles) }];
  let hasRegionVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, HasParent<"ScanOp">]> {
  let summary = "what a scan has after one more element";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // DRAWLOOM_TILE_TD
