// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! `comm.all_gather_matmul` in each schedule.
//!
//! Chunks are pulled from the workspaces of peers in the order of positions behind this device's, its own first, which
//! needs nobody. A consumer multiplies one chunk; where products of chunks are added it runs after the one before.
//!
//! - `two-stream`: own shard into the workspace, a barrier, then pull and consumer of a chunk after each other on two streams
//!   in turn, odd ones on the second (pytorch/pytorch#137850, first ideal scenario).
//! - `two-stream-eager`: the same with shard and barrier on the second stream, so that the own consumer begins at once
//!   (second ideal scenario).
//! - `signal`: shard, signals and pulls on a stream of their own, pulls ahead of consumers by at most the depth; what a
//!   consumer waits for is one event, and a pull waits for one peer.
//!
//! Memory on each device beside the results: where a gathered tensor is not wanted, `min(2, chunks)` landing chunks
//! (`two-stream`) or `min(depth, chunks)` of them (`signal`), each of the longest part of a shard; for each stream with consumers one
//! chunk of a factor that a prologue makes and of each product that is accumulated in another type.

mod schedules;

use super::{
    compute::{Besides, Place, apply, contract, fill},
    emit::{Emit, Number, aligned, bytes, sizes},
    form::GatherForm,
    parts::{self, Parts},
    streams::{Lane, Team},
};
use crate::mlir::{Failed, PassResult, Value};

/// Which part of a workspace a use has, and which epoch its signals.
#[derive(Clone, Copy)]
pub(super) struct Use {
    /// Where it begins, in bytes.
    pub(super) begin: Number,
    pub(super) epoch: Number,
}

/// How deep, in how many parts, and around the group in which direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Knobs {
    pub(super) depth: usize,
    pub(super) parts: Parts,
    pub(super) descending: bool,
}

/// Bytes of the workspace that an op needs: its shards, each aligned to 64 bytes.
pub(super) fn workspace_bytes(form: &GatherForm) -> PassResult<i64> {
    let mut sum = 0;
    for &shard in &form.gathered {
        sum += aligned(bytes(&sizes(shard)?, shard.ty().element()));
    }
    Ok(sum)
}

/// Of how many units a chunk is made, so that no block of scales is cut. Chunks that are added are not cut either: a product
/// of parts would round otherwise, and results are not to depend on how an op is pipelined.
pub(super) fn units(form: &GatherForm) -> PassResult<i64> {
    if !form.ordered && form.products.iter().any(|product| product.placed.is_none()) {
        return Ok(1);
    }
    let mut extents = Vec::new();
    for (&shard, &dim) in form.gathered.iter().zip(&form.dims) {
        extents.push(sizes(shard)?[dim]);
    }
    let mut blocks = Vec::new();
    let mut read = |maps: &[crate::mlir::Attr], dim: usize| {
        let results = maps
            .iter()
            .filter_map(|map| map.as_divided_dims())
            .flatten()
            .flatten();
        blocks.extend(
            results
                .filter(|&(read, _)| read == dim)
                .map(|(_, by)| (extents[0], by)),
        );
    };
    read(&form.prologue.maps, form.dims[0]);
    for product in &form.products {
        if let Some(dim) = product.placed {
            read(&product.epilogue.maps, dim);
        }
    }
    Ok(parts::units(&extents, &blocks))
}

/// Memory of consumers on one stream.
#[derive(Default)]
struct Scratch {
    /// A chunk of the factor that the prologue makes.
    factor: Option<Value>,
    /// By product: a chunk of the accumulator of a placed one.
    sums: Vec<Option<Value>>,
}

/// A chunk pulled from a peer, or a part of it.
#[derive(Clone, Copy)]
struct Pull {
    /// How far behind this device the peer is.
    distance: i64,
    part: i64,
}

/// Lowers one op.
pub(super) struct Gather<'a> {
    form: &'a GatherForm,
    emit: Emit,
    /// By product.
    targets: Vec<Value>,
    /// By gathered tensor: all of it, where it is kept.
    wholes: Vec<Option<Value>>,
    /// By product: the accumulator of an added one.
    sums: Vec<Option<Value>>,
    scratch: [Scratch; 2],
    size: i64,
}

