// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `task` dialect: what each engine of a core runs.

#ifndef DRAWLOOM_TASK_TD
#define DRAWLOOM_TASK_TD

include "drawloom/Machine/MachineEnums.td"
include "drawloom/Task/TaskEnums.td"
include "drawloom/Tile/TileAttrs.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Task_Dialect : Dialect {
  let name = "task";
  let cppNamespace = "::drawloom::task";
  let summary = "programs of a core's engines, and the buffers between them";
  let description = [{
    A `task.program` holds arrays in device memory, circular buffers and
    semaphores in every core's L1, and one `task.kernel` per engine: two data
    movers (dm0, dm1) and compute. All cores of the grid run the same kernels
    and tell themselves apart by `task.core`. Control flow is `scf.for` and
    `scf.if`; scalars are `index` and `i1` made by `arith` and `affine`.

    Logical and physical state have the same operations. In the physical state
    every optional placement is there: buffers have an id and an address,
    semaphores an id, registers a slot. The simulator runs the physical state,
    the emitters print it.

    Slots of a circular buffer count tiles: from the write pointer in its
    producer (between reserve and push), from the read pointer in its consumer
    (between wait and pop).
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::drawloom::tile::TileDialect"];
}

class Task_Type<string name, string mnemonic_, string summary_>
    : TypeDef<Task_Dialect, name> {
  let mnemonic = mnemonic_;
  let summary = summary_;
}
def Task_ArrayType : Task_Type<"Array", "array", "an array in device memory">;
def Task_BufferType : Task_Type<"Buffer", "buffer", "a circular buffer in every core's L1">;
def Task_SemaphoreType : Task_Type<"Semaphore", "semaphore", "a counter in every core's L1">;
def Task_RegisterType : Task_Type<"Register", "register", "a range of Dst tiles">;

def Task_EngineAttr : EnumAttr<Task_Dialect, Df_Engine, "engine"> {
  let cppNamespace = "::drawloom::task";
}

class Task_Op<string mnemonic, list<Trait> traits = []>
    : Op<Task_Dialect, mnemonic, traits>;

//===-- Program -------------------------------------------------------------//

def Task_ProgramOp : Task_Op<"program",
    [IsolatedFromAbove, NoTerminator, SingleBlock]> {
  let summary = "one launch as programs of engines";
  let description = [{
    It has the name of the `tile.program` it was lowered from, which may stand
    beside it; so it is no symbol.
    `grid` is columns x rows of cores. `precision` is the multiplier fidelity
    and the element type of Dst for the whole compute kernel.
  }];
  let arguments = (ins SymbolNameAttr:$name, StrAttr:$machine,
                       DenseI64ArrayAttr:$grid, Tile_PrecisionAttr:$precision);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `on` $machine `grid` $grid `precision` $precision
    attr-dict-with-keyword $body }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getColumns() { return getGrid()[0]; }
    int64_t getRows() { return getGrid()[1]; }
    /// Whether Dst holds 32-bit values.
    bool isDst32() { return getPrecision().getDst().isF32(); }
    /// The kernel of an engine, if the program has one.
    KernelOp getKernel(::drawloom::Engine engine);
    /// Whether every buffer, semaphore and register has its place.
    bool isPhysical();
  }];
}

def Task_ArrayOp : Task_Op<"array", [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "an argument in device memory, as pages";
  let description = [{
    `view` is the array in the caller's memory (shape, strides and offset in
    elements), `layout` how its pages lie in device memory; the host converts
    between the two.
  }];
  let arguments = (ins I64Attr:$argument, StrAttr:$name, Tile_Role:$role,
                       Tile_LayoutAttr:$layout, TypeAttrOf<AnyMemRef>:$view);
  let results = (outs Task_ArrayType:$array);
  let assemblyFormat = "$argument $name $role attr-dict `:` $view `layout` $layout";
  let extraClassDeclaration = [{
    ::mlir::MemRefType getViewType() { return ::llvm::cast<::mlir::MemRefType>(getView()); }
    ::mlir::Type getElementType() { return getViewType().getElementType(); }
    /// Pages of the layout, outer dimensions first: for `#tile.tiled` the outer
    /// dimensions, tile rows, tile columns; for `#tile.rows` the outer
    /// dimensions and pages per row.
    ::llvm::SmallVector<int64_t> getPageGrid();
    int64_t getPageCount();
    int64_t getPageBytes();
  }];
}

