// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host program that goes with every emitted program.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_RUNSCRIPT_H
#define DRAWLOOM_LIB_TARGET_METALIUM_RUNSCRIPT_H

#include "llvm/ADT/StringRef.h"

namespace drawloom::metalium {

/// The text of run.py beside this file.
llvm::StringRef runScript();

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_RUNSCRIPT_H
