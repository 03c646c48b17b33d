// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops, branches and scalars of a kernel, and the frame of its source. Text is
// printed straight from the task dialect: its structure is that of C++ already,
// and a detour by way of emitc would cost the names and the short expressions.
#include "Kernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::metalium;

SmallVector<task::ArrayOp> metalium::arraysOf(task::KernelOp kernel) {
  SmallVector<task::ArrayOp> arrays;
  auto program = kernel->getParentOfType<task::ProgramOp>();
  for (auto array : program.getBody().getOps<task::ArrayOp>())
    if (llvm::any_of(array->getUsers(), [&](Operation *user) {
          return kernel->isProperAncestor(user);
        }))
      arrays.push_back(array);
  return arrays;
}

std::string metalium::elementType(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  const unsigned bits = element.getIntOrFloatBitWidth();
  const unsigned width = bits == 1 ? 8 : bits; // truth values take a byte
  return (integer && bits != 1 ? "int" : "uint") + std::to_string(width) + "_t";
}

KernelPrinter::KernelPrinter(task::KernelOp kernel, const ProgramNames &program)
    : kernel(kernel), program(kernel->getParentOfType<task::ProgramOp>()),
      programNames(program) {
  for (Helper helper : allHelpers())
    unique.take(nameOf(helper));
  nameCoordinates();
  // Every name of the program, used here or not, so that a name means the same
  // in all sources.
  for (Operation &op : this->program.getBody().getOps())
    if (op.getNumResults() == 1)
      scalars.name(op.getResult(0), unique.take(program.of(op.getResult(0))));
}

void KernelPrinter::nameCoordinates() {
  kernel.walk([&](task::CoreOp core) {
    std::string &name = coordinates[static_cast<int>(core.getDim())];
    if (name.empty())
      name = unique.take(stringifyCoreDim(core.getDim()));
    scalars.name(core.getIndex(), name);
  });
}

std::string KernelPrinter::helper(Helper which) {
  helpers.insert(which);
  return nameOf(which).str();
}

std::string KernelPrinter::constant(Value value) {
  constants.insert(value);
  return text(value);
}

std::string KernelPrinter::operand(Value buffer) {
  std::string name = constant(buffer);
  bool twice = buffer.getDefiningOp<task::BufferOp>().getOperand();
  return twice ? programNames.operandOf(buffer).str() : name;
}

std::string KernelPrinter::text(ValueRange values) {
  std::string list;
  for (Value value : values)
    list += (list.empty() ? "" : ", ") + text(value);
  return list;
}

//===-- Structure -----------------------------------------------------------//

void KernelPrinter::printBlock(Block &block) {
  for (Operation &op : block)
    printStatement(op);
}

void KernelPrinter::printStatement(Operation &op) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](scf::ForOp loop) { printFor(loop); })
      .Case([&](scf::IfOp branch) { printIf(branch); })
      .Case([&](task::PeekOp peek) { printPeek(peek); })
      .Case([&](task::ReserveOp s) {
        printSteps("cb_reserve_back", s.getBuffer(), s.getTiles());
      })
      .Case([&](task::PushOp s) {
        printSteps("cb_push_back", s.getBuffer(), s.getTiles());
      })
      .Case([&](task::WaitOp s) {
        printSteps("cb_wait_front", s.getBuffer(), s.getTiles());
      })
      .Case([&](task::PopOp s) {
        printSteps("cb_pop_front", s.getBuffer(), s.getTiles());
      })
      .Case<scf::YieldOp, task::CoreOp>([](Operation *) {})
      .Default([&](Operation *other) {
        isScalarOperation(other) ? printScalar(other) : printOperation(other);
      });
}

void KernelPrinter::printStep(StringRef call, const std::string &buffer,
                              int64_t tiles) {
  os << call << "(" << buffer << ", " << tiles << ");\n";
}

void KernelPrinter::printSteps(StringRef call, Value buffer, int64_t tiles) {
  printStep(call, constant(buffer), tiles);
  if (buffer.getDefiningOp<task::BufferOp>().getOperand())
    printStep(call, operand(buffer), tiles);
}

/// Variables for numbers that a loop carries, or a branch chooses.
void KernelPrinter::declare(ValueRange inside, ValueRange after,
                            ValueRange first) {
  for (auto [place, value] : llvm::enumerate(inside)) {
    std::string name = unique.take("number");
    os << "int32_t " << name;
    if (!first.empty())
      os << " = " << text(first[place]);
    os << ";\n";
    scalars.name(value, name);
    scalars.name(after[place], name);
  }
}

/// Sets variables, each new value from the old ones.
void KernelPrinter::assign(ValueRange variables, ValueRange values) {
  SmallVector<std::string> texts;
  for (Value value : values)
    texts.push_back(text(value));
  if (texts.size() > 1)
    for (std::string &value : texts) {
      std::string name = unique.take("next");
      os << "const int32_t " << name << " = " << value << ";\n";
      value = name;
    }
  for (auto [variable, value] : llvm::zip_equal(variables, texts))
    os << text(variable) << " = " << value << ";\n";
}

void KernelPrinter::printBody(Block &block, ValueRange results) {
  enter();
  os.indent();
  printBlock(block);
  if (!results.empty())
    assign(results, block.getTerminator()->getOperands());
  leave();
  os.unindent();
}

/// The name a location gives a value, if it gives one.
static std::optional<StringRef> givenName(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return named.getName().getValue();
  return std::nullopt;
}

