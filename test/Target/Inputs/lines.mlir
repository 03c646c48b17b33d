// Reductions of two tiles into one, and their results repeated: by itself, and as
// the operand of a difference and of a product.

task.program @lines on "wormhole" grid [1, 1] precision #tile.precision<hifi4, f32> {
  %X = task.array 0 "x" in : memref<32x64xbf16> layout #tile.tiled
  %OUT = task.array 1 "out" out : memref<13x32x32xbf16> layout #tile.tiled
  %x = task.buffer "x" of bf16 tiles 2 depth 1 id 0 at 108544
  %ones = task.buffer "ones" of bf16 tiles 1 depth 1 id 1 at 112640
  %m = task.buffer "m" of bf16 tiles 1 depth 1 id 2 at 114688
  %s = task.buffer "s" of f32 tiles 1 depth 1 id 3 at 116736
  %o = task.buffer "o" of bf16 tiles 1 depth 2 id 4 at 120832
  %wide = task.buffer "wide" of f32 tiles 1 depth 1 id 5 at 124928

  task.kernel dm0 network 0 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    task.reserve %x, 2
    task.reserve %ones, 1
    task.reserve %wide, 1
    task.read %X[%c0] into %x[%c0]
    task.read %X[%c1] into %x[%c1]
    task.fill %ones[%c0] keep [%c0] with 1.0 : bf16
    task.fill %wide[%c0] keep [%c0] with 1.0 : f32
    task.fence reads
    task.push %x, 2
    task.push %ones, 1
    task.push %wide, 1
  }

  task.kernel dm1 network 1 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c13 = arith.constant 13 : index
    scf.for %t = %c0 to %c13 step %c1 {
      task.wait %o, 1
      task.write %o[%c0] into %OUT[%t]
      task.fence writes
      task.pop %o, 1
    }
  }

  task.kernel compute {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    task.startup %x, %ones, %o
    task.wait %x, 2
    task.wait %ones, 1
    task.wait %wide, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init reduce(%x, %ones) sum over row
      task.reduce sum over row %x[%c0] by %ones into %d[%c0]
      task.reduce sum over row %x[%c1] by %ones into %d[%c0]
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init reduce(%x, %ones) sum over column
      task.reduce sum over column %x[%c0] by %ones into %d[%c0]
      task.reduce sum over column %x[%c1] by %ones into %d[%c0]
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init reduce(%x, %ones) sum over scalar
      task.reduce sum over scalar %x[%c0] by %ones into %d[%c0]
      task.reduce sum over scalar %x[%c1] by %ones into %d[%c0]
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init reduce(%x, %ones) max over row
      task.reduce max over row %x[%c0] by %ones into %d[%c0]
      task.reduce max over row %x[%c1] by %ones into %d[%c0]
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init reduce(%x, %ones) max over column
      task.reduce max over column %x[%c0] by %ones into %d[%c0]
      task.reduce max over column %x[%c1] by %ones into %d[%c0]
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init reduce(%x, %ones) max over scalar
      task.reduce max over scalar %x[%c0] by %ones into %d[%c0]
      task.reduce max over scalar %x[%c1] by %ones into %d[%c0]
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.init pack(%m)
    task.reserve %m, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init reduce(%x, %ones) max over row
      task.reduce max over row %x[%c0] by %ones into %d[%c0]
      task.reduce max over row %x[%c1] by %ones into %d[%c0]
      task.pack %d[%c0] into %m[%c0]
    }
    task.push %m, 1
    task.wait %m, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init binary(%x, %m) sub broadcast column
      task.binary sub %x[%c1], %m[%c0] into %d[%c0] broadcast column
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init binary(%x, %m) mul broadcast column
      task.binary mul %x[%c1], %m[%c0] into %d[%c0] broadcast column
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.pop %m, 1
    task.init pack(%m)
    task.reserve %m, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init reduce(%x, %ones) max over column
      task.reduce max over column %x[%c0] by %ones into %d[%c0]
      task.reduce max over column %x[%c1] by %ones into %d[%c0]
      task.pack %d[%c0] into %m[%c0]
    }
    task.push %m, 1
    task.wait %m, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init binary(%x, %m) sub broadcast row
      task.binary sub %x[%c1], %m[%c0] into %d[%c0] broadcast row
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init binary(%x, %m) mul broadcast row
      task.binary mul %x[%c1], %m[%c0] into %d[%c0] broadcast row
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.pop %m, 1
    task.init pack(%m)
    task.reserve %m, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init reduce(%x, %ones) max over scalar
      task.reduce max over scalar %x[%c0] by %ones into %d[%c0]
      task.reduce max over scalar %x[%c1] by %ones into %d[%c0]
      task.pack %d[%c0] into %m[%c0]
    }
    task.push %m, 1
    task.wait %m, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init binary(%x, %m) sub broadcast scalar
      task.binary sub %x[%c1], %m[%c0] into %d[%c0] broadcast scalar
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init binary(%x, %m) mul broadcast scalar
      task.binary mul %x[%c1], %m[%c0] into %d[%c0] broadcast scalar
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.pop %m, 1
    task.init pack(%s)
    task.reserve %s, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init copy(%x)
      task.copy %x[%c1] into %d[%c0]
      task.pack %d[%c0] into %s[%c0]
    }
    task.push %s, 1
    task.wait %s, 1
    task.init pack(%o)
    task.reserve %o, 1
    task.dst {
      %d = task.register 2 slot 0
      task.init reduce(%s, %wide) sum over row
      task.reduce sum over row %s[%c0] by %wide into %d[%c0]
      task.pack %d[%c0] into %o[%c0]
    }
    task.push %o, 1
    task.pop %s, 1
    task.pop %x, 2
    task.pop %ones, 1
    task.pop %wide, 1
  }
}
