// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Embedding: builds a module in Rust, schedules it, and reads the order back.
//!
//! Two layers of a sharded model are gathered in the order of their declaration, all at the head; the second one is
//! declared first. `comm-sort` puts each gather before its consumer, two ahead.
//!
//! ```text
//! cargo run --example embed
//! ```

use melior::{
    Context,
    dialect::func,
    ir::{
        Attribute, Block, BlockLike, Identifier, Location, Module, Region, RegionLike, Type, Value,
        attribute::{DenseI64ArrayAttribute, StringAttribute, TypeAttribute},
        block::BlockArgument,
        operation::{OperationBuilder, OperationLike},
        r#type::FunctionType,
    },
    pass::PassManager,
};
use mlir_comm::{
    dialect,
    ods::comm,
    passes::{self, SortOptions},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = mlir_comm::context();
    let mut module = build(&context)?;
    println!("before: {}", order(&module).join(" "));

    let manager = PassManager::new(&context);
    let functions = manager.nested_under("func.func");
    functions.add_pass(passes::asyncify());
    functions.add_pass(passes::sort(&SortOptions {
        max_in_flight: 2,
        ..Default::default()
    }));
    functions.add_pass(passes::verify_futures());
    manager.run(&mut module)?;
    println!("after:  {}", order(&module).join(" "));
    Ok(())
}

/// `y = relu(relu(x * gathered(w1)) * gathered(w2))` with the gathers in the wrong order, over four devices.
fn build(context: &Context) -> Result<Module<'_>, Box<dyn std::error::Error>> {
    let location = Location::unknown(context);
    let parse = |text| Type::parse(context, text).ok_or(format!("no type: {text}"));
    let (activation, shard, weight) = (
        parse("tensor<4x8xf32>")?,
        parse("tensor<2x8xf32>")?,
        parse("tensor<8x8xf32>")?,
    );

    let block = Block::new(&[(activation, location), (shard, location), (shard, location)]);
    let argument = |index| -> Result<Value, melior::Error> { Ok(block.argument(index)?.into()) };
    let mut gathered = Vec::new();
    for index in [1, 2] {
        let gather = comm::AllGatherOperation::builder(context, location)
            .results(&[weight])
            .inputs(&[argument(index)?])
            .dims(DenseI64ArrayAttribute::new(context, &[0]).into())
            .groups(dialect::groups(location, &[&[0, 1, 2, 3]]).ok_or("groups differ in size")?)
            .build();
        gathered.push(block.append_operation(gather.into()).result(0)?);
    }
    let mut value = argument(0)?;
    for (layer, weight) in gathered.iter().rev().enumerate() {
        let product = OperationBuilder::new("model.matmul", location)
            .add_operands(&[value, (*weight).into()])
            .add_results(&[activation])
            .add_attributes(&[
                (Identifier::new(context, "comm.pure"), Attribute::unit(context)),
                (
                    Identifier::new(context, "layer"),
                    StringAttribute::new(context, &layer.to_string()).into(),
                ),
            ])
            .build()?;
        value = block.append_operation(product).result(0)?.into();
    }
    block.append_operation(func::r#return(&[value], location));

    let region = Region::new();
    region.append_block(block);
    let module = Module::new(location);
    module.body().append_operation(func::func(
        context,
        StringAttribute::new(context, "forward"),
        TypeAttribute::new(FunctionType::new(context, &[activation, shard, shard], &[activation]).into()),
        region,
        &[],
        location,
    ));
    if !module.as_operation().verify() {
        return Err("the module does not verify".into());
    }
    Ok(module)
}

/// The function's ops in order: names, and of gathers the argument that they gather.
fn order(module: &Module) -> Vec<String> {
    let mut names = Vec::new();
    let Some(function) = module.body().first_operation() else {
        return names;
    };
    let Ok(region) = function.region(0) else {
        return names;
    };
    let mut next = region.first_block().and_then(|block| block.first_operation());
    while let Some(op) = next {
        let name = op.name().as_string_ref().as_str().unwrap_or("?").to_owned();
        let gathered = op
            .operand(0)
            .ok()
            .and_then(|operand| BlockArgument::try_from(operand).ok());
        names.push(match gathered {
            Some(shard) if name == "comm.all_gather" => format!("{name}(arg{})", shard.argument_number()),
            _ => name,
        });
        next = op.next_in_block();
    }
    names
}
