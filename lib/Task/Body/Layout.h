// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lays a body out: its items in order, and a buffer for all that needs one.

#ifndef DRAWLOOM_LIB_TASK_BODY_LAYOUT_H
#define DRAWLOOM_LIB_TASK_BODY_LAYOUT_H

#include "Body.h"
#include "Demands.h"

namespace drawloom::task {

/// Creates buffers at a builder's place, and lets those share one that are
/// never in use together.
class BufferPool {
public:
  BufferPool(mlir::OpBuilder &builder) : b(builder) {}

  /// How a buffer's tiles are unpacked: straight to Dst, and if so for the
  /// matrix unit too.
  struct Unpack {
    bool direct = false, operand = false;
    auto operator<=>(const Unpack &other) const = default;
  };
  struct Wish {
    std::string name;
    mlir::Type format;
    int64_t tiles = 1, depth = 1;
    Unpack unpack = {};
    Engine producer = Engine::Compute, consumer = Engine::Compute;
    /// A multicast writes the same slot on every core, so that no loop that
    /// runs more often on some of them may have used the buffer.
    bool isShared = true;
  };
  mlir::Value create(mlir::Location loc, const Wish &wish);
  /// Walks the body in order: a buffer that is dropped serves the next value
  /// of its kind.
  void share(Body &body);

private:
  using Key = std::tuple<const void *, int64_t, int64_t, Unpack, Engine, Engine>;
  void walk(Body &body, std::vector<Item> &items);
  void open(mlir::Value buffer);
  void close(mlir::Value buffer);

  mlir::OpBuilder &b;
  llvm::DenseMap<mlir::Value, Key> keys; ///< of buffers that may be shared
  llvm::DenseMap<mlir::Value, mlir::Value> serving; ///< the buffer that serves in its place
  std::multimap<Key, mlir::Value> free;
  llvm::StringMap<int64_t> names;
};

/// The body of a prepared grid. Fails, with an error at the operation, on what
/// has no lowering.
mlir::FailureOr<Body> layOut(tile::GridOp grid, const Schedule &schedule, const Forms &forms,
                             const Demands &demands, const MachineModel &model, bool wideDst,
                             const llvm::DenseMap<mlir::Value, mlir::Value> &arrays,
                             mlir::OpBuilder &builder);

} // namespace drawloom::task

#endif // DRAWLOOM_LIB_TASK_BODY_LAYOUT_H
