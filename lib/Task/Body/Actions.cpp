// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders a formula into operations on Dst tiles.
//
// Functions work in place, so an operand that is still needed is moved first;
// a buffered tile is copied to Dst anew for each use, which costs no Dst tile
// between its uses.

#include "Formula.h"

using namespace drawloom::task;

namespace {

class ActionMaker {
public:
  ActionMaker(const Formula &formula, llvm::function_ref<bool(const Term &, const Term &)> inMatrixUnit)
      : formula(formula), inMatrixUnit(inMatrixUnit) {
    for (const Term &term : formula.terms)
      remaining.push_back(term.uses);
    place.assign(formula.terms.size(), kNowhere);
  }
  Actions make();

private:
  static constexpr int kNowhere = -2;
  int evaluate(int index);
  int combine(int index);
  /// The tile that holds a term, evaluated at its first call.
  int ensure(int index);
  /// Counts one use; true when nothing needs the value after it.
  bool use(int index);
  /// The term's value, used once more, in a tile that may be overwritten.
  int consume(int index);
  int take();
  void release(int tile);
  bool isAnew(int index) const {
    Term::Kind kind = formula.terms[index].kind;
    return kind == Term::Tile || kind == Term::Fill || kind == Term::Lanes;
  }
  bool isMatrixUnit(const Term &term) const;

  const Formula &formula;
  llvm::function_ref<bool(const Term &, const Term &)> inMatrixUnit;
  llvm::SmallVector<unsigned> remaining;
  llvm::SmallVector<int> place, freeTiles;
  Actions result;
};

} // namespace

int ActionMaker::take() { return freeTiles.empty() ? result.temporaries++ : freeTiles.pop_back_val(); }

void ActionMaker::release(int tile) {
  if (tile != kHeadTile)
    freeTiles.push_back(tile);
}

int ActionMaker::ensure(int index) {
  if (isAnew(index))
    return evaluate(index);
  if (place[index] == kNowhere)
    place[index] = evaluate(index);
  return place[index];
}

bool ActionMaker::use(int index) { return isAnew(index) || --remaining[index] == 0; }

int ActionMaker::consume(int index) {
  int tile = ensure(index);
  if (use(index))
    return tile;
  int copy = take();
  result.list.push_back({Action::Move, index, copy, tile, tile});
  return copy;
}

bool ActionMaker::isMatrixUnit(const Term &term) const {
  if (term.kind != Term::Binary || term.integer ||
      (term.function != "add" && term.function != "sub" && term.function != "mul"))
    return false;
  const Term &lhs = formula.terms[term.operands[0]], &rhs = formula.terms[term.operands[1]];
  if (lhs.kind != Term::Tile || rhs.kind != Term::Tile)
    return false;
  // After a matrix product several tiles go through the same one in turn.
  if (term.function == "mul" && formula.isAfterProduct())
    return false;
  // Only the second operand is repeated.
  if (lhs.broadcast)
    return !rhs.broadcast && term.function != "sub" && inMatrixUnit(rhs, lhs);
  return inMatrixUnit(lhs, rhs);
}

int ActionMaker::combine(int index) {
  const Term &term = formula.terms[index];
  // All operands first, so that making one does not overwrite another.
  llvm::SmallVector<int> tiles, dying;
  for (int operand : term.operands)
    if (operand >= 0)
      tiles.push_back(ensure(operand));
  for (auto [position, operand] : llvm::enumerate(llvm::ArrayRef(term.operands).take_front(tiles.size())))
    if (use(operand) && !llvm::is_contained(dying, tiles[position]))
      dying.push_back(tiles[position]);
  // The head's tile first: its results are wanted there.
  llvm::sort(dying);
  int into = dying.empty() ? take() : dying.front();
  Action action{term.kind == Term::Select ? Action::Select : Action::Binary, index, into, tiles[0], tiles[1]};
  if (tiles.size() > 2)
    action.c = tiles[2];
  result.list.push_back(action);
  for (int tile : dying)
    if (tile != into)
      release(tile);
  return into;
}

int ActionMaker::evaluate(int index) {
  const Term &term = formula.terms[index];
  switch (term.kind) {
  case Term::Head:
    return kHeadTile;
  case Term::Tile:
  case Term::Fill: {
    int tile = take();
    result.list.push_back({term.kind == Term::Tile ? Action::Copy : Action::Fill, index, tile});
    return tile;
  }
  case Term::Lanes:
  case Term::Mask: {
    int tile = term.kind == Term::Mask ? consume(term.operands[0]) : take();
    int first = take(), second = take();
    result.list.push_back({term.kind == Term::Mask ? Action::Mask : Action::Lanes, index, tile, first, second});
    release(first), release(second);
    return tile;
  }
  case Term::Unary:
  case Term::Scalar: {
    int tile = consume(term.operands[0]);
    result.list.push_back({term.kind == Term::Unary ? Action::Unary : Action::Scalar, index, tile});
    return tile;
  }
  case Term::Binary:
  case Term::Select:
    break;
  }
  if (!isMatrixUnit(term))
    return combine(index);
  // A product is added to what its tile holds, which must be nothing.
  int tile = term.function == "mul" ? result.temporaries++ : take();
  result.list.push_back({Action::Fpu, index, tile});
  return tile;
}

Actions ActionMaker::make() {
  result.result = ensure(formula.root);
  return std::move(result);
}

Actions drawloom::task::actionsOf(const Formula &formula,
                                  llvm::function_ref<bool(const Term &, const Term &)> inMatrixUnit) {
  return ActionMaker(formula, inMatrixUnit).make();
}
