// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compute engine does: on tiles of buffers, and in Dst.

#ifndef DRAWLOOM_TASK_COMPUTE_TD
#define DRAWLOOM_TASK_COMPUTE_TD

include "drawloom/Task/TaskBase.td"

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

#endif // DRAWLOOM_TASK_COMPUTE_TD
