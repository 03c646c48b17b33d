// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vendor's names for what the vector unit does; ttnn 0.81.1, api/compute.
#include "Sfpu.h"

using namespace drawloom::metalium;

namespace {
struct Entry {
  llvm::StringRef function;
  SfpuForm form;
  SfpuCall calls;
};
} // namespace

static constexpr llvm::StringLiteral common =
    "api/compute/compute_kernel_api.h";
static constexpr llvm::StringLiteral binary =
    "api/compute/eltwise_binary_sfpu.h";
static constexpr llvm::StringLiteral extremes = "api/compute/binary_max_min.h";
static constexpr llvm::StringLiteral bitwise =
    "api/compute/binary_bitwise_sfpu.h";
static constexpr llvm::StringLiteral shift = "api/compute/binary_shift.h";
static constexpr llvm::StringLiteral integers = "api/compute/binary_comp.h";
static constexpr llvm::StringLiteral scalar =
    "api/compute/eltwise_unary/binop_with_scalar.h";
static constexpr llvm::StringLiteral comparison =
    "api/compute/eltwise_unary/comp.h";
static constexpr llvm::StringLiteral rounding =
    "api/compute/eltwise_unary/rounding.h";
static constexpr llvm::StringLiteral typecast =
    "api/compute/eltwise_unary/typecast.h";

static constexpr SfpuCall conversion = {
    typecast,
    "typecast_tile_init<(uint32_t)DataFormat::Int32, "
    "(uint32_t)DataFormat::Float32>",
    "typecast_tile<(uint32_t)DataFormat::Int32, (uint32_t)DataFormat::Float32>",
    SfpuLanes::Integers};

/// The format of floats in Dst.
#define FLOATS                                                                 \
  "DST_ACCUM_MODE ? DataFormat::Float32 : DataFormat::Float16_b"

