// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `task` dialect: registration, derived sizes and operation verifiers.

#include "drawloom/Task/Task.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

#include "drawloom/Task/TaskDialect.cpp.inc"
#include "drawloom/Task/TaskEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "drawloom/Task/TaskTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "drawloom/Task/TaskAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "drawloom/Task/TaskOps.cpp.inc"

void TaskDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "drawloom/Task/TaskTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "drawloom/Task/TaskAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "drawloom/Task/TaskOps.cpp.inc"
      >();
}

//===-- Program -------------------------------------------------------------//

KernelOp ProgramOp::getKernel(Engine engine) {
  for (auto kernel : getBody().getOps<KernelOp>())
    if (kernel.getEngine() == engine)
      return kernel;
  return {};
}

bool ProgramOp::isPhysical() {
  return !walk([](Operation *op) {
            bool placed =
                TypeSwitch<Operation *, bool>(op)
                    .Case([](BufferOp buffer) { return buffer.getId() && buffer.getAddress(); })
                    .Case([](SemaphoreOp semaphore) { return semaphore.getId().has_value(); })
                    .Case([](RegisterOp reg) { return reg.getSlot().has_value(); })
                    .Default(true);
            return placed ? WalkResult::advance() : WalkResult::interrupt();
          }).wasInterrupted();
}

LogicalResult ProgramOp::verifyRegions() {
  if (getGrid().size() != 2 || getColumns() < 1 || getRows() < 1)
    return emitOpError("needs a grid of columns and rows of cores");
  std::set<Engine> engines;
  for (Operation &op : *getBody().begin()) {
    if (auto kernel = dyn_cast<KernelOp>(op)) {
      if (!engines.insert(kernel.getEngine()).second)
        return kernel.emitOpError("is the second of engine ") << stringifyEngine(kernel.getEngine());
    } else if (!isa<ArrayOp, BufferOp, SemaphoreOp>(op)) {
      return op.emitOpError("may not stand in a task.program: it holds arrays, buffers, "
                            "semaphores and kernels");
    }
  }
  return success();
}

void ArrayOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getArray(), getName()); }
void BufferOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getBuffer(), getName()); }
void SemaphoreOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getSemaphore(), getName()); }
void CoreOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getIndex(), stringifyCoreDim(getDim())); }

SmallVector<int64_t> ArrayOp::getPageGrid() {
  ArrayRef<int64_t> shape = getViewType().getShape();
  if (shape.empty())
    return {1};
  SmallVector<int64_t> grid(shape.drop_back());
  if (auto rows = dyn_cast<tile::RowsAttr>(getLayout())) {
    grid.push_back(llvm::divideCeil(shape.back(), rows.getElements()));
    return grid;
  }
  if (grid.empty())
    grid.push_back(1); // a rank-1 array is one row
  grid.back() = llvm::divideCeil(grid.back(), kTileSide);
  grid.push_back(llvm::divideCeil(shape.back(), kTileSide));
  return grid;
}

int64_t ArrayOp::getPageCount() {
  int64_t count = 1;
  for (int64_t size : getPageGrid())
    count *= size;
  return count;
}

int64_t ArrayOp::getPageBytes() {
  Format format = *formatOf(getElementType());
  if (auto rows = dyn_cast<tile::RowsAttr>(getLayout()))
    return rows.getElements() * *elementBytes(format);
  return tileBytes(format);
}

int64_t BufferOp::getTileBytes() { return tileBytes(*formatOf(getFormat())); }

