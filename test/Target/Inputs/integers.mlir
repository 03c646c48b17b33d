// 32-bit integers: operations and comparisons of two tiles, choices, conversions, and
// a constant and a number known at run time as lanes.

task.program @integers on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %A = task.array 0 "a" in : memref<32x32xi32> layout #tile.tiled
  %B = task.array 1 "b" in : memref<32x32xi32> layout #tile.tiled
  %OUT = task.array 2 "out" out : memref<16x32x32xi32> layout #tile.tiled
  %TRUE = task.array 3 "truth" out : memref<9x32x32xbf16> layout #tile.tiled
  %a = task.buffer "a" of i32 tiles 1 depth 1 direct id 0 at 108544
  %b = task.buffer "b" of i32 tiles 1 depth 1 direct id 1 at 112640
  %o = task.buffer "o" of i32 tiles 1 depth 2 direct id 2 at 116736
  %t = task.buffer "t" of bf16 tiles 1 depth 2 id 3 at 124928

  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    task.reserve %a, 1
    task.reserve %b, 1
    task.read %A[%c0] into %a[%c0]
    task.read %B[%c0] into %b[%c0]
    task.fence reads
    task.push %a, 1
    task.push %b, 1
  }

  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 16 : index
    %m = arith.constant 9 : index
    scf.for %i = %c0 to %n step %c1 {
      task.wait %o, 1
      task.write %o[%c0] into %OUT[%i]
      task.fence writes
      task.pop %o, 1
    }
    scf.for %i = %c0 to %m step %c1 {
      task.wait %t, 1
      task.write %t[%c0] into %TRUE[%i]
      task.fence writes
      task.pop %t, 1
    }
  }

  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    task.startup %a, %b, %o
    task.init copy(%a)
    task.wait %a, 1
    task.wait %b, 1
    %number = task.peek %b[%c0] byte %c0 of i32
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "addi"
      task.sfpu_binary "addi" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "subi"
      task.sfpu_binary "subi" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "muli"
      task.sfpu_binary "muli" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "andi"
      task.sfpu_binary "andi" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "ori"
      task.sfpu_binary "ori" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "xori"
      task.sfpu_binary "xori" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "fill"
      task.fill_register %d[%c3] with 31 : i32
      task.init sfpu "andi"
      task.sfpu_binary "andi" %d[%c1], %d[%c3] into %d[%c3]
      task.init sfpu "shli"
      task.sfpu_binary "shli" %d[%c0], %d[%c3] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "fill"
      task.fill_register %d[%c3] with 31 : i32
      task.init sfpu "andi"
      task.sfpu_binary "andi" %d[%c1], %d[%c3] into %d[%c3]
      task.init sfpu "shrui"
      task.sfpu_binary "shrui" %d[%c0], %d[%c3] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "fill"
      task.fill_register %d[%c3] with 31 : i32
      task.init sfpu "andi"
      task.sfpu_binary "andi" %d[%c1], %d[%c3] into %d[%c3]
      task.init sfpu "shrsi"
      task.sfpu_binary "shrsi" %d[%c0], %d[%c3] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "maxsi"
      task.sfpu_binary "maxsi" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "minsi"
      task.sfpu_binary "minsi" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "lti"
      task.sfpu_binary "lti" %d[%c0], %d[%c1] into %d[%c2]
      task.init sfpu "select"
      task.select %d[%c2], %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "fill"
      task.fill_register %d[%c2] with -7 : i32
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "fill"
      task.fill_register %d[%c2] number %number as i32
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "sitofp"
      task.sfpu "sitofp" %d[%c1]
      task.init sfpu "mul"
      task.sfpu "mul" %d[%c1], 1.5
      task.init sfpu "fptosi"
      task.sfpu "fptosi" %d[%c1]
      task.init sfpu "select"
      task.select %d[%c1], %d[%c1], %d[%c0] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.reserve %o, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "sitofp"
      task.sfpu "sitofp" %d[%c1]
      task.init sfpu "add"
      task.sfpu "add" %d[%c1] number %number
      task.init sfpu "fptosi"
      task.sfpu "fptosi" %d[%c1]
      task.init sfpu "subi"
      task.sfpu_binary "subi" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %o[%c0]
    }
    task.push %o, 1
    task.init pack(%t)
    task.reserve %t, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "eqi"
      task.sfpu_binary "eqi" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %t[%c0]
    }
    task.push %t, 1
    task.reserve %t, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "nei"
      task.sfpu_binary "nei" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %t[%c0]
    }
    task.push %t, 1
    task.reserve %t, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "lti"
      task.sfpu_binary "lti" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %t[%c0]
    }
    task.push %t, 1
    task.reserve %t, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "lei"
      task.sfpu_binary "lei" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %t[%c0]
    }
    task.push %t, 1
    task.reserve %t, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "gti"
      task.sfpu_binary "gti" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %t[%c0]
    }
    task.push %t, 1
    task.reserve %t, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "gei"
      task.sfpu_binary "gei" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %t[%c0]
    }
    task.push %t, 1
    task.reserve %t, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "ltui"
      task.sfpu_binary "ltui" %d[%c0], %d[%c1] into %d[%c2]
      task.pack %d[%c2] into %t[%c0]
    }
    task.push %t, 1
    task.reserve %t, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "fill"
      task.fill_register %d[%c2] with 2.5 : f32
      task.pack %d[%c2] into %t[%c0]
    }
    task.push %t, 1
    task.reserve %t, 1
    task.dst {
      %d = task.register 4 slot 0
      task.copy %a[%c0] into %d[%c0]
      task.copy %b[%c0] into %d[%c1]
      task.init sfpu "fill"
      task.fill_register %d[%c2] number %number as f32
      task.pack %d[%c2] into %t[%c0]
    }
    task.push %t, 1
    task.pop %a, 1
    task.pop %b, 1
  }
}
