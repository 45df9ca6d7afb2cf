"builtin.module"() <{sym_name = "jit_fn"}> ({
  "func.func"() <{function_type = (tensor<8x256xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x176xf32>, tensor<22x64xf32>, tensor<8x176xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x176xf32>, tensor<22x64xf32>, tensor<8x176xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<32x64xf32>, tensor<2x32xi32>, tensor<2x32xi32>) -> (tensor<f32>, tensor<8x256xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x176xf32>, tensor<22x64xf32>, tensor<8x176xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x176xf32>, tensor<22x64xf32>, tensor<8x176xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<32x64xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg19: tensor<8x256xf32>, %arg20: tensor<8xf32>, %arg21: tensor<8xf32>, %arg22: tensor<8x176xf32>, %arg23: tensor<22x64xf32>, %arg24: tensor<8x176xf32>, %arg25: tensor<8x64xf32>, %arg26: tensor<8x64xf32>, %arg27: tensor<8x64xf32>, %arg28: tensor<8x64xf32>, %arg29: tensor<8xf32>, %arg30: tensor<8xf32>, %arg31: tensor<8x176xf32>, %arg32: tensor<22x64xf32>, %arg33: tensor<8x176xf32>, %arg34: tensor<8x64xf32>, %arg35: tensor<8x64xf32>, %arg36: tensor<8x64xf32>, %arg37: tensor<8x64xf32>, %arg38: tensor<8xf32>, %arg39: tensor<32x64xf32>, %arg40: tensor<2x32xi32>, %arg41: tensor<2x32xi32>):
    %51 = "stablehlo.all_gather"(%arg39) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<32x64xf32>) -> tensor<256x64xf32>
    %52 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x32xi32>
    %54 = "stablehlo.compare"(%arg40, %53) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x32xi32>, tensor<2x32xi32>) -> tensor<2x32xi1>
    %55 = "stablehlo.constant"() <{value = dense<256> : tensor<i32>}> : () -> tensor<i32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x32xi32>
    %57 = "stablehlo.add"(%arg40, %56) : (tensor<2x32xi32>, tensor<2x32xi32>) -> tensor<2x32xi32>
    %58 = "stablehlo.select"(%54, %57, %arg40) : (tensor<2x32xi1>, tensor<2x32xi32>, tensor<2x32xi32>) -> tensor<2x32xi32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xi32>) -> tensor<2x32x1xi32>
    %60 = "stablehlo.gather"(%51, %59) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<256x64xf32>, tensor<2x32x1xi32>) -> tensor<2x32x64xf32>
    %61 = "stablehlo.all_gather"(%arg20) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8xf32>) -> tensor<64xf32>
    %62 = "stablehlo.all_gather"(%arg27) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %63 = "stablehlo.all_gather"(%arg25) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %64 = "stablehlo.all_gather"(%arg28) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %65 = "stablehlo.all_gather"(%arg26) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %66 = "stablehlo.all_gather"(%arg21) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8xf32>) -> tensor<64xf32>
    %67 = "stablehlo.all_gather"(%arg22) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x176xf32>) -> tensor<64x176xf32>
    %68 = "stablehlo.all_gather"(%arg24) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x176xf32>) -> tensor<64x176xf32>
    %69 = "stablehlo.all_gather"(%arg23) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<22x64xf32>) -> tensor<176x64xf32>
    %70 = "stablehlo.multiply"(%60, %60) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %71 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %72 = "stablehlo.reduce"(%70, %71) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg158: tensor<f32>, %arg159: tensor<f32>):
      %977 = "stablehlo.add"(%arg158, %arg159) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%977) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<2x32xf32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x1xf32>
    %74 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %76 = "stablehlo.divide"(%73, %75) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %77 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %79 = "stablehlo.add"(%76, %78) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %80 = "stablehlo.rsqrt"(%79) : (tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %81 = "stablehlo.reduce_precision"(%80) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %82 = "stablehlo.divide"(%81, %79) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %83 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %85 = "stablehlo.multiply"(%84, %82) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %86 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x32x1xf32>) -> tensor<2x32x64xf32>
    %87 = "stablehlo.multiply"(%60, %86) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %88 = "stablehlo.reduce_precision"(%87) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %89 = "stablehlo.broadcast_in_dim"(%61) <{broadcast_dimensions = array<i64: 2>}> : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %90 = "stablehlo.reduce_precision"(%89) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x64xf32>) -> tensor<2x32x64xf32>
    %92 = "stablehlo.multiply"(%88, %91) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %93 = "stablehlo.reduce_precision"(%92) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %94 = "stablehlo.dot_general"(%93, %62) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %95 = "stablehlo.reshape"(%94) : (tensor<2x32x64xf32>) -> tensor<2x32x8x8xf32>
    %96 = "stablehlo.dot_general"(%93, %63) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %97 = "stablehlo.reshape"(%96) : (tensor<2x32x64xf32>) -> tensor<2x32x8x8xf32>
    %98 = "stablehlo.dot_general"(%93, %64) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %99 = "stablehlo.reshape"(%98) : (tensor<2x32x64xf32>) -> tensor<2x32x8x8xf32>
    %100 = "stablehlo.reduce_precision"(%99) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
    %101 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32x4xf32>
    %102 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<32x4xf32>
    %103 = "stablehlo.constant"() <{value = dense<-2.30258512> : tensor<f32>}> : () -> tensor<f32>
    %104 = "stablehlo.broadcast_in_dim"(%103) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %105 = "stablehlo.multiply"(%102, %104) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %106 = "stablehlo.exponential"(%105) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %107 = "stablehlo.multiply"(%101, %106) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %108 = "stablehlo.cosine"(%107) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<32x4xf32>) -> tensor<1x32x1x4xf32>
    %110 = "stablehlo.reduce_precision"(%109) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x32x1x4xf32>) -> tensor<1x32x1x4xf32>
    %111 = "stablehlo.multiply"(%101, %106) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %112 = "stablehlo.sine"(%111) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<32x4xf32>) -> tensor<1x32x1x4xf32>
    %114 = "stablehlo.reduce_precision"(%113) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x32x1x4xf32>) -> tensor<1x32x1x4xf32>
    %115 = "stablehlo.slice"(%95) <{limit_indices = array<i64: 2, 32, 8, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %116 = "stablehlo.slice"(%95) <{limit_indices = array<i64: 2, 32, 8, 8>, start_indices = array<i64: 0, 0, 0, 4>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %117 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %118 = "stablehlo.multiply"(%115, %117) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %119 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %120 = "stablehlo.multiply"(%116, %119) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %121 = "stablehlo.subtract"(%118, %120) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %122 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %123 = "stablehlo.multiply"(%115, %122) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %124 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %125 = "stablehlo.multiply"(%116, %124) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %126 = "stablehlo.add"(%123, %125) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %127 = "stablehlo.concatenate"(%121, %126) <{dimension = 3 : i64}> : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x8xf32>
    %128 = "stablehlo.reduce_precision"(%127) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
    %129 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32x4xf32>
    %130 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<32x4xf32>
    %131 = "stablehlo.constant"() <{value = dense<-2.30258512> : tensor<f32>}> : () -> tensor<f32>
    %132 = "stablehlo.broadcast_in_dim"(%131) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %133 = "stablehlo.multiply"(%130, %132) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %134 = "stablehlo.exponential"(%133) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %135 = "stablehlo.multiply"(%129, %134) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %136 = "stablehlo.cosine"(%135) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %137 = "stablehlo.broadcast_in_dim"(%136) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<32x4xf32>) -> tensor<1x32x1x4xf32>
    %138 = "stablehlo.reduce_precision"(%137) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x32x1x4xf32>) -> tensor<1x32x1x4xf32>
    %139 = "stablehlo.multiply"(%129, %134) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %140 = "stablehlo.sine"(%139) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<32x4xf32>) -> tensor<1x32x1x4xf32>
    %142 = "stablehlo.reduce_precision"(%141) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x32x1x4xf32>) -> tensor<1x32x1x4xf32>
    %143 = "stablehlo.slice"(%97) <{limit_indices = array<i64: 2, 32, 8, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %144 = "stablehlo.slice"(%97) <{limit_indices = array<i64: 2, 32, 8, 8>, start_indices = array<i64: 0, 0, 0, 4>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %145 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %146 = "stablehlo.multiply"(%143, %145) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %147 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %148 = "stablehlo.multiply"(%144, %147) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %149 = "stablehlo.subtract"(%146, %148) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %150 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %151 = "stablehlo.multiply"(%143, %150) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %152 = "stablehlo.broadcast_in_dim"(%138) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %153 = "stablehlo.multiply"(%144, %152) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %154 = "stablehlo.add"(%151, %153) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %155 = "stablehlo.concatenate"(%149, %154) <{dimension = 3 : i64}> : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x8xf32>
    %156 = "stablehlo.reduce_precision"(%155) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
    %157 = "stablehlo.dot_general"(%128, %156) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>) -> tensor<2x8x32x32xf32>
    %158 = "stablehlo.constant"() <{value = dense<2.82842708> : tensor<f32>}> : () -> tensor<f32>
    %159 = "stablehlo.broadcast_in_dim"(%158) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32x32xf32>
    %160 = "stablehlo.divide"(%157, %159) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %161 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32x32xi32>
    %162 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<32x32xi32>
    %163 = "stablehlo.compare"(%161, %162) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
    %164 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %165:2 = "func.call"(%163, %160, %164) <{callee = @_where}> : (tensor<32x32xi1>, tensor<2x8x32x32xf32>, tensor<f32>) -> (tensor<2x8x32x32xf32>, tensor<2x8x32x32xi1>)
    %166 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %167 = "stablehlo.reduce"(%165#0, %166) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg156: tensor<f32>, %arg157: tensor<f32>):
      %976 = "stablehlo.maximum"(%arg156, %arg157) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%976) : (tensor<f32>) -> ()
    }) : (tensor<2x8x32x32xf32>, tensor<f32>) -> tensor<2x8x32xf32>
    %168 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %169 = "stablehlo.broadcast_in_dim"(%168) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32xf32>
    %170 = "stablehlo.maximum"(%169, %167) : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %171 = "stablehlo.broadcast_in_dim"(%170) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x32xf32>) -> tensor<2x8x32x1xf32>
    %172 = "stablehlo.broadcast_in_dim"(%171) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x32x1xf32>) -> tensor<2x8x32x32xf32>
    %173 = "stablehlo.subtract"(%165#0, %172) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %174 = "stablehlo.exponential"(%173) : (tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %175 = "stablehlo.reduce_precision"(%174) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %176 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %177 = "stablehlo.reduce"(%175, %176) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg154: tensor<f32>, %arg155: tensor<f32>):
      %975 = "stablehlo.add"(%arg154, %arg155) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%975) : (tensor<f32>) -> ()
    }) : (tensor<2x8x32x32xf32>, tensor<f32>) -> tensor<2x8x32xf32>
    %178 = "stablehlo.broadcast_in_dim"(%177) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x32xf32>) -> tensor<2x8x32x1xf32>
    %179 = "stablehlo.reduce_precision"(%178) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x8x32x1xf32>) -> tensor<2x8x32x1xf32>
    %180 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x32x1xf32>) -> tensor<2x8x32x32xf32>
    %181 = "stablehlo.divide"(%175, %180) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %182 = "stablehlo.reduce_precision"(%181) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %183 = "stablehlo.multiply"(%179, %179) : (tensor<2x8x32x1xf32>, tensor<2x8x32x1xf32>) -> tensor<2x8x32x1xf32>
    %184 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %185 = "stablehlo.broadcast_in_dim"(%184) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32x1xf32>
    %186 = "stablehlo.divide"(%185, %183) : (tensor<2x8x32x1xf32>, tensor<2x8x32x1xf32>) -> tensor<2x8x32x1xf32>
    %187 = "stablehlo.dot_general"(%100, %182) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8x8xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x8x32xf32>
    %188 = "stablehlo.transpose"(%187) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x32xf32>) -> tensor<2x32x8x8xf32>
    %189 = "stablehlo.reshape"(%188) : (tensor<2x32x8x8xf32>) -> tensor<2x32x64xf32>
    %190 = "stablehlo.reduce_precision"(%189) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %191 = "stablehlo.dot_general"(%190, %65) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %192 = "stablehlo.add"(%60, %191) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %193 = "stablehlo.reduce_precision"(%192) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %194 = "stablehlo.multiply"(%193, %193) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %195 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %196 = "stablehlo.reduce"(%194, %195) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg152: tensor<f32>, %arg153: tensor<f32>):
      %974 = "stablehlo.add"(%arg152, %arg153) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%974) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<2x32xf32>
    %197 = "stablehlo.broadcast_in_dim"(%196) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x1xf32>
    %198 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %199 = "stablehlo.broadcast_in_dim"(%198) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %200 = "stablehlo.divide"(%197, %199) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %201 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %203 = "stablehlo.add"(%200, %202) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %204 = "stablehlo.rsqrt"(%203) : (tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %205 = "stablehlo.reduce_precision"(%204) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %206 = "stablehlo.divide"(%205, %203) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %207 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %208 = "stablehlo.broadcast_in_dim"(%207) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %209 = "stablehlo.multiply"(%208, %206) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %210 = "stablehlo.broadcast_in_dim"(%205) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x32x1xf32>) -> tensor<2x32x64xf32>
    %211 = "stablehlo.multiply"(%193, %210) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %212 = "stablehlo.reduce_precision"(%211) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %213 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64: 2>}> : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %214 = "stablehlo.reduce_precision"(%213) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
    %215 = "stablehlo.broadcast_in_dim"(%214) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x64xf32>) -> tensor<2x32x64xf32>
    %216 = "stablehlo.multiply"(%212, %215) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %217 = "stablehlo.reduce_precision"(%216) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %218 = "stablehlo.dot_general"(%217, %67) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x176xf32>) -> tensor<2x32x176xf32>
    %219 = "stablehlo.reduce_precision"(%218) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %220:3 = "func.call"(%219) <{callee = @silu}> : (tensor<2x32x176xf32>) -> (tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>)
    %221 = "stablehlo.reduce_precision"(%220#0) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %222 = "stablehlo.dot_general"(%217, %68) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x176xf32>) -> tensor<2x32x176xf32>
    %223 = "stablehlo.reduce_precision"(%222) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %224 = "stablehlo.multiply"(%221, %223) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %225 = "stablehlo.reduce_precision"(%224) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %226 = "stablehlo.dot_general"(%225, %69) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x176xf32>, tensor<176x64xf32>) -> tensor<2x32x64xf32>
    %227 = "stablehlo.add"(%193, %226) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %228 = "stablehlo.all_gather"(%arg29) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8xf32>) -> tensor<64xf32>
    %229 = "stablehlo.all_gather"(%arg36) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %230 = "stablehlo.all_gather"(%arg34) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %231 = "stablehlo.all_gather"(%arg37) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %232 = "stablehlo.all_gather"(%arg35) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %233 = "stablehlo.all_gather"(%arg30) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8xf32>) -> tensor<64xf32>
    %234 = "stablehlo.all_gather"(%arg31) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x176xf32>) -> tensor<64x176xf32>
    %235 = "stablehlo.all_gather"(%arg33) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x176xf32>) -> tensor<64x176xf32>
    %236 = "stablehlo.all_gather"(%arg32) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<22x64xf32>) -> tensor<176x64xf32>
    %237 = "stablehlo.multiply"(%227, %227) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %238 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %239 = "stablehlo.reduce"(%237, %238) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg150: tensor<f32>, %arg151: tensor<f32>):
      %973 = "stablehlo.add"(%arg150, %arg151) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%973) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<2x32xf32>
    %240 = "stablehlo.broadcast_in_dim"(%239) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x1xf32>
    %241 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %242 = "stablehlo.broadcast_in_dim"(%241) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %243 = "stablehlo.divide"(%240, %242) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %244 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %245 = "stablehlo.broadcast_in_dim"(%244) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %246 = "stablehlo.add"(%243, %245) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %247 = "stablehlo.rsqrt"(%246) : (tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %248 = "stablehlo.reduce_precision"(%247) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %249 = "stablehlo.divide"(%248, %246) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %250 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %251 = "stablehlo.broadcast_in_dim"(%250) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %252 = "stablehlo.multiply"(%251, %249) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %253 = "stablehlo.broadcast_in_dim"(%248) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x32x1xf32>) -> tensor<2x32x64xf32>
    %254 = "stablehlo.multiply"(%227, %253) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %255 = "stablehlo.reduce_precision"(%254) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %256 = "stablehlo.broadcast_in_dim"(%228) <{broadcast_dimensions = array<i64: 2>}> : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %257 = "stablehlo.reduce_precision"(%256) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
    %258 = "stablehlo.broadcast_in_dim"(%257) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x64xf32>) -> tensor<2x32x64xf32>
    %259 = "stablehlo.multiply"(%255, %258) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %260 = "stablehlo.reduce_precision"(%259) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %261 = "stablehlo.dot_general"(%260, %229) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %262 = "stablehlo.reshape"(%261) : (tensor<2x32x64xf32>) -> tensor<2x32x8x8xf32>
    %263 = "stablehlo.dot_general"(%260, %230) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %264 = "stablehlo.reshape"(%263) : (tensor<2x32x64xf32>) -> tensor<2x32x8x8xf32>
    %265 = "stablehlo.dot_general"(%260, %231) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %266 = "stablehlo.reshape"(%265) : (tensor<2x32x64xf32>) -> tensor<2x32x8x8xf32>
    %267 = "stablehlo.reduce_precision"(%266) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
    %268 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32x4xf32>
    %269 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<32x4xf32>
    %270 = "stablehlo.constant"() <{value = dense<-2.30258512> : tensor<f32>}> : () -> tensor<f32>
    %271 = "stablehlo.broadcast_in_dim"(%270) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %272 = "stablehlo.multiply"(%269, %271) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %273 = "stablehlo.exponential"(%272) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %274 = "stablehlo.multiply"(%268, %273) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %275 = "stablehlo.cosine"(%274) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %276 = "stablehlo.broadcast_in_dim"(%275) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<32x4xf32>) -> tensor<1x32x1x4xf32>
    %277 = "stablehlo.reduce_precision"(%276) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x32x1x4xf32>) -> tensor<1x32x1x4xf32>
    %278 = "stablehlo.multiply"(%268, %273) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %279 = "stablehlo.sine"(%278) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %280 = "stablehlo.broadcast_in_dim"(%279) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<32x4xf32>) -> tensor<1x32x1x4xf32>
    %281 = "stablehlo.reduce_precision"(%280) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x32x1x4xf32>) -> tensor<1x32x1x4xf32>
    %282 = "stablehlo.slice"(%262) <{limit_indices = array<i64: 2, 32, 8, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %283 = "stablehlo.slice"(%262) <{limit_indices = array<i64: 2, 32, 8, 8>, start_indices = array<i64: 0, 0, 0, 4>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %284 = "stablehlo.broadcast_in_dim"(%277) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %285 = "stablehlo.multiply"(%282, %284) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %286 = "stablehlo.broadcast_in_dim"(%281) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %287 = "stablehlo.multiply"(%283, %286) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %288 = "stablehlo.subtract"(%285, %287) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %289 = "stablehlo.broadcast_in_dim"(%281) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %290 = "stablehlo.multiply"(%282, %289) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %291 = "stablehlo.broadcast_in_dim"(%277) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %292 = "stablehlo.multiply"(%283, %291) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %293 = "stablehlo.add"(%290, %292) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %294 = "stablehlo.concatenate"(%288, %293) <{dimension = 3 : i64}> : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x8xf32>
    %295 = "stablehlo.reduce_precision"(%294) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
    %296 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32x4xf32>
    %297 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<32x4xf32>
    %298 = "stablehlo.constant"() <{value = dense<-2.30258512> : tensor<f32>}> : () -> tensor<f32>
    %299 = "stablehlo.broadcast_in_dim"(%298) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x4xf32>
    %300 = "stablehlo.multiply"(%297, %299) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %301 = "stablehlo.exponential"(%300) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %302 = "stablehlo.multiply"(%296, %301) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %303 = "stablehlo.cosine"(%302) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %304 = "stablehlo.broadcast_in_dim"(%303) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<32x4xf32>) -> tensor<1x32x1x4xf32>
    %305 = "stablehlo.reduce_precision"(%304) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x32x1x4xf32>) -> tensor<1x32x1x4xf32>
    %306 = "stablehlo.multiply"(%296, %301) : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x4xf32>
    %307 = "stablehlo.sine"(%306) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %308 = "stablehlo.broadcast_in_dim"(%307) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<32x4xf32>) -> tensor<1x32x1x4xf32>
    %309 = "stablehlo.reduce_precision"(%308) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x32x1x4xf32>) -> tensor<1x32x1x4xf32>
    %310 = "stablehlo.slice"(%264) <{limit_indices = array<i64: 2, 32, 8, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %311 = "stablehlo.slice"(%264) <{limit_indices = array<i64: 2, 32, 8, 8>, start_indices = array<i64: 0, 0, 0, 4>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %312 = "stablehlo.broadcast_in_dim"(%305) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %313 = "stablehlo.multiply"(%310, %312) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %314 = "stablehlo.broadcast_in_dim"(%309) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %315 = "stablehlo.multiply"(%311, %314) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %316 = "stablehlo.subtract"(%313, %315) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %317 = "stablehlo.broadcast_in_dim"(%309) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %318 = "stablehlo.multiply"(%310, %317) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %319 = "stablehlo.broadcast_in_dim"(%305) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %320 = "stablehlo.multiply"(%311, %319) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %321 = "stablehlo.add"(%318, %320) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %322 = "stablehlo.concatenate"(%316, %321) <{dimension = 3 : i64}> : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x8xf32>
    %323 = "stablehlo.reduce_precision"(%322) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
    %324 = "stablehlo.dot_general"(%295, %323) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>) -> tensor<2x8x32x32xf32>
    %325 = "stablehlo.constant"() <{value = dense<2.82842708> : tensor<f32>}> : () -> tensor<f32>
    %326 = "stablehlo.broadcast_in_dim"(%325) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32x32xf32>
    %327 = "stablehlo.divide"(%324, %326) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %328 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<32x32xi32>
    %329 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<32x32xi32>
    %330 = "stablehlo.compare"(%328, %329) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
    %331 = "stablehlo.constant"() <{value = dense<-1.000000e+30> : tensor<f32>}> : () -> tensor<f32>
    %332:2 = "func.call"(%330, %327, %331) <{callee = @_where}> : (tensor<32x32xi1>, tensor<2x8x32x32xf32>, tensor<f32>) -> (tensor<2x8x32x32xf32>, tensor<2x8x32x32xi1>)
    %333 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %334 = "stablehlo.reduce"(%332#0, %333) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg148: tensor<f32>, %arg149: tensor<f32>):
      %972 = "stablehlo.maximum"(%arg148, %arg149) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%972) : (tensor<f32>) -> ()
    }) : (tensor<2x8x32x32xf32>, tensor<f32>) -> tensor<2x8x32xf32>
    %335 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %336 = "stablehlo.broadcast_in_dim"(%335) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32xf32>
    %337 = "stablehlo.maximum"(%336, %334) : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %338 = "stablehlo.broadcast_in_dim"(%337) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x32xf32>) -> tensor<2x8x32x1xf32>
    %339 = "stablehlo.broadcast_in_dim"(%338) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x32x1xf32>) -> tensor<2x8x32x32xf32>
    %340 = "stablehlo.subtract"(%332#0, %339) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %341 = "stablehlo.exponential"(%340) : (tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %342 = "stablehlo.reduce_precision"(%341) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %343 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %344 = "stablehlo.reduce"(%342, %343) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg146: tensor<f32>, %arg147: tensor<f32>):
      %971 = "stablehlo.add"(%arg146, %arg147) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%971) : (tensor<f32>) -> ()
    }) : (tensor<2x8x32x32xf32>, tensor<f32>) -> tensor<2x8x32xf32>
    %345 = "stablehlo.broadcast_in_dim"(%344) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x32xf32>) -> tensor<2x8x32x1xf32>
    %346 = "stablehlo.reduce_precision"(%345) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x8x32x1xf32>) -> tensor<2x8x32x1xf32>
    %347 = "stablehlo.broadcast_in_dim"(%346) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x32x1xf32>) -> tensor<2x8x32x32xf32>
    %348 = "stablehlo.divide"(%342, %347) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %349 = "stablehlo.reduce_precision"(%348) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %350 = "stablehlo.multiply"(%346, %346) : (tensor<2x8x32x1xf32>, tensor<2x8x32x1xf32>) -> tensor<2x8x32x1xf32>
    %351 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %352 = "stablehlo.broadcast_in_dim"(%351) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32x1xf32>
    %353 = "stablehlo.divide"(%352, %350) : (tensor<2x8x32x1xf32>, tensor<2x8x32x1xf32>) -> tensor<2x8x32x1xf32>
    %354 = "stablehlo.dot_general"(%267, %349) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x8x8xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x8x32xf32>
    %355 = "stablehlo.transpose"(%354) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x32xf32>) -> tensor<2x32x8x8xf32>
    %356 = "stablehlo.reshape"(%355) : (tensor<2x32x8x8xf32>) -> tensor<2x32x64xf32>
    %357 = "stablehlo.reduce_precision"(%356) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %358 = "stablehlo.dot_general"(%357, %232) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %359 = "stablehlo.add"(%227, %358) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %360 = "stablehlo.reduce_precision"(%359) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %361 = "stablehlo.multiply"(%360, %360) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %362 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %363 = "stablehlo.reduce"(%361, %362) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg144: tensor<f32>, %arg145: tensor<f32>):
      %970 = "stablehlo.add"(%arg144, %arg145) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%970) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<2x32xf32>
    %364 = "stablehlo.broadcast_in_dim"(%363) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x1xf32>
    %365 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %366 = "stablehlo.broadcast_in_dim"(%365) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %367 = "stablehlo.divide"(%364, %366) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %368 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %369 = "stablehlo.broadcast_in_dim"(%368) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %370 = "stablehlo.add"(%367, %369) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %371 = "stablehlo.rsqrt"(%370) : (tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %372 = "stablehlo.reduce_precision"(%371) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %373 = "stablehlo.divide"(%372, %370) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %374 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %375 = "stablehlo.broadcast_in_dim"(%374) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %376 = "stablehlo.multiply"(%375, %373) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %377 = "stablehlo.broadcast_in_dim"(%372) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x32x1xf32>) -> tensor<2x32x64xf32>
    %378 = "stablehlo.multiply"(%360, %377) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %379 = "stablehlo.reduce_precision"(%378) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %380 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64: 2>}> : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %381 = "stablehlo.reduce_precision"(%380) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
    %382 = "stablehlo.broadcast_in_dim"(%381) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x64xf32>) -> tensor<2x32x64xf32>
    %383 = "stablehlo.multiply"(%379, %382) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %384 = "stablehlo.reduce_precision"(%383) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %385 = "stablehlo.dot_general"(%384, %234) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x176xf32>) -> tensor<2x32x176xf32>
    %386 = "stablehlo.reduce_precision"(%385) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %387:3 = "func.call"(%386) <{callee = @silu}> : (tensor<2x32x176xf32>) -> (tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>)
    %388 = "stablehlo.reduce_precision"(%387#0) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %389 = "stablehlo.dot_general"(%384, %235) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x176xf32>) -> tensor<2x32x176xf32>
    %390 = "stablehlo.reduce_precision"(%389) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %391 = "stablehlo.multiply"(%388, %390) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %392 = "stablehlo.reduce_precision"(%391) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %393 = "stablehlo.dot_general"(%392, %236) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x176xf32>, tensor<176x64xf32>) -> tensor<2x32x64xf32>
    %394 = "stablehlo.add"(%360, %393) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %395 = "stablehlo.all_gather"(%arg38) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8xf32>) -> tensor<64xf32>
    %396 = "stablehlo.multiply"(%394, %394) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %397 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %398 = "stablehlo.reduce"(%396, %397) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg142: tensor<f32>, %arg143: tensor<f32>):
      %969 = "stablehlo.add"(%arg142, %arg143) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%969) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<2x32xf32>
    %399 = "stablehlo.broadcast_in_dim"(%398) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x1xf32>
    %400 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %401 = "stablehlo.broadcast_in_dim"(%400) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %402 = "stablehlo.divide"(%399, %401) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %403 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %404 = "stablehlo.broadcast_in_dim"(%403) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %405 = "stablehlo.add"(%402, %404) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %406 = "stablehlo.rsqrt"(%405) : (tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %407 = "stablehlo.reduce_precision"(%406) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %408 = "stablehlo.divide"(%407, %405) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %409 = "stablehlo.constant"() <{value = dense<-5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %410 = "stablehlo.broadcast_in_dim"(%409) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %411 = "stablehlo.multiply"(%410, %408) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %412 = "stablehlo.broadcast_in_dim"(%407) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x32x1xf32>) -> tensor<2x32x64xf32>
    %413 = "stablehlo.multiply"(%394, %412) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %414 = "stablehlo.reduce_precision"(%413) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %415 = "stablehlo.broadcast_in_dim"(%395) <{broadcast_dimensions = array<i64: 2>}> : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %416 = "stablehlo.reduce_precision"(%415) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
    %417 = "stablehlo.broadcast_in_dim"(%416) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x64xf32>) -> tensor<2x32x64xf32>
    %418 = "stablehlo.multiply"(%414, %417) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %419 = "stablehlo.reduce_precision"(%418) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %420 = "stablehlo.all_gather"(%arg19) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x256xf32>) -> tensor<64x256xf32>
    %421 = "stablehlo.dot_general"(%419, %420) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x256xf32>) -> tensor<2x32x256xf32>
    %422 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %423 = "stablehlo.reduce"(%421, %422) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg140: tensor<f32>, %arg141: tensor<f32>):
      %968 = "stablehlo.maximum"(%arg140, %arg141) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%968) : (tensor<f32>) -> ()
    }) : (tensor<2x32x256xf32>, tensor<f32>) -> tensor<2x32xf32>
    %424 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %425 = "stablehlo.broadcast_in_dim"(%424) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32xf32>
    %426 = "stablehlo.maximum"(%425, %423) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %427 = "stablehlo.is_finite"(%426) : (tensor<2x32xf32>) -> tensor<2x32xi1>
    %428 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %429 = "stablehlo.broadcast_in_dim"(%428) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32xf32>
    %430 = "stablehlo.select"(%427, %426, %429) : (tensor<2x32xi1>, tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %431 = "stablehlo.broadcast_in_dim"(%430) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x1xf32>
    %432 = "stablehlo.broadcast_in_dim"(%431) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x32x1xf32>) -> tensor<2x32x256xf32>
    %433 = "stablehlo.subtract"(%421, %432) : (tensor<2x32x256xf32>, tensor<2x32x256xf32>) -> tensor<2x32x256xf32>
    %434 = "stablehlo.exponential"(%433) : (tensor<2x32x256xf32>) -> tensor<2x32x256xf32>
    %435 = "stablehlo.reduce_precision"(%434) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32x256xf32>) -> tensor<2x32x256xf32>
    %436 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %437 = "stablehlo.reduce"(%435, %436) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg138: tensor<f32>, %arg139: tensor<f32>):
      %967 = "stablehlo.add"(%arg138, %arg139) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%967) : (tensor<f32>) -> ()
    }) : (tensor<2x32x256xf32>, tensor<f32>) -> tensor<2x32xf32>
    %438 = "stablehlo.abs"(%437) : (tensor<2x32xf32>) -> tensor<2x32xf32>
    %439 = "stablehlo.reduce_precision"(%438) <{exponent_bits = 8 : i32, mantissa_bits = 23 : i32}> : (tensor<2x32xf32>) -> tensor<2x32xf32>
    %440 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %441 = "stablehlo.broadcast_in_dim"(%440) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32xf32>
    %442 = "stablehlo.compare"(%437, %441) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xi1>
    %443 = "stablehlo.log"(%439) : (tensor<2x32xf32>) -> tensor<2x32xf32>
    %444 = "stablehlo.add"(%443, %430) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %445 = "stablehlo.broadcast_in_dim"(%arg41) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xi32>) -> tensor<2x32x1xi32>
    %446:2 = "func.call"(%421, %445) <{callee = @take_along_axis}> : (tensor<2x32x256xf32>, tensor<2x32x1xi32>) -> (tensor<2x32x1xf32>, tensor<2x32x1x1xi32>)
    %447 = "stablehlo.reshape"(%446#0) : (tensor<2x32x1xf32>) -> tensor<2x32xf32>
    %448 = "stablehlo.subtract"(%444, %447) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %449 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %450 = "stablehlo.reduce"(%448, %449) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg136: tensor<f32>, %arg137: tensor<f32>):
      %966 = "stablehlo.add"(%arg136, %arg137) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%966) : (tensor<f32>) -> ()
    }) : (tensor<2x32xf32>, tensor<f32>) -> tensor<f32>
    %451 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %452 = "stablehlo.divide"(%450, %451) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %453 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %454:12 = "stablehlo.optimization_barrier"(%411, %407, %416, %414, %419, %435, %442, %439, %446#1, %394, %arg19, %453) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>, tensor<1x1x64xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<2x32x256xf32>, tensor<2x32xi1>, tensor<2x32xf32>, tensor<2x32x1x1xi32>, tensor<2x32x64xf32>, tensor<8x256xf32>, tensor<f32>) -> (tensor<2x32x1xf32>, tensor<2x32x1xf32>, tensor<1x1x64xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<2x32x256xf32>, tensor<2x32xi1>, tensor<2x32xf32>, tensor<2x32x1x1xi32>, tensor<2x32x64xf32>, tensor<8x256xf32>, tensor<f32>)
    %455 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %456 = "stablehlo.all_gather"(%454#10) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x256xf32>) -> tensor<64x256xf32>
    %457 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %458 = "stablehlo.divide"(%454#11, %457) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %459 = "stablehlo.broadcast_in_dim"(%458) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32xf32>
    %460 = "stablehlo.negate"(%459) : (tensor<2x32xf32>) -> tensor<2x32xf32>
    %461 = "stablehlo.broadcast_in_dim"(%460) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x1xf32>
    %462 = "func.call"(%454#8, %461) <{callee = @take_along_axis_0}> : (tensor<2x32x1x1xi32>, tensor<2x32x1xf32>) -> tensor<2x32x256xf32>
    %463 = "stablehlo.divide"(%459, %454#7) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %464 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %465 = "stablehlo.broadcast_in_dim"(%464) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32xf32>
    %466 = "stablehlo.select"(%454#6, %465, %463) : (tensor<2x32xi1>, tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %467 = "stablehlo.select"(%454#6, %463, %465) : (tensor<2x32xi1>, tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %468 = "stablehlo.negate"(%466) : (tensor<2x32xf32>) -> tensor<2x32xf32>
    %469 = "stablehlo.add"(%467, %468) : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x32xf32>
    %470 = "stablehlo.broadcast_in_dim"(%469) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x256xf32>
    %471 = "stablehlo.multiply"(%470, %454#5) : (tensor<2x32x256xf32>, tensor<2x32x256xf32>) -> tensor<2x32x256xf32>
    %472 = "stablehlo.add"(%462, %471) : (tensor<2x32x256xf32>, tensor<2x32x256xf32>) -> tensor<2x32x256xf32>
    %473 = "stablehlo.dot_general"(%472, %454#4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x256xf32>, tensor<2x32x64xf32>) -> tensor<256x64xf32>
    %474 = "stablehlo.transpose"(%473) <{permutation = array<i64: 1, 0>}> : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %475 = "stablehlo.dot_general"(%472, %456) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x256xf32>, tensor<64x256xf32>) -> tensor<2x32x64xf32>
    %476 = "stablehlo.reduce_scatter"(%474) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg134: tensor<f32>, %arg135: tensor<f32>):
      %965 = "stablehlo.add"(%arg134, %arg135) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%965) : (tensor<f32>) -> ()
    }) : (tensor<64x256xf32>) -> tensor<8x256xf32>
    %477 = "stablehlo.multiply"(%454#3, %475) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %478 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %479 = "stablehlo.reduce"(%477, %478) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg132: tensor<f32>, %arg133: tensor<f32>):
      %964 = "stablehlo.add"(%arg132, %arg133) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%964) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<64xf32>
    %480 = "stablehlo.reshape"(%479) : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %481 = "stablehlo.broadcast_in_dim"(%454#2) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x64xf32>) -> tensor<2x32x64xf32>
    %482 = "stablehlo.multiply"(%475, %481) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %483 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %484 = "stablehlo.reduce"(%480, %483) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg130: tensor<f32>, %arg131: tensor<f32>):
      %963 = "stablehlo.add"(%arg130, %arg131) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%963) : (tensor<f32>) -> ()
    }) : (tensor<1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %485 = "stablehlo.multiply"(%454#9, %482) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %486 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %487 = "stablehlo.reduce"(%485, %486) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg128: tensor<f32>, %arg129: tensor<f32>):
      %962 = "stablehlo.add"(%arg128, %arg129) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%962) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<2x32xf32>
    %488 = "stablehlo.reshape"(%487) : (tensor<2x32xf32>) -> tensor<2x32x1xf32>
    %489 = "stablehlo.broadcast_in_dim"(%454#1) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x32x1xf32>) -> tensor<2x32x64xf32>
    %490 = "stablehlo.multiply"(%482, %489) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %491 = "stablehlo.multiply"(%488, %454#0) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %492 = "stablehlo.broadcast_in_dim"(%455) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %493 = "stablehlo.divide"(%491, %492) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %494 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %495 = "stablehlo.reduce"(%493, %494) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg126: tensor<f32>, %arg127: tensor<f32>):
      %961 = "stablehlo.add"(%arg126, %arg127) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%961) : (tensor<f32>) -> ()
    }) : (tensor<2x32x1xf32>, tensor<f32>) -> tensor<2x32xf32>
    %496 = "stablehlo.broadcast_in_dim"(%495) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x64xf32>
    %497 = "stablehlo.multiply"(%454#9, %496) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %498 = "stablehlo.add"(%490, %497) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %499 = "stablehlo.multiply"(%496, %454#9) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %500 = "stablehlo.add"(%498, %499) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %501 = "stablehlo.reduce_scatter"(%484) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg124: tensor<f32>, %arg125: tensor<f32>):
      %960 = "stablehlo.add"(%arg124, %arg125) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%960) : (tensor<f32>) -> ()
    }) : (tensor<64xf32>) -> tensor<8xf32>
    %502:39 = "stablehlo.optimization_barrier"(%252, %248, %257, %255, %260, %277, %281, %305, %309, %323, %295, %332#1, %342, %346, %353, %349, %267, %357, %360, %376, %372, %381, %379, %384, %386, %387#1, %387#2, %390, %388, %392, %227, %arg31, %arg32, %arg33, %arg34, %arg35, %arg36, %arg37, %500) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>, tensor<1x1x64xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<1x32x1x4xf32>, tensor<1x32x1x4xf32>, tensor<1x32x1x4xf32>, tensor<1x32x1x4xf32>, tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>, tensor<2x8x32x32xi1>, tensor<2x8x32x32xf32>, tensor<2x8x32x1xf32>, tensor<2x8x32x1xf32>, tensor<2x8x32x32xf32>, tensor<2x32x8x8xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<2x32x1xf32>, tensor<2x32x1xf32>, tensor<1x1x64xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x64xf32>, tensor<8x176xf32>, tensor<22x64xf32>, tensor<8x176xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x32x64xf32>) -> (tensor<2x32x1xf32>, tensor<2x32x1xf32>, tensor<1x1x64xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<1x32x1x4xf32>, tensor<1x32x1x4xf32>, tensor<1x32x1x4xf32>, tensor<1x32x1x4xf32>, tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>, tensor<2x8x32x32xi1>, tensor<2x8x32x32xf32>, tensor<2x8x32x1xf32>, tensor<2x8x32x1xf32>, tensor<2x8x32x32xf32>, tensor<2x32x8x8xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<2x32x1xf32>, tensor<2x32x1xf32>, tensor<1x1x64xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x64xf32>, tensor<8x176xf32>, tensor<22x64xf32>, tensor<8x176xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x32x64xf32>)
    %503 = "stablehlo.all_gather"(%502#36) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %504 = "stablehlo.all_gather"(%502#34) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %505 = "stablehlo.all_gather"(%502#37) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %506 = "stablehlo.all_gather"(%502#35) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %507 = "stablehlo.all_gather"(%502#31) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x176xf32>) -> tensor<64x176xf32>
    %508 = "stablehlo.all_gather"(%502#33) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x176xf32>) -> tensor<64x176xf32>
    %509 = "stablehlo.all_gather"(%502#32) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<22x64xf32>) -> tensor<176x64xf32>
    %510 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %511 = "stablehlo.constant"() <{value = dense<2.82842708> : tensor<f32>}> : () -> tensor<f32>
    %512 = "func.call"(%502#11) <{callee = @_where_1}> : (tensor<2x8x32x32xi1>) -> tensor<2x8x32x32xi1>
    %513 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %514 = "stablehlo.dot_general"(%502#38, %502#29) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<2x32x176xf32>) -> tensor<64x176xf32>
    %515 = "stablehlo.transpose"(%514) <{permutation = array<i64: 1, 0>}> : (tensor<64x176xf32>) -> tensor<176x64xf32>
    %516 = "stablehlo.dot_general"(%502#38, %509) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<176x64xf32>) -> tensor<2x32x176xf32>
    %517 = "stablehlo.multiply"(%502#28, %516) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %518 = "stablehlo.multiply"(%516, %502#27) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %519 = "stablehlo.dot_general"(%517, %502#23) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x176xf32>, tensor<2x32x64xf32>) -> tensor<176x64xf32>
    %520 = "stablehlo.transpose"(%519) <{permutation = array<i64: 1, 0>}> : (tensor<176x64xf32>) -> tensor<64x176xf32>
    %521 = "stablehlo.dot_general"(%517, %508) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x176xf32>, tensor<64x176xf32>) -> tensor<2x32x64xf32>
    %522 = "func.call"(%502#26, %502#24, %502#25, %518) <{callee = @silu_2}> : (tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %523 = "stablehlo.dot_general"(%522, %502#23) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x176xf32>, tensor<2x32x64xf32>) -> tensor<176x64xf32>
    %524 = "stablehlo.transpose"(%523) <{permutation = array<i64: 1, 0>}> : (tensor<176x64xf32>) -> tensor<64x176xf32>
    %525 = "stablehlo.dot_general"(%522, %507) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x176xf32>, tensor<64x176xf32>) -> tensor<2x32x64xf32>
    %526 = "stablehlo.add"(%521, %525) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %527 = "stablehlo.multiply"(%502#22, %526) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %528 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %529 = "stablehlo.reduce"(%527, %528) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg122: tensor<f32>, %arg123: tensor<f32>):
      %959 = "stablehlo.add"(%arg122, %arg123) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%959) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<64xf32>
    %530 = "stablehlo.reshape"(%529) : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %531 = "stablehlo.broadcast_in_dim"(%502#21) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x64xf32>) -> tensor<2x32x64xf32>
    %532 = "stablehlo.multiply"(%526, %531) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %533 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %534 = "stablehlo.reduce"(%530, %533) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg120: tensor<f32>, %arg121: tensor<f32>):
      %958 = "stablehlo.add"(%arg120, %arg121) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%958) : (tensor<f32>) -> ()
    }) : (tensor<1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %535 = "stablehlo.multiply"(%502#18, %532) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %536 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %537 = "stablehlo.reduce"(%535, %536) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg118: tensor<f32>, %arg119: tensor<f32>):
      %957 = "stablehlo.add"(%arg118, %arg119) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%957) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<2x32xf32>
    %538 = "stablehlo.reshape"(%537) : (tensor<2x32xf32>) -> tensor<2x32x1xf32>
    %539 = "stablehlo.broadcast_in_dim"(%502#20) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x32x1xf32>) -> tensor<2x32x64xf32>
    %540 = "stablehlo.multiply"(%532, %539) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %541 = "stablehlo.add"(%502#38, %540) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %542 = "stablehlo.multiply"(%538, %502#19) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %543 = "stablehlo.broadcast_in_dim"(%513) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %544 = "stablehlo.divide"(%542, %543) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %545 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %546 = "stablehlo.reduce"(%544, %545) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg116: tensor<f32>, %arg117: tensor<f32>):
      %956 = "stablehlo.add"(%arg116, %arg117) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%956) : (tensor<f32>) -> ()
    }) : (tensor<2x32x1xf32>, tensor<f32>) -> tensor<2x32xf32>
    %547 = "stablehlo.broadcast_in_dim"(%546) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x64xf32>
    %548 = "stablehlo.multiply"(%502#18, %547) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %549 = "stablehlo.add"(%541, %548) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %550 = "stablehlo.multiply"(%547, %502#18) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %551 = "stablehlo.add"(%549, %550) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %552 = "stablehlo.dot_general"(%551, %502#17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<64x64xf32>
    %553 = "stablehlo.transpose"(%552) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %554 = "stablehlo.dot_general"(%551, %506) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %555 = "stablehlo.reshape"(%554) : (tensor<2x32x64xf32>) -> tensor<2x32x8x8xf32>
    %556 = "stablehlo.transpose"(%555) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x8x8x32xf32>
    %557 = "stablehlo.dot_general"(%556, %502#16) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x8x32xf32>, tensor<2x32x8x8xf32>) -> tensor<2x8x32x32xf32>
    %558 = "stablehlo.dot_general"(%556, %502#15) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x8x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x8x32xf32>
    %559 = "stablehlo.transpose"(%558) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x32xf32>) -> tensor<2x32x8x8xf32>
    %560 = "stablehlo.broadcast_in_dim"(%502#14) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x32x1xf32>) -> tensor<2x8x32x32xf32>
    %561 = "stablehlo.multiply"(%557, %560) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %562 = "stablehlo.multiply"(%561, %502#12) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %563 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %564 = "stablehlo.reduce"(%562, %563) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg114: tensor<f32>, %arg115: tensor<f32>):
      %955 = "stablehlo.add"(%arg114, %arg115) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%955) : (tensor<f32>) -> ()
    }) : (tensor<2x8x32x32xf32>, tensor<f32>) -> tensor<2x8x32xf32>
    %565 = "stablehlo.reshape"(%564) : (tensor<2x8x32xf32>) -> tensor<2x8x32x1xf32>
    %566 = "stablehlo.negate"(%565) : (tensor<2x8x32x1xf32>) -> tensor<2x8x32x1xf32>
    %567 = "stablehlo.broadcast_in_dim"(%502#13) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x32x1xf32>) -> tensor<2x8x32x32xf32>
    %568 = "stablehlo.divide"(%557, %567) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %569 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %570 = "stablehlo.reduce"(%566, %569) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg112: tensor<f32>, %arg113: tensor<f32>):
      %954 = "stablehlo.add"(%arg112, %arg113) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%954) : (tensor<f32>) -> ()
    }) : (tensor<2x8x32x1xf32>, tensor<f32>) -> tensor<2x8x32xf32>
    %571 = "stablehlo.broadcast_in_dim"(%570) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x32xf32>) -> tensor<2x8x32x32xf32>
    %572 = "stablehlo.add"(%568, %571) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %573 = "stablehlo.multiply"(%572, %502#12) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %574 = "func.call"(%512, %573) <{callee = @_where_3}> : (tensor<2x8x32x32xi1>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %575 = "stablehlo.broadcast_in_dim"(%511) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32x32xf32>
    %576 = "stablehlo.divide"(%574, %575) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %577 = "stablehlo.dot_general"(%576, %502#10) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x32x32xf32>, tensor<2x32x8x8xf32>) -> tensor<2x8x32x8xf32>
    %578 = "stablehlo.transpose"(%577) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x8x32x8xf32>) -> tensor<2x32x8x8xf32>
    %579 = "stablehlo.dot_general"(%576, %502#9) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x32x32xf32>, tensor<2x32x8x8xf32>) -> tensor<2x8x32x8xf32>
    %580 = "stablehlo.transpose"(%579) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x8x32x8xf32>) -> tensor<2x32x8x8xf32>
    %581 = "stablehlo.slice"(%578) <{limit_indices = array<i64: 2, 32, 8, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %582 = "stablehlo.slice"(%578) <{limit_indices = array<i64: 2, 32, 8, 8>, start_indices = array<i64: 0, 0, 0, 4>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %583 = "stablehlo.broadcast_in_dim"(%502#7) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %584 = "stablehlo.multiply"(%582, %583) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %585 = "stablehlo.broadcast_in_dim"(%502#8) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %586 = "stablehlo.multiply"(%582, %585) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %587 = "stablehlo.negate"(%581) : (tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %588 = "stablehlo.broadcast_in_dim"(%502#8) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %589 = "stablehlo.multiply"(%587, %588) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %590 = "stablehlo.add"(%584, %589) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %591 = "stablehlo.broadcast_in_dim"(%502#7) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %592 = "stablehlo.multiply"(%581, %591) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %593 = "stablehlo.add"(%586, %592) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %594 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %595 = "stablehlo.pad"(%590, %594) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 4>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x32x8x4xf32>, tensor<f32>) -> tensor<2x32x8x8xf32>
    %596 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %597 = "stablehlo.pad"(%593, %596) <{edge_padding_high = array<i64: 0, 0, 0, 4>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x32x8x4xf32>, tensor<f32>) -> tensor<2x32x8x8xf32>
    %598 = "stablehlo.add"(%595, %597) : (tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
    %599 = "stablehlo.slice"(%580) <{limit_indices = array<i64: 2, 32, 8, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %600 = "stablehlo.slice"(%580) <{limit_indices = array<i64: 2, 32, 8, 8>, start_indices = array<i64: 0, 0, 0, 4>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %601 = "stablehlo.broadcast_in_dim"(%502#5) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %602 = "stablehlo.multiply"(%600, %601) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %603 = "stablehlo.broadcast_in_dim"(%502#6) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %604 = "stablehlo.multiply"(%600, %603) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %605 = "stablehlo.negate"(%599) : (tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %606 = "stablehlo.broadcast_in_dim"(%502#6) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %607 = "stablehlo.multiply"(%605, %606) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %608 = "stablehlo.add"(%602, %607) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %609 = "stablehlo.broadcast_in_dim"(%502#5) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %610 = "stablehlo.multiply"(%599, %609) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %611 = "stablehlo.add"(%604, %610) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %612 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %613 = "stablehlo.pad"(%608, %612) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 4>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x32x8x4xf32>, tensor<f32>) -> tensor<2x32x8x8xf32>
    %614 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %615 = "stablehlo.pad"(%611, %614) <{edge_padding_high = array<i64: 0, 0, 0, 4>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x32x8x4xf32>, tensor<f32>) -> tensor<2x32x8x8xf32>
    %616 = "stablehlo.add"(%613, %615) : (tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
    %617 = "stablehlo.reshape"(%559) : (tensor<2x32x8x8xf32>) -> tensor<2x32x64xf32>
    %618 = "stablehlo.dot_general"(%617, %502#4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<64x64xf32>
    %619 = "stablehlo.transpose"(%618) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %620 = "stablehlo.dot_general"(%617, %505) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %621 = "stablehlo.reshape"(%598) : (tensor<2x32x8x8xf32>) -> tensor<2x32x64xf32>
    %622 = "stablehlo.dot_general"(%621, %502#4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<64x64xf32>
    %623 = "stablehlo.transpose"(%622) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %624 = "stablehlo.dot_general"(%621, %504) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %625 = "stablehlo.add"(%620, %624) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %626 = "stablehlo.reshape"(%616) : (tensor<2x32x8x8xf32>) -> tensor<2x32x64xf32>
    %627 = "stablehlo.dot_general"(%626, %502#4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<64x64xf32>
    %628 = "stablehlo.transpose"(%627) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %629 = "stablehlo.dot_general"(%626, %503) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %630 = "stablehlo.add"(%625, %629) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %631 = "stablehlo.multiply"(%502#3, %630) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %632 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %633 = "stablehlo.reduce"(%631, %632) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg110: tensor<f32>, %arg111: tensor<f32>):
      %953 = "stablehlo.add"(%arg110, %arg111) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%953) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<64xf32>
    %634 = "stablehlo.reshape"(%633) : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %635 = "stablehlo.broadcast_in_dim"(%502#2) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x64xf32>) -> tensor<2x32x64xf32>
    %636 = "stablehlo.multiply"(%630, %635) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %637 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %638 = "stablehlo.reduce"(%634, %637) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg108: tensor<f32>, %arg109: tensor<f32>):
      %952 = "stablehlo.add"(%arg108, %arg109) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%952) : (tensor<f32>) -> ()
    }) : (tensor<1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %639 = "stablehlo.multiply"(%502#30, %636) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %640 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %641 = "stablehlo.reduce"(%639, %640) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg106: tensor<f32>, %arg107: tensor<f32>):
      %951 = "stablehlo.add"(%arg106, %arg107) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%951) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<2x32xf32>
    %642 = "stablehlo.reshape"(%641) : (tensor<2x32xf32>) -> tensor<2x32x1xf32>
    %643 = "stablehlo.broadcast_in_dim"(%502#1) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x32x1xf32>) -> tensor<2x32x64xf32>
    %644 = "stablehlo.multiply"(%636, %643) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %645 = "stablehlo.add"(%551, %644) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %646 = "stablehlo.multiply"(%642, %502#0) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %647 = "stablehlo.broadcast_in_dim"(%510) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %648 = "stablehlo.divide"(%646, %647) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %649 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %650 = "stablehlo.reduce"(%648, %649) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg104: tensor<f32>, %arg105: tensor<f32>):
      %950 = "stablehlo.add"(%arg104, %arg105) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%950) : (tensor<f32>) -> ()
    }) : (tensor<2x32x1xf32>, tensor<f32>) -> tensor<2x32xf32>
    %651 = "stablehlo.broadcast_in_dim"(%650) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x64xf32>
    %652 = "stablehlo.multiply"(%502#30, %651) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %653 = "stablehlo.add"(%645, %652) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %654 = "stablehlo.multiply"(%651, %502#30) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %655 = "stablehlo.add"(%653, %654) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %656 = "stablehlo.reduce_scatter"(%515) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg102: tensor<f32>, %arg103: tensor<f32>):
      %949 = "stablehlo.add"(%arg102, %arg103) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%949) : (tensor<f32>) -> ()
    }) : (tensor<176x64xf32>) -> tensor<22x64xf32>
    %657 = "stablehlo.reduce_scatter"(%520) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg100: tensor<f32>, %arg101: tensor<f32>):
      %948 = "stablehlo.add"(%arg100, %arg101) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%948) : (tensor<f32>) -> ()
    }) : (tensor<64x176xf32>) -> tensor<8x176xf32>
    %658 = "stablehlo.reduce_scatter"(%524) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg98: tensor<f32>, %arg99: tensor<f32>):
      %947 = "stablehlo.add"(%arg98, %arg99) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%947) : (tensor<f32>) -> ()
    }) : (tensor<64x176xf32>) -> tensor<8x176xf32>
    %659 = "stablehlo.reduce_scatter"(%534) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg96: tensor<f32>, %arg97: tensor<f32>):
      %946 = "stablehlo.add"(%arg96, %arg97) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%946) : (tensor<f32>) -> ()
    }) : (tensor<64xf32>) -> tensor<8xf32>
    %660 = "stablehlo.reduce_scatter"(%553) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg94: tensor<f32>, %arg95: tensor<f32>):
      %945 = "stablehlo.add"(%arg94, %arg95) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%945) : (tensor<f32>) -> ()
    }) : (tensor<64x64xf32>) -> tensor<8x64xf32>
    %661 = "stablehlo.reduce_scatter"(%619) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg92: tensor<f32>, %arg93: tensor<f32>):
      %944 = "stablehlo.add"(%arg92, %arg93) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%944) : (tensor<f32>) -> ()
    }) : (tensor<64x64xf32>) -> tensor<8x64xf32>
    %662 = "stablehlo.reduce_scatter"(%623) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg90: tensor<f32>, %arg91: tensor<f32>):
      %943 = "stablehlo.add"(%arg90, %arg91) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%943) : (tensor<f32>) -> ()
    }) : (tensor<64x64xf32>) -> tensor<8x64xf32>
    %663 = "stablehlo.reduce_scatter"(%628) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
      %942 = "stablehlo.add"(%arg88, %arg89) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%942) : (tensor<f32>) -> ()
    }) : (tensor<64x64xf32>) -> tensor<8x64xf32>
    %664 = "stablehlo.reduce_scatter"(%638) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg86: tensor<f32>, %arg87: tensor<f32>):
      %941 = "stablehlo.add"(%arg86, %arg87) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%941) : (tensor<f32>) -> ()
    }) : (tensor<64xf32>) -> tensor<8xf32>
    %665:39 = "stablehlo.optimization_barrier"(%85, %81, %90, %88, %93, %110, %114, %138, %142, %156, %128, %165#1, %175, %179, %186, %182, %100, %190, %193, %209, %205, %214, %212, %217, %219, %220#1, %220#2, %223, %221, %225, %60, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27, %arg28, %655) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>, tensor<1x1x64xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<1x32x1x4xf32>, tensor<1x32x1x4xf32>, tensor<1x32x1x4xf32>, tensor<1x32x1x4xf32>, tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>, tensor<2x8x32x32xi1>, tensor<2x8x32x32xf32>, tensor<2x8x32x1xf32>, tensor<2x8x32x1xf32>, tensor<2x8x32x32xf32>, tensor<2x32x8x8xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<2x32x1xf32>, tensor<2x32x1xf32>, tensor<1x1x64xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x64xf32>, tensor<8x176xf32>, tensor<22x64xf32>, tensor<8x176xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x32x64xf32>) -> (tensor<2x32x1xf32>, tensor<2x32x1xf32>, tensor<1x1x64xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<1x32x1x4xf32>, tensor<1x32x1x4xf32>, tensor<1x32x1x4xf32>, tensor<1x32x1x4xf32>, tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>, tensor<2x8x32x32xi1>, tensor<2x8x32x32xf32>, tensor<2x8x32x1xf32>, tensor<2x8x32x1xf32>, tensor<2x8x32x32xf32>, tensor<2x32x8x8xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<2x32x1xf32>, tensor<2x32x1xf32>, tensor<1x1x64xf32>, tensor<2x32x64xf32>, tensor<2x32x64xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x64xf32>, tensor<8x176xf32>, tensor<22x64xf32>, tensor<8x176xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<2x32x64xf32>)
    %666 = "stablehlo.all_gather"(%665#36) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %667 = "stablehlo.all_gather"(%665#34) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %668 = "stablehlo.all_gather"(%665#37) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %669 = "stablehlo.all_gather"(%665#35) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x64xf32>) -> tensor<64x64xf32>
    %670 = "stablehlo.all_gather"(%665#31) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x176xf32>) -> tensor<64x176xf32>
    %671 = "stablehlo.all_gather"(%665#33) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<8x176xf32>) -> tensor<64x176xf32>
    %672 = "stablehlo.all_gather"(%665#32) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<22x64xf32>) -> tensor<176x64xf32>
    %673 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %674 = "stablehlo.constant"() <{value = dense<2.82842708> : tensor<f32>}> : () -> tensor<f32>
    %675 = "func.call"(%665#11) <{callee = @_where_1}> : (tensor<2x8x32x32xi1>) -> tensor<2x8x32x32xi1>
    %676 = "stablehlo.constant"() <{value = dense<6.400000e+01> : tensor<f32>}> : () -> tensor<f32>
    %677 = "stablehlo.dot_general"(%665#38, %665#29) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<2x32x176xf32>) -> tensor<64x176xf32>
    %678 = "stablehlo.transpose"(%677) <{permutation = array<i64: 1, 0>}> : (tensor<64x176xf32>) -> tensor<176x64xf32>
    %679 = "stablehlo.dot_general"(%665#38, %672) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<176x64xf32>) -> tensor<2x32x176xf32>
    %680 = "stablehlo.multiply"(%665#28, %679) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %681 = "stablehlo.multiply"(%679, %665#27) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %682 = "stablehlo.dot_general"(%680, %665#23) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x176xf32>, tensor<2x32x64xf32>) -> tensor<176x64xf32>
    %683 = "stablehlo.transpose"(%682) <{permutation = array<i64: 1, 0>}> : (tensor<176x64xf32>) -> tensor<64x176xf32>
    %684 = "stablehlo.dot_general"(%680, %671) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x176xf32>, tensor<64x176xf32>) -> tensor<2x32x64xf32>
    %685 = "func.call"(%665#26, %665#24, %665#25, %681) <{callee = @silu_2}> : (tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %686 = "stablehlo.dot_general"(%685, %665#23) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x176xf32>, tensor<2x32x64xf32>) -> tensor<176x64xf32>
    %687 = "stablehlo.transpose"(%686) <{permutation = array<i64: 1, 0>}> : (tensor<176x64xf32>) -> tensor<64x176xf32>
    %688 = "stablehlo.dot_general"(%685, %670) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x176xf32>, tensor<64x176xf32>) -> tensor<2x32x64xf32>
    %689 = "stablehlo.add"(%684, %688) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %690 = "stablehlo.multiply"(%665#22, %689) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %691 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %692 = "stablehlo.reduce"(%690, %691) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg84: tensor<f32>, %arg85: tensor<f32>):
      %940 = "stablehlo.add"(%arg84, %arg85) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%940) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<64xf32>
    %693 = "stablehlo.reshape"(%692) : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %694 = "stablehlo.broadcast_in_dim"(%665#21) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x64xf32>) -> tensor<2x32x64xf32>
    %695 = "stablehlo.multiply"(%689, %694) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %696 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %697 = "stablehlo.reduce"(%693, %696) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg82: tensor<f32>, %arg83: tensor<f32>):
      %939 = "stablehlo.add"(%arg82, %arg83) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%939) : (tensor<f32>) -> ()
    }) : (tensor<1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %698 = "stablehlo.multiply"(%665#18, %695) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %699 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %700 = "stablehlo.reduce"(%698, %699) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg80: tensor<f32>, %arg81: tensor<f32>):
      %938 = "stablehlo.add"(%arg80, %arg81) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%938) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<2x32xf32>
    %701 = "stablehlo.reshape"(%700) : (tensor<2x32xf32>) -> tensor<2x32x1xf32>
    %702 = "stablehlo.broadcast_in_dim"(%665#20) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x32x1xf32>) -> tensor<2x32x64xf32>
    %703 = "stablehlo.multiply"(%695, %702) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %704 = "stablehlo.add"(%665#38, %703) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %705 = "stablehlo.multiply"(%701, %665#19) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %706 = "stablehlo.broadcast_in_dim"(%676) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %707 = "stablehlo.divide"(%705, %706) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %708 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %709 = "stablehlo.reduce"(%707, %708) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg78: tensor<f32>, %arg79: tensor<f32>):
      %937 = "stablehlo.add"(%arg78, %arg79) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%937) : (tensor<f32>) -> ()
    }) : (tensor<2x32x1xf32>, tensor<f32>) -> tensor<2x32xf32>
    %710 = "stablehlo.broadcast_in_dim"(%709) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x64xf32>
    %711 = "stablehlo.multiply"(%665#18, %710) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %712 = "stablehlo.add"(%704, %711) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %713 = "stablehlo.multiply"(%710, %665#18) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %714 = "stablehlo.add"(%712, %713) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %715 = "stablehlo.dot_general"(%714, %665#17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<64x64xf32>
    %716 = "stablehlo.transpose"(%715) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %717 = "stablehlo.dot_general"(%714, %669) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %718 = "stablehlo.reshape"(%717) : (tensor<2x32x64xf32>) -> tensor<2x32x8x8xf32>
    %719 = "stablehlo.transpose"(%718) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x8x8x32xf32>
    %720 = "stablehlo.dot_general"(%719, %665#16) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x8x32xf32>, tensor<2x32x8x8xf32>) -> tensor<2x8x32x32xf32>
    %721 = "stablehlo.dot_general"(%719, %665#15) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x8x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x8x32xf32>
    %722 = "stablehlo.transpose"(%721) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x32xf32>) -> tensor<2x32x8x8xf32>
    %723 = "stablehlo.broadcast_in_dim"(%665#14) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x32x1xf32>) -> tensor<2x8x32x32xf32>
    %724 = "stablehlo.multiply"(%720, %723) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %725 = "stablehlo.multiply"(%724, %665#12) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %726 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %727 = "stablehlo.reduce"(%725, %726) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg76: tensor<f32>, %arg77: tensor<f32>):
      %936 = "stablehlo.add"(%arg76, %arg77) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%936) : (tensor<f32>) -> ()
    }) : (tensor<2x8x32x32xf32>, tensor<f32>) -> tensor<2x8x32xf32>
    %728 = "stablehlo.reshape"(%727) : (tensor<2x8x32xf32>) -> tensor<2x8x32x1xf32>
    %729 = "stablehlo.negate"(%728) : (tensor<2x8x32x1xf32>) -> tensor<2x8x32x1xf32>
    %730 = "stablehlo.broadcast_in_dim"(%665#13) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x8x32x1xf32>) -> tensor<2x8x32x32xf32>
    %731 = "stablehlo.divide"(%720, %730) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %732 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %733 = "stablehlo.reduce"(%729, %732) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg74: tensor<f32>, %arg75: tensor<f32>):
      %935 = "stablehlo.add"(%arg74, %arg75) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%935) : (tensor<f32>) -> ()
    }) : (tensor<2x8x32x1xf32>, tensor<f32>) -> tensor<2x8x32xf32>
    %734 = "stablehlo.broadcast_in_dim"(%733) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x32xf32>) -> tensor<2x8x32x32xf32>
    %735 = "stablehlo.add"(%731, %734) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %736 = "stablehlo.multiply"(%735, %665#12) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %737 = "func.call"(%675, %736) <{callee = @_where_3}> : (tensor<2x8x32x32xi1>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %738 = "stablehlo.broadcast_in_dim"(%674) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32x32xf32>
    %739 = "stablehlo.divide"(%737, %738) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    %740 = "stablehlo.dot_general"(%739, %665#10) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x32x32xf32>, tensor<2x32x8x8xf32>) -> tensor<2x8x32x8xf32>
    %741 = "stablehlo.transpose"(%740) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x8x32x8xf32>) -> tensor<2x32x8x8xf32>
    %742 = "stablehlo.dot_general"(%739, %665#9) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x8x32x32xf32>, tensor<2x32x8x8xf32>) -> tensor<2x8x32x8xf32>
    %743 = "stablehlo.transpose"(%742) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x8x32x8xf32>) -> tensor<2x32x8x8xf32>
    %744 = "stablehlo.slice"(%741) <{limit_indices = array<i64: 2, 32, 8, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %745 = "stablehlo.slice"(%741) <{limit_indices = array<i64: 2, 32, 8, 8>, start_indices = array<i64: 0, 0, 0, 4>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %746 = "stablehlo.broadcast_in_dim"(%665#7) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %747 = "stablehlo.multiply"(%745, %746) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %748 = "stablehlo.broadcast_in_dim"(%665#8) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %749 = "stablehlo.multiply"(%745, %748) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %750 = "stablehlo.negate"(%744) : (tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %751 = "stablehlo.broadcast_in_dim"(%665#8) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %752 = "stablehlo.multiply"(%750, %751) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %753 = "stablehlo.add"(%747, %752) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %754 = "stablehlo.broadcast_in_dim"(%665#7) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %755 = "stablehlo.multiply"(%744, %754) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %756 = "stablehlo.add"(%749, %755) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %757 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %758 = "stablehlo.pad"(%753, %757) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 4>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x32x8x4xf32>, tensor<f32>) -> tensor<2x32x8x8xf32>
    %759 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %760 = "stablehlo.pad"(%756, %759) <{edge_padding_high = array<i64: 0, 0, 0, 4>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x32x8x4xf32>, tensor<f32>) -> tensor<2x32x8x8xf32>
    %761 = "stablehlo.add"(%758, %760) : (tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
    %762 = "stablehlo.slice"(%743) <{limit_indices = array<i64: 2, 32, 8, 4>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %763 = "stablehlo.slice"(%743) <{limit_indices = array<i64: 2, 32, 8, 8>, start_indices = array<i64: 0, 0, 0, 4>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x8x8xf32>) -> tensor<2x32x8x4xf32>
    %764 = "stablehlo.broadcast_in_dim"(%665#5) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %765 = "stablehlo.multiply"(%763, %764) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %766 = "stablehlo.broadcast_in_dim"(%665#6) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %767 = "stablehlo.multiply"(%763, %766) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %768 = "stablehlo.negate"(%762) : (tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %769 = "stablehlo.broadcast_in_dim"(%665#6) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %770 = "stablehlo.multiply"(%768, %769) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %771 = "stablehlo.add"(%765, %770) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %772 = "stablehlo.broadcast_in_dim"(%665#5) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x32x1x4xf32>) -> tensor<2x32x8x4xf32>
    %773 = "stablehlo.multiply"(%762, %772) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %774 = "stablehlo.add"(%767, %773) : (tensor<2x32x8x4xf32>, tensor<2x32x8x4xf32>) -> tensor<2x32x8x4xf32>
    %775 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %776 = "stablehlo.pad"(%771, %775) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 4>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x32x8x4xf32>, tensor<f32>) -> tensor<2x32x8x8xf32>
    %777 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %778 = "stablehlo.pad"(%774, %777) <{edge_padding_high = array<i64: 0, 0, 0, 4>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x32x8x4xf32>, tensor<f32>) -> tensor<2x32x8x8xf32>
    %779 = "stablehlo.add"(%776, %778) : (tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32>
    %780 = "stablehlo.reshape"(%722) : (tensor<2x32x8x8xf32>) -> tensor<2x32x64xf32>
    %781 = "stablehlo.dot_general"(%780, %665#4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<64x64xf32>
    %782 = "stablehlo.transpose"(%781) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %783 = "stablehlo.dot_general"(%780, %668) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %784 = "stablehlo.reshape"(%761) : (tensor<2x32x8x8xf32>) -> tensor<2x32x64xf32>
    %785 = "stablehlo.dot_general"(%784, %665#4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<64x64xf32>
    %786 = "stablehlo.transpose"(%785) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %787 = "stablehlo.dot_general"(%784, %667) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %788 = "stablehlo.add"(%783, %787) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %789 = "stablehlo.reshape"(%779) : (tensor<2x32x8x8xf32>) -> tensor<2x32x64xf32>
    %790 = "stablehlo.dot_general"(%789, %665#4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [0, 1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<64x64xf32>
    %791 = "stablehlo.transpose"(%790) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %792 = "stablehlo.dot_general"(%789, %666) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x32x64xf32>, tensor<64x64xf32>) -> tensor<2x32x64xf32>
    %793 = "stablehlo.add"(%788, %792) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %794 = "stablehlo.multiply"(%665#3, %793) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %795 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %796 = "stablehlo.reduce"(%794, %795) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg72: tensor<f32>, %arg73: tensor<f32>):
      %934 = "stablehlo.add"(%arg72, %arg73) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%934) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<64xf32>
    %797 = "stablehlo.reshape"(%796) : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %798 = "stablehlo.broadcast_in_dim"(%665#2) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<1x1x64xf32>) -> tensor<2x32x64xf32>
    %799 = "stablehlo.multiply"(%793, %798) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %800 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %801 = "stablehlo.reduce"(%797, %800) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg70: tensor<f32>, %arg71: tensor<f32>):
      %933 = "stablehlo.add"(%arg70, %arg71) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%933) : (tensor<f32>) -> ()
    }) : (tensor<1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %802 = "stablehlo.multiply"(%665#30, %799) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %803 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %804 = "stablehlo.reduce"(%802, %803) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg68: tensor<f32>, %arg69: tensor<f32>):
      %932 = "stablehlo.add"(%arg68, %arg69) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%932) : (tensor<f32>) -> ()
    }) : (tensor<2x32x64xf32>, tensor<f32>) -> tensor<2x32xf32>
    %805 = "stablehlo.reshape"(%804) : (tensor<2x32xf32>) -> tensor<2x32x1xf32>
    %806 = "stablehlo.broadcast_in_dim"(%665#1) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x32x1xf32>) -> tensor<2x32x64xf32>
    %807 = "stablehlo.multiply"(%799, %806) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %808 = "stablehlo.add"(%714, %807) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %809 = "stablehlo.multiply"(%805, %665#0) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %810 = "stablehlo.broadcast_in_dim"(%673) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %811 = "stablehlo.divide"(%809, %810) : (tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    %812 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %813 = "stablehlo.reduce"(%811, %812) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg66: tensor<f32>, %arg67: tensor<f32>):
      %931 = "stablehlo.add"(%arg66, %arg67) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%931) : (tensor<f32>) -> ()
    }) : (tensor<2x32x1xf32>, tensor<f32>) -> tensor<2x32xf32>
    %814 = "stablehlo.broadcast_in_dim"(%813) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x32xf32>) -> tensor<2x32x64xf32>
    %815 = "stablehlo.multiply"(%665#30, %814) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %816 = "stablehlo.add"(%808, %815) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %817 = "stablehlo.multiply"(%814, %665#30) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %818 = "stablehlo.add"(%816, %817) : (tensor<2x32x64xf32>, tensor<2x32x64xf32>) -> tensor<2x32x64xf32>
    %819 = "stablehlo.reduce_scatter"(%678) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg64: tensor<f32>, %arg65: tensor<f32>):
      %930 = "stablehlo.add"(%arg64, %arg65) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%930) : (tensor<f32>) -> ()
    }) : (tensor<176x64xf32>) -> tensor<22x64xf32>
    %820 = "stablehlo.reduce_scatter"(%683) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg62: tensor<f32>, %arg63: tensor<f32>):
      %929 = "stablehlo.add"(%arg62, %arg63) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%929) : (tensor<f32>) -> ()
    }) : (tensor<64x176xf32>) -> tensor<8x176xf32>
    %821 = "stablehlo.reduce_scatter"(%687) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg60: tensor<f32>, %arg61: tensor<f32>):
      %928 = "stablehlo.add"(%arg60, %arg61) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%928) : (tensor<f32>) -> ()
    }) : (tensor<64x176xf32>) -> tensor<8x176xf32>
    %822 = "stablehlo.reduce_scatter"(%697) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg58: tensor<f32>, %arg59: tensor<f32>):
      %927 = "stablehlo.add"(%arg58, %arg59) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%927) : (tensor<f32>) -> ()
    }) : (tensor<64xf32>) -> tensor<8xf32>
    %823 = "stablehlo.reduce_scatter"(%716) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg56: tensor<f32>, %arg57: tensor<f32>):
      %926 = "stablehlo.add"(%arg56, %arg57) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%926) : (tensor<f32>) -> ()
    }) : (tensor<64x64xf32>) -> tensor<8x64xf32>
    %824 = "stablehlo.reduce_scatter"(%782) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg54: tensor<f32>, %arg55: tensor<f32>):
      %925 = "stablehlo.add"(%arg54, %arg55) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%925) : (tensor<f32>) -> ()
    }) : (tensor<64x64xf32>) -> tensor<8x64xf32>
    %825 = "stablehlo.reduce_scatter"(%786) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg52: tensor<f32>, %arg53: tensor<f32>):
      %924 = "stablehlo.add"(%arg52, %arg53) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%924) : (tensor<f32>) -> ()
    }) : (tensor<64x64xf32>) -> tensor<8x64xf32>
    %826 = "stablehlo.reduce_scatter"(%791) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg50: tensor<f32>, %arg51: tensor<f32>):
      %923 = "stablehlo.add"(%arg50, %arg51) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%923) : (tensor<f32>) -> ()
    }) : (tensor<64x64xf32>) -> tensor<8x64xf32>
    %827 = "stablehlo.reduce_scatter"(%801) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg48: tensor<f32>, %arg49: tensor<f32>):
      %922 = "stablehlo.add"(%arg48, %arg49) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%922) : (tensor<f32>) -> ()
    }) : (tensor<64xf32>) -> tensor<8xf32>
    %828 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %829 = "stablehlo.broadcast_in_dim"(%828) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256x64xf32>
    %830 = "stablehlo.scatter"(%829, %59, %818) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
      %921 = "stablehlo.add"(%arg46, %arg47) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%921) : (tensor<f32>) -> ()
    }) : (tensor<256x64xf32>, tensor<2x32x1xi32>, tensor<2x32x64xf32>) -> tensor<256x64xf32>
    %831 = "stablehlo.reduce_scatter"(%830) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %920 = "stablehlo.add"(%arg44, %arg45) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%920) : (tensor<f32>) -> ()
    }) : (tensor<256x64xf32>) -> tensor<32x64xf32>
    %832 = "stablehlo.all_reduce"(%452) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
    ^bb0(%arg42: tensor<f32>, %arg43: tensor<f32>):
      %919 = "stablehlo.add"(%arg42, %arg43) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%919) : (tensor<f32>) -> ()
    }) : (tensor<f32>) -> tensor<f32>
    %833 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %834 = "stablehlo.divide"(%832, %833) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %835 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %836 = "stablehlo.broadcast_in_dim"(%835) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x256xf32>
    %837 = "stablehlo.multiply"(%836, %476) : (tensor<8x256xf32>, tensor<8x256xf32>) -> tensor<8x256xf32>
    %838 = "stablehlo.subtract"(%arg19, %837) : (tensor<8x256xf32>, tensor<8x256xf32>) -> tensor<8x256xf32>
    %839 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %840 = "stablehlo.broadcast_in_dim"(%839) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %841 = "stablehlo.multiply"(%840, %827) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %842 = "stablehlo.subtract"(%arg20, %841) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %843 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %844 = "stablehlo.broadcast_in_dim"(%843) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %845 = "stablehlo.multiply"(%844, %822) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %846 = "stablehlo.subtract"(%arg21, %845) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %847 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %848 = "stablehlo.broadcast_in_dim"(%847) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x176xf32>
    %849 = "stablehlo.multiply"(%848, %821) : (tensor<8x176xf32>, tensor<8x176xf32>) -> tensor<8x176xf32>
    %850 = "stablehlo.subtract"(%arg22, %849) : (tensor<8x176xf32>, tensor<8x176xf32>) -> tensor<8x176xf32>
    %851 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %852 = "stablehlo.broadcast_in_dim"(%851) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<22x64xf32>
    %853 = "stablehlo.multiply"(%852, %819) : (tensor<22x64xf32>, tensor<22x64xf32>) -> tensor<22x64xf32>
    %854 = "stablehlo.subtract"(%arg23, %853) : (tensor<22x64xf32>, tensor<22x64xf32>) -> tensor<22x64xf32>
    %855 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %856 = "stablehlo.broadcast_in_dim"(%855) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x176xf32>
    %857 = "stablehlo.multiply"(%856, %820) : (tensor<8x176xf32>, tensor<8x176xf32>) -> tensor<8x176xf32>
    %858 = "stablehlo.subtract"(%arg24, %857) : (tensor<8x176xf32>, tensor<8x176xf32>) -> tensor<8x176xf32>
    %859 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %860 = "stablehlo.broadcast_in_dim"(%859) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %861 = "stablehlo.multiply"(%860, %825) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %862 = "stablehlo.subtract"(%arg25, %861) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %863 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %864 = "stablehlo.broadcast_in_dim"(%863) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %865 = "stablehlo.multiply"(%864, %823) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %866 = "stablehlo.subtract"(%arg26, %865) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %867 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %868 = "stablehlo.broadcast_in_dim"(%867) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %869 = "stablehlo.multiply"(%868, %826) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %870 = "stablehlo.subtract"(%arg27, %869) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %871 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %872 = "stablehlo.broadcast_in_dim"(%871) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %873 = "stablehlo.multiply"(%872, %824) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %874 = "stablehlo.subtract"(%arg28, %873) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %875 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %876 = "stablehlo.broadcast_in_dim"(%875) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %877 = "stablehlo.multiply"(%876, %664) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %878 = "stablehlo.subtract"(%arg29, %877) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %879 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %880 = "stablehlo.broadcast_in_dim"(%879) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %881 = "stablehlo.multiply"(%880, %659) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %882 = "stablehlo.subtract"(%arg30, %881) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %883 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %884 = "stablehlo.broadcast_in_dim"(%883) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x176xf32>
    %885 = "stablehlo.multiply"(%884, %658) : (tensor<8x176xf32>, tensor<8x176xf32>) -> tensor<8x176xf32>
    %886 = "stablehlo.subtract"(%arg31, %885) : (tensor<8x176xf32>, tensor<8x176xf32>) -> tensor<8x176xf32>
    %887 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %888 = "stablehlo.broadcast_in_dim"(%887) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<22x64xf32>
    %889 = "stablehlo.multiply"(%888, %656) : (tensor<22x64xf32>, tensor<22x64xf32>) -> tensor<22x64xf32>
    %890 = "stablehlo.subtract"(%arg32, %889) : (tensor<22x64xf32>, tensor<22x64xf32>) -> tensor<22x64xf32>
    %891 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %892 = "stablehlo.broadcast_in_dim"(%891) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x176xf32>
    %893 = "stablehlo.multiply"(%892, %657) : (tensor<8x176xf32>, tensor<8x176xf32>) -> tensor<8x176xf32>
    %894 = "stablehlo.subtract"(%arg33, %893) : (tensor<8x176xf32>, tensor<8x176xf32>) -> tensor<8x176xf32>
    %895 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %896 = "stablehlo.broadcast_in_dim"(%895) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %897 = "stablehlo.multiply"(%896, %662) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %898 = "stablehlo.subtract"(%arg34, %897) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %899 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %900 = "stablehlo.broadcast_in_dim"(%899) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %901 = "stablehlo.multiply"(%900, %660) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %902 = "stablehlo.subtract"(%arg35, %901) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %903 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %904 = "stablehlo.broadcast_in_dim"(%903) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %905 = "stablehlo.multiply"(%904, %663) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %906 = "stablehlo.subtract"(%arg36, %905) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %907 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %908 = "stablehlo.broadcast_in_dim"(%907) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %909 = "stablehlo.multiply"(%908, %661) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %910 = "stablehlo.subtract"(%arg37, %909) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %911 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %912 = "stablehlo.broadcast_in_dim"(%911) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %913 = "stablehlo.multiply"(%912, %501) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %914 = "stablehlo.subtract"(%arg38, %913) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %915 = "stablehlo.constant"() <{value = dense<0.00999999977> : tensor<f32>}> : () -> tensor<f32>
    %916 = "stablehlo.broadcast_in_dim"(%915) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<32x64xf32>
    %917 = "stablehlo.multiply"(%916, %831) : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %918 = "stablehlo.subtract"(%arg39, %917) : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    "func.return"(%834, %838, %842, %846, %850, %854, %858, %862, %866, %870, %874, %878, %882, %886, %890, %894, %898, %902, %906, %910, %914, %918) : (tensor<f32>, tensor<8x256xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x176xf32>, tensor<22x64xf32>, tensor<8x176xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8x176xf32>, tensor<22x64xf32>, tensor<8x176xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8xf32>, tensor<32x64xf32>) -> ()
  }) {corpus.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}]>, <@mesh, [{\22fsdp\22}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}]>, <@mesh, [{\22fsdp\22}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>]>", corpus.manual_axes = "#sdy<manual_axes{\22fsdp\22}>", corpus.out_shardings = "#sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}]>, <@mesh, [{\22fsdp\22}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}]>, <@mesh, [{\22fsdp\22}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}, {}]>, <@mesh, [{\22fsdp\22}]>, <@mesh, [{\22fsdp\22}, {}]>]>"} : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<32x32xi1>, tensor<2x8x32x32xf32>, tensor<f32>) -> (tensor<2x8x32x32xf32>, tensor<2x8x32x32xi1>), res_attrs = [{}, {}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg16: tensor<32x32xi1>, %arg17: tensor<2x8x32x32xf32>, %arg18: tensor<f32>):
    %47 = "stablehlo.convert"(%arg18) : (tensor<f32>) -> tensor<f32>
    %48 = "stablehlo.broadcast_in_dim"(%arg16) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<32x32xi1>) -> tensor<2x8x32x32xi1>
    %49 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32x32xf32>
    %50 = "stablehlo.select"(%48, %arg17, %49) : (tensor<2x8x32x32xi1>, tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    "func.return"(%50, %48) : (tensor<2x8x32x32xf32>, tensor<2x8x32x32xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x32x176xf32>) -> (tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>), res_attrs = [{}, {}, {}], sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<2x32x176xf32>):
    %34 = "stablehlo.negate"(%arg15) : (tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %35 = "stablehlo.exponential"(%34) : (tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %36 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x176xf32>
    %38 = "stablehlo.add"(%37, %35) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %39 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x176xf32>
    %41 = "stablehlo.divide"(%40, %38) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %42 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %43 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x176xf32>
    %44 = "stablehlo.subtract"(%43, %41) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %45 = "stablehlo.multiply"(%41, %44) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %46 = "stablehlo.multiply"(%arg15, %41) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    "func.return"(%46, %45, %41) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x32x256xf32>, tensor<2x32x1xi32>) -> (tensor<2x32x1xf32>, tensor<2x32x1x1xi32>), res_attrs = [{}, {}], sym_name = "take_along_axis", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<2x32x256xf32>, %arg12: tensor<2x32x1xi32>):
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x32x1xi32>
    %13 = "stablehlo.compare"(%arg12, %12) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x32x1xi32>, tensor<2x32x1xi32>) -> tensor<2x32x1xi1>
    %14 = "stablehlo.constant"() <{value = dense<256> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x32x1xi32>
    %16 = "stablehlo.add"(%arg12, %15) : (tensor<2x32x1xi32>, tensor<2x32x1xi32>) -> tensor<2x32x1xi32>
    %17 = "stablehlo.select"(%13, %16, %arg12) : (tensor<2x32x1xi1>, tensor<2x32x1xi32>, tensor<2x32x1xi32>) -> tensor<2x32x1xi32>
    %18 = "stablehlo.reshape"(%17) : (tensor<2x32x1xi32>) -> tensor<2x32x1x1xi32>
    %19 = "stablehlo.constant"() <{value = dense<255> : tensor<1xi32>}> : () -> tensor<1xi32>
    %20 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x32x1x1xi32>
    %22 = "stablehlo.compare"(%18, %21) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x32x1x1xi32>, tensor<2x32x1x1xi32>) -> tensor<2x32x1x1xi1>
    %23 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 3>}> : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x1xi32>) -> tensor<2x32x1x1xi32>
    %25 = "stablehlo.compare"(%18, %24) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x32x1x1xi32>, tensor<2x32x1x1xi32>) -> tensor<2x32x1x1xi1>
    %26 = "stablehlo.and"(%22, %25) : (tensor<2x32x1x1xi1>, tensor<2x32x1x1xi1>) -> tensor<2x32x1x1xi1>
    %27 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %28 = "stablehlo.reduce"(%26, %27) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg13: tensor<i1>, %arg14: tensor<i1>):
      %33 = "stablehlo.and"(%arg13, %arg14) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%33) : (tensor<i1>) -> ()
    }) : (tensor<2x32x1x1xi1>, tensor<i1>) -> tensor<2x32x1xi1>
    %29 = "stablehlo.gather"(%arg11, %18) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x32x256xf32>, tensor<2x32x1x1xi32>) -> tensor<2x32x1xf32>
    %30 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x1xf32>
    %32 = "stablehlo.select"(%28, %29, %31) : (tensor<2x32x1xi1>, tensor<2x32x1xf32>, tensor<2x32x1xf32>) -> tensor<2x32x1xf32>
    "func.return"(%32, %18) : (tensor<2x32x1xf32>, tensor<2x32x1x1xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x32x1x1xi32>, tensor<2x32x1xf32>) -> tensor<2x32x256xf32>, res_attrs = [{}], sym_name = "take_along_axis_0", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<2x32x1x1xi32>, %arg8: tensor<2x32x1xf32>):
    %7 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x32x256xf32>
    %9 = "stablehlo.scatter"(%8, %arg7, %arg8) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %10 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%10) : (tensor<f32>) -> ()
    }) : (tensor<2x32x256xf32>, tensor<2x32x1x1xi32>, tensor<2x32x1xf32>) -> tensor<2x32x256xf32>
    "func.return"(%9) : (tensor<2x32x256xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8x32x32xi1>) -> tensor<2x8x32x32xi1>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x8x32x32xi1>):
    "func.return"(%arg6) : (tensor<2x8x32x32xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>, res_attrs = [{}], sym_name = "silu_2", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<2x32x176xf32>, %arg3: tensor<2x32x176xf32>, %arg4: tensor<2x32x176xf32>, %arg5: tensor<2x32x176xf32>):
    %3 = "stablehlo.multiply"(%arg3, %arg5) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %4 = "stablehlo.multiply"(%arg5, %arg2) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %5 = "stablehlo.multiply"(%3, %arg4) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    %6 = "stablehlo.add"(%4, %5) : (tensor<2x32x176xf32>, tensor<2x32x176xf32>) -> tensor<2x32x176xf32>
    "func.return"(%6) : (tensor<2x32x176xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x8x32x32xi1>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>, res_attrs = [{}], sym_name = "_where_3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x8x32x32xi1>, %arg1: tensor<2x8x32x32xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x8x32x32xf32>
    %2 = "stablehlo.select"(%arg0, %arg1, %1) : (tensor<2x8x32x32xi1>, tensor<2x8x32x32xf32>, tensor<2x8x32x32xf32>) -> tensor<2x8x32x32xf32>
    "func.return"(%2) : (tensor<2x8x32x32xf32>) -> ()
  }) : () -> ()
}) {corpus.mesh = "#sdy.mesh<[\22fsdp\22=8]>", mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
