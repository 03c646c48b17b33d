// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of `drawloom`.

#ifndef DRAWLOOM_TOOLS_COMMANDLINE_H
#define DRAWLOOM_TOOLS_COMMANDLINE_H

#include "drawloom/Driver/Options.h"

/// What the command line asks for.
struct CommandLine {
  bool machines = false; ///< list the machines; nothing else is set
  std::string input;     ///< script or file
  std::string json;      ///< file for the report, or nothing
  std::string launchGrid;
  std::vector<std::string> arguments;       ///< NAME=VALUE, for .ttir
  std::vector<std::string> scriptArguments; ///< all behind `--`
  uint64_t seed = 0;
  drawloom::Options options;
};

/// Parses the command line. Prints help or an error and exits when there is
/// nothing to run (status 0 for help, 1 for an error).
CommandLine parseCommandLine(int argc, char **argv);

#endif // DRAWLOOM_TOOLS_COMMANDLINE_H
