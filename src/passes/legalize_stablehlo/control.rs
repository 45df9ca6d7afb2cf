// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Loops, branches and what only hands values on.
//!
//! Tensors of rank 0 are carried through loops and out of branches as scalars, so that a counter takes no memory. Other
//! tensors that a loop carries are copied into the memory of its argument at the end of each trip: one-shot bufferization
//! asks for that, unless new memory may be allocated in every trip. What a loop hands on from another of its arguments is
//! copied aside first, so that nothing is overwritten that is yet to be read.

use super::{
    Translator, counted,
    emit::At,
    foreign,
    types::{self, Number},
};
use crate::{
    collective, diagnostics,
    mlir::{Attr, Block, Op, PassResult, Ty, Value},
};

/// Translates an op of control flow; nothing for another one.
pub(super) fn translate(
    translator: &mut Translator,
    op: Op,
    name: &str,
    at: At,
) -> Option<PassResult<Vec<Value>>> {
    Some(match name {
        "while" => repeat(translator, op, at),
        "if" => branch(translator, op, at, Number::Bool),
        "case" => branch(translator, op, at, Number::Signed(32)),
        "optimization_barrier" => identity(translator, op),
        "composite" => composite(translator, op, at),
        "custom_call" => custom_call(translator, op),
        _ => return None,
    })
}

/// The type in which a value is carried.
fn carried_type(value: Value) -> Ty {
    let ty = types::converted(value.ty());
    if ty.rank() == Some(0) { ty.element() } else { ty }
}

/// A value as it is carried.
fn pack(at: At, value: Value) -> PassResult<Value> {
    match value.ty().rank() {
        Some(0) => at.scalar(value),
        _ => Ok(value),
    }
}

/// What is carried, as values of the types of old ones.
fn unpack(at: At, carried: &[Value], old: &[Value]) -> PassResult<Vec<Value>> {
    carried
        .iter()
        .zip(old)
        .map(|(&value, old)| match old.ty().rank() {
            Some(0) => at.fill(value, types::converted(old.ty())),
            _ => Ok(value),
        })
        .collect()
}

/// What a loop's body gives to the next trip.
fn hand_on(at: At, arguments: &[Value], values: &[Value]) -> PassResult<Vec<Value>> {
    let mut values: Vec<Value> = values
        .iter()
        .map(|&value| pack(at, value))
        .collect::<PassResult<_>>()?;
    let is_tensor = |value: Value| value.ty().is_ranked_tensor();
    // Copies aside come before all copies into arguments.
    for (value, &argument) in values.iter_mut().zip(arguments) {
        if is_tensor(*value) && *value != argument && may_share(*value, arguments, argument) {
            *value = at.copy(*value)?;
        }
    }
    values
        .into_iter()
        .zip(arguments)
        .map(|(value, &argument)| match is_tensor(value) && value != argument {
            true => at.copy_into(value, argument),
            false => Ok(value),
        })
        .collect()
}

/// Whether a value may be in the memory of an argument other than its own: it is one, or a view of one, or comes from an
/// op with regions or a call.
fn may_share(value: Value, arguments: &[Value], own: Value) -> bool {
    let mut value = value;
    loop {
        if arguments.contains(&value) {
            return value != own;
        }
        let Some(op) = value.defining_op() else {
            return true;
        };
        match op.name() {
            "tensor.expand_shape" | "tensor.collapse_shape" | "tensor.extract_slice" | "tensor.cast" => {
                value = op.operand(0);
            }
            "tensor.insert_slice" | "bufferization.materialize_in_destination" => value = op.operand(1),
            // Of a structured op, each result may be in the memory of its own output.
            name if name.starts_with("linalg.") => {
                value = op.operand(op.num_operands() - op.num_results() + value.index());
            }
            "tensor.from_elements" | "bufferization.alloc_tensor" | "comm.wait" => return false,
            name if collective::kind_of_name(name).is_some() => return false,
            _ => return op.num_operands() > 0,
        }
    }
}

