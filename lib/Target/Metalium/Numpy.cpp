// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays as numpy's .npy files, version 1.0 of the format.
#include "Numpy.h"

static std::string descriptionOf(mlir::Type element) {
  if (element.isF32() || element.isBF16())
    return element.isF32() ? "<f4" : "<u2";
  if (element.isInteger(1))
    return "|b1";
  const unsigned bytes = element.getIntOrFloatBitWidth() / 8;
  return (bytes == 1 ? "|i" : "<i") + std::to_string(bytes);
}

std::string drawloom::metalium::numpyFile(mlir::Type element,
                                          llvm::ArrayRef<int64_t> shape,
                                          llvm::ArrayRef<std::byte> elements) {
  constexpr size_t alignment = 64; // of the data in the file
  constexpr size_t prefix = 10;    // magic, version, length of the header
  std::string header = "{'descr': '" + descriptionOf(element) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : shape)
    header += std::to_string(extent) + ",";
  header += ")}";
  while ((prefix + header.size() + 1) % alignment != 0)
    header += ' ';
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() % 256);
  file += static_cast<char>(header.size() / 256);
  file += header;
  file.append(reinterpret_cast<const char *>(elements.data()), elements.size());
  return file;
}
