// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Puts a draft into the IR.
//!
//! In two steps, so that a failure changes nothing: [`Rewrite::new`] makes the new ops, which nothing uses yet;
//! [`Rewrite::finish`] lets kept ops and outside users read the new values, erases what is replaced, and puts the block into
//! the order of the draft. Local ops that only erased ones read go too.

use comm_algebra::{Kind as Reduction, Op as AlgebraOp};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    devices::Devices,
    draft::{Draft, Drafts, Item},
    estimate::kind_of,
    pieces::Piece,
    shapes::Way,
    shard::{self, Shard},
    steps::{Action, Source, Step},
    terms::Terms,
    vocabulary::{Style, Vocabulary},
};
use crate::{
    dialect,
    mlir::{self, Attr, Op, OpBuilder, PassResult, Ty, Value, fused_location},
    problem::{BlockProblem, arrange},
};

/// What the makers of ops share.
pub(super) struct Writer<'a> {
    pub(super) block: &'a BlockProblem,
    pub(super) terms: &'a Terms,
    pub(super) devices: &'a Devices,
    pub(super) vocabulary: &'a Vocabulary,
}

/// The new ops of a block.
pub(super) struct Rewrite<'a> {
    drafts: &'a Drafts<'a>,
    draft: &'a Draft,
    ways: Vec<Option<&'a Way>>,
    /// By piece and step: the value, and the ops that make it in order.
    made: FxHashMap<(usize, usize), (Value, Vec<Op>)>,
}

impl<'a> Rewrite<'a> {
    /// Fails after an error, with nothing left behind.
    pub(super) fn new(
        writer: &Writer<'_>,
        drafts: &'a Drafts<'a>,
        draft: &'a Draft,
        ways: Vec<Option<&'a Way>>,
    ) -> PassResult<Self> {
        let mut rewrite = Self {
            drafts,
            draft,
            ways,
            made: FxHashMap::default(),
        };
        // All stand before the first op of the block until they are put where they belong.
        let anchor = writer.block.ops[0];
        let mut last: Option<Op> = None;
        for item in &draft.order {
            let Item::New { piece, step } = *item else {
                continue;
            };
            let made = rewrite.make(writer, piece, step, anchor);
            let mut ops = Vec::new();
            let mut cursor = last.map_or(writer.block.block.first_op(), Op::next);
            while let Some(op) = cursor.filter(|op| *op != anchor) {
                ops.push(op);
                last = Some(op);
                cursor = op.next();
            }
            match made {
                Ok(value) => rewrite.made.insert((piece, step), (value, ops)),
                Err(failed) => {
                    ops.into_iter().rev().for_each(Op::erase);
                    rewrite.discard();
                    return Err(failed);
                }
            };
        }
        Ok(rewrite)
    }

    /// Erases what was made.
    pub(super) fn discard(&self) {
        for item in self.draft.order.iter().rev() {
            if let Item::New { piece, step } = *item
                && let Some((_, ops)) = self.made.get(&(piece, step))
            {
                ops.iter().rev().for_each(|op| op.erase());
            }
        }
    }

    fn make(&self, writer: &Writer<'_>, piece: usize, number: usize, anchor: Op) -> PassResult<Value> {
        let way = self.ways[piece].ok_or(mlir::Failed)?;
        let step = &way.steps.steps[number];
        let Action::Make(op, is_mean) = &step.action else {
            return Err(mlir::Failed);
        };
        let operands: Vec<Value> = step
            .operands
            .iter()
            .map(|&source| self.value(piece, source))
            .collect();
        let piece = &self.drafts.pieces[piece];
        let origin = Origin::of(writer, piece);
        if kind_of(op).is_some() {
            return origin.collective(writer, way, step, op, *is_mean, operands[0], anchor);
        }
        if let AlgebraOp::Shard { dim, group } = *op {
            let grouping = way.program.groups().get(group);
            let shard = Shard {
                dim,
                ty: &step.ty,
                groups: writer.devices.spell(group, grouping, anchor)?,
            };
            return shard::write(&shard, operands[0], writer.vocabulary, anchor);
        }
        let location = fused_location(&origin.collectives);
        writer
            .vocabulary
            .write(op, &operands, &step.ty, origin.style, location, anchor)
    }

