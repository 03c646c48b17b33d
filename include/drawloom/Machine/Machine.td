// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `df` dialect: a machine as a stack of layers, TileLoom section 2.4.
#ifndef DRAWLOOM_MACHINE_TD
#define DRAWLOOM_MACHINE_TD

include "drawloom/Machine/MachineEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Df_Dialect : Dialect {
  let name = "df";
  let cppNamespace = "::drawloom::df";
  let summary = "machines: cores, networks, memories, units and their costs";
  let description = [{
    A machine is a stack of layers in one `df.machine`, each optional above the
    first, and a pass reads only the layers it needs:

    1. scale-out: `spatial_dim`, `core`, `interconnects`;
    2. memory and transport: `memory`, `mux`, `router`, `network`, `place`;
    3. inside a core: `mat`, `vec`, `scalar`, `engine`, `limit`, `cost`,
       `tile_op`, `pack`, `sfpu`.

    `host` stands beside the layers: the computer the machine is plugged into.

    Times are cycles of the machine's clock, rates bytes per cycle, sizes
    bytes. Numbers are written where they are used, each followed by its source
    in a comment.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

//===--- Types: what an operation may refer to ----------------------------===//

class Df_Type<string name, string keyword, string text> : TypeDef<Df_Dialect, name> {
  let mnemonic = keyword;
  let summary = text;
}
def Df_Dim : Df_Type<"Dim", "dim", "a spatial dimension">;
def Df_Component : Df_Type<"Component", "component", "cores, routers or memories">;
def Df_Links : Df_Type<"Links", "links", "the links of one interconnect">;
def Df_Network : Df_Type<"Network", "network", "a routed network">;
def Df_Unit : Df_Type<"Unit", "unit", "a compute unit of a core">;

//===--- Attributes -------------------------------------------------------===//

class Df_EnumAttr<EnumInfo info, string keyword>
    : EnumAttr<Df_Dialect, info, keyword> {
  let cppNamespace = "::drawloom::df";
  let assemblyFormat = "$value";
}
def Df_FormatAttr : Df_EnumAttr<Df_Format, "format">;
def Df_FidelityAttr : Df_EnumAttr<Df_Fidelity, "fidelity">;
def Df_EngineAttr : Df_EnumAttr<Df_Engine, "processor">;
def Df_MemoryLevelAttr : Df_EnumAttr<Df_MemoryLevel, "level">;
def Df_RoundingAttr : Df_EnumAttr<Df_Rounding, "rounding">;
def Df_TileOpAttr : Df_EnumAttr<Df_TileOp, "operation">;
def Df_CostAttr : Df_EnumAttr<Df_Cost, "kind">;
def Df_LimitAttr : Df_EnumAttr<Df_Limit, "bound">;

// A number that must be stated; absence is the verifier's to report.
defvar Df_Number = OptionalAttr<F64Attr>;
def Df_IntLists : TypedArrayAttrBase<DenseI64ArrayAttr, "lists of integers">;

//===--- Operations -------------------------------------------------------===//

class Df_Op<string mnemonic, list<Trait> traits = []>
    : Op<Df_Dialect, mnemonic, traits>;

class Df_InMachine<string mnemonic, list<Trait> traits = []>
    : Df_Op<mnemonic, traits # [HasParent<"MachineOp">]>;

// An operation with a name of its own; its result prints under that name.
class Df_Named<string mnemonic, list<Trait> traits = []>
    : Df_InMachine<mnemonic, traits # [
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let extraClassDefinition = [{
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn setName) {
      setName(getResult(), getName());
    }
  }];
}

