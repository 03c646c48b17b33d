// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the vector unit does to tiles of Dst.
#include "Compute.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::metalium;

static std::string literal(uint32_t bits) {
  return "0x" + llvm::utohexstr(bits, /*LowerCase=*/true);
}

static uint32_t bitsOf(APFloat value) {
  return value.bitcastToAPInt().getZExtValue();
}

/// A number known at run time, as the bits of a float.
std::string ComputePrinter::floatBits(Value number) {
  return helper(Helper::FloatBits) + "(" + text(number) + ")";
}

void ComputePrinter::print(task::SfpuOp op) {
  SfpuCall calls = *sfpuCall(op.getFunction(), metalium::formOf(op));
  need(calls.header);
  if (setsUpEach)
    setUp(calls);
  SmallVector<std::string> numbers = {tile(op.getOf(), op.getIndex())};
  if (auto scalar = op.getScalar())
    numbers.push_back(literal(bitsOf(*scalar)));
  if (Value number = op.getNumber())
    numbers.push_back(floatBits(number));
  if (!calls.last.empty())
    numbers.push_back(calls.last.str());
  call(calls.call, {}, numbers);
}

void ComputePrinter::print(task::SfpuBinaryOp op) {
  SfpuCall calls = *sfpuCall(op.getFunction(), SfpuForm::Binary);
  need(calls.header);
  if (setsUpEach)
    setUp(calls);
  std::string into = tile(op.getInto(), op.getIndex());
  call(calls.call, {},
       {tile(op.getLhs(), op.getLhsIndex()), tile(op.getRhs(), op.getRhsIndex()),
        into});
  if (calls.lanes == SfpuLanes::Answer)
    call(integersToFloats().call, {}, into);
}

void ComputePrinter::print(task::SelectOp op) {
  need(select().header);
  call(select().call.str() + (program.isDst32() ? "<DataFormat::Float32>"
                                                : "<DataFormat::Float16_b>"),
       {},
       {tile(op.getCondition(), op.getConditionIndex()),
        tile(op.getYes(), op.getYesIndex()), tile(op.getNo(), op.getNoIndex()),
        tile(op.getInto(), op.getIndex())});
}

/// The bits of a float as Dst is to hold them: a store to 16-bit Dst cuts what
/// other results round, half away from zero.
static uint32_t roundedForDst(APFloat value, bool isDst32) {
  return isDst32 || !value.isFinite() ? bitsOf(value) : bitsOf(value) + 0x8000;
}

void ComputePrinter::print(task::FillRegisterOp op) {
  static constexpr StringLiteral integers = "fill_tile_int<DataFormat::Int32>";
  need(fill().header);
  std::string to = tile(op.getOf(), op.getIndex());
  Value number = op.getNumber();
  if (number && (*op.getAs()).isF32())
    call(fill().call, {},
         {to, floatBits(number) + (program.isDst32() ? "" : " + 0x8000")});
  else if (number)
    call(integers, {}, {to, text(number)});
  else if (auto real = dyn_cast<FloatAttr>(*op.getValue()))
    call(fill().call, {},
         {to, literal(roundedForDst(real.getValue(), program.isDst32()))});
  else
    call(integers, {},
         {to, literal(cast<IntegerAttr>(*op.getValue())
                          .getValue()
                          .getZExtValue())});
}
