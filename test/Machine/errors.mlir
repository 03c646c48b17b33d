// RUN: drawloom-opt --split-input-file --verify-diagnostics %s

df.machine @no_bandwidth {
  %x = df.spatial_dim "x" 8
  %cores = df.core "core" scaleout(%x)
  // expected-error @below {{has no 'bandwidth': bytes per cycle of each link}}
  // expected-note @below {{add `bandwidth <number>`, followed by its source}}
  %l = df.interconnects "l" components(%cores) map affine_map<(x) -> ((x + 1) mod 8)>
}

// -----

df.machine @leaves_grid {
  %x = df.spatial_dim "x" 8
  %y = df.spatial_dim "y" 4
  %cores = df.core "core" scaleout(%x, %y)
  // expected-error @below {{map leaves the grid: it sends (7, 0) to (8, 0), outside 8x4}}
  // expected-note @below {{wrap the coordinate with `mod 8`}}
  %l = df.interconnects "l" components(%cores) map affine_map<(x, y) -> (x + 1, y)> bandwidth 32
}

// -----

df.machine @wrong_rank {
  %x = df.spatial_dim "x" 8
  %cores = df.core "core" scaleout(%x)
  // expected-error @below {{map must take 1 dimensions to 1 results, without symbols}}
  // expected-note @below {{one dimension for each axis}}
  %l = df.interconnects "l" components(%cores) map affine_map<(x, y) -> (x, y)> bandwidth 32
}

// -----

df.machine @zero_dim {
  // expected-error @below {{has size 0, outside 1 to 65536}}
  // expected-note @below {{give it at least one}}
  %x = df.spatial_dim "x" 0
}

// -----

df.machine @huge {
  %x = df.spatial_dim "x" 65536
  %y = df.spatial_dim "y" 65536
  // expected-error @below {{has more than 65536 instances}}
  // expected-note @below {{describe a smaller machine}}
  %cores = df.core "core" scaleout(%x, %y)
}

// -----

df.machine @unknown_reference {
  %x = df.spatial_dim "x" 8
  // expected-error @below {{use of undeclared SSA value name}}
  %cores = df.core "core" scaleout(%x, %y)
}

// -----

df.machine @wrong_kind {
  %x = df.spatial_dim "x" 8
  // expected-note @below {{prior use here}}
  %cores = df.core "core" scaleout(%x)
  // expected-error @below {{use of value '%cores' expects different type than prior uses}}
  %l1 = df.memory local "l1" scaleout(%cores) size 1 bandwidth 1
}

// -----

df.machine @later {
  // expected-error @below {{refers to something declared later or elsewhere}}
  // expected-note @below {{declare the parts of a machine before they are used}}
  %cores = df.core "core" scaleout(%x)
  %x = df.spatial_dim "x" 8
}

// -----

df.machine @repeated_name {
  // expected-note @below {{first used here}}
  %x = df.spatial_dim "x" 8
  // expected-error @below {{repeats the name "x"}}
  %y = df.spatial_dim "x" 8
  %cores = df.core "core" scaleout(%x, %y)
}

// -----

df.machine @twice {
  %x = df.spatial_dim "x" 8
  // expected-error @below {{lists a spatial dimension twice}}
  // expected-note @below {{needs its own df.spatial_dim}}
  %cores = df.core "core" scaleout(%x, %x)
}

// -----

// expected-error @below {{must have exactly one df.core}}
// expected-note @below {{declare them once}}
df.machine @no_core {
  %x = df.spatial_dim "x" 8
}

// -----

// expected-error @below {{'clock' must be positive}}
// expected-note @below {{give the clock in GHz}}
df.machine @stopped clock 0 {
  %x = df.spatial_dim "x" 8
  %cores = df.core "core" scaleout(%x)
}

// -----

// expected-error @below {{holds 'builtin.unrealized_conversion_cast', which is not part of a machine}}
// expected-note @below {{only the other df operations}}
df.machine @foreign {
  %x = df.spatial_dim "x" 8
  %c = builtin.unrealized_conversion_cast %x : !df.dim to !df.component
  %cores = df.core "core" scaleout(%x)
}

