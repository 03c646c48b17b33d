// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refuses, at the place, what has no counterpart in the vendor's API.
#include "Check.h"
#include "Scalars.h"
#include "Sfpu.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::metalium;

static InFlightDiagnostic refuse(Operation *op) {
  return op->emitError("no TT-Metalium kernel can be written: ");
}

//===-- Program -------------------------------------------------------------//

/// Of which the vendor's tiles are made.
static bool isInTiles(Type type) {
  return type.isBF16() || type.isF32() || type.isInteger(32);
}

/// What only rows and scratch hold.
static bool isOnlyInRows(Type type) {
  return type.isInteger(1) || type.isInteger(8) || type.isInteger(16) ||
         type.isInteger(64);
}

static LogicalResult checkArray(task::ArrayOp array) {
  Type type = array.getElementType();
  if (isInTiles(type) ||
      (isOnlyInRows(type) && isa<tile::RowsAttr>(array.getLayout())))
    return success();
  return refuse(array)
         << "array `" << array.getName() << "` holds " << type
         << "; tensors are made of bf16, f32, i32 or, in rows, of i1, i8, "
            "i16 or i64, convert it first";
}

static LogicalResult checkBuffer(task::BufferOp buffer,
                                 const MachineModel &model) {
  Type type = buffer.getFormat();
  if (!isInTiles(type) && !(isOnlyInRows(type) && buffer.getScratch()))
    return refuse(buffer) << "buffer `" << buffer.getName() << "` holds "
                          << type
                          << "; circular buffers are made of bf16, f32 or i32, "
                             "scratch also of i1, i8, i16 or i64";
  auto limit = model.limit(Limit::CircularBuffers);
  int64_t id = std::max<int64_t>(*buffer.getId(), buffer.getOperandId().value_or(0));
  if (limit && id >= *limit)
    return refuse(buffer) << "buffer `" << buffer.getName() << "` has id "
                          << id << ", and a core of "
                          << model.name() << " has " << *limit
                          << " circular buffers";
  return success();
}

static LogicalResult checkNetworks(task::ProgramOp program) {
  task::KernelOp dm0 = program.getKernel(Engine::DM0),
                 dm1 = program.getKernel(Engine::DM1);
  for (task::KernelOp mover : {dm0, dm1})
    if (mover && *mover.getNetwork() > 1)
      return refuse(mover) << "there is no network " << *mover.getNetwork()
                           << ", the chip has 0 and 1";
  if (dm0 && dm1 && *dm0.getNetwork() == *dm1.getNetwork())
    return refuse(dm1) << "both data movers use network " << *dm1.getNetwork()
                       << ", each must have its own";
  return success();
}

//===-- Operations ----------------------------------------------------------//

/// Integers take all 32 bits of a lane.
static LogicalResult checkIntegers(Operation *op) {
  if (op->getParentOfType<task::ProgramOp>().isDst32())
    return success();
  return refuse(op) << "it concerns 32-bit integers, and Dst has 16-bit lanes; "
                       "give the program a 32-bit Dst";
}

/// The vendor moves a repeated row by a call that fills a 32-bit Dst wrongly.
static LogicalResult checkRowCopy(task::CopyOp copy) {
  auto buffer = copy.getBuffer().getDefiningOp<task::BufferOp>();
  if (copy.getBroadcast() != task::Broadcast::Row ||
      !buffer.getFormat().isBF16() ||
      !copy->getParentOfType<task::ProgramOp>().isDst32())
    return success();
  return refuse(copy) << "it repeats a row of bf16 in a 32-bit Dst, which the "
                         "vendor's call does wrongly; add the row to a tile of "
                         "zeros, or keep it in a direct buffer of f32";
}

static LogicalResult checkTransfer(Operation *op, Value buffer) {
  auto definition = buffer.getDefiningOp<task::BufferOp>();
  return definition.getFormat().isInteger() ? checkIntegers(op) : success();
}

static LogicalResult checkSfpu(Operation *op, StringRef function,
                               SfpuForm form) {
  if (auto calls = sfpuCall(function, form))
    return calls->lanes == SfpuLanes::Floats ? success() : checkIntegers(op);
  return refuse(op) << "the vector unit has no call for `" << function << "` "
                    << (form == SfpuForm::Scalar ? "with a constant"
                                                 : "of tiles")
                    << "; express it by others";
}

