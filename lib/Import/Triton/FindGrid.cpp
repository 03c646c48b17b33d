// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grid on which all that a kernel needs is affine.

#include "FindGrid.h"
#include "Live.h"
#include "Refuse.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace drawloom::tt {
namespace {

/// Digits of a launch axis whose quotients are tried.
constexpr size_t kMaxQuotients = 4;

/// A value that must be affine on the grid, and who needs it.
struct Target {
  Column column;
  Operation *user;
};

class Targets {
public:
  Targets(const Kernel &kernel, ArrayRef<Access> accesses, bool exactTrips);
  std::vector<Target> list;

private:
  void add(const IndexExpr &expr, Operation *user);
  const Kernel &kernel;
};

} // namespace

void Targets::add(const IndexExpr &expr, Operation *user) {
  if (!expr.base.isUniform())
    list.push_back({expr.base, user});
  for (const Wrap &wrap : expr.wraps)
    add(*wrap.inner, user);
  for (auto &[use, term] : expr.symbols)
    if (auto &inner = kernel.symbolTable()[use.number].inner)
      add(*inner, user);
}

Targets::Targets(const Kernel &kernel, ArrayRef<Access> accesses,
                 bool exactTrips)
    : kernel(kernel) {
  for (const Access &access : accesses) {
    add(access.offset, access.op);
    for (auto *terms : {&access.bounds, &access.masks})
      for (const IndexExpr &term : *terms)
        add(term, access.op);
  }
  kernel.forEachOperation([&](Operation *op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return;
    const LoopFacts &facts = kernel.factsOf(loop);
    if (exactTrips || facts.alternatives.empty())
      add(facts.trips, op);
    else
      for (const IndexExpr &alternative : facts.alternatives)
        add(alternative, op);
  });
  for (auto &[index, user] : indicesAsData(kernel))
    add(index, user);
}

/// Blames the first use no box takes even on its own.
static LogicalResult refuseGrid(size_t programs, ArrayRef<Target> targets,
                                ArrayRef<Column> candidates, FuncOp function) {
  const char *rule = "no box of programs fits this launch: every index must be "
                     "affine in the programs once the "
                     "launch order is undone; ";
  for (const Target &target : targets)
    if (!GridBox::find(programs, {target.column}, candidates, Column(0)))
      return refuse(
          target.user->getLoc(),
          Twine(rule) +
              "this one is not; compute it without min, %, // of "
              "several program ids, or launch a full box of programs");
  return refuse(targets.empty() ? function.getLoc()
                                : targets.front().user->getLoc(),
                Twine(rule) + "these are affine one by one but not together");
}

/// What digits of the box may be taken from: scalars of the kernel, then the
/// launch's own axes, which complete a box along which programs do the same,
/// and quotients by the digits of an axis (`id % n` without `id // n`).
static std::vector<Column> candidatesOf(const Kernel &kernel) {
  std::vector<Column> candidates(kernel.programScalars());
  llvm::SmallSetVector<int64_t, 16> digits;
  for (const Column &column : candidates)
    if (column.min() == 0 && digits.size() < kMaxQuotients)
      digits.insert(column.max() + 1);
  auto add = [&](llvm::function_ref<int64_t(const ProgramPoint &)> value) {
    std::vector<int64_t> values;
    for (const ProgramPoint &program : kernel.programs())
      values.push_back(value(program));
    candidates.push_back(Column::of(std::move(values)));
  };
  for (unsigned axis = 0; axis < 3; ++axis) {
    int64_t extent = kernel.launch.grid[axis];
    add([&](const ProgramPoint &program) { return program.ids[axis]; });
    for (int64_t digit : digits)
      if (digit > 1 && digit < extent && extent % digit == 0) {
        add([&](const ProgramPoint &p) { return p.ids[axis] / digit; });
        add([&](const ProgramPoint &p) {
          return p.ids[axis] % (extent / digit);
        });
      }
  }
  add([](const ProgramPoint &program) { return program.iteration; });
  return candidates;
}

/// Both digits of each candidate of which some target only needs the quotient:
/// groups of columns, say, that several blocks of columns share.
static std::vector<Column> withQuotients(ArrayRef<Column> candidates, ArrayRef<Column> targets) {
  std::vector<Column> all;
  for (const Column &target : targets) {
    auto quotient = GridBox::asDigit(target);
    for (const Column &candidate : candidates) {
      auto digit = quotient ? GridBox::asDigit(candidate) : std::nullopt;
      if (!digit || (digit->max() + 1) % (quotient->max() + 1))
        continue;
      int64_t divisor = (digit->max() + 1) / (quotient->max() + 1);
      auto part = [&](bool isRemainder) {
        return *Column::map(*digit, divisor, [&](int64_t a, int64_t b) {
          return std::optional<int64_t>(isRemainder ? a % b : a / b);
        });
      };
      if (divisor == 1 || !(part(false) == *quotient))
        continue;
      for (const Column &each : {*quotient, part(true)})
        if (!llvm::is_contained(all, each))
          all.push_back(each);
    }
  }
  llvm::append_range(all, candidates);
  return all;
}

FailureOr<GridBox> findGrid(const Kernel &kernel, ArrayRef<Access> accesses) {
  std::vector<Column> candidates = candidatesOf(kernel);
  size_t programs = kernel.programs().size();
  Column order(0);
  for (const Access &access : accesses)
    if (access.isStore()) {
      order = access.offset.base;
      break;
    }
  // A trip count as one expression says most; as a least of several it always
  // can be said.
  for (bool exactTrips : {true, false}) {
    std::vector<Target> targets = Targets(kernel, accesses, exactTrips).list;
    std::vector<Column> columns;
    for (const Target &target : targets)
      if (!llvm::is_contained(columns, target.column))
        columns.push_back(target.column);
    if (auto box = GridBox::find(programs, columns, candidates, order))
      return *box;
    std::vector<Column> more = withQuotients(candidates, columns);
    if (more.size() > candidates.size())
      if (auto box = GridBox::find(programs, columns, more, order))
        return *box;
    if (!exactTrips)
      return refuseGrid(programs, targets, candidates, kernel.function);
  }
  return failure();
}

} // namespace drawloom::tt
