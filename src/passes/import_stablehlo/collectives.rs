// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The collectives themselves: their attributes are read, and a `comm` op takes their place.
//!
//! The new op has the operands, result types and location of the old one; that the types agree with the group's size
//! is checked by its own verifier at once. A positive channel handle stays as `comm.channel_id`, which tells where an
//! op came from and nothing else (JAX gives all collectives the same handle). Attributes of other dialects, as
//! `mhlo.sharding`, stay. An attribute that StableHLO does not give the op is refused, since it might change what the
//! op does.

use super::{
    Importer, KINDS, check_not_last,
    devices::Ids,
    groups::{self, shortened},
    reducers, required, required_i64,
};
use crate::{
    collective::Kind,
    diagnostics,
    mlir::{Attr, Op, OpBuilder, PassResult, Ty, Value},
};

/// The collective that `stablehlo.NAME` is.
pub(super) fn kind_of(name: &str) -> Option<Kind> {
    Some(match name {
        "all_gather" => Kind::AllGather,
        "reduce_scatter" => Kind::ReduceScatter,
        "all_reduce" => Kind::AllReduce,
        "all_to_all" => Kind::AllToAll,
        "collective_permute" => Kind::Permute,
        "collective_broadcast" => Kind::Broadcast,
        _ => return None,
    })
}

/// Attributes that StableHLO gives the ops of a kind; all are consumed.
fn known_attributes(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::AllGather => &[
            "all_gather_dim",
            "channel_handle",
            "replica_groups",
            "use_global_device_ids",
        ],
        Kind::ReduceScatter => &[
            "scatter_dimension",
            "channel_handle",
            "replica_groups",
            "use_global_device_ids",
        ],
        Kind::AllReduce => &["channel_handle", "replica_groups", "use_global_device_ids"],
        Kind::AllToAll => &[
            "split_dimension",
            "concat_dimension",
            "split_count",
            "channel_handle",
            "replica_groups",
        ],
        Kind::Permute => &["channel_handle", "source_target_pairs"],
        Kind::Broadcast => &["channel_handle", "replica_groups"],
    }
}

