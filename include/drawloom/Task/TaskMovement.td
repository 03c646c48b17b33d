// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Circular buffers between engines, and what data movers do.

#ifndef DRAWLOOM_TASK_MOVEMENT_TD
#define DRAWLOOM_TASK_MOVEMENT_TD

include "drawloom/Task/TaskBase.td"

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

#endif // DRAWLOOM_TASK_MOVEMENT_TD
