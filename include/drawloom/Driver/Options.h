// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a user asks of one run of the compiler.

#ifndef DRAWLOOM_DRIVER_OPTIONS_H
#define DRAWLOOM_DRIVER_OPTIONS_H

#include "drawloom/Tile/Tile.h"
#include "drawloom/Machine/MachineModel.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace drawloom {

/// What to do with each launch.
enum class Command { Plan, Run, Compile, Emit, Interpret };

/// The states of a program, in the order of the line.
enum class State { Tile, Mapped, Task, Physical };

/// How exponentials are computed: as powers of two where that is cheaper, as the
/// source writes them, or approximately.
enum class Exponentials { Default, Exact, Approximate };

struct Options {
  Command command = Command::Run;
  std::string machine = "wormhole"; ///< a name or a file
  std::optional<GridSize> grid;     ///< columns x rows; the whole machine if not given
  int topK = 0; ///< plans to show (plan), or to simulate before choosing (others)
  std::optional<Fidelity> fidelity; ///< the program's, or hifi4, if not given
  /// What the matrix unit takes of f32 operands; the program's if not given.
  std::optional<tile::Operands> operands;
  /// How exponentials are planned; as the program's operations say if not given.
  std::optional<Exponentials> exponentials;
  bool timingOnly = false; ///< simulate without values
  bool errata = false;     ///< simulate the silicon's known faults too
  bool check = false;      ///< compare the run with the interpreter
  std::string emit;        ///< directory for TT-Metalium programs, or nothing
  State to = State::Physical; ///< where `compile` stops
  std::string output;         ///< file for `compile`; "" or "-" is standard output
  std::string machinesDir;    ///< where machine names are looked up

  /// Whether the run leaves values in the caller's arrays.
  bool hasValues() const { return command == Command::Run && !timingOnly; }
};

/// The JSON form of options, as the Python door hands them on and reports
/// repeat them: `{"command": "run", "machine": "wormhole", "grid": "8x8", ...}`.
llvm::json::Object toJson(const Options &options);
llvm::Expected<Options> optionsFromJson(llvm::StringRef text);

/// "tile", "mapped", "task" or "physical".
std::optional<State> symbolizeState(llvm::StringRef name);
llvm::StringRef stringifyState(State state);

/// "default" (f32 operands of the matrix unit are cut) or "exact" (they are not).
std::optional<tile::Operands> symbolizePrecision(llvm::StringRef name);
llvm::StringRef stringifyPrecision(tile::Operands operands);

/// "default", "exact" or "approximate".
std::optional<Exponentials> symbolizeExponentials(llvm::StringRef name);
llvm::StringRef stringifyExponentials(Exponentials exponentials);

} // namespace drawloom

#endif // DRAWLOOM_DRIVER_OPTIONS_H
