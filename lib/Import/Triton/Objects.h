// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recovered arrays against the objects that the launch's pointers lie in.

#ifndef DRAWLOOM_IMPORT_TRITON_OBJECTS_H
#define DRAWLOOM_IMPORT_TRITON_OBJECTS_H

#include "Arrays.h"

namespace drawloom::tt {

/// The objects behind the arguments of a launch. Checks refuse at an access.
class Objects {
public:
  Objects(const Kernel &kernel, const Linearizer &linearize)
      : kernel(kernel), linearize(linearize) {}

  const LaunchArgument &argument(const Array &array) const {
    return kernel.given(array.argument);
  }
  /// `high` is 0 where the launch does not say how large the object is.
  PointerArgument pointer(const Array &array) const {
    return std::get<PointerArgument>(argument(array).value);
  }
  static int64_t elementBytes(const Array &array) {
    return (array.element.getIntOrFloatBitWidth() + 7) / 8;
  }

  /// Whether the object has every element of the array.
  bool hold(const Array &array) const;
  /// That the object holds the array, may be written where the kernel does,
  /// and that no two subscripts name one element of an array that is written.
  mlir::LogicalResult check(const Array &array,
                            llvm::ArrayRef<ArrayAccess *> accesses) const;
  /// Arguments that share memory: one array when they see it alike; no matter
  /// when nobody writes; else an error.
  mlir::LogicalResult mergeAliases(Arrays &arrays) const;

private:
  bool mayHold(Array array, llvm::ArrayRef<ArrayAccess *> accesses) const;
  bool shareMemory(const Array &a, const Array &b) const;
  __int128 byteAt(const Array &array, int64_t element) const;
  mlir::LogicalResult
  checkWritable(const Array &array,
                llvm::ArrayRef<ArrayAccess *> accesses) const;
  mlir::LogicalResult
  checkOverlap(const Array &array,
               llvm::ArrayRef<ArrayAccess *> accesses) const;
  mlir::LogicalResult checkExtent(const Array &array,
                                  llvm::ArrayRef<ArrayAccess *> accesses) const;

  const Kernel &kernel;
  const Linearizer &linearize;
};

} // namespace drawloom::tt

#endif // DRAWLOOM_IMPORT_TRITON_OBJECTS_H
