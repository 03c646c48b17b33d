// Loops and branches that differ from core to core, and scratch.
// RUN: drawloom-opt %s --split-input-file --verify-diagnostics --task-verify-logical

// A causal loop: as many rounds as the core's row and the outer loop say, the
// last without its second block.
task.program @causal on "wormhole" grid [2, 4] precision #tile.precision<hifi4, f32> {
  %a = task.buffer "a" of bf16 tiles 2 depth 2
  task.kernel dm0 network 0 {
    %y = task.core y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %w = %c0 to %c3 step %c1 {
      %n = affine.min affine_map<(w, y) -> (4 * w + y + 1, 9)>(%w, %y)
      scf.for %k = %c0 to %n step %c1 {
        task.reserve %a, 2
        task.push %a, 2
      }
      %odd = affine.apply affine_map<(w, y) -> ((w + y) mod 2)>(%w, %y)
      %again = arith.cmpi eq, %odd, %c1 : index
      scf.if %again {
        task.reserve %a, 2
        task.push %a, 2
      }
    }
  }
  task.kernel compute {
    %y = task.core y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %w = %c0 to %c3 step %c1 {
      %n = affine.min affine_map<(w, y) -> (4 * w + y + 1 + (w + y) mod 2, 9 + (w + y) mod 2)>(%w, %y)
      scf.for %k = %c0 to %n step %c1 {
        task.wait %a, 2
        task.pop %a, 2
      }
    }
  }
}

// -----

// The consumer does a round more on the second row.
task.program @one_row on "wormhole" grid [1, 2] precision #tile.precision<hifi4, f32> {
  %a = task.buffer "a" of bf16 tiles 1 depth 1
  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %c1 step %c1 {
      task.reserve %a, 1
      task.push %a, 1
    }
  }
  task.kernel compute {
    %y = task.core y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = affine.apply affine_map<(y) -> (y + 1)>(%y)
    scf.for %k = %c0 to %n step %c1 {
      // expected-error @+1 {{waits for ever: no engine takes a step that would let it go on}}
      task.wait %a, 1
      task.pop %a, 1
    }
  }
}

// -----

// One engine leaves a round out where a branch says so.
task.program @one_case on "wormhole" grid [2, 1] precision #tile.precision<hifi4, f32> {
  // expected-error @+1 {{still holds 1 tiles at the end}}
  %a = task.buffer "a" of bf16 tiles 1 depth 1
  task.kernel dm0 network 0 {
    task.reserve %a, 1
    task.push %a, 1
  }
  task.kernel compute {
    %x = task.core x
    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      task.wait %a, 1
      task.pop %a, 1
    }
  }
}

// -----

// Data decides: the simulator runs it.
task.program @by_data on "wormhole" grid [2, 1] precision #tile.precision<hifi4, f32> {
  %n = task.buffer "n" of i32 tiles 1 depth 1 direct
  %a = task.buffer "a" of bf16 tiles 1 depth 1
  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    task.reserve %n, 1
    %count = task.peek %n[%c0] byte %c0 of i32
    task.push %n, 1
    scf.for %k = %c0 to %count step %c1 {
      task.reserve %a, 1
      task.push %a, 1
    }
  }
  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    task.wait %n, 1
    %count = task.peek %n[%c0] byte %c0 of i32
    task.pop %n, 1
    scf.for %k = %c0 to %count step %c1 {
      task.wait %a, 1
      task.pop %a, 1
    }
  }
}

// -----

// What comes before the data is checked all the same.
task.program @before_data on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %n = task.buffer "n" of i32 tiles 1 depth 1 direct
  task.kernel dm0 network 0 {
    // expected-error @+1 {{pushes tiles it has not reserved}}
    task.push %n, 1
  }
  task.kernel compute {
    %c0 = arith.constant 0 : index
    task.wait %n, 1
    %count = task.peek %n[%c0] byte %c0 of i32
    task.pop %n, 1
  }
}

// -----

task.program @scratch on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<1x64xf32> layout #tile.rows<64>
  %C = task.array 1 "c" out : memref<1x64xf32> layout #tile.rows<64>
  %s = task.buffer "s" of f32 tiles 1 depth 1 scratch
  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    task.read %A[%c0] into %s[%c0]
    task.fence reads
    task.write %s[%c0] into %C[%c0]
    task.fence writes
  }
}

// -----

task.program @pushed_scratch on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %s = task.buffer "s" of f32 tiles 1 depth 1 scratch
  task.kernel dm0 network 0 {
    // expected-error @+1 {{has buffer s, which is `scratch`: its tiles are the engine's own}}
    task.reserve %s, 1
  }
}

// -----

task.program @shared_scratch on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<1x64xf32> layout #tile.rows<64>
  %s = task.buffer "s" of f32 tiles 1 depth 1 scratch
  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    // expected-note @+1 {{dm0 is the first, here}}
    task.read %A[%c0] into %s[%c0]
  }
  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{makes dm1 a second user of scratch buffer s}}
    task.read %A[%c0] into %s[%c0]
  }
}

// -----

task.program @unpacked_scratch on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %s = task.buffer "s" of f32 tiles 1 depth 1 direct scratch
  task.kernel compute {
    %c0 = arith.constant 0 : index
    task.dst {
      %d = task.register 1
      // expected-error @+1 {{has buffer s, which is `scratch`: only data movers work in place}}
      task.copy %s[%c0] into %d[%c0]
    }
  }
}

// -----

// A tile that a product adds to may not have been used before in its half.
task.program @fresh on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %a = task.buffer "a" of bf16 tiles 1 depth 1
  task.kernel compute {
    %c0 = arith.constant 0 : index
    task.reserve %a, 1
    task.push %a, 1
    task.wait %a, 1
    // expected-error @+1 {{has 5 live tiles; a half of Dst holds 4 of 'f32'}}
    task.dst {
      %d = task.register 2
      task.copy %a[%c0] into %d[%c0]
      task.sfpu "exp" %d[%c0]
      %e = task.register 3
      task.binary mul %a[%c0], %a[%c0] into %e[%c0]
      task.pack %e[%c0] into %a[%c0]
    }
    task.pop %a, 1
  }
}
