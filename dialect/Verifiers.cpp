// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is checked of each op. Checks that need only the op run in verify();
// those that need a mesh run in verifySymbolUses().

#include "Comm.h"
#include "Groups.h"
#include "Shapes.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace comm;

LogicalResult MeshOp::verify() {
  if (getAxes().size() != getShape().size())
    return emitOpError() << "has " << getAxes().size() << " axis name(s) for " << getShape().size() << " size(s)";
  int64_t devices = 1;
  llvm::SmallDenseSet<Attribute> seen;
  for (auto [axis, size] : llvm::zip(getAxes(), getShape())) {
    if (!seen.insert(axis).second)
      return emitOpError() << "names axis " << axis << " twice";
    if (size < 1)
      return emitOpError() << "has axis " << axis << " of size " << size << "; at least 1 is expected";
    // Rank lists of every group are made from this, so keep it in bounds.
    if (devices > kMaxDevices / size)
      return emitOpError() << "has more than " << kMaxDevices << " devices";
    devices *= size;
  }
  return success();
}

LogicalResult RankOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return failure(failed(getGroupSize(*this, getGroups(), &symbols)));
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Number and kind of results, and the rules of futures.
static LogicalResult verifyForm(CollectiveInterface op, bool mergeable) {
  size_t tensors = op.getInputs().size();
  if (tensors == 0)
    return op->emitOpError("expects at least one tensor");
  for (Type type : op.getInputs().getTypes())
    if (isa<MemRefType>(type) != op.hasBuffers())
      return op->emitOpError("takes either tensors or buffers, not both");
  if (!op.isAsync()) {
    for (Type type : op->getResultTypes())
      if (isa<FutureType>(type))
        return op->emitOpError() << "yields either one future or " << tensors << " tensor(s), but has "
                                 << op->getNumResults() << " results of which one is a future";
  } else if (mergeable) {
    return op->emitOpError("is 'mergeable' but asynchronous; a future has one wait, so only blocking "
                           "collectives can be merged");
  }
  size_t yielded = op.getYieldedTypes().size();
  if (yielded != tensors)
    return op->emitOpError() << "carries " << tensors << " tensor(s) but yields " << yielded;

  if (!op.isAsync())
    return success();
  Value future = op->getResult(0);
  for (Operation *user : future.getUsers()) {
    if (!isa<WaitOp>(user)) {
      InFlightDiagnostic diag = op->emitOpError("yields a future that is used by '")
                                << user->getName() << "'; a future may only be awaited by comm.wait";
      diag.attachNote(user->getLoc()) << "used here";
      return diag;
    }
    if (user->getParentRegion() != op->getParentRegion()) {
      InFlightDiagnostic diag = op->emitOpError("yields a future that is awaited in another region");
      diag.attachNote(user->getLoc()) << "awaited here";
      return diag;
    }
  }
  if (!future.use_empty() && !future.hasOneUse()) {
    InFlightDiagnostic diag = op->emitOpError("yields a future with more than one comm.wait");
    for (Operation *user : future.getUsers())
      diag.attachNote(user->getLoc()) << "awaited here";
    return diag;
  }
  return success();
}

/// Whether a yielded type is a tensor or a buffer as the inferred one, of the same elements, encoding and layout.
static bool isSameButForSizes(Type yielded, ShapedType inferred) {
  if (auto tensor = dyn_cast<RankedTensorType>(yielded)) {
    auto other = dyn_cast<RankedTensorType>(inferred);
    return other && tensor.getElementType() == other.getElementType() && tensor.getEncoding() == other.getEncoding();
  }
  auto memref = cast<MemRefType>(yielded);
  return isa<MemRefType>(inferred) && memref.getElementType() == inferred.getElementType() &&
         memref.getLayout().isIdentity();
}

/// Types of the results against those inferred for groups of `groupSize`.
static LogicalResult verifyTypes(CollectiveInterface op, int64_t groupSize) {
  for (auto [index, yielded] : llvm::enumerate(op.getYieldedTypes())) {
    FailureOr<ShapedType> inferred = op.inferResultType(index, groupSize);
    if (failed(inferred))
      return failure();
    if (!isSameButForSizes(yielded, *inferred) ||
        failed(verifyCompatibleShape(cast<ShapedType>(yielded).getShape(), inferred->getShape())))
      return op->emitOpError() << "yields " << yielded << " as result #" << index << ", but for groups of " << groupSize
                               << " " << *inferred << " is expected";
  }
  return success();
}

