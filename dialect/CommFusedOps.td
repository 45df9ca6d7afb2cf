// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives fused with the matrix products around them.

#ifndef COMM_FUSED_OPS_TD
#define COMM_FUSED_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "CommAttributes.td"
include "CommDialect.td"
include "CommTypes.td"

class Comm_Fused<string mnemonic, list<Trait> traits = []> : Op<Comm_Dialect, mnemonic, !listconcat([
    AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>], traits)> {
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Comm_AllGatherMatmulOp : Comm_Fused<"all_gather_matmul"> {
  let summary = "gathers tensors along a dimension and multiplies, chunk by chunk as they arrive";
  let description = [{
    Means the same as `comm.all_gather` of the `gather` operands, followed by an
    elementwise prologue, products with other tensors, and an elementwise
    epilogue for each; but a chunk is multiplied as soon as it has arrived. The
    op hides its own communication, so it never yields a future.

    ```mlir
    // Rows gathered; two right-hand sides, one with a bias; the gathered tensor is wanted too.
    %q, %k, %g = comm.all_gather_matmul gather(%x : tensor<4x64xf32>) dim 0 over [[0, 1]]
      product(%wq : tensor<64x8xf32>) maps [#mk, #kn, #mn]
      product(%wk : tensor<64x8xf32>) maps [#mk, #kn, #mn] epilogue(%b : tensor<8xf32>) maps [#n] {
      ^bb0(%sum: f32, %bias: f32):
        %r = arith.addf %sum, %bias : f32
        comm.yield %r : f32
      }
      returning [0] -> tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x64xf32>
    ```

    **Gather.** Operand 0 is the factor; others (row or block scales) travel
    with it. `dim` has one entry for each, or one for all. A *chunk* is what one
    position of the group contributes.

    **Prologue** (optional). Its region gets one element of each gathered
    tensor, then one of each prologue operand, and yields the factor's element.
    Its maps go from the dimensions of operand 0 to those of the other gathered
    tensors and of the prologue operands; a result is a dimension, `0`, or, for
    scales of blocks, a dimension divided (`d1 floordiv 128`). Without a
    prologue the factor is operand 0.

    **Products.** Each is a contraction as of `linalg.contract`: three
    projected permutations of one iteration space, of the gathered factor, the
    other factor and the product. Transposed, batched and swapped factors are
    such maps. If the gathered dimension is one of the product, chunks are
    *placed* there; if it is contracted, products of chunks are *added*.

    **Epilogues** (optional, one a product). Its region gets one element of the
    finished product, then one of each epilogue operand by maps from the
    dimensions of the product, and yields the result's element.

    **Returning** names the gathered tensors that are yielded whole, after the
    products.

    **Numbers.** The type in which a product is accumulated is that of the first
    argument of its epilogue, or, without one, the result's. Both factors'
    elements are converted to it, multiplied, and added to an accumulator that
    begins at zero, by ascending contracted index within a chunk. So a placed
    product is bit for bit that of gather and contraction done one after the
    other by the same kernel. An added one takes the chunks in the order of
    positions p, p+1, ..., p-1 for the device at position p, so that its own is
    never waited for; with `ordered` in the order 0, 1, ... on every device,
    which is that of the contraction done at once. Prologues and epilogues are
    elementwise and so independent of the order.

    Regions hold pure ops on scalars. The op is not mergeable, and not uniform
    over the group even if all other factors are.
  }];
  let arguments = (ins Variadic<Comm_Tensor>:$gathered, Variadic<Comm_Tensor>:$prologue_operands,
                       Variadic<Comm_Tensor>:$factors, Variadic<Comm_Tensor>:$epilogue_operands,
                       DenseI64ArrayAttr:$dims, Comm_AnyGroups:$groups,
                       AffineMapArrayAttr:$prologue_maps, AffineMapArrayAttr:$product_maps,
                       AffineMapArrayAttr:$epilogue_maps, DenseI64ArrayAttr:$epilogue_counts,
                       DenseI64ArrayAttr:$returned, UnitAttr:$ordered);
  let results = (outs Variadic<Comm_Tensor>:$results);
  let regions = (region AnyRegion:$prologue, VariadicRegion<AnyRegion>:$epilogues);
  let extraClassDeclaration = [{
    /// Whether the op has been bufferized.
    bool hasBuffers() { return ::llvm::isa<::mlir::MemRefType>(getGathered().front().getType()); }
    int64_t getNumProducts() { return getFactors().size(); }
    /// The dimension along which gathered tensor `index` is.
    int64_t getDim(unsigned index) { return getDims().size() == 1 ? getDims()[0] : getDims()[index]; }
    /// Maps of the gathered factor, the other factor and product `index`.
    ::llvm::SmallVector<::mlir::AffineMap, 3> getMaps(unsigned index);
    /// Operands of the epilogue of product `index`, and their maps.
    ::mlir::OperandRange getOperandsOfEpilogue(unsigned index);
    ::llvm::SmallVector<::mlir::AffineMap> getMapsOfEpilogue(unsigned index);
    /// Dimension of product `index` at which chunks are placed, or -1 where they are added.
    int64_t getPlacedDim(unsigned index);
    /// Element type in which product `index` is accumulated.
    ::mlir::Type getAccumulatedType(unsigned index);
  }];
}

def Comm_MatmulReduceScatterOp : Comm_Fused<"matmul_reduce_scatter"> {
  let summary = "multiplies, chunk by chunk, and reduce-scatters the chunks as they are made";
  let description = [{
    Means the same as a sum of products, an elementwise `partial` region,
    `comm.reduce_scatter`, and an elementwise epilogue; but what another device
    is to get is sent as soon as it is made. The op hides its own
    communication, so it never yields a future.

    ```mlir
    // The gradient of x in q = x * wq, k = x * wk, scattered by rows and sent as bf16.
    %dx = comm.matmul_reduce_scatter sum
      product(%dq, %wq : tensor<8x4xbf16>, tensor<16x4xbf16>) maps [#mk, #nk, #mn]
      product(%dk, %wk : tensor<8x4xbf16>, tensor<16x4xbf16>) maps [#mk, #nk, #mn]
      partial() maps [] {
      ^bb0(%sum: f32):
        %c = arith.truncf %sum : f32 to bf16
        comm.yield %c : bf16
      }
      dim 0 over [[0, 1]] -> tensor<4x16xbf16>
    ```

    **Products.** Each pair is a contraction as of `linalg.contract`: three
    projected permutations of one iteration space, of the left factor, the
    right factor and the product. All products have one shape.

    **Partial** (optional). Its region gets one element of the sum of products,
    then one of each partial operand by maps from the dimensions of the
    product, and yields the element that is sent.

    **Reduce-scatter.** By the given kind, along dimension `dim` of the product,
    whose size the group size divides.

    **Epilogue** (optional). Its region gets one element of the reduced chunk,
    then one of each epilogue operand by maps from the dimensions of the result,
    and yields the result's element.

    **Numbers.** A contribution is one accumulator: it begins at zero, and takes
    product 0 by ascending contracted index, then product 1, and so on, in the
    type of the partial region's first argument, or, without one, in the type
    that is sent. The type that is sent is what the partial region yields, or,
    without one, the type of the reduction. That is the type of the epilogue's
    first argument, or, without one, of the result. The device at position p
    combines the contributions of the positions p+1, p+2, ..., p (its own last);
    with `ordered` those of 0, 1, ..., as `comm.reduce_scatter` does. An average
    is the sum, divided by the group size once at the end.
  }];
  let arguments = (ins Comm_ReductionAttr:$kind, Variadic<Comm_Tensor>:$factors,
                       Variadic<Comm_Tensor>:$partial_operands, Variadic<Comm_Tensor>:$epilogue_operands,
                       I64Attr:$dim, Comm_AnyGroups:$groups,
                       AffineMapArrayAttr:$product_maps, AffineMapArrayAttr:$partial_maps,
                       AffineMapArrayAttr:$epilogue_maps, UnitAttr:$ordered);
  let results = (outs Comm_Tensor:$result);
  let regions = (region AnyRegion:$partial, AnyRegion:$epilogue);
  let extraClassDeclaration = [{
    /// Whether the op has been bufferized.
    bool hasBuffers() { return ::llvm::isa<::mlir::MemRefType>(getResult().getType()); }
    int64_t getNumProducts() { return getFactors().size() / 2; }
    /// Maps of the left factor, the right factor and product `index`.
    ::llvm::SmallVector<::mlir::AffineMap, 3> getMaps(unsigned index);
    /// Element type in which contributions are combined.
    ::mlir::Type getReducedType();
    /// Element type of what is sent.
    ::mlir::Type getSentType();
    /// Element type in which products are accumulated.
    ::mlir::Type getAccumulatedType();
  }];
}

def Comm_YieldOp : Op<Comm_Dialect, "yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["AllGatherMatmulOp", "MatmulReduceScatterOp"]>]> {
  let summary = "the element that a prologue, partial region or epilogue makes";
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif // COMM_FUSED_OPS_TD