// -----

df.machine @empty_memory {
  %x = df.spatial_dim "x" 8
  %cores = df.core "core" scaleout(%x)
  // expected-error @below {{'size' is 0, less than 1}}
  // expected-note @below {{give `size` its real size}}
  %l1 = df.memory local "l1" scaleout(%x) size 0 bandwidth 64
}

// -----

df.machine @contention_below_one {
  %bank = df.spatial_dim "bank" 2
  // expected-error @below {{has a 'contention' below 1}}
  // expected-note @below {{reads that meet take no less than their bytes}}
  %dram = df.memory global "dram" scaleout(%bank) size 1024 bandwidth 32 contention 0.5
}

// -----

df.machine @all_reserved {
  %x = df.spatial_dim "x" 8
  %cores = df.core "core" scaleout(%x)
  // expected-error @below {{reserves all of its bytes}}
  // expected-note @below {{`reserved` must be less than `size`}}
  %l1 = df.memory local "l1" scaleout(%x) size 64 bandwidth 64 reserved 64
}

// -----

df.machine @unreached {
  %x = df.spatial_dim "x" 8
  %cores = df.core "core" scaleout(%x)
  // expected-error @below {{cannot be reached}}
  // expected-note @below {{with df.place, for every network, or connect them with df.mux}}
  %dram = df.memory global "dram" scaleout(%x) size 64 bandwidth 64
}

// -----

df.machine @unlike_cores {
  %x = df.spatial_dim "x" 8
  %y = df.spatial_dim "y" 8
  %cores = df.core "core" scaleout(%x)
  // expected-error @below {{is local but not scaled out like the cores}}
  // expected-note @below {{use the dimensions of df.core}}
  %l1 = df.memory local "l1" scaleout(%y) size 64 bandwidth 64
}

// -----

df.machine @dead_end {
  %x = df.spatial_dim "x" 8
  %cores = df.core "core" scaleout(%x)
  %l = df.interconnects "l" components(%cores) map affine_map<(x) -> ((x + 2) mod 8)> bandwidth 32
  // expected-error @below {{'l' does not visit every node along axis 0}}
  // expected-note @below {{a routed interconnect is a ring}}
  %n = df.network "n" unicast(%l) multicast(%l)
}

// -----

df.machine @missing_axis {
  %x = df.spatial_dim "x" 8
  %y = df.spatial_dim "y" 8
  %cores = df.core "core" scaleout(%x, %y)
  %l = df.interconnects "l" components(%cores) map affine_map<(x, y) -> ((x + 1) mod 8, y)> bandwidth 32
  // expected-error @below {{'unicast' has no interconnect along axis 1}}
  // expected-note @below {{could not be reached}}
  %n = df.network "n" unicast(%l) multicast(%l)
}

// -----

df.machine @unplaced {
  %x = df.spatial_dim "x" 2
  %r = df.spatial_dim "r" 4
  %routers = df.router "routers" scaleout(%r)
  %cores = df.core "core" scaleout(%x)
  // expected-error @below {{axis 0 has coordinate 4 twice or outside the routers' 4}}
  // expected-note @below {{use distinct router coordinates}}
  df.place %cores on %routers axes [[1, 4]]
}

// -----

df.machine @short_place {
  %x = df.spatial_dim "x" 2
  %r = df.spatial_dim "r" 4
  %routers = df.router "routers" scaleout(%r)
  %cores = df.core "core" scaleout(%x)
  // expected-error @below {{gives 1 points for 2 instances}}
  // expected-note @below {{give one point for each}}
  df.place %cores on %routers at [[1]]
}

// -----

df.machine @half_numbers {
  // expected-error @below {{states only part of its number behaviour}}
  // expected-note @below {{give `mantissa`, `multiplier`, `groups`, `addend`, `accumulate`, `pack` and `misnormalises_minus_one`, or none}}
  %mat = df.mat "mat" shape [8, 16, 16] throughput 1 mantissa 10
}

// -----

