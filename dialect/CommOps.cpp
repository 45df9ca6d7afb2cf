// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape inference and effects of the ops. Verifiers are in Verifiers.cpp,
// rewrites in Canonicalization.cpp.

#include "Assembly.h"
#include "Comm.h"
#include "Groups.h"
#include "Shapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace comm;

#define GET_OP_CLASSES
#include "CommOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Shape inference
//===----------------------------------------------------------------------===//

Scaling AllGatherOp::getScaling(unsigned index) { return {dimOf(getDims(), index), -1}; }
Scaling ReduceScatterOp::getScaling(unsigned index) { return {-1, dimOf(getDims(), index)}; }
Scaling AllToAllOp::getScaling(unsigned) {
  return {static_cast<int64_t>(getConcat()), static_cast<int64_t>(getSplit())};
}
Scaling AllReduceOp::getScaling(unsigned) { return {}; }
Scaling PermuteOp::getScaling(unsigned) { return {}; }
Scaling BroadcastOp::getScaling(unsigned) { return {}; }

/// The operand's type with the sizes that the op gives it. A buffer is made by the op, so it has no strides.
static FailureOr<ShapedType> inferType(CollectiveInterface op, unsigned index, int64_t groupSize) {
  FailureOr<SmallVector<int64_t>> shape = scaleShape(op, index, op.getScaling(index), groupSize);
  if (failed(shape))
    return failure();
  Type type = op.getInputs()[index].getType();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return ShapedType(tensor.clone(*shape));
  auto memref = cast<MemRefType>(type);
  return ShapedType(MemRefType::get(*shape, memref.getElementType(), MemRefLayoutAttrInterface(), memref.getMemorySpace()));
}

/// Shapes of blocking results in terms of the operands' shapes.
static LogicalResult reifyShapes(CollectiveInterface op, OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  Attribute groups = op.getGroupsAttrOrNull();
  std::optional<int64_t> groupSize = groups ? findGroupSize(op, groups) : std::optional<int64_t>(1);
  if (op.isAsync() || op.hasBuffers() || !groupSize)
    return failure();
  Location loc = op.getLoc();
  for (auto [index, input] : llvm::enumerate(op.getInputs())) {
    SmallVector<OpFoldResult> dims = tensor::getMixedSizes(builder, loc, input);
    for (auto [dim, size] : llvm::enumerate(dims)) {
      Scaling scaling = op.getScaling(index);
      int64_t multiplier = scaling.gathered == static_cast<int64_t>(dim) ? *groupSize : 1;
      int64_t divisor = scaling.split == static_cast<int64_t>(dim) ? *groupSize : 1;
      auto resultType = cast<RankedTensorType>(op->getResult(index).getType());
      if (!resultType.isDynamicDim(dim)) {
        size = builder.getIndexAttr(resultType.getDimSize(dim));
        continue;
      }
      Value value = getValueOrCreateConstantIndexOp(builder, loc, size);
      if (divisor != 1)
        value = arith::DivUIOp::create(builder, loc, value, arith::ConstantIndexOp::create(builder, loc, divisor));
      if (multiplier != 1)
        value = arith::MulIOp::create(builder, loc, value, arith::ConstantIndexOp::create(builder, loc, multiplier));
      size = value;
    }
    shapes.push_back(std::move(dims));
  }
  return success();
}

LogicalResult WaitOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, ValueRange operands,
                                       DictionaryAttr, OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  auto future = operands.empty() ? FutureType() : dyn_cast<FutureType>(operands.front().getType());
  if (!future)
    return emitOptionalError(location, "expected a future to wait for");
  llvm::append_range(types, future.getTypes());
  return success();
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// A read keeps CSE able to merge, but nothing may sink, hoist or speculate it.
static void collectiveEffects(Operation *op, bool mergeable, Effects &effects) {
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand, SideEffects::DefaultResource::get());
  // Buffers are never merged: each is written by who owns it.
  if (mergeable && !cast<CollectiveInterface>(op).hasBuffers()) {
    effects.emplace_back(MemoryEffects::Read::get(), NetworkResource::get());
    return;
  }
  for (OpResult result : op->getResults())
    effects.emplace_back(MemoryEffects::Allocate::get(), result, SideEffects::DefaultResource::get());
}

void WaitOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Free::get(), &getFutureMutable(), SideEffects::DefaultResource::get());
  for (OpOperand &kept : getKeptMutable())
    if (isa<MemRefType>(kept.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &kept, SideEffects::DefaultResource::get());
}

#define COMM_COLLECTIVE(OpT)                                                                                           \
  void OpT::getEffects(Effects &effects) { collectiveEffects(*this, getMergeable(), effects); }                        \
  FailureOr<ShapedType> OpT::inferResultType(unsigned index, int64_t groupSize) {                                      \
    return inferType(cast<CollectiveInterface>(getOperation()), index, groupSize);                                     \
  }                                                                                                                    \
  LogicalResult OpT::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {                      \
    return reifyShapes(cast<CollectiveInterface>(getOperation()), builder, shapes);                                    \
  }
COMM_COLLECTIVE(AllGatherOp)
COMM_COLLECTIVE(ReduceScatterOp)
COMM_COLLECTIVE(AllReduceOp)
COMM_COLLECTIVE(AllToAllOp)
COMM_COLLECTIVE(PermuteOp)
COMM_COLLECTIVE(BroadcastOp)
#undef COMM_COLLECTIVE

Attribute PermuteOp::getGroupsAttrOrNull() { return {}; }
#define COMM_GROUPED(OpT)                                                                                              \
  Attribute OpT::getGroupsAttrOrNull() { return getGroups(); }
COMM_GROUPED(AllGatherOp)
COMM_GROUPED(ReduceScatterOp)
COMM_GROUPED(AllReduceOp)
COMM_GROUPED(AllToAllOp)
COMM_GROUPED(BroadcastOp)
#undef COMM_GROUPED
