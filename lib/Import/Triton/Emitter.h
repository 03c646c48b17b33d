// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of writing a tile program, shared by the parts that write it.

#ifndef DRAWLOOM_IMPORT_TRITON_EMITTER_H
#define DRAWLOOM_IMPORT_TRITON_EMITTER_H

#include "Emit.h"
#include "LaneMoves.h"
#include "drawloom/Tile/Tile.h"
#include "mlir/IR/Builders.h"

namespace drawloom::tt {

/// Tiles become tensors of their shape, scalars that are data become tensors of
/// rank 0. Indices, masks and pointers vanish into accesses.
class Emitter {
public:
  Emitter(const Kernel &kernel, const GridBox &box, const Linearizer &linearize,
          const Arrays &arrays);
  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> run();

private:
  using Type = mlir::Type;
  using Value = mlir::Value;
  using Operation = mlir::Operation;
  using LogicalResult = mlir::LogicalResult;

  // Emit.cpp: the program, its loops and accesses.
  void addArrays();
  void addGrid();
  LogicalResult emit(mlir::Block &block);
  LogicalResult emit(Operation *op);
  LogicalResult emitLoop(mlir::scf::ForOp loop);
  LogicalResult emitBranch(mlir::scf::IfOp branch);
  LogicalResult emitLoad(Operation *op);
  LogicalResult emitStore(Operation *op, Value value);

  /// Indices that forms use, as operands; their place among the variables.
  struct Indices {
    llvm::SmallVector<Value> operands;
    llvm::SmallVector<unsigned> variables;
  };
  Indices indicesOf(llvm::ArrayRef<const std::vector<Linear> *> forms);
  mlir::AffineExpr affine(const Linear &form, const Indices &indices,
                          llvm::ArrayRef<int64_t> lanes);
  mlir::IntegerSet setOf(llvm::ArrayRef<Linear> forms, const Indices &indices,
                         llvm::ArrayRef<int64_t> lanes);
  Value variable(unsigned number);

  // EmitCompute.cpp: what a program computes on tiles.
  LogicalResult emitCompute(Operation *op);
  LogicalResult
  emitElementwise(Operation *op, llvm::StringRef name,
                  mlir::ValueRange operands,
                  llvm::ArrayRef<mlir::NamedAttribute> attributes);
  Value buildThin(Operation *op, llvm::StringRef name,
                  mlir::ValueRange operands,
                  llvm::ArrayRef<mlir::NamedAttribute> attributes);
  LogicalResult emitDot(DotOp op);
  LogicalResult emitMulhi(MulhiUIOp op);
  LogicalResult emitSelect(Operation *op);
  LogicalResult emitCast(FpToFpOp op);
  LogicalResult emitClamp(ClampFOp op);
  LogicalResult emitExtern(ExternElementwiseOp op);
  bool accumulates(Operation *op);

  // EmitShapes.cpp: axes of tiles.
  LogicalResult emitBroadcast(Operation *op);
  LogicalResult emitExpandDims(ExpandDimsOp op);
  LogicalResult emitReshape(ReshapeOp op);
  LogicalResult emitTrans(TransOp op);
  LogicalResult emitSplit(SplitOp op);
  LogicalResult emitJoin(JoinOp op);
  LogicalResult emitCat(CatOp op);
  Value join(Value first, Value second, mlir::Location loc);

  // EmitAcross.cpp: what combines the lanes of an axis.
  LogicalResult emitReduce(ReduceOp op);
  LogicalResult emitScan(ScanOp op);
  Value reduceAxis(Value tile, int64_t axis, mlir::TypedAttr identity,
                   llvm::StringRef combiner, mlir::Location loc);
  LogicalResult cloneCombiner(Operation *op, mlir::Block &from,
                              mlir::ValueRange arguments,
                              llvm::SmallVectorImpl<Value> &results);

  /// The tensor a value of the kernel has become; null, with an error at
  /// `user`, for an index that differs between programs or lanes.
  Value data(Value value, Operation *user);
  mlir::FailureOr<llvm::SmallVector<Value>> dataOperands(Operation *op);
  Value masked(Value tile, const Condition &condition, mlir::TypedAttr other,
               mlir::Location loc);
  Value constant(mlir::TypedAttr value, llvm::ArrayRef<int64_t> shape,
                 mlir::Location loc);
  /// The one constant of that value, at the top of the grid's body.
  Value shared(mlir::TypedAttr value, mlir::Location loc);
  Value empty(mlir::RankedTensorType type, mlir::Location loc);
  Value index(int64_t value, mlir::Location loc);
  mlir::RankedTensorType tensorOf(Type type);
  mlir::Location at(Operation *op);
  /// Builds an operation, folding it where all its operands are constants.
  llvm::SmallVector<Value> build(const mlir::OperationState &state);

  const Kernel &kernel;
  const GridBox &box;
  const Linearizer &linearize;
  const Arrays &arrays;
  mlir::OpBuilder builder;
  LaneMoves moves;
  llvm::DenseMap<Value, Value> tiles;
  llvm::DenseMap<Operation *, const ArrayAccess *> accesses;
  llvm::SmallVector<Value> views;
  tile::ProgramOp program;
  tile::GridOp grid;
  llvm::DenseMap<unsigned, Value> loopIndices;
  llvm::DenseMap<mlir::Attribute, Value> constants;
  bool warnedPrecision = false;
};

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_EMITTER_H
