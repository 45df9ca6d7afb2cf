// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A gather and the products that read it become one `comm.all_gather_matmul`.
//!
//! The op stands where the gathered tensor is first used. All products there can be that read the tensor, or one value made
//! of it elementwise, are taken; what else uses the tensor gets it from the op.

use rustc_hash::FxHashSet;

use super::{
    Fusion, Outcome,
    contraction::Contraction,
    elementwise::{Index, Pointwise, map_attr},
    epilogue::Epilogue,
    factor::{Factor, Gather, factor, reads_product},
    group_size, model,
    placement::Placement,
    spelled::Repacked,
    unpadded::Unpadded,
};
use crate::{
    collective::Collective,
    mlir::{Attr, Failed, Op, OpBuilder, PassResult, Ty, Value, fused_location},
    op_facts::is_pure,
};

/// A product of the gather and its epilogue.
struct Member {
    contraction: Contraction,
    /// Which of its factors is gathered.
    side: usize,
    /// The dimension of the product at which chunks are placed; nothing where they are added.
    placed: Option<usize>,
    epilogue: Epilogue,
}

/// Tries to fuse a gather.
pub(super) fn fuse(fusion: &mut Fusion, collective: Collective) -> PassResult<Outcome> {
    let mut gather = match Gather::of(collective) {
        Ok(gather) => gather,
        Err(reason) => return Ok(Outcome::Refused(reason)),
    };
    let group = group_size(collective)?;
    if group < 2 {
        return Ok(Outcome::Refused("gathers in groups of one".to_owned()));
    }
    if let Some(repacked) = Repacked::after(gather.whole)
        && repacked.cut == gather.dim
        && repacked.pieces as u64 == group
    {
        gather.whole = repacked.result;
        gather.dim = repacked.joined;
    }
    if !reads_product(gather.whole) {
        gather.unpadded = Unpadded::after(gather.whole, gather.dim);
    }
    let Some(block) = collective.op.parent_block() else {
        return Err(Failed);
    };
    let placement = Placement::new(block);
    let plan = match plan(&gather, &placement) {
        Ok(plan) => plan,
        Err(reason) => return Ok(Outcome::Refused(reason.to_owned())),
    };
    let machine = fusion.costs.machine();
    let products: Option<Vec<model::Product>> = plan
        .members
        .iter()
        .map(|member| {
            let contraction = &member.contraction;
            let cut = contraction.loop_of(member.side, gather.dim);
            let measured = fusion.costs.given_ns(contraction.op);
            model::product(machine, contraction, cut, gather.part(), measured)
        })
        .collect();
    let collective_ns = fusion.costs.collective_ns(collective)?;
    let hidden_ns = fusion.hidden_ns(collective, gather.wait)?;
    let times = products.map(|products| model::gather(machine, collective_ns, hidden_ns, group, &products));
    if let Err(reason) = fusion.decide(times) {
        return Ok(Outcome::Refused(reason));
    }
    let what = plan.describe(&gather);
    let op = rewrite(fusion, &gather, &plan, &placement)?;
    Ok(Outcome::Fused(op, what, times))
}

struct Plan {
    anchor: Op,
    factor: Factor,
    members: Vec<Member>,
    /// Numbers of the gathered tensors that others use.
    returned: Vec<(usize, Value)>,
}