/// The packer's mask, which a reduction's set-up lays, is that of the last one.
static LogicalResult checkReductions(task::DstOp dst) {
  std::optional<task::Extent> first;
  WalkResult result = dst.walk([&](task::InitOp init) {
    auto over = init.getOver();
    if (!over || !first || *over == *first) {
      first = over ? over : first;
      return WalkResult::advance();
    }
    refuse(init)
        << "it follows a reduction over other lanes in one `task.dst`, "
           "and the packer keeps the lanes of one; give each its own";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult checkDst(task::DstOp dst) {
  if (failed(checkReductions(dst)))
    return failure();
  for (Operation &op : dst.getBody().getOps()) {
    bool packs = false, computes = false;
    op.walk([&](Operation *inner) {
      packs |= isa<task::PackOp>(inner);
      computes |=
          isa<task::MatmulOp, task::BinaryOp, task::CopyOp, task::TransposeOp,
              task::ReduceOp, task::SfpuOp, task::SfpuBinaryOp, task::SelectOp,
              task::FillRegisterOp>(inner);
    });
    if (packs && computes)
      return refuse(&op)
             << "it computes and packs inside one `task.dst`, but a half of "
                "Dst is "
                "handed to the packer once; compute first, then pack";
  }
  return success();
}

static LogicalResult checkControl(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    if (!loop.getInductionVar().getType().isIndex())
      return refuse(op) << "its loop counts in "
                        << loop.getInductionVar().getType() << "; use index";
  for (Type type : op->getResultTypes())
    if (!type.isIndex())
      return refuse(op) << "`" << op->getName()
                        << "` yields values; keep values in buffers or Dst";
  return success();
}

static LogicalResult checkOperation(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<scf::ForOp, scf::IfOp>(
          [](Operation *control) { return checkControl(control); })
      .Case([](task::DstOp dst) { return checkDst(dst); })
      .Case([](task::SfpuOp sfpu) {
        return checkSfpu(sfpu, sfpu.getFunction(), formOf(sfpu));
      })
      .Case([](task::SfpuBinaryOp sfpu) {
        return checkSfpu(sfpu, sfpu.getFunction(), SfpuForm::Binary);
      })
      .Case([](task::CopyOp copy) {
        return failure(failed(checkRowCopy(copy)) ||
                       failed(checkTransfer(copy, copy.getBuffer())));
      })
      .Case([](task::PackOp pack) {
        return checkTransfer(pack, pack.getBuffer());
      })
      .Case<task::KernelOp, task::CoreOp, task::InitOp, task::ReserveOp,
            task::PushOp, task::WaitOp, task::PopOp, task::ReadOp,
            task::WriteOp, task::FenceOp, task::FillOp, task::IotaOp,
            task::PlaceOp, task::LiftOp, task::PeekOp, task::MulticastOp,
            task::SignalOp, task::PublishOp, task::AwaitOp, task::StartupOp,
            task::RegisterOp, task::MatmulOp, task::BinaryOp, task::TransposeOp,
            task::ReduceOp, task::SelectOp, task::FillRegisterOp, scf::YieldOp>(
          [](Operation *) { return success(); })
      .Default([](Operation *other) -> LogicalResult {
        if (isScalarOperation(other))
          return success();
        return refuse(other) << "`" << other->getName()
                             << "` has no expression in C++ here; kernels "
                                "compute index and i1 "
                                "with affine and signed arith operations";
      });
}

LogicalResult metalium::check(task::ProgramOp program,
                              const MachineModel &model) {
  if (!program.isPhysical())
    return refuse(program) << "program `" << program.getName()
                           << "` is not in the physical state; place its "
                              "buffers, semaphores and "
                              "registers first";
  if (failed(checkNetworks(program)))
    return failure();
  for (Operation &op : program.getBody().getOps()) {
    auto array = dyn_cast<task::ArrayOp>(op);
    auto buffer = dyn_cast<task::BufferOp>(op);
    if ((array && failed(checkArray(array))) ||
        (buffer && failed(checkBuffer(buffer, model))))
      return failure();
    if (auto kernel = dyn_cast<task::KernelOp>(op))
      if (kernel
              .walk([](Operation *inner) {
                return failed(checkOperation(inner)) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
              })
              .wasInterrupted())
        return failure();
  }
  return success();
}
