// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// float16, which no engine's lanes hold exactly.

#include "Float16.h"

#include "Refuse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace drawloom::tt {

static APFloat widened(APFloat number) {
  bool loses;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
  return number;
}

void holdFloat16AsFloat32(FuncOp function) {
  // How products round float32 is not asked of what was float16.
  function.walk([](DotOp dot) {
    if (getElementTypeOrSelf(dot.getA().getType()).isF16())
      dot.removePrecisionAttr();
  });
  bool any = false;
  Type single = Float32Type::get(function.getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](Float16Type) -> Type {
    any = true;
    return single;
  });
  replacer.addReplacement([&](FloatAttr number) -> std::optional<std::pair<Attribute, WalkResult>> {
    if (!number.getType().isF16())
      return std::nullopt;
    return std::pair(FloatAttr::get(single, widened(number.getValue())), WalkResult::skip());
  });
  replacer.addReplacement([&](DenseElementsAttr numbers) -> std::optional<std::pair<Attribute, WalkResult>> {
    if (!numbers.getElementType().isF16())
      return std::nullopt;
    auto wide = cast<DenseFPElementsAttr>(numbers).mapValues(
        single, [](const APFloat &number) { return widened(number).bitcastToAPInt(); });
    return std::pair(Attribute(wide), WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  if (!any)
    return;
  emitWarning(userLocation(function.getLoc()))
      << "has float16, which is held as float32 here: with all its digits and twice its bytes; bfloat16 is native";
  function.walk([](Operation *op) {
    bool isCast = isa<arith::ExtFOp, arith::TruncFOp, FpToFpOp>(op);
    if (!isCast || op->getOperand(0).getType() != op->getResult(0).getType())
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
}

} // namespace drawloom::tt
