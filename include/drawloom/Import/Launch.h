// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a front door is told about one launch of a kernel.

#ifndef DRAWLOOM_IMPORT_LAUNCH_H
#define DRAWLOOM_IMPORT_LAUNCH_H

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace drawloom {

/// A pointer argument: where it points and the bytes of its object.
/// All three are byte addresses in the caller's memory. A launch read from a
/// file has no memory: `high == 0` then means "as large as accesses need" and
/// no two pointers overlap.
struct PointerArgument {
  uint64_t address = 0;
  uint64_t low = 0;
  uint64_t high = 0;
  /// What a tensor descriptor made on the host reads outside its array: NaN,
  /// else zero. Its shape and strides are arguments that follow.
  bool padsWithNaN = false;
  bool writable = true;
};

/// One argument as the source names it. `type` is Triton's spelling: "*bf16",
/// "i32", "fp32", "constexpr". What the source has as float16 lies in memory as
/// float32, "*fp32".
struct LaunchArgument {
  std::string name;
  std::string type;
  std::variant<PointerArgument, int64_t, double> value;
};

/// One launch: a kernel, its grid (programs along axes 0 to 2) and arguments
/// in source order, constexprs included.
struct Launch {
  std::string kernel;
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::vector<LaunchArgument> arguments;
};

} // namespace drawloom

#endif // DRAWLOOM_IMPORT_LAUNCH_H
