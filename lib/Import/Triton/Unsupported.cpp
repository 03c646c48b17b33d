// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refuses what is not imported, with what to write instead.

#include "Emit.h"
#include "GpuDialect.h"
#include "Refuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace drawloom::tt {

/// Updates run in one order on the program's own core: those are right whose
/// result no order changes but for rounding, and which nobody looks at.
static StringRef adviceOnUpdate(AtomicRMWOp op) {
  if (!op.getResult().use_empty())
    return "the value an atomic finds depends on the order in which programs "
           "run; give each program its own output and combine them in a second "
           "kernel";
  if (op.getKind() == "exch")
    return "tl.atomic_xchg is not imported: which program comes last depends "
           "on their order; let one program store";
  return {};
}

static bool makesFloatOf8Bits(Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return element && element.getWidth() == 8;
  });
}

/// Whether a kernel's own line says so, not a function of Triton's.
static bool isOwn(Operation *op) {
  WalkResult found = op->getLoc()->walk([](Location part) {
    auto file = dyn_cast<FileLineColRange>(part);
    bool isLibrary =
        file && file.getFilename().getValue().contains("/triton/language/");
    return isLibrary ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !found.wasInterrupted();
}

/// Triton sorts by the bits of numbers.
static bool sorts(Operation *op) {
  auto cast = dyn_cast<BitcastOp>(op);
  return cast && !isOwn(op) &&
         isa<FloatType>(getElementTypeOrSelf(cast.getSource().getType()));
}

/// Why an operation is refused and what to write instead; empty when it is not.
static StringRef adviceOn(Operation *op) {
  if (makesFloatOf8Bits(op))
    return "fp8 is not imported: no engine computes with it as Triton does; "
           "convert to bfloat16 on the host, and scale there";
  if (isa<IntToPtrOp>(op))
    return "a pointer made of a number is not imported: the engines that move "
           "data reach the kernel's arguments; put the arrays behind one "
           "another in one argument and load where each starts";
  if (sorts(op))
    return "tl.sort and tl.topk are not imported: lanes may not move by data; "
           "sort on the host, or take extremes in turn with tl.max and "
           "tl.argmax";
  if (auto atomic = dyn_cast<AtomicRMWOp>(op))
    return adviceOnUpdate(atomic);
  if (isa<AtomicCASOp>(op))
    return "tl.atomic_cas is not imported: what it finds depends on the order "
           "in which programs run; give each program its own output and "
           "combine them in a second kernel";
  if (isa<GatherOp>(op))
    return "tl.gather is not imported: lanes may not move by data; load the "
           "elements where they are needed";
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
          BitcastOp, FpToFpOp, DotOp, PreciseSqrtOp, PreciseDivFOp, ClampFOp,
          ExternElementwiseOp, ReduceOp, ScanOp, SplitOp, JoinOp, CatOp,
          MulhiUIOp, AtomicRMWOp>(op))
    return true;
  // A hint, true by the author's word. By name: LLVM's header is slow to read.
  if (op->getName().getStringRef() == "llvm.intr.assume")
    return true;
  // A program's operations run in order: nothing waits for another of its own.
  if (op->getName().getStringRef() == kBarrier)
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

} // namespace drawloom::tt
