// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A block as the checks see it: what each op is to the pass, and which ops communication may not cross.

use std::collections::{HashMap, HashSet};

use mlir_comm::passes::{GatherPlacement, ReductionPlacement, SortOptions};

use super::super::ir::{BlockKey, Id, OpRecord, Snapshot, Source};
use super::tables::{CHEAP, Class, SCALINGS, VIEWS, class, is_index_arithmetic, is_start};

/// What an op is to the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Anchor,
    /// A view, or a cheap op of a private chain.
    Dressing,
    Start(Class),
    Blocking(Class),
    Wait(Class),
}

/// A block as the checks see it.
pub struct BlockFacts<'s> {
    snapshot: &'s Snapshot,
    pub block: BlockKey,
    /// Order before the pass.
    pub ops: Vec<Id>,
    pub roles: HashMap<Id, Role>,
    pub dependences: HashMap<Id, Vec<Id>>,
    /// Readers, and the next of the collectives whose order is kept.
    pub(super) users: HashMap<Id, Vec<Id>>,
    shards: HashSet<Id>,
    /// Ops that a pass may take for fences, and those that are.
    pub fences: Vec<Id>,
    certain_fences: HashSet<Id>,
}

impl<'s> BlockFacts<'s> {
    pub fn new(snapshot: &'s Snapshot, block: BlockKey, options: &SortOptions) -> Self {
        let ops = snapshot.blocks[&block].clone();
        let dependences: HashMap<Id, Vec<Id>> =
            ops.iter().map(|&id| (id, snapshot.dependences(id))).collect();
        let mut users: HashMap<Id, Vec<Id>> = ops.iter().map(|&id| (id, Vec::new())).collect();
        for &id in &ops {
            for dependence in &dependences[&id] {
                users.get_mut(dependence).expect("it is in this block").push(id);
            }
        }
        let mut facts = Self {
            snapshot,
            block,
            ops,
            roles: HashMap::new(),
            dependences,
            users,
            shards: HashSet::new(),
            fences: Vec::new(),
            certain_fences: HashSet::new(),
        };
        facts.certain_fences = facts
            .ops
            .iter()
            .copied()
            .filter(|id| facts.is_certain_fence(*id))
            .collect();
        facts.fences = facts
            .ops
            .iter()
            .copied()
            .filter(|id| facts.is_possible_fence(*id))
            .collect();
        facts.classify(options);
        let others: Vec<Id> = facts.others().collect();
        for pair in others.windows(2) {
            facts
                .users
                .get_mut(&pair[0])
                .expect("it is in this block")
                .push(pair[1]);
        }
        facts
    }

    pub(super) fn op(&self, id: Id) -> &OpRecord {
        self.snapshot.op(id)
    }

    /// The start of a wait, in this block.
    pub fn start_of(&self, wait: Id) -> Option<Id> {
        (self.op(wait).name == "comm.wait").then(|| {
            self.dependences[&wait]
                .iter()
                .copied()
                .find(|&id| is_start(self.op(id)))
        })?
    }

    /// The wait of a start, in this block.
    pub fn wait_of(&self, start: Id) -> Option<Id> {
        self.users[&start]
            .iter()
            .copied()
            .find(|&user| self.start_of(user) == Some(start))
    }

    /// Collectives that are neither gathers nor reductions, in order, those that are awaited in another block too.
    pub fn others(&self) -> impl Iterator<Item = Id> {
        self.ops
            .iter()
            .copied()
            .filter(|id| class(self.op(*id)) == Some(Class::Other))
    }

    /// Whether a view or cheap op by its name.
    fn dresses(&self, id: Id) -> bool {
        self.is_view(id) || self.is_cheap(id)
    }

    /// An op that MLIR does not know may be what ends the block.
    fn may_end_block(&self, id: Id) -> bool {
        self.ops.last() == Some(&id) && !self.op(id).registered
    }

    pub(super) fn is_view(&self, id: Id) -> bool {
        !self.may_end_block(id) && VIEWS.contains(&self.op(id).name.as_str())
    }

    fn is_cheap(&self, id: Id) -> bool {
        let op = self.op(id);
        let name = op.name.as_str();
        !self.may_end_block(id)
            && (CHEAP.contains(&name)
                || is_index_arithmetic(op)
                || (SCALINGS.contains(&name) && op.operands.iter().any(|operand| self.is_constant(*operand))))
    }

    /// Whether a value is a constant, broadcast or converted a few times.
    fn is_constant(&self, mut value: Source) -> bool {
        for _ in 0..4 {
            let Source::Result(owner, _) = value else {
                return false;
            };
            let op = self.snapshot.op(owner);
            match op.name.as_str() {
                "arith.constant" | "stablehlo.constant" => return true,
                "stablehlo.broadcast_in_dim" | "stablehlo.convert" | "stablehlo.reshape" | "tensor.splat" => {
                    value = op.operands[0];
                }
                _ => return false,
            }
        }
        false
    }

