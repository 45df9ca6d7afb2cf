// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the dialect's parts, and what is checked of its discardable
// attributes.

#include "CommStream.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace comm;

#include "CommDialect.cpp.inc"
#include "CommEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "CommAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "CommTypes.cpp.inc"

#include "CommInterfaces.cpp.inc"

namespace {
/// All comm ops may be inlined, a start and its wait together, but for into a launch.
struct CommInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *op, Region *region, bool, IRMapping &) const final {
    return stream::mayStandIn(op, region);
  }
};
} // namespace

void CommDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "CommAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "CommTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "CommOps.cpp.inc"
      >();
  addInterfaces<CommInlinerInterface>();
}

LogicalResult FutureType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<Type> types) {
  if (types.empty())
    return emitError() << "a future yields at least one tensor";
  for (Type type : types)
    if (!isa<RankedTensorType, MemRefType>(type))
      return emitError() << "a future yields ranked tensors or buffers, not " << type;
  if (!llvm::all_equal(llvm::map_range(types, [](Type type) { return isa<MemRefType>(type); })))
    return emitError() << "a future yields either tensors or buffers, not both";
  return success();
}

/// A non-negative signless 64-bit integer, as all numbers of discardable attributes are.
static bool isNonNegativeI64(Attribute attribute) {
  auto integer = dyn_cast<IntegerAttr>(attribute);
  return integer && integer.getType().isSignlessInteger(64) && integer.getInt() >= 0;
}

LogicalResult CommDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName().strref();
  if (name == "comm.duration_ns" || name == "comm.trip_count" || name == "comm.recorded") {
    if (!isNonNegativeI64(attribute.getValue()))
      return op->emitError() << "'" << name << "' is expected to be a non-negative i64, but is "
                             << attribute.getValue();
    return success();
  }
  if (name == "comm.channel_id") {
    if (!isa<IntegerAttr>(attribute.getValue()))
      return op->emitError() << "'comm.channel_id' is expected to be an integer, but is " << attribute.getValue();
    return success();
  }
  if (name == "comm.bucket") {
    if (!isa<StringAttr>(attribute.getValue()))
      return op->emitError() << "'comm.bucket' is expected to be a string, but is " << attribute.getValue();
    return success();
  }
  if (name == "comm.pure") {
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitError() << "'comm.pure' is a unit attribute";
    return success();
  }
  if (name == "comm.uniform")
    return op->emitError() << "'comm.uniform' is an attribute of function arguments, not of ops";
  return op->emitError() << "'" << name << "' is no attribute of the comm dialect";
}

LogicalResult CommDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argIndex,
                                                    NamedAttribute attribute) {
  if (attribute.getName() == "comm.uniform" && isa<UnitAttr>(attribute.getValue()))
    return success();
  if (attribute.getName() == "comm.bucket" && isa<StringAttr>(attribute.getValue()))
    return success();
  return op->emitError() << "argument #" << argIndex << " carries '" << attribute.getName().strref()
                         << "'; the argument attributes of the comm dialect are the unit attribute 'comm.uniform' and "
                            "the string 'comm.bucket'";
}
