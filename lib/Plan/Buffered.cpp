// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells values in L1 from values in Dst.

#include "Buffered.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/ADT/MapVector.h"
#include <map>

using namespace mlir;

namespace drawloom::plan {

Value bare(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    bool reshapes = isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
    if (!reshapes && !isa<arith::ExtFOp, arith::TruncFOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

std::optional<double> splatOf(Value value) {
  value = bare(value);
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return splatOf(fill.getInputs()[0]);
  if (auto splat = value.getDefiningOp<tensor::SplatOp>())
    return splatOf(splat.getInput());
  if (auto repeat = value.getDefiningOp<linalg::BroadcastOp>())
    return splatOf(repeat.getInput());
  APFloat number(0.0);
  APInt integer;
  if (matchPattern(value, m_ConstantInt(&integer)))
    return integer.getSExtValue();
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return std::nullopt;
  bool lost;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return number.convertToDouble();
}

int64_t tilesOf(RankedTensorType type, bool flat) {
  ArrayRef<int64_t> shape = type.getShape();
  if (flat && shape.size() < 2)
    return llvm::divideCeil(type.getNumElements(), kTileElements);
  int64_t tiles = 1;
  for (auto [dim, size] : llvm::enumerate(shape))
    tiles *= dim + 2 >= shape.size() ? llvm::divideCeil(size, kTileSide) : size;
  return tiles;
}

std::optional<Format> bufferFormatOf(Type element) {
  if (element.isInteger(1))
    return Format::BF16;
  if (element.isInteger() && element.getIntOrFloatBitWidth() <= 64)
    return Format::I32;
  return tile::formatOf(element);
}

Buffered::Buffered(tile::GridOp grid) : forms(grid) {
  grid.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    visit(op);
    return isa<linalg::LinalgOp, tile::ScanOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  // What a loop carries has one buffer, inside and after it.
  grid.getBody().walk([&](scf::ForOp loop) {
    for (auto [inside, after] : llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
      for (auto *asked : {&matrix, &lanes})
        if (asked->contains(inside) || asked->contains(after))
          asked->insert(inside), asked->insert(after);
  });
}

void Buffered::keep(Value value, bool byMatrixUnit) {
  if (!isa<RankedTensorType>(value.getType()) || splatOf(value))
    return;
  kept.insert(bare(value));
  (byMatrixUnit ? matrix : lanes).insert(bare(value));
}

void Buffered::use(Value value, Operation *user) {
  value = bare(value);
  if (!isa<RankedTensorType>(value.getType()) || splatOf(value))
    return;
  lanes.insert(value);
  Operation *first = userOf.try_emplace(value, user).first->second;
  Operation *op = value.getDefiningOp();
  if (!op || first != user || op->getBlock() != user->getBlock())
    kept.insert(value);
}

void Buffered::visit(Operation *op) {
  if (isa<arith::ExtFOp, arith::TruncFOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return;
  if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op)) {
    for (unsigned position : {0u, 1u}) {
      Value operand = op->getOperand(position);
      // The unpacker transposes the right operand on its way.
      if (auto transpose = bare(operand).getDefiningOp<linalg::TransposeOp>(); transpose && position == 1)
        operand = transpose.getInput();
      // What is rounded is copied lane by lane.
      bool rounded = getElementTypeOrSelf(operand).isBF16() && !getElementTypeOrSelf(bare(operand)).isBF16();
      keep(operand, !rounded);
      if (rounded)
        narrowed.insert(bare(operand));
    }
    return use(op->getOperand(2), op);
  }
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op)) {
    for (Value input : reduce.getInputs())
      keep(input);
    return;
  }
  if (auto repeat = dyn_cast<linalg::BroadcastOp>(op))
    return keep(repeat.getInput(), false);
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    bool isOperand = llvm::all_of(op->getUsers(), [&](Operation *user) {
      return isa<linalg::MatmulOp, linalg::BatchMatmulOp>(user) && user->getOperand(0) != op->getResult(0);
    });
    if (!isOperand)
      keep(transpose.getInput(), false);
    return;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return keep(slice.getSource(), false);
  if (auto scan = dyn_cast<tile::ScanOp>(op)) {
    for (Value tile : scan.getTiles())
      keep(tile);
    kept.insert(scan.getResults().begin(), scan.getResults().end());
    return;
  }
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    kept.insert(load.getTile());
    if (load.getLookup())
      keep(load.getLookup());
    return;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    for (Value carried : loop.getRegionIterArgs())
      kept.insert(carried);
  if (isa<scf::ForOp, scf::IfOp>(op))
    kept.insert(op->result_begin(), op->result_end());
  for (Value operand : op->getOperands())
    use(operand, op);
}

//===-- Buffers -------------------------------------------------------------//

namespace {

/// Hands out buffers as the lowering does: those of a closed scope again.
class ResidentMaker {
public:
  explicit ResidentMaker(const Buffered &buffered) : buffered(buffered) {}
  void block(Block &block);
  std::vector<Resident> residents;

private:
  using Key = std::array<int64_t, 3>; ///< tiles, copies, bytes
  void operation(Operation &op);
  Operation *lastUse(Value value, Block &block) const;
  void take(Value value, StringRef name, int64_t copies, std::optional<Format> format = {});

