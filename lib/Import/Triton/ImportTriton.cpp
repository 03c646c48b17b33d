// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Triton door: parses TTIR, then evaluates, fits, recovers and emits.

#include "drawloom/Import/Triton/ImportTriton.h"

#include "Comparisons.h"
#include "Desugar.h"
#include "Emit.h"
#include "FindGrid.h"
#include "Float16.h"
#include "FloatUpdates.h"
#include "GpuDialect.h"
#include "Refuse.h"
#include "Reshapes.h"
#include "TextLocation.h"
#include "Whiles.h"
#include "drawloom/Tile/TilePasses.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::tt;

/// Programs of one launch are evaluated one by one.
static constexpr int64_t kMaxPrograms = int64_t(1) << 22;

/// Passes on what the parser reports, at the kernel's line where it names one.
static LogicalResult relocate(MLIRContext &context, StringRef ttir,
                              StringRef sourceName, Diagnostic &diagnostic) {
  auto at = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
  bool inText = at && at.getFilename() == sourceName;
  auto source =
      inText ? sourceOfLine(context, ttir, at.getLine()) : std::nullopt;
  if (!source || diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return failure();
  std::string message = diagnostic.str();
  emitError(*source) << "this line of the kernel is not imported: " << message;
  return success();
}

/// Parses with the locations of the text, unknown operations allowed: they are
/// refused later, at the kernel's line.
static OwningOpRef<ModuleOp> parse(MLIRContext &context, StringRef ttir,
                                   StringRef sourceName) {
  bool allowed = context.allowsUnregisteredDialects();
  context.allowUnregisteredDialects(true);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(ttir, sourceName), {});
  SmallVector<Diagnostic> reported;
  OwningOpRef<ModuleOp> module;
  {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      reported.push_back(std::move(diagnostic));
      return success();
    });
    module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  }
  for (Diagnostic &diagnostic : reported)
    if (failed(relocate(context, ttir, sourceName, diagnostic)))
      context.getDiagEngine().emit(std::move(diagnostic));
  context.allowUnregisteredDialects(allowed);
  return module;
}

static FuncOp findKernel(ModuleOp module, const Launch &launch) {
  FuncOp found;
  for (FuncOp function : module.getOps<FuncOp>()) {
    if (function.isExternal() || function.getSymVisibility() == "private")
      continue;
    if (function.getSymName() == launch.kernel)
      return function;
    if (!found)
      found = function;
  }
  if (!found)
    emitError(module.getLoc())
        << "there is no kernel `" << launch.kernel << "` in the text";
  return found;
}

/// The name an argument has in the source, where the text still has it.
static StringRef nameOf(BlockArgument argument) {
  auto name = dyn_cast<NameLoc>(argument.getLoc());
  return name ? name.getName().getValue() : StringRef();
}

/// Whether a launch value can be passed for an argument of this type.
static bool suits(Type type, const LaunchArgument &given) {
  if (isa<tt::PointerType, DescriptorType>(type))
    return std::holds_alternative<PointerArgument>(given.value);
  if (isa<FloatType>(type))
    return !std::holds_alternative<PointerArgument>(given.value);
  return type.isInteger() && std::holds_alternative<int64_t>(given.value);
}

/// Finds the launch's value for each argument of the function: by name, or in
/// order among those that are no constexprs.
static FailureOr<SmallVector<unsigned>> matchArguments(FuncOp function,
                                                       const Launch &launch) {
  SmallVector<unsigned> positions, inOrder;
  for (auto [i, given] : llvm::enumerate(launch.arguments))
    if (given.type != "constexpr")
      inOrder.push_back(i);
  for (BlockArgument argument : function.getArguments()) {
    auto named =
        llvm::find_if(launch.arguments, [&](const LaunchArgument &given) {
          return !nameOf(argument).empty() && given.name == nameOf(argument);
        });
    unsigned number = argument.getArgNumber();
    if (named != launch.arguments.end())
      positions.push_back(named - launch.arguments.begin());
    else if (inOrder.size() == function.getNumArguments())
      positions.push_back(inOrder[number]);
    else
      return emitError(userLocation(argument.getLoc()))
             << "the launch gives no value for argument " << number
             << (nameOf(argument).empty() ? ""
                                          : " `" + nameOf(argument).str() + "`")
             << " of `" << function.getSymName() << "`: it takes "
             << function.getNumArguments() << ", the launch has "
             << inOrder.size();
    const LaunchArgument &given = launch.arguments[positions.back()];
    if (!suits(argument.getType(), given))
      return emitError(userLocation(argument.getLoc()))
             << "argument `" << given.name << "` is " << argument.getType()
             << " in the kernel; the launch passes " << given.type;
  }
  return positions;
}