/// Two regions of one block, with arguments of the operands' types.
fn loop_blocks(translator: &Translator, op: Op) -> PassResult<[Block; 2]> {
    let malformed = || {
        diagnostics::op_error(
            op,
            "expects two regions of one block, with arguments, and results, of its operands' types",
        )
    };
    if op.num_regions() != 2 || !op.operands().map(Value::ty).eq(op.results().map(Value::ty)) {
        return Err(malformed());
    }
    let mut blocks = Vec::with_capacity(2);
    for region in 0..2 {
        let block = translator.single_block(op, region)?.ok_or_else(malformed)?;
        if !block.arguments().map(Value::ty).eq(op.operands().map(Value::ty)) {
            return Err(malformed());
        }
        blocks.push(block);
    }
    Ok([blocks[0], blocks[1]])
}

fn repeat(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let [condition, body] = loop_blocks(translator, op)?;
    if let Some(counter) = counted::counter(op) {
        return repeat_counted(translator, op, at, body, &counter);
    }
    let old: Vec<Value> = op.operands().collect();
    let initial: Vec<Value> = translator
        .operands(op)?
        .into_iter()
        .map(|value| pack(at, value))
        .collect::<PassResult<_>>()?;
    let carried: Vec<Ty> = old.iter().map(|value| carried_type(*value)).collect();
    let new = at
        .builder("scf.while")
        .operands(initial)
        .results(carried.iter().copied())
        .region(&carried, |block| {
            let at = at.inside(block);
            let arguments: Vec<Value> = block.arguments().collect();
            let values = unpack(at, &arguments, &old)?;
            let flags = translator.returned(condition, at, &values)?;
            if flags.len() != 1 || flags[0].ty().rank() != Some(0) || !is_bool(flags[0]) {
                return Err(diagnostics::op_error(
                    op,
                    "expects a condition of type tensor<i1>",
                ));
            }
            let flag = at.scalar(flags[0])?;
            let operands: Vec<Value> = std::iter::once(flag).chain(arguments).collect();
            at.end("scf.condition", &operands)
        })?
        .region(&carried, |block| {
            let at = at.inside(block);
            let arguments: Vec<Value> = block.arguments().collect();
            let values = unpack(at, &arguments, &old)?;
            let next = translator.returned(body, at, &values)?;
            expect_types(op, &next, &values)?;
            at.end("scf.yield", &hand_on(at, &arguments, &next)?)
        })?
        .append_to(at.block)?;
    let results: Vec<Value> = new.results().collect();
    unpack(at, &results, &old)
}

fn is_bool(value: Value) -> bool {
    Number::of(value.ty()) == Some(Number::Bool)
}

/// Fails unless values have the types of others.
fn expect_types(op: Op, values: &[Value], others: &[Value]) -> PassResult {
    let types = |values: &[Value]| values.iter().map(|value| value.ty()).collect::<Vec<Ty>>();
    if types(values) == types(others) {
        return Ok(());
    }
    Err(diagnostics::op_error(
        op,
        "has a region that returns values of other types than the op's",
    ))
}

/// A loop over a counter, which is carried no more.
fn repeat_counted(
    translator: &mut Translator,
    op: Op,
    at: At,
    body: Block,
    counter: &counted::Counter,
) -> PassResult<Vec<Value>> {
    let without = |values: Vec<Value>| -> Vec<Value> {
        let kept = values
            .into_iter()
            .enumerate()
            .filter(|(index, _)| *index != counter.argument);
        kept.map(|(_, value)| value).collect()
    };
    let ty = types::converted(op.operand(counter.argument).ty());
    let old = without(op.operands().collect());
    let initial: Vec<Value> = without(translator.operands(op)?)
        .into_iter()
        .map(|value| pack(at, value))
        .collect::<PassResult<_>>()?;
    let bounds = [
        at.index(counter.start)?,
        at.index(counter.limit)?,
        at.index(counter.step)?,
    ];
    let results = at.count(bounds, &initial, |at, index, arguments| {
        let scalar = at.make("arith.index_cast", &[index], ty.element())?;
        let mut values = unpack(at, arguments, &old)?;
        values.insert(counter.argument, at.fill(scalar, ty)?);
        let next = translator.returned(body, at, &values)?;
        expect_types(op, &next, &values)?;
        hand_on(at, arguments, &without(next))
    })?;
    let mut results = unpack(at, &results, &old)?;
    let end = at.integer(ty.element(), counter.end)?;
    results.insert(counter.argument, at.fill(end, ty)?);
    Ok(results)
}

