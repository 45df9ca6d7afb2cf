// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CApi.h"
#include "Registration.h"

#include "Comm.h"
#include "CommStream.h"
#include "Groups.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace comm;

//===----------------------------------------------------------------------===//
// Registration and construction
//===----------------------------------------------------------------------===//

void commRegisterDialect(MlirDialectRegistry registry) { registerDialects(*unwrap(registry)); }
void commRegisterDialectRaw(void *registry) { registerDialects(*static_cast<DialectRegistry *>(registry)); }
void commRegisterPasses() {
  registerCommPasses();
  registerPipelines();
}

/// Hands a pass over to a pass manager of the C API.
static MlirPass release(std::unique_ptr<Pass> pass) { return wrap(pass.release()); }

MlirPass commCreateImportStablehlo(const CommRsImportStablehloOptions *options) {
  CommImportStablehloOptions converted;
  converted.splitBarriers = options->splitBarriers;
  converted.inlinePrivate = options->inlinePrivate;
  return release(createCommImportStablehlo(converted));
}

MlirPass commCreateImportTorch(const CommRsImportTorchOptions *options) {
  CommImportTorchOptions converted;
  for (const MlirStringRef &entry : llvm::ArrayRef(options->groups, options->numGroups))
    converted.groups.push_back(unwrap(entry).str());
  return release(createCommImportTorch(std::move(converted)));
}

MlirPass commCreateImportShard() { return release(createCommImportShard()); }
MlirPass commCreateConvertToStream(const CommRsConvertToStreamOptions *options) {
  ConvertCommToStreamOptions converted;
  converted.waits = static_cast<Waits>(options->waits);
  converted.timeoutMs = options->timeoutMs;
  converted.streamSchedule = static_cast<StreamSchedule>(options->schedule);
  converted.depth = options->depth;
  converted.subChunks = options->subChunks;
  converted.order = static_cast<PeerOrder>(options->order);
  converted.machine = unwrap(options->machine).str();
  return release(createConvertCommToStream(converted));
}

MlirPass commCreateLegalizeStablehlo() { return release(createCommLegalizeStablehlo()); }
MlirPass commCreateAsyncify() { return release(createCommAsyncify()); }

MlirPass commCreateSort(const CommRsSortOptions *options) {
  CommSortOptions converted;
  converted.allGather = static_cast<GatherPlacement>(options->allGather);
  converted.reduceScatter = static_cast<ReductionPlacement>(options->reduceScatter);
  converted.maxInFlight = options->maxInFlight;
  converted.maxInFlightReductions = options->maxInFlightReductions;
  converted.ties = static_cast<TieBreak>(options->ties);
  converted.verify = options->verify;
  return release(createCommSort(converted));
}

MlirPass commCreateSimplify(const CommRsSimplifyOptions *options) {
  CommSimplifyOptions converted;
  converted.fp = static_cast<FloatingPoint>(options->fp);
  converted.machine = unwrap(options->machine).str();
  converted.profile = unwrap(options->profile).str();
  converted.memoryLimit = options->memoryLimit;
  converted.gathers = static_cast<Gathers>(options->gathers);
  converted.nodes = options->nodes;
  converted.alternatives = options->alternatives;
  converted.egraphs = unwrap(options->egraphs).str();
  return release(createCommSimplify(converted));
}

MlirPass commCreateBucket(const CommRsBucketOptions *options) {
  CommBucketOptions converted;
  converted.mode = static_cast<BucketMode>(options->mode);
  converted.bytes = options->bytes;
  converted.level = static_cast<BucketLevel>(options->level);
  converted.machine = unwrap(options->machine).str();
  converted.profile = unwrap(options->profile).str();
  converted.maxBytes = options->maxBytes;
  converted.maxLiveBytes = options->maxLiveBytes;
  converted.memoryLimit = options->memoryLimit;
  return release(createCommBucket(converted));
}

MlirPass commCreateFuseMatmul(const CommRsFuseMatmulOptions *options) {
  CommFuseMatmulOptions converted;
  converted.machine = unwrap(options->machine).str();
  converted.minGain = options->minGain;
  converted.force = options->force;
  converted.ordered = options->ordered;
  return release(createCommFuseMatmul(converted));
}

MlirPass commCreateSchedule(const CommRsScheduleOptions *options) {
  CommScheduleOptions converted;
  converted.machine = unwrap(options->machine).str();
  converted.effort = static_cast<Effort>(options->effort);
  converted.memoryLimit = options->memoryLimit;
  converted.maxInFlight = options->maxInFlight;
  converted.maxInFlightBytes = options->maxInFlightBytes;
  converted.profile = unwrap(options->profile).str();
  converted.verify = options->verify;
  return release(createCommSchedule(converted));
}

MlirPass commCreateStreamToRuntime(const CommRsStreamToRuntimeOptions *options) {
  ConvertCommStreamToRuntimeOptions converted;
  converted.trace = options->trace;
  return release(createConvertCommStreamToRuntime(converted));
}

