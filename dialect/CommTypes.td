// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The future of a started collective.

#ifndef COMM_TYPES_TD
#define COMM_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "CommDialect.td"

def Comm_FutureType : TypeDef<Comm_Dialect, "Future"> {
  let mnemonic = "future";
  let summary = "A collective in flight and the tensors that it will yield";
  let description = [{
    One future an op, however many tensors the op carries.

    ```mlir
    !comm.future<tensor<32x16xf32>, tensor<4xf32>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type", "types of the tensors or buffers">:$types);
  let assemblyFormat = "`<` $types `>`";
  let genVerifyDecl = 1;
}

#endif // COMM_TYPES_TD
