// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `comm-sort` promises, stated on snapshots of IR from before and after.
//!
//! Roles of ops are worked out here from the definition of the pass (anchors, private chains, views), by tables of names
//! and code of its own. Where a definition leaves room (a loop may or may not be known to be uniform), the checks accept
//! both readings.

use std::collections::{HashMap, HashSet};

use mlir_comm::passes::{GatherPlacement, ReductionPlacement, SortOptions};

use super::ir::{BlockKey, Id, OpRecord, Snapshot};

/// What a collective is to the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Gather,
    Reduction,
    Other,
}

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

const VIEWS: &[&str] = &[
    "builtin.unrealized_conversion_cast",
    "stablehlo.bitcast_convert",
    "stablehlo.get_tuple_element",
    "stablehlo.reshape",
    "stablehlo.tuple",
    "tensor.cast",
    "tensor.collapse_shape",
    "tensor.expand_shape",
    "tensor.extract_slice",
    "tensor.reshape",
    "thunder.expand",
    "thunder.permute",
    "thunder.reshape",
    "thunder.split",
    "thunder.squeeze",
    "thunder.torch_prims_reshape_impl",
    "thunder.torch_slice_prim_impl",
    "thunder.transpose",
    "thunder.unsqueeze",
    "torch.aten._unsafe_view",
    "torch.aten.alias",
    "torch.aten.detach",
    "torch.aten.expand",
    "torch.aten.permute",
    "torch.aten.slice.Tensor",
    "torch.aten.split.Tensor",
    "torch.aten.squeeze",
    "torch.aten.squeeze.dim",
    "torch.aten.t",
    "torch.aten.transpose.int",
    "torch.aten.unsqueeze",
    "torch.aten.view",
    "torch.prim.ListConstruct",
    "torch.prim.ListUnpack",
];

const CHEAP: &[&str] = &[
    "arith.bitcast",
    "arith.constant",
    "arith.extf",
    "arith.extsi",
    "arith.extui",
    "arith.fptosi",
    "arith.fptoui",
    "arith.sitofp",
    "arith.truncf",
    "arith.trunci",
    "arith.uitofp",
    "linalg.broadcast",
    "linalg.fill",
    "linalg.transpose",
    "stablehlo.broadcast",
    "stablehlo.broadcast_in_dim",
    "stablehlo.concatenate",
    "stablehlo.constant",
    "stablehlo.convert",
    "stablehlo.dynamic_slice",
    "stablehlo.iota",
    "stablehlo.pad",
    "stablehlo.reduce_precision",
    "stablehlo.reverse",
    "stablehlo.slice",
    "stablehlo.transpose",
    "tensor.concat",
    "tensor.empty",
    "tensor.pad",
    "tensor.splat",
    "thunder.arange",
    "thunder.cat",
    "thunder.full",
    "thunder.mul_scalar",
    "thunder.to",
    "thunder.torch_pad_prim_impl",
    "thunder.true_divide_scalar",
    "torch.aten._to_copy",
    "torch.aten.cat",
    "torch.aten.clone",
    "torch.aten.div.Scalar",
    "torch.aten.mul.Scalar",
    "torch.aten.ones",
    "torch.aten.to.dtype",
    "torch.aten.zeros",
    "torch.constant.bool",
    "torch.constant.device",
    "torch.constant.float",
    "torch.constant.int",
    "torch.constant.none",
    "torch.constant.str",
    "torch.prims.convert_element_type",
];

const SCALINGS: &[&str] = &[
    "arith.divf",
    "arith.mulf",
    "stablehlo.divide",
    "stablehlo.multiply",
];

/// Whether an op computes an offset: integers of rank 0 alone. (Real programs compare nothing else at rank 0.)
fn is_index_arithmetic(op: &OpRecord) -> bool {
    let is_integer = |ty: &String| ty.starts_with("tensor<i") || ty.starts_with("tensor<ui");
    op.name.starts_with("stablehlo.")
        && op.regions == 0
        && !op.types.is_empty()
        && op.types.iter().all(is_integer)
}

/// The collective that an op is.
pub fn class(op: &OpRecord) -> Option<Class> {
    Some(match op.name.strip_prefix("comm.")? {
        "all_gather" => Class::Gather,
        "reduce_scatter" | "all_reduce" => Class::Reduction,
        "all_to_all" | "permute" | "broadcast" => Class::Other,
        _ => return None,
    })
}

pub fn is_start(op: &OpRecord) -> bool {
    class(op).is_some() && op.types[0].starts_with("!comm.future")
}

