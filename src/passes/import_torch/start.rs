// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Reading one started collective.
//!
//! Nothing is changed here. What `comm` cannot represent is refused with a reason.

use super::{
    constants::{self, Lists},
    overwritten,
    schema::{Schema, Slot},
    types::{Element, TorchTensor, TypeReader},
};
use crate::{
    collective::Kind,
    dialect::Reduction,
    mlir::{Op, Ty, Value},
};

/// A started collective, read.
pub(super) struct Start {
    pub(super) op: Op,
    pub(super) kind: Kind,
    /// Builtin types of the tensors that are communicated.
    pub(super) input_types: Vec<Ty>,
    /// What the graph has for the tensors that come out: the result, or the elements of an unpacked list.
    pub(super) outputs: Vec<Value>,
    /// Builtin types of the outputs.
    pub(super) output_types: Vec<Ty>,
    pub(super) reduction: Option<Reduction>,
    pub(super) root: Option<i64>,
    /// Name of the process group.
    pub(super) group: String,
    /// Size of the group, where the op says it.
    pub(super) group_size: Option<i64>,
    /// The op that unpacks the list of results, where the op takes and yields lists.
    pub(super) unpack: Option<Op>,
}

impl Start {
    /// Tensors that are communicated, of torch types. Read anew each time: what was awaited before is replaced.
    pub(super) fn inputs(&self) -> Vec<Value> {
        let first = self.op.operand(0);
        match self.unpack.and(first.defining_op()) {
            Some(list) => list.operands().collect(),
            None => vec![first],
        }
    }
}

/// Reads an op as `schema` says. The error is a message for a diagnostic at the op.
pub(super) fn read(
    op: Op,
    schema: &Schema,
    types: &mut TypeReader,
    lists: &mut Lists,
) -> Result<Start, String> {
    if op.num_operands() != schema.operands.len() || op.num_results() != 1 {
        return Err(format!(
            "has {} operand(s) and {} result(s), but {} has {} operand(s) and one result",
            op.num_operands(),
            op.num_results(),
            schema.name,
            schema.operands.len()
        ));
    }
    let mut start = Start {
        op,
        kind: schema.kind,
        input_types: Vec::new(),
        outputs: vec![op.result(0)],
        output_types: Vec::new(),
        reduction: None,
        root: None,
        group: String::new(),
        group_size: None,
        unpack: None,
    };
    let mut inputs = Vec::new();
    let mut reduction = None;
    // Of the result first, then of the operand, as in the signature.
    let mut splits = Vec::new();
    for (&slot, value) in schema.operands.iter().zip(op.operands()) {
        match slot {
            Slot::Tensor => inputs = vec![value],
            Slot::Tensors => {
                inputs = lists
                    .elements(value)
                    .filter(|list| !list.is_empty())
                    .ok_or("takes a list of tensors that is not made by a torch.prim.ListConstruct in sight, or may change")?;
                let unpack = unpacked(op)?;
                start.outputs = unpack.results().collect();
                start.unpack = Some(unpack);
            }
            Slot::Reduction => {
                reduction =
                    Some(constants::string(value).ok_or("names its reduction by no constant string")?);
            }
            Slot::Size => {
                let size = constants::integer(value).ok_or("has a group_size that is no constant integer")?;
                if size < 1 {
                    return Err(format!("has a group_size of {size}; at least 1 is expected"));
                }
                start.group_size = Some(size);
            }
            Slot::Group => start.group = group_name(value)?,
            Slot::Root => {
                start.root =
                    Some(constants::integer(value).ok_or("has a source that is no constant integer")?);
            }
            Slot::Splits => splits.push(even_splits(value, lists)?),
            Slot::Out => overwritten::check(op, value, "output")?,
        }
    }
    if schema.is_in_place() {
        for &input in &inputs {
            overwritten::check(op, input, "operand")?;
        }
    }
    if start.outputs.len() != inputs.len() {
        return Err(format!(
            "carries {} tensor(s) but {} are unpacked",
            inputs.len(),
            start.outputs.len()
        ));
    }
    let mut read_all = |values: &[Value]| -> Result<Vec<TorchTensor>, String> {
        values
            .iter()
            .map(|value| types.read(value.ty(), op.context()))
            .collect()
    };
    let inputs = read_all(&inputs)?;
    start.output_types = read_all(&start.outputs)?.iter().map(|ty| ty.tensor).collect();
    start.input_types = inputs.iter().map(|ty| ty.tensor).collect();
    for (splits, ty) in splits
        .into_iter()
        .zip([start.output_types[0], start.input_types[0]])
    {
        let Some(Splits { ranks, each }) = splits else {
            continue;
        };
        if *start.group_size.get_or_insert(ranks) != ranks {
            return Err("has different numbers of input and output splits".to_owned());
        }
        let size = ty.shape().and_then(|shape| *shape.first()?);
        if size.is_some_and(|size| Some(size) != each.checked_mul(ranks)) {
            return Err(format!(
                "has {ranks} splits of {each}, which do not make up dimension 0 of {}",
                ty.to_text()
            ));
        }
    }
    if let Some(name) = reduction {
        start.reduction = Some(read_reduction(name, &inputs)?);
    }
    Ok(start)
}

