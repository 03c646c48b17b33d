// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `task` dialect itself, its types, and the base of its operations.

#ifndef DRAWLOOM_TASK_BASE_TD
#define DRAWLOOM_TASK_BASE_TD

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

#endif // DRAWLOOM_TASK_BASE_TD