void KernelPrinter::printFor(scf::ForOp loop) {
  static constexpr StringRef customary = "ijkmnpqst";
  StringRef byDepth = customary.substr(depth % customary.size(), 1);
  Value variable = loop.getInductionVar();
  std::string name =
      unique.take(givenName(variable.getLoc()).value_or(byDepth));
  std::string first = text(loop.getLowerBound());
  std::string limit = scalars.use(loop.getUpperBound()).within(Binding::Sum);
  std::string step = text(loop.getStep());
  scalars.name(variable, name);
  declare(loop.getRegionIterArgs(), loop.getResults(), loop.getInitArgs());
  if (keepsLoops())
    os << "#pragma GCC unroll 1\n";
  os << "for (int32_t " << name << " = " << first << "; " << name << " < "
     << limit << "; " << (step == "1" ? "++" + name : name + " += " + step)
     << ") {\n";
  ++depth;
  printBody(*loop.getBody(), loop.getResults());
  --depth;
  unique.release(name);
  os << "}\n";
}

void KernelPrinter::printIf(scf::IfOp branch) {
  declare(branch.getResults(), branch.getResults(), {});
  os << "if (" << text(branch.getCondition()) << ") {\n";
  printBody(*branch.thenBlock(), branch.getResults());
  if (branch.elseBlock()) {
    os << "} else {\n";
    printBody(*branch.elseBlock(), branch.getResults());
  }
  os << "}\n";
}

/// Read where it stands: the slot may be popped before the value is used.
void KernelPrinter::printPeek(task::PeekOp op) {
  std::string name =
      unique.take(givenName(op.getValue().getLoc()).value_or("number"));
  os << "const int32_t " << name << " = " << peek(op) << ";\n";
  scalars.name(op.getValue(), name);
}

/// A name for a scalar from what it is used for.
static StringRef purposeOf(Value value) {
  Operation *user = *value.getUsers().begin();
  if (auto read = dyn_cast<task::ReadOp>(user))
    return value == read.getPage()   ? "page"
           : value == read.getSlot() ? "slot"
                                     : "bytes";
  if (auto write = dyn_cast<task::WriteOp>(user))
    return value == write.getPage()   ? "page"
           : value == write.getSlot() ? "slot"
                                      : "bytes";
  if (isa<task::AwaitOp>(user))
    return "round";
  if (auto publish = dyn_cast<task::PublishOp>(user))
    return value == publish.getValue() ? "round" : "core";
  if (isa<task::FillOp>(user))
    return "kept";
  return value.getType().isIndex() ? "index" : "condition";
}

void KernelPrinter::printScalar(Operation *op) {
  Value value = op->getResult(0);
  if (value.use_empty() || value.hasOneUse() || isa<arith::ConstantOp>(op))
    return; // printed where it is used
  std::string name =
      unique.take(givenName(value.getLoc()).value_or(purposeOf(value)));
  os << "const " << (value.getType().isIndex() ? "int32_t " : "bool ") << name
     << " = " << scalars.compute(value).text << ";\n";
  scalars.name(value, name);
}

//===-- The source ----------------------------------------------------------//

void KernelPrinter::printConstants(raw_ostream &source) {
  for (Operation &op : program.getBody().getOps()) {
    if (op.getNumResults() != 1 || !constants.contains(op.getResult(0)))
      continue;
    auto buffer = dyn_cast<task::BufferOp>(op);
    const int64_t id =
        buffer ? *buffer.getId() : *cast<task::SemaphoreOp>(op).getId();
    auto define = [&](StringRef name, int64_t number) -> raw_ostream & {
      return source << "constexpr uint32_t " << name << " = " << number << ";";
    };
    define(text(op.getResult(0)), id);
    if (buffer)
      source << " // " << buffer.getCapacity()
             << (buffer.getCapacity() == 1 ? " tile of " : " tiles of ")
             << buffer.getFormat();
    source << "\n";
    if (buffer && buffer.getOperand())
      define(operand(buffer.getBuffer()), *buffer.getOperandId())
          << " // the same tiles, for the matrix unit\n";
  }
}

std::string KernelPrinter::print(const MachineModel &model) {
  begin();
  printBlock(*kernel.getBody().begin());
  end();
  os.flush();
  close(helpers);

  std::string text;
  llvm::raw_string_ostream source(text);
  const Engine engine = kernel.getEngine();
  source << "// Program " << program.getName() << ": "
         << stringifyEngine(engine);
  if (auto network = kernel.getNetwork())
    source << " (" << model.processorName(engine) << ") on NoC " << *network;
  source << " of every core. Written by Drawloom.\n";
  for (const std::string &header : headers)
    source << "#include \"" << header << "\"\n";
  source << "\n";
  printConstants(source);
  source << "\n";
  const int64_t arrays =
      llvm::range_size(program.getBody().getOps<task::ArrayOp>());
  printHelpers(source, helpers,
               {arrays, program.getColumns(), program.getRows()},
               kernel.getNetwork().value_or(0));
  printFunctions(source);
  source << "void kernel_main() {\n";
  raw_indented_ostream body(source);
  body.indent();
  for (auto [argument, name] : llvm::enumerate(coordinates))
    if (!name.empty())
      body << "const int32_t " << name << " = get_arg_val<uint32_t>("
           << argument << ");\n";
  body << bodyText;
  body.unindent();
  source << "}\n";
  return text;
}
