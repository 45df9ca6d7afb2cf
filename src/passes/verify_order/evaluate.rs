// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Values that each rank can compute from its position and constants.
//!
//! A value has a *lane* for each rank, which holds nothing where the rank's value is not known. Integers are kept as
//! two's complement, sign-extended from their width, single bits as 0 and 1; operations on signed numbers read the bit 1
//! as -1. An expression costs O(its ops x ranks), up to a fixed number of lanes, beyond which values count as unknown.

use std::{collections::HashMap, rc::Rc};

use super::program::Program;
use crate::{
    control::Control,
    mlir::{Attr, Op, Ty, Value},
};

/// One value a rank.
pub(super) type Lanes = Rc<Vec<Option<i64>>>;

/// Expressions nested deeper than this are not followed.
const DEPTH: usize = 64;

/// Lanes of all values in an expression, beyond which it is not followed.
const LANES: usize = 1 << 22;

/// Computes values under bindings: block arguments and loop results that a walk over the program has come to know.
pub(super) struct Evaluator<'p> {
    pub(super) program: &'p Program,
    bindings: HashMap<Value, Lanes>,
    unknown: Lanes,
}

impl<'p> Evaluator<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self {
            program,
            bindings: HashMap::new(),
            unknown: Rc::new(vec![None; program.uniformity.devices()]),
        }
    }

    fn ranks(&self) -> usize {
        self.unknown.len()
    }

    fn unknown(&self) -> Lanes {
        Rc::clone(&self.unknown)
    }

    fn splat(&self, value: Option<i64>) -> Lanes {
        Rc::new(vec![value; self.ranks()])
    }

    /// The lanes of a value.
    pub(super) fn lanes(&self, value: Value) -> Lanes {
        self.compute(value, 0, &mut HashMap::new())
    }

    fn compute(&self, value: Value, depth: usize, known: &mut HashMap<Value, Lanes>) -> Lanes {
        if let Some(lanes) = self.bindings.get(&value).or_else(|| known.get(&value)) {
            return Rc::clone(lanes);
        }
        let is_small = depth < DEPTH && known.len().saturating_mul(self.ranks()) < LANES;
        let lanes = match value.defining_op() {
            Some(op) if is_small && op.num_regions() > 0 => self.pick(op, value.index(), depth, known),
            Some(op) if is_small => self.apply(op, value.ty(), depth, known),
            _ => self.unknown(),
        };
        known.insert(value, Rc::clone(&lanes));
        lanes
    }

    /// A result of a branch whose condition each rank knows.
    fn pick(&self, op: Op, index: usize, depth: usize, known: &mut HashMap<Value, Lanes>) -> Lanes {
        let Control::Branch(branch) = Control::of(op) else {
            return self.unknown();
        };
        let condition = self.compute(branch.condition, depth + 1, known);
        let yielded: Vec<Lanes> = (0..op.num_regions())
            .map(|region| {
                let terminator = op.region(region).last().and_then(|block| block.terminator());
                match terminator.filter(|terminator| index < terminator.num_operands()) {
                    Some(terminator) => self.compute(terminator.operand(index), depth + 1, known),
                    None => self.unknown(),
                }
            })
            .collect();
        let lane = |rank: usize| yielded.get(branch.region_for(condition[rank]?))?[rank];
        Rc::new((0..self.ranks()).map(lane).collect())
    }

    /// Lets the lanes of some ranks be those of `lanes`; the others stay as they are.
    pub(super) fn bind(&mut self, value: Value, lanes: &Lanes, ranks: &[usize]) {
        let bound = self
            .bindings
            .entry(value)
            .or_insert_with(|| Rc::clone(&self.unknown));
        let bound = Rc::make_mut(bound);
        for &rank in ranks {
            bound[rank] = lanes[rank];
        }
    }

    /// Forgets what values were bound to.
    pub(super) fn unbind(&mut self, values: impl IntoIterator<Item = Value>) {
        for value in values {
            self.bindings.remove(&value);
        }
    }

    fn apply(&self, op: Op, ty: Ty, depth: usize, known: &mut HashMap<Value, Lanes>) -> Lanes {
        let Some(width) = ty
            .element()
            .integer_width()
            .filter(|width| (1..=64).contains(width))
        else {
            return self.unknown();
        };
        match op.name() {
            "arith.constant" | "index.constant" | "stablehlo.constant" => {
                let attr = op.attr("value");
                let element = attr.and_then(Attr::splat_element).or(attr);
                return self.splat(
                    element
                        .and_then(Attr::as_integer_bits)
                        .map(|bits| wrap(bits, width)),
                );
            }
            "comm.rank" => return self.positions(op),
            "stablehlo.partition_id" => return self.device_ids(op, "mhlo.num_replicas", width),
            "stablehlo.replica_id" => return self.device_ids(op, "mhlo.num_partitions", width),
            _ => {}
        }
        let Some(operation) = Operation::of(op) else {
            return self.unknown();
        };
        let operands: Vec<Lanes> = op
            .operands()
            .map(|operand| self.compute(operand, depth + 1, known))
            .collect();
        let source = op
            .operands()
            .last()
            .and_then(|operand| operand.ty().element().integer_width())
            .unwrap_or(width);
        let lane = |rank: usize| {
            let values: Option<Vec<i64>> = operands.iter().map(|lanes| lanes[rank]).collect();
            operation
                .apply(&values?, source)
                .map(|result| wrap(result, width))
        };
        Rc::new((0..self.ranks()).map(lane).collect())
    }

    fn positions(&self, op: Op) -> Lanes {
        let Ok(table) = self.program.groups(op) else {
            return self.unknown();
        };
        Rc::new(
            (0..self.ranks())
                .map(|rank| table.of_rank.get(&rank).map(|&(_, position)| position as i64))
                .collect(),
        )
    }

    /// Ids of devices where the module says that the other kind of id does not vary.
    fn device_ids(&self, op: Op, other_count: &str, width: u32) -> Lanes {
        let count = op
            .symbol_table()
            .and_then(|module| module.attr(other_count))
            .and_then(Attr::as_i64);
        if count != Some(1) {
            return self.unknown();
        }
        Rc::new(
            (0..self.ranks())
                .map(|rank| Some(wrap(rank as i64, width)))
                .collect(),
        )
    }
}

