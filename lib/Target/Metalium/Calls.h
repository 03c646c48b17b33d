// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the vendor's compute API, in one function each where there are many.
#ifndef DRAWLOOM_LIB_TARGET_METALIUM_CALLS_H
#define DRAWLOOM_LIB_TARGET_METALIUM_CALLS_H

#include "Names.h"
#include <map>

namespace drawloom::metalium {

/// The vendor's functions are inlined wherever they are called, hundreds of bytes
/// for some, into 69 KiB for the code of all cores. In a source with many calls,
/// those that stand several times go by way of a function that is not inlined.
class Calls {
public:
  /// Counts one call of `callee` with these buffers.
  void count(llvm::StringRef callee, llvm::ArrayRef<std::string> buffers) {
    ++counts[key(callee, buffers)];
    ++all;
  }

  /// Whether the source must be kept short.
  bool areMany() const;

  /// The statement that calls `callee` with buffers, then numbers, of which
  /// `before` come before the buffers.
  std::string print(llvm::StringRef callee, llvm::ArrayRef<std::string> buffers,
                    llvm::ArrayRef<std::string> numbers, size_t before);

  /// Defines the functions that the printed statements call.
  void printFunctions(llvm::raw_ostream &os) const;

private:
  /// A call that stays the same wherever it stands, up to its numbers.
  static std::string key(llvm::StringRef callee,
                         llvm::ArrayRef<std::string> buffers);

  std::map<std::string, unsigned> counts;
  unsigned all = 0; ///< calls counted
  std::map<std::string, std::string> functions; ///< names by keys
  UniqueNames unique; ///< functions stand outside of every scope
  std::string definitions;
};

} // namespace drawloom::metalium

#endif // DRAWLOOM_LIB_TARGET_METALIUM_CALLS_H
