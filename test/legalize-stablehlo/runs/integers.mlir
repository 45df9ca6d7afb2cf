// arithmetic_i8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi8>, tensor<9xi8>) -> (tensor<9xi8>, tensor<9xi8>, tensor<9xi8>, tensor<9xi8>, tensor<9xi8>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi8>, %arg1: tensor<9xi8>):
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    %1 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    %2 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    %3 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    %4 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    "func.return"(%0, %1, %2, %3, %4) : (tensor<9xi8>, tensor<9xi8>, tensor<9xi8>, tensor<9xi8>, tensor<9xi8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// quotients_i8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi8>, tensor<9xi8>) -> (tensor<9xi8>, tensor<9xi8>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi8>, %arg1: tensor<9xi8>):
    %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    %1 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    "func.return"(%0, %1) : (tensor<9xi8>, tensor<9xi8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// bits_i8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi8>, tensor<9xi8>) -> (tensor<9xi8>, tensor<9xi8>, tensor<9xi8>, tensor<9xi8>, tensor<9xi8>, tensor<9xi8>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi8>, %arg1: tensor<9xi8>):
    %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    %1 = "stablehlo.or"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    %3 = "stablehlo.not"(%arg0) : (tensor<9xi8>) -> tensor<9xi8>
    %4 = "stablehlo.popcnt"(%arg0) : (tensor<9xi8>) -> tensor<9xi8>
    %5 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<9xi8>) -> tensor<9xi8>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<9xi8>, tensor<9xi8>, tensor<9xi8>, tensor<9xi8>, tensor<9xi8>, tensor<9xi8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// compare_i8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi8>, tensor<9xi8>) -> (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi8>, %arg1: tensor<9xi8>):
    %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi1>
    %1 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi1>
    %2 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi1>
    %3 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi1>
    %4 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi1>
    %5 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi1>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// unary_i8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xi8>) -> (tensor<9xi8>, tensor<9xi8>, tensor<9xi8>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi8>):
    %0 = "stablehlo.sign"(%arg0) : (tensor<9xi8>) -> tensor<9xi8>
    %1 = "stablehlo.abs"(%arg0) : (tensor<9xi8>) -> tensor<9xi8>
    %2 = "stablehlo.negate"(%arg0) : (tensor<9xi8>) -> tensor<9xi8>
    "func.return"(%0, %1, %2) : (tensor<9xi8>, tensor<9xi8>, tensor<9xi8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// shifts_i8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi8>, tensor<9xi8>) -> (tensor<9xi8>, tensor<9xi8>, tensor<9xi8>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi8>, %arg1: tensor<9xi8>):
    %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    %1 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    %2 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    "func.return"(%0, %1, %2) : (tensor<9xi8>, tensor<9xi8>, tensor<9xi8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// clamp_i8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xi8>) -> tensor<9xi8>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi8>):
    %0 = "stablehlo.constant"() <{value = dense<3> : tensor<i8>}> : () -> tensor<i8>
    %1 = "stablehlo.constant"() <{value = dense<90> : tensor<i8>}> : () -> tensor<i8>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i8>) -> tensor<9xi8>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i8>) -> tensor<9xi8>
    %4 = "stablehlo.clamp"(%2, %arg0, %3) : (tensor<9xi8>, tensor<9xi8>, tensor<9xi8>) -> tensor<9xi8>
    "func.return"(%4) : (tensor<9xi8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// arithmetic_i32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi32>, %arg1: tensor<9xi32>):
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %1 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %2 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %3 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %4 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    "func.return"(%0, %1, %2, %3, %4) : (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// quotients_i32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi32>, %arg1: tensor<9xi32>):
    %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %1 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    "func.return"(%0, %1) : (tensor<9xi32>, tensor<9xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// bits_i32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi32>, %arg1: tensor<9xi32>):
    %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %1 = "stablehlo.or"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %3 = "stablehlo.not"(%arg0) : (tensor<9xi32>) -> tensor<9xi32>
    %4 = "stablehlo.popcnt"(%arg0) : (tensor<9xi32>) -> tensor<9xi32>
    %5 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<9xi32>) -> tensor<9xi32>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// compare_i32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi32>, %arg1: tensor<9xi32>):
    %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %1 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %2 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %3 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %4 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %5 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// unary_i32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi32>):
    %0 = "stablehlo.sign"(%arg0) : (tensor<9xi32>) -> tensor<9xi32>
    %1 = "stablehlo.abs"(%arg0) : (tensor<9xi32>) -> tensor<9xi32>
    %2 = "stablehlo.negate"(%arg0) : (tensor<9xi32>) -> tensor<9xi32>
    "func.return"(%0, %1, %2) : (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// shifts_i32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi32>, tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi32>, %arg1: tensor<9xi32>):
    %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %1 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    %2 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    "func.return"(%0, %1, %2) : (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// clamp_i32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xi32>) -> tensor<9xi32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi32>):
    %0 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.constant"() <{value = dense<90> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<9xi32>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<9xi32>
    %4 = "stablehlo.clamp"(%2, %arg0, %3) : (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    "func.return"(%4) : (tensor<9xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// arithmetic_i64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi64>, tensor<9xi64>) -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi64>, %arg1: tensor<9xi64>):
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %1 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %2 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %3 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %4 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    "func.return"(%0, %1, %2, %3, %4) : (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// quotients_i64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi64>, tensor<9xi64>) -> (tensor<9xi64>, tensor<9xi64>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi64>, %arg1: tensor<9xi64>):
    %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %1 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    "func.return"(%0, %1) : (tensor<9xi64>, tensor<9xi64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// bits_i64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi64>, tensor<9xi64>) -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi64>, %arg1: tensor<9xi64>):
    %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %1 = "stablehlo.or"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %3 = "stablehlo.not"(%arg0) : (tensor<9xi64>) -> tensor<9xi64>
    %4 = "stablehlo.popcnt"(%arg0) : (tensor<9xi64>) -> tensor<9xi64>
    %5 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<9xi64>) -> tensor<9xi64>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// compare_i64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi64>, tensor<9xi64>) -> (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi64>, %arg1: tensor<9xi64>):
    %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi1>
    %1 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi1>
    %2 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi1>
    %3 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi1>
    %4 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi1>
    %5 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi1>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// unary_i64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xi64>) -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi64>):
    %0 = "stablehlo.sign"(%arg0) : (tensor<9xi64>) -> tensor<9xi64>
    %1 = "stablehlo.abs"(%arg0) : (tensor<9xi64>) -> tensor<9xi64>
    %2 = "stablehlo.negate"(%arg0) : (tensor<9xi64>) -> tensor<9xi64>
    "func.return"(%0, %1, %2) : (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// shifts_i64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi64>, tensor<9xi64>) -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi64>, %arg1: tensor<9xi64>):
    %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %1 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %2 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    "func.return"(%0, %1, %2) : (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// clamp_i64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xi64>) -> tensor<9xi64>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi64>):
    %0 = "stablehlo.constant"() <{value = dense<3> : tensor<i64>}> : () -> tensor<i64>
    %1 = "stablehlo.constant"() <{value = dense<90> : tensor<i64>}> : () -> tensor<i64>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<9xi64>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<i64>) -> tensor<9xi64>
    %4 = "stablehlo.clamp"(%2, %arg0, %3) : (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    "func.return"(%4) : (tensor<9xi64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// arithmetic_ui8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui8>, tensor<9xui8>) -> (tensor<9xui8>, tensor<9xui8>, tensor<9xui8>, tensor<9xui8>, tensor<9xui8>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui8>, %arg1: tensor<9xui8>):
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    %1 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    %2 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    %3 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    %4 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    "func.return"(%0, %1, %2, %3, %4) : (tensor<9xui8>, tensor<9xui8>, tensor<9xui8>, tensor<9xui8>, tensor<9xui8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// quotients_ui8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui8>, tensor<9xui8>) -> (tensor<9xui8>, tensor<9xui8>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui8>, %arg1: tensor<9xui8>):
    %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    %1 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    "func.return"(%0, %1) : (tensor<9xui8>, tensor<9xui8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// bits_ui8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui8>, tensor<9xui8>) -> (tensor<9xui8>, tensor<9xui8>, tensor<9xui8>, tensor<9xui8>, tensor<9xui8>, tensor<9xui8>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui8>, %arg1: tensor<9xui8>):
    %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    %1 = "stablehlo.or"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    %3 = "stablehlo.not"(%arg0) : (tensor<9xui8>) -> tensor<9xui8>
    %4 = "stablehlo.popcnt"(%arg0) : (tensor<9xui8>) -> tensor<9xui8>
    %5 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<9xui8>) -> tensor<9xui8>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<9xui8>, tensor<9xui8>, tensor<9xui8>, tensor<9xui8>, tensor<9xui8>, tensor<9xui8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// compare_ui8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui8>, tensor<9xui8>) -> (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui8>, %arg1: tensor<9xui8>):
    %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xi1>
    %1 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xi1>
    %2 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xi1>
    %3 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xi1>
    %4 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xi1>
    %5 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xi1>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// unary_ui8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xui8>) -> (tensor<9xui8>, tensor<9xui8>, tensor<9xui8>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui8>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<ui8>}> : () -> tensor<ui8>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<ui8>) -> tensor<9xui8>
    %2 = "stablehlo.compare"(%arg0, %1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xi1>
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<ui8>}> : () -> tensor<ui8>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui8>) -> tensor<9xui8>
    %5 = "stablehlo.constant"() <{value = dense<1> : tensor<ui8>}> : () -> tensor<ui8>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<ui8>) -> tensor<9xui8>
    %7 = "stablehlo.select"(%2, %4, %6) : (tensor<9xi1>, tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    %8 = "stablehlo.negate"(%arg0) : (tensor<9xui8>) -> tensor<9xui8>
    "func.return"(%7, %arg0, %8) : (tensor<9xui8>, tensor<9xui8>, tensor<9xui8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// shifts_ui8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui8>, tensor<9xui8>) -> (tensor<9xui8>, tensor<9xui8>, tensor<9xui8>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui8>, %arg1: tensor<9xui8>):
    %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    %1 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    %2 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    "func.return"(%0, %1, %2) : (tensor<9xui8>, tensor<9xui8>, tensor<9xui8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// clamp_ui8
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xui8>) -> tensor<9xui8>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui8>):
    %0 = "stablehlo.constant"() <{value = dense<3> : tensor<ui8>}> : () -> tensor<ui8>
    %1 = "stablehlo.constant"() <{value = dense<90> : tensor<ui8>}> : () -> tensor<ui8>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<ui8>) -> tensor<9xui8>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<ui8>) -> tensor<9xui8>
    %4 = "stablehlo.clamp"(%2, %arg0, %3) : (tensor<9xui8>, tensor<9xui8>, tensor<9xui8>) -> tensor<9xui8>
    "func.return"(%4) : (tensor<9xui8>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// arithmetic_ui32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui32>, tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>, tensor<9xui32>, tensor<9xui32>, tensor<9xui32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui32>, %arg1: tensor<9xui32>):
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %1 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %2 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %3 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %4 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    "func.return"(%0, %1, %2, %3, %4) : (tensor<9xui32>, tensor<9xui32>, tensor<9xui32>, tensor<9xui32>, tensor<9xui32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// quotients_ui32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui32>, tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui32>, %arg1: tensor<9xui32>):
    %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %1 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    "func.return"(%0, %1) : (tensor<9xui32>, tensor<9xui32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// bits_ui32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui32>, tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>, tensor<9xui32>, tensor<9xui32>, tensor<9xui32>, tensor<9xui32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui32>, %arg1: tensor<9xui32>):
    %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %1 = "stablehlo.or"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %3 = "stablehlo.not"(%arg0) : (tensor<9xui32>) -> tensor<9xui32>
    %4 = "stablehlo.popcnt"(%arg0) : (tensor<9xui32>) -> tensor<9xui32>
    %5 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<9xui32>) -> tensor<9xui32>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<9xui32>, tensor<9xui32>, tensor<9xui32>, tensor<9xui32>, tensor<9xui32>, tensor<9xui32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// compare_ui32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui32>, tensor<9xui32>) -> (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui32>, %arg1: tensor<9xui32>):
    %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xi1>
    %1 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xi1>
    %2 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xi1>
    %3 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xi1>
    %4 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xi1>
    %5 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xi1>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// unary_ui32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>, tensor<9xui32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %2 = "stablehlo.compare"(%arg0, %1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xi1>
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %5 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %7 = "stablehlo.select"(%2, %4, %6) : (tensor<9xi1>, tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %8 = "stablehlo.negate"(%arg0) : (tensor<9xui32>) -> tensor<9xui32>
    "func.return"(%7, %arg0, %8) : (tensor<9xui32>, tensor<9xui32>, tensor<9xui32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// shifts_ui32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui32>, tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>, tensor<9xui32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui32>, %arg1: tensor<9xui32>):
    %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %1 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    %2 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    "func.return"(%0, %1, %2) : (tensor<9xui32>, tensor<9xui32>, tensor<9xui32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// clamp_ui32
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xui32>) -> tensor<9xui32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui32>):
    %0 = "stablehlo.constant"() <{value = dense<3> : tensor<ui32>}> : () -> tensor<ui32>
    %1 = "stablehlo.constant"() <{value = dense<90> : tensor<ui32>}> : () -> tensor<ui32>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<ui32>) -> tensor<9xui32>
    %4 = "stablehlo.clamp"(%2, %arg0, %3) : (tensor<9xui32>, tensor<9xui32>, tensor<9xui32>) -> tensor<9xui32>
    "func.return"(%4) : (tensor<9xui32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// arithmetic_ui64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui64>, tensor<9xui64>) -> (tensor<9xui64>, tensor<9xui64>, tensor<9xui64>, tensor<9xui64>, tensor<9xui64>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui64>, %arg1: tensor<9xui64>):
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %1 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %2 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %3 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %4 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    "func.return"(%0, %1, %2, %3, %4) : (tensor<9xui64>, tensor<9xui64>, tensor<9xui64>, tensor<9xui64>, tensor<9xui64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// quotients_ui64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui64>, tensor<9xui64>) -> (tensor<9xui64>, tensor<9xui64>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui64>, %arg1: tensor<9xui64>):
    %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %1 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    "func.return"(%0, %1) : (tensor<9xui64>, tensor<9xui64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// bits_ui64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui64>, tensor<9xui64>) -> (tensor<9xui64>, tensor<9xui64>, tensor<9xui64>, tensor<9xui64>, tensor<9xui64>, tensor<9xui64>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui64>, %arg1: tensor<9xui64>):
    %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %1 = "stablehlo.or"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %3 = "stablehlo.not"(%arg0) : (tensor<9xui64>) -> tensor<9xui64>
    %4 = "stablehlo.popcnt"(%arg0) : (tensor<9xui64>) -> tensor<9xui64>
    %5 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<9xui64>) -> tensor<9xui64>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<9xui64>, tensor<9xui64>, tensor<9xui64>, tensor<9xui64>, tensor<9xui64>, tensor<9xui64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// compare_ui64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui64>, tensor<9xui64>) -> (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui64>, %arg1: tensor<9xui64>):
    %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xi1>
    %1 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xi1>
    %2 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xi1>
    %3 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xi1>
    %4 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xi1>
    %5 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xi1>
    "func.return"(%0, %1, %2, %3, %4, %5) : (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// unary_ui64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xui64>) -> (tensor<9xui64>, tensor<9xui64>, tensor<9xui64>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui64>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<ui64>}> : () -> tensor<ui64>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<9xui64>
    %2 = "stablehlo.compare"(%arg0, %1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xi1>
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<ui64>}> : () -> tensor<ui64>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<9xui64>
    %5 = "stablehlo.constant"() <{value = dense<1> : tensor<ui64>}> : () -> tensor<ui64>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<9xui64>
    %7 = "stablehlo.select"(%2, %4, %6) : (tensor<9xi1>, tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %8 = "stablehlo.negate"(%arg0) : (tensor<9xui64>) -> tensor<9xui64>
    "func.return"(%7, %arg0, %8) : (tensor<9xui64>, tensor<9xui64>, tensor<9xui64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// shifts_ui64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xui64>, tensor<9xui64>) -> (tensor<9xui64>, tensor<9xui64>, tensor<9xui64>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui64>, %arg1: tensor<9xui64>):
    %0 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %1 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    %2 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    "func.return"(%0, %1, %2) : (tensor<9xui64>, tensor<9xui64>, tensor<9xui64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// clamp_ui64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xui64>) -> tensor<9xui64>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xui64>):
    %0 = "stablehlo.constant"() <{value = dense<3> : tensor<ui64>}> : () -> tensor<ui64>
    %1 = "stablehlo.constant"() <{value = dense<90> : tensor<ui64>}> : () -> tensor<ui64>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<9xui64>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<ui64>) -> tensor<9xui64>
    %4 = "stablehlo.clamp"(%2, %arg0, %3) : (tensor<9xui64>, tensor<9xui64>, tensor<9xui64>) -> tensor<9xui64>
    "func.return"(%4) : (tensor<9xui64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// booleans
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4xi1>, tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xi1>, %arg1: tensor<4xi1>):
    %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %1 = "stablehlo.or"(%arg0, %arg1) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %2 = "stablehlo.xor"(%arg0, %arg1) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %3 = "stablehlo.not"(%arg0) : (tensor<4xi1>) -> tensor<4xi1>
    %4 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %5 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %6 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %7 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %8 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %9 = "stablehlo.select"(%arg0, %arg1, %arg0) : (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9) : (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
