// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says on a terminal what a long run is doing.

#ifndef DRAWLOOM_DRIVER_PROGRESS_H
#define DRAWLOOM_DRIVER_PROGRESS_H

#include "llvm/ADT/Twine.h"

namespace drawloom {

/// One status line on standard error, overwritten by the next and wiped at the
/// end. Silent when standard error is not a terminal.
class Progress {
public:
  Progress();
  ~Progress();
  void say(const llvm::Twine &what);

private:
  bool terminal;
};

} // namespace drawloom

#endif // DRAWLOOM_DRIVER_PROGRESS_H
