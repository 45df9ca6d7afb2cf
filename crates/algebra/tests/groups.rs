// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Relations of groupings against their definitions and against what they are for, on all small groupings.

use std::collections::BTreeSet;

use comm_algebra::{
    Element, GroupId, Grouping, Groups, Kind, NodeId, Op, Program, Type,
    groups::relations,
    interpreter::{Tensor, run},
};

/// All groupings of so many devices into lists of this size, every order of every list.
fn groupings(devices: usize, size: usize) -> Vec<Grouping> {
    fn extend(
        left: &[usize],
        size: usize,
        lists: &mut Vec<Vec<usize>>,
        list: Vec<usize>,
        found: &mut BTreeSet<Vec<Vec<usize>>>,
    ) {
        if list.len() == size {
            lists.push(list);
            if left.is_empty() {
                let mut sorted = lists.clone();
                sorted.sort();
                found.insert(sorted);
            } else {
                extend(left, size, lists, Vec::new(), found);
            }
            lists.pop();
            return;
        }
        for &device in left {
            let rest: Vec<usize> = left.iter().copied().filter(|&other| other != device).collect();
            let mut longer = list.clone();
            longer.push(device);
            extend(&rest, size, lists, longer, found);
        }
    }
    let mut found = BTreeSet::new();
    extend(
        &(0..devices).collect::<Vec<_>>(),
        size,
        &mut Vec::new(),
        Vec::new(),
        &mut found,
    );
    found
        .into_iter()
        .map(|lists| Grouping::new(devices, &lists).unwrap())
        .collect()
}

fn small() -> Vec<Grouping> {
    [1, 2, 4]
        .into_iter()
        .flat_map(|size| groupings(4, size))
        .collect()
}

fn pairs() -> Vec<(Grouping, Grouping)> {
    let all = small();
    all.iter()
        .flat_map(|a| all.iter().map(move |b| (a.clone(), b.clone())))
        .collect()
}

/// `f(G, d, i)`.
fn f(grouping: &Grouping, device: usize, index: usize) -> usize {
    grouping
        .lists()
        .find(|list| list.contains(&(device as u32)))
        .unwrap()[index] as usize
}

/// The list of a device.
fn list(grouping: &Grouping, device: usize) -> Vec<usize> {
    (0..grouping.size())
        .map(|index| f(grouping, device, index))
        .collect()
}

fn sorted(mut list: Vec<usize>) -> Vec<usize> {
    list.sort_unstable();
    list
}

fn through(outer: &Grouping, inner: &Grouping, device: usize) -> Vec<usize> {
    list(outer, device)
        .into_iter()
        .flat_map(|member| list(inner, member))
        .collect()
}

#[test]
fn there_are_as_many_as_there_should_be() {
    assert_eq!([1, 2, 4].map(|size| groupings(4, size).len()), [1, 12, 24]);
    assert_eq!(groupings(6, 3).len(), 360);
}

#[test]
fn sets_and_orders() {
    let sets = |grouping: &Grouping| {
        (0..4)
            .map(|device| sorted(list(grouping, device)))
            .collect::<BTreeSet<Vec<usize>>>()
    };
    let orders = |grouping: &Grouping| {
        (0..4)
            .map(|device| list(grouping, device))
            .collect::<BTreeSet<Vec<usize>>>()
    };
    for (a, b) in pairs() {
        assert_eq!(relations::same_set(&a, &b), sets(&a) == sets(&b), "{a} and {b}");
        assert_eq!(
            relations::same_order(&a, &b),
            orders(&a) == orders(&b),
            "{a} and {b}"
        );
    }
}

