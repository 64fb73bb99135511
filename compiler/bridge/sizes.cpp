// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/sizes.h"

#include <llvm/ADT/DenseMap.h>
#include <mlir/CAPI/IR.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

namespace {

using mlir::AffineExpr;
using mlir::Value;

// Sizes that must be equal are one class. A class has a size once something fixes it.
class Sizes {
public:
  int fresh(int64_t size = 0) {
    parent.push_back(static_cast<int>(parent.size()));
    value.push_back(size);
    return static_cast<int>(parent.size()) - 1;
  }

  int find(int node) {
    while (parent[node] != node)
      node = parent[node] = parent[parent[node]];
    return node;
  }

  void unite(int a, int b) {
    a = find(a), b = find(b);
    if (a == b)
      return;
    if (value[a] == 0)
      value[a] = value[b];
    parent[b] = a;
  }

  int64_t known(int node) {
    return value[find(node)];
  } // 0: not
  void set(int node, int64_t size) {
    value[find(node)] = size;
  }

  int of(Value shaped, int64_t dim) {
    auto [at, is_new] = dims.try_emplace({shaped, dim}, 0);
    if (is_new) {
      auto type = mlir::cast<mlir::ShapedType>(shaped.getType());
      int node = fresh(type.isDynamicDim(dim) ? 0 : type.getDimSize(dim));
      dims[{shaped, dim}] = node;
      return node;
    }
    return at->second;
  }

  int of(Value index) {
    auto [at, is_new] = dims.try_emplace({index, -1}, 0);
    if (is_new) {
      int node = fresh();
      dims[{index, -1}] = node;
      return node;
    }
    return at->second;
  }

  void tie(Value a, Value b) {
    auto x = mlir::dyn_cast<mlir::ShapedType>(a.getType());
    auto y = mlir::dyn_cast<mlir::ShapedType>(b.getType());
    if (a.getType().isIndex() && b.getType().isIndex())
      unite(of(a), of(b));
    if (!x || !y || !x.hasRank() || !y.hasRank() || x.getRank() != y.getRank())
      return;
    for (int64_t i = 0; i < x.getRank(); i++)
      unite(of(a, i), of(b, i));
  }

private:
  llvm::SmallVector<int> parent;
  llvm::SmallVector<int64_t> value;
  llvm::DenseMap<std::pair<Value, int64_t>, int> dims;
};

// A dimension that an expression of several loops walks through: as in a convolution's input.
struct Walk {
  int size;
  AffineExpr expression;
  llvm::SmallVector<int> loops;
};

bool is_ranked(Value value) {
  auto type = mlir::dyn_cast<mlir::ShapedType>(value.getType());
  return type && type.hasRank();
}

void look_at_linalg(mlir::linalg::LinalgOp op, Sizes &sizes, llvm::SmallVector<Walk> &walks) {
  llvm::SmallVector<int> loops;
  for (unsigned i = 0; i < op.getNumLoops(); i++)
    loops.push_back(sizes.fresh());
  for (mlir::OpOperand &operand : op->getOpOperands()) {
    if (!is_ranked(operand.get()))
      continue;
    mlir::AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expression] : llvm::enumerate(map.getResults())) {
      int node = sizes.of(operand.get(), static_cast<int64_t>(dim));
      if (auto loop = mlir::dyn_cast<mlir::AffineDimExpr>(expression))
        sizes.unite(loops[loop.getPosition()], node);
      else if (!mlir::isa<mlir::AffineConstantExpr>(expression))
        walks.push_back({node, expression, loops});
    }
  }
  for (auto [result, init] : llvm::zip(op->getResults(), op.getDpsInits()))
    sizes.tie(result, init);
}

void look_at_sizes(mlir::ValueRange given, Value made, Sizes &sizes) {
  auto type = mlir::cast<mlir::ShapedType>(made.getType());
  size_t at = 0;
  for (int64_t i = 0; i < type.getRank(); i++)
    if (type.isDynamicDim(i) && at < given.size())
      sizes.unite(sizes.of(made, i), sizes.of(given[at++]));
}

template <typename Dim> void look_at_dim(Dim op, Value shaped, Sizes &sizes) {
  auto type = mlir::cast<mlir::ShapedType>(shaped.getType());
  std::optional<int64_t> dim = op.getConstantIndex();
  if (dim && type.hasRank() && *dim >= 0 && *dim < type.getRank())
    sizes.unite(sizes.of(shaped, *dim), sizes.of(op.getResult()));
}

