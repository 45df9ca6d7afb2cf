// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all collectives have in common.

#ifndef COMM_INTERFACES_TD
#define COMM_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Comm_CollectiveInterface : OpInterface<"CollectiveInterface"> {
  let cppNamespace = "::comm";
  let description = [{
    A collective: tensors in, as many tensors out, each of a type that follows
    from the operand, the op's attributes and the size of the groups.
  }];
  let methods = [
    InterfaceMethod<"The tensors that this device contributes.",
      "::mlir::OperandRange", "getInputs">,
    InterfaceMethod<"The groups of devices, or null where the op has none (permute).",
      "::mlir::Attribute", "getGroupsAttrOrNull">,
    InterfaceMethod<[{
      The type of result `index` for groups of `groupSize` devices. Emits an
      error at the op and fails where the operand cannot be distributed so.
    }], "::mlir::FailureOr<::mlir::RankedTensorType>", "inferTensorType",
      (ins "unsigned":$index, "int64_t":$groupSize)>,
    InterfaceMethod<[{
      Dimension `dim` of result `index` as `(multiplier, divisor)` of the
      operand's dimension.
    }], "std::pair<int64_t, int64_t>", "getDimScale",
      (ins "unsigned":$index, "int64_t":$dim, "int64_t":$groupSize)>,
  ];
  let extraSharedClassDeclaration = [{
    /// Whether the op starts the collective instead of blocking.
    bool isAsync() {
      return $_op->getNumResults() == 1 && ::llvm::isa<::comm::FutureType>($_op->getResult(0).getType());
    }
    /// The types of the tensors that the collective yields, now or at its wait.
    ::llvm::SmallVector<::mlir::Type> getYieldedTypes() {
      if (isAsync())
        return ::llvm::to_vector(::llvm::cast<::comm::FutureType>($_op->getResult(0).getType()).getTypes());
      return ::llvm::to_vector($_op->getResultTypes());
    }
  }];
}

#endif // COMM_INTERFACES_TD
