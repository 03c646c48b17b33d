// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers of a kernel as affine expressions over programs, loops and lanes.

#ifndef DRAWLOOM_IMPORT_TRITON_INDEXEXPR_H
#define DRAWLOOM_IMPORT_TRITON_INDEXEXPR_H

#include "Column.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <string>
#include <variant>

namespace drawloom::tt {

/// Trip counts of the loops met so far, by loop number: the greatest over all
/// programs, or nothing for a value still being solved for.
using LoopExtents = std::vector<std::optional<int64_t>>;

struct Range {
  int64_t low, high;
};

struct IndexExpr;

/// An integer that is no affine function of programs, loops and lanes: one that
/// memory holds (or that was computed from such), or a quotient or remainder.
/// Its value is the same in every lane, or differs along one lane axis.
struct Symbol {
  /// The kernel's value; null for quotients and remainders.
  mlir::Value value;
  /// What is divided by `divisor`, its lanes on axis 0; null for a value.
  std::shared_ptr<const IndexExpr> inner;
  int64_t divisor = 1;
  bool isRemainder = false;
  /// Its values are in [0, extent); 0 when that is not known. An integer from
  /// memory that takes part in an address is not negative.
  int64_t extent = 0;
};

/// A symbol at a place: the lane axis it lies along; -1 when it has no lanes.
struct SymbolUse {
  unsigned number;
  int axis;
  auto operator<=>(const SymbolUse &) const = default;
};

struct SymbolTerm {
  int64_t factor;
  int64_t extent; ///< the symbol's
  bool operator==(const SymbolTerm &) const = default;
};

/// `factor * (inner mod modulus)` with `inner >= 0`: wrap-around that does not
/// vanish over the launch. A clamp is `inner` below the modulus and something
/// in range from there on.
struct Wrap {
  int64_t factor;
  std::shared_ptr<const IndexExpr> inner;
  int64_t modulus;
  bool clamps = false;
};

/// An integer, or one per lane of a tile of `shape`:
/// base[program] + sum loops[l] * iteration l + sum lanes[d] * lane d + wraps
/// + sum of symbols.
struct IndexExpr {
  Column base;
  std::map<unsigned, int64_t> loops;
  llvm::SmallVector<int64_t> lanes;
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<Wrap> wraps;
  std::map<SymbolUse, SymbolTerm> symbols;

  IndexExpr(Column base = 0, llvm::ArrayRef<int64_t> shape = {})
      : base(std::move(base)), lanes(shape.size(), 0), shape(shape) {}

  /// Whether it only depends on the program.
  bool isColumn() const;
  /// Whether it differs from lane to lane by a symbol.
  bool hasLaneSymbol() const;
  /// The value where it is the same in every program, iteration and lane.
  std::optional<int64_t> constant() const;
  bool operator==(const IndexExpr &other) const;
};

using MaybeIndex = std::optional<IndexExpr>;

/// Arithmetic; nothing on overflow of 64 bits or where the result is not
/// affine.
MaybeIndex add(const IndexExpr &a, const IndexExpr &b);
MaybeIndex subtract(const IndexExpr &a, const IndexExpr &b);
MaybeIndex scale(const IndexExpr &a, int64_t factor);
MaybeIndex multiply(const IndexExpr &a, const IndexExpr &b);

/// The values an expression takes over programs, iterations and lanes, each
/// varying freely; nothing when a loop's extent is still unknown.
std::optional<Range> rangeOf(const IndexExpr &a, const LoopExtents &loops);

/// Whether every value stays well inside 64 bits, so that sums and products of
/// a few of them cannot overflow. True of a value still being solved for and of
/// one that memory holds.
bool isModest(const IndexExpr &a, const LoopExtents &loops);

/// `a` divided by, or modulo, a positive number; `a` may not be negative.
MaybeIndex divide(const IndexExpr &a, int64_t divisor,
                  const LoopExtents &loops);
MaybeIndex modulo(const IndexExpr &a, int64_t modulus,
                  const LoopExtents &loops);

/// The quotient (or remainder) by a divisor among `symbols`, as an expression;
/// nothing when it is none of them.
MaybeIndex findDivision(const IndexExpr &inner, int64_t divisor,
                        bool isRemainder, const std::vector<Symbol> &symbols);

/// `a` with each wrap-around as a remainder among `symbols`.
MaybeIndex withoutWraps(const IndexExpr &a, const std::vector<Symbol> &symbols);

/// The one lane axis on which `a` depends; -1 when there is none, nothing when
/// there are several.
std::optional<int> laneAxisOf(const IndexExpr &a);

/// The expression on the lanes of another shape: lane axis d of the result is
/// axis `from[d]` of `a`, or a new axis where that is -1.
IndexExpr moveLanes(const IndexExpr &a, llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<int64_t> from);

/// An expression that depends on no lane axis but `axis`, on that axis alone
/// (on none when it is -1).
IndexExpr onOneAxis(const IndexExpr &a, int axis);

/// A conjunction of `expression >= 0`. Terms that always hold are set apart:
/// they constrain nothing but still say which indices walk one array dimension.
struct Condition {
  std::vector<IndexExpr> terms;
  std::vector<IndexExpr> implied = {};
  /// Whether more than the terms must hold: something that depends on data.
  bool partial = false;
  bool isAlways() const { return terms.empty() && !partial; }
};

/// An address: elements past the pointer an argument gives.
struct Pointer {
  unsigned argument;
  IndexExpr offset;
};

/// A device-side tensor descriptor.
struct Descriptor {
  Pointer base;
  llvm::SmallVector<int64_t> shape, strides;
  bool padsWithNaN;
};

/// Not an index: data, or arithmetic the import cannot follow. `why` completes
/// "it depends on ..."; `where` is the operation to blame.
struct Unknown {
  std::string why;
  mlir::Location where;
};

using IndexValue =
    std::variant<Unknown, IndexExpr, Condition, Pointer, Descriptor>;

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_INDEXEXPR_H
