// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options and their JSON form.

#include "drawloom/Driver/Options.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace drawloom {
namespace {

constexpr StringLiteral kCommands[] = {"plan", "run", "compile", "emit", "interpret"};
constexpr StringLiteral kStates[] = {"tile", "mapped", "task", "physical"};

template <size_t N>
std::optional<int> indexOf(const StringLiteral (&names)[N], StringRef name) {
  auto it = find(names, name);
  return it == std::end(names) ? std::nullopt : std::optional<int>(it - std::begin(names));
}

Error invalid(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

} // namespace

std::optional<State> symbolizeState(StringRef name) {
  auto index = indexOf(kStates, name);
  return index ? std::optional(static_cast<State>(*index)) : std::nullopt;
}

StringRef stringifyState(State state) { return kStates[static_cast<int>(state)]; }

std::optional<tile::Operands> symbolizePrecision(StringRef name) {
  return StringSwitch<std::optional<tile::Operands>>(name)
      .Case("default", tile::Operands::Cut)
      .Case("exact", tile::Operands::Exact)
      .Default(std::nullopt);
}

StringRef stringifyPrecision(tile::Operands operands) {
  return operands == tile::Operands::Exact ? "exact" : "default";
}

static constexpr StringLiteral kExponentials[] = {"default", "exact", "approximate"};

std::optional<Exponentials> symbolizeExponentials(StringRef name) {
  auto index = indexOf(kExponentials, name);
  return index ? std::optional(static_cast<Exponentials>(*index)) : std::nullopt;
}

StringRef stringifyExponentials(Exponentials exponentials) {
  return kExponentials[static_cast<int>(exponentials)];
}

json::Object toJson(const Options &options) {
  json::Object object{{"command", kCommands[static_cast<int>(options.command)]},
                      {"machine", options.machine},
                      {"top_k", options.topK},
                      {"timing_only", options.timingOnly},
                      {"errata", options.errata},
                      {"check", options.check}};
  if (options.fidelity)
    object["fidelity"] = stringifyFidelity(*options.fidelity);
  if (options.operands)
    object["precision"] = stringifyPrecision(*options.operands);
  if (options.exponentials)
    object["exp"] = stringifyExponentials(*options.exponentials);
  if (options.grid)
    object["grid"] = formatv("{0}x{1}", options.grid->columns, options.grid->rows).str();
  if (!options.emit.empty())
    object["emit"] = options.emit;
  if (options.command == Command::Compile) {
    object["to"] = kStates[static_cast<int>(options.to)];
    object["output"] = options.output;
  }
  if (!options.machinesDir.empty())
    object["machines_dir"] = options.machinesDir;
  return object;
}

Expected<Options> optionsFromJson(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  if (!object)
    return invalid("options are a JSON object");
  Options options;
  if (auto name = object->getString("command")) {
    auto index = indexOf(kCommands, *name);
    if (!index)
      return invalid("no command is named " + *name);
    options.command = static_cast<Command>(*index);
  }
  if (auto grid = object->getString("grid")) {
    options.grid = GridSize::parse(*grid);
    if (!options.grid)
      return invalid("a grid is COLUMNSxROWS, as in 8x8, not " + *grid);
  }
  if (auto name = object->getString("fidelity")) {
    auto fidelity = symbolizeFidelity(*name);
    if (!fidelity)
      return invalid("a fidelity is lofi, hifi2, hifi3 or hifi4, not " + *name);
    options.fidelity = *fidelity;
  }
  if (auto name = object->getString("precision")) {
    options.operands = symbolizePrecision(*name);
    if (!options.operands)
      return invalid("a precision is default or exact, not " + *name);
  }
  if (auto name = object->getString("exp")) {
    options.exponentials = symbolizeExponentials(*name);
    if (!options.exponentials)
      return invalid("exp is default, exact or approximate, not " + *name);
  }
  if (auto name = object->getString("to")) {
    auto state = symbolizeState(*name);
    if (!state)
      return invalid("compile stops at tile, mapped, task or physical, not at " + *name);
    options.to = *state;
  }
  options.machine = object->getString("machine").value_or(options.machine).str();
  options.topK = object->getInteger("top_k").value_or(options.topK);
  options.timingOnly = object->getBoolean("timing_only").value_or(false);
  options.errata = object->getBoolean("errata").value_or(false);
  options.check = object->getBoolean("check").value_or(false);
  options.emit = object->getString("emit").value_or("").str();
  options.output = object->getString("output").value_or("").str();
  options.machinesDir = object->getString("machines_dir").value_or("").str();
  return options;
}

} // namespace drawloom