/// All of the above; what needs a mesh is left to verifySymbolUses().
static LogicalResult verifyCollective(CollectiveInterface op, bool mergeable) {
  if (failed(verifyForm(op, mergeable)))
    return failure();
  Attribute groups = op.getGroupsAttrOrNull();
  if (!groups)
    return verifyTypes(op, /*groupSize=*/1);
  if (auto explicitGroups = dyn_cast<GroupsAttr>(groups))
    return verifyTypes(op, explicitGroups.getGroupSize());
  return success();
}

static LogicalResult verifyOverMesh(CollectiveInterface op, SymbolTableCollection &symbols) {
  auto axes = dyn_cast_or_null<AxesAttr>(op.getGroupsAttrOrNull());
  if (!axes)
    return success();
  FailureOr<int64_t> size = getGroupSize(op, axes, &symbols);
  return failure(failed(size) || failed(verifyTypes(op, *size)));
}

LogicalResult AllGatherOp::verify() {
  if (failed(verifyDims(*this, getDims(), getInputs().size())))
    return failure();
  return verifyCollective(*this, getMergeable());
}

LogicalResult ReduceScatterOp::verify() {
  if (failed(verifyDims(*this, getDims(), getInputs().size())) || failed(verifyReduction(*this, getKind(), getInputs())))
    return failure();
  return verifyCollective(*this, getMergeable());
}

LogicalResult AllReduceOp::verify() {
  if (failed(verifyReduction(*this, getKind(), getInputs())))
    return failure();
  return verifyCollective(*this, getMergeable());
}

LogicalResult AllToAllOp::verify() { return verifyCollective(*this, getMergeable()); }

LogicalResult PermuteOp::verify() {
  if (failed(verifyPairs(*this, getPairs())))
    return failure();
  return verifyCollective(*this, getMergeable());
}

LogicalResult BroadcastOp::verify() {
  if (auto explicitGroups = dyn_cast<GroupsAttr>(getGroups()))
    if (failed(verifyRoot(*this, getRoot(), explicitGroups.getGroupSize())))
      return failure();
  return verifyCollective(*this, getMergeable());
}

LogicalResult BroadcastOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (auto axes = dyn_cast<AxesAttr>(getGroups())) {
    FailureOr<int64_t> size = getGroupSize(*this, axes, &symbols);
    if (failed(size) || failed(verifyRoot(*this, getRoot(), *size)))
      return failure();
  }
  return verifyOverMesh(*this, symbols);
}

#define COMM_VERIFY_MESH(OpT)                                                                                          \
  LogicalResult OpT::verifySymbolUses(SymbolTableCollection &symbols) { return verifyOverMesh(*this, symbols); }
COMM_VERIFY_MESH(AllGatherOp)
COMM_VERIFY_MESH(ReduceScatterOp)
COMM_VERIFY_MESH(AllReduceOp)
COMM_VERIFY_MESH(AllToAllOp)
COMM_VERIFY_MESH(PermuteOp)
#undef COMM_VERIFY_MESH

//===----------------------------------------------------------------------===//
// Wait
//===----------------------------------------------------------------------===//

LogicalResult WaitOp::verify() {
  auto start = getFuture().getDefiningOp<CollectiveInterface>();
  if (!start)
    return emitOpError("waits for a future that no collective of this region has started; a future is no "
                       "argument and no result of other ops");
  if (start->getParentRegion() != (*this)->getParentRegion())
    return emitOpError("waits for a future that was started in another region");
  if (getKept().size() != start.getInputs().size())
    return emitOpError() << "keeps " << getKept().size() << " operand(s), but the start has "
                         << start.getInputs().size();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(getKept(), start.getInputs())))
    if (std::get<0>(pair) != std::get<1>(pair)) {
      InFlightDiagnostic diag = emitOpError() << "keeps something else than operand #" << index << " of the start";
      diag.attachNote(start.getLoc()) << "started here";
      return diag;
    }
  return success();
}
