// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts, effects and shapes of the fused ops. Accessors by index expect an op
// that has been verified.

#include "FusedOps.h"

#include "Groups.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace comm;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

int64_t comm::findResult(AffineMap map, unsigned dim) {
  for (auto [index, result] : llvm::enumerate(map.getResults()))
    if (auto expression = dyn_cast<AffineDimExpr>(result); expression && expression.getPosition() == dim)
      return index;
  return -1;
}

SmallVector<int64_t> comm::scaledExtents(Type type, int64_t scaled, int64_t factor) {
  SmallVector<int64_t> shape(cast<ShapedType>(type).getShape());
  if (scaled < 0 || ShapedType::isDynamic(shape[scaled]))
    return shape;
  if (llvm::MulOverflow(shape[scaled], factor, shape[scaled]))
    shape[scaled] = ShapedType::kDynamic;
  return shape;
}

ShapedType comm::allocatedLike(Type like, ArrayRef<int64_t> shape, Type element) {
  if (isa<RankedTensorType>(like))
    return RankedTensorType::get(shape, element);
  return MemRefType::get(shape, element, MemRefLayoutAttrInterface(), cast<MemRefType>(like).getMemorySpace());
}

static SmallVector<AffineMap, 3> mapsOfProduct(ArrayAttr maps, unsigned index) {
  SmallVector<AffineMap, 3> result;
  for (Attribute map : maps.getValue().slice(3 * index, 3))
    result.push_back(cast<AffineMapAttr>(map).getValue());
  return result;
}

SmallVector<AffineMap, 3> AllGatherMatmulOp::getMaps(unsigned index) { return mapsOfProduct(getProductMaps(), index); }
SmallVector<AffineMap, 3> MatmulReduceScatterOp::getMaps(unsigned index) {
  return mapsOfProduct(getProductMaps(), index);
}

OperandRange AllGatherMatmulOp::getOperandsOfEpilogue(unsigned index) {
  ArrayRef<int64_t> counts = getEpilogueCounts();
  int64_t begin = std::accumulate(counts.begin(), counts.begin() + index, int64_t(0));
  return getEpilogueOperands().slice(begin, counts[index]);
}

SmallVector<AffineMap> AllGatherMatmulOp::getMapsOfEpilogue(unsigned index) {
  ArrayRef<int64_t> counts = getEpilogueCounts();
  int64_t begin = std::accumulate(counts.begin(), counts.begin() + index, int64_t(0));
  SmallVector<AffineMap> result;
  for (Attribute map : getEpilogueMaps().getValue().slice(begin, counts[index]))
    result.push_back(cast<AffineMapAttr>(map).getValue());
  return result;
}

int64_t AllGatherMatmulOp::getPlacedDim(unsigned index) {
  SmallVector<AffineMap, 3> maps = getMaps(index);
  return findResult(maps[2], maps[0].getDimPosition(getDim(0)));
}

/// Type of the first argument of `region`, or `otherwise` where it is empty.
static Type firstArgument(Region &region, Type otherwise) {
  return region.empty() ? otherwise : region.getArgument(0).getType();
}

/// Type that `region` yields, or `otherwise` where it is empty.
static Type yieldedBy(Region &region, Type otherwise) {
  return region.empty() ? otherwise : cast<YieldOp>(region.front().getTerminator()).getValue().getType();
}

Type AllGatherMatmulOp::getAccumulatedType(unsigned index) {
  return firstArgument(getEpilogues()[index], cast<ShapedType>(getResult(index).getType()).getElementType());
}

Type MatmulReduceScatterOp::getReducedType() {
  return firstArgument(getEpilogue(), cast<ShapedType>(getResult().getType()).getElementType());
}

Type MatmulReduceScatterOp::getSentType() { return yieldedBy(getPartial(), getReducedType()); }

Type MatmulReduceScatterOp::getAccumulatedType() { return firstArgument(getPartial(), getSentType()); }

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// As a blocking collective: reads buffers, allocates its results.
static void fusedEffects(Operation *op, Effects &effects) {
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand, SideEffects::DefaultResource::get());
  for (OpResult result : op->getResults())
    effects.emplace_back(MemoryEffects::Allocate::get(), result, SideEffects::DefaultResource::get());
}

void AllGatherMatmulOp::getEffects(Effects &effects) { fusedEffects(*this, effects); }
void MatmulReduceScatterOp::getEffects(Effects &effects) { fusedEffects(*this, effects); }

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Size of dimension `dim` of `value`, times `multiplier`, divided by `divisor`; as an attribute where `type` knows it.
static OpFoldResult sizeOf(OpBuilder &builder, Location loc, Value value, int64_t dim, int64_t multiplier,
                           int64_t divisor, int64_t known) {
  if (!ShapedType::isDynamic(known))
    return builder.getIndexAttr(known);
  Value size = getValueOrCreateConstantIndexOp(builder, loc, tensor::getMixedSize(builder, loc, value, dim));
  if (divisor != 1)
    size = arith::DivUIOp::create(builder, loc, size, arith::ConstantIndexOp::create(builder, loc, divisor));
  if (multiplier != 1)
    size = arith::MulIOp::create(builder, loc, size, arith::ConstantIndexOp::create(builder, loc, multiplier));
  return size;
}

LogicalResult AllGatherMatmulOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  std::optional<int64_t> group = findGroupSize(*this, getGroups());
  if (hasBuffers() || !group)
    return failure();
  auto known = [&](unsigned result, int64_t dim) { return cast<ShapedType>(getResult(result).getType()).getDimSize(dim); };
  for (int64_t index = 0; index < getNumProducts(); ++index) {
    SmallVector<AffineMap, 3> maps = getMaps(index);
    SmallVector<OpFoldResult> sizes;
    for (auto [dim, expression] : llvm::enumerate(maps[2].getResults())) {
      unsigned iteration = cast<AffineDimExpr>(expression).getPosition();
      int64_t gathered = findResult(maps[0], iteration);
      bool own = gathered >= 0;
      sizes.push_back(sizeOf(builder, getLoc(), own ? getGathered()[0] : getFactors()[index],
                             own ? gathered : findResult(maps[1], iteration), gathered == getDim(0) ? *group : 1, 1,
                             known(index, dim)));
    }
    shapes.push_back(std::move(sizes));
  }
  for (auto [position, index] : llvm::enumerate(getReturned())) {
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim = 0, rank = cast<ShapedType>(getGathered()[index].getType()).getRank(); dim < rank; ++dim)
      sizes.push_back(sizeOf(builder, getLoc(), getGathered()[index], dim, dim == getDim(index) ? *group : 1, 1,
                             known(getNumProducts() + position, dim)));
    shapes.push_back(std::move(sizes));
  }
  return success();
}

LogicalResult MatmulReduceScatterOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  std::optional<int64_t> group = findGroupSize(*this, getGroups());
  if (hasBuffers() || !group)
    return failure();
  SmallVector<AffineMap, 3> maps = getMaps(0);
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, expression] : llvm::enumerate(maps[2].getResults())) {
    unsigned iteration = cast<AffineDimExpr>(expression).getPosition();
    int64_t left = findResult(maps[0], iteration);
    sizes.push_back(sizeOf(builder, getLoc(), getFactors()[left >= 0 ? 0 : 1],
                           left >= 0 ? left : findResult(maps[1], iteration), 1,
                           static_cast<uint64_t>(dim) == getDim() ? *group : 1,
                           cast<ShapedType>(getResult().getType()).getDimSize(dim)));
  }
  shapes.push_back(std::move(sizes));
  return success();
}
