// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which values are kept in buffers.
//
// A value is kept when something reads it other than lane by lane, when it is
// used more than once or in another loop, and when a formula would not fit in
// Dst without.

#include "Demands.h"

#include "../Expression.h"
#include "Heads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::task;

Value drawloom::task::productOperand(Operation *product, unsigned operand, bool &transposed) {
  Value value = product->getOperand(operand);
  transposed = false;
  if (operand == 1)
    if (auto transpose = bare(value).getDefiningOp<linalg::TransposeOp>();
        transpose && exchangesRowsAndColumns(transpose)) {
      transposed = true;
      value = transpose.getInput();
    }
  return value;
}

static bool isProduct(Operation *op) { return isa_and_nonnull<linalg::MatmulOp, linalg::BatchMatmulOp>(op); }

SmallVector<Operation *> drawloom::task::chainOf(Operation *last) {
  SmallVector<Operation *> chain{last};
  while (true) {
    Value start = chain.back()->getOperand(2);
    Operation *before = start.getDefiningOp();
    if (!isProduct(before) || !start.hasOneUse() || before->getBlock() != last->getBlock())
      break;
    chain.push_back(before);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

Demands::Demands(tile::GridOp grid, const Schedule &schedule, const Forms &forms, ExactOps exact, int64_t dstTiles)
    : grid(grid), schedule(schedule), forms(forms), dstTiles(dstTiles), exact(std::move(exact)) {}

bool Demands::isReducedByVectorUnit(linalg::ReduceOp op) const {
  return getElementTypeOrSelf(op.getInputs()[0]).isInteger(32) || countsTiles(op) || exact.contains(op);
}

static bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

void Demands::need(Value value, bool byMatrixUnit) {
  bool narrow = byMatrixUnit && getElementTypeOrSelf(value).isBF16();
  value = bare(value);
  if (splatOf(value) && !byMatrixUnit)
    return;
  buffered.insert(value);
  bool rounded = narrow && !getElementTypeOrSelf(value).isBF16();
  (rounded ? narrowed : wide).insert(value);
  // What is rounded is copied lane by lane.
  (byMatrixUnit && !rounded ? matrix : lanes).insert(value);
}

/// Lane by lane: a second user, or one in another block, asks for a buffer. Parts
/// of a buffered value are read there as often as they are used.
void Demands::use(Value value, Operation *user) {
  value = bare(value);
  if (!isTile(value) || splatOf(value))
    return;
  wide.insert(value);
  lanes.insert(value);
  auto &all = users[value];
  all.insert(user);
  Operation *op = value.getDefiningOp();
  bool isRead = isa_and_nonnull<tensor::ExtractSliceOp>(op);
  if (!op || (all.size() > 1 && !isRead) || op->getBlock() != user->getBlock())
    buffered.insert(value);
}

/// What a loop carries lies in a buffer.
void Demands::visit(scf::ForOp loop) {
  for (auto [init, arg, result] : llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults())) {
    if (!isTile(arg))
      continue; // a number
    buffered.insert(arg);
    buffered.insert(result);
    use(init, loop);
  }
}

void Demands::visitProduct(Operation *op) {
  for (unsigned operand : {0u, 1u}) {
    bool transposed;
    need(productOperand(op, operand, transposed), true);
  }
  // What only the next product of a chain takes never leaves Dst.
  if (chainOf(op).size() == 1)
    use(op->getOperand(2), op);
}

/// The unpacker transposes what only products take, as their right operand.
void Demands::visit(linalg::TransposeOp transpose) {
  bool onlyProducts = llvm::all_of(transpose->getUsers(), [&](Operation *user) {
    bool transposed = false;
    if (isProduct(user))
      productOperand(user, 1, transposed);
    return transposed && user->getOperand(0) != transpose->getResult(0);
  });
  if (!onlyProducts)
    need(transpose.getInput(), false);
}

void Demands::visit(Operation *op) {
  if (isa<arith::ExtFOp, arith::TruncFOp>(op) || op == grid)
    return;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visit(loop);
  if (isa<tile::LoadOp, scf::IfOp>(op)) {
    for (Value result : op->getResults())
      if (isTile(result)) // others are numbers
        buffered.insert(result);
    return;
  }
  if (isProduct(op))
    return visitProduct(op);
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op)) {
    for (Value input : reduce.getInputs())
      need(input, !isReducedByVectorUnit(reduce));
    return;
  }
  if (auto scan = dyn_cast<tile::ScanOp>(op)) {
    for (Value input : scan.getTiles())
      need(input, true);
    return;
  }
  if (isa<tile::ReadOp>(op))
    return;
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return use(store.getTile(), op);
  if (auto repeat = dyn_cast<linalg::BroadcastOp>(op)) {
    if (!splatOf(repeat.getInput()))
      need(repeat.getInput(), false);
    return;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return need(slice.getSource(), false);
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return visit(transpose);
  for (Value operand : op->getOperands())
    use(operand, op);
}

FailureOr<Formula> Demands::formulaOf(Value value, SmallVectorImpl<Operation *> &heads) const {
  auto isKept = [&](Value v) { return buffered.contains(v); };
  return task::formulaOf(value, FormulaContext{schedule, forms, isKept}, heads);
}

FailureOr<Formula> Demands::definitionOf(Value value, SmallVectorImpl<Operation *> &heads) const {
  auto isKept = [&](Value v) { return v != value && buffered.contains(v); };
  return task::formulaOf(value, FormulaContext{schedule, forms, isKept}, heads);
}

