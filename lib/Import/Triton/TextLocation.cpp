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

/// The alias (`#loc12`) that `text` names first; the text goes on behind it.
static StringRef takeAlias(StringRef &text) {
  text = text.drop_front(std::min(text.find("#loc"), text.size()));
  size_t length = text.drop_front(std::min<size_t>(4, text.size()))
                      .find_first_not_of("0123456789");
  StringRef alias =
      text.take_front(length == StringRef::npos ? text.size() : 4 + length);
  text = text.drop_front(alias.size());
  return alias;
}

/// What the inside of `loc(...)` says. Names and call sites nest through
/// aliases; `depth` bounds those that name themselves.
static std::optional<Location>
parseLocation(MLIRContext &context, const llvm::StringMap<StringRef> &aliases,
              StringRef text, unsigned depth) {
  if (auto found = parseFileLine(context, text))
    return found;
  bool isCall = text.starts_with("callsite(");
  auto follow = [&]() -> std::optional<Location> {
    auto next = aliases.find(takeAlias(text));
    if (next == aliases.end() || depth == 0)
      return std::nullopt;
    return parseLocation(context, aliases, next->second, depth - 1);
  };
  std::optional<Location> callee = follow();
  if (!isCall)
    return callee;
  std::optional<Location> caller = follow();
  if (callee && caller)
    return CallSiteLoc::get(*callee, *caller);
  return callee ? callee : caller;
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
  return parseLocation(context, definitions,
                       lines[line - 1].drop_front(attached + 4), 16);
}

} // namespace drawloom::tt
