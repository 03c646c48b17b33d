// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task programs for the simulator's tests: parsed, run, and their arrays.
#ifndef DRAWLOOM_UNITTESTS_SIM_SIMULATOR_PROGRAMS_H
#define DRAWLOOM_UNITTESTS_SIM_SIMULATOR_PROGRAMS_H

#include "drawloom/Machine/LoadMachine.h"
#include "drawloom/Machine/Machine.h"
#include "drawloom/Sim/Simulator.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <bit>
#include <random>

namespace drawloom::sim {

/// A context with all dialects of task programs; collects error texts.
class ProgramTest : public testing::Test {
protected:
  ProgramTest()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          errors += diagnostic.str() + "\n";
          for (mlir::Diagnostic &note : diagnostic.getNotes())
            errors += "note: " + note.str() + "\n";
        }) {
    context.loadDialect<df::DfDialect, task::TaskDialect, tile::TileDialect,
                        mlir::arith::ArithDialect, mlir::scf::SCFDialect,
                        mlir::affine::AffineDialect>();
  }

  const MachineModel &machine(llvm::StringRef name) {
    auto found = machines.find(name);
    if (found == machines.end()) {
      auto model =
          loadMachine(context, name, std::nullopt, DRAWLOOM_MACHINES_DIR);
      EXPECT_TRUE(succeeded(model)) << errors;
      found = machines.try_emplace(name, std::move(*model)).first;
    }
    return found->second;
  }

  task::ProgramOp parse(llvm::StringRef text) {
    modules.push_back(mlir::parseSourceString<mlir::ModuleOp>(text, &context));
    return firstProgram();
  }
  task::ProgramOp parseFile(const std::string &name) {
    modules.push_back(mlir::parseSourceFile<mlir::ModuleOp>(
        DRAWLOOM_TASK_PROGRAMS_DIR "/" + name, &context));
    return firstProgram();
  }

  /// Timing only.
  mlir::FailureOr<SimResult> time(task::ProgramOp program,
                                  llvm::StringRef on = "wormhole") {
    return simulate(program, machine(on), {}, SimOptions{false});
  }
  mlir::FailureOr<SimResult> run(task::ProgramOp program,
                                 llvm::ArrayRef<std::byte *> arguments,
                                 llvm::StringRef on = "wormhole") {
    return simulate(program, machine(on), arguments);
  }

  mlir::MLIRContext context;
  std::string errors;

private:
  task::ProgramOp firstProgram() {
    EXPECT_TRUE(modules.back()) << errors;
    if (!modules.back())
      return {};
    auto programs = modules.back()->getOps<task::ProgramOp>();
    return *programs.begin();
  }

  mlir::ScopedDiagnosticHandler handler;
  llvm::StringMap<MachineModel> machines;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

using Bf16 = uint16_t;

inline float fromBf16(Bf16 bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}
/// Of values that bf16 holds.
inline Bf16 toBf16(float value) { return std::bit_cast<uint32_t>(value) >> 16; }

/// Small integers, so that products and sums are exact.
inline std::vector<Bf16> smallIntegers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Bf16> values(count);
  for (Bf16 &value : values)
    value = toBf16(static_cast<float>(static_cast<int>(random() % 5) - 2));
  return values;
}

template <typename T> std::byte *bytesOf(std::vector<T> &values) {
  return reinterpret_cast<std::byte *>(values.data());
}

} // namespace drawloom::sim

#endif // DRAWLOOM_UNITTESTS_SIM_SIMULATOR_PROGRAMS_H