bool Demands::needsAllBits(Value value) const {
  return (lanes.contains(value) || !matrix.contains(value)) && !fitsNarrow(value);
}

/// Lane by lane the matrix unit works on what its operand registers hold: other
/// numbers are left to the vector unit.
Actions Demands::actionsOf(const Formula &formula) const {
  auto feeds = [&](const Term &term) {
    return !term.integer && fitsNarrow(term.value) && !isOnlyNarrowed(term.value);
  };
  return task::actionsOf(
      formula, [&](const Term &first, const Term &second) { return feeds(first) && feeds(second); });
}

/// Keeps one operand of the formula in a buffer: the larger of the first two
/// that are both computed.
bool Demands::spill(const Formula &formula) {
  auto isComputed = [&](int index) {
    const Term &term = formula.terms[index];
    return term.kind != Term::Tile && term.kind != Term::Fill && term.kind != Term::Lanes && term.value;
  };
  SmallVector<int> sizes;
  for (const Term &term : formula.terms) {
    int size = 1;
    for (int operand : term.operands)
      size += operand >= 0 ? sizes[operand] : 0;
    sizes.push_back(size);
  }
  int at = formula.root;
  Value deepest; // of those on the way that the source names
  while (true) {
    SmallVector<int> computed;
    for (int operand : formula.terms[at].operands)
      if (operand >= 0 && isComputed(operand))
        computed.push_back(operand);
    if (computed.empty())
      return deepest && buffered.insert(deepest).second;
    llvm::sort(computed, [&](int a, int b) { return sizes[a] > sizes[b]; });
    Value value = formula.terms[computed[0]].value;
    if (computed.size() > 1 || !formula.terms[at].operands[1]) {
      if (buffered.insert(value).second)
        return true;
    }
    if (computed.size() == 1 && formula.terms[computed[0]].operands[0] < 0)
      return buffered.insert(value).second;
    deepest = value;
    at = computed[0];
  }
}

/// Buffers a formula may read: all it reads wait for it, and a core has few.
static constexpr size_t kMostOperands = 10;

static size_t operandsOf(const Formula &formula) {
  llvm::SmallPtrSet<Value, 16> operands;
  for (const Term &term : formula.terms)
    if (term.kind == Term::Tile)
      operands.insert(term.value);
  return operands.size();
}

/// Whether a formula can be computed as it is; keeps a part of it if not.
FailureOr<bool> Demands::check(Value value, bool isDefinition) {
  SmallVector<Operation *> heads;
  auto formula = isDefinition ? definitionOf(value, heads) : formulaOf(value, heads);
  if (failed(formula))
    return failure();
  // One head a formula, and of its own form.
  for (auto [index, head] : llvm::enumerate(heads)) {
    bool sameForm = forms.of(head->getResult(0)) == forms.of(bare(value));
    if (index + 1 < heads.size() || (!sameForm && head->getResult(0) != value)) {
      buffered.insert(head->getResult(0));
      wide.insert(head->getResult(0));
      return false;
    }
  }
  if (operandsOf(*formula) > kMostOperands && spill(*formula))
    return false;
  int64_t needed = actionsOf(*formula).temporaries + (formula->head ? 1 : 0);
  if (needed <= dstTiles)
    return true;
  if (spill(*formula))
    return false;
  return emitError(value.getLoc(), "needs ")
         << needed << " tiles of Dst at once, of " << dstTiles << ": split the expression";
}

/// What a loop carries has one buffer, inside and after it.
void Demands::unifyCarried() {
  grid.getBody().walk([&](scf::ForOp loop) {
    for (auto [arg, result] : llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
      for (auto *asked : {&matrix, &lanes})
        if (asked->contains(arg) || asked->contains(result))
          asked->insert(arg), asked->insert(result);
  });
}

LogicalResult Demands::settle() {
  grid.getBody().walk([&](Operation *op) { visit(op); });
  unifyCarried();
  for (bool changed = true; changed;) {
    changed = false;
    SmallVector<std::pair<Value, bool>> roots;
    SmallVector<Value> starts; // of products, in whose Dst tiles no other head fits
    grid.getBody().walk([&](Operation *op) {
      if (auto store = dyn_cast<tile::StoreOp>(op))
        roots.push_back({store.getTile(), false});
      if (auto yield = dyn_cast<scf::YieldOp>(op))
        for (Value value : yield.getOperands())
          if (isTile(value))
            roots.push_back({value, false});
      if (auto loop = dyn_cast<scf::ForOp>(op))
        for (Value value : loop.getInitArgs())
          if (isTile(value))
            roots.push_back({value, false});
      bool startsChain = isProduct(op) && chainOf(op).size() == 1;
      if (startsChain && !splatOf(op->getOperand(2)))
        starts.push_back(op->getOperand(2));
      for (Value result : op->getResults())
        if (buffered.contains(result) && !isa<tile::LoadOp, scf::ForOp, scf::IfOp>(op))
          roots.push_back({result, true});
    });
    for (Value value : starts) {
      SmallVector<Operation *> heads;
      if (failed(formulaOf(value, heads)))
        return failure();
      for (Operation *head : heads)
        changed |= buffered.insert(head->getResult(0)).second, wide.insert(head->getResult(0));
      roots.push_back({value, false});
    }
    for (auto [value, isDefinition] : roots) {
      auto fits = check(value, isDefinition);
      if (failed(fits))
        return failure();
      changed |= !*fits;
    }
  }
  return success();
}
