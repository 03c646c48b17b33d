// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of the data movers.
#include "Kernel.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::metalium;

namespace {
class MoverPrinter : public KernelPrinter {
public:
  using KernelPrinter::KernelPrinter;

private:
  void begin() override;
  void end() override;
  void printOperation(Operation *op) override;

  void print(task::ReadOp op);
  void print(task::WriteOp op);
  void print(task::FenceOp op);
  void print(task::FillOp op);
  void print(task::IotaOp op);
  void print(task::PlaceOp op);
  void print(task::LiftOp op);
  void print(task::MulticastOp op);
  void print(task::SignalOp op);
  void print(task::PublishOp op);
  void print(task::AwaitOp op);

  std::string peek(task::PeekOp op) override;

  std::string writeSlot(Value buffer, Value slot, Value byte = {});
  std::string readSlot(Value buffer, Value slot, Value byte = {});
  std::string slot(Helper helper, StringRef pointer, Value buffer, Value slot,
                   Value byte);
  template <typename... Ops> bool does(Value buffer);

  bool signals = false;
};
} // namespace

//===-- Frame ---------------------------------------------------------------//

void MoverPrinter::begin() {
  need("api/dataflow/dataflow_api.h");
  std::string previous;
  int64_t address = 0;
  SmallVector<task::ArrayOp> used = arraysOf(kernel);
  for (auto array : program.getBody().getOps<task::ArrayOp>()) {
    if (llvm::is_contained(used, array)) {
      std::string name = text(array.getArray());
      std::string args = unique.take(name + "_args");
      os << "constexpr auto " << args << " = TensorAccessorArgs<"
         << (previous.empty() ? "0"
                              : previous + ".next_compile_time_args_offset()")
         << ">();\n"
         << "const auto " << name << " = TensorAccessor(" << args
         << ", get_common_arg_val<uint32_t>(" << address << "));\n";
      previous = args;
    }
    ++address;
  }
}

void MoverPrinter::end() {
  // A kernel may not end with increments on their way.
  if (signals)
    os << "noc_async_atomic_barrier();\n";
}

//===-- Addresses -----------------------------------------------------------//

/// Whether this kernel has one of these operations on a buffer.
template <typename... Ops> bool MoverPrinter::does(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
    return isa<Ops...>(user) && kernel->isProperAncestor(user);
  });
}

std::string MoverPrinter::slot(Helper which, StringRef pointer, Value buffer,
                               Value slot, Value byte) {
  auto op = buffer.getDefiningOp<task::BufferOp>();
  std::string tile = text(slot), offset = byte ? text(byte) : "0";
  std::string address = pointer.str() + "(" + constant(buffer) + ")";
  // Scratch may hold elements of which the vendor makes no tiles.
  if (tile != "0")
    address = op.getScratch()
                  ? address + " + " + std::to_string(op.getTileBytes()) +
                        " * " + scalars.use(slot).within(Binding::Atom)
                  : helper(which) + "(" + constant(buffer) + ", " + tile + ")";
  return offset == "0"
             ? address
             : address + " + " + scalars.use(byte).within(Binding::Sum);
}

/// A slot that is filled: counted from the write pointer, unless this kernel is
/// the buffer's consumer.
std::string MoverPrinter::writeSlot(Value buffer, Value index, Value byte) {
  if (does<task::WaitOp, task::PopOp>(buffer) &&
      !does<task::ReserveOp, task::PushOp>(buffer))
    return slot(Helper::ReadSlot, "get_read_ptr", buffer, index, byte);
  return slot(Helper::WriteSlot, "get_write_ptr", buffer, index, byte);
}

/// A slot that is sent on: counted from the read pointer, unless this kernel is
/// the buffer's producer.
std::string MoverPrinter::readSlot(Value buffer, Value index, Value byte) {
  if (does<task::WaitOp, task::PopOp>(buffer))
    return slot(Helper::ReadSlot, "get_read_ptr", buffer, index, byte);
  return slot(Helper::WriteSlot, "get_write_ptr", buffer, index, byte);
}

