// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index and truth values of a kernel as C++ expressions of int32_t and bool.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_SCALARS_H
#define DRAWLOOM_LIB_TARGET_METALIUM_SCALARS_H

#include "Helpers.h"
#include "Names.h"

namespace drawloom::metalium {

/// How tightly an expression's outermost operator binds, the tightest first.
enum class Binding { Atom, Product, Sum, Comparison, Logic, Choice };

struct Expression {
  std::string text;
  Binding binding = Binding::Atom;
  /// The text, in parentheses if it binds less tightly than `limit`.
  std::string within(Binding limit) const;
};

/// Whether `op` computes a scalar that `Scalars` can print.
bool isScalarOperation(mlir::Operation *op);

/// Prints the scalars of one kernel. Values have the name they were given, or
/// else are printed where they are used.
class Scalars {
public:
  explicit Scalars(HelperSet &helpers) : helpers(helpers) {}

  void name(mlir::Value value, std::string name) {
    names[value] = std::move(name);
  }
  /// The value where it is used: its name, or the expression that computes it.
  Expression use(mlir::Value value);
  std::string text(mlir::Value value) { return use(value).text; }
  /// The expression that computes the value, whether it has a name or not.
  Expression compute(mlir::Value value);

private:
  Expression affine(mlir::AffineExpr expr, mlir::AffineMap map,
                    mlir::ValueRange operands);
  Expression sum(mlir::AffineExpr expr, mlir::AffineMap map,
                 mlir::ValueRange operands);
  Expression extremum(mlir::AffineMap map, mlir::ValueRange operands,
                      Helper helper);
  Expression binary(mlir::Operation *op, llvm::StringRef sign, Binding binding);
  Expression exclusiveOr(mlir::Operation *op);
  Expression call(Helper helper, const Expression &lhs, const Expression &rhs);

  HelperSet &helpers;
  llvm::DenseMap<mlir::Value, std::string> names;
};

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_SCALARS_H
