// Every machine of the project verifies, and survives printing.
// RUN: drawloom-opt %machines/wormhole.mlir | drawloom-opt | FileCheck %s --check-prefix=WORMHOLE
// RUN: drawloom-opt %machines/blackhole.mlir | drawloom-opt | FileCheck %s --check-prefix=BLACKHOLE
// RUN: drawloom-opt %machines/torus.mlir | drawloom-opt | FileCheck %s --check-prefix=TORUS
// RUN: drawloom-opt %machines/triple_ring.mlir | drawloom-opt | FileCheck %s --check-prefix=RING

// WORMHOLE: df.machine @wormhole clock 1 {
// WORMHOLE: df.place %tensix on %routers axes {{\[\[}}1, 2, 3, 4, 6, 7, 8, 9], [1, 2, 3, 4, 5, 7, 8, 9]]
// WORMHOLE: df.engine dm0 processor "RISCV_1" network %noc0

// BLACKHOLE: df.machine @blackhole clock 1.35 {
// BLACKHOLE: df.place %dram on %routers network %noc1 at {{\[\[}}0, 1], [0, 10],

// TORUS: df.machine @torus clock 1 {
// TORUS-COUNT-4: df.mux dst(%core) srcs(%dram) {{.*}} where

// RING: df.machine @triple_ring clock 1 {
// RING-COUNT-3: df.network "ring{{[0-2]}}"