MlirPass commCreateVerifyFutures() { return release(createCommVerifyFutures()); }
MlirPass commCreateVerifyOrder() { return release(createCommVerifyOrder()); }

MlirPass commCreateVerifySchedule(const CommRsVerifyScheduleOptions *options) {
  CommVerifyScheduleOptions converted;
  converted.mode = static_cast<VerifyMode>(options->mode);
  return release(createCommVerifySchedule(converted));
}

MlirPass commCreateVerifyStream(const CommRsVerifyStreamOptions *options) {
  CommVerifyStreamOptions converted;
  converted.maxEvents = options->maxEvents;
  converted.warnUnproved = options->warnUnproved;
  return release(createCommVerifyStream(converted));
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

bool commIsRegistered(MlirOperation op) { return unwrap(op)->isRegistered(); }

/// An effect as a bit.
static uint32_t toBit(const MemoryEffects::EffectInstance &instance) {
  MemoryEffects::Effect *effect = instance.getEffect();
  return isa<MemoryEffects::Read>(effect)       ? COMM_EFFECT_READ
         : isa<MemoryEffects::Write>(effect)    ? COMM_EFFECT_WRITE
         : isa<MemoryEffects::Allocate>(effect) ? COMM_EFFECT_ALLOCATE
         : isa<MemoryEffects::Free>(effect)     ? COMM_EFFECT_FREE
                                                : COMM_EFFECT_UNKNOWN;
}

/// Effects as bits.
static uint32_t toBits(llvm::ArrayRef<MemoryEffects::EffectInstance> effects) {
  uint32_t bits = 0;
  for (const MemoryEffects::EffectInstance &instance : effects)
    bits |= toBit(instance);
  return bits;
}

uint32_t commGetEffects(MlirOperation op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(unwrap(op));
  return effects ? toBits(*effects) : uint32_t(COMM_EFFECT_UNKNOWN);
}

uint32_t commGetOwnEffects(MlirOperation op) {
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(unwrap(op))) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    return toBits(effects);
  }
  bool recursive = unwrap(op)->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  return recursive ? 0 : uint32_t(COMM_EFFECT_UNKNOWN);
}

void commForEachOwnEffect(MlirOperation op, void (*callback)(uint32_t, MlirValue, void *), void *data) {
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(unwrap(op))) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &instance : effects)
      callback(toBit(instance), wrap(instance.getValue()), data);
  } else if (!unwrap(op)->hasTrait<OpTrait::HasRecursiveMemoryEffects>()) {
    callback(COMM_EFFECT_UNKNOWN, {nullptr}, data);
  }
}

//===----------------------------------------------------------------------===//
// Diagnostics and remarks
//===----------------------------------------------------------------------===//

void commEmitDiagnostic(MlirLocation location, uint32_t severity, MlirStringRef message) {
  static constexpr DiagnosticSeverity severities[] = {DiagnosticSeverity::Note, DiagnosticSeverity::Warning,
                                                      DiagnosticSeverity::Error, DiagnosticSeverity::Remark};
  Location loc = unwrap(location);
  loc.getContext()->getDiagEngine().emit(loc, severities[severity < 4 ? severity : 2]) << unwrap(message);
}

void commEmitErrorWithNotes(MlirLocation location, MlirStringRef message, size_t numNotes,
                            const MlirLocation *noteLocations, const MlirStringRef *notes) {
  InFlightDiagnostic diag = mlir::emitError(unwrap(location)) << unwrap(message);
  for (size_t i = 0; i < numNotes; ++i)
    diag.attachNote(unwrap(noteLocations[i])) << unwrap(notes[i]);
}

void commEmitRemark(MlirLocation location, uint32_t kind, MlirStringRef pass, MlirStringRef name,
                    MlirStringRef function, MlirStringRef message) {
  remark::RemarkOpts opts =
      remark::RemarkOpts::name(unwrap(name)).category(unwrap(pass)).function(unwrap(function));
  Location loc = unwrap(location);
  remark::detail::InFlightRemark remark = kind == 0   ? remark::passed(loc, opts)
                                          : kind == 1 ? remark::missed(loc, opts)
                                          : kind == 2 ? remark::failed(loc, opts)
                                                      : remark::analysis(loc, opts);
  remark << unwrap(message);
}

namespace {
// The engine says only privately whether it takes remarks of a pass, and a remark that is begun is also emitted. An explicit
// instantiation may name a private member.
template <auto Member>
struct RemarkQuestion {
  friend bool isAnyRemarkEnabled(const remark::detail::RemarkEngine &engine, StringRef pass) {
    return (engine.*Member)(pass);
  }
};
template struct RemarkQuestion<&remark::detail::RemarkEngine::isAnyRemarkEnabled>;
bool isAnyRemarkEnabled(const remark::detail::RemarkEngine &engine, StringRef pass);
} // namespace

bool commRemarksEnabled(MlirContext context, MlirStringRef pass) {
  remark::detail::RemarkEngine *engine = unwrap(context)->getRemarkEngine();
  return engine && isAnyRemarkEnabled(*engine, unwrap(pass));
}

