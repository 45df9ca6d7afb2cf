// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration, verifiers and effects of comm_stream. What a program of them
// means as a whole is checked by comm-verify-stream.

#include "CommStream.h"

#include "Assembly.h"
#include "Groups.h"
#include "Shapes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace comm;
using namespace comm::stream;

#include "CommStreamDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "CommStreamTypes.cpp.inc"

#define GET_OP_CLASSES
#include "CommStreamOps.cpp.inc"

/// Views and names may be taken in a launch; whatever is issued may not.
static bool isIssued(Operation *op) {
  bool ours = isa_and_nonnull<CommStreamDialect, CommDialect>(op->getDialect()) && !isa<RankOp>(op);
  return ours && !isa<stream::ReturnOp, CurrentOp, StreamOp, LocalOp, PeerOp>(op);
}

bool comm::stream::mayStandIn(Operation *op, Region *region) {
  for (Operation *around = region->getParentOp(); around; around = around->getParentOp())
    if (isa<LaunchOp>(around))
      return !isIssued(op);
  return true;
}

namespace {
/// A function's `current` is that of its caller, so a body may be inlined as it is.
struct StreamInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *op, Region *region, bool, IRMapping &) const final {
    return mayStandIn(op, region);
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void CommStreamDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "CommStreamTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "CommStreamOps.cpp.inc"
      >();
  addInterfaces<StreamInlinerInterface>();
}

LogicalResult SymmetricType::verify(function_ref<InFlightDiagnostic()> emitError, MemRefType memref) {
  if (!memref.hasStaticShape() || !memref.getLayout().isIdentity())
    return emitError() << "a symmetric buffer has a static shape and no strides, but " << memref << " has not";
  if (!memref.getElementType().isIntOrIndexOrFloat())
    return emitError() << "a symmetric buffer holds integers or floats, not " << memref.getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// Streams, symmetric memory, order between devices
//===----------------------------------------------------------------------===//

/// A timeout is a number of milliseconds above 0; without one the world's applies.
static LogicalResult verifyTimeout(Operation *op, std::optional<uint64_t> timeout) {
  if (!timeout || static_cast<int64_t>(*timeout) > 0)
    return success();
  return op->emitOpError() << "has a timeout of " << static_cast<int64_t>(*timeout)
                           << " ms; more than 0 is expected";
}

static LogicalResult verifyChannel(Operation *op, uint64_t channel) {
  if (static_cast<int64_t>(channel) >= 0)
    return success();
  return op->emitOpError() << "has channel " << static_cast<int64_t>(channel) << "; 0 or more is expected";
}

LogicalResult StreamOp::verify() {
  if (getName().empty())
    return emitOpError("has an empty name");
  // Names reach the run-time as C strings.
  if (getName().contains('\0'))
    return emitOpError("has a zero in its name");
  return success();
}

void WaitEventOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), QueueResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), QueueResource::get());
}

LogicalResult SymmetricAllocOp::verify() { return verifyTimeout(*this, getTimeoutMs()); }

LogicalResult SymmetricAllocOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return failure(failed(getGroupSize(*this, getGroups(), &symbols)));
}

LogicalResult SymmetricFreeOp::verify() { return verifyTimeout(*this, getTimeoutMs()); }

LogicalResult BarrierOp::verify() {
  return failure(failed(verifyTimeout(*this, getTimeoutMs())) || failed(verifyChannel(*this, getChannel())));
}

LogicalResult BarrierOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return failure(failed(getGroupSize(*this, getGroups(), &symbols)));
}

LogicalResult PutSignalOp::verify() { return verifyChannel(*this, getChannel()); }

LogicalResult WaitSignalOp::verify() {
  return failure(failed(verifyTimeout(*this, getTimeoutMs())) || failed(verifyChannel(*this, getChannel())));
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Issued on a stream, reads `inputs` and writes `outputs`.
static void issuedEffects(MutableOperandRange inputs, MutableOperandRange outputs, Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), QueueResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), QueueResource::get());
  for (OpOperand &input : inputs)
    effects.emplace_back(MemoryEffects::Read::get(), &input, SideEffects::DefaultResource::get());
  for (OpOperand &output : outputs)
    effects.emplace_back(MemoryEffects::Write::get(), &output, SideEffects::DefaultResource::get());
}

void CopyOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), QueueResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), QueueResource::get());
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable(), SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable(), SideEffects::DefaultResource::get());
}

LogicalResult CopyOp::verify() {
  auto source = cast<MemRefType>(getSource().getType()), target = cast<MemRefType>(getTarget().getType());
  if (source.getElementType() != target.getElementType() ||
      failed(verifyCompatibleShape(source.getShape(), target.getShape())))
    return emitOpError() << "copies " << source << " to " << target
                         << ", but one shape and one element type are expected";
  return success();
}

void LaunchOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), QueueResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), QueueResource::get());
}

void LaunchOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent())
    regions.emplace_back(&getBody());
  else
    regions.emplace_back(getOperation(), getOperation()->getResults());
}