impl Plan {
    fn describe(&self, gather: &Gather) -> String {
        let added = self.members.iter().filter(|member| member.placed.is_none());
        let with_epilogue = self
            .members
            .iter()
            .filter(|member| !member.epilogue.ops.is_empty());
        let mut text = format!("gather and {} product(s)", self.members.len());
        for (count, what) in [
            (added.count(), "added over chunks"),
            (with_epilogue.count(), "with an epilogue"),
            (self.factor.travelling.len(), "scale(s) travelling along"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        if !self.factor.prologue.is_empty() {
            text += ", a prologue";
        }
        if gather.unpadded.is_some() {
            text += ", padding cut off the product(s)";
        }
        if !self.returned.is_empty() {
            text += ", gathered tensor returned";
        }
        text
    }

    /// The gathers, that of the factor first.
    fn gathers<'a>(&'a self, gather: &'a Gather) -> impl Iterator<Item = &'a Gather> {
        std::iter::once(gather).chain(self.factor.travelling.iter().map(|(gather, _)| gather))
    }
}

/// What would be fused; why nothing, else.
fn plan(gather: &Gather, placement: &Placement) -> Result<Plan, &'static str> {
    let users: Vec<Op> = gather.read().uses().map(|r#use| r#use.op()).collect();
    let cuts = gather.unpadded.map(|unpadded| unpadded.op);
    let others = gather.whole.uses().map(|r#use| r#use.op());
    let others: Vec<Op> = others.filter(|op| Some(*op) != cuts).collect();
    let first = users
        .iter()
        .chain(&others)
        .filter_map(|user| placement.in_block(*user))
        .min_by_key(|(position, _)| *position);
    let (_, anchor) = first.ok_or("nothing in its block uses the gathered tensor")?;
    let factor = factor(gather, &users, placement).ok_or("no matrix product reads the gathered tensor")?;

    let mut forbidden: FxHashSet<Op> = FxHashSet::default();
    forbidden.extend(gather.whole.defining_op());
    forbidden.extend(factor.value.defining_op());
    forbidden.extend(cuts);
    if cuts.is_some() && factor.reads_along(gather.dim) {
        return Err("what scales the gathered tensor has no rows for the padding that is cut off");
    }
    let mut contractions: Vec<(usize, Contraction)> = factor
        .value
        .uses()
        .filter_map(|r#use| {
            let (position, op) = placement.in_block(r#use.op())?;
            (op == r#use.op()).then_some(())?;
            Some((position, Contraction::of(op)?))
        })
        .collect();
    contractions.sort_by_key(|(position, _)| *position);
    contractions.dedup_by_key(|(position, _)| *position);
    let prologue_reads = factor.prologue.operands.iter().map(|(value, _)| *value);
    let scales = factor.travelling.iter().map(|(gather, _)| gather.shard);
    if placement
        .hoisted(prologue_reads.chain(scales), anchor, &forbidden)
        .is_none()
    {
        return Err("what scales the gathered tensor is computed after its first use");
    }
    let mut members: Vec<Member> = Vec::new();
    let mut blocked = None;
    for (_, contraction) in contractions {
        let sides = contraction.factors.map(|value| value == factor.value);
        let side = match sides {
            [true, true] => {
                blocked.get_or_insert("both factors of its product are the gathered tensor");
                continue;
            }
            [left, _] => usize::from(!left),
        };
        if placement
            .hoisted([contraction.factors[1 - side]], anchor, &forbidden)
            .is_none()
        {
            blocked.get_or_insert(
                "the other factor depends on the gathered tensor, or is computed after its first use",
            );
            continue;
        }
        let placed = contraction.placed_at(contraction.loop_of(side, gather.dim));
        if cuts.is_some() && placed.is_none() {
            blocked.get_or_insert("the padding that is cut off stands along a contracted dimension");
            continue;
        }
        let alone = placed.filter(|_| cuts.is_some());
        let epilogue = Epilogue::after(contraction.result(), anchor, placement, &forbidden, alone);
        forbidden.insert(contraction.op);
        forbidden.extend(epilogue.ops.iter().copied());
        members.push(Member {
            contraction,
            side,
            placed,
            epilogue,
        });
    }
    if members.is_empty() {
        return Err(blocked.unwrap_or("no matrix product in its block reads the gathered tensor"));
    }
    let gone: FxHashSet<Op> = members
        .iter()
        .flat_map(|member| std::iter::once(member.contraction.op).chain(member.epilogue.ops.iter().copied()))
        .collect();
    let mut plan = Plan {
        anchor,
        factor,
        members,
        returned: Vec::new(),
    };
    plan.returned = plan
        .gathers(gather)
        .enumerate()
        .filter(|(_, gather)| !feeds_only(gather.whole, &gone))
        .map(|(index, gather)| (index, gather.whole))
        .collect();
    Ok(plan)
}

/// Whether a value is used only by ops that will be gone, or whose results are.
fn feeds_only(value: Value, gone: &FxHashSet<Op>) -> bool {
    value.uses().all(|r#use| {
        let op = r#use.op();
        gone.contains(&op)
            || (op.num_results() == 1 && is_pure(op) && op.num_regions() <= 1 && {
                let result = op.result(0);
                result.uses().next().is_some() && feeds_only(result, gone)
            })
    })
}

/// Makes the fused op and removes what it replaces.
fn rewrite(fusion: &mut Fusion, gather: &Gather, plan: &Plan, placement: &Placement) -> PassResult<Op> {
    let op = gather.collective.op;
    let context = op.context();
    let epilogues = || plan.members.iter().map(|member| &member.epilogue);
    let gathered: Vec<Value> = plan.gathers(gather).map(|gather| gather.shard).collect();
    let read = |pointwise: &Pointwise| pointwise.operands.iter().map(|(value, _)| *value).collect();
    let prologue_operands: Vec<Value> = read(&plan.factor.prologue);
    let factors: Vec<Value> = plan
        .members
        .iter()
        .map(|member| member.contraction.factors[1 - member.side])
        .collect();
    let rounded: Vec<Pointwise> = plan.members.iter().map(Member::pointwise).collect();
    let epilogue_operands: Vec<Value> = rounded.iter().flat_map(&read).collect();
    let segments = [&gathered, &prologue_operands, &factors, &epilogue_operands];

    let all = segments.iter().flat_map(|segment| segment.iter().copied());
    let hoisted = placement
        .hoisted(all.clone(), plan.anchor, &FxHashSet::default())
        .ok_or(Failed)?;
    for op in hoisted {
        op.move_before(plan.anchor);
    }

    let rank = gather.shard.ty().rank().unwrap_or(0) as usize;
    let scale_maps = plan.factor.travelling.iter().map(|(_, indices)| indices);
    let operand_maps = plan.factor.prologue.operands.iter().map(|(_, indices)| indices);
    let has_prologue = !plan.factor.prologue.is_empty();
    let prologue_maps = maps(
        op,
        scale_maps.chain(operand_maps).map(|indices| (rank, &indices[..])),
    )?;
    let product_maps: Vec<Attr> = plan
        .members
        .iter()
        .flat_map(|member| member.contraction.map_attrs(member.side))
        .collect();
    let epilogue_maps = rounded.iter().zip(&plan.members).flat_map(|(pointwise, member)| {
        let rank = member.contraction.maps[2].len();
        pointwise
            .operands
            .iter()
            .map(move |(_, indices)| (rank, &indices[..]))
    });
    let epilogue_maps = maps(op, epilogue_maps)?;
    let counts: Vec<i64> = rounded
        .iter()
        .map(|pointwise| pointwise.operands.len() as i64)
        .collect();
    let dims: Vec<i64> = plan.gathers(gather).map(|gather| gather.dim as i64).collect();
    let dims = if dims.iter().all(|dim| *dim == dims[0]) {
        &dims[..1]
    } else {
        &dims[..]
    };
    let returned: Vec<i64> = plan.returned.iter().map(|(index, _)| *index as i64).collect();
    let sizes = segments.map(|segment| segment.len() as i32);
    let results = plan
        .members
        .iter()
        .map(|member| match (gather.unpadded, member.placed) {
            (Some(unpadded), Some(dim)) => unpadded.padded(member.epilogue.result.ty(), dim),
            _ => member.epilogue.result.ty(),
        })
        .chain(plan.returned.iter().map(|(_, value)| value.ty()));

    let sources: Vec<Op> = std::iter::once(op)
        .chain(plan.members.iter().map(|member| member.contraction.op))
        .collect();
    let mut builder = OpBuilder::new("comm.all_gather_matmul", fused_location(&sources))
        .operands(all)
        .attr("operandSegmentSizes", Attr::i32_array(context, &sizes))
        .attr("dims", Attr::i64_array(context, dims))
        .attr("groups", gather.groups().ok_or(Failed)?)
        .attr("prologue_maps", Attr::array(context, &prologue_maps))
        .attr("product_maps", Attr::array(context, &product_maps))
        .attr("epilogue_maps", Attr::array(context, &epilogue_maps))
        .attr("epilogue_counts", Attr::i64_array(context, &counts))
        .attr("returned", Attr::i64_array(context, &returned))
        .results(results);
    if fusion.options.ordered {
        builder = builder.attr("ordered", Attr::unit(context));
    }
    let elements: Vec<Ty> = gathered.iter().map(|value| value.ty().element()).collect();
    builder = if has_prologue {
        plan.factor.prologue.region(builder, op, &elements, elements[0])?
    } else {
        builder.empty_region()
    };
    for (pointwise, member) in rounded.iter().zip(&plan.members) {
        let contraction = &member.contraction;
        builder = if pointwise.is_empty() {
            builder.empty_region()
        } else {
            let begins_as = contraction.result().ty().element();
            pointwise.region(builder, contraction.op, &[contraction.accumulated], begins_as)?
        };
    }
    let made = builder.insert_before(plan.anchor)?;

    let replaced = epilogues().map(|epilogue| epilogue.result);
    let replaced = replaced.chain(plan.returned.iter().map(|(_, value)| *value));
    for (index, (old, new)) in replaced.zip(made.results()).enumerate() {
        let placed = plan.members.get(index).and_then(|member| member.placed);
        old.replace_uses_with(match (gather.unpadded, placed) {
            (Some(unpadded), Some(dim)) => unpadded.cut(new, dim, plan.anchor)?,
            _ => new,
        });
    }
    if let Some(unpadded) = gather.unpadded {
        // Others may read it, of the tensor that the op returns.
        unpadded.op.move_before(plan.anchor);
    }
    // All of them are asked for before any is gone.
    let mut gone: Vec<Op> = Vec::new();
    for member in &plan.members {
        gone.extend(member.epilogue.ops.iter().rev());
        gone.push(member.contraction.op);
    }
    let pure = |value: Value| value.defining_op().filter(|op| is_pure(*op));
    gone.extend(pure(plan.factor.value));
    for gather in plan.gathers(gather) {
        gone.extend(pure(gather.whole));
        gone.extend(gather.wait);
        gone.push(gather.collective.op);
    }
    fusion.erase_unused(gone);
    Ok(made)
}

impl Member {
    /// Its epilogue; a rounding, where it has none but is accumulated wider than its result.
    fn pointwise(&self) -> Pointwise {
        let result = self.contraction.result().ty().element();
        if self.epilogue.ops.is_empty() && self.contraction.accumulated != result {
            return Pointwise::rounding(result);
        }
        self.epilogue.pointwise.clone()
    }
}

/// Maps from so many dimensions.
pub(super) fn maps<'a>(op: Op, all: impl Iterator<Item = (usize, &'a [Index])>) -> PassResult<Vec<Attr>> {
    all.map(|(rank, indices)| map_attr(op, rank, indices).ok_or(Failed))
        .collect()
}
