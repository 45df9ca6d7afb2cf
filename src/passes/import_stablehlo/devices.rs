// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the numbers in a StableHLO collective stand for, and which ranks they are.
//!
//! A StableHLO program runs as `num_replicas` x `num_partitions` processes. `comm` knows ranks only: rank = replica *
//! `num_partitions` + partition, the flattened id of the StableHLO specification. Whether a collective's numbers are
//! replicas, partitions or flattened ids follows from its channel and from `use_global_device_ids` (section "Grouping
//! of processes" there).
//!
//! A collective over replicas is carried out once in each partition and the other way round, so its groups are
//! repeated. Groups that join all partitions of several replicas are refused where both counts exceed one: all-reduce
//! would not care, but for the others the specification and its implementations do not agree on the order of the
//! members.

use crate::{
    diagnostics,
    mlir::{Op, PassResult},
};

/// Largest number of devices; the same limit as that of `comm.mesh`.
pub(super) const MAX_DEVICES: i64 = 1 << 20;

/// What a collective's numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ids {
    /// Replicas; carried out once in each partition.
    Replicas,
    /// Partitions; carried out once in each replica.
    Partitions,
    /// Flattened ids.
    Devices,
    /// Replicas, each standing for all of its partitions; here there is one replica.
    WholeReplica,
}

impl Ids {
    /// The numbers in words, for diagnostics.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Ids::Replicas | Ids::WholeReplica => "replica",
            Ids::Partitions => "partition",
            Ids::Devices => "device",
        }
    }
}

/// The processes of a program.
pub(super) struct Devices {
    /// Replicas and partitions, where the module says how many.
    counts: Option<(i64, i64)>,
    /// In a module that does not say: what the numbers of the collectives so far were.
    assumed: Option<Ids>,
}

impl Devices {
    /// Reads `mhlo.num_replicas` and `mhlo.num_partitions`; one that is missing beside the other is 1.
    pub(super) fn of(module: Op) -> PassResult<Self> {
        let read = |name: &str| match module.attr(name) {
            None => Ok(None),
            Some(attr) => match attr.as_i64() {
                Some(count) if (1..=MAX_DEVICES).contains(&count) => Ok(Some(count)),
                _ => Err(diagnostics::op_error(
                    module,
                    &format!(
                        "expects an integer from 1 to {MAX_DEVICES} as '{name}', but it is {}",
                        attr.to_text()
                    ),
                )),
            },
        };
        let counts = match (read("mhlo.num_replicas")?, read("mhlo.num_partitions")?) {
            (None, None) => None,
            (replicas, partitions) => Some((replicas.unwrap_or(1), partitions.unwrap_or(1))),
        };
        if let Some((replicas, partitions)) = counts
            && replicas * partitions > MAX_DEVICES
        {
            return Err(diagnostics::op_error(
                module,
                &format!(
                    "has {replicas} replicas of {partitions} partitions; at most {MAX_DEVICES} devices are supported"
                ),
            ));
        }
        Ok(Self {
            counts,
            assumed: None,
        })
    }

    /// How many processes the numbers run over, where the module says so.
    pub(super) fn count(&self, ids: Ids) -> Option<i64> {
        let (replicas, partitions) = self.counts?;
        Some(match ids {
            Ids::Replicas | Ids::WholeReplica => replicas,
            Ids::Partitions => partitions,
            Ids::Devices => replicas * partitions,
        })
    }

    /// Meaning of the numbers of an op that may have `use_global_device_ids`: all_gather, all_reduce, reduce_scatter.
    pub(super) fn with_flag(&mut self, op: Op, channel: i64, global: bool) -> PassResult<Ids> {
        let ids = match (channel > 0, global) {
            (true, true) => Ids::Devices,
            (false, false) => Ids::Replicas,
            (false, true) => {
                return Err(diagnostics::op_error(
                    op,
                    "has 'use_global_device_ids' but no channel with a positive handle, which StableHLO does not allow",
                ));
            }
            (true, false) => match self.counts {
                None | Some((_, 1)) => Ids::Replicas,
                Some((1, _)) => Ids::WholeReplica,
                Some((replicas, partitions)) => {
                    return Err(diagnostics::op_error(
                        op,
                        &format!(
                            "joins all {partitions} partitions of its {replicas} replicas, in an order that is not settled; \
                             expected 'use_global_device_ids' with groups of flattened ids"
                        ),
                    ));
                }
            },
        };
        self.assume(op, ids)
    }

    /// Meaning of the numbers of an op without that flag: all_to_all, collective_permute, collective_broadcast.
    pub(super) fn without_flag(&mut self, op: Op, channel: i64) -> PassResult<Ids> {
        self.assume(
            op,
            if channel > 0 {
                Ids::Partitions
            } else {
                Ids::Replicas
            },
        )
    }

    /// In a module that does not say how many replicas and partitions there are, the numbers are ranks as they stand.
    /// That holds as long as they all mean the same.
    fn assume(&mut self, op: Op, ids: Ids) -> PassResult<Ids> {
        if self.counts.is_some() {
            return Ok(ids);
        }
        match self.assumed {
            Some(before) if before != ids => Err(diagnostics::op_error(
                op,
                &format!(
                    "has {} ids where collectives before it have {} ids; which ranks they are follows from the module's \
                     attributes 'mhlo.num_replicas' and 'mhlo.num_partitions', which it lacks",
                    ids.noun(),
                    before.noun()
                ),
            )),
            _ => {
                self.assumed = Some(ids);
                Ok(ids)
            }
        }
    }

    /// Ranks of a list of processes, repeated for every replica or partition that the list does not name. The numbers
    /// have been checked against [`Devices::count`].
    pub(super) fn ranks(&self, ids: Ids, list: &[i64]) -> Vec<i64> {
        let (replicas, partitions) = self.counts.unwrap_or((1, 1));
        match ids {
            Ids::Devices => list.to_vec(),
            Ids::Replicas => (0..partitions)
                .flat_map(|partition| list.iter().map(move |replica| replica * partitions + partition))
                .collect(),
            Ids::Partitions => (0..replicas)
                .flat_map(|replica| list.iter().map(move |partition| replica * partitions + partition))
                .collect(),
            Ids::WholeReplica => list
                .iter()
                .flat_map(|replica| (0..partitions).map(move |partition| replica * partitions + partition))
                .collect(),
        }
    }

    /// Number of ranks in a group of `size` processes.
    pub(super) fn group_size(&self, ids: Ids, size: i64) -> i64 {
        match (ids, self.counts) {
            (Ids::WholeReplica, Some((_, partitions))) => size * partitions,
            _ => size,
        }
    }
}
