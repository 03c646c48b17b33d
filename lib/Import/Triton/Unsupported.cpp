// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refuses what is not imported, with what to write instead.

#include "Emit.h"
#include "Refuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace drawloom::tt {

/// Why an operation is refused and what to write instead; empty when it is not.
static StringRef adviceOn(Operation *op) {
  if (isa<AtomicRMWOp, AtomicCASOp>(op))
    return "atomics are not imported: programs run in any order on cores with "
           "memories of their own; give each "
           "program its own output and add them up in a second kernel";
  if (isa<GatherOp>(op))
    return "tl.gather is not imported: lanes may not move by data; load the "
           "elements where they are needed";
  if (isa<HistogramOp>(op))
    return "tl.histogram is not imported; compare with each bin and sum";
  if (isa<DotScaledOp>(op))
    return "tl.dot_scaled is not imported; scale the operands, then use tl.dot";
  if (isa<InlineAsmOp>(op))
    return "inline assembly is not imported; write it with tl's functions";
  if (isa<CallOp>(op))
    return "a call that was not inlined is not imported; remove noinline=True";
  if (isa<UnsplatOp>(op))
    return "reading one lane as a scalar is not imported; load it as a scalar";
  if (isa<PtrToIntOp>(op))
    return "a pointer taken as a number is not imported";
  return {};
}

static bool isKnown(Operation *op) {
  if (isa<ReturnOp, GetProgramIdOp, GetNumProgramsOp, MakeRangeOp, SplatOp,
          BroadcastOp, ReshapeOp, ExpandDimsOp, TransOp, AddPtrOp, LoadOp,
          StoreOp, MakeTensorDescOp, DescriptorLoadOp, DescriptorStoreOp,
          IntToPtrOp, BitcastOp, FpToFpOp, DotOp, PreciseSqrtOp, PreciseDivFOp,
          ClampFOp, ExternElementwiseOp, ReduceOp, ScanOp, SplitOp, JoinOp,
          CatOp, MulhiUIOp>(op))
    return true;
  if (isa<LLVM::AssumeOp>(op)) // a hint, true by the author's word
    return true;
  StringRef dialect = op->getName().getDialectNamespace();
  bool isRegistered = op->isRegistered();
  if (isRegistered && (dialect == "arith" || dialect == "math"))
    return op->getNumResults() == 1;
  return isRegistered &&
         (dialect == "scf" || dialect == "cf" || dialect == "ub");
}

LogicalResult refuseUnsupported(const Kernel &kernel) {
  bool failedAny = false;
  llvm::DenseSet<Location>
      refused; // one error a line, though it inlines to many operations
  kernel.forEachOperation([&](Operation *op) {
    if (refused.contains(userLocation(op->getLoc())))
      return;
    if (isa<PrintOp, AssertOp>(op)) {
      emitWarning(userLocation(op->getLoc()))
          << "tl.device_print and tl.device_assert are left out";
      return;
    }
    StringRef advice = adviceOn(op);
    if (advice.empty() && isKnown(op))
      return;
    failedAny = true;
    refused.insert(userLocation(op->getLoc()));
    if (!advice.empty())
      (void)refuse(op->getLoc(), advice);
    else
      (void)refuse(
          op->getLoc(),
          "`" + op->getName().getStringRef() +
              "` is not imported; write it with other operations of tl");
  });
  return failure(failedAny);
}

std::vector<std::pair<const Condition *, Operation *>>
dataConditions(const Kernel &kernel) {
  std::vector<std::pair<const Condition *, Operation *>> found;
  kernel.forEachOperation([&](Operation *op) {
    bool isData = llvm::any_of(
        op->getResults(), [&](Value result) { return kernel.isData(result); });
    if (!isData || isa<LoadOp, DescriptorLoadOp>(op))
      return;
    for (Value operand : op->getOperands())
      if (auto *condition = kernel.as<Condition>(operand))
        found.push_back({condition, op});
  });
  return found;
}

} // namespace drawloom::tt