/// Keeps the lowest `width` bits.
pub(in crate::passes) fn wrap(value: i64, width: u32) -> i64 {
    match width {
        1 => value & 1,
        2..64 => (value << (64 - width)) >> (64 - width),
        _ => value,
    }
}

/// The number that a kept value stands for where it has a sign: a single bit is its own sign.
fn signed(value: i64, width: u32) -> i64 {
    if width == 1 { -value } else { value }
}

fn unsigned(value: i64, width: u32) -> u64 {
    if width >= 64 {
        value as u64
    } else {
        value as u64 & ((1 << width) - 1)
    }
}

#[derive(Clone, Copy, Debug)]
pub(in crate::passes) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A function of numbers.
#[derive(Clone, Copy, Debug)]
pub(in crate::passes) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide { signed: bool },
    Remainder { signed: bool },
    Min { signed: bool },
    Max { signed: bool },
    And,
    Or,
    Xor,
    Not,
    Select,
    Forward { signed: bool },
    Compare(Comparison, bool),
}

impl Operation {
    /// What an op computes of its operands; nothing for other ops.
    pub(in crate::passes) fn of(op: Op) -> Option<Self> {
        use Operation::*;
        // StableHLO's integers say in their type whether they have a sign; its `i1` are truth values, which it adds by
        // "or".
        let is_truth = || op.num_operands() > 0 && op.operand(0).ty().element().integer_width() == Some(1);
        let signed = || {
            op.num_operands() > 0 && !is_truth() && !op.operand(0).ty().element().to_text().starts_with('u')
        };
        Some(match op.name() {
            "stablehlo.add" if is_truth() => Or,
            "arith.addi" | "index.add" | "stablehlo.add" => Add,
            "arith.subi" | "index.sub" | "stablehlo.subtract" => Subtract,
            "arith.muli" | "index.mul" | "stablehlo.multiply" => Multiply,
            "arith.divui" | "index.divu" => Divide { signed: false },
            "arith.divsi" | "index.divs" => Divide { signed: true },
            "arith.remui" | "index.remu" => Remainder { signed: false },
            "arith.remsi" | "index.rems" => Remainder { signed: true },
            "stablehlo.divide" => Divide { signed: signed() },
            "stablehlo.remainder" => Remainder { signed: signed() },
            "arith.minui" => Min { signed: false },
            "arith.minsi" => Min { signed: true },
            "arith.maxui" => Max { signed: false },
            "arith.maxsi" => Max { signed: true },
            "arith.andi" | "stablehlo.and" => And,
            "arith.ori" | "stablehlo.or" => Or,
            "arith.xori" | "stablehlo.xor" => Xor,
            "stablehlo.not" => Not,
            "arith.select" | "stablehlo.select" => Select,
            "arith.index_cast" | "arith.extsi" | "arith.trunci" | "index.casts" => Forward { signed: true },
            "arith.index_castui" | "arith.extui" | "index.castu" => Forward { signed: false },
            "stablehlo.convert" => Forward { signed: signed() },
            "stablehlo.reshape" | "tensor.extract" if op.num_operands() == 1 => Forward { signed: true },
            "arith.cmpi" => {
                let (comparison, signed) = predicate(op.attr("predicate")?.as_i64()?)?;
                Compare(comparison, signed)
            }
            "stablehlo.compare" => {
                let direction = op.attr("comparison_direction")?.to_text();
                let names = ["EQ", "NE", "LT", "LE", "GT", "GE"];
                let index = names.iter().position(|name| direction.contains(name))?;
                Compare(predicate(index as i64)?.0, signed())
            }
            _ => return None,
        })
    }