/// `stablehlo.if` and `stablehlo.case`. A case out of bounds is the last one.
fn branch(translator: &mut Translator, op: Op, at: At, number: Number) -> PassResult<Vec<Value>> {
    let regions = op.num_regions();
    let two = number == Number::Bool;
    if op.num_operands() != 1
        || regions == 0
        || two && regions != 2
        || op.operand(0).ty().rank() != Some(0)
        || Number::of(op.operand(0).ty()) != Some(number)
    {
        return Err(diagnostics::op_error(
            op,
            if two {
                "expects a condition of type tensor<i1> and two regions"
            } else {
                "expects an index of type tensor<i32> and one region or more"
            },
        ));
    }
    let old: Vec<Value> = op.results().collect();
    let types: Vec<Ty> = old.iter().map(|value| carried_type(*value)).collect();
    let scalar = at.scalar(translator.operand(op, 0)?)?;
    let mut builder = if two {
        at.builder("scf.if").operands([scalar])
    } else {
        let index = at.to_index(scalar, number)?;
        let cases: Vec<i64> = (0..regions as i64 - 1).collect();
        at.builder("scf.index_switch")
            .operands([index])
            .attr("cases", Attr::i64_array(at.context(), &cases))
    };
    builder = builder.results(types.iter().copied());
    // The default of a switch comes first.
    let order: Vec<usize> = if two {
        vec![0, 1]
    } else {
        std::iter::once(regions - 1).chain(0..regions - 1).collect()
    };
    for region in order {
        let block = translator
            .single_block(op, region)?
            .filter(|block| block.arguments().len() == 0)
            .ok_or_else(|| diagnostics::op_error(op, "expects regions of one block without arguments"))?;
        builder = builder.region(&[], |new| {
            let at = at.inside(new);
            let values = translator.returned(block, at, &[])?;
            let fits = values
                .iter()
                .map(|value| value.ty())
                .eq(old.iter().map(|value| types::converted(value.ty())));
            if !fits {
                return Err(diagnostics::op_error(
                    op,
                    "has a region that returns values of other types than the op's",
                ));
            }
            let values: Vec<Value> = values
                .into_iter()
                .map(|value| pack(at, value))
                .collect::<PassResult<_>>()?;
            at.end("scf.yield", &values)
        })?;
    }
    let results: Vec<Value> = builder.append_to(at.block)?.results().collect();
    unpack(at, &results, &old)
}

/// Results are the operands.
pub(super) fn identity(translator: &Translator, op: Op) -> PassResult<Vec<Value>> {
    if op.num_regions() > 0 {
        return Err(diagnostics::op_error(op, "expects no region"));
    }
    translator.operands(op)
}

/// A call of the function that says what a composite op computes.
fn composite(translator: &mut Translator, op: Op, at: At) -> PassResult<Vec<Value>> {
    let callee = op.attr("decomposition").filter(|attr| attr.as_symbol().is_some());
    let callee = callee
        .ok_or_else(|| diagnostics::op_error(op, "expects the symbol of a function as 'decomposition'"))?;
    foreign::call(translator, op, at, callee)
}

/// Custom calls whose meaning is certain: an annotation of a sharding is none once a program is one device's.
fn custom_call(translator: &Translator, op: Op) -> PassResult<Vec<Value>> {
    let target = op.attr("call_target_name").and_then(Attr::as_str);
    if target == Some("Sharding") {
        return identity(translator, op);
    }
    Err(diagnostics::op_error(
        op,
        &format!(
            "calls '{}', whose meaning is not known here; expected a call that the import has taken away, or 'Sharding'",
            target.unwrap_or_default()
        ),
    ))
}