/// Name of a group, which is a string in all released versions.
fn group_name(value: Value) -> Result<String, String> {
    constants::string(value).map(str::to_owned).ok_or_else(|| {
        format!(
            "names its process group by no constant string but by a value of type {}; a group object cannot be told \
             apart from others, so export with group names",
            value.ty().to_text()
        )
    })
}

/// The one op that unpacks a list of results.
fn unpacked(op: Op) -> Result<Op, String> {
    let mut uses = op.result(0).uses().map(|r#use| r#use.op());
    match (uses.next(), uses.next()) {
        (Some(unpack), None) if unpack.name() == "torch.prim.ListUnpack" && unpack.next().is_some() => {
            Ok(unpack)
        }
        _ => Err(
            "yields a list that is not just unpacked by one torch.prim.ListUnpack inside a block".to_owned(),
        ),
    }
}

/// Even splits of dimension 0.
struct Splits {
    ranks: i64,
    each: i64,
}

/// Splits that are all alike; nothing for an empty list, which stands for even ones.
fn even_splits(value: Value, lists: &mut Lists) -> Result<Option<Splits>, String> {
    let splits = lists
        .elements(value)
        .and_then(|list| {
            list.into_iter()
                .map(constants::integer)
                .collect::<Option<Vec<i64>>>()
        })
        .ok_or("has splits that are no list of constant integers; only even splits can be represented")?;
    match splits.as_slice() {
        [] => Ok(None),
        [each, rest @ ..] if rest.iter().all(|split| split == each) => Ok(Some(Splits {
            ranks: splits.len() as i64,
            each: *each,
        })),
        _ => Err(format!(
            "has uneven splits {splits:?}; only even ones can be represented"
        )),
    }
}

/// The reduction of a name. Torch's bool is summed as "any" and multiplied as "all".
fn read_reduction(name: &str, inputs: &[TorchTensor]) -> Result<Reduction, String> {
    let reduction = match name {
        "sum" => Reduction::Sum,
        "avg" => Reduction::Avg,
        "min" => Reduction::Min,
        "max" => Reduction::Max,
        "product" => Reduction::Prod,
        "band" => Reduction::And,
        "bor" => Reduction::Or,
        "bxor" => Reduction::Xor,
        _ => {
            return Err(format!(
                "has the reduction '{name}'; one of sum, avg, min, max, product, band, bor, bxor is expected"
            ));
        }
    };
    let bools = inputs.iter().filter(|ty| ty.element == Element::Bool).count();
    if bools > 0 {
        if bools < inputs.len() {
            return Err("reduces bool and other tensors together, whose reductions differ".to_owned());
        }
        return match reduction {
            Reduction::Sum | Reduction::Max | Reduction::Or => Ok(Reduction::Or),
            Reduction::Prod | Reduction::Min | Reduction::And => Ok(Reduction::And),
            Reduction::Xor => Ok(Reduction::Xor),
            Reduction::Avg => Err("cannot average bool tensors".to_owned()),
        };
    }
    if matches!(reduction, Reduction::Min | Reduction::Max)
        && inputs.iter().any(|ty| ty.element == Element::Unsigned)
    {
        return Err(format!(
            "takes the {name} of unsigned integers, which builtin tensors without sign do not have"
        ));
    }
    Ok(reduction)
}
