// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites that are always right: nobody uses the result, or the group has one
// member. They are patterns, not folders, since they erase a start together
// with its wait.

#include "Comm.h"
#include "Groups.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace comm;

/// Whether each group of `op` has one member, so that the op yields its operands. A buffer of the op is never the operand's.
static bool hasGroupsOfOne(CollectiveInterface op) {
  Attribute groups = op.getGroupsAttrOrNull();
  return groups && !op.hasBuffers() && findGroupSize(op, groups) == 1;
}

/// `values`, cast where only their static shapes differ from `types`.
static SmallVector<Value> castTo(PatternRewriter &rewriter, Location loc, ValueRange values, TypeRange types) {
  SmallVector<Value> result;
  for (auto [value, type] : llvm::zip(values, types))
    result.push_back(value.getType() == type ? value : tensor::CastOp::create(rewriter, loc, type, value).getResult());
  return result;
}

namespace {
/// A blocking collective in groups of one.
struct ForwardBlocking : OpInterfaceRewritePattern<CollectiveInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(CollectiveInterface op, PatternRewriter &rewriter) const override {
    // In a graph region an op may be its own operand.
    bool usesItself = llvm::any_of(op.getInputs(), [&](Value input) { return input.getDefiningOp() == op; });
    if (op.isAsync() || usesItself || !hasGroupsOfOne(op))
      return failure();
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), op.getInputs(), op->getResultTypes()));
    return success();
  }
};

/// A start and wait in groups of one, or whose tensors nobody uses.
struct EraseOrForwardPair : OpRewritePattern<WaitOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(WaitOp wait, PatternRewriter &rewriter) const override {
    auto start = wait.getFuture().getDefiningOp<CollectiveInterface>();
    if (!start)
      return failure();
    if (wait.use_empty()) {
      rewriter.eraseOp(wait);
    } else if (hasGroupsOfOne(start) &&
               llvm::none_of(start.getInputs(), [&](Value input) { return input.getDefiningOp() == wait; })) {
      rewriter.replaceOp(wait, castTo(rewriter, wait.getLoc(), start.getInputs(), wait->getResultTypes()));
    } else {
      return failure();
    }
    if (start->use_empty())
      rewriter.eraseOp(start);
    return success();
  }
};
} // namespace

void WaitOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<EraseOrForwardPair>(context);
}

/// Patterns on the interface match every collective, so one op registers them for all.
void AllGatherOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ForwardBlocking>(context);
}