def Task_BufferOp : Task_Op<"buffer", [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a circular buffer";
  let description = [{
    `depth` blocks of `tiles` tiles each. `direct` buffers are unpacked straight
    to Dst, keeping all 32 bits; they cannot feed the matrix unit, and buffers
    of i32 are always direct. Physical state: `id` and the byte `address` in L1,
    the same on every core.

    A `direct operand` of f32 does both: copies and transpositions take all 32
    bits, and the matrix unit reads the same bytes through its operand
    registers, which cut them. An id says one way of unpacking, so that it has a
    second one, `as` operand, and each step is taken for both.

    `scratch` is L1 of one engine's own: nothing reserves, pushes, waits for or
    pops its tiles, and slots count from its start.

    ```mlir
    %a = task.buffer "a" of bf16 tiles 32 depth 2 id 0 at 108544
    ```
  }];
  let arguments = (ins StrAttr:$name, TypeAttr:$format, I64Attr:$tiles, I64Attr:$depth,
                       UnitAttr:$direct, UnitAttr:$operand, UnitAttr:$scratch,
                       OptionalAttr<I64Attr>:$id, OptionalAttr<I64Attr>:$operand_id,
                       OptionalAttr<I64Attr>:$address);
  let results = (outs Task_BufferType:$buffer);
  let assemblyFormat = [{
    $name `of` $format `tiles` $tiles `depth` $depth (`direct` $direct^)? (`operand` $operand^)?
    (`scratch` $scratch^)? (`id` $id^)? (`as` $operand_id^)? (`at` $address^)? attr-dict }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getCapacity() { return getTiles() * getDepth(); }
    int64_t getTileBytes();
    int64_t getBytes() { return getCapacity() * getTileBytes(); }
    /// Whether the matrix unit may read the tiles.
    bool feedsMatrixUnit() { return !getDirect() || getOperand(); }
  }];
}

def Task_SemaphoreOp : Task_Op<"semaphore", [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a counter in every core's L1";
  let description = "Zero at launch; counts up and is never reset. Physical state: `id`.";
  let arguments = (ins StrAttr:$name, OptionalAttr<I64Attr>:$id);
  let results = (outs Task_SemaphoreType:$semaphore);
  let assemblyFormat = "$name (`id` $id^)? attr-dict";
}

