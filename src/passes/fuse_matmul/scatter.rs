// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Products and the reduce-scatter of their sum become one `comm.matmul_reduce_scatter`; before an all-reduce, one and an
//! all-gather of its result.
//!
//! The op stands where the reduction is. A sum of several products is accumulated as one, so it is rounded less often
//! than by the program.

use rustc_hash::FxHashSet;

use super::{
    Fusion, Outcome,
    elementwise::Pointwise,
    epilogue::Epilogue,
    gather::maps,
    group_size,
    model::{self, Times},
    padded::Padded,
    placement::Placement,
    single_tensor,
    spelled::Repacked,
    sum::{Contribution, has_one_user},
};
use crate::{
    collective::{Collective, Kind},
    mlir::{Attr, Failed, Op, OpBuilder, PassResult, Ty, Value, fused_location},
};

/// A reduction of one contribution.
struct Reduction {
    collective: Collective,
    wait: Option<Op>,
    result: Value,
    /// Along which the contribution is scattered.
    dim: usize,
    group: u64,
    contribution: Contribution,
    /// The concatenation by which the program spells another dimension.
    repacked: Option<Op>,
    /// How the contribution is padded before it is reduced.
    padded: Option<Padded>,
}

impl Reduction {
    /// Factors with, for each that has padding, the dimension of it.
    fn factors(&self) -> impl Iterator<Item = (Value, Option<usize>)> {
        let products = self.contribution.products.iter();
        products.flat_map(move |product| {
            let turn = product.maps[2][self.dim];
            [0, 1].map(|side| {
                let at = product.maps[side].iter().position(|&dim| dim == turn);
                (product.factors[side], at.filter(|_| self.padded.is_some()))
            })
        })
    }
}

/// Tries to fuse a reduce-scatter or an all-reduce.
pub(super) fn fuse(fusion: &mut Fusion, collective: Collective) -> PassResult<Outcome> {
    let group = group_size(collective)?;
    let reduction = match reduction(collective, group) {
        Ok(reduction) => reduction,
        Err(reason) => return Ok(Outcome::Refused(reason)),
    };
    let Some(block) = collective.op.parent_block() else {
        return Err(Failed);
    };
    let placement = Placement::new(block);
    let times = times(fusion, &reduction)?;
    if let Err(reason) = fusion.decide(times) {
        return Ok(Outcome::Refused(reason));
    }
    let is_scatter = collective.kind == Kind::ReduceScatter;
    let epilogue = if is_scatter {
        let mut forbidden: FxHashSet<Op> = FxHashSet::default();
        forbidden.extend([collective.op]);
        forbidden.extend(reduction.wait);
        Epilogue::after(reduction.result, collective.op, &placement, &forbidden, None)
    } else {
        Epilogue::none(reduction.result)
    };
    let what = describe(&reduction, &epilogue);
    let op = rewrite(fusion, &reduction, &epilogue, &placement)?;
    Ok(Outcome::Fused(op, what, times))
}

fn describe(reduction: &Reduction, epilogue: &Epilogue) -> String {
    let mut text = format!(
        "{} product(s) and reduce-scatter",
        reduction.contribution.products.len()
    );
    if !epilogue.ops.is_empty() {
        text += ", with an epilogue";
    }
    if reduction.padded.is_some() {
        text += ", factors padded in the place of the product(s)";
    }
    if reduction.collective.kind == Kind::AllReduce {
        text += ", then all-gather, for an all-reduce";
    }
    text
}

