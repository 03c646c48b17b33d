// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules that the units of a core, their costs and the host keep.
#include "Clauses.h"
#include "Diagnose.h"

using namespace mlir;
using namespace drawloom::df;

static LogicalResult verifyShape(Operation *op, ArrayRef<int64_t> shape,
                                 size_t rank) {
  bool positive = llvm::all_of(shape, [](int64_t extent) {
    return extent > 0 && extent <= kMaxInstances;
  });
  if (shape.size() == rank && positive)
    return success();
  return refuse(op, "shape must be " + Twine(rank) + " positive sizes",
                rank == 3 ? "m, k and n of one intrinsic"
                          : "the lanes of one intrinsic");
}

/// The number behaviour of a unit: `stated` says of each of `clauses` whether
/// it is there. All of them are, or none.
static LogicalResult verifyAllOrNone(Operation *op, ArrayRef<bool> stated,
                                     StringRef clauses) {
  if (llvm::all_equal(stated))
    return success();
  return refuse(op, "states only part of its number behaviour",
                "give " + clauses + ", or none");
}

/// A number of significand bits of an fp32 value.
static bool isWidth(int64_t bits) { return bits >= 1 && bits <= 24; }

static LogicalResult verifyNumbers(MatOp op) {
  ArrayRef<int64_t> multiplier = *op.getMultiplier(), groups = *op.getGroups(),
                    addend = *op.getAddend();
  if (!isWidth(*op.getMantissa()) || multiplier.size() != 2 ||
      !llvm::all_of(multiplier, isWidth))
    return refuse(op, "has a mantissa or multiplier width outside 1 to 24",
                  "`multiplier [in0 bits, in1 bits]`, hidden bit included");
  if (groups.size() != 2 || groups[0] < 1 || groups[1] < 1 ||
      groups[0] * groups[1] != op.getShape()[1])
    return refuse(op,
                  "has groups that do not make up the " +
                      Twine(op.getShape()[1]) + " products of a step",
                  "`groups [count, size]`, whose product is k of the shape");
  if (addend.size() != 2 || !llvm::all_of(addend, isWidth))
    return refuse(op, "has addend widths outside 1 to 24",
                  "`addend [bits with a 32-bit Dst, with a 16-bit Dst]`");
  return success();
}

LogicalResult MatOp::verify() {
  if (failed(verifyShape(*this, getShape(), 3)) ||
      failed(number(*this, "throughput", "intrinsics per cycle",
                    getThroughput())) ||
      failed(verifyAllOrNone(
          *this,
          {getMantissa().has_value(), getMultiplier().has_value(),
           getGroups().has_value(), getAddend().has_value(),
           getAccumulate().has_value(), getPack().has_value(),
           getMisnormalisesMinusOne().has_value()},
          "`mantissa`, `multiplier`, `groups`, `addend`, `accumulate`, `pack` "
          "and `misnormalises_minus_one`")))
    return failure();
  return getMantissa() ? verifyNumbers(*this) : success();
}

LogicalResult VecOp::verify() {
  if (failed(verifyShape(*this, getShape(), 1)) ||
      failed(number(*this, "throughput", "intrinsics per cycle",
                    getThroughput())) ||
      failed(verifyAllOrNone(
          *this,
          {getStore().has_value(), getFunctionBits().has_value(),
           getKeepsZeroSign().has_value(), getNan().has_value()},
          "`store`, `function_bits`, `keeps_zero_sign` and `nan`")))
    return failure();
  if (!getStore())
    return success();
  if (!isWidth(*getFunctionBits()))
    return refuse(*this, "has function bits outside 1 to 24",
                  "significand bits that functions get right");
  int64_t nan = *getNan();
  bool isNaN = nan > 0 && nan <= 0xFFFFFFFF && (nan & 0x7FFFFFFF) > 0x7F800000;
  if (!isNaN)
    return refuse(*this, "has a 'nan' that is not one",
                  "give the bits of an fp32 NaN, such as 0x7FC00000");
  return success();
}

LogicalResult ScalarOp::verify() {
  return number(*this, "latency", "cycles of one scalar operation",
                getLatency());
}

LogicalResult LimitOp::verify() {
  return optionalSize(*this, stringifyLimit(getLimit()), getValue());
}

LogicalResult CostOp::verify() {
  return optionalNumber(*this, stringifyCost(getCost()), getCycles(), true);
}

LogicalResult TileOpOp::verify() {
  if (failed(number(*this, "math", "cycles of the math thread", getMath(),
                    true)) ||
      failed(optionalNumber(*this, "per_phase", getPerPhase(), true)) ||
      failed(optionalNumber(*this, "unpack", getUnpack(), false)) ||
      failed(optionalNumber(*this, "unpack_fixed", getUnpackFixed(), true)) ||
      failed(optionalSize(*this, "operands", getOperands())))
    return failure();
  if (getOperands() && !getUnpack())
    return refuse(*this, "streams operands at no rate",
                  "add `unpack <bytes per cycle>`");
  if (getOperands().value_or(1) > 2)
    return refuse(*this, "streams more than two operands",
                  "the unpacker has one lane for each of two operands");
  return success();
}

LogicalResult PackOp::verify() {
  if (failed(number(*this, "bandwidth", "bytes per cycle to memory",
                    getBandwidth())) ||
      failed(optionalNumber(*this, "fixed", getFixed(), true)))
    return failure();
  return optionalNumber(*this, "accumulate", getAccumulate(), false);
}

LogicalResult HostOp::verify() {
  return number(*this, "convert", "bytes per nanosecond of one thread",
                getConvert());
}

LogicalResult SfpuOp::verify() {
  if (getFunction().empty())
    return refuse(*this, "names no function", "write `df.sfpu \"exp\" ...`");
  if (getDst() != drawloom::Format::BF16 && getDst() != drawloom::Format::FP32)
    return refuse(*this, "has a Dst of neither bf16 nor fp32",
                  "the vector unit is timed for 16-bit (bf16) and 32-bit "
                  "(fp32) Dst");
  return optionalNumber(*this, "cycles", getCycles(), false);
}
