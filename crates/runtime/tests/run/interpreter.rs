// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The run-time computes, bit by bit, what the interpreter of `comm-algebra` says that collectives mean, so an
//! identity that is exact there is exact here.

use comm_algebra::{Element as Type, Groups, Kind, Op, Program, Type as Shape, interpreter};
use comm_runtime::{At, Element, Reduction, Tensor};

use crate::{
    World,
    arrays::{Array, Number, encode},
};

fn arrays(value: &interpreter::Value, element: Element) -> Vec<Array> {
    let array = |tensor: &interpreter::Tensor| {
        let mut array = Array::zero(element, &tensor.ty.shape);
        array.bytes = match &tensor.data {
            interpreter::Data::Float(data) => data
                .iter()
                .flat_map(|&value| encode(element, Number::Float(value)))
                .collect(),
            interpreter::Data::Integer(data) => data
                .iter()
                .flat_map(|&value| encode(element, Number::Integer(value.into())))
                .collect(),
        };
        array
    };
    value.iter().map(array).collect()
}

#[test]
fn reductions_add_in_the_order_of_the_interpreter() {
    let types = [
        (Type::F64, Element::F64),
        (Type::F32, Element::F32),
        (Type::F16, Element::F16),
        (Type::Bf16, Element::Bf16),
        (Type::I8, Element::I8),
    ];
    let kinds = [
        (Kind::Sum, Reduction::Sum),
        (Kind::Product, Reduction::Prod),
        (Kind::Max, Reduction::Max),
        (Kind::Min, Reduction::Min),
    ];
    let list = [5, 2, 0, 3, 1, 4];
    let mut compared = 0;
    for (ty, element) in types {
        for (kind, reduction) in kinds {
            let mut groups = Groups::new(6).unwrap();
            let group = groups.add_lists(&[list.to_vec()]).unwrap();
            let mut program = Program::new(groups);
            let argument = program.argument(0, Shape::new(ty, &[12, 5]), &[]).unwrap();
            let reduced = program
                .push(Op::AllReduce { kind, group }, &[argument], 1)
                .unwrap();
            let scattered = program
                .push(Op::ReduceScatter { kind, dim: 0, group }, &[argument], 2)
                .unwrap();
            program.set_results(&[reduced, scattered]).unwrap();
            let arguments = interpreter::random_arguments(&program, 11);
            let results = interpreter::run(&program, &arguments).unwrap();
            let inputs = arrays(&arguments(0).unwrap(), element);
            let expected: Vec<Vec<Array>> = results.iter().map(|value| arrays(value, element)).collect();
            let outcome = World::default().run(6, |rank| {
                let own = rank.index();
                let mut memory = [
                    inputs[own].clone(),
                    expected[0][own].clone(),
                    expected[1][own].clone(),
                ];
                memory[1].bytes.fill(0);
                memory[2].bytes.fill(0);
                let [input, reduced, scattered] = &mut memory;
                let tensor = |array: &mut Array| {
                    [Tensor::contiguous(
                        array.bytes.as_mut_ptr(),
                        element,
                        &array.sizes,
                    )]
                };
                let (stream, group, at) = (rank.current_stream()?, rank.group(&list)?, At::default());
                let input = tensor(input);
                // SAFETY: the arrays outlive the stream's work.
                unsafe {
                    rank.all_reduce(stream, group, reduction, &input, &tensor(reduced), at)?;
                    rank.reduce_scatter(stream, group, reduction, &input, &tensor(scattered), &[0], at)?;
                }
                rank.synchronize(stream, at)?;
                Ok([reduced.clone(), scattered.clone()])
            });
            for (rank, [reduced, scattered]) in outcome.all().unwrap().into_iter().enumerate() {
                assert_eq!(reduced, expected[0][rank], "{kind} {element}");
                assert_eq!(scattered, expected[1][rank], "{kind} {element}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 6 * 5 * 4);
}