impl<'a> Gather<'a> {
    /// Allocates what the op yields, and replaces that.
    pub(super) fn new(form: &'a GatherForm, emit: &Emit, size: i64) -> PassResult<Self> {
        let emit = emit.before(form.op);
        let mut gather = Self {
            form,
            targets: Vec::new(),
            wholes: vec![None; form.gathered.len()],
            sums: vec![None; form.products.len()],
            scratch: Default::default(),
            size,
            emit,
        };
        let emit = gather.emit.clone();
        for (index, product) in form.products.iter().enumerate() {
            let ty = product.result.ty();
            let target = emit.alloc(&sizes(product.result)?, ty.element())?;
            product.result.replace_uses_with(target);
            gather.targets.push(target);
            if product.placed.is_none() {
                gather.sums[index] = Some(if product.accumulated == ty.element() {
                    target
                } else {
                    emit.alloc(&sizes(target)?, product.accumulated)?
                });
            }
        }
        for &(index, result) in &form.returned {
            let whole = emit.alloc(&sizes(result)?, result.ty().element())?;
            result.replace_uses_with(whole);
            gather.wholes[index] = Some(whole);
        }
        if gather.is_done_at_once() {
            for (index, &shard) in form.gathered.iter().enumerate() {
                if gather.wholes[index].is_none() {
                    let mut shape = sizes(shard)?;
                    shape[form.dims[index]] *= size;
                    gather.wholes[index] = Some(emit.alloc(&shape, shard.ty().element())?);
                }
            }
        }
        Ok(gather)
    }

    /// Whether there is a product of which chunks may not be added in the order in which they come: it is made once all are
    /// there.
    fn is_done_at_once(&self) -> bool {
        self.size > 1 && self.form.ordered && self.has_added()
    }

    /// Whether anything is made of single chunks.
    fn has_consumers(&self) -> bool {
        !self.is_done_at_once() || self.form.products.iter().any(|product| product.placed.is_some())
    }

    fn has_added(&self) -> bool {
        self.form.products.iter().any(|product| product.placed.is_none())
    }

    /// Whether consumers have to run one after another.
    fn is_chained(&self) -> bool {
        self.has_added() && !self.form.ordered
    }

    fn extent(&self, index: usize) -> PassResult<i64> {
        Ok(sizes(self.form.gathered[index])?[self.form.dims[index]])
    }

    fn allocate_scratch(&mut self, lane: Lane) -> PassResult {
        let form = self.form;
        let factor = match form.prologue.yields() {
            Some(element) => Some(self.emit.alloc(&sizes(form.gathered[0])?, element)?),
            None => None,
        };
        let mut sums = Vec::new();
        for (product, &target) in form.products.iter().zip(&self.targets) {
            sums.push(match product.placed {
                Some(dim) if product.accumulated != target.ty().element() => {
                    let mut shape = sizes(target)?;
                    shape[dim] = self.extent(0)?;
                    Some(self.emit.alloc(&shape, product.accumulated)?)
                }
                _ => None,
            });
        }
        self.scratch[lane as usize] = Scratch { factor, sums };
        Ok(())
    }

    /// The place of a whole chunk.
    fn place(&self, position: Number) -> PassResult<Place> {
        let extent = self.extent(0)?;
        Ok(Place {
            position,
            extent,
            begin: 0,
            len: extent,
        })
    }

    /// Multiplies a chunk, of which `chunk` are the gathered tensors.
    fn consume(&self, emit: &Emit, lane: Lane, place: Place, chunk: &[Value], ends: [bool; 2]) -> PassResult {
        let [is_first, is_last] = ends;
        let form = self.form;
        let scratch = &self.scratch[lane as usize];
        let mut factor = chunk[0];
        if let Some(made) = scratch.factor {
            factor = emit.slice(made, form.dims[0], Number::Known(0), place.len)?;
            let mut besides = Besides::new(&form.prologue, Some((form.dims[0], place)));
            besides.given = &chunk[1..];
            apply(emit, &besides, chunk[0], factor)?;
        }
        for (index, product) in form.products.iter().enumerate() {
            if product.placed.is_none() && self.is_done_at_once() {
                continue;
            }
            let other = match product.cut {
                Some(dim) => place.of(emit, product.factor, dim)?,
                None => product.factor,
            };
            let (sum, target, cut) = match (product.placed, self.sums[index]) {
                (Some(dim), _) => {
                    let target = place.of(emit, self.targets[index], dim)?;
                    let sum = match scratch.sums[index] {
                        Some(sum) => emit.slice(sum, dim, Number::Known(0), place.len)?,
                        None => target,
                    };
                    (sum, target, Some((dim, place)))
                }
                (None, Some(sum)) => (sum, self.targets[index], None),
                (None, None) => return Err(Failed),
            };
            if is_first || product.placed.is_some() {
                fill(emit, sum)?;
            }
            contract(emit, &product.contraction, factor, other, sum)?;
            if product.epilogue.block.is_some() && (is_last || product.placed.is_some()) {
                apply(emit, &Besides::new(&product.epilogue, cut), sum, target)?;
            }
        }
        Ok(())
    }

