// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Every collective against its definition, bit by bit: all element types and reductions, group sizes 1 to 8, several
//! groups of a mesh at once, groups in any order, several tensors an op, any dimension and any layout.

use comm_runtime::{At, Element, Error, Group, Rank, Reduction, Stream, Tensor};

use crate::{
    World,
    arrays::{Array, Laid},
    reference::{Collective, expected},
};

/// One collective over groups that are disjoint and cover the world, with inputs by tensor and rank.
#[derive(Debug)]
struct Case {
    collective: Collective,
    groups: Vec<Vec<usize>>,
    inputs: Vec<Vec<Array>>,
    seed: u64,
}

unsafe fn issue(
    rank: &Rank,
    stream: Stream,
    group: Group,
    collective: &Collective,
    inputs: &[Tensor],
    outputs: &[Tensor],
) -> Result<(), Error> {
    let at = At::from("test.mlir:1:1");
    let dims = |dim: &usize| vec![*dim; inputs.len()];
    // SAFETY: as promised by the caller.
    unsafe {
        match collective {
            Collective::AllGather(dim) => rank.all_gather(stream, group, inputs, outputs, &dims(dim), at),
            Collective::ReduceScatter(kind, dim) => {
                rank.reduce_scatter(stream, group, *kind, inputs, outputs, &dims(dim), at)
            }
            Collective::AllReduce(kind) => rank.all_reduce(stream, group, *kind, inputs, outputs, at),
            Collective::AllToAll(split, concat) => {
                rank.all_to_all(stream, group, *split, *concat, inputs, outputs, at)
            }
            Collective::Permute(pairs) => rank.permute(stream, group, pairs, inputs, outputs, at),
            Collective::Broadcast(root) => rank.broadcast(stream, group, *root, inputs, outputs, at),
        }
    }
}

/// Runs cases one after the other on two streams of each rank and compares all results.
fn check(ranks: usize, cases: &[Case]) {
    let world = World::default();
    let outcome = world.run(ranks, |rank| {
        let streams = [rank.stream("a")?, rank.stream("b")?];
        let mut kept = Vec::new();
        for (number, case) in cases.iter().enumerate() {
            let own = rank.index();
            let group = case.groups.iter().find(|group| group.contains(&own)).unwrap();
            let position = group.iter().position(|&member| member == own).unwrap();
            let mut random = fastrand::Rng::with_seed(case.seed ^ own as u64);
            let mut filler = random.fork();
            let mut layout = || (random.u8(..2) == 0).then(|| random.u64(..));
            let mut inputs: Vec<Laid> = case
                .inputs
                .iter()
                .map(|tensor| Laid::new(&tensor[own], layout()))
                .collect();
            let expected: Vec<Array> = case
                .inputs
                .iter()
                .map(|tensor| expected(&case.collective, group, position, tensor))
                .collect();
            let mut outputs: Vec<Laid> = expected
                .iter()
                .map(|array| Laid::new(&Array::random(array.element, &array.sizes, &mut filler), layout()))
                .collect();
            let (from, to): (Vec<Tensor>, Vec<Tensor>) = (
                inputs.iter_mut().map(Laid::tensor).collect(),
                outputs.iter_mut().map(Laid::tensor).collect(),
            );
            // SAFETY: the memory is kept until the streams have ended.
            unsafe {
                issue(
                    rank,
                    streams[number % 2],
                    rank.group(group)?,
                    &case.collective,
                    &from,
                    &to,
                )?
            };
            kept.push((case, inputs, outputs, expected));
        }
        rank.synchronize_all(At::default())?;
        for (case, inputs, outputs, expected) in kept {
            let context = || {
                format!(
                    "rank {}: {:?} over {:?}",
                    rank.index(),
                    case.collective,
                    case.groups
                )
            };
            for (output, expected) in outputs.iter().zip(&expected) {
                assert_eq!(output.array(), *expected, "{}", context());
            }
            for (input, tensor) in inputs.iter().zip(&case.inputs) {
                assert_eq!(input.array(), tensor[rank.index()], "{}: input", context());
            }
        }
        Ok(())
    });
    outcome.all().unwrap();
}

fn accepts(kind: Reduction, element: Element) -> bool {
    match kind {
        Reduction::Avg => element.is_float(),
        Reduction::And | Reduction::Or | Reduction::Xor => !element.is_float(),
        _ => true,
    }
}

/// Groups along one axis of a mesh, along the other, or all ranks; each list in any order.
fn groups(mesh: [usize; 2], random: &mut fastrand::Rng) -> Vec<Vec<usize>> {
    let rank = |row: usize, column: usize| row * mesh[1] + column;
    let mut groups: Vec<Vec<usize>> = match random.u8(..3) {
        0 => (0..mesh[0])
            .map(|row| (0..mesh[1]).map(|column| rank(row, column)).collect())
            .collect(),
        1 => (0..mesh[1])
            .map(|column| (0..mesh[0]).map(|row| rank(row, column)).collect())
            .collect(),
        _ => vec![(0..mesh[0] * mesh[1]).collect()],
    };
    if random.u8(..3) == 0 {
        groups.iter_mut().for_each(|group| random.shuffle(group));
    }
    groups
}

