// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs for several threads or for a device, one step after the other on this one; branches that
// bufferization does not follow.
#include "compiler/bridge/tail_rewrite.h"

#include <mlir/CAPI/IR.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Async/IR/Async.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>
#include <mlir/Dialect/GPU/IR/GPUDialect.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/AttrTypeSubElements.h>
#include <mlir/IR/BuiltinOps.h>

namespace {

using mlir::Location;
using mlir::OpBuilder;
using mlir::Value;
namespace async = mlir::async;
namespace gpu = mlir::gpu;

// A switch over tensors as comparisons one after the other: bufferization leaves the operands of a
// switch behind.
void expand_switch(mlir::cf::SwitchOp op) {
  OpBuilder builder(op);
  mlir::Block *block = op->getBlock();
  mlir::Region *region = block->getParent();
  Location place = op.getLoc();
  Value flag = op.getFlag();
  if (auto values = op.getCaseValues()) {
    size_t i = 0;
    for (const llvm::APInt &value : values->getValues<llvm::APInt>()) {
      Value wanted = mlir::arith::ConstantOp::create(builder, place,
                                                     builder.getIntegerAttr(flag.getType(), value));
      Value same =
          mlir::arith::CmpIOp::create(builder, place, mlir::arith::CmpIPredicate::eq, flag, wanted);
      auto *next = new mlir::Block;
      region->getBlocks().insertAfter(block->getIterator(), next);
      mlir::cf::CondBranchOp::create(builder, place, same, op.getCaseDestinations()[i],
                                     op.getCaseOperands(i), next, mlir::ValueRange());
      builder.setInsertionPointToEnd(next);
      block = next;
      i++;
    }
  }
  mlir::cf::BranchOp::create(builder, place, op.getDefaultDestination(), op.getDefaultOperands());
  op->erase();
}

Value token(mlir::Operation *op) {
  OpBuilder builder(op);
  return mlir::arith::ConstantOp::create(builder, op->getLoc(), builder.getBoolAttr(true));
}

// What is to run some time runs now: its results, and a token that nobody needs to wait for.
void run_now(async::ExecuteOp op) {
  mlir::Block *body = op.getBody();
  for (auto [argument, operand] : llvm::zip(body->getArguments(), op.getBodyOperands()))
    argument.replaceAllUsesWith(operand);
  mlir::Operation *yield = body->getTerminator();
  llvm::SmallVector<Value> results = {token(op)};
  results.append(yield->operand_begin(), yield->operand_end());
  yield->erase();
  op->getBlock()->getOperations().splice(op->getIterator(), body->getOperations());
  op->replaceAllUsesWith(results);
  op->erase();
}

void expand_async(mlir::Operation *op) {
  if (auto execute = mlir::dyn_cast<async::ExecuteOp>(op))
    return run_now(execute);
  if (mlir::isa<async::AwaitOp>(op) && op->getNumResults() == 1)
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
  if (mlir::isa<async::CreateGroupOp>(op))
    op->getResult(0).replaceAllUsesWith(token(op));
  if (mlir::isa<async::AddToGroupOp>(op)) {
    OpBuilder builder(op);
    op->getResult(0).replaceAllUsesWith(
        mlir::arith::ConstantIndexOp::create(builder, op->getLoc(), 0));
  }
  op->erase();
}

// Memory that the host sees as well as the device, and orders to the device, in the host's terms.
void expand_memory(mlir::Operation *op) {
  OpBuilder builder(op);
  Location place = op->getLoc();
  if (auto alloc = mlir::dyn_cast<gpu::AllocOp>(op)) {
    auto made = mlir::memref::AllocOp::create(builder, place, alloc.getType(),
                                              alloc.getDynamicSizes(), alloc.getSymbolOperands());
    alloc.getMemref().replaceAllUsesWith(made);
  } else if (auto dealloc = mlir::dyn_cast<gpu::DeallocOp>(op)) {
    mlir::memref::DeallocOp::create(builder, place, dealloc.getMemref());
  } else if (auto copy = mlir::dyn_cast<gpu::MemcpyOp>(op)) {
    mlir::memref::CopyOp::create(builder, place, copy.getSrc(), copy.getDst());
  } else if (auto set = mlir::dyn_cast<gpu::MemsetOp>(op)) {
    mlir::linalg::FillOp::create(builder, place, mlir::ValueRange(set.getValue()),
                                 mlir::ValueRange(set.getDst()));
  }
  for (Value result : op->getResults())
    if (mlir::isa<gpu::AsyncTokenType>(result.getType()))
      result.replaceAllUsesWith(token(op));
  op->erase();
}

// Threads that wait for each other, or for what others made, cannot run one after the other.
bool is_independent(mlir::Region &body) {
  bool found = !body.hasOneBlock();
  body.walk([&](mlir::Operation *inside) {
    found |= inside->getName().getDialectNamespace() == "gpu" &&
             !mlir::isa<gpu::TerminatorOp, gpu::ReturnOp, gpu::ThreadIdOp, gpu::BlockIdOp,
                        gpu::GridDimOp, gpu::BlockDimOp, gpu::GlobalIdOp>(inside);
  });
  return !found;
}

// What a thread of a grid knows of itself: the place of its block and its own within that.
struct Grid {
  Value at[6], bound[6]; // blocks in x, y, z, then threads
};

// One loop for each dimension; the builder is left inside the innermost.
Grid loops_over(OpBuilder &builder, Location place, gpu::KernelDim3 blocks,
                gpu::KernelDim3 threads) {
  auto constant = [&](int64_t value) -> Value {
    return mlir::arith::ConstantIndexOp::create(builder, place, value);
  };
  auto as_index = [&](Value size) -> Value {
    if (size.getType().isIndex())
      return size;
    return mlir::arith::IndexCastOp::create(builder, place, builder.getIndexType(), size);
  };
  Value zero = constant(0), one = constant(1);
  Grid grid;
  Value sizes[] = {blocks.x, blocks.y, blocks.z, threads.x, threads.y, threads.z};
  for (int i = 0; i < 6; i++)
    grid.bound[i] = as_index(sizes[i]);
  for (int i = 0; i < 6; i++) {
    auto loop = mlir::scf::ForOp::create(builder, place, zero, grid.bound[i], one);
    grid.at[i] = loop.getInductionVar();
    builder.setInsertionPointToStart(loop.getBody());
  }
  return grid;
}

// What an operation asks of the thread; null where it asks nothing.
Value known(OpBuilder &builder, mlir::Operation *op, const Grid &grid) {
  auto dimension = [](auto of) { return static_cast<int>(of.getDimension()); };
  if (auto thread = mlir::dyn_cast<gpu::ThreadIdOp>(op))
    return grid.at[3 + dimension(thread)];
  if (auto block = mlir::dyn_cast<gpu::BlockIdOp>(op))
    return grid.at[dimension(block)];
  if (auto blocks = mlir::dyn_cast<gpu::GridDimOp>(op))
    return grid.bound[dimension(blocks)];
  if (auto threads = mlir::dyn_cast<gpu::BlockDimOp>(op))
    return grid.bound[3 + dimension(threads)];
  auto global = mlir::dyn_cast<gpu::GlobalIdOp>(op);
  if (!global)
    return Value();
  int i = dimension(global);
  Value before = mlir::arith::MulIOp::create(builder, op->getLoc(), grid.at[i], grid.bound[3 + i]);
  return mlir::arith::AddIOp::create(builder, op->getLoc(), before, grid.at[3 + i]);
}

void clone_body(OpBuilder &builder, mlir::Block &body, mlir::IRMapping &map, const Grid &grid) {
  llvm::SmallVector<mlir::Operation *> asking;
  for (mlir::Operation &inside : body.without_terminator())
    builder.clone(inside, map)->walk([&](mlir::Operation *op) {
      if (op->getName().getDialectNamespace() == "gpu")
        asking.push_back(op);
    });
  for (mlir::Operation *op : asking) {
    OpBuilder before(op);
    op->getResult(0).replaceAllUsesWith(known(before, op, grid));
    op->erase();
  }
}

void finish_launch(mlir::Operation *op, Value waited) {
  if (waited)
    waited.replaceAllUsesWith(token(op));
  op->erase();
}

void expand_launch(gpu::LaunchOp op) {
  if (!is_independent(op.getBody()) || op.getNumWorkgroupAttributions() != 0 ||
      op.getNumPrivateAttributions() != 0 || op.hasClusterSize())
    return;
  OpBuilder builder(op);
  Grid grid = loops_over(builder, op.getLoc(), op.getGridSizeOperandValues(),
                         op.getBlockSizeOperandValues());
  mlir::IRMapping map;
  mlir::Block &body = op.getBody().front();
  for (int i = 0; i < 6; i++) {
    map.map(body.getArgument(i), grid.at[i]);
    map.map(body.getArgument(6 + i), grid.bound[i]);
  }
  clone_body(builder, body, map, grid);
  finish_launch(op, op.getAsyncToken());
}

void expand_launch(gpu::LaunchFuncOp op) {
  auto kernel = mlir::SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(op, op.getKernelAttr());
  if (!kernel || kernel.isExternal() || !is_independent(kernel.getBody()) ||
      kernel.getNumArguments() != kernel.getBody().getNumArguments() || op.hasClusterSize())
    return;
  OpBuilder builder(op);
  Grid grid = loops_over(builder, op.getLoc(), op.getGridSizeOperandValues(),
                         op.getBlockSizeOperandValues());
  mlir::IRMapping map;
  for (auto [argument, operand] :
       llvm::zip(kernel.getBody().getArguments(), op.getKernelOperands()))
    map.map(argument, operand);
  clone_body(builder, kernel.getBody().front(), map, grid);
  finish_launch(op, op.getAsyncToken());
}

// Modules for a device whose kernels nobody launches any more.
void drop_kernels(mlir::ModuleOp top) {
  bool launched = false;
  top->walk([&](gpu::LaunchFuncOp) { launched = true; });
  for (auto kernels : llvm::make_early_inc_range(top.getOps<gpu::GPUModuleOp>()))
    if (!launched)
      kernels->erase();
}

bool holds_tensor(mlir::Operation *op) {
  return llvm::any_of(op->getOperandTypes(),
                      [](mlir::Type type) { return mlir::isa<mlir::TensorType>(type); });
}

} // namespace