pub fn communicates(op: &OpRecord) -> bool {
    class(op).is_some() || op.name == "comm.wait"
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
    users: HashMap<Id, Vec<Id>>,
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

    fn op(&self, id: Id) -> &OpRecord {
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

    fn is_view(&self, id: Id) -> bool {
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
    fn is_constant(&self, mut value: super::ir::Source) -> bool {
        for _ in 0..4 {
            let super::ir::Source::Result(owner, _) = value else {
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
                .any(|operand| matches!(operand, super::ir::Source::Result(owner, _) if *owner == start))
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

    fn must_be_fence(&self, id: Id) -> bool {
        self.certain_fences.contains(&id)
    }

    pub fn is_anchor(&self, id: Id) -> bool {
        self.roles[&id] == Role::Anchor
    }

    /// Whether a gather takes a slot of the limit.
    fn takes_slot(&self, start: Id) -> bool {
        self.dependences[&start]
            .iter()
            .all(|dependence| self.shards.contains(dependence))
    }
}

/// Where each op stands.
fn positions(order: &[Id]) -> HashMap<Id, usize> {
    order
        .iter()
        .enumerate()
        .map(|(position, &id)| (id, position))
        .collect()
}

/// All that the pass promises of one run.
pub fn check(before: &Snapshot, after: &Snapshot, options: &SortOptions) -> Result<(), String> {
    same_ops(before, after)?;
    for &block in &before.block_order {
        let (from, to) = (&before.blocks[&block], &after.blocks[&block]);
        if !from.iter().any(|&id| class(before.op(id)).is_some()) {
            if from != to {
                return Err(format!("block {block:?} does not communicate and has changed"));
            }
            continue;
        }
        let facts = BlockFacts::new(before, block, options);
        order_is_kept(&facts, to)?;
        limits_are_kept(&facts, to, options)?;
        gathers_follow_their_consumers(&facts, to)?;
        early_starts_follow_their_producers(&facts, to)?;
    }
    Ok(())
}

/// The same ops in the same blocks, with the same operands, attributes and types.
pub fn same_ops(before: &Snapshot, after: &Snapshot) -> Result<(), String> {
    let sorted = |snapshot: &Snapshot, block: &BlockKey| {
        let mut ids = snapshot.blocks.get(block).cloned().unwrap_or_default();
        ids.sort_unstable();
        ids
    };
    if before.blocks.len() != after.blocks.len() || before.arguments != after.arguments {
        return Err("blocks or their arguments have changed".into());
    }
    for block in &before.block_order {
        if sorted(before, block) != sorted(after, block) {
            return Err(format!("block {block:?} holds other ops"));
        }
    }
    for (id, op) in &before.ops {
        if after.ops.get(id) != Some(op) {
            return Err(format!("op {id} has changed: {op:?} -> {:?}", after.ops.get(id)));
        }
    }
    Ok(())
}

/// A linear extension of dependences, effects and opaque communication; anchors keep their order.
fn order_is_kept(facts: &BlockFacts, order: &[Id]) -> Result<(), String> {
    let at = positions(order);
    for &id in order {
        if let Some(late) = facts.dependences[&id]
            .iter()
            .find(|dependence| at[dependence] >= at[&id])
        {
            return Err(format!("op {id} stands before {late}, which it reads"));
        }
    }
    let in_order = |ids: Vec<Id>, what: &str| match ids.windows(2).find(|pair| at[&pair[0]] > at[&pair[1]]) {
        Some(pair) => Err(format!("{what} {} and {} have changed places", pair[0], pair[1])),
        None => Ok(()),
    };
    in_order(
        facts
            .ops
            .iter()
            .copied()
            .filter(|id| facts.is_anchor(*id))
            .collect(),
        "anchors",
    )?;
    in_order(facts.others().collect(), "other collectives")?;
    for (position, &fence) in facts.ops.iter().enumerate() {
        if !facts.must_be_fence(fence) {
            continue;
        }
        for (other, &id) in facts.ops.iter().enumerate() {
            let crossed =
                id != fence && communicates(facts.op(id)) && (other < position) != (at[&id] < at[&fence]);
            if crossed {
                return Err(format!("{id} has crossed the fence {fence}"));
            }
        }
    }
    Ok(())
}

/// Most gathers of shards, or reductions, in flight on one stream.
pub fn most_in_flight(facts: &BlockFacts, order: &[Id], of: Class) -> usize {
    let mut now: HashMap<String, usize> = HashMap::new();
    let mut most = 0;
    for &id in order {
        let (start, begins) = match facts.roles[&id] {
            Role::Start(class) if class == of && facts.wait_of(id).is_some() => (id, true),
            Role::Wait(class) if class == of => (facts.start_of(id).expect("it has a start"), false),
            _ => continue,
        };
        if of == Class::Gather && !facts.takes_slot(start) {
            continue;
        }
        let op = facts.op(start);
        let stream = op
            .attribute("test.stream")
            .or(op.attribute("groups"))
            .unwrap_or_default();
        let count = now.entry(stream.to_owned()).or_default();
        *count = if begins { *count + 1 } else { *count - 1 };
        most = most.max(*count);
    }
    most
}

fn limits_are_kept(facts: &BlockFacts, order: &[Id], options: &SortOptions) -> Result<(), String> {
    for (class, limit) in [
        (Class::Gather, options.max_in_flight),
        (Class::Reduction, options.max_in_flight_reductions),
    ] {
        let most = most_in_flight(facts, order, class);
        if limit > 0 && most > limit as usize {
            return Err(format!("{most} of {class:?} in flight, but the limit is {limit}"));
        }
    }
    Ok(())
}

/// Each wait of a gather stands directly before the first anchor that needs it: no other anchor is in between. So waits
/// stand in consumer order.
fn gathers_follow_their_consumers(facts: &BlockFacts, order: &[Id]) -> Result<(), String> {
    let (at, was) = (positions(order), positions(&facts.ops));
    for &id in order {
        if !matches!(
            facts.roles[&id],
            Role::Wait(Class::Gather) | Role::Blocking(Class::Gather)
        ) {
            continue;
        }
        let fences = facts.fences.iter().filter(|fence| was[fence] > was[&id]);
        let consumers = reachable_anchors(facts, id);
        let Some(first) = consumers
            .iter()
            .chain(fences)
            .map(|consumer| at[consumer])
            .filter(|position| *position > at[&id])
            .min()
        else {
            continue;
        };
        if let Some(between) = order[at[&id] + 1..first]
            .iter()
            .find(|between| facts.is_anchor(**between))
        {
            return Err(format!(
                "the wait {id} stands before {between}, but its first consumer is {}",
                order[first]
            ));
        }
    }
    Ok(())
}

/// Anchors that need an op, through what is no anchor.
fn reachable_anchors(facts: &BlockFacts, from: Id) -> Vec<Id> {
    let (mut found, mut seen, mut stack) = (Vec::new(), HashSet::new(), vec![from]);
    while let Some(id) = stack.pop() {
        for &user in &facts.users[&id] {
            if facts.is_anchor(user) {
                found.push(user);
            } else if seen.insert(user) {
                stack.push(user);
            }
        }
    }
    found
}

/// Reductions and other collectives stand right after the last thing that they have to wait for: no anchor is in
/// between.
fn early_starts_follow_their_producers(facts: &BlockFacts, order: &[Id]) -> Result<(), String> {
    let (at, was) = (positions(order), positions(&facts.ops));
    let fences = &facts.fences;
    let others: Vec<Id> = facts.others().collect();
    // One past the position of the last thing that had to happen.
    let mut available: HashMap<Id, usize> = HashMap::new();
    for &id in order {
        let mut last = facts.dependences[&id]
            .iter()
            .map(|dependence| available[dependence])
            .max()
            .unwrap_or(0);
        if communicates(facts.op(id)) {
            let before = fences
                .iter()
                .filter(|fence| was[fence] < was[&id] && at[fence] < at[&id]);
            last = last.max(before.map(|fence| at[fence] + 1).max().unwrap_or(0));
        }
        if let Some(index) = others
            .iter()
            .position(|other| *other == id)
            .filter(|index| *index > 0)
        {
            last = last.max(available[&others[index - 1]]);
        }
        let early = matches!(
            facts.roles[&id],
            Role::Start(Class::Reduction | Class::Other) | Role::Blocking(Class::Reduction | Class::Other)
        );
        let is_needed = || {
            !reachable_anchors(facts, id).is_empty()
                || facts
                    .ops
                    .iter()
                    .any(|other| facts.must_be_fence(*other) && was[other] > was[&id])
        };
        if early && is_needed() {
            let between = order.get(last..at[&id]).unwrap_or_default();
            if let Some(anchor) = between.iter().find(|between| facts.is_anchor(**between)) {
                return Err(format!("{id} could have started before the anchor {anchor}"));
            }
        }
        let is_free = match facts.roles[&id] {
            Role::Dressing => true,
            Role::Wait(Class::Reduction | Class::Other) => orders_streams_only(facts, id),
            _ => false,
        };
        available.insert(id, if is_free { last } else { at[&id] + 1 });
    }
    Ok(())
}

/// Whether a wait has uses and all are, through views, operands of collectives.
fn orders_streams_only(facts: &BlockFacts, wait: Id) -> bool {
    let mut some = false;
    let mut stack = vec![wait];
    while let Some(id) = stack.pop() {
        for &user in &facts.users[&id] {
            match facts.op(user).name.as_str() {
                "comm.wait" => {}
                _ if class(facts.op(user)).is_some() => some = true,
                _ if facts.is_view(user) => stack.push(user),
                _ => return false,
            }
        }
    }
    some
}