    fn classify(&mut self, options: &SortOptions) {
        let placed = |class: Class| match class {
            Class::Gather => options.all_gather != GatherPlacement::Keep,
            Class::Reduction => options.reduce_scatter != ReductionPlacement::Keep,
            Class::Other => true,
        };
        for &id in &self.ops.clone() {
            if self.dresses(id)
                && self.dependences[&id]
                    .iter()
                    .all(|dependence| self.shards.contains(dependence))
            {
                self.shards.insert(id);
            }
            let role = match class(self.op(id)) {
                Some(class) if !placed(class) => Role::Anchor,
                // Awaited in another block: computation here.
                Some(_) if is_start(self.op(id)) && self.wait_of(id).is_none() && self.is_awaited(id) => {
                    Role::Anchor
                }
                Some(class) if is_start(self.op(id)) => Role::Start(class),
                Some(class) => Role::Blocking(class),
                None => match self.start_of(id).map(|start| self.roles[&start]) {
                    Some(Role::Start(class)) => Role::Wait(class),
                    _ if self.is_view(id) => Role::Dressing,
                    _ => Role::Anchor,
                },
            };
            self.roles.insert(id, role);
        }
        let after = self.chains_after_gathers();
        let before = self.chains_before_collectives();
        for id in after.into_iter().chain(before) {
            self.roles.insert(id, Role::Dressing);
        }
    }

    /// Whether anything uses the future.
    fn is_awaited(&self, start: Id) -> bool {
        self.snapshot.ops.values().any(|op| {
            op.operands
                .iter()
                .any(|operand| matches!(operand, Source::Result(owner, _) if *owner == start))
        })
    }

    fn chains_after_gathers(&self) -> Vec<Id> {
        // 0: arguments and constants, 1: gathered, 2: computed.
        let mut origins: HashMap<Id, u8> = HashMap::new();
        for &id in &self.ops {
            let joined = self.dependences[&id]
                .iter()
                .map(|dependence| origins[dependence])
                .max()
                .unwrap_or(0);
            let origin = match self.roles[&id] {
                Role::Wait(Class::Gather) | Role::Blocking(Class::Gather) => 1,
                _ if self.dresses(id) => joined,
                _ => 2,
            };
            origins.insert(id, origin);
        }
        self.ops
            .iter()
            .copied()
            .filter(|id| self.is_cheap(*id) && origins[id] == 1)
            .collect()
    }

    fn chains_before_collectives(&self) -> Vec<Id> {
        // The collectives in which all uses end, or nothing where one ends elsewhere.
        let mut ends: HashMap<Id, Option<HashSet<Id>>> = HashMap::new();
        for &id in self.ops.iter().rev() {
            let mut owners = Some(HashSet::new());
            for &user in &self.users[&id] {
                let end = match self.roles[&user] {
                    Role::Start(Class::Gather | Class::Reduction)
                    | Role::Blocking(Class::Gather | Class::Reduction) => Some(HashSet::from([user])),
                    Role::Wait(Class::Gather | Class::Reduction) if self.start_of(user) != Some(id) => {
                        self.start_of(user).map(|start| HashSet::from([start]))
                    }
                    _ if self.dresses(user) => ends[&user].clone(),
                    _ => None,
                };
                owners = match (owners, end) {
                    (Some(owners), Some(end)) => Some(&owners | &end),
                    _ => None,
                };
            }
            let owners = owners.filter(|owners| {
                owners.len() == 1
                    && self.dresses(id)
                    && owners.iter().all(|&owner| {
                        class(self.op(owner)) != Some(Class::Gather) || self.shards.contains(&id)
                    })
            });
            ends.insert(id, owners);
        }
        self.ops
            .iter()
            .copied()
            .filter(|id| self.is_cheap(*id) && ends[id].is_some())
            .collect()
    }

    /// Whether communication may certainly not cross the op.
    fn is_certain_fence(&self, id: Id) -> bool {
        let nested = self.snapshot.nested(id);
        nested.iter().any(|&inner| {
            let op = self.op(inner);
            let unknown = !op.registered
                && op.attribute("comm.pure").is_none()
                && !["stablehlo.", "chlo.", "sdy.", "torch.", "thunder."]
                    .iter()
                    .any(|known| op.name.starts_with(known));
            let writes = ["func.call", "memref.store"].contains(&op.name.as_str());
            let communicates = inner != id && class(op).is_some();
            unknown || writes || communicates || op.attribute("test.divergent").is_some()
        })
    }

    /// Whether a pass may take the op for one that communication does not cross.
    fn is_possible_fence(&self, id: Id) -> bool {
        self.op(id).regions > 0 || self.must_be_fence(id) || self.op(id).name == "stablehlo.custom_call"
    }

    pub(super) fn must_be_fence(&self, id: Id) -> bool {
        self.certain_fences.contains(&id)
    }

    pub fn is_anchor(&self, id: Id) -> bool {
        self.roles[&id] == Role::Anchor
    }

    /// Whether a gather takes a slot of the limit.
    pub(super) fn takes_slot(&self, start: Id) -> bool {
        self.dependences[&start]
            .iter()
            .all(|dependence| self.shards.contains(dependence))
    }
}