    /// The result before it is cut to its width; nothing where the operation has none (a division by zero).
    pub(in crate::passes) fn apply(self, values: &[i64], width: u32) -> Option<i64> {
        use Operation::*;
        let two = || Some((*values.first()?, *values.get(1)?));
        let bits = |value: i64| unsigned(value, width);
        let number = |value: i64| signed(value, width);
        let less = |a: i64, b: i64, signed: bool| {
            if signed {
                number(a) < number(b)
            } else {
                bits(a) < bits(b)
            }
        };
        Some(match self {
            Add => two().map(|(a, b)| a.wrapping_add(b))?,
            Subtract => two().map(|(a, b)| a.wrapping_sub(b))?,
            Multiply => two().map(|(a, b)| a.wrapping_mul(b))?,
            Divide { signed: true } => two().and_then(|(a, b)| number(a).checked_div(number(b)))?,
            Divide { signed: false } => two().and_then(|(a, b)| bits(a).checked_div(bits(b)))? as i64,
            Remainder { signed: true } => two().and_then(|(a, b)| number(a).checked_rem(number(b)))?,
            Remainder { signed: false } => two().and_then(|(a, b)| bits(a).checked_rem(bits(b)))? as i64,
            Min { signed } => two().map(|(a, b)| if less(b, a, signed) { b } else { a })?,
            Max { signed } => two().map(|(a, b)| if less(a, b, signed) { b } else { a })?,
            And => two().map(|(a, b)| a & b)?,
            Or => two().map(|(a, b)| a | b)?,
            Xor => two().map(|(a, b)| a ^ b)?,
            Not => !*values.first()?,
            Select => *values.get(if *values.first()? == 0 { 2 } else { 1 })?,
            Forward { signed: true } => number(*values.first()?),
            Forward { signed: false } => bits(*values.first()?) as i64,
            Compare(comparison, signed) => {
                let (a, b) = two()?;
                i64::from(match comparison {
                    Comparison::Equal => a == b,
                    Comparison::NotEqual => a != b,
                    Comparison::Less => less(a, b, signed),
                    Comparison::LessOrEqual => !less(b, a, signed),
                    Comparison::Greater => less(b, a, signed),
                    Comparison::GreaterOrEqual => !less(a, b, signed),
                })
            }
        })
    }
}

/// Predicates in the numbering of `arith.cmpi`, and whether they compare signed numbers.
fn predicate(number: i64) -> Option<(Comparison, bool)> {
    use Comparison::*;
    Some(match number {
        0 => (Equal, true),
        1 => (NotEqual, true),
        2 => (Less, true),
        3 => (LessOrEqual, true),
        4 => (Greater, true),
        5 => (GreaterOrEqual, true),
        6 => (Less, false),
        7 => (LessOrEqual, false),
        8 => (Greater, false),
        9 => (GreaterOrEqual, false),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Operation, wrap};

    #[test]
    fn integers_wrap_at_their_width() {
        assert_eq!(wrap(-1, 1), 1);
        assert_eq!(wrap(255, 8), -1);
        assert_eq!(wrap(127, 8), 127);
        assert_eq!(wrap(i64::MIN, 64), i64::MIN);
    }

    #[test]
    fn a_single_bit_is_its_own_sign() {
        assert_eq!(Operation::Forward { signed: true }.apply(&[1], 1), Some(-1));
        assert_eq!(Operation::Forward { signed: false }.apply(&[1], 1), Some(1));
        let less = |signed| Operation::Compare(Comparison::Less, signed).apply(&[1, 0], 1);
        assert_eq!((less(true), less(false)), (Some(1), Some(0)));
        assert_eq!(Operation::Max { signed: true }.apply(&[1, 0], 1), Some(0));
    }

    #[test]
    fn unsigned_operations_see_the_bits_of_the_width() {
        assert_eq!(Operation::Divide { signed: false }.apply(&[-1, 16], 8), Some(15));
        assert_eq!(
            Operation::Compare(Comparison::Less, false).apply(&[-1, 1], 8),
            Some(0)
        );
        assert_eq!(
            Operation::Compare(Comparison::Less, true).apply(&[-1, 1], 8),
            Some(1)
        );
        assert_eq!(Operation::Remainder { signed: true }.apply(&[5, 0], 64), None);
        assert_eq!(
            Operation::Divide { signed: true }.apply(&[i64::MIN, -1], 64),
            None
        );
    }
}
