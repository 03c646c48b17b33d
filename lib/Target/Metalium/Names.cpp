// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identifiers of an emitted program.
#include "Names.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace drawloom;
using namespace drawloom::metalium;

/// Words of C++ that a kernel's author may well have used as a name.
static bool isKeyword(StringRef word) {
  static const StringRef words[] = {
      "and",       "asm",       "auto",     "bool",     "break",    "case",
      "catch",     "char",      "class",    "const",    "continue", "default",
      "delete",    "do",        "double",   "else",     "enum",     "explicit",
      "export",    "extern",    "false",    "float",    "for",      "friend",
      "goto",      "if",        "inline",   "int",      "long",     "mutable",
      "namespace", "new",       "not",      "nullptr",  "operator", "or",
      "private",   "protected", "public",   "register", "requires", "return",
      "short",     "signed",    "sizeof",   "static",   "struct",   "switch",
      "template",  "this",      "throw",    "true",     "try",      "typedef",
      "typename",  "union",     "unsigned", "using",    "virtual",  "void",
      "volatile",  "while",     "xor"};
  return llvm::is_contained(words, word);
}

static std::string identifier(StringRef wanted) {
  std::string name;
  for (char c : wanted)
    name += llvm::isAlnum(c) ? c : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(0, "_");
  return isKeyword(name) ? name + "_" : name;
}

std::string UniqueNames::take(StringRef wanted) {
  std::string base = identifier(wanted), name = base;
  for (int number = 1; !taken.insert(name).second; ++number)
    name = base + "_" + std::to_string(number);
  return name;
}

ProgramNames::ProgramNames(task::ProgramOp program) {
  UniqueNames unique;
  for (Operation &op : program.getBody().getOps()) {
    if (auto array = dyn_cast<task::ArrayOp>(op))
      names[array.getArray()] = unique.take(array.getName());
    else if (auto buffer = dyn_cast<task::BufferOp>(op))
      names[buffer.getBuffer()] = unique.take("cb_" + buffer.getName().str());
    else if (auto counter = dyn_cast<task::SemaphoreOp>(op))
      names[counter.getSemaphore()] =
          unique.take("sem_" + counter.getName().str());
  }
  for (auto buffer : program.getBody().getOps<task::BufferOp>())
    if (buffer.getOperand())
      operands[buffer.getBuffer()] =
          unique.take("cb_" + buffer.getName().str() + "_operand");
}
