// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The e-graph against all permutations, on random groups.

mod common;

use comm_schedule::sort::ties::{Release, TieGroup, Unit};
use common::Random;

fn random_group(random: &mut Random, most: usize) -> TieGroup {
    let units = 1 + random.below(most);
    let kinds = 1 + random.below(units);
    let pool: Vec<Unit> = (0..kinds)
        .map(|_| Unit {
            allocations: (0..1 + random.below(3)).map(|_| random.below(9) as i64).collect(),
        })
        .collect();
    let units: Vec<Unit> = (0..units).map(|_| pool[random.below(kinds)].clone()).collect();
    let mut releases = Vec::new();
    for _ in 0..random.below(2 * units.len() + 1) {
        let mut last: Vec<(usize, usize)> = Vec::new();
        for (index, unit) in units.iter().enumerate() {
            if random.below(3) == 0 {
                last.push((index, random.below(unit.allocations.len())));
            }
        }
        if !last.is_empty() {
            releases.push(Release {
                bytes: random.below(9) as i64,
                last,
            });
        }
    }
    TieGroup { units, releases }
}

fn for_each_permutation(prefix: &mut Vec<usize>, length: usize, visit: &mut impl FnMut(&[usize])) {
    if prefix.len() == length {
        visit(prefix);
        return;
    }
    for unit in 0..length {
        if !prefix.contains(&unit) {
            prefix.push(unit);
            for_each_permutation(prefix, length, visit);
            prefix.pop();
        }
    }
}

#[test]
fn the_order_found_is_the_first_one_of_least_peak() {
    let mut random = Random(3);
    let mut searched = 0;
    for _ in 0..600 {
        let group = random_group(&mut random, 6);
        let found = group.solve(4096).expect("sound").expect("within the budget");
        let mut least = i64::MAX;
        for_each_permutation(&mut Vec::new(), group.units.len(), &mut |order| {
            least = least.min(group.peak(order))
        });
        assert_eq!(group.peak(&found), least, "{group:?}");
        let mut first: Option<Vec<usize>> = None;
        for_each_permutation(&mut Vec::new(), group.units.len(), &mut |order| {
            if first.is_none() && group.peak(order) == least {
                first = Some(order.to_vec());
            }
        });
        // Alike units stand in order in it: swapping two of them changes no peak and would come first otherwise.
        assert_eq!(Some(found.clone()), first, "{group:?}");
        searched += usize::from(found.windows(2).any(|pair| pair[0] > pair[1]));
    }
    assert!(
        searched > 100,
        "{searched} of 600 groups had to leave their first order"
    );
}

#[test]
fn alike_units_cost_little() {
    // Forty equal units that each free more than they allocate, after one that allocates much: of 2^41 sets only 82
    // are told apart.
    let mut units = vec![Unit {
        allocations: vec![100],
    }];
    units.extend(vec![Unit { allocations: vec![1] }; 40]);
    let releases = (1..41)
        .map(|unit| Release {
            bytes: 3,
            last: vec![(unit, 0)],
        })
        .collect();
    let group = TieGroup { units, releases };
    let order = group.solve(82).expect("sound").expect("82 classes");
    assert_eq!(order, (1..41).chain([0]).collect::<Vec<_>>());
    assert_eq!(group.solve(81), Ok(None));
}

#[test]
fn a_group_that_only_allocates_keeps_its_order_whatever_its_size() {
    let units = (0..1000)
        .map(|unit| Unit {
            allocations: vec![unit],
        })
        .collect();
    let group = TieGroup {
        units,
        releases: Vec::new(),
    };
    assert_eq!(group.solve(0), Ok(Some((0..1000).collect())));
}

#[test]
fn no_unit_and_one_unit() {
    assert_eq!(TieGroup::default().solve(0), Ok(Some(vec![])));
    let one = TieGroup {
        units: vec![Unit { allocations: vec![5] }],
        releases: vec![],
    };
    assert_eq!(one.solve(0), Ok(Some(vec![0])));
}
