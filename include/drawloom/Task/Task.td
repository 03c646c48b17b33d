// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `task` dialect: what each engine of a core runs. Here the program around
// it; its operations are in TaskMovement.td and TaskCompute.td.

#ifndef DRAWLOOM_TASK_TD
#define DRAWLOOM_TASK_TD

include "drawloom/Task/TaskBase.td"

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

include "drawloom/Task/TaskMovement.td"
include "drawloom/Task/TaskCompute.td"

#endif // DRAWLOOM_TASK_TD