LogicalResult LaunchOp::verify() {
  if (getName() && getName()->contains('\0'))
    return emitOpError("has a zero in its name");
  WalkResult issued = getBody().walk([&](Operation *nested) {
    if (!isIssued(nested))
      return WalkResult::advance();
    InFlightDiagnostic diag = emitOpError() << "issues '" << nested->getName()
                                            << "'; only the program of the device issues, not what runs on streams";
    diag.attachNote(nested->getLoc()) << "issued here";
    return WalkResult::interrupt();
  });
  return failure(issued.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static Scaling scalingOf(stream::AllGatherOp op, unsigned index) { return {dimOf(op.getDims(), index), std::nullopt}; }
static Scaling scalingOf(stream::ReduceScatterOp op, unsigned index) {
  return {std::nullopt, dimOf(op.getDims(), index)};
}
static Scaling scalingOf(stream::AllToAllOp op, unsigned) {
  return {static_cast<int64_t>(op.getConcat()), static_cast<int64_t>(op.getSplit())};
}
static Scaling scalingOf(stream::AllReduceOp, unsigned) { return {}; }
static Scaling scalingOf(stream::PermuteOp, unsigned) { return {}; }
static Scaling scalingOf(stream::BroadcastOp, unsigned) { return {}; }

/// Types of the outputs against those of the inputs for groups of `groupSize`.
template <typename OpT>
static LogicalResult verifyOutputs(OpT op, int64_t groupSize) {
  for (auto [index, pair] : llvm::enumerate(llvm::zip(op.getInputs(), op.getOutputs()))) {
    auto input = cast<MemRefType>(std::get<0>(pair).getType()), output = cast<MemRefType>(std::get<1>(pair).getType());
    FailureOr<SmallVector<int64_t>> shape = scaleShape(op, index, scalingOf(op, index), groupSize);
    if (failed(shape))
      return failure();
    if (input.getElementType() != output.getElementType() ||
        failed(verifyCompatibleShape(output.getShape(), ArrayRef<int64_t>(*shape))))
      return op.emitOpError() << "writes " << output << " as output #" << index << ", but for groups of " << groupSize
                              << " " << MemRefType::get(*shape, input.getElementType()) << " is expected";
  }
  return success();
}

/// All but what a mesh must say, which is left to verifySymbolUses().
template <typename OpT>
static LogicalResult verifyIssued(OpT op) {
  if (op.getInputs().empty())
    return op.emitOpError("expects at least one buffer");
  if (failed(verifyTimeout(op, op.getTimeoutMs())))
    return failure();
  if constexpr (std::is_same_v<OpT, stream::PermuteOp>)
    return verifyOutputs(op, 1);
  else if (auto lists = dyn_cast<GroupsAttr>(op.getGroups()))
    return verifyOutputs(op, lists.getGroupSize());
  return success();
}

template <typename OpT>
static LogicalResult verifyOverMesh(OpT op, SymbolTableCollection &symbols) {
  auto axes = dyn_cast<AxesAttr>(op.getGroups());
  if (!axes)
    return success();
  FailureOr<int64_t> size = getGroupSize(op, axes, &symbols);
  return failure(failed(size) || failed(verifyOutputs(op, *size)));
}

LogicalResult stream::AllGatherOp::verify() {
  return failure(failed(verifyDims(*this, getDims(), getInputs().size())) || failed(verifyIssued(*this)));
}

LogicalResult stream::ReduceScatterOp::verify() {
  return failure(failed(verifyDims(*this, getDims(), getInputs().size())) ||
                 failed(verifyReduction(*this, getKind(), getInputs())) || failed(verifyIssued(*this)));
}

LogicalResult stream::AllReduceOp::verify() {
  return failure(failed(verifyReduction(*this, getKind(), getInputs())) || failed(verifyIssued(*this)));
}

LogicalResult stream::AllToAllOp::verify() { return verifyIssued(*this); }

LogicalResult stream::PermuteOp::verify() {
  return failure(failed(verifyPairs(*this, getPairs())) || failed(verifyIssued(*this)));
}

LogicalResult stream::BroadcastOp::verify() {
  if (auto lists = dyn_cast<GroupsAttr>(getGroups()))
    if (failed(verifyRoot(*this, getRoot(), lists.getGroupSize())))
      return failure();
  return verifyIssued(*this);
}

LogicalResult stream::BroadcastOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (auto axes = dyn_cast<AxesAttr>(getGroups())) {
    FailureOr<int64_t> size = getGroupSize(*this, axes, &symbols);
    if (failed(size) || failed(verifyRoot(*this, getRoot(), *size)))
      return failure();
  }
  return verifyOverMesh(*this, symbols);
}

LogicalResult stream::PermuteOp::verifySymbolUses(SymbolTableCollection &) { return success(); }

#define COMM_STREAM_OVER_MESH(OpT)                                                                                     \
  LogicalResult OpT::verifySymbolUses(SymbolTableCollection &symbols) { return verifyOverMesh(*this, symbols); }
COMM_STREAM_OVER_MESH(stream::AllGatherOp)
COMM_STREAM_OVER_MESH(stream::ReduceScatterOp)
COMM_STREAM_OVER_MESH(stream::AllReduceOp)
COMM_STREAM_OVER_MESH(stream::AllToAllOp)
#undef COMM_STREAM_OVER_MESH

#define COMM_STREAM_EFFECTS(OpT)                                                                                       \
  void OpT::getEffects(Effects &effects) { issuedEffects(getInputsMutable(), getOutputsMutable(), effects); }
COMM_STREAM_EFFECTS(stream::AllGatherOp)
COMM_STREAM_EFFECTS(stream::ReduceScatterOp)
COMM_STREAM_EFFECTS(stream::AllReduceOp)
COMM_STREAM_EFFECTS(stream::AllToAllOp)
COMM_STREAM_EFFECTS(stream::PermuteOp)
COMM_STREAM_EFFECTS(stream::BroadcastOp)
#undef COMM_STREAM_EFFECTS
