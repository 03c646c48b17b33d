// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders an expression into operations on Dst tiles.
//
// Functions work in place, so an operand that is still needed is moved first;
// a buffered tile is copied to Dst anew for each use, which costs no Dst tile
// between its uses.

#include "Expression.h"

using namespace drawloom::task;

namespace {

class StepMaker {
public:
  StepMaker(const Expression &expression, llvm::function_ref<bool(const Node &)> inMatrixUnit)
      : expression(expression), inMatrixUnit(inMatrixUnit) {
    for (const Node &node : expression.nodes)
      remaining.push_back(node.uses);
    place.assign(expression.nodes.size(), kNowhere);
  }
  Steps make();

private:
  static constexpr int kNowhere = -2;
  int evaluate(int node);
  /// The tile that holds `node`, evaluated at its first call.
  int ensure(int node);
  /// Counts one use; true when nothing needs the value after it.
  bool use(int node);
  /// The value of `node`, used once more, in a tile that may be overwritten.
  int consume(int node);
  int take();
  void release(int tile);
  bool isMatrixUnit(const Node &node) const;

  const Expression &expression;
  llvm::function_ref<bool(const Node &)> inMatrixUnit;
  llvm::SmallVector<unsigned> remaining;
  llvm::SmallVector<int> place;
  llvm::SmallVector<int> freeTiles;
  Steps result;
};

} // namespace

int StepMaker::take() {
  if (freeTiles.empty())
    return result.temporaries++;
  return freeTiles.pop_back_val();
}

void StepMaker::release(int tile) {
  if (tile != kAccumulator)
    freeTiles.push_back(tile);
}

int StepMaker::ensure(int index) {
  if (expression.nodes[index].kind == Node::Tile)
    return evaluate(index);
  if (place[index] == kNowhere)
    place[index] = evaluate(index);
  return place[index];
}

bool StepMaker::use(int index) {
  return expression.nodes[index].kind == Node::Tile || --remaining[index] == 0;
}

int StepMaker::consume(int index) {
  int tile = ensure(index);
  if (use(index))
    return tile;
  int copy = take();
  result.steps.push_back({Step::Move, index, copy, tile, tile});
  return copy;
}

bool StepMaker::isMatrixUnit(const Node &node) const {
  if (node.kind != Node::Binary ||
      (node.function != "add" && node.function != "sub" && node.function != "mul"))
    return false;
  // A product adds to what a tile of Dst holds. Behind a matrix product the
  // temporaries are used again for every tile of its result.
  if (node.function == "mul" && expression.usesAccumulator())
    return false;
  const Node &lhs = expression.nodes[node.lhs], &rhs = expression.nodes[node.rhs];
  return lhs.kind == Node::Tile && rhs.kind == Node::Tile && !lhs.broadcast && !lhs.transposed &&
         !rhs.transposed && inMatrixUnit(lhs) && inMatrixUnit(rhs);
}

int StepMaker::evaluate(int index) {
  const Node &node = expression.nodes[index];
  switch (node.kind) {
  case Node::Accumulator:
    return kAccumulator;
  case Node::Tile: {
    int tile = take();
    result.steps.push_back({Step::Copy, index, tile});
    return tile;
  }
  case Node::Unary:
  case Node::Scalar: {
    int tile = consume(node.lhs);
    result.steps.push_back(
        {node.kind == Node::Unary ? Step::Unary : Step::Scalar, index, tile});
    return tile;
  }
  case Node::Binary:
    break;
  }
  if (isMatrixUnit(node)) {
    int tile = node.function == "mul" ? result.temporaries++ : take();
    result.steps.push_back({Step::Fpu, index, tile});
    return tile;
  }
  // Both first, so that making one does not overwrite the other.
  int lhs = ensure(node.lhs), rhs = ensure(node.rhs);
  bool lhsDies = use(node.lhs), rhsDies = use(node.rhs);
  // One value used twice dies at its second use.
  bool same = lhs == rhs;
  int into = rhsDies && (same || !lhsDies) ? rhs : lhsDies ? lhs : take();
  result.steps.push_back({Step::Binary, index, into, lhs, rhs});
  if (!same && lhsDies && rhsDies)
    release(rhs);
  return into;
}

Steps StepMaker::make() {
  result.result = evaluate(expression.root);
  if (expression.usesAccumulator() && result.result != kAccumulator) {
    result.steps.push_back({Step::Move, expression.root, kAccumulator, result.result, result.result});
    result.result = kAccumulator;
  }
  return std::move(result);
}

Steps drawloom::task::stepsOf(const Expression &expression,
                              llvm::function_ref<bool(const Node &)> inMatrixUnit) {
  return StepMaker(expression, inMatrixUnit).make();
}
