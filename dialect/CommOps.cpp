// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape inference and effects of the ops. Verifiers are in Verifiers.cpp,
// rewrites in Canonicalization.cpp.

#include "Assembly.h"
#include "Comm.h"
#include "Groups.h"

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

/// Dimension that applies to tensor `index`: one entry serves all tensors.
static int64_t dimOf(ArrayRef<int64_t> dims, unsigned index) { return dims.size() == 1 ? dims[0] : dims[index]; }

/// Fails with an error where `dim` is no dimension of operand `index`.
static LogicalResult checkDim(Operation *op, StringRef what, unsigned index, int64_t dim) {
  auto type = cast<RankedTensorType>(op->getOperand(index).getType());
  if (dim >= 0 && dim < type.getRank())
    return success();
  return op->emitOpError() << "has " << what << " " << dim << ", but operand #" << index << " of type " << type
                           << " has " << type.getRank() << " dimension(s)";
}

/// Fails with an error where the group does not divide dimension `dim` of operand `index`.
static LogicalResult checkDivisible(Operation *op, unsigned index, int64_t dim, int64_t groupSize) {
  auto type = cast<RankedTensorType>(op->getOperand(index).getType());
  if (type.isDynamicDim(dim) || type.getDimSize(dim) % groupSize == 0)
    return success();
  return op->emitOpError() << "splits dimension " << dim << " of operand #" << index << " of type " << type << " over "
                           << groupSize << " devices, which do not divide it";
}

/// The operand's type with each dimension scaled as the op says. Fails with an error where a size is out of range.
template <typename OpT>
static FailureOr<RankedTensorType> scaleType(OpT op, unsigned index, int64_t groupSize) {
  auto type = cast<RankedTensorType>(op.getInputs()[index].getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, size] : llvm::enumerate(shape)) {
    auto [multiplier, divisor] = op.getDimScale(index, dim, groupSize);
    if (ShapedType::isDynamic(size))
      continue;
    int64_t scaled;
    if (llvm::MulOverflow(size / divisor, multiplier, scaled))
      return op.emitOpError() << "makes dimension " << dim << " of operand #" << index << " of type " << type << " "
                              << groupSize << " times as large, which is out of range",
             failure();
    size = scaled;
  }
  return type.clone(shape);
}

FailureOr<RankedTensorType> AllGatherOp::inferTensorType(unsigned index, int64_t groupSize) {
  int64_t dim = dimOf(getDims(), index);
  if (failed(checkDim(*this, "gather dimension", index, dim)))
    return failure();
  return scaleType(*this, index, groupSize);
}

std::pair<int64_t, int64_t> AllGatherOp::getDimScale(unsigned index, int64_t dim, int64_t groupSize) {
  return {dim == dimOf(getDims(), index) ? groupSize : 1, 1};
}

FailureOr<RankedTensorType> ReduceScatterOp::inferTensorType(unsigned index, int64_t groupSize) {
  int64_t dim = dimOf(getDims(), index);
  if (failed(checkDim(*this, "scatter dimension", index, dim)) ||
      failed(checkDivisible(*this, index, dim, groupSize)))
    return failure();
  return scaleType(*this, index, groupSize);
}

std::pair<int64_t, int64_t> ReduceScatterOp::getDimScale(unsigned index, int64_t dim, int64_t groupSize) {
  return {1, dim == dimOf(getDims(), index) ? groupSize : 1};
}

FailureOr<RankedTensorType> AllToAllOp::inferTensorType(unsigned index, int64_t groupSize) {
  if (failed(checkDim(*this, "split dimension", index, getSplit())) ||
      failed(checkDim(*this, "concatenation dimension", index, getConcat())) ||
      failed(checkDivisible(*this, index, getSplit(), groupSize)))
    return failure();
  return scaleType(*this, index, groupSize);
}

std::pair<int64_t, int64_t> AllToAllOp::getDimScale(unsigned, int64_t dim, int64_t groupSize) {
  return {dim == static_cast<int64_t>(getConcat()) ? groupSize : 1,
          dim == static_cast<int64_t>(getSplit()) ? groupSize : 1};
}

// The others keep the type of their operand.
#define COMM_SAME_TYPE(OpT)                                                                                            \
  FailureOr<RankedTensorType> OpT::inferTensorType(unsigned index, int64_t) {                                          \
    return cast<RankedTensorType>(getInputs()[index].getType());                                                       \
  }                                                                                                                    \
  std::pair<int64_t, int64_t> OpT::getDimScale(unsigned, int64_t, int64_t) { return {1, 1}; }
COMM_SAME_TYPE(AllReduceOp)
COMM_SAME_TYPE(PermuteOp)
COMM_SAME_TYPE(BroadcastOp)
#undef COMM_SAME_TYPE

/// Shapes of blocking results in terms of the operands' shapes.
static LogicalResult reifyShapes(CollectiveInterface op, OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  Attribute groups = op.getGroupsAttrOrNull();
  std::optional<int64_t> groupSize = groups ? findGroupSize(op, groups) : std::optional<int64_t>(1);
  if (op.isAsync() || !groupSize)
    return failure();
  Location loc = op.getLoc();
  for (auto [index, input] : llvm::enumerate(op.getInputs())) {
    SmallVector<OpFoldResult> dims = tensor::getMixedSizes(builder, loc, input);
    for (auto [dim, size] : llvm::enumerate(dims)) {
      auto [multiplier, divisor] = op.getDimScale(index, dim, *groupSize);
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
  if (mergeable) {
    effects.emplace_back(MemoryEffects::Read::get(), NetworkResource::get());
    return;
  }
  for (OpResult result : op->getResults())
    effects.emplace_back(MemoryEffects::Allocate::get(), result, SideEffects::DefaultResource::get());
}

void WaitOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Free::get(), &getFutureMutable(), SideEffects::DefaultResource::get());
}

#define COMM_COLLECTIVE(OpT)                                                                                           \
  void OpT::getEffects(Effects &effects) { collectiveEffects(*this, getMergeable(), effects); }                        \
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