    /// The value that a source stands for, as it was before anything was replaced.
    fn value(&self, piece: usize, source: Source) -> Value {
        let own = &self.drafts.pieces[piece];
        match source {
            Source::Argument(number) => own.arguments[number],
            Source::Step(step) => match self.made.get(&(piece, step)) {
                Some((value, _)) => *value,
                None => self.kept(piece, step),
            },
        }
    }

    fn kept(&self, piece: usize, step: usize) -> Value {
        let action = self.ways[piece].map(|way| &way.steps.steps[step].action);
        let position = match action {
            Some(Action::Keep(index)) => self.drafts.pieces[piece].positions[*index],
            _ => unreachable!("a step that is neither made nor kept"),
        };
        match self.drafts.terms.at(position) {
            Some(term) => term.value,
            None => unreachable!("a piece holds terms"),
        }
    }

    /// Changes the block.
    pub(super) fn finish(&self) {
        let (block, terms) = (self.drafts.block, self.drafts.terms);
        self.change_operands();
        let mut replaced: FxHashMap<Value, Value> = FxHashMap::default();
        for (number, way) in self.ways.iter().enumerate() {
            let Some(way) = way else { continue };
            for (&position, &source) in self.drafts.pieces[number].results.iter().zip(&way.steps.results) {
                if let Some(term) = terms.at(position) {
                    replaced.insert(term.value, self.value(number, source));
                }
            }
        }
        for &old in replaced.keys() {
            let mut new = old;
            // A value may be replaced by one that is replaced itself, never in a circle: the draft has an order.
            while let Some(&next) = replaced.get(&new).filter(|next| **next != new) {
                new = next;
            }
            if new != old {
                old.replace_uses_with(new);
            }
        }
        let erased = self.erase();
        let order = self.draft.order.iter().flat_map(|item| match *item {
            Item::Old(position) if erased.contains(&position) => Vec::new(),
            Item::Old(position) => vec![block.ops[position]],
            Item::New { piece, step } => self.made[&(piece, step)].1.clone(),
        });
        arrange(block.block, order);
    }

    /// Lets ops that are kept read what their steps read.
    fn change_operands(&self) {
        let (block, terms) = (self.drafts.block, self.drafts.terms);
        for (number, way) in self.ways.iter().enumerate() {
            let Some(way) = way else { continue };
            for step in &way.steps.steps {
                let Action::Keep(index) = step.action else {
                    continue;
                };
                let position = self.drafts.pieces[number].positions[index];
                let Some(term) = terms.at(position) else { continue };
                let new: Vec<Value> = step
                    .operands
                    .iter()
                    .map(|&source| self.value(number, source))
                    .collect();
                for position in term.start.into_iter().chain([position]) {
                    let op = block.ops[position];
                    for operand in 0..op.num_operands() {
                        let old = op.operand(operand);
                        let changed = term.operands.iter().position(|&value| value == old);
                        if let Some(changed) = changed.filter(|&changed| new[changed] != old) {
                            op.set_operand(operand, new[changed]);
                        }
                    }
                }
            }
        }
    }

    /// Erases the ops that the draft leaves out, and local terms that only they read. Their positions.
    fn erase(&self) -> FxHashSet<usize> {
        let (block, terms) = (self.drafts.block, self.drafts.terms);
        let mut is_kept = vec![false; block.ops.len()];
        for item in &self.draft.order {
            if let Item::Old(position) = item {
                is_kept[*position] = true;
            }
        }
        let mut erased = FxHashSet::default();
        let mut is_read_by_erased = vec![false; block.ops.len()];
        for position in (0..block.ops.len()).rev() {
            let op = block.ops[position];
            let is_local = terms.at(position).is_some_and(|term| !term.op.is_collective());
            if is_kept[position] && !(is_read_by_erased[position] && is_local && op.is_unused()) {
                continue;
            }
            for operand in op.operands() {
                let producer = operand.defining_op().and_then(|op| terms.position(op));
                if let Some(producer) = producer {
                    is_read_by_erased[producer] = true;
                }
            }
            op.erase();
            erased.insert(position);
        }
        erased
    }
}

/// What new ops take over from the piece that they are made for.
struct Origin {
    /// Starts and blocking collectives.
    collectives: Vec<Op>,
    is_async: bool,
    style: Style,
}