void assay_rewrite_control(MlirModule module) {
  mlir::ModuleOp top = unwrap(module);
  top->getContext()
      ->loadDialect<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                    mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect,
                    mlir::scf::SCFDialect>();
  llvm::SmallVector<mlir::Operation *> all; // what is inside before what is around it
  top->walk([&](mlir::Operation *op) { all.push_back(op); });
  bool has_tokens = false;
  for (mlir::Operation *op : all) {
    if (mlir::isa<async::ExecuteOp, async::AwaitOp, async::CreateGroupOp, async::AddToGroupOp,
                  async::AwaitAllOp>(op))
      expand_async(op), has_tokens = true;
    else if (mlir::isa<gpu::AllocOp, gpu::DeallocOp, gpu::MemcpyOp, gpu::MemsetOp, gpu::WaitOp,
                       gpu::HostRegisterOp, gpu::HostUnregisterOp>(op))
      expand_memory(op);
    else if (auto launch = mlir::dyn_cast<gpu::LaunchOp>(op))
      expand_launch(launch);
    else if (auto call = mlir::dyn_cast<gpu::LaunchFuncOp>(op))
      expand_launch(call);
    else if (auto branch = mlir::dyn_cast<mlir::cf::SwitchOp>(op); branch && holds_tensor(op))
      expand_switch(branch);
  }
  drop_kernels(top);
  if (!has_tokens)
    return;
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([](async::ValueType type) -> mlir::Type { return type.getValueType(); });
  replacer.addReplacement([](async::TokenType type) -> mlir::Type {
    return mlir::IntegerType::get(type.getContext(), 1);
  });
  replacer.addReplacement([](async::GroupType type) -> mlir::Type {
    return mlir::IntegerType::get(type.getContext(), 1);
  });
  replacer.recursivelyReplaceElementsIn(top, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}