  const Buffered &buffered;
  std::map<Key, int64_t> free;
  /// Of each open block: what is given back behind an operation, or at its end.
  std::vector<llvm::MapVector<Operation *, std::vector<Key>>> scopes;
};

} // namespace

void ResidentMaker::take(Value value, StringRef name, int64_t copies, std::optional<Format> format) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return;
  if (!format)
    format = bufferFormatOf(type.getElementType());
  Key key{buffered.formOf(value).tiles(), copies, tileBytes(format.value_or(Format::FP32))};
  Operation *last = value.getDefiningOp() ? lastUse(value, *value.getDefiningOp()->getBlock()) : nullptr;
  scopes.back()[last].push_back(key);
  if (int64_t &spare = free[key]; spare > 0) {
    --spare;
    return;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << name << " (";
  llvm::interleave(type.getShape(), os, "x");
  os << (type.getRank() ? "x" : "") << type.getElementType() << ")";
  residents.push_back({text, key[0], key[1], key[2]});
}

void ResidentMaker::operation(Operation &op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    for (Value carried : loop.getRegionIterArgs())
      take(carried, "carried", 2);
  if (isa<scf::IfOp>(op))
    for (Value result : op.getResults())
      take(result, "chosen", 1);
  if (isa<scf::ForOp, scf::IfOp>(op)) {
    for (Region &region : op.getRegions())
      if (!region.empty())
        block(region.front());
    return;
  }
  for (Value result : op.getResults()) {
    if (buffered.contains(result) && !isa<tile::LoadOp>(op))
      take(result, op.getName().stripDialect(), 1);
    if (buffered.isNarrowed(result))
      take(result, "narrowed", 1, Format::BF16);
  }
}

/// The last operation of the block that reads the value's tiles: its user, or
/// the one that computes what the user is a part of.
Operation *ResidentMaker::lastUse(Value value, Block &block) const {
  Operation *last = value.getDefiningOp();
  for (Operation *user : value.getUsers()) {
    Operation *here = block.findAncestorOpInBlock(*user);
    if (!here)
      return nullptr;
    for (Value result : here->getResults())
      if (here == user && !buffered.contains(result)) {
        here = lastUse(result, block);
        if (!here)
          return nullptr;
      }
    if (!last || last->isBeforeInBlock(here))
      last = here;
  }
  return last;
}

void ResidentMaker::block(Block &body) {
  scopes.emplace_back();
  auto release = [&](Operation *behind) {
    for (const Key &key : scopes.back().lookup(behind))
      ++free[key];
  };
  for (Operation &op : body) {
    operation(op);
    release(&op);
  }
  release(nullptr);
  scopes.pop_back();
}

std::vector<Resident> residentsOf(tile::GridOp grid, const Buffered &buffered) {
  ResidentMaker maker(buffered);
  maker.block(grid.getBody().front());
  return std::move(maker.residents);
}

} // namespace drawloom::plan
