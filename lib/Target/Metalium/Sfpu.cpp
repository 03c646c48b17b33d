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
static constexpr llvm::StringLiteral scalar =
    "api/compute/eltwise_unary/binop_with_scalar.h";

static constexpr Entry entries[] = {
    {"exp",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/exp.h", "exp_tile_init", "exp_tile"}},
    {"log", SfpuForm::Unary, {common, "log_tile_init", "log_tile"}},
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
    {"tanh", SfpuForm::Unary, {common, "tanh_tile_init", "tanh_tile"}},
    {"erf",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/erf_erfc.h", "erf_tile_init<false>",
      "erf_tile<false>"}},
    {"abs", SfpuForm::Unary, {common, "abs_tile_init", "abs_tile"}},
    {"neg",
     SfpuForm::Unary,
     {"api/compute/eltwise_unary/negative.h", "negative_tile_init",
      "negative_tile"}},
    {"square", SfpuForm::Unary, {common, "square_tile_init", "square_tile"}},
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
    {"max",
     SfpuForm::Binary,
     {extremes, "binary_max_tile_init", "binary_max_tile"}},
    {"min",
     SfpuForm::Binary,
     {extremes, "binary_min_tile_init", "binary_min_tile"}},
};

std::optional<SfpuCall> drawloom::metalium::sfpuCall(llvm::StringRef function,
                                                     SfpuForm form) {
  for (const Entry &entry : entries)
    if (entry.function == function && entry.form == form)
      return entry.calls;
  return std::nullopt;
}

static std::optional<SfpuForm> formOf(mlir::Operation *op,
                                      llvm::StringRef function) {
  if (auto one = llvm::dyn_cast<drawloom::task::SfpuOp>(op))
    if (one.getFunction() == function)
      return one.getScalar() ? SfpuForm::Scalar : SfpuForm::Unary;
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
        auto form = reached ? formOf(op, *init.getFunction()) : std::nullopt;
        if (form && !llvm::is_contained(forms, *form))
          forms.push_back(*form);
        return mlir::WalkResult::advance();
      });
  return forms;
}