/// What a `comm` op of a collective has besides operands and results.
pub(super) struct Description {
    name: &'static str,
    kind: Kind,
    attributes: Vec<(&'static str, Attr)>,
    kept: Vec<(String, Attr)>,
}

/// Replaces a collective.
pub(super) fn convert(importer: &mut Importer, op: Op, kind: Kind) -> PassResult {
    check_not_last(op)?;
    let description = describe(importer, op, kind)?;
    let operands: Vec<Value> = op.operands().collect();
    let results: Vec<Ty> = op.results().map(Value::ty).collect();
    if results.iter().any(|ty| ty.is_future()) {
        return Err(diagnostics::op_error(op, "yields a future of the comm dialect"));
    }
    let new = description.build(importer, op, op, &operands, &results)?;
    for (old, new) in op.results().zip(new.results()) {
        old.replace_uses_with(new);
    }
    op.erase();
    Ok(())
}

impl Description {
    /// Makes the op before `anchor`, at the place of `source` in the program's text, and verifies it.
    pub(super) fn build(
        self,
        importer: &mut Importer,
        source: Op,
        anchor: Op,
        operands: &[Value],
        results: &[Ty],
    ) -> PassResult<Op> {
        let mut builder = OpBuilder::new(self.name, source.location())
            .operands(operands.iter().copied())
            .results(results.iter().copied());
        for (name, attr) in self.attributes {
            builder = builder.attr(name, attr);
        }
        let new = builder.insert_before(anchor)?;
        for (name, attr) in self.kept {
            new.set_discardable_attr(&name, attr);
        }
        new.verify()?;
        importer.count(self.kind);
        Ok(new)
    }
}

/// Reads all attributes of a collective.
pub(super) fn describe(importer: &mut Importer, op: Op, kind: Kind) -> PassResult<Description> {
    let context = op.context();
    if !matches!(kind, Kind::ReduceScatter | Kind::AllReduce) && op.num_regions() > 0 {
        return Err(diagnostics::op_error(
            op,
            "has a region, whose meaning is not known",
        ));
    }
    if !op.is_closed() {
        return Err(diagnostics::op_error(
            op,
            "has a region whose values are used outside of it",
        ));
    }
    let mut kept = kept_attributes(op, known_attributes(kind))?;
    let channel = channel(importer, op)?;
    let ids = match kind {
        Kind::AllGather | Kind::ReduceScatter | Kind::AllReduce => {
            let global = op
                .attr("use_global_device_ids")
                .is_some_and(|flag| flag.as_bool() != Some(false));
            importer.devices.with_flag(op, channel, global)?
        }
        Kind::AllToAll | Kind::Permute | Kind::Broadcast => importer.devices.without_flag(op, channel)?,
    };
    let i64_attr = |value| Attr::i64(context, value);
    let dims = |name| Ok(Attr::i64_array(context, &[required_i64(op, name)?]));
    let attributes = match kind {
        Kind::AllGather => {
            vec![
                ("dims", dims("all_gather_dim")?),
                ("groups", groups::read(importer, op, ids)?.attr),
            ]
        }
        Kind::ReduceScatter => vec![
            ("kind", reducers::read(op)?),
            ("dims", dims("scatter_dimension")?),
            ("groups", groups::read(importer, op, ids)?.attr),
        ],
        Kind::AllReduce => {
            vec![
                ("kind", reducers::read(op)?),
                ("groups", groups::read(importer, op, ids)?.attr),
            ]
        }
        Kind::AllToAll => {
            let groups = groups::read(importer, op, ids)?;
            let count = required_i64(op, "split_count")?;
            if count != groups.size {
                return Err(diagnostics::op_error(
                    op,
                    &format!(
                        "splits into {count} part(s), but its groups have {} member(s)",
                        groups.size
                    ),
                ));
            }
            vec![
                ("split", i64_attr(required_i64(op, "split_dimension")?)),
                ("concat", i64_attr(required_i64(op, "concat_dimension")?)),
                ("groups", groups.attr),
            ]
        }
        Kind::Permute => vec![("pairs", Attr::i64_array(context, &pairs(importer, op, ids)?))],
        // StableHLO's source is the first member of each group.
        Kind::Broadcast => vec![
            ("root", i64_attr(0)),
            ("groups", groups::read(importer, op, ids)?.attr),
        ],
    };
    if channel > 0 {
        kept.push(("comm.channel_id".to_owned(), i64_attr(channel)));
    }
    let name = KINDS
        .iter()
        .find(|(other, _)| *other == kind)
        .map_or("", |(_, name)| name);
    Ok(Description {
        name,
        kind,
        attributes,
        kept,
    })
}

/// Pairs of (source, target) ranks, one after the other.
fn pairs(importer: &Importer, op: Op, ids: Ids) -> PassResult<Vec<i64>> {
    let attr = required(op, "source_target_pairs")?;
    let list = match attr.element_count() {
        Some(0) => Vec::new(),
        elements => {
            let (rows, list) = groups::matrix(op, "source_target_pairs", attr, elements.unwrap_or_default())?;
            if list.len() != 2 * rows {
                return Err(diagnostics::op_error(
                    op,
                    &format!(
                        "expects (source, target) pairs, but has rows of {} number(s)",
                        list.len() / rows
                    ),
                ));
            }
            list
        }
    };
    let count = importer.devices.count(ids);
    for &id in &list {
        groups::check_id(op, ids, id, count)?;
    }
    Ok(importer.devices.ranks(ids, &list))
}

/// Number of the channel; 0 where there is none.
fn channel(importer: &mut Importer, op: Op) -> PassResult<i64> {
    let Some(attr) = op.attr("channel_handle") else {
        return Ok(0);
    };
    if let Some(&channel) = importer.channels.get(&attr.id()) {
        return Ok(channel);
    }
    let text = attr.to_text();
    // Opaque text keeps the spaces of its source. The braces are those of programs older than the attribute.
    let body = text
        .trim_end_matches(['>', '}'])
        .rsplit_once(['<', '{'])
        .map_or("", |(_, body)| body);
    let field = |name: &str| {
        let value = body
            .split(',')
            .filter_map(|part| part.split_once('='))
            .find(|(key, _)| key.trim() == name)?
            .1;
        value.split(':').next()?.trim().parse::<i64>().ok()
    };
    let fields = field("handle").zip(field("type"));
    let Some((channel, r#type)) = fields else {
        return Err(diagnostics::op_error(
            op,
            &format!(
                "expects #stablehlo.channel_handle<handle = ..., type = ...> as 'channel_handle', but it is {}",
                shortened(&text)
            ),
        ));
    };
    if channel > 0 && r#type > 1 {
        return Err(diagnostics::op_error(
            op,
            &format!("has a channel of type {type}; between devices, type 1 is expected", type = r#type),
        ));
    }
    importer.channels.insert(attr.id(), channel);
    Ok(channel)
}

/// Attributes of other dialects. Fails on any that is neither `known` nor of a dialect.
pub(super) fn kept_attributes(op: Op, known: &[&str]) -> PassResult<Vec<(String, Attr)>> {
    let mut kept = Vec::new();
    let properties = op.properties().and_then(Attr::as_dictionary).unwrap_or_default();
    for (name, attr) in op.discardable_entries().chain(properties) {
        if known.contains(&name) {
            continue;
        }
        if !name.contains('.') {
            return Err(diagnostics::op_error(
                op,
                &format!("has an attribute '{name}' that is not known for it, so its meaning cannot be kept"),
            ));
        }
        kept.push((name.to_owned(), attr));
    }
    Ok(kept)
}
