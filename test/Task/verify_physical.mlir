// Places that collide or lie outside the machine.
// RUN: drawloom-opt %s --split-input-file --verify-diagnostics --task-verify-physical

task.program @overlap on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  // expected-note @+1 {{which holds bytes 108544 to 112639}}
  %a = task.buffer "a" of bf16 tiles 2 depth 1 id 0 at 108544
  // expected-error @+1 {{overlaps buffer a in L1}}
  %b = task.buffer "b" of bf16 tiles 2 depth 1 id 1 at 110592
}

// -----

task.program @beyond on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  // expected-error @+1 {{beyond the 1499136 bytes of L1}}
  %a = task.buffer "a" of bf16 tiles 2 depth 1 id 0 at 1498112
}

// -----

task.program @reserved on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  // expected-error @+1 {{bytes of L1 that belong to the system}}
  %a = task.buffer "a" of bf16 tiles 2 depth 1 id 0 at 1024
}

// -----

task.program @same_id on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  // expected-note @+1 {{by this one}}
  %a = task.semaphore "a" id 0
  // expected-error @+1 {{has id 0, which is taken}}
  %b = task.semaphore "b" id 0
}

// -----

task.program @unplaced on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  // expected-error @+2 {{has no id}}
  // expected-note @+1 {{`task-allocate` gives every buffer, semaphore and register its place}}
  %a = task.buffer "a" of bf16 tiles 2 depth 1
}

// -----

// An end beyond what 64 bits count to.
task.program @far on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  // expected-error @+1 {{takes 4096 bytes at 9223372036854775776, beyond the 1499136 bytes of L1}}
  %a = task.buffer "a" of bf16 tiles 2 depth 1 id 0 at 9223372036854775776
}

// -----

task.program @below_dst on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  task.kernel compute {
    task.dst {
      // expected-error @+1 {{takes 4 tiles at slot -1 of a half of Dst, which holds 4}}
      %d = task.register 4 slot -1
    }
  }
}

// -----

task.program @standing on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    // expected-error @+1 {{in a task.kernel needs a constant positive step}}
    scf.for %i = %c0 to %c4 step %c0 {
    }
  }
}

// -----

task.program @twice on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  // expected-note @+1 {{by this one}}
  %a = task.buffer "a" of f32 tiles 2 depth 1 direct operand id 0 as 1 at 108544
  // expected-error @+1 {{has id 1, which is taken}}
  %b = task.buffer "b" of f32 tiles 2 depth 1 direct id 1 at 116736
}
