// RUN: comm-opt %s --allow-unregistered-dialect -split-input-file -verify-diagnostics --comm-import-torch='groups=g=0.1'
// RUN: %mlir_opt_plugin %s --allow-unregistered-dialect -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(comm-import-torch{groups=g=0.1})'

func.func @unknown_reduction(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "premul_sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{'torch.operator' op torch._c10d_functional.all_reduce: has the reduction 'premul_sum'; one of sum, avg, min, max, product, band, bor, bxor is expected}}
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @average_of_bools(%x: !torch.vtensor<[3],i1>) -> !torch.vtensor<[3],i1> {
  %c0 = "torch.constant.str"() <{value = "avg"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{cannot average bool tensors}}
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[3],i1>, !torch.str, !torch.str) -> !torch.vtensor<[3],i1>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[3],i1>) -> !torch.vtensor<[3],i1>
  return %1 : !torch.vtensor<[3],i1>
}

// -----

func.func @unsigned_maximum(%x: !torch.vtensor<[3],ui8>) -> !torch.vtensor<[3],ui8> {
  %c0 = "torch.constant.str"() <{value = "max"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{takes the max of unsigned integers, which builtin tensors without sign do not have}}
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[3],ui8>, !torch.str, !torch.str) -> !torch.vtensor<[3],ui8>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[3],ui8>) -> !torch.vtensor<[3],ui8>
  return %1 : !torch.vtensor<[3],ui8>
}

// -----

func.func @size_mismatch(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[16,8],f32> {
  %c0 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{has process group 'g' of size 4, but the option groups gives it 2 rank(s)}}
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_gather_into_tensor"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[16,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[16,8],f32>) -> !torch.vtensor<[16,8],f32>
  return %1 : !torch.vtensor<[16,8],f32>
}

// -----

func.func @bad_size(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{has a group_size of 0; at least 1 is expected}}
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_gather_into_tensor"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @huge_size(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.int"() <{value = 4611686018427387904 : i64}> : () -> !torch.int
  %c1 = "torch.constant.str"() <{value = "h"}> : () -> !torch.str
  // expected-error @below {{has a process group of 4611686018427387904 ranks; at most 1048576 are expected}}
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_gather_into_tensor"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @nothing_says_who(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "w"}> : () -> !torch.str
  // expected-error @below {{names process group 'w', but neither the option groups nor a group_size says who is in it; give groups=w=RANK.RANK...}}
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @unranked(%x: !torch.vtensor) -> !torch.vtensor {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{type !torch.vtensor has neither rank nor element type; a !torch.vtensor of known rank and element type is expected}}
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor, !torch.str, !torch.str) -> !torch.vtensor
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor) -> !torch.vtensor
  return %1 : !torch.vtensor
}

// -----

func.func @unknown_element(%x: !torch.vtensor<[3],unk>) -> !torch.vtensor<[3],unk> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{has elements of type 'unk'}}
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[3],unk>, !torch.str, !torch.str) -> !torch.vtensor<[3],unk>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[3],unk>) -> !torch.vtensor<[3],unk>
  return %1 : !torch.vtensor<[3],unk>
}

// -----

func.func @non_value(%x: !torch.tensor<[4,8],f32>) -> !torch.tensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{may be written through an alias}}
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.tensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.tensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.tensor<[4,8],f32>) -> !torch.tensor<[4,8],f32>
  return %1 : !torch.tensor<[4,8],f32>
}

// -----