def Task_KernelOp : Task_Op<"kernel", [NoTerminator, SingleBlock]> {
  let summary = "what one engine of every core runs";
  let description = "A data mover does all its transfers on `network`.";
  let arguments = (ins Task_EngineAttr:$engine, OptionalAttr<I64Attr>:$network);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$engine (`network` $network^)? attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Task_CoreOp : Task_Op<"core",
    [Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a coordinate of the core that runs this";
  let arguments = (ins Task_CoreDim:$dim);
  let results = (outs Index:$index);
  let assemblyFormat = "$dim attr-dict";
}

//===-- Circular buffers ----------------------------------------------------//

class Task_BufferStep<string mnemonic, string summary_> : Task_Op<mnemonic> {
  let summary = summary_;
  let arguments = (ins Task_BufferType:$buffer, I64Attr:$tiles);
  let assemblyFormat = "$buffer `,` $tiles attr-dict";
}
def Task_ReserveOp : Task_BufferStep<"reserve", "producer: wait until so many tiles are free">;
def Task_PushOp : Task_BufferStep<"push", "producer: hand so many tiles to the consumer">;
def Task_WaitOp : Task_BufferStep<"wait", "consumer: wait until so many tiles are there">;
def Task_PopOp : Task_BufferStep<"pop", "consumer: free so many tiles">;

//===-- Data movers ---------------------------------------------------------//

def Task_ReadOp : Task_Op<"read"> {
  let summary = "start reading a page into a slot";
  let description = [{
    Reads page `page` of `array` to slot `slot`. `part` = [byte in the page,
    byte in the tile, bytes] moves only a part; without it the whole page, which
    is then one tile.
  }];
  let arguments = (ins Task_ArrayType:$array, Index:$page, Task_BufferType:$buffer,
                       Index:$slot, Variadic<Index>:$part);
  let assemblyFormat = [{
    $array `[` $page `]` `into` $buffer `[` $slot `]` (`part` `[` $part^ `]`)? attr-dict }];
  let hasVerifier = 1;
}

def Task_WriteOp : Task_Op<"write"> {
  let summary = "start writing a slot to a page";
  let description = "`part` = [byte in the tile, byte in the page, bytes], as for `task.read`.";
  let arguments = (ins Task_BufferType:$buffer, Index:$slot, Task_ArrayType:$array,
                       Index:$page, Variadic<Index>:$part);
  let assemblyFormat = [{
    $buffer `[` $slot `]` `into` $array `[` $page `]` (`part` `[` $part^ `]`)? attr-dict }];
  let hasVerifier = 1;
}

def Task_FenceOp : Task_Op<"fence"> {
  let summary = "wait for the transfers this engine has started";
  let arguments = (ins Task_Transfers:$transfers);
  let assemblyFormat = "$transfers attr-dict";
}

def Task_FillOp : Task_Op<"fill"> {
  let summary = "overwrite the lanes of a slot outside a box";
  let description = [{
    Done by the data mover with stores. `keep` = [rows, columns] keeps the tile's
    top-left box and fills the rest; `keep` = [elements] keeps so many elements
    in memory order. Values outside 0..32 (0..1024) are clamped. `value` has
    the buffer's format.
  }];
  let arguments = (ins Task_BufferType:$buffer, Index:$slot, Variadic<Index>:$keep,
                       TypedAttrInterface:$value);
  let assemblyFormat = "$buffer `[` $slot `]` `keep` `[` $keep `]` `with` $value attr-dict";
  let hasVerifier = 1;
}

def Task_IotaOp : Task_Op<"iota"> {
  let summary = "number the lanes of a slot";
  let description = [{
    Done by the data mover with stores: lane (r, c) of the tile becomes `base`
    plus r (along `row`) or c (along `column`), in the buffer's format, f32 or
    i32.
  }];
  let arguments = (ins Task_BufferType:$buffer, Index:$slot, Task_LaneAxis:$along, Index:$base);
  let assemblyFormat = "$buffer `[` $slot `]` `along` $along `from` $base attr-dict";
  let hasVerifier = 1;
}

def Task_PlaceOp : Task_Op<"place"> {
  let summary = "copy elements in memory order to a line of lanes of a tile";
  let description = [{
    Done by the data mover with loads and stores. Element i < `count` is at byte
    `byte` + i * `step` of slot `from` of `source` (a scratch buffer) and goes to
    lane (`row`, `column` + i) of slot `slot` along `column`, or to lane
    (`row` + i, `column`) along `row`. `elements` is the type of the source's
    elements; it is the buffer's format, or another integer type that becomes
    i32: i1, i8 and i16 are widened with their sign (i1 without), i64 is cut. `count` may be 0 or less.

    ```mlir
    task.place %line[%s] byte %b step 2 of bf16 count %n into %x[%t] at [%r, %c] along column
    ```
  }];
  let arguments = (ins Task_BufferType:$source, Index:$from, Index:$byte, I64Attr:$step,
                       TypeAttr:$elements, Index:$count, Task_BufferType:$buffer, Index:$slot,
                       Index:$row, Index:$column, Task_LaneAxis:$along);
  let assemblyFormat = [{
    $source `[` $from `]` `byte` $byte `step` $step `of` $elements `count` $count
    `into` $buffer `[` $slot `]` `at` `[` $row `,` $column `]` `along` $along attr-dict }];
  let hasVerifier = 1;
}

def Task_LiftOp : Task_Op<"lift"> {
  let summary = "copy a line of lanes of a tile to elements in memory order";
  let description = "The inverse of `task.place`: narrow elements are cut, i64 is widened with its sign.";
  let arguments = (ins Task_BufferType:$buffer, Index:$slot, Index:$row, Index:$column,
                       Task_LaneAxis:$along, Index:$count, Task_BufferType:$target, Index:$to,
                       Index:$byte, I64Attr:$step, TypeAttr:$elements);
  let assemblyFormat = [{
    $buffer `[` $slot `]` `at` `[` $row `,` $column `]` `along` $along `count` $count
    `into` $target `[` $to `]` `byte` $byte `step` $step `of` $elements attr-dict }];
  let hasVerifier = 1;
}

def Task_PeekOp : Task_Op<"peek"> {
  let summary = "an integer in a slot, as an index";
  let description = [{
    The element of integer type `elements` at byte `byte` of the slot, with its
    sign (i1 without). A data mover peeks into its scratch, into what it has
    reserved and into what it has waited for; the compute engine into what it
    has waited for. Every engine of a core that peeks at the same place of the
    same data gets the same number.
  }];
  let arguments = (ins Task_BufferType:$buffer, Index:$slot, Index:$byte, TypeAttr:$elements);
  let results = (outs Index:$value);
  let assemblyFormat = "$buffer `[` $slot `]` `byte` $byte `of` $elements attr-dict";
  let hasVerifier = 1;
}

def Task_MulticastOp : Task_Op<"multicast"> {
  let summary = "start sending slots to the same slots of other cores";
  let description = [{
    Sends `tiles` tiles from `slot` on to the same L1 address of every core of
    the inclusive rectangle `to` = [x0, y0, x1, y1] but this one; `receivers` is
    their number. The receivers have reserved the same slots.
  }];
  let arguments = (ins Task_BufferType:$buffer, Index:$slot, I64Attr:$tiles,
                       Variadic<Index>:$to, I64Attr:$receivers);
  let assemblyFormat = [{
    $buffer `[` $slot `]` `tiles` $tiles `to` `[` $to `]` `receivers` $receivers attr-dict }];
  let hasVerifier = 1;
}

def Task_SignalOp : Task_Op<"signal"> {
  let summary = "add one to a semaphore of other cores";
  let description = [{
    Every core of the inclusive rectangle `to` = [x0, y0, x1, y1] but this one
    counts one up; a rectangle of one core may be this core itself.
  }];
  let arguments = (ins Task_SemaphoreType:$semaphore, Variadic<Index>:$to);
  let assemblyFormat = "$semaphore `to` `[` $to `]` attr-dict";
  let hasVerifier = 1;
}

def Task_PublishOp : Task_Op<"publish"> {
  let summary = "multicast a semaphore's value";
  let description = [{
    Sets this core's semaphore to `value` and multicasts it to the same
    semaphore of the rectangle's other cores. It arrives after the multicasts
    this engine has sent before to the same rectangle.
  }];
  let arguments = (ins Task_SemaphoreType:$semaphore, Index:$value,
                       Variadic<Index>:$to, I64Attr:$receivers);
  let assemblyFormat = [{
    $semaphore `=` $value `to` `[` $to `]` `receivers` $receivers attr-dict }];
  let hasVerifier = 1;
}

def Task_AwaitOp : Task_Op<"await"> {
  let summary = "wait until this core's semaphore has reached a value";
  let arguments = (ins Task_SemaphoreType:$semaphore, Index:$value);
  let assemblyFormat = "$semaphore `at_least` $value attr-dict";
}

//===-- Compute -------------------------------------------------------------//

def Task_StartupOp : Task_Op<"startup"> {
  let summary = "configure unpackers and packer, once, first";
  let description = "For operands like `lhs` and `rhs` and results like `out`.";
  let arguments = (ins Task_BufferType:$lhs, Task_BufferType:$rhs, Task_BufferType:$out,
                       UnitAttr:$matmul);
  let assemblyFormat = "$lhs `,` $rhs `,` $out (`matmul` $matmul^)? attr-dict";
}

def Task_InitOp : Task_Op<"init"> {
  let summary = "set up the compute engine for the operations that follow";
  let description = [{
    `kind` and `buffers` (operands read; for `pack` the target) say what
    follows; `arithmetic`, `broadcast`, `function`, `block` and `transposed` are
    those of the operation. An operation that runs under another set-up is an
    error. `sfpu` and `pack` set-ups stand beside the others.

    ```mlir
    task.init matmul(%a, %b) block [2, 2, 8]
    task.init binary(%x, %y) add
    task.init sfpu "exp"
    task.init pack(%o)
    task.init reduce(%x, %ones) sum over row
    ```

    A set-up for `reduce` lasts to the end of its `task.dst`, in which it stands:
    it changes what the packer writes.
  }];
  let arguments = (ins Task_Setup:$kind, Variadic<Task_BufferType>:$buffers,
                       OptionalAttr<Task_Arithmetic>:$arithmetic,
                       OptionalAttr<Task_Broadcast>:$broadcast,
                       OptionalAttr<StrAttr>:$function,
                       OptionalAttr<DenseI64ArrayAttr>:$block, UnitAttr:$transposed,
                       OptionalAttr<Task_Reduction>:$reduction, OptionalAttr<Task_Extent>:$over);
  let assemblyFormat = [{
    $kind (`(` $buffers^ `)`)? ($function^)? ($arithmetic^)? (`broadcast` $broadcast^)?
    ($reduction^ `over` $over)? (`block` $block^)? (`transposed` $transposed^)? attr-dict }];
  let hasVerifier = 1;
}

def Task_DstOp : Task_Op<"dst", [NoTerminator, SingleBlock]> {
  let summary = "one use of a half of Dst";
  let description = [{
    Acquires a half of Dst (all zero), runs the math operations of its body, and
    hands the half to the packer, which runs the `task.pack`s. Packs come after
    the math in the body; waits and pops of operands may stand anywhere in it.
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Task_RegisterOp : Task_Op<"register"> {
  let summary = "a range of Dst tiles";
  let description = "Physical state: `slot` is its first tile in the half.";
  let arguments = (ins I64Attr:$tiles, OptionalAttr<I64Attr>:$slot);
  let results = (outs Task_RegisterType:$range);
  let assemblyFormat = "$tiles (`slot` $slot^)? attr-dict";
}

def Task_MatmulOp : Task_Op<"matmul"> {
  let summary = "one inner step of a block of tile products";
  let description = [{
    With `block` = [rows, columns, inner]: for r < rows and c < columns,
    `into[r * columns + c] += lhs[r * inner] * rhs[c]`, counted from the given
    slots; `inner` is the row stride of lhs in tiles. With `transposed` each
    tile of rhs is transposed.
  }];
  let arguments = (ins Task_BufferType:$lhs, Index:$lhsSlot, Task_BufferType:$rhs,
                       Index:$rhsSlot, Task_RegisterType:$into, Index:$index,
                       DenseI64ArrayAttr:$block, UnitAttr:$transposed);
  let assemblyFormat = [{
    $lhs `[` $lhsSlot `]` `,` $rhs `[` $rhsSlot `]` `into` $into `[` $index `]`
    `block` $block (`transposed` $transposed^)? attr-dict }];
  let hasVerifier = 1;
}

def Task_BinaryOp : Task_Op<"binary"> {
  let summary = "element-wise operation of two buffered tiles in the matrix unit";
  let description = [{
    `broadcast` repeats a line of `rhs`, of which no more is read than the format
    of `lhs` can hold. (So it is with products, where `rhs` says what is read of
    `lhs`.)
  }];
  let arguments = (ins Task_Arithmetic:$arithmetic, Task_BufferType:$lhs, Index:$lhsSlot,
                       Task_BufferType:$rhs, Index:$rhsSlot, Task_RegisterType:$into,
                       Index:$index, OptionalAttr<Task_Broadcast>:$broadcast);
  let assemblyFormat = [{
    $arithmetic $lhs `[` $lhsSlot `]` `,` $rhs `[` $rhsSlot `]` `into` $into `[` $index `]`
    (`broadcast` $broadcast^)? attr-dict }];
}

def Task_CopyOp : Task_Op<"copy"> {
  let summary = "a buffered tile to Dst";
  let arguments = (ins Task_BufferType:$buffer, Index:$slot, Task_RegisterType:$into,
                       Index:$index, OptionalAttr<Task_Broadcast>:$broadcast);
  let assemblyFormat = [{
    $buffer `[` $slot `]` `into` $into `[` $index `]` (`broadcast` $broadcast^)? attr-dict }];
}

def Task_TransposeOp : Task_Op<"transpose"> {
  let summary = "a buffered tile to Dst, rows and columns exchanged";
  let arguments = (ins Task_BufferType:$buffer, Index:$slot, Task_RegisterType:$into,
                       Index:$index);
  let assemblyFormat = "$buffer `[` $slot `]` `into` $into `[` $index `]` attr-dict";
}

def Task_ReduceOp : Task_Op<"reduce"> {
  let summary = "lanes of a buffered tile combined in the matrix unit";
  let description = [{
    The first reduction into a Dst tile starts it, later ones of the same
    `task.dst` combine with what is there. Only the lanes that hold results are
    defined afterwards. `ones` holds a tile of ones; for sums over a row, in a
    format no narrower than that of `buffer`, of which more would not be read.
  }];
  let arguments = (ins Task_Reduction:$reduction, Task_Extent:$over, Task_BufferType:$buffer,
                       Index:$slot, Task_BufferType:$ones, Task_RegisterType:$into, Index:$index);
  let assemblyFormat = [{
    $reduction `over` $over $buffer `[` $slot `]` `by` $ones `into` $into `[` $index `]` attr-dict }];
  let hasVerifier = 1;
}

def Task_SelectOp : Task_Op<"select"> {
  let summary = "choose between two Dst tiles lane by lane, in the vector unit";
  let description = [{
    `into` = `condition` != 0 ? `yes` : `no`. The set-up is `task.init sfpu "select"`.
    The values are copied, so 32-bit integers are chosen as well as floats.
  }];
  let arguments = (ins Task_RegisterType:$condition, Index:$conditionIndex,
                       Task_RegisterType:$yes, Index:$yesIndex, Task_RegisterType:$no,
                       Index:$noIndex, Task_RegisterType:$into, Index:$index);
  let assemblyFormat = [{
    $condition `[` $conditionIndex `]` `,` $yes `[` $yesIndex `]` `,` $no `[` $noIndex `]`
    `into` $into `[` $index `]` attr-dict }];
}

def Task_FillRegisterOp : Task_Op<"fill_register"> {
  let summary = "every lane of a Dst tile gets a value, in the vector unit";
  let description = [{
    `value` is f32, or i32 for the bits of an integer; `number` in its place is
    an integer known at run time, as lanes of type `as`, i32 or f32 (exact below
    2^24). The set-up is `task.init sfpu "fill"`.
  }];
  let arguments = (ins Task_RegisterType:$of, Index:$index,
                       OptionalAttr<TypedAttrInterface>:$value,
                       Optional<Index>:$number, OptionalAttr<TypeAttr>:$as);
  let assemblyFormat = [{
    $of `[` $index `]` (`with` $value^)? (`number` $number^ `as` $as)? attr-dict }];
  let hasVerifier = 1;
}

def Task_SfpuOp : Task_Op<"sfpu"> {
  let summary = "a function of every lane of a Dst tile, in place";
  let description = [{
    `function` has the name of the scalar operation in `math` or `arith`: exp,
    exp2, log, log2, sqrt, rsqrt, recip, sigmoid, silu, relu, gelu, gelu_tanh,
    tanh, erf, sin, cos, floor, ceil, abs, neg, square; sitofp and fptosi
    between f32 and i32 lanes (fptosi truncates). `scalar` is a constant
    second operand of add, sub, mul, max, min and of the comparisons eq, ne,
    lt, le, gt, ge, which give 1.0 or 0.0. `number` is such an operand known at
    run time: an integer, converted to f32 (exact below 2^24).
  }];
  let arguments = (ins StrAttr:$function, Task_RegisterType:$of, Index:$index,
                       OptionalAttr<F32Attr>:$scalar, Optional<Index>:$number);
  let assemblyFormat = [{
    $function $of `[` $index `]` (`,` $scalar^)? (`number` $number^)? attr-dict }];
  let hasVerifier = 1;
}

def Task_SfpuBinaryOp : Task_Op<"sfpu_binary"> {
  let summary = "an operation of two Dst tiles in the vector unit";
  let description = [{
    `function` is add, sub, mul, div, max, min, or a comparison of floats eq, ne,
    lt, le, gt, ge, which gives 1.0 or 0.0. On 32-bit integer lanes: addi, subi,
    muli (low 32 bits), andi, ori, xori, shli, shrui, shrsi, maxsi, minsi and the
    comparisons eqi, nei, lti, lei, gti, gei (signed), ltui, which give 1.0 or
    0.0 as a float.
  }];
  let arguments = (ins StrAttr:$function, Task_RegisterType:$lhs, Index:$lhsIndex,
                       Task_RegisterType:$rhs, Index:$rhsIndex,
                       Task_RegisterType:$into, Index:$index);
  let assemblyFormat = [{
    $function $lhs `[` $lhsIndex `]` `,` $rhs `[` $rhsIndex `]` `into` $into `[` $index `]`
    attr-dict }];
  let hasVerifier = 1;
}

def Task_PackOp : Task_Op<"pack"> {
  let summary = "a Dst tile to a slot of a buffer, rounded to its format";
  let arguments = (ins Task_RegisterType:$of, Index:$index, Task_BufferType:$buffer,
                       Index:$slot);
  let assemblyFormat = "$of `[` $index `]` `into` $buffer `[` $slot `]` attr-dict";
}

#endif // DRAWLOOM_TASK_TD
