// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of writing a tile program, shared by the parts that write it.

#ifndef DRAWLOOM_IMPORT_TRITON_EMITTER_H
#define DRAWLOOM_IMPORT_TRITON_EMITTER_H

#include "Emit.h"
#include "LaneMoves.h"
#include "drawloom/Tile/Tile.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include <set>

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

  // Emit.cpp: the program and its operations in order.
  void addArrays();
  void addGrid();
  LogicalResult emit(mlir::Block &block);
  LogicalResult emit(Operation *op);

  // EmitControl.cpp: loops, branches and early returns.
  LogicalResult emitFrom(mlir::Block *block);
  LogicalResult emitFork(mlir::cf::CondBranchOp op);
  LogicalResult emitLoop(mlir::scf::ForOp loop);
  LogicalResult emitBranch(mlir::scf::IfOp branch);
  LogicalResult emitVaryingBranch(mlir::scf::IfOp branch);

  /// Indices that forms use, as operands; their place among the variables; and
  /// the integers that a tile has for each lane of one axis.
  struct Indices {
    llvm::SmallVector<Value> operands;
    llvm::SmallVector<unsigned> variables;
    std::optional<unsigned> lookup;
    bool several = false; ///< lookups, which no access can have
    unsigned rank = 0;
    unsigned firstLane() const { return operands.size() + lookup.has_value(); }
  };

  // EmitAccess.cpp: loads, stores and updates.
  LogicalResult emitLoad(Operation *op);
  LogicalResult emitStore(Operation *op, Value value);
  LogicalResult emitUpdate(AtomicRMWOp op);
  mlir::FailureOr<Value> lookupOf(Operation *op, const Indices &indices,
                                  llvm::ArrayRef<int64_t> shape);
  Linear permuted(const Linear &form, llvm::ArrayRef<unsigned> order);
  Value readTile(Operation *op, llvm::ArrayRef<unsigned> order,
                 mlir::TypedAttr pad);
  LogicalResult writeTile(Operation *op, Value stored);
  Value choose(Operation *op, Value stored, Value old);
  bool tellsApart(const ArrayAccess &access, bool lanesOnly);
  void orderPrograms(const ArrayAccess &access);

  // EmitIndex.cpp: indices, conditions, and lane numbers as data.
  Value variable(unsigned number);
  void addVariables(const Linear &form, unsigned rank,
                    std::set<unsigned> &used);
  Indices indicesOf(llvm::ArrayRef<const std::vector<Linear> *> forms,
                    unsigned rank);
  mlir::AffineExpr affine(const Linear &form, const Indices &indices);
  mlir::AffineMap mapOf(llvm::ArrayRef<Linear> forms, const Indices &indices);
  /// Null when there are no forms.
  mlir::IntegerSetAttr setOf(llvm::ArrayRef<Linear> forms,
                             const Indices &indices);
  Value leastOf(std::vector<Linear> forms, mlir::Location loc);
  Value indexOf(Value value, Operation *user);
  LogicalResult emitSymbol(Operation *op);
  Value emitRead(Operation *op);
  /// The terms of a condition; nothing when one is not affine on the box.
  std::optional<std::vector<Linear>> formsOf(const Condition &condition) const;
  Value allOf(llvm::ArrayRef<Linear> forms, mlir::Location loc);
  Value truthOf(const Condition &condition, mlir::Location loc);
  Value truthOf(Value mask, Operation *user);
  /// Null where the index is not affine, or looked up.
  Value laneNumbers(const IndexExpr &expr, mlir::Location loc);

  // EmitCompute.cpp: what a program computes on tiles.
  LogicalResult emitCompute(Operation *op);
  bool onlyServesAsIndex(Operation *op);
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
  LogicalResult emitBitcast(Operation *op, Value source);
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

  // EmitValues.cpp: what the values of a kernel have become, and constants.
  /// Null, with an error at `user`, for an index that differs between programs
  /// or lanes.
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
  /// Integers of 64 bits have 32 in a tile.
  Type narrow(Type element);
  mlir::TypedAttr narrowed(mlir::TypedAttr value);
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
  /// The indices that stand for scalars which memory holds.
  llvm::DenseMap<Value, Value> symbols;
  llvm::DenseSet<Operation *> live;
  llvm::DenseMap<mlir::Attribute, Value> constants;
  bool warnedPrecision = false;
};

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_EMITTER_H
