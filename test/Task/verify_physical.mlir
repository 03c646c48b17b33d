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