    /// Makes the products that are done at once, from the whole gathered tensors.
    fn finish(&self, emit: &Emit, whole_factor: Option<Value>) -> PassResult {
        let form = self.form;
        let wholes: Vec<Value> = self.wholes.iter().copied().collect::<Option<_>>().ok_or(Failed)?;
        let mut factor = wholes[0];
        if let Some(made) = whole_factor {
            let mut besides = Besides::new(&form.prologue, None);
            besides.given = &wholes[1..];
            apply(emit, &besides, factor, made)?;
            factor = made;
        }
        for (index, product) in form.products.iter().enumerate() {
            let (None, Some(sum)) = (product.placed, self.sums[index]) else {
                continue;
            };
            fill(emit, sum)?;
            contract(emit, &product.contraction, factor, product.factor, sum)?;
            if product.epilogue.block.is_some() {
                apply(
                    emit,
                    &Besides::new(&product.epilogue, None),
                    sum,
                    self.targets[index],
                )?;
            }
        }
        Ok(())
    }

    /// Memory for [`Self::finish`].
    fn whole_factor(&self) -> PassResult<Option<Value>> {
        match (
            self.is_done_at_once(),
            self.form.prologue.yields(),
            self.wholes[0],
        ) {
            (true, Some(element), Some(whole)) => Ok(Some(self.emit.alloc(&sizes(whole)?, element)?)),
            _ => Ok(None),
        }
    }

    /// A device alone in its group: no stream, no symmetric memory.
    pub(super) fn alone(mut self) -> PassResult {
        self.allocate_scratch(Lane::Current)?;
        let emit = self.emit.clone();
        let place = self.place(Number::Known(0))?;
        self.consume(&emit, Lane::Current, place, &self.form.gathered, [true, true])?;
        for &(index, _) in &self.form.returned {
            let whole = self.wholes[index].ok_or(Failed)?;
            let operands = [self.form.gathered[index], whole];
            emit.insert(emit.builder("memref.copy").operands(operands))?;
        }
        Ok(())
    }

    /// Copies the own shard into the workspace.
    fn offer(&self, team: &Team, usage: Use, lane: Lane) -> PassResult {
        let own = team.part(&self.emit, None)?;
        for (index, &shard) in self.form.gathered.iter().enumerate() {
            let there = self.offered(own, usage, index)?;
            team.copy(&self.emit, shard, there, lane)?;
        }
        Ok(())
    }

    /// Gathered tensor `index` in somebody's part of the workspace.
    fn offered(&self, part: Value, usage: Use, index: usize) -> PassResult<Value> {
        let mut offset = 0;
        for &shard in &self.form.gathered[..index] {
            offset += aligned(bytes(&sizes(shard)?, shard.ty().element()));
        }
        let shard = self.form.gathered[index];
        let begin = self.emit.add(usage.begin, Number::Known(offset))?;
        self.emit.view(part, begin, &sizes(shard)?, shard.ty().element())
    }

    /// Copies the own shard to where the gathered tensors are kept.
    fn keep_own(&self, team: &Team, lane: Lane) -> PassResult<bool> {
        let mut any = false;
        for (index, whole) in self.wholes.iter().enumerate() {
            let &Some(whole) = whole else { continue };
            let place = Place {
                position: Number::Value(team.position),
                extent: self.extent(index)?,
                begin: 0,
                len: self.extent(index)?,
            };
            let there = place.of(&self.emit, whole, self.form.dims[index])?;
            team.copy(&self.emit, self.form.gathered[index], there, lane)?;
            any = true;
        }
        Ok(any)
    }