/// What would be fused; why nothing, else.
fn reduction(collective: Collective, group: u64) -> Result<Reduction, String> {
    let (result, wait) = single_tensor(collective)?;
    if group < 2 {
        return Err("reduces in groups of one".to_owned());
    }
    let mut sent = collective.op.operand(0);
    let mut repacked = None;
    let dims = collective.op.attr("dims").and_then(Attr::as_i64_array);
    let mut dim = dims.and_then(|dims| usize::try_from(*dims.first()?).ok());
    if let Some(pack) = sent.defining_op().and_then(Repacked::of)
        && Some(pack.joined) == dim
        && pack.pieces as u64 == group
        && has_one_user(sent)
        && Repacked::after(pack.source).is_some()
    {
        (sent, dim) = (pack.source, Some(pack.cut));
        repacked = pack.result.defining_op();
    }
    let appended = sent
        .defining_op()
        .zip(dim)
        .and_then(|(op, dim)| Padded::of(op, dim));
    let padded = appended.filter(|_| repacked.is_none() && has_one_user(sent));
    let contribution = if repacked.is_some() {
        Contribution::of_pieces(sent)
    } else if let Some(padded) = padded {
        Contribution::of(padded.source())
    } else {
        Contribution::of(sent)
    };
    let contribution = contribution.map_err(str::to_owned)?;
    if padded.is_some_and(|padded| contribution.partial.reads_along(padded.dim)) {
        return Err("what is done with the product reads tensors without rows for its padding".to_owned());
    }
    let dim = match dim {
        Some(dim) => dim,
        None => splittable(sent, group).ok_or_else(|| {
            format!("no dimension of what is reduced is divided by {group}, so it cannot be split")
        })?,
    };
    Ok(Reduction {
        collective,
        wait,
        result,
        dim,
        group,
        contribution,
        repacked,
        padded,
    })
}

/// The first of the dimensions that a group divides which has most elements.
fn splittable(value: Value, group: u64) -> Option<usize> {
    let shape = value.ty().shape()?;
    let divided = shape.iter().enumerate().filter_map(|(dim, size)| {
        let size = u64::try_from((*size)?).ok()?;
        (size > 0 && size % group == 0).then_some((size, std::cmp::Reverse(dim)))
    });
    divided.max().map(|(_, std::cmp::Reverse(dim))| dim)
}

/// Modelled times; nothing where a size is not known.
fn times(fusion: &Fusion, reduction: &Reduction) -> PassResult<Option<Times>> {
    let (costs, collective) = (&fusion.costs, reduction.collective);
    let machine = costs.machine();
    let products: Option<Vec<model::Product>> = reduction
        .contribution
        .products
        .iter()
        .map(|product| {
            let measured = costs.given_ns(product.op);
            let cut = product.maps[2][reduction.dim];
            let whole = reduction
                .padded
                .map(|padded| padded.whole)
                .or(product.extents[cut]);
            let whole = whole.and_then(|extent| u64::try_from(extent).ok());
            let part = whole.map(|whole| whole.div_ceil(reduction.group));
            model::product(machine, product, cut, part, measured)
        })
        .collect();
    let Some(products) = products else { return Ok(None) };
    let reduced_ns = costs.collective_ns(collective)?;
    let hidden_ns = fusion.hidden_ns(collective, reduction.wait)?;
    let bytes = collective.op.operand(0).ty().bytes();
    let chunk = bytes / reduction.group;
    let name = costs.link_of(collective)?;
    let link = machine.links().iter().find(|link| Some(link.name()) == name);
    let part = |kind: Kind| machine.collective_ns(kind, reduction.group, bytes, link);
    if collective.kind == Kind::ReduceScatter {
        let mut times = model::scatter(machine, reduced_ns, hidden_ns, reduction.group, chunk, &products);
        if let Some(padded) = reduction.padded {
            times.plain_ns = times.plain_ns.saturating_add(costs.leaf_ns(padded.op)?);
            for (factor, at) in reduction.factors() {
                let bytes = at.map_or(0, |at| padded.padded(factor.ty(), at).bytes());
                let copied = if at.is_some() {
                    machine.memory_ns(bytes.saturating_mul(2))
                } else {
                    0
                };
                times.fused_ns = times.fused_ns.saturating_add(copied);
            }
        }
        return Ok(Some(times));
    }
    let scattered = model::scatter(
        machine,
        part(Kind::ReduceScatter),
        0,
        reduction.group,
        chunk,
        &products,
    );
    let whole = products
        .iter()
        .fold(0u64, |sum, product| sum.saturating_add(product.whole_ns));
    Ok(Some(Times {
        plain_ns: whole.saturating_add(reduced_ns.saturating_sub(hidden_ns)),
        fused_ns: scattered.fused_ns.saturating_add(part(Kind::AllGather)),
    }))
}

