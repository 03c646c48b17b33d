// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of the numbers that df operations state.
#include "Clauses.h"
#include "Diagnose.h"
#include <cmath>

using namespace mlir;
using namespace drawloom::df;

LogicalResult drawloom::df::optionalNumber(Operation *op, StringRef name,
                                           std::optional<llvm::APFloat> value,
                                           bool zeroAllowed) {
  if (!value)
    return success();
  double number = value->convertToDouble();
  if (std::isfinite(number) && (number > 0 || (zeroAllowed && number == 0)))
    return success();
  return refuse(
      op,
      "'" + name + "' must be a " +
          (zeroAllowed ? "finite, non-negative" : "finite, positive") +
          " number",
      "a rate or a time of the machine; correct the number, or "
      "remove the clause if it is not known");
}

LogicalResult drawloom::df::number(Operation *op, StringRef name,
                                   StringRef meaning,
                                   std::optional<llvm::APFloat> value,
                                   bool zeroAllowed) {
  if (!value)
    return refuse(op, "has no '" + name + "': " + meaning,
                  "add `" + name + " <number>`, followed by its source");
  return optionalNumber(op, name, value, zeroAllowed);
}

LogicalResult drawloom::df::optionalSize(Operation *op, StringRef name,
                                         std::optional<int64_t> value,
                                         int64_t least) {
  if (!value || *value >= least)
    return success();
  return refuse(
      op, "'" + name + "' is " + Twine(*value) + ", less than " + Twine(least),
      "give `" + name + "` its real size");
}

LogicalResult drawloom::df::size(Operation *op, StringRef name,
                                 StringRef meaning,
                                 std::optional<int64_t> value) {
  if (!value)
    return refuse(op, "has no '" + name + "': " + meaning,
                  "add `" + name + " <integer>`, followed by its source");
  return optionalSize(op, name, value);
}