    fn pulls(&self, knobs: Knobs) -> Vec<Pull> {
        // Where chunks are added their order is part of the op's meaning.
        let is_descending = knobs.descending && !self.is_chained();
        (1..self.size)
            .flat_map(|step| (0..knobs.parts.count).map(move |part| (step, part)))
            .map(|(step, part)| Pull {
                distance: if is_descending { self.size - step } else { step },
                part,
            })
            .collect()
    }

    /// Chunks of gathered tensors that are not kept land in slots, by tensor.
    fn landing(&self, slots: usize, parts: Parts) -> PassResult<Vec<Vec<Value>>> {
        let mut landing = Vec::new();
        for (index, &shard) in self.form.gathered.iter().enumerate() {
            let mut shape = sizes(shard)?;
            let dim = self.form.dims[index];
            shape[dim] = parts.longest(shape[dim]);
            let count = if self.wholes[index].is_some() { 0 } else { slots };
            let chunks = (0..count).map(|_| self.emit.alloc(&shape, shard.ty().element()));
            landing.push(chunks.collect::<PassResult<_>>()?);
        }
        Ok(landing)
    }

    /// Where a pull goes: by gathered tensor a part of the whole or slot `slot`.
    fn targets_of(
        &self,
        position: Number,
        pull: Pull,
        parts: Parts,
        landing: &[Vec<Value>],
        slot: usize,
    ) -> PassResult<Vec<Value>> {
        let mut targets = Vec::new();
        for (index, &whole) in self.wholes.iter().enumerate() {
            let extent = self.extent(index)?;
            let place = Place {
                position,
                extent,
                begin: parts.begin(pull.part, extent),
                len: parts.len(pull.part, extent),
            };
            targets.push(match whole {
                Some(whole) => place.of(&self.emit, whole, self.form.dims[index])?,
                None => {
                    let chunk = landing[index][slot % landing[index].len()];
                    self.emit
                        .slice(chunk, self.form.dims[index], Number::Known(0), place.len)?
                }
            });
        }
        Ok(targets)
    }

    fn pull(
        &self,
        team: &Team,
        usage: Use,
        (position, pull): (Number, Pull),
        parts: Parts,
        targets: &[Value],
        lane: Lane,
    ) -> PassResult {
        let part = team.part(&self.emit, Some(position))?;
        for (index, &target) in targets.iter().enumerate() {
            let dim = self.form.dims[index];
            let extent = self.extent(index)?;
            let (begin, len) = (parts.begin(pull.part, extent), parts.len(pull.part, extent));
            let there = self.offered(part, usage, index)?;
            let there = self.emit.slice(there, dim, Number::Known(begin), len)?;
            team.copy(&self.emit, there, target, lane)?;
        }
        Ok(())
    }

    fn launch(
        &self,
        team: &Team,
        lane: Lane,
        (position, pull): (Number, Pull),
        parts: Parts,
        chunk: &[Value],
        is_last: bool,
    ) -> PassResult {
        if !self.has_consumers() {
            return Ok(());
        }
        let extent = self.extent(0)?;
        let place = Place {
            position,
            extent,
            begin: parts.begin(pull.part, extent),
            len: parts.len(pull.part, extent),
        };
        let name = match parts.count {
            1 => format!("chunk {}", pull.distance),
            _ => format!("chunk {} part {}", pull.distance, pull.part),
        };
        team.launch(&self.emit, &name, lane, |emit| {
            self.consume(emit, lane, place, chunk, [false, is_last])
        })
    }

    fn launch_own(&self, team: &Team) -> PassResult {
        if !self.has_consumers() {
            return Ok(());
        }
        let place = self.place(Number::Value(team.position))?;
        team.launch(&self.emit, "own", Lane::Current, |emit| {
            self.consume(emit, Lane::Current, place, &self.form.gathered, [true, false])
        })
    }

    fn launch_finish(&self, team: &Team, whole_factor: Option<Value>) -> PassResult {
        if !self.is_done_at_once() {
            return Ok(());
        }
        team.launch(&self.emit, "all", Lane::Current, |emit| {
            self.finish(emit, whole_factor)
        })
    }
}
