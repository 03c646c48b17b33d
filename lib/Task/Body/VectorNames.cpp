// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector unit's functions by operation.

#include "VectorNames.h"

#include "drawloom/Tile/VectorFunction.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

StringRef drawloom::task::floatFunction(Operation *op) {
  if (isa<arith::SIToFPOp>(op))
    return "sitofp";
  return isa<arith::FPToSIOp>(op) ? "fptosi" : tile::vectorFunction(op);
}

StringRef drawloom::task::integerFunction(Operation *op) {
  return TypeSwitch<Operation *, StringRef>(op)
      .Case([](arith::AddIOp) { return "addi"; })
      .Case([](arith::SubIOp) { return "subi"; })
      .Case([](arith::MulIOp) { return "muli"; })
      .Case([](arith::AndIOp) { return "andi"; })
      .Case([](arith::OrIOp) { return "ori"; })
      .Case([](arith::XOrIOp) { return "xori"; })
      .Case([](arith::ShLIOp) { return "shli"; })
      .Case([](arith::ShRUIOp) { return "shrui"; })
      .Case([](arith::ShRSIOp) { return "shrsi"; })
      .Case([](arith::MaxSIOp) { return "maxsi"; })
      .Case([](arith::MinSIOp) { return "minsi"; })
      .Default(StringRef());
}

StringRef drawloom::task::comparison(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OEQ: case P::UEQ: return "eq";
  case P::ONE: case P::UNE: return "ne";
  case P::OLT: case P::ULT: return "lt";
  case P::OLE: case P::ULE: return "le";
  case P::OGT: case P::UGT: return "gt";
  case P::OGE: case P::UGE: return "ge";
  default: return "";
  }
}

std::pair<StringRef, bool> drawloom::task::comparison(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq: return {"eqi", false};
  case P::ne: return {"nei", false};
  case P::slt: return {"lti", false};
  case P::sle: return {"lei", false};
  case P::sgt: return {"gti", false};
  case P::sge: return {"gei", false};
  case P::ult: return {"ltui", false};
  case P::ugt: return {"ltui", true};
  default: return {"", false};
  }
}
