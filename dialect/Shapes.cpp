// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shapes.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace comm;

int64_t comm::dimOf(ArrayRef<int64_t> dims, unsigned index) { return dims.size() == 1 ? dims[0] : dims[index]; }

/// Fails with an error where `dim` is no dimension of operand `index`.
static LogicalResult checkDim(Operation *op, StringRef what, unsigned index, int64_t dim) {
  auto type = cast<ShapedType>(op->getOperand(index).getType());
  if (dim >= 0 && dim < type.getRank())
    return success();
  return op->emitOpError() << "has " << what << " " << dim << ", but operand #" << index << " of type " << type
                           << " has " << type.getRank() << " dimension(s)";
}

FailureOr<SmallVector<int64_t>> comm::scaleShape(Operation *op, unsigned index, Scaling scaling, int64_t groupSize) {
  auto type = cast<ShapedType>(op->getOperand(index).getType());
  SmallVector<int64_t> shape(type.getShape());
  bool both = scaling.gathered != -1 && scaling.split != -1;
  if (scaling.split != -1) {
    if (failed(checkDim(op, both ? "split dimension" : "scatter dimension", index, scaling.split)))
      return failure();
  }
  if (scaling.gathered != -1) {
    if (failed(checkDim(op, both ? "concatenation dimension" : "gather dimension", index, scaling.gathered)))
      return failure();
  }
  if (scaling.split != -1 && !ShapedType::isDynamic(shape[scaling.split])) {
    if (shape[scaling.split] % groupSize != 0)
      return op->emitOpError() << "splits dimension " << scaling.split << " of operand #" << index << " of type "
                               << type << " over " << groupSize << " devices, which do not divide it",
             failure();
    shape[scaling.split] /= groupSize;
  }
  if (scaling.gathered != -1 && !ShapedType::isDynamic(shape[scaling.gathered])) {
    int64_t &size = shape[scaling.gathered];
    if (llvm::MulOverflow(size, groupSize, size))
      return op->emitOpError() << "makes dimension " << scaling.gathered << " of operand #" << index << " of type "
                               << type << " " << groupSize << " times as large, which is out of range",
             failure();
  }
  return shape;
}

LogicalResult comm::verifyDims(Operation *op, ArrayRef<int64_t> dims, size_t tensors) {
  if (dims.size() == 1 || dims.size() == tensors)
    return success();
  return op->emitOpError() << "has " << dims.size() << " dimensions for " << tensors
                           << " tensor(s); one for all or one for each is expected";
}

LogicalResult comm::verifyReduction(Operation *op, Reduction kind, ValueRange inputs) {
  bool bitwise = llvm::is_contained({Reduction::And, Reduction::Or, Reduction::Xor}, kind);
  for (auto [index, type] : llvm::enumerate(inputs.getTypes())) {
    Type element = getElementTypeOrSelf(type);
    bool known = isa<ComplexType>(element) || element.isIntOrIndexOrFloat();
    bool ordered = kind == Reduction::Min || kind == Reduction::Max;
    if (!known || (bitwise && !element.isIntOrIndex()) || (ordered && isa<ComplexType>(element)) ||
        (kind == Reduction::Avg && element.isIntOrIndex()))
      return op->emitOpError() << "cannot combine operand #" << index << " of element type " << element << " by '"
                               << stringifyReduction(kind) << "'";
  }
  return success();
}

LogicalResult comm::verifyPairs(Operation *op, ArrayRef<int64_t> pairs) {
  if (pairs.size() % 2 != 0)
    return op->emitOpError("has an odd number of ranks in its pairs");
  llvm::SmallDenseSet<int64_t> sources, targets;
  for (size_t i = 0; i < pairs.size(); i += 2) {
    int64_t source = pairs[i], target = pairs[i + 1];
    if (source < 0 || target < 0)
      return op->emitOpError() << "has the negative rank " << std::min(source, target) << " in its pairs";
    if (std::max(source, target) >= kMaxDevices)
      return op->emitOpError() << "has rank " << std::max(source, target) << " in its pairs; ranks are below "
                               << kMaxDevices;
    if (!sources.insert(source).second)
      return op->emitOpError() << "has rank " << source << " twice as a source";
    if (!targets.insert(target).second)
      return op->emitOpError() << "has rank " << target << " twice as a target";
  }
  return success();
}

LogicalResult comm::verifyRoot(Operation *op, int64_t root, int64_t groupSize) {
  if (root >= 0 && root < groupSize)
    return success();
  return op->emitOpError() << "has root " << root << ", but its groups have positions 0 to " << groupSize - 1;
}
