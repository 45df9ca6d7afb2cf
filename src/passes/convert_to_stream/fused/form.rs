// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What fused ops say, read once. The verifiers of the ops have checked it.

use crate::mlir::{Attr, Block, Failed, Op, PassResult, Ty, Value, reduction_name};

/// A prologue, partial region or epilogue.
pub(super) struct Pointwise {
    /// Its region; nothing where there is none.
    pub(super) block: Option<Block>,
    /// What it reads besides, by maps from the dimensions that it goes over.
    pub(super) operands: Vec<Value>,
    pub(super) maps: Vec<Attr>,
}

impl Pointwise {
    fn new(mut region: impl Iterator<Item = Block>, operands: Vec<Value>, maps: Vec<Attr>) -> Self {
        Self {
            block: region.next(),
            operands,
            maps,
        }
    }

    /// The type of the first argument.
    fn first(&self) -> Option<Ty> {
        Some(self.block?.arguments().next()?.ty())
    }

    /// The type of what is yielded.
    pub(super) fn yields(&self) -> Option<Ty> {
        Some(self.block?.terminator()?.operand(0).ty())
    }
}

/// Maps of a contraction: for the factors and the product, which loop each dimension is.
#[derive(Clone)]
pub(super) struct Contraction {
    pub(super) loops: usize,
    pub(super) maps: [Vec<usize>; 3],
}

impl Contraction {
    fn of(maps: &[Attr]) -> Option<Self> {
        let projections: Vec<(usize, Vec<usize>)> = maps
            .iter()
            .map(|map| map.as_projection())
            .collect::<Option<_>>()?;
        let loops = projections.first()?.0;
        let maps: Vec<Vec<usize>> = projections.into_iter().map(|(_, dims)| dims).collect();
        Some(Self {
            loops,
            maps: maps.try_into().ok()?,
        })
    }

    /// The dimension of a factor (0, 1) or of the product (2) that a loop is.
    pub(super) fn dim(&self, of: usize, turn: usize) -> Option<usize> {
        self.maps[of].iter().position(|&dim| dim == turn)
    }
}

/// A product of a `comm.all_gather_matmul`.
pub(super) struct GatherProduct {
    pub(super) contraction: Contraction,
    pub(super) factor: Value,
    pub(super) epilogue: Pointwise,
    /// The element type of its accumulator.
    pub(super) accumulated: Ty,
    /// What the op yields for it.
    pub(super) result: Value,
    /// The dimension at which chunks are placed; nothing where they are added.
    pub(super) placed: Option<usize>,
    /// The dimension of the other factor that is cut with the chunks.
    pub(super) cut: Option<usize>,
}

/// A `comm.all_gather_matmul`.
pub(super) struct GatherForm {
    pub(super) op: Op,
    pub(super) gathered: Vec<Value>,
    /// By gathered tensor.
    pub(super) dims: Vec<usize>,
    /// With the other gathered tensors as its first operands.
    pub(super) prologue: Pointwise,
    pub(super) products: Vec<GatherProduct>,
    /// Positions of gathered tensors, and what the op yields for them.
    pub(super) returned: Vec<(usize, Value)>,
    pub(super) ordered: bool,
}

impl GatherForm {
    pub(super) fn of(op: Op) -> PassResult<Self> {
        Self::read(op).ok_or(Failed)
    }