static constexpr Entry entries[] = {
    {"sitofp", SfpuForm::Unary, conversion},
    {"exp",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/exp.h", "exp_tile_init", "exp_tile"}},
    {"exp_approx",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/exp.h", "exp_tile_init<true>",
      "exp_tile<true>"}},
    // The slope takes a factor, here ln 2.
    {"exp2_approx",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/exp.h", "exp_tile_init<true, 0x3f317218>",
      "exp_tile<true>"}},
    {"exp2", SfpuForm::Unary, {common, "exp2_tile_init", "exp2_tile"}},
    {"log", SfpuForm::Unary, {common, "log_tile_init", "log_tile"}},
    {"log2",
     SfpuForm::Unary,
     {common, "log_with_base_tile_init", "log_with_base_tile<false, true>",
      SfpuLanes::Floats, "0x3fb8aa3b"}},
    {"sqrt",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/sqrt.h", "sqrt_tile_init", "sqrt_tile"}},
    {"rsqrt",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/rsqrt.h", "rsqrt_tile_init", "rsqrt_tile"}},
    {"recip",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/recip.h", "recip_tile_init", "recip_tile"}},
    {"sigmoid", SfpuForm::Unary, {common, "sigmoid_tile_init", "sigmoid_tile"}},
    {"silu", SfpuForm::Unary, {common, "silu_tile_init", "silu_tile"}},
    {"relu",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/relu.h", "relu_tile_init", "relu_tile"}},
    {"gelu",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/gelu.h", "gelu_tile_init<false>",
      "gelu_tile<false>"}},
    {"gelu_tanh",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/gelu.h", "gelu_tanh_tile_init",
      "gelu_tanh_tile"}},
    {"tanh", SfpuForm::Unary, {common, "tanh_tile_init", "tanh_tile"}},
    {"erf",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/erf_erfc.h", "erf_tile_init<false>",
      "erf_tile<false>"}},
    {"sin",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/trigonometry.h", "sin_tile_init", "sin_tile"}},
    {"cos",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/trigonometry.h", "cos_tile_init", "cos_tile"}},
    {"floor",
     SfpuForm::Unary,
     {rounding, "rounding_op_tile_init", "floor_tile"}},
    {"ceil", SfpuForm::Unary, {rounding, "rounding_op_tile_init", "ceil_tile"}},
    {"abs", SfpuForm::Unary, {common, "abs_tile_init", "abs_tile"}},
    {"neg",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/negative.h", "negative_tile_init",
      "negative_tile"}},
    {"square", SfpuForm::Unary, {common, "square_tile_init", "square_tile"}},
    {"fptosi",
     SfpuForm::Unary,
     {typecast,
      "typecast_tile_init<(uint32_t)DataFormat::Float32, "
      "(uint32_t)DataFormat::Int32>",
      "typecast_tile<(uint32_t)DataFormat::Float32, "
      "(uint32_t)DataFormat::Int32>",
      SfpuLanes::Integers}},
    {"row_add",
     SfpuForm::Unary,
     {common, "sfpu_reduce_init<PoolType::SUM, " FLOATS ">",
      "sfpu_reduce<PoolType::SUM, " FLOATS ", ReduceDim::REDUCE_ROW>"}},
    {"row_max",
     SfpuForm::Unary,
     {common, "sfpu_reduce_init<PoolType::MAX, " FLOATS ">",
      "sfpu_reduce<PoolType::MAX, " FLOATS ", ReduceDim::REDUCE_ROW>"}},
    {"row_min",
     SfpuForm::Unary,
     {common, "sfpu_reduce_init<PoolType::MIN, " FLOATS ">",
      "sfpu_reduce<PoolType::MIN, " FLOATS ", ReduceDim::REDUCE_ROW>"}},
    {"row_addi",
     SfpuForm::Unary,
     {common, "sfpu_reduce_init<PoolType::SUM, DataFormat::Int32>",
      "sfpu_reduce<PoolType::SUM, DataFormat::Int32, "
      "ReduceDim::REDUCE_ROW>",
      SfpuLanes::Integers}},
    {"row_maxsi",
     SfpuForm::Unary,
     {common, "sfpu_reduce_init<PoolType::MAX, DataFormat::Int32>",
      "sfpu_reduce<PoolType::MAX, DataFormat::Int32, "
      "ReduceDim::REDUCE_ROW>",
      SfpuLanes::Integers}},
    {"row_minsi",
     SfpuForm::Unary,
     {common, "sfpu_reduce_init<PoolType::MIN, DataFormat::Int32>",
      "sfpu_reduce<PoolType::MIN, DataFormat::Int32, "
      "ReduceDim::REDUCE_ROW>",
      SfpuLanes::Integers}},
    {"column_add",
     SfpuForm::Unary,
     {common, "sfpu_reduce_init<PoolType::SUM, " FLOATS ">",
      "sfpu_reduce<PoolType::SUM, " FLOATS ", ReduceDim::REDUCE_COL>"}},
    {"column_max",
     SfpuForm::Unary,
     {common, "sfpu_reduce_init<PoolType::MAX, " FLOATS ">",
      "sfpu_reduce<PoolType::MAX, " FLOATS ", ReduceDim::REDUCE_COL>"}},
    {"column_min",
     SfpuForm::Unary,
     {common, "sfpu_reduce_init<PoolType::MIN, " FLOATS ">",
      "sfpu_reduce<PoolType::MIN, " FLOATS ", ReduceDim::REDUCE_COL>"}},
    {"column_addi",
     SfpuForm::Unary,
     {common, "sfpu_reduce_init<PoolType::SUM, DataFormat::Int32>",
      "sfpu_reduce<PoolType::SUM, DataFormat::Int32, "
      "ReduceDim::REDUCE_COL>",
      SfpuLanes::Integers}},
    {"column_maxsi",
     SfpuForm::Unary,
     {common, "sfpu_reduce_init<PoolType::MAX, DataFormat::Int32>",
      "sfpu_reduce<PoolType::MAX, DataFormat::Int32, "
      "ReduceDim::REDUCE_COL>",
      SfpuLanes::Integers}},
    {"column_minsi",
     SfpuForm::Unary,
     {common, "sfpu_reduce_init<PoolType::MIN, DataFormat::Int32>",
      "sfpu_reduce<PoolType::MIN, DataFormat::Int32, "
      "ReduceDim::REDUCE_COL>",
      SfpuLanes::Integers}},
    {"add",
     SfpuForm::Scalar,
     {scalar, "binop_with_scalar_tile_init", "add_unary_tile"}},
    {"sub",
     SfpuForm::Scalar,
     {scalar, "binop_with_scalar_tile_init", "sub_unary_tile"}},
    {"mul",
     SfpuForm::Scalar,
     {scalar, "binop_with_scalar_tile_init", "mul_unary_tile"}},
    {"max",
     SfpuForm::Scalar,
     {common, "unary_max_tile_init", "unary_max_tile"}},
    {"min",
     SfpuForm::Scalar,
     {common, "unary_min_tile_init", "unary_min_tile"}},
    {"eq",
     SfpuForm::Scalar,
     {comparison, "unary_eq_tile_init", "unary_eq_tile"}},
    {"ne",
     SfpuForm::Scalar,
     {comparison, "unary_ne_tile_init", "unary_ne_tile"}},
    {"lt",
     SfpuForm::Scalar,
     {comparison, "unary_lt_tile_init", "unary_lt_tile"}},
    {"le",
     SfpuForm::Scalar,
     {comparison, "unary_le_tile_init", "unary_le_tile"}},
    {"gt",
     SfpuForm::Scalar,
     {comparison, "unary_gt_tile_init", "unary_gt_tile"}},
    {"ge",
     SfpuForm::Scalar,
     {comparison, "unary_ge_tile_init", "unary_ge_tile"}},
    {"add",
     SfpuForm::Binary,
     {binary, "add_binary_tile_init", "add_binary_tile"}},
    {"sub",
     SfpuForm::Binary,
     {binary, "sub_binary_tile_init", "sub_binary_tile"}},
    {"mul",
     SfpuForm::Binary,
     {binary, "mul_binary_tile_init", "mul_binary_tile"}},
    {"div",
     SfpuForm::Binary,
     {binary, "div_binary_tile_init", "div_binary_tile"}},
    {"eq", SfpuForm::Binary, {binary, "eq_binary_tile_init", "eq_binary_tile"}},
    {"ne", SfpuForm::Binary, {binary, "ne_binary_tile_init", "ne_binary_tile"}},
    {"lt", SfpuForm::Binary, {binary, "lt_binary_tile_init", "lt_binary_tile"}},
    {"le", SfpuForm::Binary, {binary, "le_binary_tile_init", "le_binary_tile"}},
    {"gt", SfpuForm::Binary, {binary, "gt_binary_tile_init", "gt_binary_tile"}},
    {"ge", SfpuForm::Binary, {binary, "ge_binary_tile_init", "ge_binary_tile"}},
    {"max",
     SfpuForm::Binary,
     {extremes, "binary_max_tile_init", "binary_max_tile"}},
    {"min",
     SfpuForm::Binary,
     {extremes, "binary_min_tile_init", "binary_min_tile"}},
    {"maxsi",
     SfpuForm::Binary,
     {extremes, "binary_max_int32_tile_init", "binary_max_int32_tile",
      SfpuLanes::Integers}},
    {"minsi",
     SfpuForm::Binary,
     {extremes, "binary_min_int32_tile_init", "binary_min_int32_tile",
      SfpuLanes::Integers}},
    {"addi",
     SfpuForm::Binary,
     {"api/compute/add_int_sfpu.h", "add_int_tile_init",
      "add_int_tile<DataFormat::Int32>", SfpuLanes::Integers}},
    {"subi",
     SfpuForm::Binary,
     {"api/compute/sub_int_sfpu.h", "sub_int_tile_init",
      "sub_int_tile<DataFormat::Int32>", SfpuLanes::Integers}},
    {"muli",
     SfpuForm::Binary,
     {"api/compute/mul_int_sfpu.h", "mul_int_tile_init<DataFormat::Int32>",
      "mul_int_tile<DataFormat::Int32>", SfpuLanes::Integers}},
    {"andi",
     SfpuForm::Binary,
     {bitwise, "binary_bitwise_tile_init",
      "bitwise_and_binary_tile<DataFormat::Int32>", SfpuLanes::Integers}},
    {"ori",
     SfpuForm::Binary,
     {bitwise, "binary_bitwise_tile_init",
      "bitwise_or_binary_tile<DataFormat::Int32>", SfpuLanes::Integers}},
    {"xori",
     SfpuForm::Binary,
     {bitwise, "binary_bitwise_tile_init",
      "bitwise_xor_binary_tile<DataFormat::Int32>", SfpuLanes::Integers}},
    {"shli",
     SfpuForm::Binary,
     {shift, "binary_shift_tile_init",
      "binary_left_shift_tile<DataFormat::Int32>", SfpuLanes::Integers}},
    {"shrsi",
     SfpuForm::Binary,
     {shift, "binary_shift_tile_init",
      "binary_right_shift_tile<DataFormat::Int32>", SfpuLanes::Integers}},
    {"shrui",
     SfpuForm::Binary,
     {shift, "binary_shift_tile_init",
      "binary_logical_right_shift_tile<DataFormat::Int32>",
      SfpuLanes::Integers}},
    {"eqi",
     SfpuForm::Binary,
     {integers, "eq_int_tile_init<DataFormat::Int32>",
      "eq_int_tile<DataFormat::Int32>", SfpuLanes::Answer}},
    {"nei",
     SfpuForm::Binary,
     {integers, "ne_int_tile_init<DataFormat::Int32>",
      "ne_int_tile<DataFormat::Int32>", SfpuLanes::Answer}},
    {"lti",
     SfpuForm::Binary,
     {integers, "lt_int_tile_init<DataFormat::Int32>",
      "lt_int_tile<DataFormat::Int32>", SfpuLanes::Answer}},
    {"lei",
     SfpuForm::Binary,
     {integers, "le_int_tile_init<DataFormat::Int32>",
      "le_int_tile<DataFormat::Int32>", SfpuLanes::Answer}},
    {"gti",
     SfpuForm::Binary,
     {integers, "gt_int_tile_init<DataFormat::Int32>",
      "gt_int_tile<DataFormat::Int32>", SfpuLanes::Answer}},
    {"gei",
     SfpuForm::Binary,
     {integers, "ge_int_tile_init<DataFormat::Int32>",
      "ge_int_tile<DataFormat::Int32>", SfpuLanes::Answer}},
    {"ltui",
     SfpuForm::Binary,
     {integers, "lt_int_tile_init<DataFormat::UInt32>",
      "lt_int_tile<DataFormat::UInt32>", SfpuLanes::Answer}},
};

std::optional<SfpuCall> drawloom::metalium::sfpuCall(llvm::StringRef function,
                                                     SfpuForm form) {
  for (const Entry &entry : entries)
    if (entry.function == function && entry.form == form)
      return entry.calls;
  return std::nullopt;
}

const SfpuCall &drawloom::metalium::integersToFloats() { return conversion; }

const SfpuCall &drawloom::metalium::select() {
  static constexpr SfpuCall calls = {"api/compute/eltwise_unary/where.h",
                                     "where_tile_init", "where_tile"};
  return calls;
}

const SfpuCall &drawloom::metalium::fill() {
  static constexpr SfpuCall calls = {"api/compute/eltwise_unary/fill.h",
                                     "fill_tile_init", "fill_tile_bitcast"};
  return calls;
}

SfpuForm drawloom::metalium::formOf(task::SfpuOp op) {
  return op.getScalar() || op.getNumber() ? SfpuForm::Scalar : SfpuForm::Unary;
}

/// The form in which `op` uses the function, if it does.
static std::optional<SfpuForm> useOf(mlir::Operation *op,
                                     llvm::StringRef function) {
  if (auto one = llvm::dyn_cast<drawloom::task::SfpuOp>(op))
    if (one.getFunction() == function)
      return formOf(one);
  if (auto two = llvm::dyn_cast<drawloom::task::SfpuBinaryOp>(op))
    if (two.getFunction() == function)
      return SfpuForm::Binary;
  return std::nullopt;
}

llvm::SmallVector<SfpuForm>
drawloom::metalium::sfpuFormsAfter(task::InitOp init) {
  llvm::SmallVector<SfpuForm> forms;
  bool reached = false;
  init->getParentOfType<task::KernelOp>().walk<mlir::WalkOrder::PreOrder>(
      [&](mlir::Operation *op) {
        if (op == init) {
          reached = true;
          return mlir::WalkResult::advance();
        }
        auto other = llvm::dyn_cast<task::InitOp>(op);
        if (reached && other && other.getKind() == task::Setup::Sfpu)
          return mlir::WalkResult::interrupt();
        auto form = reached ? useOf(op, *init.getFunction()) : std::nullopt;
        if (form && !llvm::is_contained(forms, *form))
          forms.push_back(*form);
        return mlir::WalkResult::advance();
      });
  return forms;
}
