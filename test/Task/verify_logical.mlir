// Engines that do not fit together.
// RUN: drawloom-opt %s --split-input-file --verify-diagnostics --task-verify-logical

// A push between two passes: the counts balance, the order does not.
task.program @late_push on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %a = task.buffer "a" of bf16 tiles 2 depth 1
  %b = task.buffer "b" of bf16 tiles 2 depth 1
  task.kernel dm0 network 0 {
    task.reserve %a, 2
    task.reserve %b, 2
    task.push %b, 2
    // expected-error @+1 {{waits for ever: no engine takes a step that would let it go on}}
    task.reserve %b, 2
    task.push %a, 2
    task.push %b, 2
  }
  task.kernel compute {
    // expected-note @+1 {{compute waits here}}
    task.wait %a, 2
    task.pop %a, 2
    task.wait %b, 2
    task.pop %b, 2
    task.wait %b, 2
    task.pop %b, 2
  }
}

// -----

// A sum that is appended instead of replaced: the second round blocks.
task.program @appended on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %p = task.buffer "partials" of f32 tiles 4 depth 1 direct
  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %k = %c0 to %c2 step %c1 {
      // expected-error @+1 {{waits for ever}}
      task.reserve %p, 4
      task.push %p, 4
    }
    task.wait %p, 4
    task.pop %p, 4
  }
}

// -----

task.program @left_over on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  // expected-error @+1 {{still holds 2 tiles at the end}}
  %a = task.buffer "a" of bf16 tiles 2 depth 2
  task.kernel dm0 network 0 {
    task.reserve %a, 2
    task.push %a, 2
    task.reserve %a, 2
    task.push %a, 2
  }
  task.kernel compute {
    task.wait %a, 2
    task.pop %a, 2
  }
}

// -----

task.program @two_producers on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %a = task.buffer "a" of bf16 tiles 1 depth 2
  task.kernel dm0 network 0 {
    // expected-note @+1 {{dm0 is the first, here}}
    task.reserve %a, 1
    task.push %a, 1
  }
  task.kernel dm1 network 1 {
    // expected-error @+1 {{makes dm1 a second producer of its buffer}}
    task.reserve %a, 1
    task.push %a, 1
  }
  task.kernel compute {
    task.wait %a, 1
    task.pop %a, 1
    task.wait %a, 1
    task.pop %a, 1
  }
}

// -----

// Two operands share a semaphore: a round of one lets the other go on.
task.program @shared_semaphore on "wormhole" grid [2, 1] precision #tile.precision<hifi4, f32> {
  %a = task.buffer "a" of bf16 tiles 1 depth 1
  %b = task.buffer "b" of bf16 tiles 1 depth 1
  %full = task.semaphore "full"
  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    task.reserve %a, 1
    task.multicast %a[%c0] tiles 1 to [%c0, %c0, %c1, %c0] receivers 1
    // expected-note @+1 {{which uses it here}}
    task.signal %full to [%c0, %c0, %c1, %c0]
    task.push %a, 1
    task.reserve %b, 1
    task.multicast %b[%c0] tiles 1 to [%c0, %c0, %c1, %c0] receivers 1
    // expected-error @+1 {{uses the semaphore of another multicast: give each its own}}
    task.signal %full to [%c0, %c0, %c1, %c0]
    task.push %b, 1
  }
  task.kernel compute {
    task.wait %a, 1
    task.pop %a, 1
    task.wait %b, 1
    task.pop %b, 1
  }
}

// -----

task.program @wrong_receivers on "wormhole" grid [4, 1] precision #tile.precision<hifi4, f32> {
  %a = task.buffer "a" of bf16 tiles 1 depth 1
  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    task.reserve %a, 1
    // expected-error @+1 {{states 4 receivers, but on core (0, 0) its rectangle holds 3 others}}
    task.multicast %a[%c0] tiles 1 to [%c0, %c0, %c3, %c0] receivers 4
    task.push %a, 1
  }
  task.kernel compute {
    task.wait %a, 1
    task.pop %a, 1
  }
}

// -----

// Dst holds half as many tiles when they are 32 bits wide.
task.program @too_wide on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %a = task.buffer "a" of bf16 tiles 8 depth 1
  task.kernel compute {
    %c0 = arith.constant 0 : index
    task.reserve %a, 8
    // expected-error @+1 {{has 8 live tiles; a half of Dst holds 4 of 'f32': use smaller blocks}}
    task.dst {
      %d = task.register 8
      task.pack %d[%c0] into %a[%c0]
    }
    task.push %a, 8
    task.wait %a, 8
    task.pop %a, 8
  }
}
