// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs from files: TTIR with a launch given on the command line, or a
// module in any state of the line.

#ifndef DRAWLOOM_DRIVER_FILEINPUT_H
#define DRAWLOOM_DRIVER_FILEINPUT_H

#include "drawloom/Import/Launch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace drawloom {

/// The launch of a `.ttir` file's public function: `grid` as "X[,Y[,Z]]" and
/// one "NAME=VALUE" for every argument that is not a pointer. Errors name what
/// is missing, unknown or not a number.
llvm::Expected<Launch> launchFromText(llvm::StringRef ttir, llvm::StringRef grid,
                                      llvm::ArrayRef<std::string> arguments);

} // namespace drawloom

#endif // DRAWLOOM_DRIVER_FILEINPUT_H