    fn read(op: Op) -> Option<Self> {
        let [gathered, besides, factors, epilogue_operands] = segments(op)?;
        let numbers = op.attr("dims")?.as_i64_array()?;
        let dim_of = |index: usize| usize::try_from(numbers[if numbers.len() == 1 { 0 } else { index }]).ok();
        let dims: Vec<usize> = (0..gathered.len()).map(dim_of).collect::<Option<_>>()?;
        let has_prologue = op.region(0).next().is_some();
        let travelling = if has_prologue { &gathered[1..] } else { &[] };
        let prologue = Pointwise::new(
            op.region(0),
            travelling.iter().chain(&besides).copied().collect(),
            op.attr("prologue_maps")?.as_array()?,
        );
        let maps = op.attr("product_maps")?.as_array()?;
        let epilogue_maps = op.attr("epilogue_maps")?.as_array()?;
        let counts = op.attr("epilogue_counts")?.as_i64_array()?;
        let mut products = Vec::new();
        let mut begin = 0;
        for (index, &factor) in factors.iter().enumerate() {
            let end = begin + usize::try_from(counts[index]).ok()?;
            let epilogue = Pointwise::new(
                op.region(index + 1),
                epilogue_operands[begin..end].to_vec(),
                epilogue_maps[begin..end].to_vec(),
            );
            begin = end;
            let contraction = Contraction::of(&maps[3 * index..3 * index + 3])?;
            let turn = contraction.maps[0][dims[0]];
            let result = op.result(index);
            products.push(GatherProduct {
                accumulated: epilogue.first().unwrap_or(result.ty().element()),
                placed: contraction.dim(2, turn),
                cut: contraction.dim(1, turn),
                contraction,
                factor,
                epilogue,
                result,
            });
        }
        let returned = op.attr("returned")?.as_i64_array()?.into_iter().enumerate();
        let returned = returned
            .map(|(position, index)| {
                Some((usize::try_from(index).ok()?, op.result(factors.len() + position)))
            })
            .collect::<Option<_>>()?;
        Some(Self {
            op,
            gathered,
            dims,
            prologue,
            products,
            returned,
            ordered: op.attr("ordered").is_some(),
        })
    }
}

/// A `comm.matmul_reduce_scatter`.
pub(super) struct ScatterForm {
    pub(super) op: Op,
    /// The reduction, as `comm` spells it.
    pub(super) kind: String,
    /// Left factor, right factor, and their maps.
    pub(super) products: Vec<(Value, Value, Contraction)>,
    pub(super) partial: Pointwise,
    pub(super) epilogue: Pointwise,
    /// The dimension of the products that is scattered.
    pub(super) dim: usize,
    /// Element types of the accumulator, of what is sent, and in which contributions are combined.
    pub(super) accumulated: Ty,
    pub(super) sent: Ty,
    pub(super) reduced: Ty,
    pub(super) result: Value,
    pub(super) ordered: bool,
}

impl ScatterForm {
    pub(super) fn of(op: Op) -> PassResult<Self> {
        Self::read(op).ok_or(Failed)
    }

    fn read(op: Op) -> Option<Self> {
        let [factors, partial_operands, epilogue_operands] = segments(op)?;
        let maps = op.attr("product_maps")?.as_array()?;
        let products = factors
            .chunks_exact(2)
            .zip(maps.chunks_exact(3))
            .map(|(pair, maps)| Some((pair[0], pair[1], Contraction::of(maps)?)))
            .collect::<Option<_>>()?;
        let partial = Pointwise::new(
            op.region(0),
            partial_operands,
            op.attr("partial_maps")?.as_array()?,
        );
        let epilogue = Pointwise::new(
            op.region(1),
            epilogue_operands,
            op.attr("epilogue_maps")?.as_array()?,
        );
        let reduced = epilogue.first().unwrap_or(op.result(0).ty().element());
        let sent = partial.yields().unwrap_or(reduced);
        Some(Self {
            op,
            kind: reduction_name(op.attr("kind")?)?,
            products,
            dim: usize::try_from(op.attr("dim")?.as_i64()?).ok()?,
            accumulated: partial.first().unwrap_or(sent),
            sent,
            reduced,
            partial,
            epilogue,
            result: op.result(0),
            ordered: op.attr("ordered").is_some(),
        })
    }

    /// Sizes of a chunk: what one device gets.
    pub(super) fn chunk(&self) -> PassResult<Vec<i64>> {
        super::emit::sizes(self.result)
    }
}

/// Operands by segment.
fn segments<const N: usize>(op: Op) -> Option<[Vec<Value>; N]> {
    let lengths = op.attr("operandSegmentSizes")?.as_i32_array()?;
    let mut operands = op.operands();
    let segments: Vec<Vec<Value>> = lengths
        .into_iter()
        .map(|length| {
            operands
                .by_ref()
                .take(usize::try_from(length).unwrap_or(0))
                .collect()
        })
        .collect();
    segments.try_into().ok()
}
