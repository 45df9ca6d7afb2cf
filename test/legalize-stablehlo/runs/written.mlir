// integer_power
module {
  func.func @main(%x: tensor<9xi32>, %y: tensor<9xi32>) -> tensor<9xi32> {
    %z = "stablehlo.power"(%x, %y) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    return %z : tensor<9xi32>
  }
}

// -----

// unsigned_power
module {
  func.func @main(%x: tensor<3xui8>, %y: tensor<3xui8>) -> tensor<3xui8> {
    %z = "stablehlo.power"(%x, %y) : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
    return %z : tensor<3xui8>
  }
}

// -----

// rounded_once
module {
  func.func @main(%x: tensor<4xf64>) -> (tensor<4xbf16>, tensor<4xf16>) {
    %b = "stablehlo.convert"(%x) : (tensor<4xf64>) -> tensor<4xbf16>
    %h = "stablehlo.convert"(%x) : (tensor<4xf64>) -> tensor<4xf16>
    return %b, %h : tensor<4xbf16>, tensor<4xf16>
  }
}

// -----

// total_order
module {
  func.func @main(%x: tensor<7xf32>, %y: tensor<7xf32>) -> (tensor<7xi1>, tensor<7xi1>) {
    %z = "stablehlo.compare"(%x, %y) <{compare_type = #stablehlo<comparison_type TOTALORDER>,
        comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    %e = "stablehlo.compare"(%x, %x) <{compare_type = #stablehlo<comparison_type TOTALORDER>,
        comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    return %z, %e : tensor<7xi1>, tensor<7xi1>
  }
}

// -----

// case_-1
module {
  func.func @main(%i: tensor<i32>) -> tensor<f32> {
    %r = "stablehlo.case"(%i) ({
      %a = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
      "stablehlo.return"(%a) : (tensor<f32>) -> ()
    }, {
      %b = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
      "stablehlo.return"(%b) : (tensor<f32>) -> ()
    }) : (tensor<i32>) -> tensor<f32>
    return %r : tensor<f32>
  }
}

// -----

// case_0
module {
  func.func @main(%i: tensor<i32>) -> tensor<f32> {
    %r = "stablehlo.case"(%i) ({
      %a = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
      "stablehlo.return"(%a) : (tensor<f32>) -> ()
    }, {
      %b = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
      "stablehlo.return"(%b) : (tensor<f32>) -> ()
    }) : (tensor<i32>) -> tensor<f32>
    return %r : tensor<f32>
  }
}

// -----

// case_5
module {
  func.func @main(%i: tensor<i32>) -> tensor<f32> {
    %r = "stablehlo.case"(%i) ({
      %a = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
      "stablehlo.return"(%a) : (tensor<f32>) -> ()
    }, {
      %b = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
      "stablehlo.return"(%b) : (tensor<f32>) -> ()
    }) : (tensor<i32>) -> tensor<f32>
    return %r : tensor<f32>
  }
}

// -----

// map
module {
  func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %s: tensor<f32>) -> tensor<2x3xf32> {
    %z = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = "stablehlo.multiply"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %q = "stablehlo.add"(%p, %s) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%q) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %z : tensor<2x3xf32>
  }
}

// -----

// truth_product
module {
  func.func @main(%x: tensor<2x3xi1>, %y: tensor<3x2xi1>) -> tensor<2x2xi1> {
    %z = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1],
        rhs_contracting_dimensions = [0]>}> : (tensor<2x3xi1>, tensor<3x2xi1>) -> tensor<2x2xi1>
    return %z : tensor<2x2xi1>
  }
}

// -----

// scatter_partly_out
module {
  func.func @main(%x: tensor<5xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>) -> tensor<5xf32> {
    %z = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      "stablehlo.return"(%b) : (tensor<f32>) -> ()
    }) : (tensor<5xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<5xf32>
    return %z : tensor<5xf32>
  }
}

// -----

// composite
module {
  func.func @main(%x: tensor<3xui32>) -> tensor<3xui32> {
    %z = "stablehlo.composite"(%x) <{name = "own.twice", decomposition = @twice, version = 0 : i32}>
        : (tensor<3xui32>) -> tensor<3xui32>
    return %z : tensor<3xui32>
  }
  func.func private @twice(%x: tensor<3xui32>) -> tensor<3xui32> {
    %z = "stablehlo.add"(%x, %x) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    return %z : tensor<3xui32>
  }
}

// -----

// counter_unsigned
module {
  func.func @main(%x: tensor<i32>) -> (tensor<ui8>, tensor<i32>) {
    %start = "stablehlo.constant"() <{value = dense<3> : tensor<ui8>}> : () -> tensor<ui8>
    %r:2 = "stablehlo.while"(%start, %x) ({
    ^bb0(%i: tensor<ui8>, %c: tensor<i32>):
      %limit = "stablehlo.constant"() <{value = dense<250> : tensor<ui8>}> : () -> tensor<ui8>
      %p = "stablehlo.compare"(%i, %limit) <{comparison_direction = #stablehlo<comparison_direction LT>}>
          : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<ui8>, %c: tensor<i32>):
      %step = "stablehlo.constant"() <{value = dense<60> : tensor<ui8>}> : () -> tensor<ui8>
      %next = "stablehlo.add"(%i, %step) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      %wide = "stablehlo.convert"(%i) : (tensor<ui8>) -> tensor<i32>
      %sum = "stablehlo.add"(%c, %wide) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%next, %sum) : (tensor<ui8>, tensor<i32>) -> ()
    }) : (tensor<ui8>, tensor<i32>) -> (tensor<ui8>, tensor<i32>)
    return %r#0, %r#1 : tensor<ui8>, tensor<i32>
  }
}
