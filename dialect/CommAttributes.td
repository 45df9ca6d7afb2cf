// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes: the groups of a collective and the kind of a reduction.

#ifndef COMM_ATTRIBUTES_TD
#define COMM_ATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "CommDialect.td"

class Comm_Attr<string name, string attrMnemonic> : AttrDef<Comm_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Comm_GroupsAttr : Comm_Attr<"Groups", "groups"> {
  let summary = "Explicit groups of ranks, all of one size";
  let description = [{
    Every list is one group; position in the list is position in the group, and
    so in a gathered or scattered dimension.

    ```mlir
    #comm.groups<[[0, 1], [2, 3]]>
    ```
  }];
  let parameters = (ins
    "int64_t":$groupSize,
    ArrayRefParameter<"int64_t", "ranks of all groups, one group after the other">:$ranks);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getNumGroups() const { return getRanks().size() / getGroupSize(); }
  }];
}

def Comm_AxesAttr : Comm_Attr<"Axes", "axes"> {
  let summary = "Groups of ranks that differ only in the named axes of a mesh";
  let description = [{
    Position in the group is the row-major index over the axes in the order in
    which they are named.

    ```mlir
    #comm.axes<@mesh["tp"]>
    ```
  }];
  let parameters = (ins
    "::mlir::FlatSymbolRefAttr":$mesh,
    ArrayRefParameter<"::mlir::StringAttr">:$axes);
  let hasCustomAssemblyFormat = 1;
}

def Comm_AnyGroups : AnyAttrOf<[Comm_GroupsAttr, Comm_AxesAttr],
    "groups of ranks or axes of a mesh", "::mlir::Attribute">;

def Comm_Reduction : I32EnumAttr<"Reduction", "how contributions are combined", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Avg", 1, "avg">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"Prod", 4, "prod">, I32EnumAttrCase<"And", 5, "and">,
    I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">]> {
  let cppNamespace = "::comm";
  let genSpecializedAttr = 0;
}

def Comm_ReductionAttr : EnumAttr<Comm_Dialect, Comm_Reduction, "reduction"> {
  let assemblyFormat = "`<` $value `>`";
}

#endif // COMM_ATTRIBUTES_TD
