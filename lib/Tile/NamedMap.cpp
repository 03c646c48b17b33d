// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints affine maps and sets with the names of their indices.

#include "drawloom/Tile/NamedMap.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace mlir;

namespace drawloom::tile {
namespace {

/// Prints one expression; parentheses only where precedence asks for them.
class ExprPrinter {
public:
  ExprPrinter(llvm::raw_ostream &os, ArrayRef<std::string> names)
      : os(os), names(names) {}

  void print(AffineExpr expr, bool nested = false) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      os << constant.getValue();
      return;
    }
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      os << names[dim.getPosition()];
      return;
    }
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
      os << "s" << symbol.getPosition();
      return;
    }
    auto binary = cast<AffineBinaryOpExpr>(expr);
    if (nested)
      os << "(";
    printBinary(binary);
    if (nested)
      os << ")";
  }

private:
  void printBinary(AffineBinaryOpExpr expr) {
    if (expr.getKind() == AffineExprKind::Add)
      return printSum(expr);
    // People write the factor first.
    AffineExpr left = expr.getLHS(), right = expr.getRHS();
    if (expr.getKind() == AffineExprKind::Mul && isa<AffineConstantExpr>(right))
      std::swap(left, right);
    print(left, isa<AffineBinaryOpExpr>(left));
    os << " " << spelling(expr.getKind()) << " ";
    print(right, isa<AffineBinaryOpExpr>(right));
  }

  static void addTerms(AffineExpr expr, SmallVectorImpl<AffineExpr> &terms) {
    auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!sum || sum.getKind() != AffineExprKind::Add) {
      terms.push_back(expr);
      return;
    }
    addTerms(sum.getLHS(), terms);
    addTerms(sum.getRHS(), terms);
  }

  /// The constant factor of a term; 1 when it has none.
  static int64_t factorOf(AffineExpr term) {
    if (auto constant = dyn_cast<AffineConstantExpr>(term))
      return constant.getValue();
    auto product = dyn_cast<AffineBinaryOpExpr>(term);
    auto factor = product && product.getKind() == AffineExprKind::Mul
                      ? dyn_cast<AffineConstantExpr>(product.getRHS())
                      : AffineConstantExpr();
    return factor ? factor.getValue() : 1;
  }

  /// `999 - 128 * i - r`: begins with a positive term, if there is one.
  void printSum(AffineExpr sum) {
    SmallVector<AffineExpr> terms;
    addTerms(sum, terms);
    auto isPositive = [](AffineExpr term) { return factorOf(term) > 0; };
    auto first = llvm::find_if(terms, isPositive);
    if (first != terms.end())
      std::rotate(terms.begin(), first, first + 1);
    print(terms.front());
    for (AffineExpr term : llvm::drop_begin(terms)) {
      os << (isPositive(term) ? " + " : " - ");
      AffineExpr positive = isPositive(term) ? term : -term;
      print(positive, positive.getKind() == AffineExprKind::Add);
    }
  }

  static StringRef spelling(AffineExprKind kind) {
    switch (kind) {
    case AffineExprKind::Mul:
      return "*";
    case AffineExprKind::Mod:
      return "mod";
    case AffineExprKind::FloorDiv:
      return "floordiv";
    default:
      return "ceildiv";
    }
  }

  llvm::raw_ostream &os;
  ArrayRef<std::string> names;
};

} // namespace

SmallVector<std::string> accessNames(OpAsmPrinter &printer, ValueRange at,
                                     unsigned laneRank, bool looksUp) {
  SmallVector<std::string> names;
  llvm::StringSet<> taken;
  auto add = [&](std::string name) {
    while (!taken.insert(name).second)
      name += "_";
    names.push_back(name);
  };
  for (Value value : at) {
    std::string name;
    llvm::raw_string_ostream os(name);
    printer.printOperand(value, os);
    name.erase(0, 1); // the '%'
    if (name.empty() || isdigit(name.front())) // MLIR prints once without names
      name.insert(0, "v");
    std::replace_if(
        name.begin(), name.end(),
        [](char c) { return !isalnum(c) && c != '_'; }, '_');
    add(name);
  }
  if (looksUp)
    add("v");
  for (unsigned lane = 0; lane < laneRank; ++lane)
    add(laneRank == 1   ? std::string("l")
        : laneRank == 2 ? std::string(lane ? "c" : "r")
                        : llvm::formatv("l{0}", lane).str());
  return names;
}

void printMap(llvm::raw_ostream &os, AffineMap map,
              ArrayRef<std::string> names) {
  os << "affine_map<(";
  llvm::interleaveComma(names, os);
  os << ") -> (";
  llvm::interleaveComma(map.getResults(), os, [&](AffineExpr expr) {
    ExprPrinter(os, names).print(expr);
  });
  os << ")>";
}

void printSet(llvm::raw_ostream &os, IntegerSet set,
              ArrayRef<std::string> names) {
  os << "affine_set<(";
  llvm::interleaveComma(names, os);
  os << ") : (";
  for (unsigned i = 0; i < set.getNumConstraints(); ++i) {
    os << (i ? ", " : "");
    ExprPrinter(os, names).print(set.getConstraint(i));
    os << (set.isEq(i) ? " == 0" : " >= 0");
  }
  os << ")>";
}

} // namespace drawloom::tile