static LogicalResult checkGrid(FuncOp function, const Launch &launch) {
  int64_t programs = 1;
  for (int64_t extent : launch.grid) {
    if (extent < 1)
      return refuse(function.getLoc(),
                    "the grid must have at least one program along each axis");
    programs = extent > kMaxPrograms ? kMaxPrograms + 1 : programs * extent;
    if (programs > kMaxPrograms)
      return refuse(
          function.getLoc(),
          llvm::formatv("the grid has more than {0} programs; let each do more",
                        kMaxPrograms)
              .str());
  }
  return success();
}

static SmallVector<tile::GridOp> gridsOf(ModuleOp module) {
  SmallVector<tile::GridOp> grids;
  for (auto program : module.getOps<tile::ProgramOp>())
    llvm::append_range(grids, program.getBody().getOps<tile::GridOp>());
  return grids;
}

/// Slices are stored at once, what is joined is stored apart; programs of one row
/// each share tiles.
static ImportedLaunch settle(OwningOpRef<ModuleOp> module) {
  for (tile::GridOp grid : gridsOf(*module)) {
    tile::joinStores(grid);
    tile::splitStores(grid);
    tile::turnStores(grid);
    tile::dropUnitAxes(grid);
  }
  OwningOpRef<ModuleOp> rows = module->clone();
  bool folds = false;
  for (tile::GridOp grid : gridsOf(*module))
    folds |= tile::fold(grid);
  if (!folds)
    rows = nullptr;
  return {std::move(module), std::move(rows)};
}

//===-- The door ------------------------------------------------------------//

FailureOr<ImportedLaunch> drawloom::importTriton(MLIRContext &context,
                                                 StringRef ttir,
                                                 StringRef sourceName,
                                                 const Launch &launch) {
  context
      .loadDialect<TTDialect, GpuDialect, tile::TileDialect, affine::AffineDialect,
                   arith::ArithDialect, cf::ControlFlowDialect,
                   linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                   scf::SCFDialect, tensor::TensorDialect, ub::UBDialect>();
  OwningOpRef<ModuleOp> module = parse(context, ttir, sourceName);
  if (!module)
    return failure();
  FuncOp function = findKernel(*module, launch);
  if (!function || failed(checkGrid(function, launch)))
    return failure();
  holdFloat16AsFloat32(function);
  auto positions = matchArguments(function, launch);
  if (failed(positions))
    return failure();
  countWhiles(function);
  simplifyComparisons(function, launch, *positions);
  dropReshapes(function);
  desugar(function);
  joinFloatUpdates(function);
  Kernel kernel(function, launch, *positions);
  if (failed(kernel.evaluate()) || failed(refuseUnsupported(kernel)))
    return failure();
  auto accesses = collectAccesses(kernel, /*exactWraps=*/false);
  if (succeeded(accesses) && !isUnwrappedSafely(kernel, *accesses))
    accesses = collectAccesses(kernel, /*exactWraps=*/true);
  if (failed(accesses))
    return failure();
  auto box = findGrid(kernel, *accesses);
  if (failed(box))
    return failure();
  Linearizer linearize(*box, kernel.loopExtents(), kernel.symbolTable());
  auto arrays = recoverArrays(kernel, *accesses, linearize);
  if (failed(arrays))
    return failure();
  auto imported = emitProgram(kernel, *box, linearize, *arrays);
  if (failed(imported))
    return failure();
  return settle(std::move(*imported));
}
