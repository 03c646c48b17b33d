// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch of a `.ttir` file, from its signature and the command line.

#include "drawloom/Driver/FileInput.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace drawloom {
namespace {

Error invalid(const Twine &message) { return createStringError(inconvertibleErrorCode(), message); }

/// TTIR's spelling of an argument's type in Triton's signature language.
std::string signatureType(StringRef type) {
  if (type.consume_front("!tt.ptr<"))
    return "*" + type.take_until([](char c) { return c == '>' || c == ','; }).str();
  return type == "f32" ? "fp32" : type == "f16" ? "fp16" : type.str();
}

/// Name and type of each parameter of the first `tt.func public`.
Expected<std::vector<LaunchArgument>> readSignature(StringRef ttir, std::string &kernel) {
  size_t start = ttir.find("tt.func public @");
  if (start == StringRef::npos)
    return invalid("the file has no `tt.func public`: it is not the TTIR of a kernel");
  StringRef rest = ttir.drop_front(start + strlen("tt.func public @"));
  size_t open = rest.find('(');
  kernel = rest.take_front(open).str();
  rest = rest.drop_front(open == StringRef::npos ? rest.size() : open + 1);
  std::vector<LaunchArgument> arguments;
  while (rest.ltrim().consume_front("%")) {
    rest = rest.ltrim().drop_front();
    size_t colon = rest.find(':');
    if (colon == StringRef::npos)
      return invalid("the signature of @" + kernel + " breaks off");
    StringRef name = rest.take_front(colon).trim();
    rest = rest.drop_front(colon + 1).ltrim();
    size_t end = rest.find_first_of(" ,){");
    if (rest.starts_with("!tt."))
      end = rest.find('>') + 1;
    StringRef type = rest.take_front(end);
    arguments.push_back({name.str(), signatureType(type), PointerArgument()});
    // On to the next parameter: past attributes and locations.
    int depth = 0;
    size_t at = std::min(end, rest.size());
    for (; at < rest.size() && !(depth == 0 && (rest[at] == ',' || rest[at] == ')')); ++at)
      depth += rest[at] == '{' || rest[at] == '(' ? 1 : rest[at] == '}' || rest[at] == ')' ? -1 : 0;
    rest = rest.drop_front(std::min(at + 1, rest.size()));
  }
  return arguments;
}

Error setValue(LaunchArgument &argument, StringRef text) {
  if (argument.type == "fp32") {
    double value;
    if (text.getAsDouble(value))
      return invalid("argument " + argument.name + " is a number, not " + text);
    argument.value = value;
    return Error::success();
  }
  int64_t value;
  if (text.getAsInteger(0, value))
    return invalid("argument " + argument.name + " is an integer, not " + text);
  StringRef type = argument.type;
  unsigned bits = 0;
  if (!type.consume_front("i") || type.getAsInteger(10, bits) || bits < 1 || bits > 64)
    return invalid("argument " + argument.name + " has type " + argument.type +
                   ", of which the command line has no values");
  if (bits == 1 ? (value < 0 || value > 1) : !isIntN(bits, value))
    return invalid("argument " + argument.name + " is of type " + argument.type + ", which " + text +
                   " does not fit");
  argument.value = value;
  return Error::success();
}

Error setGrid(Launch &launch, StringRef text) {
  SmallVector<StringRef, 3> parts;
  text.split(parts, ',');
  if (text.empty() || parts.size() > 3)
    return invalid("give the launch's grid: --launch-grid X[,Y[,Z]]");
  for (auto [axis, part] : enumerate(parts))
    if (part.getAsInteger(10, launch.grid[axis]) || launch.grid[axis] < 1)
      return invalid("a launch grid is positive numbers of programs, not " + text);
  return Error::success();
}

} // namespace

Expected<Launch> launchFromText(StringRef ttir, StringRef grid, ArrayRef<std::string> values) {
  Launch launch;
  auto arguments = readSignature(ttir, launch.kernel);
  if (!arguments)
    return arguments.takeError();
  launch.arguments = std::move(*arguments);
  if (Error error = setGrid(launch, grid))
    return std::move(error);
  StringMap<bool> given;
  for (StringRef text : values) {
    auto [name, value] = text.split('=');
    auto it = find_if(launch.arguments, [&](auto &argument) { return argument.name == name; });
    if (it == launch.arguments.end() || it->type.front() == '*')
      return invalid("@" + launch.kernel + " has no scalar argument named " + name);
    if (Error error = setValue(*it, value))
      return std::move(error);
    given[name] = true;
  }
  for (const LaunchArgument &argument : launch.arguments)
    if (argument.type.front() != '*' && !given.contains(argument.name))
      return invalid("argument " + argument.name + " has no value: --arg " + argument.name + "=VALUE");
  return launch;
}

} // namespace drawloom