LogicalResult BufferOp::verify() {
  if (!formatOf(getFormat()))
    return emitOpError("cannot hold tiles of ") << getFormat();
  if (getTiles() < 1 || getDepth() < 1)
    return emitOpError("needs at least one tile and a depth of at least one");
  int64_t tiles, bytes;
  if (llvm::MulOverflow<int64_t>(getTiles(), getDepth(), tiles) ||
      llvm::MulOverflow<int64_t>(tiles, getTileBytes(), bytes))
    return emitOpError("has more bytes than a number holds");
  if (getDirect() && !getFormat().isF32() && !getFormat().isInteger(32))
    return emitOpError("is `direct`, which only 32-bit elements need: ") << getFormat();
  if (getOperand() && (!getDirect() || !getFormat().isF32()))
    return emitOpError("is an `operand` too, which only `direct` buffers of f32 need to say");
  if (!getOperand() && getOperandId())
    return emitOpError("has the id of an `operand`, which it is not");
  if (!getScratch() && !getDirect() && getFormat().isInteger(32))
    return emitOpError("holds integers, which no unit but Dst takes: make it `direct`");
  return success();
}

/// Operations that write to Dst.
static bool isMath(Operation *op) {
  return isa<MatmulOp, BinaryOp, CopyOp, TransposeOp, ReduceOp, SelectOp, FillRegisterOp, SfpuOp,
             SfpuBinaryOp>(op);
}

