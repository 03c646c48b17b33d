// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors at the kernel's own source line.

#include "Refuse.h"

#include "mlir/IR/Location.h"

using namespace mlir;

namespace drawloom::tt {

/// Frames of an inlined location, innermost first. Iterative on callers, since
/// text may nest them at will.
static void collectFrames(Location location,
                          SmallVectorImpl<Location> &frames) {
  SmallVector<Location> pending = {location};
  while (!pending.empty()) {
    Location next = pending.pop_back_val();
    if (auto name = dyn_cast<NameLoc>(next)) {
      pending.push_back(name.getChildLoc());
    } else if (auto call = dyn_cast<CallSiteLoc>(next)) {
      pending.push_back(call.getCaller());
      pending.push_back(call.getCallee());
    } else if (auto fused = dyn_cast<FusedLoc>(next)) {
      if (!fused.getLocations().empty())
        pending.push_back(fused.getLocations().front());
    } else if (isa<FileLineColRange>(next)) {
      frames.push_back(next);
    }
  }
}

static bool isTritonLibrary(Location frame) {
  StringRef file = cast<FileLineColRange>(frame).getFilename().getValue();
  return file.contains("/triton/language/");
}

/// The frames outside Triton's library, innermost first; all when there are
/// none.
static SmallVector<Location> userFrames(Location location) {
  SmallVector<Location> all, user;
  collectFrames(location, all);
  llvm::copy_if(all, std::back_inserter(user),
                [](Location f) { return !isTritonLibrary(f); });
  if (!user.empty())
    return user;
  return all.empty() ? SmallVector<Location>{location} : all;
}

Location userLocation(Location location) {
  return userFrames(location).front();
}

static InFlightDiagnostic start(Location location, const Twine &message) {
  SmallVector<Location> frames = userFrames(location);
  InFlightDiagnostic diagnostic = emitError(frames.front()) << message;
  for (Location caller : ArrayRef(frames).drop_front())
    diagnostic.attachNote(caller) << "called here";
  return diagnostic;
}

LogicalResult refuse(Location location, const Twine &message) {
  return start(location, message);
}

LogicalResult refuse(Location location, const Twine &message,
                     const Unknown &unknown) {
  InFlightDiagnostic diagnostic =
      start(location, message + " depends on " + unknown.why);
  diagnostic.attachNote(userLocation(unknown.where)) << "it comes from here";
  return diagnostic;
}

} // namespace drawloom::tt