//===----------------------------------------------------------------------===//
// Types and attributes
//===----------------------------------------------------------------------===//

bool commTypeIsFuture(MlirType type) { return isa<FutureType>(unwrap(type)); }

MlirType commFutureTypeGet(MlirContext context, size_t numTypes, const MlirType *types) {
  SmallVector<Type> list;
  for (size_t i = 0; i < numTypes; ++i)
    list.push_back(unwrap(types[i]));
  return wrap(FutureType::get(unwrap(context), list));
}

size_t commFutureTypeGetNumTypes(MlirType type) { return cast<FutureType>(unwrap(type)).getTypes().size(); }

MlirType commFutureTypeGetType(MlirType type, size_t index) {
  return wrap(cast<FutureType>(unwrap(type)).getTypes()[index]);
}

MlirType commSymmetricTypeGetMemref(MlirType type) {
  auto symmetric = llvm::dyn_cast<stream::SymmetricType>(unwrap(type));
  return symmetric ? wrap(Type(symmetric.getMemref())) : MlirType{nullptr};
}

MlirAttribute commGroupsAttrGet(MlirLocation location, int64_t groupSize, size_t numRanks, const int64_t *ranks) {
  Location loc = unwrap(location);
  return wrap(Attribute(GroupsAttr::getChecked([&] { return mlir::emitError(loc); }, loc.getContext(), groupSize,
                                               llvm::ArrayRef(ranks, numRanks))));
}

MlirAttribute commAxesAttrGet(MlirContext context, MlirStringRef mesh, size_t numAxes, const MlirStringRef *axes) {
  MLIRContext *ctx = unwrap(context);
  SmallVector<StringAttr> names;
  for (size_t i = 0; i < numAxes; ++i)
    names.push_back(StringAttr::get(ctx, unwrap(axes[i])));
  return wrap(Attribute(AxesAttr::get(ctx, FlatSymbolRefAttr::get(ctx, unwrap(mesh)), names)));
}

int64_t commAxesAttrGetNumAxes(MlirAttribute attribute) {
  auto axes = dyn_cast<AxesAttr>(unwrap(attribute));
  return axes ? static_cast<int64_t>(axes.getAxes().size()) : -1;
}

MlirStringRef commAxesAttrGetAxis(MlirAttribute attribute, int64_t index) {
  return wrap(cast<AxesAttr>(unwrap(attribute)).getAxes()[index].getValue());
}

MlirAttribute commReductionAttrGet(MlirContext context, uint32_t kind) {
  return wrap(Attribute(ReductionAttr::get(unwrap(context), static_cast<Reduction>(kind))));
}

bool commResolveGroups(MlirOperation op, MlirAttribute groups, int64_t *groupSize,
                       void (*callback)(const int64_t *, size_t, void *), void *data) {
  Attribute attribute = unwrap(groups);
  if (!isa_and_nonnull<GroupsAttr, AxesAttr>(attribute)) {
    unwrap(op)->emitError() << "expected groups of ranks or axes of a mesh, but found " << attribute;
    return false;
  }
  FailureOr<RankGroups> resolved = resolveGroups(unwrap(op), attribute);
  if (failed(resolved))
    return false;
  *groupSize = resolved->groupSize;
  callback(resolved->ranks.data(), resolved->ranks.size(), data);
  return true;
}

MlirAttribute commGetProperties(MlirOperation op) { return wrap(unwrap(op)->getPropertiesAsAttribute()); }

/// Names after each `@` of a text, quoted or bare.
static void findSymbolNames(StringRef text, function_ref<void(StringRef)> found) {
  while (true) {
    text = text.split('@').second;
    if (text.empty())
      return;
    if (text.consume_front("\""))
      found(text.take_until([](char c) { return c == '"'; }));
    else
      found(text.take_while([](char c) { return llvm::isAlnum(c) || StringRef("_$.-").contains(c); }));
  }
}

void commForEachSymbolReference(MlirOperation root, void (*callback)(MlirStringRef, void *), void *data) {
  auto found = [&](StringRef name) { callback(wrap(name), data); };
  auto visit = [&](Attribute attribute) {
    if (auto reference = dyn_cast<SymbolRefAttr>(attribute))
      found(reference.getRootReference());
    else if (auto opaque = dyn_cast<OpaqueAttr>(attribute))
      findSymbolNames(opaque.getAttrData(), found);
  };
  unwrap(root)->walk([&](Operation *op) {
    if (Attribute properties = op->getPropertiesAsAttribute())
      properties.walk(visit);
    op->getDiscardableAttrDictionary().walk(visit);
  });
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

void commInlineCall(MlirOperation call, MlirOperation callee) {
  Operation *caller = unwrap(call);
  Block &body = unwrap(callee)->getRegion(0).front();
  IRMapping mapping;
  mapping.map(body.getArguments(), caller->getOperands());
  OpBuilder builder(caller);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, yielded] : llvm::zip(caller->getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(yielded));
  caller->erase();
}
