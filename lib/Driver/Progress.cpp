// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says on a terminal what a long run is doing.

#include "drawloom/Driver/Progress.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace drawloom {

/// To the start of the line, and wipe it.
static constexpr llvm::StringLiteral kWipe = "\r\033[K";

Progress::Progress() : terminal(llvm::sys::Process::StandardErrIsDisplayed()) {}

Progress::~Progress() {
  if (terminal)
    llvm::errs() << kWipe;
}

void Progress::say(const llvm::Twine &what) {
  if (terminal)
    llvm::errs() << kWipe << what << " ...";
}

} // namespace drawloom