impl Origin {
    fn of(writer: &Writer<'_>, piece: &Piece) -> Self {
        let terms = || {
            piece
                .positions
                .iter()
                .filter_map(|&position| Some((position, writer.terms.at(position)?)))
        };
        let collectives = terms().filter(|(_, term)| term.op.is_collective());
        Self {
            collectives: collectives
                .map(|(position, term)| writer.block.ops[term.start.unwrap_or(position)])
                .collect(),
            is_async: terms().any(|(_, term)| term.start.is_some()),
            style: piece.style(writer.terms),
        }
    }

    /// Makes a collective, with its wait where the piece is asynchronous.
    #[allow(clippy::too_many_arguments)]
    fn collective(
        &self,
        writer: &Writer<'_>,
        way: &Way,
        step: &Step,
        op: &AlgebraOp,
        is_mean: bool,
        operand: Value,
        anchor: Op,
    ) -> PassResult<Value> {
        let context = anchor.context();
        let location = fused_location(&self.collectives);
        let kind = kind_of(op).ok_or(mlir::Failed)?;
        let name = format!("comm.{}", kind.name());
        let mut builder = OpBuilder::new(&name, location).operands([operand]);
        if let Some(group) = op.group() {
            let grouping = way.program.groups().get(group);
            builder = builder.attr("groups", writer.devices.spell(group, grouping, anchor)?);
        }
        let dims = |dim: usize| Attr::i64_array(context, &[dim as i64]);
        let index = |value: usize| Attr::i64(context, value as i64);
        builder = match op {
            AlgebraOp::AllGather { dim, .. } => builder.attr("dims", dims(*dim)),
            AlgebraOp::ReduceScatter { kind, dim, .. } => builder
                .attr("kind", mlir::reduction(context, reduction(*kind, is_mean))?)
                .attr("dims", dims(*dim)),
            AlgebraOp::AllReduce { kind, .. } => {
                builder.attr("kind", mlir::reduction(context, reduction(*kind, is_mean))?)
            }
            AlgebraOp::AllToAll { split, concat, .. } => builder
                .attr("split", index(*split))
                .attr("concat", index(*concat)),
            AlgebraOp::Broadcast { root, .. } => builder.attr("root", index(*root)),
            AlgebraOp::Permute { pairs } => {
                let ranks = pairs
                    .iter()
                    .flat_map(|&(source, target)| [i64::from(source), i64::from(target)]);
                builder.attr("pairs", Attr::i64_array(context, &ranks.collect::<Vec<_>>()))
            }
            _ => builder,
        };
        let alike = self.collectives.iter().find(|op| op.name() == name);
        let discardable = alike.into_iter().flat_map(|op| op.discardable_entries());
        let noted = discardable
            .map(|(noted, _)| noted)
            .filter(|noted| *noted != "comm.duration_ns");
        for noted in ["mergeable", "regather"].into_iter().chain(noted) {
            if let Some(attr) = self.common(noted, &name) {
                builder = builder.attr(noted, attr);
            }
        }
        let ty = writer.vocabulary.ty(&step.ty, context);
        if !self.is_async {
            return Ok(builder.results([ty]).insert_before(anchor)?.result(0));
        }
        let start = builder
            .results([Ty::future(context, &[ty])])
            .insert_before(anchor)?;
        let wait = OpBuilder::new("comm.wait", location)
            .operands([start.result(0), operand])
            .results([ty])
            .insert_before(anchor)?;
        Ok(wait.result(0))
    }

    /// An attribute that all collectives of this name in the piece have.
    fn common(&self, attribute: &str, name: &str) -> Option<Attr> {
        let mut alike = self.collectives.iter().filter(|op| op.name() == name);
        let first = alike.next()?.attr(attribute)?;
        alike.all(|op| op.attr(attribute) == Some(first)).then_some(first)
    }
}

fn reduction(kind: Reduction, is_mean: bool) -> dialect::Reduction {
    match kind {
        Reduction::Sum if is_mean => dialect::Reduction::Avg,
        Reduction::Sum => dialect::Reduction::Sum,
        Reduction::Product => dialect::Reduction::Prod,
        Reduction::Max => dialect::Reduction::Max,
        Reduction::Min => dialect::Reduction::Min,
        Reduction::And => dialect::Reduction::And,
        Reduction::Or => dialect::Reduction::Or,
        Reduction::Xor => dialect::Reduction::Xor,
    }
}