//===-- Transfers -----------------------------------------------------------//

void MoverPrinter::print(task::ReadOp op) {
  auto part = op.getPart();
  if (part.empty()) {
    os << "noc_async_read_page(" << text(op.getPage()) << ", "
       << text(op.getArray()) << ", " << writeSlot(op.getBuffer(), op.getSlot())
       << ");\n";
    return;
  }
  os << helper(Helper::ReadPart) << "(" << text(op.getArray()) << ", "
     << text(op.getPage()) << ", " << text(part[0]) << ", "
     << writeSlot(op.getBuffer(), op.getSlot(), part[1]) << ", "
     << text(part[2]) << ");\n";
}

void MoverPrinter::print(task::WriteOp op) {
  auto part = op.getPart();
  if (part.empty()) {
    os << "noc_async_write_page(" << text(op.getPage()) << ", "
       << text(op.getArray()) << ", " << readSlot(op.getBuffer(), op.getSlot())
       << ");\n";
    return;
  }
  os << helper(Helper::WritePart) << "("
     << readSlot(op.getBuffer(), op.getSlot(), part[0]) << ", "
     << text(op.getArray()) << ", " << text(op.getPage()) << ", "
     << text(part[1]) << ", " << text(part[2]) << ");\n";
}

void MoverPrinter::print(task::FenceOp op) {
  switch (op.getTransfers()) {
  case task::Transfers::Reads:
    os << "noc_async_read_barrier();\n";
    return;
  case task::Transfers::Writes:
    os << "noc_async_write_barrier();\n";
    return;
  case task::Transfers::Sent:
    os << "noc_async_writes_flushed();\n";
    return;
  }
}

//===-- Lanes ---------------------------------------------------------------//

/// The bits of a fill value as a literal of the lanes' type.
static std::string laneLiteral(task::FillOp op) {
  auto real = dyn_cast<FloatAttr>(op.getValue());
  APInt bits = real ? real.getValue().bitcastToAPInt()
                    : cast<IntegerAttr>(op.getValue()).getValue();
  SmallString<16> digits;
  bits.toStringUnsigned(digits, 16);
  return "uint" + std::to_string(bits.getBitWidth()) + "_t(0x" +
         digits.str().str() + ")";
}

void MoverPrinter::print(task::FillOp op) {
  Helper which =
      op.getKeep().size() == 2 ? Helper::FillOutside : Helper::FillAfter;
  os << helper(which) << "(" << writeSlot(op.getBuffer(), op.getSlot()) << ", "
     << text(op.getKeep()) << ", " << laneLiteral(op) << ");\n";
}

static std::string laneType(Value buffer) {
  return elementType(buffer.getDefiningOp<task::BufferOp>().getFormat());
}

static StringRef isAlongRow(task::LaneAxis along) {
  return along == task::LaneAxis::Row ? "true" : "false";
}

void MoverPrinter::print(task::IotaOp op) {
  const bool real =
      op.getBuffer().getDefiningOp<task::BufferOp>().getFormat().isF32();
  if (op.getAlong() == task::LaneAxis::Memory)
    os << helper(real ? Helper::CountFloats : Helper::CountIntegers) << "(";
  else
    os << helper(real ? Helper::NumberFloats : Helper::NumberIntegers) << "<"
       << isAlongRow(op.getAlong()) << ">(";
  os << writeSlot(op.getBuffer(), op.getSlot()) << ", " << text(op.getBase())
     << ");\n";
}

void MoverPrinter::print(task::PlaceOp op) {
  os << helper(Helper::Place) << "<" << elementType(op.getElements()) << ", "
     << laneType(op.getBuffer()) << ", " << isAlongRow(op.getAlong()) << ">("
     << writeSlot(op.getSource(), op.getFrom(), op.getByte()) << ", "
     << op.getStep() << ", " << text(op.getCount()) << ", "
     << writeSlot(op.getBuffer(), op.getSlot()) << ", " << text(op.getRow())
     << ", " << text(op.getColumn()) << ");\n";
}

