// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops: mesh and rank, six collectives, and the wait.

#ifndef COMM_OPS_TD
#define COMM_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "CommAttributes.td"
include "CommDialect.td"
include "CommInterfaces.td"
include "CommTypes.td"

class Comm_Op<string mnemonic, list<Trait> traits = []> : Op<Comm_Dialect, mnemonic, traits>;

/// A ranked tensor, or, after bufferization, a buffer.
def Comm_Tensor : AnyTypeOf<[AnyRankedTensor, AnyMemRef]>;

def Comm_Result : AnyTypeOf<[Comm_Tensor, Comm_FutureType]>;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

def Comm_MeshOp : Comm_Op<"mesh", [Symbol]> {
  let summary = "names the axes of a grid of devices";
  let description = [{
    Ranks are row-major: the last axis varies fastest.

    ```mlir
    comm.mesh @mesh <["dp" = 2, "tp" = 4]>   // rank = dp * 4 + tp
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       StrArrayAttr:$axes, DenseI64ArrayAttr:$shape);
  let assemblyFormat = [{
    custom<MeshName>($sym_visibility, $sym_name) `<` custom<MeshAxes>($axes, $shape) `>` attr-dict
  }];
  let hasVerifier = 1;
}

def Comm_RankOp : Comm_Op<"rank", [NoMemoryEffect,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "position of this device in its group";
  let description = [{
    Differs between devices, so control flow that depends on it is divergent:
    no collective moves across it. Not speculatable, since a device outside
    all groups has no position.

    ```mlir
    %i = comm.rank over @mesh["tp"] : index
    ```
  }];
  let arguments = (ins Comm_AnyGroups:$groups);
  let results = (outs Index:$position);
  let assemblyFormat = "`over` custom<Groups>($groups) attr-dict `:` type($position)";
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

class Comm_Collective<string mnemonic, list<Trait> traits = []> : Comm_Op<mnemonic, !listconcat([
    DeclareOpInterfaceMethods<Comm_CollectiveInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>], traits)> {
  let results = (outs Variadic<Comm_Result>:$results);
  let hasVerifier = 1;
}

def Comm_AllGatherOp : Comm_Collective<"all_gather"> {
  let hasCanonicalizer = 1;
  let summary = "concatenates the group's tensors along a dimension";
  let description = [{
    Dimension `dim` of the result is the operand's times the group size.
    `regather` says that the value was gathered before and let go on purpose.

    ```mlir
    %g = comm.all_gather %x dim 0 over [[0, 1, 2, 3]] : tensor<8x16xf32> -> tensor<32x16xf32>
    ```
  }];
  let arguments = (ins Variadic<Comm_Tensor>:$inputs, DenseI64ArrayAttr:$dims,
                       Comm_AnyGroups:$groups, UnitAttr:$mergeable, UnitAttr:$regather);
  let assemblyFormat = [{
    $inputs `dim` custom<Dims>($dims) `over` custom<Groups>($groups) attr-dict
    `:` type($inputs) `->` qualified(type($results))
  }];
}

def Comm_ReduceScatterOp : Comm_Collective<"reduce_scatter"> {
  let summary = "combines the group's tensors and scatters the result along a dimension";
  let description = [{
    Dimension `dim` of the result is the operand's divided by the group size.

    ```mlir
    %s = comm.reduce_scatter sum %x dim 0 over [[0, 1], [2, 3]] : tensor<8x16xf32> -> tensor<4x16xf32>
    ```
  }];
  let arguments = (ins Comm_ReductionAttr:$kind, Variadic<Comm_Tensor>:$inputs,
                       DenseI64ArrayAttr:$dims, Comm_AnyGroups:$groups, UnitAttr:$mergeable);
  let assemblyFormat = [{
    custom<Reduction>($kind) $inputs `dim` custom<Dims>($dims) `over` custom<Groups>($groups) attr-dict
    `:` type($inputs) `->` qualified(type($results))
  }];
}

def Comm_AllReduceOp : Comm_Collective<"all_reduce"> {
  let summary = "combines the group's tensors";
  let description = [{
    ```mlir
    %r = comm.all_reduce sum %x over @mesh["dp"] : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Comm_ReductionAttr:$kind, Variadic<Comm_Tensor>:$inputs,
                       Comm_AnyGroups:$groups, UnitAttr:$mergeable);
  let assemblyFormat = [{
    custom<Reduction>($kind) $inputs `over` custom<Groups>($groups) attr-dict
    `:` type($inputs) `->` qualified(type($results))
  }];
}

def Comm_AllToAllOp : Comm_Collective<"all_to_all"> {
  let summary = "splits a dimension over the group and concatenates what arrives along another";
  let description = [{
    Piece `j` of dimension `split` goes to position `j` of the group; pieces are
    concatenated along `concat` in the order of their senders.

    ```mlir
    %t = comm.all_to_all %x split 0 concat 1 over @mesh["tp"] : tensor<8x16xf32> -> tensor<2x64xf32>
    ```
  }];
  let arguments = (ins Variadic<Comm_Tensor>:$inputs, I64Attr:$split, I64Attr:$concat,
                       Comm_AnyGroups:$groups, UnitAttr:$mergeable);
  let assemblyFormat = [{
    $inputs `split` custom<Integer>($split) `concat` custom<Integer>($concat)
    `over` custom<Groups>($groups) attr-dict `:` type($inputs) `->` qualified(type($results))
  }];
}

def Comm_PermuteOp : Comm_Collective<"permute"> {
  let summary = "sends tensors from device to device";
  let description = [{
    Pairs of (source, target) ranks; no rank is twice a source or twice a
    target. A rank that is no target gets zeros.

    ```mlir
    %p = comm.permute %x pairs [[0, 1], [1, 2]] : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<Comm_Tensor>:$inputs, DenseI64ArrayAttr:$pairs,
                       UnitAttr:$mergeable);
  let assemblyFormat = [{
    $inputs `pairs` custom<Pairs>($pairs) attr-dict `:` type($inputs) `->` qualified(type($results))
  }];
}

def Comm_BroadcastOp : Comm_Collective<"broadcast"> {
  let summary = "gives the tensors of one device to its whole group";
  let description = [{
    `root` is a position in the group.

    ```mlir
    %b = comm.broadcast %x root 0 over @mesh["dp"] : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<Comm_Tensor>:$inputs, I64Attr:$root,
                       Comm_AnyGroups:$groups, UnitAttr:$mergeable);
  let assemblyFormat = [{
    $inputs `root` custom<Integer>($root) `over` custom<Groups>($groups) attr-dict
    `:` type($inputs) `->` qualified(type($results))
  }];
}

def Comm_WaitOp : Comm_Op<"wait", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "waits for a started collective and yields its tensors";
  let description = [{
    Names the operands of the start, in their order: they stay unchanged and
    allocated until here.

    ```mlir
    %g = comm.wait %f keeping(%x : tensor<8x16xf32>) : !comm.future<tensor<32x16xf32>>
    ```
  }];
  let arguments = (ins Comm_FutureType:$future, Variadic<Comm_Tensor>:$kept);
  let results = (outs Variadic<Comm_Tensor>:$results);
  let assemblyFormat = [{
    $future `keeping` `(` ($kept^ `:` type($kept))? `)` attr-dict `:` qualified(type($future))
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

#endif // COMM_OPS_TD