#[test]
fn unions_and_products() {
    for (a, b) in pairs() {
        let is_split = |list: &dyn Fn(usize) -> Vec<usize>| {
            (0..4).all(|device| {
                let own = list(device);
                let distinct: BTreeSet<usize> = own.iter().copied().collect();
                distinct.len() == own.len() && own.iter().all(|&member| list(member) == own)
            })
        };
        let union = |device: usize| sorted(through(&b, &a, device));
        assert_eq!(relations::disjoint(&a, &b), is_split(&union), "{a} and {b}");
        if let Some(found) = relations::union(&a, &b) {
            assert!(
                (0..4).all(|device| list(&found, device) == union(device)),
                "{a} and {b}"
            );
        }
        let product = |device: usize| through(&a, &b, device);
        assert_eq!(
            relations::product(&a, &b).is_some(),
            is_split(&product),
            "{a} and {b}"
        );
        if let Some(found) = relations::product(&a, &b) {
            assert!(
                (0..4).all(|device| list(&found, device) == product(device)),
                "{a} and {b}"
            );
        }
    }
}

#[test]
fn squares_positions_and_contributors() {
    let all = |check: &dyn Fn(usize, usize, usize) -> bool, a: &Grouping, b: &Grouping| {
        (0..4).all(|d| (0..a.size()).all(|i| (0..b.size()).all(|j| check(d, i, j))))
    };
    for (a, b) in pairs() {
        let square = all(&|d, i, j| f(&a, f(&b, d, j), i) == f(&b, f(&a, d, i), j), &a, &b);
        assert_eq!(relations::square(&a, &b), square, "{a} and {b}");
        // Blocks b, reduced a.
        let blocks = (0..4).all(|d| {
            (0..b.size()).all(|j| {
                let block: BTreeSet<usize> = (0..a.size()).map(|i| f(&b, f(&a, d, i), j)).collect();
                block == list(&a, f(&b, d, j)).into_iter().collect()
            })
        });
        assert_eq!(relations::square_by_blocks(&b, &a), blocks, "{a} and {b}");
        assert!(!square || blocks);
        let position = |device: usize| list(&a, device).iter().position(|&member| member == device);
        let constant = (0..4).all(|d| list(&b, d).iter().all(|&member| position(member) == position(d)));
        assert_eq!(relations::position_constant(&a, &b), constant, "{a} and {b}");
        let same = (0..4).all(|d| sorted(through(&a, &b, d)) == sorted(through(&b, &a, d)));
        assert_eq!(relations::contributors(&a, &b), same, "{a} and {b}");
    }
}

#[test]
fn the_table_gives_the_same_answers() {
    let mut groups = Groups::new(4).unwrap();
    for (a, b) in pairs() {
        let ids = [&a, &b].map(|grouping| groups.add(grouping.clone()).unwrap());
        // Twice, the second time from memory.
        for _ in 0..2 {
            let [x, y] = ids;
            assert_eq!(groups.same_set(x, y), relations::same_set(&a, &b));
            assert_eq!(groups.same_order(x, y), a == b);
            assert_eq!(groups.disjoint(x, y), relations::disjoint(&a, &b));
            assert_eq!(groups.square(x, y), relations::square(&a, &b));
            assert_eq!(groups.square_by_blocks(x, y), relations::square_by_blocks(&a, &b));
            assert_eq!(
                groups.position_constant(x, y),
                relations::position_constant(&a, &b)
            );
            assert_eq!(groups.contributors(x, y), relations::contributors(&a, &b));
            let product = groups.product(x, y).map(|id| groups.get(id).clone());
            assert_eq!(product, relations::product(&a, &b));
        }
    }
    assert!(groups.add(Grouping::of_mesh(&[2], &[0]).unwrap()).is_err());
}