fn random_case(mesh: [usize; 2], random: &mut fastrand::Rng) -> Case {
    let groups = groups(mesh, random);
    let size = groups[0].len();
    let ranks = mesh[0] * mesh[1];
    let dims = random.usize(1..4);
    let (dim, other) = (random.usize(..dims), random.usize(..dims));
    let element = Element::ALL[random.usize(..Element::ALL.len())];
    let kinds: Vec<Reduction> = Reduction::ALL
        .into_iter()
        .filter(|&kind| accepts(kind, element))
        .collect();
    let kind = kinds[random.usize(..kinds.len())];
    let collective = match random.u8(..6) {
        0 => Collective::AllGather(dim),
        1 => Collective::ReduceScatter(kind, dim),
        2 => Collective::AllReduce(kind),
        3 => Collective::AllToAll(dim, other),
        4 => return permute(ranks, element, random),
        _ => Collective::Broadcast(random.usize(..size)),
    };
    let tensors = random.usize(1..4);
    let inputs = (0..tensors).map(|_| {
        let mut sizes: Vec<usize> = (0..dims).map(|_| random.usize(1..5)).collect();
        if random.u8(..12) == 0 {
            sizes[other] = 0;
        }
        if matches!(
            collective,
            Collective::ReduceScatter(..) | Collective::AllToAll(..)
        ) {
            sizes[dim] *= size;
        }
        (0..ranks)
            .map(|_| Array::random(element, &sizes, random))
            .collect()
    });
    Case {
        inputs: inputs.collect(),
        collective,
        groups,
        seed: random.u64(..),
    }
}

/// A partial permutation of all ranks.
fn permute(ranks: usize, element: Element, random: &mut fastrand::Rng) -> Case {
    let group: Vec<usize> = (0..ranks).collect();
    let mut targets = group.clone();
    random.shuffle(&mut targets);
    let kept = random.usize(..=ranks);
    let pairs: Vec<_> = group.iter().copied().zip(targets).take(kept).collect();
    let sizes = [random.usize(..5), random.usize(1..4)];
    Case {
        collective: Collective::Permute(pairs),
        groups: vec![group],
        inputs: vec![
            (0..ranks)
                .map(|_| Array::random(element, &sizes, random))
                .collect(),
        ],
        seed: random.u64(..),
    }
}

#[test]
fn random_collectives_are_what_they_are_defined_as() {
    let meshes = [
        [1, 1],
        [1, 2],
        [2, 1],
        [1, 3],
        [2, 2],
        [3, 2],
        [2, 4],
        [8, 1],
        [4, 2],
    ];
    for seed in 0..150 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mesh = meshes[seed as usize % meshes.len()];
        let cases: Vec<Case> = (0..8).map(|_| random_case(mesh, &mut random)).collect();
        check(mesh[0] * mesh[1], &cases);
    }
}

#[test]
fn every_reduction_of_every_element_type() {
    let mut random = fastrand::Rng::with_seed(1);
    for ranks in [2, 3, 4, 8] {
        let mut cases = Vec::new();
        for kind in Reduction::ALL {
            for element in Element::ALL.into_iter().filter(|&element| accepts(kind, element)) {
                for collective in [Collective::AllReduce(kind), Collective::ReduceScatter(kind, 0)] {
                    let inputs = (0..ranks).map(|_| Array::random(element, &[ranks * 2, 3], &mut random));
                    cases.push(Case {
                        inputs: vec![inputs.collect()],
                        collective,
                        groups: vec![(0..ranks).collect()],
                        seed: random.u64(..),
                    });
                }
            }
        }
        assert_eq!(cases.len(), 2 * (13 * 4 + 4 + 9 * 3));
        check(ranks, &cases);
    }
}

#[test]
fn tensors_without_dimensions_and_long_ones() {
    let mut random = fastrand::Rng::with_seed(2);
    for sizes in [&[][..], &[1], &[10_007], &[3, 5_000]] {
        let cases: Vec<Case> = [Element::F32, Element::Bf16, Element::I8]
            .into_iter()
            .flat_map(|element| {
                let collectives = [Collective::AllReduce(Reduction::Sum), Collective::Broadcast(2)];
                collectives
                    .into_iter()
                    .map(move |collective| (element, collective))
            })
            .map(|(element, collective)| Case {
                collective,
                groups: vec![vec![2, 0, 1, 3]],
                inputs: vec![
                    (0..4)
                        .map(|_| Array::random(element, sizes, &mut random))
                        .collect(),
                ],
                seed: 0,
            })
            .collect();
        check(4, &cases);
    }
}

