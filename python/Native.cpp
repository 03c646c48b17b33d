// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module `drawloom._native`: one launch in, one report out.

#include "drawloom/Driver/Launcher.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

namespace nb = nanobind;
using namespace drawloom;
using namespace mlir;

namespace {

/// Raised with the whole text of the diagnostics.
struct CompileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Innermost place of a location, as file:line:column.
void printPlace(llvm::raw_ostream &os, Location location) {
  if (auto place = dyn_cast<FileLineColLoc>(location)) {
    os << place.getFilename().getValue() << ":" << place.getLine() << ":" << place.getColumn();
    return;
  }
  if (auto name = dyn_cast<NameLoc>(location))
    return printPlace(os, name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return printPlace(os, call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location); fused && !fused.getLocations().empty())
    return printPlace(os, fused.getLocations().front());
  os << "-";
}

/// Collects diagnostics as "file:line:col: error: text" lines, notes included.
class DiagnosticText {
public:
  explicit DiagnosticText(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          add(diagnostic);
          return success();
        }) {}
  const std::string &get() const { return text; }

private:
  void add(Diagnostic &diagnostic) {
    static const char *const kinds[] = {"note", "warning", "error", "remark"};
    llvm::raw_string_ostream os(text);
    printPlace(os, diagnostic.getLocation());
    os << ": " << kinds[static_cast<int>(diagnostic.getSeverity())] << ": " << diagnostic << "\n";
    for (auto call = dyn_cast<CallSiteLoc>(diagnostic.getLocation()); call;
         call = dyn_cast<CallSiteLoc>(call.getCaller())) {
      printPlace(os, call.getCaller());
      os << ": note: called from here\n";
    }
    for (Diagnostic &note : diagnostic.getNotes())
      add(note);
  }

  std::string text;
  ScopedDiagnosticHandler handler;
};

LaunchArgument readArgument(nb::tuple fields) {
  LaunchArgument argument;
  argument.name = nb::cast<std::string>(fields[0]);
  argument.type = nb::cast<std::string>(fields[1]);
  if (argument.type.front() == '*' || argument.type.starts_with("tensordesc")) {
    bool padsWithNaN = fields.size() > 6 && nb::cast<std::string>(fields[6]) == "nan";
    argument.value = PointerArgument{nb::cast<uint64_t>(fields[2]), nb::cast<uint64_t>(fields[3]),
                                     nb::cast<uint64_t>(fields[4]), padsWithNaN, nb::cast<bool>(fields[5])};
  } else if (nb::isinstance<nb::float_>(fields[2])) {
    argument.value = nb::cast<double>(fields[2]);
  } else if (nb::isinstance<nb::int_>(fields[2])) {
    argument.value = nb::cast<int64_t>(fields[2]);
  } else {
    argument.value = int64_t(0); // a constexpr that is no number: already in the text
  }
  return argument;
}

/// The context all launches of the process share.
MLIRContext &sharedContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registerDialects(registry);
    auto *made = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    made->printOpOnDiagnostic(false); // users see their source, not our IR
    return made;
  }();
  return *context;
}

/// The launcher of a set of options; the last one is kept, since a script's
/// launches share them.
Launcher &launcherFor(const std::string &optionsJson) {
  static std::string lastOptions;
  static Launcher *last = nullptr;
  if (last && lastOptions == optionsJson)
    return *last;
  auto options = optionsFromJson(optionsJson);
  if (!options)
    throw CompileError("drawloom: " + llvm::toString(options.takeError()) + "\n");
  if (options->machinesDir.empty())
    options->machinesDir = DRAWLOOM_MACHINES_DIR;
  auto launcher = Launcher::create(sharedContext(), *options);
  if (failed(launcher))
    throw CompileError("");
  delete last;
  last = launcher->release();
  lastOptions = optionsJson;
  return *last;
}

std::string launch(const std::string &kernel, const std::string &ttir,
                   std::tuple<int64_t, int64_t, int64_t> grid, nb::list arguments,
                   const std::string &options) {
  DiagnosticText diagnostics(sharedContext());
  Launch launch;
  launch.kernel = kernel;
  launch.grid = {std::get<0>(grid), std::get<1>(grid), std::get<2>(grid)};
  for (nb::handle argument : arguments)
    launch.arguments.push_back(readArgument(nb::cast<nb::tuple>(argument)));
  try {
    auto report = launcherFor(options).launch(ttir, kernel, launch);
    if (failed(report))
      throw CompileError("");
    report->json["report"] = report->text;
    report->json["diagnostics"] = diagnostics.get();
    report->json["passed"] = report->passed;
    return llvm::formatv("{0}", llvm::json::Value(std::move(report->json))).str();
  } catch (const CompileError &error) {
    throw CompileError(diagnostics.get() + error.what());
  }
}

} // namespace

NB_MODULE(_native, module) {
  nb::exception<CompileError>(module, "CompileError");
  module.def("launch", &launch, nb::arg("kernel"), nb::arg("ttir"), nb::arg("grid"),
             nb::arg("arguments"), nb::arg("options"),
             "Runs one launch in place and returns its report as a JSON object.");
}