LogicalResult KernelOp::verifyRegions() {
  bool compute = getEngine() == Engine::Compute;
  if (compute == getNetwork().has_value())
    return emitOpError(compute ? "of the compute engine has no network"
                               : "of a data mover names its network");
  WalkResult result = getBody().walk([&](Operation *op) {
    bool mover = isa<ReadOp, WriteOp, FenceOp, FillOp, IotaOp, PlaceOp, LiftOp, MulticastOp, SignalOp,
                     PublishOp, AwaitOp>(op);
    bool math = isMath(op) || isa<StartupOp, InitOp, DstOp, RegisterOp, PackOp>(op);
    if ((compute && mover) || (!compute && math)) {
      op->emitOpError("does not run on engine ") << stringifyEngine(getEngine());
      return WalkResult::interrupt();
    }
    auto loop = dyn_cast<scf::ForOp>(op);
    APInt step;
    if (loop && (!matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive())) {
      op->emitOpError("in a task.kernel needs a constant positive step");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===-- Data movers ---------------------------------------------------------//

static LogicalResult verifyPart(Operation *op, ValueRange part) {
  if (part.empty() || part.size() == 3)
    return success();
  return op->emitOpError("`part` is [source byte, target byte, bytes]");
}

/// A page and a tile hold the same elements: data movers convert nothing.
static LogicalResult verifyFormats(Operation *op, Value array, Value buffer) {
  auto from = array.getDefiningOp<ArrayOp>();
  auto to = buffer.getDefiningOp<BufferOp>();
  if (!from || !to || from.getElementType() == to.getFormat())
    return success();
  return op->emitOpError("moves ") << from.getElementType() << " elements of array `"
         << from.getName() << "` to or from tiles of " << to.getFormat();
}

LogicalResult ReadOp::verify() {
  if (failed(verifyFormats(*this, getArray(), getBuffer())))
    return failure();
  return verifyPart(*this, getPart());
}
LogicalResult WriteOp::verify() {
  if (failed(verifyFormats(*this, getArray(), getBuffer())))
    return failure();
  return verifyPart(*this, getPart());
}

LogicalResult FillOp::verify() {
  if (getKeep().size() != 1 && getKeep().size() != 2)
    return emitOpError("keeps [rows, columns] or [elements]");
  auto buffer = getBuffer().getDefiningOp<BufferOp>();
  if (buffer && getValue().getType() != buffer.getFormat())
    return emitOpError("fills tiles of ") << buffer.getFormat() << " with a value of type "
           << getValue().getType();
  return success();
}

static LogicalResult verifyRectangle(Operation *op, ValueRange to) {
  if (to.size() == 4)
    return success();
  return op->emitOpError("`to` is a rectangle [x0, y0, x1, y1] of cores");
}
LogicalResult MulticastOp::verify() {
  if (getTiles() < 1 || getReceivers() < 1)
    return emitOpError("needs at least one tile and one receiver");
  return verifyRectangle(*this, getTo());
}
LogicalResult SignalOp::verify() { return verifyRectangle(*this, getTo()); }
LogicalResult PublishOp::verify() { return verifyRectangle(*this, getTo()); }

//===-- Compute -------------------------------------------------------------//

static LogicalResult verifyBlock(Operation *op, ArrayRef<int64_t> block) {
  if (block.size() == 3 && llvm::all_of(block, [](int64_t n) { return n > 0; }))
    return success();
  return op->emitOpError("`block` is [rows, columns, inner tiles], all positive");
}

LogicalResult InitOp::verify() {
  size_t buffers = getBuffers().size(), expected = 1;
  if (llvm::is_contained({Setup::Matmul, Setup::Binary, Setup::Reduce}, getKind()))
    expected = 2;
  else if (getKind() == Setup::Sfpu)
    expected = 0;
  if (buffers != expected)
    return emitOpError() << stringifySetup(getKind()) << " takes " << expected << " buffers, not " << buffers;
  if ((getKind() == Setup::Binary) != getArithmetic().has_value())
    return emitOpError("names an arithmetic operation for `binary` and only for it");
  if ((getKind() == Setup::Sfpu) != getFunction().has_value())
    return emitOpError("names a function for `sfpu` and only for it");
  if ((getKind() == Setup::Matmul) != getBlock().has_value())
    return emitOpError("has a block for `matmul` and only for it");
  if ((getKind() == Setup::Reduce) != getReduction().has_value())
    return emitOpError("names a reduction for `reduce` and only for it");
  if (getKind() == Setup::Reduce && !(*this)->getParentOfType<DstOp>())
    return emitOpError("for `reduce` stands outside a task.dst, whose packer it changes");
  return getBlock() ? verifyBlock(*this, *getBlock()) : success();
}

LogicalResult DstOp::verifyRegions() {
  if ((*this)->getParentOfType<DstOp>())
    return emitOpError("stands in another: a core computes on one half of Dst at a time");
  bool packing = false;
  for (Operation &op : *getBody().begin()) {
    bool packs = op.walk([](PackOp) { return WalkResult::interrupt(); }).wasInterrupted();
    bool math = op.walk([](Operation *inner) {
                    return isMath(inner) ? WalkResult::interrupt() : WalkResult::advance();
                  }).wasInterrupted();
    if (math && packing)
      return op.emitOpError("computes after this half of Dst was handed to the packer");
    packing |= packs;
  }
  return success();
}

LogicalResult MatmulOp::verify() { return verifyBlock(*this, getBlock()); }

/// After `row_` or `column_` stands what combines the lanes of each row in the
/// first column, or those of each column in the first row; other lanes then hold
/// nothing.
static bool isUnaryFunction(StringRef name) {
  static const StringRef names[] = {"exp",   "exp2",  "exp_approx", "exp2_approx", "log",  "log2",   "sqrt",  "rsqrt", "recip",
                                    "sigmoid", "silu",    "relu", "gelu",   "gelu_tanh", "tanh", "erf",
                                    "sin",   "cos",       "floor", "ceil",  "abs",   "neg",   "square",
                                    "sitofp", "fptosi", "row_addi", "row_maxsi", "row_minsi",
                                    "row_add", "row_max", "row_min", "column_addi", "column_maxsi",
                                    "column_minsi", "column_add", "column_max", "column_min"};
  return llvm::is_contained(names, name);
}
static bool isComparison(StringRef name) {
  static const StringRef names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  return llvm::is_contained(names, name);
}
static bool isBinaryFunction(StringRef name) {
  static const StringRef names[] = {"add",  "sub",  "mul",   "div",   "max",   "min",   "addi",
                                    "subi", "muli", "andi",  "ori",   "xori",  "shli",  "shrui",
                                    "shrsi", "maxsi", "minsi", "eqi", "nei",   "lti",   "lei",
                                    "gti",  "gei",  "ltui"};
  return isComparison(name) || llvm::is_contained(names, name);
}
static bool isScalarFunction(StringRef name) {
  static const StringRef names[] = {"add", "sub", "mul", "div", "max", "min"};
  return isComparison(name) || llvm::is_contained(names, name);
}

LogicalResult SfpuOp::verify() {
  bool second = getScalar() || getNumber();
  if (getScalar() && getNumber())
    return emitOpError("has two second operands");
  if (second ? isScalarFunction(getFunction()) : isUnaryFunction(getFunction()))
    return success();
  return emitOpError("knows no ") << (second ? "operation with a scalar" : "function")
         << " named " << getFunction();
}

LogicalResult SfpuBinaryOp::verify() {
  if (isBinaryFunction(getFunction()))
    return success();
  return emitOpError("knows no operation of two tiles named ") << getFunction();
}

LogicalResult ReduceOp::verify() {
  auto buffer = getBuffer().getDefiningOp<BufferOp>();
  if (buffer && !buffer.feedsMatrixUnit())
    return emitOpError("reads buffer `") << buffer.getName()
           << "`, which is `direct` and cannot feed the matrix unit";
  auto ones = getOnes().getDefiningOp<BufferOp>();
  if (buffer && ones && getReduction() == Reduction::Sum && getOver() == Extent::Row &&
      buffer.getFormat().isF32() && !ones.getFormat().isF32())
    return emitOpError("sums f32 by ones of ") << ones.getFormat()
           << ", and the matrix unit would read no more of the f32: make the ones f32";
  return success();
}

LogicalResult FillRegisterOp::verify() {
  if (getValue().has_value() == static_cast<bool>(getNumber()))
    return emitOpError("needs a value, or a number and its type");
  Type type = getValue() ? getValue()->getType() : getAs().value_or(Type());
  if (!type)
    return emitOpError("does not say as what its number is");
  if (type.isF32() || type.isInteger(32))
    return success();
  return emitOpError("fills lanes with f32 or i32, not ") << type;
}

//===-- Lanes moved by data movers ------------------------------------------//

LogicalResult IotaOp::verify() {
  auto buffer = getBuffer().getDefiningOp<BufferOp>();
  if (!buffer || buffer.getFormat().isF32() || buffer.getFormat().isInteger(32))
    return success();
  return emitOpError("numbers lanes of f32 or i32, not ") << buffer.getFormat();
}

/// Elements in memory and the lanes they become.
static LogicalResult verifyElements(Operation *op, Value linear, Type elements, Value tiles) {
  auto scratch = linear.getDefiningOp<BufferOp>();
  if (scratch && !scratch.getScratch())
    return op->emitOpError("takes elements of buffer `") << scratch.getName() << "`, which is no `scratch`";
  auto buffer = tiles.getDefiningOp<BufferOp>();
  bool integers = isa<IntegerType>(elements) && formatOf(elements);
  if (!buffer || buffer.getFormat() == elements || (integers && buffer.getFormat().isInteger(32)))
    return success();
  return op->emitOpError("has elements of ") << elements << " and lanes of " << buffer.getFormat()
         << ": only integers change their width, to i32";
}
static LogicalResult verifyLine(Operation *op, LaneAxis along) {
  if (along != LaneAxis::Memory)
    return success();
  return op->emitOpError("moves a line of lanes along `row` or `column`, not in memory order");
}
LogicalResult PlaceOp::verify() {
  return failure(failed(verifyLine(*this, getAlong())) ||
                 failed(verifyElements(*this, getSource(), getElements(), getBuffer())));
}
LogicalResult LiftOp::verify() {
  return failure(failed(verifyLine(*this, getAlong())) ||
                 failed(verifyElements(*this, getTarget(), getElements(), getBuffer())));
}

LogicalResult PeekOp::verify() {
  if (isa<IntegerType>(getElements()))
    return success();
  return emitOpError("reads an integer, not ") << getElements();
}
