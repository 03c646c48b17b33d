// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the vendor's compute API, in one function each where there are many.
#include "Calls.h"
#include "llvm/ADT/StringExtras.h"

using namespace drawloom::metalium;

/// Sources with fewer calls than the first are short enough as they are; calls
/// that stand fewer times than the second gain too little.
static constexpr unsigned kManyInAll = 128, kMany = 3;

/// A list of arguments: buffers, but for the numbers that come before them.
static std::string list(llvm::ArrayRef<std::string> buffers,
                        llvm::ArrayRef<std::string> numbers, size_t before) {
  llvm::SmallVector<std::string> all(numbers.take_front(before));
  all.append(buffers.begin(), buffers.end());
  numbers = numbers.drop_front(before);
  all.append(numbers.begin(), numbers.end());
  return llvm::join(all, ", ");
}

std::string Calls::key(llvm::StringRef callee,
                       llvm::ArrayRef<std::string> buffers) {
  return callee.str() + "(" + llvm::join(buffers, ", ");
}

bool Calls::areMany() const { return all >= kManyInAll; }

static std::string nameFor(llvm::StringRef callee,
                           llvm::ArrayRef<std::string> buffers) {
  std::string name = "call_" + callee.split('<').first.str();
  for (const std::string &buffer : buffers)
    name += "_" + buffer;
  return name;
}

std::string Calls::print(llvm::StringRef callee,
                         llvm::ArrayRef<std::string> buffers,
                         llvm::ArrayRef<std::string> numbers, size_t before) {
  std::string key = this->key(callee, buffers);
  auto counted = counts.find(key);
  if (!areMany() || counted->second < kMany)
    return callee.str() + "(" + list(buffers, numbers, before) + ");\n";
  std::string &name = functions[key];
  if (name.empty()) {
    name = unique.take(nameFor(callee, buffers));
    llvm::SmallVector<std::string> arguments, parameters;
    for (size_t i = 0; i < numbers.size(); ++i) {
      arguments.push_back(std::string(1, static_cast<char>('a' + i)));
      parameters.push_back("uint32_t " + arguments.back());
    }
    definitions += "static __attribute__((noinline)) void " + name + "(" +
                   llvm::join(parameters, ", ") + ") {\n  " + callee.str() +
                   "(" + list(buffers, arguments, before) + ");\n}\n";
  }
  return name + "(" + llvm::join(numbers, ", ") + ");\n";
}

void Calls::printFunctions(llvm::raw_ostream &os) const {
  if (!definitions.empty())
    os << "// Called often: inlined each time, they would not fit into the "
          "memory for code.\n"
       << definitions << "\n";
}