void MoverPrinter::print(task::LiftOp op) {
  os << helper(Helper::Lift) << "<" << laneType(op.getBuffer()) << ", "
     << elementType(op.getElements()) << ", " << isAlongRow(op.getAlong())
     << ">(" << readSlot(op.getBuffer(), op.getSlot()) << ", "
     << text(op.getRow()) << ", " << text(op.getColumn()) << ", "
     << text(op.getCount()) << ", "
     << writeSlot(op.getTarget(), op.getTo(), op.getByte()) << ", "
     << op.getStep() << ");\n";
}

std::string MoverPrinter::peek(task::PeekOp op) {
  return helper(Helper::Peek) + "<" + elementType(op.getElements()) + ">(" +
         writeSlot(op.getBuffer(), op.getSlot(), op.getByte()) + ")";
}

//===-- Other cores ---------------------------------------------------------//

void MoverPrinter::print(task::MulticastOp op) {
  std::string tiles =
      op.getTiles() == 1 ? "" : std::to_string(op.getTiles()) + " * ";
  os << helper(Helper::Multicast) << "("
     << writeSlot(op.getBuffer(), op.getSlot()) << ", " << text(op.getTo())
     << ", " << tiles << "get_tile_size(" << constant(op.getBuffer()) << "), "
     << op.getReceivers() << ");\n";
}

void MoverPrinter::print(task::SignalOp op) {
  signals = true;
  auto to = op.getTo();
  std::string semaphore = constant(op.getSemaphore());
  if (text(to[0]) == text(to[2]) && text(to[1]) == text(to[3]))
    os << "noc_semaphore_inc(" << helper(Helper::Core) << "(" << text(to[0])
       << ", " << text(to[1]) << ", get_semaphore(" << semaphore << ")), 1);\n";
  else
    os << helper(Helper::Signal) << "(" << semaphore << ", " << text(to)
       << ");\n";
}

/// Whether what `publish` sends has left the core before the block goes on to
/// anything that could publish again.
static bool isFenced(task::PublishOp publish) {
  for (Operation *op = publish->getNextNode(); op; op = op->getNextNode()) {
    if (isa<task::PublishOp>(op))
      return false;
    auto fence = dyn_cast<task::FenceOp>(op);
    if (fence && fence.getTransfers() != task::Transfers::Reads)
      return true;
  }
  return false;
}

void MoverPrinter::print(task::PublishOp op) {
  std::string semaphore = constant(op.getSemaphore());
  os << "noc_semaphore_set(" << helper(Helper::Counter) << "(" << semaphore
     << "), " << text(op.getValue()) << ");\n"
     << helper(Helper::Publish) << "(" << semaphore << ", " << text(op.getTo())
     << ", " << op.getReceivers() << ");\n";
  // The network fetches the value from L1: it must not change before.
  if (!isFenced(op))
    os << "noc_async_writes_flushed();\n";
}

void MoverPrinter::print(task::AwaitOp op) {
  os << "noc_semaphore_wait_min(" << helper(Helper::Counter) << "("
     << constant(op.getSemaphore()) << "), " << text(op.getValue()) << ");\n";
}

void MoverPrinter::printOperation(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<task::ReadOp, task::WriteOp, task::FenceOp, task::FillOp,
            task::IotaOp, task::PlaceOp, task::LiftOp, task::MulticastOp,
            task::SignalOp, task::PublishOp, task::AwaitOp>(
          [&](auto known) { print(known); })
      .DefaultUnreachable("checked before printing");
}

std::unique_ptr<KernelPrinter>
metalium::createMoverPrinter(task::KernelOp kernel,
                             const ProgramNames &program) {
  return std::make_unique<MoverPrinter>(kernel, program);
}
