// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one-shot-bufferize treats collectives: each becomes the same op on
// buffers, which reads its operands and allocates its results. A wait reads
// the operands that it keeps, so the analysis never writes into one in place
// during the transfer.

#include "Registration.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace comm;

/// The buffer that holds a tensor which an op has allocated: dense, in memory of the default space.
static BufferLikeType allocatedType(Type tensor) {
  return cast<BufferLikeType>(getMemRefTypeWithStaticIdentityLayout(cast<TensorType>(tensor)));
}

static SmallVector<Type> allocatedTypes(TypeRange tensors) {
  return llvm::map_to_vector(tensors, [](Type tensor) -> Type { return allocatedType(tensor); });
}

/// The buffers of all operands of an op, which are tensors.
static FailureOr<SmallVector<Value>> getBuffers(Operation *op, RewriterBase &rewriter,
                                                const BufferizationOptions &options, BufferizationState &state) {
  SmallVector<Value> buffers;
  for (Value operand : op->getOperands()) {
    FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
    if (failed(buffer))
      return failure();
    buffers.push_back(*buffer);
  }
  return buffers;
}

namespace {
/// What collectives and waits have in common: they read all tensors, write none of them, and yield new buffers.
template <typename ModelT, typename OpT>
struct ReadsAndAllocates : BufferizableOpInterface::ExternalModel<ModelT, OpT> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const { return true; }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &, const AnalysisState &) const { return false; }
  AliasingValueList getAliasingValues(Operation *, OpOperand &, const AnalysisState &) const { return {}; }
  bool bufferizesToAllocation(Operation *, Value) const { return true; }
  FailureOr<BufferLikeType> getBufferType(Operation *, Value value, const BufferizationOptions &,
                                          const BufferizationState &, SmallVector<Value> &) const {
    return allocatedType(value.getType());
  }
};

template <typename OpT>
struct CollectiveModel : ReadsAndAllocates<CollectiveModel<OpT>, OpT> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto collective = cast<CollectiveInterface>(op);
    if (collective.hasBuffers())
      return success();
    FailureOr<SmallVector<Value>> inputs = getBuffers(op, rewriter, options, state);
    if (failed(inputs))
      return failure();
    SmallVector<Type> yielded = allocatedTypes(collective.getYieldedTypes());
    if (collective.isAsync())
      yielded = {FutureType::get(op->getContext(), yielded)};

    OperationState replacement(op->getLoc(), op->getName(), *inputs, yielded, op->getAttrs());
    Operation *bufferized = rewriter.create(replacement);
    replaceOpWithBufferizedValues(rewriter, op, bufferized->getResults());
    return success();
  }
};

/// A fused op: its regions work on scalars and go over to the new op as they are.
template <typename OpT>
struct FusedModel : ReadsAndAllocates<FusedModel<OpT>, OpT> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<SmallVector<Value>> operands = getBuffers(op, rewriter, options, state);
    if (failed(operands))
      return failure();
    OperationState replacement(op->getLoc(), op->getName(), *operands, allocatedTypes(op->getResultTypes()),
                               op->getDiscardableAttrDictionary().getValue());
    replacement.propertiesAttr = op->getPropertiesAsAttribute();
    for (unsigned index = 0; index < op->getNumRegions(); ++index)
      replacement.addRegion();
    Operation *bufferized = rewriter.create(replacement);
    for (auto [from, to] : llvm::zip(op->getRegions(), bufferized->getRegions()))
      rewriter.inlineRegionBefore(from, to, to.end());
    replaceOpWithBufferizedValues(rewriter, op, bufferized->getResults());
    return success();
  }
};

struct WaitModel : ReadsAndAllocates<WaitModel, WaitOp> {
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &,
                          BufferizationState &) const {
    auto wait = cast<WaitOp>(op);
    // The start stands above, so it has been bufferized; its buffers are the ones to keep.
    auto start = wait.getFuture().getDefiningOp<CollectiveInterface>();
    if (!start || !start.hasBuffers())
      return op->emitOpError("waits for a collective that was not bufferized");
    auto bufferized = WaitOp::create(rewriter, op->getLoc(), wait.getFuture(), start.getInputs());
    replaceOpWithBufferizedValues(rewriter, op, bufferized->getResults());
    return success();
  }
};
} // namespace

void comm::registerBufferization(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, CommDialect *) {
    AllGatherOp::attachInterface<CollectiveModel<AllGatherOp>>(*context);
    ReduceScatterOp::attachInterface<CollectiveModel<ReduceScatterOp>>(*context);
    AllReduceOp::attachInterface<CollectiveModel<AllReduceOp>>(*context);
    AllToAllOp::attachInterface<CollectiveModel<AllToAllOp>>(*context);
    PermuteOp::attachInterface<CollectiveModel<PermuteOp>>(*context);
    BroadcastOp::attachInterface<CollectiveModel<BroadcastOp>>(*context);
    WaitOp::attachInterface<WaitModel>(*context);
    AllGatherMatmulOp::attachInterface<FusedModel<AllGatherMatmulOp>>(*context);
    MatmulReduceScatterOp::attachInterface<FusedModel<MatmulReduceScatterOp>>(*context);
  });
}