#[test]
fn tensors_of_one_op_may_differ_in_type_and_dimension() {
    let mut random = fastrand::Rng::with_seed(4);
    let mut make = |element, sizes: &[usize]| -> Vec<Array> {
        (0..3)
            .map(|_| Array::random(element, sizes, &mut random))
            .collect()
    };
    let (small, large) = (make(Element::Bf16, &[2, 3]), make(Element::I64, &[3, 6, 1]));
    let outcome = World::default().run(3, |rank| {
        let own = rank.index();
        let list = [2, 0, 1];
        let position = list.iter().position(|&member| member == own).unwrap();
        let (group, stream, at) = (rank.group(&list)?, rank.current_stream()?, At::default());
        let gathered = [
            expected(&Collective::AllGather(1), &list, position, &small),
            expected(&Collective::AllGather(2), &list, position, &large),
        ];
        let scattered = [
            expected(
                &Collective::ReduceScatter(Reduction::Sum, 1),
                &list,
                position,
                &small,
            ),
            expected(
                &Collective::ReduceScatter(Reduction::Sum, 0),
                &list,
                position,
                &large,
            ),
        ];
        let lay = |arrays: [&Array; 2]| arrays.map(|array| Laid::new(array, Some(own as u64)));
        let empty = |arrays: &[Array; 2]| {
            let [a, b] = [0, 1].map(|index| Array::zero(arrays[index].element, &arrays[index].sizes));
            lay([&a, &b])
        };
        let mut inputs = lay([&small[own], &large[own]]);
        let (mut all, mut parts) = (empty(&gathered), empty(&scattered));
        let inputs = inputs.each_mut().map(Laid::tensor);
        let (to_all, to_parts) = (
            all.each_mut().map(Laid::tensor),
            parts.each_mut().map(Laid::tensor),
        );
        // SAFETY: the memory is kept until the stream has ended.
        unsafe {
            rank.all_gather(stream, group, &inputs, &to_all, &[1, 2], at)?;
            rank.reduce_scatter(stream, group, Reduction::Sum, &inputs, &to_parts, &[1, 0], at)?;
        }
        rank.synchronize(stream, at)?;
        assert_eq!(all.map(|laid| laid.array()), gathered);
        assert_eq!(parts.map(|laid| laid.array()), scattered);
        Ok(())
    });
    outcome.all().unwrap();
}

#[test]
fn all_reduce_and_broadcast_in_place() {
    let mut random = fastrand::Rng::with_seed(3);
    let inputs: Vec<Array> = (0..4)
        .map(|_| Array::random(Element::F32, &[5, 7], &mut random))
        .collect();
    let group = [3, 1, 0, 2];
    for collective in [Collective::AllReduce(Reduction::Sum), Collective::Broadcast(1)] {
        let outcome = World::default().run(4, |rank| {
            let mut laid = Laid::new(&inputs[rank.index()], Some(7));
            let tensor = [laid.tensor()];
            let stream = rank.current_stream()?;
            // SAFETY: the memory is kept until the stream has ended.
            unsafe { issue(rank, stream, rank.group(&group)?, &collective, &tensor, &tensor)? };
            rank.synchronize(stream, At::default())?;
            Ok(laid.array())
        });
        let expected: Vec<Array> = (0..4)
            .map(|rank| {
                let position = group.iter().position(|&member| member == rank).unwrap();
                expected(&collective, &group, position, &inputs)
            })
            .collect();
        assert_eq!(outcome.all().unwrap(), expected);
    }
}

#[test]
fn extremes_of_floats_are_ieee_minimum_and_maximum() {
    let inputs = [[f32::NAN, 1.0, -0.0, 0.0], [1.0, f32::NAN, 0.0, -0.0]];
    let both = World::default().run(2, |rank| {
        let (group, stream) = (rank.group(&[0, 1])?, rank.current_stream()?);
        let mut input = inputs[rank.index()];
        let tensor = |data: &mut [f32; 4]| [Tensor::contiguous(data.as_mut_ptr().cast(), Element::F32, &[4])];
        let (mut least, mut most) = ([7.0; 4], [7.0; 4]);
        let at = At::default();
        let input = tensor(&mut input);
        // SAFETY: the arrays outlive the streams' work.
        unsafe {
            rank.all_reduce(stream, group, Reduction::Min, &input, &tensor(&mut least), at)?;
            rank.all_reduce(stream, group, Reduction::Max, &input, &tensor(&mut most), at)?;
        }
        rank.synchronize(stream, at)?;
        Ok((least, most))
    });
    for (least, most) in both.all().unwrap() {
        assert!(least[0].is_nan() && least[1].is_nan() && most[0].is_nan() && most[1].is_nan());
        assert_eq!(least.map(f32::to_bits)[2..], [(-0.0f32).to_bits(); 2]);
        assert_eq!(most.map(f32::to_bits)[2..], [0.0f32.to_bits(); 2]);
    }
}