void look_at(mlir::Operation *op, Sizes &sizes, llvm::SmallVector<Walk> &walks) {
  if (auto linalg = mlir::dyn_cast<mlir::linalg::LinalgOp>(op))
    return look_at_linalg(linalg, sizes, walks);
  if (auto dim = mlir::dyn_cast<mlir::tensor::DimOp>(op))
    return look_at_dim(dim, dim.getSource(), sizes);
  if (auto dim = mlir::dyn_cast<mlir::memref::DimOp>(op))
    return look_at_dim(dim, dim.getSource(), sizes);
  if (auto empty = mlir::dyn_cast<mlir::tensor::EmptyOp>(op))
    return look_at_sizes(empty.getDynamicSizes(), empty, sizes);
  if (auto alloc = mlir::dyn_cast<mlir::memref::AllocOp>(op))
    return look_at_sizes(alloc.getDynamicSizes(), alloc, sizes);
  if (auto constant = mlir::dyn_cast<mlir::arith::ConstantIndexOp>(op)) {
    if (constant.value() > 0)
      sizes.unite(sizes.of(constant.getResult()), sizes.fresh(constant.value()));
    return;
  }
  if (mlir::isa<mlir::tensor::CastOp, mlir::memref::CastOp>(op))
    return sizes.tie(op->getOperand(0), op->getResult(0));
  if (auto copy = mlir::dyn_cast<mlir::memref::CopyOp>(op))
    return sizes.tie(copy.getSource(), copy.getTarget());
  if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op)) {
    for (auto [init, argument, result] :
         llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults())) {
      sizes.tie(init, argument);
      sizes.tie(init, result);
    }
    return;
  }
  if (op->hasTrait<mlir::OpTrait::Elementwise>())
    for (Value operand : op->getOperands())
      if (op->getNumResults() == 1)
        sizes.tie(operand, op->getResult(0));
}

// The largest index of an expression whose factors are not negative, each loop at its last turn.
// nullopt where it is no such expression.
std::optional<int64_t> last_index(AffineExpr expression, llvm::ArrayRef<int> loops, Sizes &sizes,
                                  int64_t usual) {
  if (auto constant = mlir::dyn_cast<mlir::AffineConstantExpr>(expression))
    return constant.getValue();
  if (auto loop = mlir::dyn_cast<mlir::AffineDimExpr>(expression)) {
    int64_t size = sizes.known(loops[loop.getPosition()]);
    return (size > 0 ? size : usual) - 1;
  }
  auto binary = mlir::dyn_cast<mlir::AffineBinaryOpExpr>(expression);
  if (!binary)
    return std::nullopt;
  auto left = last_index(binary.getLHS(), loops, sizes, usual);
  auto right = last_index(binary.getRHS(), loops, sizes, usual);
  if (!left || !right || *left < 0 || *right < 0)
    return std::nullopt;
  switch (expression.getKind()) {
  case mlir::AffineExprKind::Add:
    return *left + *right;
  case mlir::AffineExprKind::Mul:
    return *left * *right;
  case mlir::AffineExprKind::FloorDiv:
    return *right == 0 ? std::nullopt : std::optional(*left / *right);
  default:
    return std::nullopt;
  }
}

// The loops that an expression walks and that nothing has fixed.
llvm::SmallVector<int> open_loops(const Walk &walk, Sizes &sizes) {
  llvm::SmallVector<int> open;
  walk.expression.walk([&](AffineExpr part) {
    auto loop = mlir::dyn_cast<mlir::AffineDimExpr>(part);
    if (loop && sizes.known(walk.loops[loop.getPosition()]) == 0)
      open.push_back(walk.loops[loop.getPosition()]);
  });
  return open;
}

// First loops over dimensions of a known size, as many turns as fit; then sizes from loops.
void solve(llvm::ArrayRef<Walk> walks, Sizes &sizes, int64_t usual) {
  for (const Walk &walk : walks) {
    int64_t size = sizes.known(walk.size);
    if (size == 0)
      continue;
    for (int loop : open_loops(walk, sizes)) {
      int64_t turns = usual;
      for (; turns > 1; turns--) {
        sizes.set(loop, turns);
        auto last = last_index(walk.expression, walk.loops, sizes, 1);
        if (last && *last < size)
          break;
      }
      sizes.set(loop, turns);
    }
  }
  for (const Walk &walk : walks) {
    auto last = last_index(walk.expression, walk.loops, sizes, usual);
    for (int loop : open_loops(walk, sizes))
      sizes.set(loop, usual);
    if (last && sizes.known(walk.size) == 0)
      sizes.set(walk.size, *last + 1);
  }
}

} // namespace

int assay_sizes_infer(MlirOperation function, int64_t usual, int limit, int64_t out_sizes[]) {
  auto entry = mlir::dyn_cast<mlir::FunctionOpInterface>(unwrap(function));
  if (!entry || entry.isExternal())
    return 0;
  Sizes sizes;
  llvm::SmallVector<Walk> walks;
  entry->walk([&](mlir::Operation *op) { look_at(op, sizes, walks); });
  solve(walks, sizes, usual);
  int count = 0;
  for (Value argument : entry.getArguments()) {
    if (!is_ranked(argument))
      continue;
    auto type = mlir::cast<mlir::ShapedType>(argument.getType());
    for (int64_t i = 0; i < type.getRank(); i++) {
      if (!type.isDynamicDim(i))
        continue;
      if (count == limit)
        return 0;
      int64_t size = sizes.known(sizes.of(argument, i));
      out_sizes[count++] = size > 0 ? size : usual;
    }
  }
  return count;
}