func.func @argument_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{writes into its operand, which others may see: it is made outside this block}}
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @view_in_place(%x: !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[8,8],f32> {
  %t = "torch.aten.t"(%x) : (!torch.vtensor<[8,8],f32>) -> !torch.vtensor<[8,8],f32>
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{writes into its operand, which may share memory with operands of 'torch.aten.t'}}
  %0 = "torch.operator"(%t, %c0, %c1) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[8,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[8,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[8,8],f32>) -> !torch.vtensor<[8,8],f32>
  return %1 : !torch.vtensor<[8,8],f32>
}

// -----

func.func @used_in_place(%x: !torch.vtensor<[4,8],f32>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.clone"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{writes into its operand, which has other uses; export a functionalized graph}}
  %0 = "torch.operator"(%m, %c0, %c1) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1, %m : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>
}

// -----

func.func @two_sizes(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[8,8],f32> {
  %c0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c1 = "torch.constant.str"() <{value = "h"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_gather_into_tensor"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[8,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[8,8],f32>) -> !torch.vtensor<[8,8],f32>
  %c2 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
  // expected-error @below {{has process group 'h' of size 4, but an earlier collective has it at 2 rank(s)}}
  %2 = "torch.operator"(%x, %c2, %c1) <{name = "torch._c10d_functional.all_gather_into_tensor"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[16,8],f32>
  %3 = "torch.operator"(%2) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[16,8],f32>) -> !torch.vtensor<[16,8],f32>
  return %1 : !torch.vtensor<[8,8],f32>
}

// -----

func.func @group_object(%x: !torch.vtensor<[4,8],f32>, %g: !torch.any) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  // expected-error @below {{names its process group by no constant string but by a value of type !torch.any; a group object cannot be told apart from others, so export with group names}}
  %0 = "torch.operator"(%x, %c0, %g) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.any) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @computed_reduction(%x: !torch.vtensor<[4,8],f32>, %r: !torch.str) -> !torch.vtensor<[4,8],f32> {
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{names its reduction by no constant string}}
  %0 = "torch.operator"(%x, %r, %c1) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @computed_size(%x: !torch.vtensor<[4,8],f32>, %n: !torch.int) -> !torch.vtensor<[8,8],f32> {
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{has a group_size that is no constant integer}}
  %0 = "torch.operator"(%x, %n, %c1) <{name = "torch._c10d_functional.all_gather_into_tensor"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[8,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[8,8],f32>) -> !torch.vtensor<[8,8],f32>
  return %1 : !torch.vtensor<[8,8],f32>
}

// -----

func.func @computed_source(%x: !torch.vtensor<[4,8],f32>, %n: !torch.int) -> !torch.vtensor<[4,8],f32> {
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{has a source that is no constant integer}}
  %0 = "torch.operator"(%x, %n, %c1) <{name = "torch._c10d_functional.broadcast"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @uneven_splits(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %s1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %s2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %s3 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %o = "torch.prim.ListConstruct"(%s1, %s3) : (!torch.int, !torch.int) -> !torch.list<int>
  %i = "torch.prim.ListConstruct"(%s2, %s2) : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{has uneven splits [1, 3]; only even ones can be represented}}
  %0 = "torch.operator"(%x, %o, %i, %g) <{name = "torch._c10d_functional.all_to_all_single"}> : (!torch.vtensor<[4,8],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @different_splits(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %s1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %s2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %s3 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %o = "torch.prim.ListConstruct"(%s2, %s2) : (!torch.int, !torch.int) -> !torch.list<int>
  %i = "torch.prim.ListConstruct"(%s1, %s1, %s1, %s1) : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{has different numbers of input and output splits}}
  %0 = "torch.operator"(%x, %o, %i, %g) <{name = "torch._c10d_functional.all_to_all_single"}> : (!torch.vtensor<[4,8],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @short_splits(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %s1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
  %s2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %s3 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
  %o = "torch.prim.ListConstruct"(%s1, %s1) : (!torch.int, !torch.int) -> !torch.list<int>
  %i = "torch.prim.ListConstruct"(%s2, %s2) : (!torch.int, !torch.int) -> !torch.list<int>
  // expected-error @below {{has 2 splits of 1, which do not make up dimension 0 of tensor<4x8xf32>}}
  %0 = "torch.operator"(%x, %o, %i, %g) <{name = "torch._c10d_functional.all_to_all_single"}> : (!torch.vtensor<[4,8],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @computed_splits(%x: !torch.vtensor<[4,8],f32>, %l: !torch.list<int>) -> !torch.vtensor<[4,8],f32> {
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{has splits that are no list of constant integers; only even splits can be represented}}
  %0 = "torch.operator"(%x, %l, %l, %g) <{name = "torch._c10d_functional.all_to_all_single"}> : (!torch.vtensor<[4,8],f32>, !torch.list<int>, !torch.list<int>, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @list_from_outside(%l: !torch.list<vtensor>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{takes a list of tensors that is not made by a torch.prim.ListConstruct in sight, or may change}}
  %0 = "torch.operator"(%l, %c0, %g) <{name = "torch._c10d_functional.all_reduce_coalesced"}> : (!torch.list<vtensor>, !torch.str, !torch.str) -> !torch.list<vtensor>
  %1 = "torch.prim.ListUnpack"(%0) : (!torch.list<vtensor>) -> !torch.vtensor<[4,8],f32>
  %2 = "torch.operator"(%1) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %2 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @list_that_changes(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %l = "torch.prim.ListConstruct"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  "torch.aten.append.t"(%l, %x) : (!torch.list<vtensor>, !torch.vtensor<[4,8],f32>) -> ()
  // expected-error @below {{takes a list of tensors that is not made by a torch.prim.ListConstruct in sight, or may change}}
  %0 = "torch.operator"(%l, %c0, %g) <{name = "torch._c10d_functional.all_reduce_coalesced"}> : (!torch.list<vtensor>, !torch.str, !torch.str) -> !torch.list<vtensor>
  %1 = "torch.prim.ListUnpack"(%0) : (!torch.list<vtensor>) -> !torch.vtensor<[4,8],f32>
  %2 = "torch.operator"(%1) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %2 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @list_not_unpacked(%x: !torch.vtensor<[4,8],f32>) -> !torch.list<vtensor> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %l = "torch.prim.ListConstruct"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  // expected-error @below {{yields a list that is not just unpacked by one torch.prim.ListUnpack}}
  %0 = "torch.operator"(%l, %c0, %g) <{name = "torch._c10d_functional.all_reduce_coalesced"}> : (!torch.list<vtensor>, !torch.str, !torch.str) -> !torch.list<vtensor>
  return %0 : !torch.list<vtensor>
}

// -----

func.func @list_of_another_length(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %l = "torch.prim.ListConstruct"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  // expected-error @below {{carries 1 tensor(s) but 2 are unpacked}}
  %0 = "torch.operator"(%l, %c0, %g) <{name = "torch._c10d_functional.all_reduce_coalesced"}> : (!torch.list<vtensor>, !torch.str, !torch.str) -> !torch.list<vtensor>
  %1:2 = "torch.prim.ListUnpack"(%0) : (!torch.list<vtensor>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>)
  %2 = "torch.operator"(%1#0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %2 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @bools_and_others(%x: !torch.vtensor<[4,8],f32>, %b: !torch.vtensor<[3],i1>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %l = "torch.prim.ListConstruct"(%x, %b) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[3],i1>) -> !torch.list<vtensor>
  // expected-error @below {{reduces bool and other tensors together, whose reductions differ}}
  %0 = "torch.operator"(%l, %c0, %g) <{name = "torch._c10d_functional.all_reduce_coalesced"}> : (!torch.list<vtensor>, !torch.str, !torch.str) -> !torch.list<vtensor>
  %1:2 = "torch.prim.ListUnpack"(%0) : (!torch.list<vtensor>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[3],i1>)
  %2 = "torch.operator"(%1#0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %2 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @operands(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  // expected-error @below {{has 2 operand(s) and 1 result(s), but all_reduce has 3 operand(s) and one result}}
  %0 = "torch.operator"(%x, %c0) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @used_before_wait(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{yields a tensor that is used before it is awaited; a torch._c10d_functional.wait_tensor is expected between}}
  %0 = "torch.operator"(%x, %c0, %g) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  // expected-note @below {{used here}}
  %v = "torch.aten.view"(%0) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %1 = "torch.operator"(%v) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @returned_before_wait(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{yields a tensor that is used before it is awaited}}
  %0 = "torch.operator"(%x, %c0, %g) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  // expected-note @below {{used here}}
  return %0 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @awaited_argument(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // expected-error @below {{waits for a tensor that no collective of this function has started; views between a collective and its wait cannot be represented}}
  %1 = "torch.operator"(%x) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @awaited_in_two_blocks(%x: !torch.vtensor<[4,8],f32>, %c: i1) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{is awaited in several blocks; one wait is expected, or several in one block}}
  %0 = "torch.operator"(%x, %c0, %g) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  cf.cond_br %c, ^a, ^b
^a:
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %1 : !torch.vtensor<[4,8],f32>
^b:
  // expected-note @below {{awaited here too}}
  %2 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %2 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @awaited_in_region(%x: !torch.vtensor<[4,8],f32>, %c: i1) -> !torch.vtensor<[4,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{is awaited in another region than it is started in}}
  %0 = "torch.operator"(%x, %c0, %g) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %r = scf.if %c -> (!torch.vtensor<[4,8],f32>) {
  // expected-note @below {{awaited here}}
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
    scf.yield %1 : !torch.vtensor<[4,8],f32>
  } else {
    scf.yield %x : !torch.vtensor<[4,8],f32>
  }
  return %r : !torch.vtensor<[4,8],f32>
}

// -----

func.func @wait_of_another_type(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[?,8],f32> {
  %c0 = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %c0, %g) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{yields !torch.vtensor<[?,8],f32> but waits for !torch.vtensor<[4,8],f32>; one type is expected}}
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[?,8],f32>
  return %1 : !torch.vtensor<[?,8],f32>
}

// -----

func.func @unknown_name(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // expected-error @below {{torch._c10d_functional.isend: is no collective that this pass knows}}
  %0 = "torch.operator"(%x) <{name = "torch._c10d_functional.isend"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %0 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @foreign(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // expected-error @below {{torch.c10d_functional.all_reduce: is of the older functional collectives; those of torch._c10d_functional are expected}}
  %0 = "torch.operator"(%x) <{name = "torch.c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %0 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @foreign(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // expected-error @below {{torch._c10d_functional_autograd.all_gather_into_tensor: is a collective before differentiation; export the graph that AOTAutograd makes of it}}
  %0 = "torch.operator"(%x) <{name = "torch._c10d_functional_autograd.all_gather_into_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %0 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @foreign(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // expected-error @below {{torch.c10d.allreduce_: is no functional collective; those of torch._c10d_functional are expected}}
  %0 = "torch.operator"(%x) <{name = "torch.c10d.allreduce_"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %0 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @foreign(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // expected-error @below {{torch.symm_mem.fused_all_gather_matmul: communicates through symmetric memory, which this pass does not read}}
  %0 = "torch.operator"(%x) <{name = "torch.symm_mem.fused_all_gather_matmul"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %0 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @foreign(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  // expected-error @below {{torch._dtensor.shard_dim_alltoall: redistributes a DTensor; export the graph of local tensors}}
  %0 = "torch.operator"(%x) <{name = "torch._dtensor.shard_dim_alltoall"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %0 : !torch.vtensor<[4,8],f32>
}

// -----

// What only the dialect's verifier knows, at the place of the source.
func.func @wrong_shape(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[9,8],f32> {
  %c0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
  %c1 = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{'comm.all_gather' op yields 'tensor<9x8xf32>' as result #0, but for groups of 2 'tensor<8x8xf32>' is expected}}
  %0 = "torch.operator"(%x, %c0, %c1) <{name = "torch._c10d_functional.all_gather_into_tensor"}> : (!torch.vtensor<[4,8],f32>, !torch.int, !torch.str) -> !torch.vtensor<[9,8],f32>
  %1 = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[9,8],f32>) -> !torch.vtensor<[9,8],f32>
  return %1 : !torch.vtensor<[9,8],f32>
}

// -----

// Whatever is not known to make a new tensor may yield an alias.
func.func @_reshape_alias_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten._reshape_alias"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{torch._c10d_functional.all_reduce_: writes into its operand, which may share memory with operands of 'torch.aten._reshape_alias'; it is not known to make a new tensor}}
  %0 = "torch.operator"(%m, %sum, %g) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %w : !torch.vtensor<[4,8],f32>
}

// -----

func.func @type_as_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.type_as"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{torch._c10d_functional.all_reduce_: writes into its operand, which may share memory with operands of 'torch.aten.type_as'; it is not known to make a new tensor}}
  %0 = "torch.operator"(%m, %sum, %g) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %w : !torch.vtensor<[4,8],f32>
}

// -----

func.func @to_device_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.to.device"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{torch._c10d_functional.all_reduce_: writes into its operand, which may share memory with operands of 'torch.aten.to.device'; it is not known to make a new tensor}}
  %0 = "torch.operator"(%m, %sum, %g) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %w : !torch.vtensor<[4,8],f32>
}

// -----

func.func @to_other_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.to.other"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{torch._c10d_functional.all_reduce_: writes into its operand, which may share memory with operands of 'torch.aten.to.other'; it is not known to make a new tensor}}
  %0 = "torch.operator"(%m, %sum, %g) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %w : !torch.vtensor<[4,8],f32>
}

// -----

func.func @chunk_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.chunk"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{torch._c10d_functional.all_reduce_: writes into its operand, which may share memory with operands of 'torch.aten.chunk'; it is not known to make a new tensor}}
  %0 = "torch.operator"(%m, %sum, %g) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %w : !torch.vtensor<[4,8],f32>
}

// -----

func.func @lift_fresh_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.lift_fresh"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{torch._c10d_functional.all_reduce_: writes into its operand, which may share memory with operands of 'torch.aten.lift_fresh'; it is not known to make a new tensor}}
  %0 = "torch.operator"(%m, %sum, %g) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %w : !torch.vtensor<[4,8],f32>
}

// -----

func.func @adjoint_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.adjoint"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{torch._c10d_functional.all_reduce_: writes into its operand, which may share memory with operands of 'torch.aten.adjoint'; it is not known to make a new tensor}}
  %0 = "torch.operator"(%m, %sum, %g) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %w : !torch.vtensor<[4,8],f32>
}

// -----

func.func @squeeze_dims_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.squeeze.dims"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{torch._c10d_functional.all_reduce_: writes into its operand, which may share memory with operands of 'torch.aten.squeeze.dims'; it is not known to make a new tensor}}
  %0 = "torch.operator"(%m, %sum, %g) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %w : !torch.vtensor<[4,8],f32>
}

// -----

func.func @result_of_write_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.add_.Tensor"(%x, %x) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{torch._c10d_functional.all_reduce_: writes into its operand, which may share memory with operands of 'torch.aten.add_.Tensor'; it is not known to make a new tensor}}
  %0 = "torch.operator"(%m, %sum, %g) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %w : !torch.vtensor<[4,8],f32>
}

// -----

func.func @result_of_out(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.add.out"(%x, %x, %x) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{torch._c10d_functional.all_reduce_: writes into its operand, which may share memory with operands of 'torch.aten.add.out'; it is not known to make a new tensor}}
  %0 = "torch.operator"(%m, %sum, %g) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %w : !torch.vtensor<[4,8],f32>
}

// -----

func.func @custom_in_place(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.mylib.custom"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{torch._c10d_functional.all_reduce_: writes into its operand, which may share memory with operands of 'torch.mylib.custom'; it is not known to make a new tensor}}
  %0 = "torch.operator"(%m, %sum, %g) <{name = "torch._c10d_functional.all_reduce_"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %w : !torch.vtensor<[4,8],f32>
}

// -----

func.func @twice_in_a_list(%x: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %m = "torch.aten.clone"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %l = "torch.prim.ListConstruct"(%m, %m) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  // expected-error @below {{writes into its operand, which has other uses}}
  %0 = "torch.operator"(%l, %sum, %g) <{name = "torch._c10d_functional.all_reduce_coalesced_"}> : (!torch.list<vtensor>, !torch.str, !torch.str) -> !torch.list<vtensor>
  %u:2 = "torch.prim.ListUnpack"(%0) : (!torch.list<vtensor>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>)
  %w = "torch.operator"(%u#0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %v = "torch.operator"(%u#1) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %w : !torch.vtensor<[4,8],f32>
}

// -----

// Blocks that are never reached need not make a value before they use it.
func.func @waits_for_itself(%x: !torch.vtensor<[4,8],f32>) {
  return
^dead:
  // expected-error @below {{uses a value that is not made before it}}
  %w = "torch.operator"(%w) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  cf.br ^dead
}

// -----

func.func @wait_for_each_other(%x: !torch.vtensor<[4,8],f32>) {
  return
^one:
  // expected-error @below {{waits for a tensor that no collective of this function has started}}
  %v = "torch.operator"(%w) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  cf.br ^two
^two:
  // expected-error @below {{waits for a tensor that no collective of this function has started}}
  %w = "torch.operator"(%v) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  cf.br ^one
}

// -----

// Nor do regions without order.
func.func @reduces_its_own_result(%x: !torch.vtensor<[4,8],f32>) {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  "test.graph"() ({
  // expected-error @below {{uses a value that is not made before it}}
  %0 = "torch.operator"(%w, %sum, %g) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
    "test.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// MLIR takes an op that it does not know for a terminator at the end of a block. One of comm is none.
func.func @collective_ends_block(%x: !torch.vtensor<[4,8],f32>) {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  // expected-error @below {{is the last op of its block; a collective cannot end a block}}
  %0 = "torch.operator"(%x, %sum, %g) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
}

// -----

func.func @wait_ends_block(%x: !torch.vtensor<[4,8],f32>) {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %0 = "torch.operator"(%x, %sum, %g) <{name = "torch._c10d_functional.all_reduce"}> : (!torch.vtensor<[4,8],f32>, !torch.str, !torch.str) -> !torch.vtensor<[4,8],f32>
  // expected-error @below {{is the last op of its block; a collective cannot end a block}}
  %w = "torch.operator"(%0) <{name = "torch._c10d_functional.wait_tensor"}> : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
}

// -----

func.func @unpack_ends_block(%x: !torch.vtensor<[4,8],f32>) {
  %sum = "torch.constant.str"() <{value = "sum"}> : () -> !torch.str
  %g = "torch.constant.str"() <{value = "g"}> : () -> !torch.str
  %l = "torch.prim.ListConstruct"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.list<vtensor>
  // expected-error @below {{yields a list that is not just unpacked by one torch.prim.ListUnpack inside a block}}
  %0 = "torch.operator"(%l, %sum, %g) <{name = "torch._c10d_functional.all_reduce_coalesced"}> : (!torch.list<vtensor>, !torch.str, !torch.str) -> !torch.list<vtensor>
  %u = "torch.prim.ListUnpack"(%0) : (!torch.list<vtensor>) -> !torch.vtensor<[4,8],f32>
}
