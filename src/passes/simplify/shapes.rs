// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Pieces that compute alike, and other ways to compute what they do.
//!
//! The layers of a model repeat, so most pieces are equal but for their values. Those are of one *shape*: it is saturated
//! once, and one decision is made for all of them. Alternatives are those that the linear proxy finds cheaper than the piece
//! as it stands; which of them is faster is not decided here.

use comm_algebra::{
    Alternative, ExtractError, Fp, Op as AlgebraOp, Options, Prices, SaturateReport, Type, Work, alternatives,
};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

use super::{
    estimate::kind_of,
    pieces::Piece,
    steps::{Action, Steps},
    terms::Terms,
    vocabulary::{Style, Vocabulary},
};

/// Another way to compute what a piece does.
pub(super) struct Way {
    pub(super) steps: Steps,
    pub(super) program: comm_algebra::Program,
    pub(super) work: Work,
    /// Names of the rules that lead there, sorted.
    pub(super) rules: Vec<&'static str>,
}

impl Way {
    /// Whether all ops that it makes can be spelt.
    fn can_be_written(&self, style: Style) -> bool {
        self.steps.steps.iter().all(|step| {
            let Action::Make(op, _) = &step.action else {
                return true;
            };
            let operands: Vec<&Type> = step
                .operands
                .iter()
                .filter_map(|source| self.ty(*source))
                .collect();
            kind_of(op).is_some()
                || matches!(op, AlgebraOp::Shard { .. })
                || Vocabulary::can_write(op, &operands, &step.ty, style)
        })
    }
}

/// Pieces that compute alike.
pub(super) struct Shape {
    /// Numbers of the pieces, ascending.
    pub(super) pieces: Vec<usize>,
    /// Cheapest first by the proxy.
    pub(super) ways: Vec<Way>,
    /// What the piece as it stands needs.
    pub(super) work: Work,
    /// By how much the proxy finds the first way cheaper, over all pieces.
    pub(super) gain: u128,
    pub(super) report: SaturateReport,
}

/// What bounds the search for alternatives.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    pub(super) fp: Fp,
    /// Nodes of an e-graph at most.
    pub(super) nodes: usize,
    /// Alternatives of a shape at most.
    pub(super) alternatives: usize,
}

impl Effort {
    /// How an e-graph is grown.
    pub(super) fn saturate(self) -> comm_algebra::SaturateOptions {
        let mut options = comm_algebra::SaturateOptions::default();
        options.fp = self.fp;
        options.terms = self.nodes;
        options
    }
}

/// The shapes of some pieces, in the order of their first pieces. O(pieces + saturations of the shapes).
pub(super) fn shapes(
    pieces: &[Piece],
    terms: &Terms,
    prices: Prices,
    effort: Effort,
) -> Result<Vec<Shape>, ExtractError> {
    // By a hash of the program; those of one are compared.
    let mut known: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let mut shapes: Vec<Shape> = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        let alike = known.entry(hash(piece)).or_default();
        let same = alike
            .iter()
            .copied()
            .find(|&shape: &usize| is_alike(piece, &pieces[shapes[shape].pieces[0]], terms));
        match same {
            Some(same) => shapes[same].pieces.push(number),
            None => {
                alike.push(shapes.len());
                shapes.push(shape(number, piece, terms, prices, effort)?);
            }
        }
    }
    for shape in &mut shapes {
        shape.gain *= shape.pieces.len() as u128;
    }
    Ok(shapes)
}

fn shape(
    number: usize,
    piece: &Piece,
    terms: &Terms,
    prices: Prices,
    effort: Effort,
) -> Result<Shape, ExtractError> {
    let mut options = Options::default().prices(prices);
    options.saturate = effort.saturate();
    options.alternatives = effort.alternatives;
    let found = alternatives(&piece.program, &options)?;
    let given = &found.list[found.given];
    let gain = given.price.saturating_sub(found.best().price);
    let work = given.work;
    let way = |alternative: &Alternative| Way {
        steps: Steps::of(&alternative.program, piece, terms),
        work: alternative.work,
        rules: alternative.rules.clone(),
        program: alternative.program.clone(),
    };
    let style = piece.style(terms);
    Ok(Shape {
        pieces: vec![number],
        ways: found.list[..found.given]
            .iter()
            .map(way)
            .filter(|way| way.can_be_written(style))
            .collect(),
        work,
        gain,
        report: found.report,
    })
}

/// A number that is equal for pieces of one shape.
fn hash(piece: &Piece) -> u64 {
    let mut hasher = FxHasher::default();
    for node in piece.program.nodes() {
        node.op.hash(&mut hasher);
        node.operands.hash(&mut hasher);
    }
    hasher.finish()
}

/// Whether two pieces are of one shape: one program, facts of its arguments included, and spelt alike.
fn is_alike(one: &Piece, other: &Piece, terms: &Terms) -> bool {
    let spelling = |position: usize| {
        terms
            .at(position)
            .map(|term| (term.style, term.start.is_some(), term.is_mean))
    };
    let spellings = |piece: &Piece| {
        piece
            .positions
            .iter()
            .map(|&position| spelling(position))
            .collect::<Vec<_>>()
    };
    one.program.same_terms(&other.program) && spellings(one) == spellings(other)
}
