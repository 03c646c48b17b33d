// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test tool: prints the tile program of a kernel for each launch its file
// names.
//
//   drawloom-import-test kernel.ttir [--time] [--launch "<launch>"]
//
// A launch is a line `// LAUNCH: kernel grid=8,7 x_ptr=*bf16 n=20 eps=0.5`.
// `*bf16@4096:2048:8192` is a pointer at byte 4096 into the bytes 2048 to 8192.
// Prints what was refused as errors on the standard error, and exits with 1.

#include "drawloom/Import/Triton/ImportTriton.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace mlir;
using drawloom::Launch;
using drawloom::LaunchArgument;
using drawloom::PointerArgument;

static LaunchArgument parseArgument(StringRef name, StringRef value) {
  LaunchArgument argument{name.str(), "", int64_t(0)};
  int64_t integer;
  double number;
  if (value.starts_with("*")) {
    auto [type, range] = value.split('@');
    argument.type = type.str();
    SmallVector<StringRef> parts;
    range.split(parts, ':');
    PointerArgument pointer;
    if (parts.size() == 3) {
      parts[0].getAsInteger(10, pointer.address);
      parts[1].getAsInteger(10, pointer.low);
      parts[2].getAsInteger(10, pointer.high);
    }
    argument.value = pointer;
  } else if (!value.getAsInteger(10, integer)) {
    argument.type = "i32";
    argument.value = integer;
  } else if (!value.getAsDouble(number)) {
    argument.type = "fp32";
    argument.value = number;
  }
  return argument;
}

static Launch parseLaunch(StringRef text) {
  Launch launch;
  SmallVector<StringRef> words;
  SplitString(text, words);
  for (StringRef word : words) {
    auto [name, value] = word.split('=');
    if (value.empty()) {
      launch.kernel = name.str();
    } else if (name == "grid") {
      SmallVector<StringRef> extents;
      value.split(extents, ',');
      for (auto [d, extent] : llvm::enumerate(extents))
        if (d < 3)
          extent.getAsInteger(10, launch.grid[d]);
    } else {
      launch.arguments.push_back(parseArgument(name, value));
    }
  }
  return launch;
}

static bool run(StringRef text, StringRef name, const Launch &launch,
                bool time) {
  MLIRContext context;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto start = std::chrono::steady_clock::now();
  auto imported = drawloom::importTriton(context, text, name, launch);
  auto elapsed = std::chrono::steady_clock::now() - start;
  if (time)
    llvm::errs() << "imported in "
                 << std::chrono::duration<double, std::milli>(elapsed).count()
                 << " ms\n";
  if (failed(imported))
    return false;
  imported->program->print(llvm::outs());
  llvm::outs() << "\n";
  return true;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  std::string error;
  auto file = openInputFile(argv[1], &error);
  if (!file) {
    llvm::errs() << error << "\n";
    return 2;
  }
  bool time = false;
  SmallVector<Launch> launches;
  for (int i = 2; i < argc; ++i) {
    if (StringRef(argv[i]) == "--time")
      time = true;
    else if (StringRef(argv[i]) == "--launch" && i + 1 < argc)
      launches.push_back(parseLaunch(argv[++i]));
  }
  SmallVector<StringRef> lines;
  if (launches.empty())
    file->getBuffer().split(lines, '\n');
  for (StringRef line : lines)
    if (line.consume_front("// LAUNCH: "))
      launches.push_back(parseLaunch(line));
  bool allGood = true;
  for (const Launch &launch : launches)
    allGood &= run(file->getBuffer(), argv[1], launch, time);
  return allGood ? 0 : 1;
}