df.machine @half_vector_numbers {
  // expected-error @below {{states only part of its number behaviour}}
  // expected-note @below {{give `store`, `function_bits`, `keeps_zero_sign` and `nan`, or none}}
  %vec = df.vec "vec" shape [32] throughput 1 store truncate nan 0x7FC00000
}

// -----

df.machine @groups {
  // expected-error @below {{has groups that do not make up the 16 products of a step}}
  // expected-note @below {{whose product is k of the shape}}
  %mat = df.mat "mat" shape [8, 16, 16] throughput 1 mantissa 10 multiplier [7, 5] groups [2, 4] addend [24, 11] accumulate nearest_away pack nearest_away misnormalises_minus_one false
}

// -----

df.machine @addend {
  // expected-error @below {{has addend widths outside 1 to 24}}
  // expected-note @below {{with a 32-bit Dst, with a 16-bit Dst}}
  %mat = df.mat "mat" shape [8, 16, 16] throughput 1 mantissa 10 multiplier [7, 5] groups [2, 8] addend [24] accumulate nearest_away pack nearest_away misnormalises_minus_one false
}

// -----

df.machine @no_nan {
  // expected-error @below {{has a 'nan' that is not one}}
  // expected-note @below {{such as 0x7FC00000}}
  %vec = df.vec "vec" shape [32] throughput 1 store truncate function_bits 8 keeps_zero_sign true nan 0x7F800000
}

// -----

df.machine @function_bits {
  // expected-error @below {{has function bits outside 1 to 24}}
  // expected-note @below {{significand bits that functions get right}}
  %vec = df.vec "vec" shape [32] throughput 1 store truncate function_bits 0 keeps_zero_sign true nan 0x7FC00000
}

// -----

df.machine @idle_host {
  // expected-error @below {{'convert' must be a finite, positive number}}
  // expected-note @below {{correct the number}}
  df.host convert 0
}

// -----

df.machine @two_hosts {
  %x = df.spatial_dim "x" 2
  %cores = df.core "core" scaleout(%x)
  // expected-note @below {{the first is here}}
  df.host convert 2
  // expected-error @below {{is the second with this purpose}}
  df.host convert 3
}

// -----

df.machine @two_costs {
  %x = df.spatial_dim "x" 2
  %cores = df.core "core" scaleout(%x)
  // expected-note @below {{the first is here}}
  df.cost read 26.1
  // expected-error @below {{is the second with this kind}}
  df.cost read 30
}

// -----

df.machine @unknown_cost {
  // expected-error @below {{expected one of [read,}}
  // expected-error @below {{failed to parse Df_CostAttr parameter 'value'}}
  df.cost teleport 1
}

// -----

df.machine @unknown_rounding {
  // expected-error @below {{unknown rounding 'upwards'; expected truncate, nearest_even or nearest_away}}
  %vec = df.vec "vec" shape [32] throughput 1 store upwards
}

// -----

df.machine @no_rate {
  // expected-error @below {{streams operands at no rate}}
  // expected-note @below {{add `unpack <bytes per cycle>`}}
  df.tile_op copy math 8 operands 1
}

// -----

// expected-error @below {{'df.cost' op expects parent op 'df.machine'}}
df.cost read 26.1

// -----

df.machine @mux_to_bank {
  %x = df.spatial_dim "x" 2
  %cores = df.core "core" scaleout(%x)
  %dram = df.memory global "dram" scaleout(%x) size 64 bandwidth 64
  // expected-error @below {{has a dst that is neither cores nor local memories}}
  // expected-note @below {{say which cores reach the memory}}
  df.mux dst(%dram) srcs(%dram) map affine_map<(x) -> (x)> bandwidth 1
}

// -----

df.machine @nowhere {
  %x = df.spatial_dim "x" 2
  %r = df.spatial_dim "r" 4
  %routers = df.router "routers" scaleout(%r)
  // expected-error @below {{is not placed on the routers}}
  // expected-note @below {{give every core its router with df.place}}
  %cores = df.core "core" scaleout(%x)
}
