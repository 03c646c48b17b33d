// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays as numpy's .npy files.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_NUMPY_H
#define DRAWLOOM_LIB_TARGET_METALIUM_NUMPY_H

#include "mlir/IR/BuiltinTypes.h"
#include <cstddef>
#include <string>

namespace drawloom::metalium {

/// A .npy file of `elements`, which lie row-major without gaps. bf16, which
/// numpy does not know, is saved as its bits in uint16.
std::string numpyFile(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                      llvm::ArrayRef<std::byte> elements);

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_NUMPY_H