def Df_MachineOp : Df_Op<"machine", [IsolatedFromAbove, NoTerminator,
                                     SingleBlock, Symbol]> {
  let summary = "one machine";
  let description = [{
    `clock` is in GHz: cycles per nanosecond. It may be left out by a machine
    whose times are only ever compared in cycles.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Df_Number:$clock);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name oilist(`clock` custom<Number>($clock)) attr-dict-with-keyword $body
  }];
  let extraClassDeclaration = [{ CoreOp getCore(); }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Df_SpatialDimOp : Df_Named<"spatial_dim"> {
  let summary = "an abstract spatial dimension that indexes components";
  let arguments = (ins StrAttr:$name, I64Attr:$size);
  let results = (outs Df_Dim:$result);
  let assemblyFormat = "$name custom<Size>($size) attr-dict";
  let hasVerifier = 1;
}

def Df_CoreOp : Df_Named<"core", [AttrSizedOperandSegments]> {
  let summary = "the cores: one per point of the scale-out dimensions";
  let description = [{
    Cores are numbered with the first dimension fastest. `scalein` lists the
    compute units inside each core.
  }];
  let arguments = (ins StrAttr:$name, Variadic<Df_Dim>:$scaleout,
                       Variadic<Df_Unit>:$scalein);
  let results = (outs Df_Component:$result);
  let assemblyFormat = [{
    $name `scaleout` `(` $scaleout `)` (`scalein` `(` $scalein^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Df_RouterOp : Df_Named<"router"> {
  let summary = "the routers of a network that has more stops than cores";
  let arguments = (ins StrAttr:$name, Variadic<Df_Dim>:$scaleout);
  let results = (outs Df_Component:$result);
  let assemblyFormat = "$name `scaleout` `(` $scaleout `)` attr-dict";
  let hasVerifier = 1;
}

def Df_InterconnectsOp : Df_Named<"interconnects"> {
  let summary = "directed links between components, one from each";
  let description = [{
    `map` sends the coordinates of a component to those of the one its link
    leads to. `bandwidth` is of each link, in bytes per cycle.
  }];
  let arguments = (ins StrAttr:$name, Df_Component:$components,
                       AffineMapAttr:$map, Df_Number:$bandwidth);
  let results = (outs Df_Links:$result);
  let assemblyFormat = [{
    $name `components` `(` $components `)` `map` $map
    oilist(`bandwidth` custom<Number>($bandwidth)) attr-dict
  }];
  let hasVerifier = 1;
}

def Df_MemoryOp : Df_Named<"memory"> {
  let summary = "memories, one per point of the scale-out dimensions";
  let description = [{
    A `local` memory belongs to one core; the instances of a `global` one are
    banks over which arrays are interleaved page by page. `reserved` bytes at
    the bottom are not free to programs. Latencies are besides the flight over
    the network. `read_interval` is the fewest cycles from one read of an
    instance to the next, however short they are. `contention` is how many times
    as long as their bytes alone reads take where several cores ask for the same
    pages at once; without it, as long.
  }];
  let arguments = (ins Df_MemoryLevelAttr:$level, StrAttr:$name,
    Variadic<Df_Dim>:$scaleout, OptionalAttr<I64Attr>:$size,
    Df_Number:$bandwidth, Df_Number:$write_bandwidth,
    OptionalAttr<I64Attr>:$reserved, Df_Number:$latency,
    Df_Number:$write_latency, Df_Number:$read_interval,
    Df_Number:$contention,
    OptionalAttr<I64Attr>:$read_align,
    OptionalAttr<I64Attr>:$write_align);
  let results = (outs Df_Component:$result);
  let assemblyFormat = [{
    `` $level $name `scaleout` `(` $scaleout `)`
    oilist(`size` custom<Size>($size)
         | `bandwidth` custom<Number>($bandwidth)
         | `write_bandwidth` custom<Number>($write_bandwidth)
         | `reserved` custom<Size>($reserved)
         | `latency` custom<Number>($latency)
         | `write_latency` custom<Number>($write_latency)
         | `read_interval` custom<Number>($read_interval)
         | `contention` custom<Number>($contention)
         | `read_align` custom<Size>($read_align)
         | `write_align` custom<Size>($write_align))
    attr-dict
  }];
  let hasVerifier = 1;
}

def Df_MuxOp : Df_InMachine<"mux"> {
  let summary = "which memory each core or local memory reaches";
  let description = [{
    `map` sends the coordinates of a `dst` to those of the `srcs` it reaches;
    `where` limits it to some of the `dst`, such as those along one edge.
  }];
  let arguments = (ins Df_Component:$dst, Df_Component:$srcs,
    AffineMapAttr:$map, OptionalAttr<IntegerSetAttr>:$where,
    Df_Number:$bandwidth);
  let assemblyFormat = [{
    `dst` `(` $dst `)` `srcs` `(` $srcs `)` `map` $map
    (`where` $where^)? oilist(`bandwidth` custom<Number>($bandwidth)) attr-dict
  }];
  let hasVerifier = 1;
}

def Df_NetworkOp : Df_Named<"network", [AttrSizedOperandSegments]> {
  let summary = "interconnects with a routing order";
  let description = [{
    A unicast follows the first interconnect of `unicast` until its coordinate
    along that axis is right, then the second; a multicast does the same in the
    order of `multicast`, branching where its receivers part. Each interconnect
    moves along one axis, in the direction of its map. `buffer` is what a router
    stores of a packet that cannot go on; without it, all of it.
  }];
  let arguments = (ins StrAttr:$name, Variadic<Df_Links>:$unicast,
    Variadic<Df_Links>:$multicast,
    OptionalAttr<I64Attr>:$flit, OptionalAttr<I64Attr>:$packet,
    OptionalAttr<I64Attr>:$buffer, Df_Number:$hop, Df_Number:$niu, Df_Number:$inject, Df_Number:$absorb,
    Df_Number:$multicast_rate, Df_Number:$read_turnaround,
    Df_Number:$write_turnaround);
  let results = (outs Df_Network:$result);
  let assemblyFormat = [{
    $name `unicast` `(` $unicast `)` `multicast` `(` $multicast `)`
    oilist(`flit` custom<Size>($flit)
         | `packet` custom<Size>($packet)
         | `buffer` custom<Size>($buffer)
         | `hop` custom<Number>($hop)
         | `niu` custom<Number>($niu)
         | `inject` custom<Number>($inject)
         | `absorb` custom<Number>($absorb)
         | `multicast_rate` custom<Number>($multicast_rate)
         | `read_turnaround` custom<Number>($read_turnaround)
         | `write_turnaround` custom<Number>($write_turnaround))
    attr-dict
  }];
  let hasVerifier = 1;
}

def Df_PlaceOp : Df_InMachine<"place"> {
  let summary = "where cores or banks sit on the routers";
  let description = [{
    `axes` gives, for each dimension of the component, the router coordinate of
    each index: a grid with holes between its rows and columns. `at` gives one
    point for each instance, on one network or on all.
  }];
  let arguments = (ins Df_Component:$component, Df_Component:$routers,
    Optional<Df_Network>:$network, OptionalAttr<Df_IntLists>:$axes,
    OptionalAttr<Df_IntLists>:$points);
  let assemblyFormat = [{
    $component `on` $routers (`network` $network^)?
    oilist(`axes` custom<IntLists>($axes) | `at` custom<IntLists>($points))
    attr-dict
  }];
  let hasVerifier = 1;
}

def Df_MatOp : Df_Named<"mat"> {
  let summary = "a matrix unit: m x k x n products at a throughput";
  let description = [{
    `throughput` is intrinsics per cycle. The rest says how it handles numbers;
    a machine states all of it or none:

    - `mantissa`: explicit mantissa bits of an operand;
    - `multiplier`: widths for in0 and in1, hidden bit included;
    - `groups [count, size]`: a step adds `count` sums to Dst, each of `size`
      products aligned to the largest of them;
    - `addend`: significand bits of the terms of that addition, with a 32-bit
      and with a 16-bit Dst;
    - `accumulate`, `pack`: rounding of its result, and from Dst to memory;
    - `misnormalises_minus_one`: whether a sum of exactly -1 in the last place
      of a 32-bit Dst comes out 2^27 times too large.
  }];
  let arguments = (ins StrAttr:$name, DenseI64ArrayAttr:$shape,
    Df_Number:$throughput, OptionalAttr<I64Attr>:$mantissa,
    OptionalAttr<DenseI64ArrayAttr>:$multiplier,
    OptionalAttr<DenseI64ArrayAttr>:$groups,
    OptionalAttr<DenseI64ArrayAttr>:$addend,
    OptionalAttr<Df_RoundingAttr>:$accumulate,
    OptionalAttr<Df_RoundingAttr>:$pack,
    OptionalAttr<BoolAttr>:$misnormalises_minus_one);
  let results = (outs Df_Unit:$result);
  let assemblyFormat = [{
    $name `shape` custom<Ints>($shape)
    oilist(`throughput` custom<Number>($throughput)
         | `mantissa` custom<Size>($mantissa)
         | `multiplier` custom<Ints>($multiplier)
         | `groups` custom<Ints>($groups)
         | `addend` custom<Ints>($addend)
         | `accumulate` custom<RoundingName>($accumulate)
         | `pack` custom<RoundingName>($pack)
         | `misnormalises_minus_one` $misnormalises_minus_one)
    attr-dict
  }];
  let hasVerifier = 1;
}

def Df_VecOp : Df_Named<"vec"> {
  let summary = "a vector unit: lanes at a throughput";
  let description = [{
    `throughput` is intrinsics per cycle. The rest says how it handles numbers;
    a machine states all of it or none:

    - `store`: rounding to a 16-bit Dst;
    - `function_bits`: significand bits that functions (exp, log, ...) get
      right, hidden bit included;
    - `keeps_zero_sign`: whether a zero result has a sign; otherwise it is +0;
    - `nan`: the fp32 pattern of the result of an invalid operation.
  }];
  let arguments = (ins StrAttr:$name, DenseI64ArrayAttr:$shape,
    Df_Number:$throughput, OptionalAttr<Df_RoundingAttr>:$store,
    OptionalAttr<I64Attr>:$function_bits, OptionalAttr<BoolAttr>:$keeps_zero_sign,
    OptionalAttr<I64Attr>:$nan);
  let results = (outs Df_Unit:$result);
  let assemblyFormat = [{
    $name `shape` custom<Ints>($shape)
    oilist(`throughput` custom<Number>($throughput)
         | `store` custom<RoundingName>($store)
         | `function_bits` custom<Size>($function_bits)
         | `keeps_zero_sign` $keeps_zero_sign
         | `nan` custom<Pattern>($nan))
    attr-dict
  }];
  let hasVerifier = 1;
}

def Df_ScalarOp : Df_Named<"scalar"> {
  let summary = "a scalar unit with a latency in cycles";
  let arguments = (ins StrAttr:$name, Df_Number:$latency);
  let results = (outs Df_Unit:$result);
  let assemblyFormat = [{
    $name oilist(`latency` custom<Number>($latency)) attr-dict
  }];
  let hasVerifier = 1;
}

def Df_EngineOp : Df_InMachine<"engine"> {
  let summary = "a program engine of a core: the vendor's name, its network";
  let arguments = (ins Df_EngineAttr:$engine, StrAttr:$processor,
                       Optional<Df_Network>:$network);
  let assemblyFormat = [{
    `` $engine `processor` $processor (`network` $network^)? attr-dict
  }];
}

def Df_LimitOp : Df_InMachine<"limit"> {
  let summary = "a count that a program must stay within";
  let arguments = (ins Df_LimitAttr:$limit, I64Attr:$value);
  let assemblyFormat = "`` $limit custom<Size>($value) attr-dict";
  let hasVerifier = 1;
}

def Df_CostOp : Df_InMachine<"cost"> {
  let summary = "a fixed cost in cycles of the engine that pays it";
  let arguments = (ins Df_CostAttr:$cost, F64Attr:$cycles);
  let assemblyFormat = "`` $cost custom<Number>($cycles) attr-dict";
  let hasVerifier = 1;
}

def Df_TileOpOp : Df_InMachine<"tile_op"> {
  let summary = "cycles of one tile operation of the matrix unit";
  let description = [{
    The math thread takes `math` cycles and `per_phase` more for each fidelity
    phase. The unpack thread meanwhile moves the tiles of `operands` at
    `unpack` bytes per cycle and takes `unpack_fixed` cycles besides.
  }];
  let arguments = (ins Df_TileOpAttr:$kind, Df_Number:$math,
    Df_Number:$per_phase, OptionalAttr<I64Attr>:$operands, Df_Number:$unpack,
    Df_Number:$unpack_fixed);
  let assemblyFormat = [{
    `` $kind oilist(`math` custom<Number>($math)
         | `per_phase` custom<Number>($per_phase)
         | `operands` custom<Size>($operands)
         | `unpack` custom<Number>($unpack)
         | `unpack_fixed` custom<Number>($unpack_fixed))
    attr-dict
  }];
  let hasVerifier = 1;
}

def Df_PackOp : Df_InMachine<"pack"> {
  let summary = "moving a tile of Dst to memory";
  let description = [{
    `accumulate` is the rate when the tile is added to what memory holds.
  }];
  let arguments = (ins Df_Number:$bandwidth, Df_Number:$fixed,
                       Df_Number:$accumulate);
  let assemblyFormat = [{
    oilist(`bandwidth` custom<Number>($bandwidth)
         | `fixed` custom<Number>($fixed)
         | `accumulate` custom<Number>($accumulate)) attr-dict
  }];
  let hasVerifier = 1;
}

def Df_SfpuOp : Df_InMachine<"sfpu"> {
  let summary = "cycles of one tile through a function of the vector unit";
  let arguments = (ins StrAttr:$function, Df_FormatAttr:$dst, F64Attr:$cycles);
  let assemblyFormat = "$function $dst custom<Number>($cycles) attr-dict";
  let hasVerifier = 1;
}

//===--- Beside the machine -----------------------------------------------===//

def Df_HostOp : Df_InMachine<"host"> {
  let summary = "the host: how fast it converts arrays";
  let description = [{
    `convert` is bytes per nanosecond (GB/s) that one thread moves between the
    caller's row-major arrays and pages whose elements lie in another order. It
    belongs to the computer a card is plugged into rather than to the card.
  }];
  let arguments = (ins Df_Number:$convert);
  let assemblyFormat = "oilist(`convert` custom<Number>($convert)) attr-dict";
  let hasVerifier = 1;
}

#endif // DRAWLOOM_MACHINE_TD