/// Makes the fused op and removes what it replaces.
fn rewrite(
    fusion: &mut Fusion,
    reduction: &Reduction,
    epilogue: &Epilogue,
    placement: &Placement,
) -> PassResult<Op> {
    let (op, contribution) = (reduction.collective.op, &reduction.contribution);
    let context = op.context();
    let products = &contribution.products;
    let sent = contribution
        .steps
        .first()
        .map_or(contribution.sum, |step| step.result(0));
    let mut factors: Vec<Value> = products.iter().flat_map(|product| product.factors).collect();
    let read = |pointwise: &Pointwise| pointwise.operands.iter().map(|(value, _)| *value).collect();
    let mut partial = contribution.partial.clone();
    let epilogue_operands: Vec<Value> = read(&epilogue.pointwise);
    let given = factors.iter().copied().chain(read(&partial));
    let given = given.chain(epilogue_operands.iter().copied());
    let hoisted = placement
        .hoisted(given, op, &FxHashSet::default())
        .ok_or(Failed)?;
    for hoisted in hoisted {
        hoisted.move_before(op);
    }
    if let Some(padded) = reduction.padded {
        for (factor, (_, at)) in factors.iter_mut().zip(reduction.factors()) {
            if let Some(at) = at {
                *factor = padded.pad(*factor, at, op)?;
            }
        }
        partial = partial.masked(padded.mask(op)?, reduction.dim, padded.number);
    }
    let partial_operands: Vec<Value> = read(&partial);
    let segments = [&factors, &partial_operands, &epilogue_operands];
    let all = segments.iter().flat_map(|segment| segment.iter().copied());

    let rank = products[0].maps[2].len();
    let maps_of = |pointwise: &Pointwise| {
        let indices = pointwise.operands.iter().map(|(_, indices)| (rank, &indices[..]));
        maps(op, indices).map(|maps| Attr::array(context, &maps))
    };
    let product_maps: Vec<Attr> = products.iter().flat_map(|product| product.map_attrs(0)).collect();
    let sizes = segments.map(|segment| segment.len() as i32);
    let is_scatter = reduction.collective.kind == Kind::ReduceScatter;
    let chunk = if is_scatter {
        epilogue.result.ty()
    } else {
        scattered(sent.ty(), reduction.dim, reduction.group)
    };
    let sources: Vec<Op> = products.iter().map(|product| product.op).chain([op]).collect();
    let location = fused_location(&sources);
    let mut builder = OpBuilder::new("comm.matmul_reduce_scatter", location)
        .operands(all)
        .attr("operandSegmentSizes", Attr::i32_array(context, &sizes))
        .attr("kind", op.attr("kind").ok_or(Failed)?)
        .attr("dim", Attr::i64(context, reduction.dim as i64))
        .attr("groups", op.attr("groups").ok_or(Failed)?)
        .attr("product_maps", Attr::array(context, &product_maps))
        .attr("partial_maps", maps_of(&partial)?)
        .attr("epilogue_maps", maps_of(&epilogue.pointwise)?)
        .results([chunk]);
    if fusion.options.ordered {
        builder = builder.attr("ordered", Attr::unit(context));
    }
    builder = if partial.is_empty() {
        builder.empty_region()
    } else {
        let element = contribution.sum.ty().element();
        partial.region(builder, products[0].op, &[products[0].accumulated], element)?
    };
    builder = if epilogue.ops.is_empty() {
        builder.empty_region()
    } else {
        let element = reduction.result.ty().element();
        epilogue.pointwise.region(builder, op, &[element], element)?
    };
    let made = builder.insert_before(op)?;
    let value = if is_scatter {
        made.result(0)
    } else {
        let gathered = OpBuilder::new("comm.all_gather", op.location())
            .operands([made.result(0)])
            .attr("dims", Attr::i64_array(context, &[reduction.dim as i64]))
            .attr("groups", op.attr("groups").ok_or(Failed)?)
            .results([reduction.result.ty()])
            .insert_before(op)?;
        gathered.result(0)
    };
    epilogue.result.replace_uses_with(value);
    let mut gone: Vec<Op> = epilogue.ops.iter().rev().copied().collect();
    gone.extend(reduction.wait);
    gone.push(op);
    gone.extend(reduction.repacked);
    gone.extend(reduction.padded.map(|padded| padded.op));
    gone.extend(&contribution.steps);
    gone.extend(products.iter().map(|product| product.op));
    fusion.erase_unused(gone);
    Ok(made)
}

/// The type of a chunk.
fn scattered(ty: Ty, dim: usize, group: u64) -> Ty {
    let mut shape = ty.shape().unwrap_or_default();
    if let Some(Some(size)) = shape.get_mut(dim) {
        *size /= i64::try_from(group).unwrap_or(i64::MAX);
    }
    ty.with_shape(&shape)
}
