// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What combines the lanes of an axis: reductions and scans.

#include "Emitter.h"
#include "Identity.h"
#include "Refuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace drawloom::tt {

/// Whether the combiner is arithmetic on its arguments and constants.
static Operation *notArithmetic(Block &combiner) {
  for (Operation &op : combiner.without_terminator()) {
    StringRef dialect = op.getName().getDialectNamespace();
    if ((dialect != "arith" && dialect != "math") || !op.isRegistered())
      return &op;
  }
  return nullptr;
}

/// Copies a combiner's operations at the builder's place. Constants of the
/// kernel that it uses are made again inside.
LogicalResult Emitter::cloneCombiner(Operation *op, Block &from,
                                     ValueRange arguments,
                                     SmallVectorImpl<Value> &results) {
  IRMapping mapping;
  mapping.map(from.getArguments(), arguments);
  auto bring = [&](Value value) {
    if (mapping.contains(value) || value.getParentBlock() == &from)
      return success();
    TypedAttr literal = constantOf(kernel, value);
    if (!literal)
      return refuse(op->getLoc(), "a function that combines lanes may use its "
                                  "arguments and constants only");
    mapping.map(value, arith::ConstantOp::create(builder, at(op), literal));
    return success();
  };
  for (Operation &step : from.without_terminator()) {
    for (Value operand : step.getOperands())
      if (failed(bring(operand)))
        return failure();
    builder.clone(step, mapping)->setLoc(at(op));
  }
  for (Value result : from.getTerminator()->getOperands()) {
    if (failed(bring(result)))
      return failure();
    results.push_back(mapping.lookup(result));
  }
  return success();
}

LogicalResult Emitter::emitReduce(ReduceOp op) {
  Block &combiner = op.getCombine().front();
  auto identity = notArithmetic(combiner) ? std::nullopt : identityOf(combiner);
  if (!identity)
    return refuse(op.getLoc(),
                  "a reduction must combine its lanes by arithmetic that some "
                  "value leaves unchanged: a sum, product, minimum, maximum, "
                  "tl.argmax, or a function of your own like these");
  SmallVector<Value> sources, inits;
  SmallVector<Type> types;
  for (auto [source, result, start] :
       llvm::zip_equal(op.getSources(), op.getResults(), *identity)) {
    sources.push_back(data(source, op));
    if (!sources.back())
      return failure();
    inits.push_back(constant(start, laneShape(result.getType()), at(op)));
    types.push_back(inits.back().getType());
  }
  OperationState state(at(op), linalg::ReduceOp::getOperationName());
  state.addOperands(sources);
  state.addOperands(inits);
  state.addTypes(types);
  state.addAttribute("dimensions",
                     builder.getDenseI64ArrayAttr({int64_t(op.getAxis())}));
  state.addRegion();
  auto reduce = cast<linalg::ReduceOp>(builder.create(state));
  // linalg gives the new elements first, Triton what there is so far.
  Block &body = reduce.getCombiner().emplaceBlock();
  SmallVector<Value> fresh, soFar;
  for (Value source : sources)
    fresh.push_back(
        body.addArgument(getElementTypeOrSelf(source.getType()), at(op)));
  for (Value init : inits)
    soFar.push_back(
        body.addArgument(getElementTypeOrSelf(init.getType()), at(op)));
  llvm::append_range(soFar, fresh);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body);
  SmallVector<Value> results;
  if (failed(cloneCombiner(op, combiner, soFar, results)))
    return failure();
  linalg::YieldOp::create(builder, at(op), results);
  for (auto [result, tile] :
       llvm::zip_equal(op.getResults(), reduce.getResults()))
    tiles[result] = tile;
  return success();
}

Value Emitter::reduceAxis(Value tile, int64_t axis, TypedAttr identity,
                          StringRef combiner, Location loc) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(tile.getType()).getShape());
  shape.erase(shape.begin() + axis);
  return linalg::ReduceOp::create(
             builder, loc, tile, constant(identity, shape, loc),
             ArrayRef<int64_t>{axis},
             [&](OpBuilder &b, Location at, ValueRange arguments) {
               OperationState state(at, combiner, arguments,
                                    {identity.getType()});
               linalg::YieldOp::create(b, at, b.create(state)->getResults());
             })
      .getResult(0);
}

LogicalResult Emitter::emitScan(ScanOp op) {
  Block &combiner = op.getCombine().front();
  if (Operation *other = notArithmetic(combiner))
    return refuse(op.getLoc(),
                  "a scan must combine its lanes by arithmetic, not `" +
                      other->getName().getStringRef() + "`");
  SmallVector<Value> sources;
  SmallVector<Type> types;
  for (Value source : op.getSources()) {
    sources.push_back(data(source, op));
    if (!sources.back())
      return failure();
    types.push_back(sources.back().getType());
  }
  bool reverse = op.getReverseAttr() && op.getReverseAttr().getValue();
  auto scan = tile::ScanOp::create(builder, at(op), types, sources,
                                   op.getAxis(), reverse);
  Block &body = scan.getCombiner().emplaceBlock();
  for (int twice = 0; twice < 2;
       ++twice) // the results so far, the new elements
    for (Type type : types)
      body.addArgument(getElementTypeOrSelf(type), at(op));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body);
  SmallVector<Value> results;
  if (failed(cloneCombiner(op, combiner, body.getArguments(), results)))
    return failure();
  tile::YieldOp::create(builder, at(op), results);
  for (auto [result, tile] :
       llvm::zip_equal(op.getResults(), scan.getResults()))
    tiles[result] = tile;
  return success();
}

} // namespace drawloom::tt
