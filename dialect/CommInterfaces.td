// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all collectives have in common.

#ifndef COMM_INTERFACES_TD
#define COMM_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Comm_CollectiveInterface : OpInterface<"CollectiveInterface"> {
  let cppNamespace = "::comm";
  let description = [{
    A collective: tensors in, as many tensors out, each of a shape that follows
    from the operand, the op's attributes and the size of the groups. After
    bufferization all of them are buffers, and the op allocates its results.
  }];
  let methods = [
    InterfaceMethod<"The tensors that this device contributes.",
      "::mlir::OperandRange", "getInputs">,
    InterfaceMethod<"The groups of devices, or null where the op has none (permute).",
      "::mlir::Attribute", "getGroupsAttrOrNull">,
    InterfaceMethod<[{
      The type of result `index` for groups of `groupSize` devices: a tensor
      or a buffer without strides. Emits an error at the op and fails where
      the operand cannot be distributed so.
    }], "::mlir::FailureOr<::mlir::ShapedType>", "inferResultType",
      (ins "unsigned":$index, "int64_t":$groupSize)>,
    InterfaceMethod<"The dimensions that the op changes in tensor `index`.",
      "::comm::Scaling", "getScaling", (ins "unsigned":$index)>,
  ];
  let extraSharedClassDeclaration = [{
    /// Whether the op has been bufferized.
    bool hasBuffers() {
      return ::llvm::isa<::mlir::MemRefType>($_op->getOperand(0).getType());
    }
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
