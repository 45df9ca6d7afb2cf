// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the Rust crate needs of MLIR that MLIR's own C API does not offer.
// Declared in Rust in src/ffi.rs.

#ifndef COMM_CAPI_H
#define COMM_CAPI_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#include "Passes.h"

extern "C" {

/// Puts the comm dialect into a registry.
void commRegisterDialect(MlirDialectRegistry registry);
/// As above, for a `mlir::DialectRegistry *`, as dialect plugins get it.
void commRegisterDialectRaw(void *registry);
/// Puts the passes into MLIR's global registry; call once a process.
void commRegisterPasses(void);

/// Passes with options, for pass managers built in Rust.
MlirPass commCreateImportStablehlo(const CommRsImportStablehloOptions *options);
MlirPass commCreateImportTorch(const CommRsImportTorchOptions *options);
MlirPass commCreateImportShard(void);
MlirPass commCreateConvertToStream(const CommRsConvertToStreamOptions *options);
MlirPass commCreateLegalizeStablehlo(void);
MlirPass commCreateAsyncify(void);
MlirPass commCreateSort(const CommRsSortOptions *options);
MlirPass commCreateSimplify(const CommRsSimplifyOptions *options);
MlirPass commCreateBucket(const CommRsBucketOptions *options);
MlirPass commCreateFuseMatmul(const CommRsFuseMatmulOptions *options);
MlirPass commCreateSchedule(const CommRsScheduleOptions *options);
MlirPass commCreateStreamToRuntime(const CommRsStreamToRuntimeOptions *options);
MlirPass commCreateVerifyFutures(void);
MlirPass commCreateVerifyOrder(void);
MlirPass commCreateVerifySchedule(const CommRsVerifyScheduleOptions *options);
MlirPass commCreateVerifyStream(const CommRsVerifyStreamOptions *options);

/// Command lines of the tools.
int commOptMain(int argc, char **argv);
int commLspServerMain(int argc, char **argv);

/// Whether the op's dialect is loaded and knows the op, without the look-up by name of mlirContextIsRegisteredOperation.
bool commIsRegistered(MlirOperation op);

/// Effects of an op with all that is nested in it, as a set of bits.
enum CommEffect {
  COMM_EFFECT_READ = 1,
  COMM_EFFECT_WRITE = 2,
  COMM_EFFECT_ALLOCATE = 4,
  COMM_EFFECT_FREE = 8,
  COMM_EFFECT_UNKNOWN = 16,
};
uint32_t commGetEffects(MlirOperation op);
/// Effects of an op alone, those of ops in its regions left out.
uint32_t commGetOwnEffects(MlirOperation op);
/// The same one by one, each a bit and the value that it is on, null where it is on none.
void commForEachOwnEffect(MlirOperation op, void (*callback)(uint32_t effect, MlirValue value, void *data), void *data);

/// Severity: 0 note, 1 warning, 2 error, 3 remark, as in MlirDiagnosticSeverity's order in mlir-c/Diagnostics.h.
void commEmitDiagnostic(MlirLocation location, uint32_t severity, MlirStringRef message);
/// An error with notes below it.
void commEmitErrorWithNotes(MlirLocation location, MlirStringRef message, size_t numNotes,
                            const MlirLocation *noteLocations, const MlirStringRef *notes);
/// Kinds of optimization remarks: 0 passed, 1 missed, 2 failed, 3 analysis.
void commEmitRemark(MlirLocation location, uint32_t kind, MlirStringRef pass, MlirStringRef name,
                    MlirStringRef function, MlirStringRef message);
/// Whether remarks of a pass are asked for, so that their texts need not be made in vain.
bool commRemarksEnabled(MlirContext context, MlirStringRef pass);

bool commTypeIsFuture(MlirType type);
MlirType commFutureTypeGet(MlirContext context, size_t numTypes, const MlirType *types);
size_t commFutureTypeGetNumTypes(MlirType type);
MlirType commFutureTypeGetType(MlirType type, size_t index);

/// The memref that a part of a `!comm_stream.symmetric` is; null for another type.
MlirType commSymmetricTypeGetMemref(MlirType type);

/// Null, after an error at `location`, where the ranks are no groups of this size.
MlirAttribute commGroupsAttrGet(MlirLocation location, int64_t groupSize, size_t numRanks, const int64_t *ranks);
MlirAttribute commAxesAttrGet(MlirContext context, MlirStringRef mesh, size_t numAxes, const MlirStringRef *axes);
/// Number of axes that an attribute names, -1 where it is no #comm.axes, and the name of one of them.
int64_t commAxesAttrGetNumAxes(MlirAttribute attribute);
MlirStringRef commAxesAttrGetAxis(MlirAttribute attribute, int64_t index);
MlirAttribute commReductionAttrGet(MlirContext context, uint32_t kind);
/// Ranks of all groups, one group after the other, given to `callback`. Emits an error at `op` and returns false where a
/// mesh is missing.
bool commResolveGroups(MlirOperation op, MlirAttribute groups, int64_t *groupSize,
                       void (*callback)(const int64_t *ranks, size_t numRanks, void *data), void *data);

/// Properties as an attribute, null where there are none. Those of an unregistered op are a dictionary, which no function
/// of MLIR's C API lists.
MlirAttribute commGetProperties(MlirOperation op);
/// Gives `callback` the (outermost) name of every symbol that an attribute or property of `root` or of an op in it refers
/// to, as often as it does. `@name` in the text of a foreign attribute counts, since nobody here knows better.
/// Unlike mlir::SymbolTable, does not give up at unregistered ops with a region, which might be symbol tables.
void commForEachSymbolReference(MlirOperation root, void (*callback)(MlirStringRef name, void *data), void *data);

/// Replaces a call by the body of its callee, which has one block. The caller has checked that types agree.
void commInlineCall(MlirOperation call, MlirOperation callee);
}

#endif // COMM_CAPI_H
