// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where in the kernel's source a line of its TTIR comes from.

#include "TextLocation.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace drawloom::tt {

/// `"file":12:3` at the start of `text`.
static std::optional<Location> parseFileLine(MLIRContext &context,
                                             StringRef text) {
  if (!text.consume_front("\""))
    return std::nullopt;
  auto [file, rest] = text.split("\":");
  unsigned line = 0, column = 0;
  if (rest.consumeInteger(10, line) || !rest.consume_front(":") ||
      rest.consumeInteger(10, column))
    return std::nullopt;
  return FileLineColLoc::get(&context, file, line, column);
}

/// The alias (`#loc12`) that `text` names first.
static StringRef aliasIn(StringRef text) {
  size_t start = text.find("#loc");
  if (start == StringRef::npos)
    return {};
  StringRef alias = text.drop_front(start);
  return alias.take_front(4 +
                          alias.drop_front(4).find_first_not_of("0123456789"));
}

std::optional<Location> sourceOfLine(MLIRContext &context, StringRef ttir,
                                     unsigned line) {
  SmallVector<StringRef> lines;
  ttir.split(lines, '\n');
  if (line == 0 || line > lines.size())
    return std::nullopt;
  llvm::StringMap<StringRef> definitions;
  for (StringRef text : lines)
    if (text.starts_with("#loc")) {
      auto [alias, value] = text.split(" = loc(");
      definitions[alias] = value;
    }
  size_t attached = lines[line - 1].rfind("loc(");
  if (attached == StringRef::npos)
    return std::nullopt;
  StringRef text = lines[line - 1].drop_front(attached + 4);
  // Names and call sites nest: follow the first alias until a file.
  for (unsigned depth = 0; depth < 64; ++depth) {
    if (auto found = parseFileLine(context, text))
      return found;
    auto next = definitions.find(aliasIn(text));
    if (next == definitions.end())
      return std::nullopt;
    text = next->second;
  }
  return std::nullopt;
}

} // namespace drawloom::tt
