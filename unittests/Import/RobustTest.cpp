// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text that no compiler wrote: cut short, or with bytes changed. The import
// gives a program that verifies or an error, never a crash or silence.

#include "drawloom/Import/Triton/ImportTriton.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace drawloom;

namespace {

const char *const kFiles[] = {"matmul.ttir", "matmul_desc.ttir",
                              "causal_scores.ttir", "row_statistics.ttir"};

std::string read(StringRef name) {
  auto file = llvm::MemoryBuffer::getFile(std::string(DRAWLOOM_TTIR_DIR "/") +
                                          name.str());
  return file ? (*file)->getBuffer().str() : std::string();
}

/// A launch that fits any kernel of the files by argument names.
Launch launchOf(StringRef text) {
  Launch launch;
  launch.grid = {8, 1, 1};
  StringRef line = text.substr(text.find("LAUNCH: ")).split('\n').first;
  SmallVector<StringRef> words;
  llvm::SplitString(line.drop_front(8), words);
  launch.kernel = words.empty() ? "" : words[0].str();
  for (StringRef word : ArrayRef(words).drop_front(2)) {
    auto [name, value] = word.split('=');
    LaunchArgument argument{name.str(), value.str(), PointerArgument{}};
    int64_t integer;
    double number;
    if (!value.getAsInteger(10, integer))
      argument.value = integer, argument.type = "i32";
    else if (!value.getAsDouble(number))
      argument.value = number, argument.type = "fp32";
    launch.arguments.push_back(argument);
  }
  return launch;
}

/// Whether the import kept its promise on this text.
bool isSound(MLIRContext &context, StringRef text, const Launch &launch) {
  unsigned errors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  auto imported = importTriton(context, text, "kernel.ttir", launch);
  if (failed(imported))
    return errors > 0;
  return errors == 0 && succeeded(verify(*imported->program));
}

TEST(Robust, Truncated) {
  for (const char *name : kFiles) {
    std::string text = read(name);
    ASSERT_FALSE(text.empty()) << name;
    Launch launch = launchOf(text);
    MLIRContext context;
    for (size_t length = 0; length < text.size(); length += 61)
      EXPECT_TRUE(isSound(context, StringRef(text).take_front(length), launch))
          << name << " cut at " << length;
  }
}

TEST(Robust, Changed) {
  std::mt19937 random(7);
  const std::string bytes = "0123456789%#<>x:,()[]{}= abcdefijst-\"\0";
  for (const char *name : kFiles) {
    std::string text = read(name);
    Launch launch = launchOf(text);
    size_t start = text.find("module {");
    MLIRContext context;
    for (unsigned trial = 0; trial < 300; ++trial) {
      std::string changed = text;
      for (unsigned edit = 0; edit <= trial % 4; ++edit)
        changed[start + random() % (changed.size() - start)] =
            bytes[random() % bytes.size()];
      EXPECT_TRUE(isSound(context, changed, launch))
          << name << " trial " << trial;
    }
  }
}

TEST(Robust, LinesExchanged) {
  std::mt19937 random(11);
  for (const char *name : kFiles) {
    std::string text = read(name);
    Launch launch = launchOf(text);
    MLIRContext context;
    for (unsigned trial = 0; trial < 200; ++trial) {
      SmallVector<StringRef> lines;
      StringRef(text).split(lines, '\n');
      if (trial % 2)
        lines.erase(lines.begin() + random() % lines.size());
      else
        std::swap(lines[random() % lines.size()],
                  lines[random() % lines.size()]);
      EXPECT_TRUE(isSound(context, llvm::join(lines, "\n"), launch))
          << name << " trial " << trial;
    }
  }
}

TEST(Robust, Launches) {
  const int64_t values[] = {0,
                            1,
                            -1,
                            2,
                            63,
                            64,
                            65,
                            1000,
                            65536,
                            INT32_MAX,
                            INT32_MIN,
                            int64_t(1) << 40,
                            int64_t(1) << 62,
                            INT64_MAX,
                            INT64_MIN};
  std::mt19937 random(13);
  for (const char *name : kFiles) {
    std::string text = read(name);
    MLIRContext context;
    for (unsigned trial = 0; trial < 300; ++trial) {
      Launch launch = launchOf(text);
      launch.grid = {int64_t(random() % 70), int64_t(1 + random() % 3), 1};
      for (LaunchArgument &argument : launch.arguments)
        if (std::holds_alternative<int64_t>(argument.value) &&
            random() % 3 == 0)
          argument.value = values[random() % std::size(values)];
      EXPECT_TRUE(isSound(context, text, launch)) << name << " trial " << trial;
    }
  }
}

} // namespace