/// One collective after another, on numbers that tell every device and element apart.
fn two(a: &Grouping, b: &Grouping, ops: &dyn Fn(GroupId, GroupId) -> [Op; 2]) -> Vec<Vec<u64>> {
    let mut groups = Groups::new(4).unwrap();
    let (a, b) = (groups.add(a.clone()).unwrap(), groups.add(b.clone()).unwrap());
    let mut program = Program::new(groups);
    let ty = Type::new(Element::I64, &[4, 4]);
    let x: NodeId = program.argument(0, ty.clone(), &[]).unwrap();
    let [first, second] = ops(a, b);
    let inner = program.push(first, &[x], 0).unwrap();
    let outer = program.push(second, &[inner], 0).unwrap();
    program.set_results(&[outer]).unwrap();
    // Powers of three: no sum of a few of them, each at most twice, is another such sum.
    let value = |_: u32| {
        let tensor =
            |device: u32| Tensor::integer(ty.clone(), |index| 3i64.pow(device * 4) * (index as i64 + 1));
        Some((0..4).map(tensor).collect())
    };
    run(&program, &value).unwrap()[0]
        .iter()
        .map(Tensor::bits)
        .collect()
}

#[test]
fn the_conditions_for_changing_places_are_exact() {
    let sum = Kind::Sum;
    let pairs: Vec<(Grouping, Grouping)> = {
        let all = groupings(4, 2);
        all.iter()
            .flat_map(|a| all.iter().map(move |b| (a.clone(), b.clone())))
            .collect()
    };
    let mut holds = [0; 4];
    for (a, b) in &pairs {
        // Reduce over a, scatter over b.
        let reduce_first = two(a, b, &|a, b| {
            [
                Op::AllReduce { kind: sum, group: a },
                Op::ReduceScatter {
                    kind: sum,
                    dim: 0,
                    group: b,
                },
            ]
        });
        let scatter_first = two(a, b, &|a, b| {
            [
                Op::ReduceScatter {
                    kind: sum,
                    dim: 0,
                    group: b,
                },
                Op::AllReduce { kind: sum, group: a },
            ]
        });
        let equal = reduce_first == scatter_first;
        let condition = relations::position_constant(b, a) && relations::contributors(a, b);
        assert_eq!(equal, condition, "scatter: {a} and {b}");
        holds[0] += usize::from(equal);

        let columns_first = two(a, b, &|a, b| {
            [
                Op::AllGather { dim: 0, group: a },
                Op::AllGather { dim: 1, group: b },
            ]
        });
        let rows_first = two(a, b, &|a, b| {
            [
                Op::AllGather { dim: 1, group: b },
                Op::AllGather { dim: 0, group: a },
            ]
        });
        assert_eq!(
            columns_first == rows_first,
            relations::square(a, b),
            "gathers: {a} and {b}"
        );
        holds[1] += usize::from(columns_first == rows_first);

        let gather_first = two(a, b, &|a, b| {
            [
                Op::AllGather { dim: 0, group: b },
                Op::AllReduce { kind: sum, group: a },
            ]
        });
        let reduce_first = two(a, b, &|a, b| {
            [
                Op::AllReduce { kind: sum, group: a },
                Op::AllGather { dim: 0, group: b },
            ]
        });
        assert_eq!(
            gather_first == reduce_first,
            relations::square_by_blocks(b, a),
            "gather: {a} and {b}"
        );
        holds[2] += usize::from(gather_first == reduce_first);

        let shard_first = two(a, b, &|a, b| {
            [
                Op::Shard { dim: 0, group: b },
                Op::AllReduce { kind: sum, group: a },
            ]
        });
        let reduce_first = two(a, b, &|a, b| {
            [
                Op::AllReduce { kind: sum, group: a },
                Op::Shard { dim: 0, group: b },
            ]
        });
        assert_eq!(
            shard_first == reduce_first,
            relations::position_constant(b, a),
            "shard: {a} and {b}"
        );
        holds[3] += usize::from(shard_first == reduce_first);
    }
    // Of 144 pairs: neither condition is always or never met.
    assert_eq!(pairs.len(), 144);
    assert_eq!(holds[0], 48);
    assert!(holds.iter().all(|&count| count > 0 && count < 144), "{holds:?}");
}
