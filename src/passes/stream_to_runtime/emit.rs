// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What the lowering shares over a module: declarations and texts, each made once, and the making of small ops at a place.
//!
//! Names that this pass adds begin with `comm_rt_` (functions of the run-time) or `comm_lowered_` (all others).

use std::collections::{BTreeMap, BTreeSet};

use mlir_sys::{MlirContext, MlirLocation};

use crate::mlir::{Attr, Failed, Op, OpBuilder, PassResult, Ty, Value, append_parsed};

/// A module on its way to the run-time.
pub(super) struct Lowering {
    pub(super) module: Op,
    pub(super) context: MlirContext,
    /// Whether computation of a device's own thread is marked for traces.
    pub(super) trace: bool,
    /// Globals by their text.
    globals: BTreeMap<String, String>,
    declared: BTreeSet<String>,
    /// Names of symbols that may not be used again.
    pub(super) symbols: BTreeSet<String>,
}

impl Lowering {
    pub(super) fn new(module: Op, trace: bool) -> Self {
        let symbols = module
            .blocks()
            .flat_map(|block| block.ops())
            .filter_map(Op::symbol_name);
        Self {
            module,
            context: module.context(),
            trace,
            globals: BTreeMap::new(),
            declared: BTreeSet::new(),
            symbols: symbols.collect(),
        }
    }

    /// A name that no symbol of the module has yet.
    pub(super) fn fresh_symbol(&mut self, stem: &str) -> String {
        let numbered = (0..).map(|number| format!("{stem}_{number}"));
        let mut free = numbered.filter(|name| !self.symbols.contains(name));
        let name = free.next().unwrap_or_default();
        self.symbols.insert(name.clone());
        name
    }

    /// Adds those symbols of a text in MLIR's syntax that were not added before. Fails, after an error, where the module has
    /// one of its own of such a name; memory alone is the C library's, whoever declares it.
    pub(super) fn declare(&mut self, text: &str) -> PassResult {
        let Self {
            module,
            declared,
            symbols,
            ..
        } = self;
        let mut taken = None;
        append_parsed(*module, text, |name| {
            let is_theirs = symbols.contains(name);
            if is_theirs && !matches!(name, "calloc" | "free") {
                taken = Some(name.to_owned());
            }
            !is_theirs && declared.insert(name.to_owned())
        })?;
        let Some(name) = taken else { return Ok(()) };
        let mut ops = module.blocks().flat_map(|block| block.ops());
        let op = ops
            .find(|op| op.symbol_name().as_ref() == Some(&name))
            .unwrap_or(*module);
        let message = format!("has the name '{name}', which the lowering to the run-time needs");
        Err(crate::diagnostics::op_error(op, &message))
    }

    /// Whether a symbol was added.
    pub(super) fn has_declared(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    /// The name of a constant global of this type and value, made once.
    fn global(&mut self, stem: &str, ty: &str, value: &str) -> PassResult<String> {
        let text = format!("({value}) : {ty}");
        if let Some(name) = self.globals.get(&text) {
            return Ok(name.clone());
        }
        let name = self.fresh_symbol(stem);
        let definition = format!("llvm.mlir.global internal constant @{name}{text}");
        append_parsed(self.module, &definition, |_| true)?;
        self.globals.insert(text, name.clone());
        Ok(name)
    }
}

/// Makes ops directly before an op, at its location.
pub(super) struct Emit<'l> {
    pub(super) lowering: &'l mut Lowering,
    pub(super) before: Op,
    pub(super) location: MlirLocation,
}

impl<'l> Emit<'l> {
    pub(super) fn new(lowering: &'l mut Lowering, before: Op) -> Self {
        Self {
            lowering,
            before,
            location: before.location(),
        }
    }

    pub(super) fn context(&self) -> MlirContext {
        self.lowering.context
    }

    pub(super) fn pointer(&self) -> PassResult<Ty> {
        Ty::parse(self.context(), "!llvm.ptr").ok_or(Failed)
    }

    pub(super) fn i64_type(&self) -> Ty {
        Ty::integer(self.context(), 64)
    }

    pub(super) fn i32_type(&self) -> Ty {
        Ty::integer(self.context(), 32)
    }

    /// Makes an op of one result.
    pub(super) fn value(&self, op: OpBuilder, ty: Ty) -> PassResult<Value> {
        Ok(op.results([ty]).insert_before(self.before)?.result(0))
    }

    pub(super) fn builder(&self, name: &str) -> OpBuilder {
        OpBuilder::new(name, self.location)
    }

    pub(super) fn constant(&self, ty: Ty, value: i64) -> PassResult<Value> {
        let value = Attr::integer(ty, value).ok_or(Failed)?;
        self.value(self.builder("arith.constant").attr("value", value), ty)
    }

    pub(super) fn i64(&self, value: i64) -> PassResult<Value> {
        self.constant(self.i64_type(), value)
    }

    pub(super) fn i32(&self, value: i32) -> PassResult<Value> {
        self.constant(self.i32_type(), i64::from(value))
    }

    pub(super) fn index(&self, value: i64) -> PassResult<Value> {
        self.constant(Ty::index(self.context()), value)
    }

    /// An index as 64 bits, or the other way round.
    pub(super) fn index_cast(&self, value: Value, ty: Ty) -> PassResult<Value> {
        self.value(self.builder("arith.index_cast").operands([value]), ty)
    }

    pub(super) fn index_to_i64(&self, value: Value) -> PassResult<Value> {
        self.index_cast(value, self.i64_type())
    }

    pub(super) fn binary(&self, name: &str, left: Value, right: Value) -> PassResult<Value> {
        self.value(self.builder(name).operands([left, right]), left.ty())
    }

    pub(super) fn null(&self) -> PassResult<Value> {
        self.value(self.builder("llvm.mlir.zero"), self.pointer()?)
    }

    /// The address `bytes` after another.
    pub(super) fn address(&self, base: Value, bytes: i64) -> PassResult<Value> {
        if bytes == 0 {
            return Ok(base);
        }
        let constant = i32::try_from(bytes).map_err(|_| Failed)?;
        let byte = Attr::parse(self.context(), "i8").ok_or(Failed)?;
        let op = self
            .builder("llvm.getelementptr")
            .operands([base])
            .attr("rawConstantIndices", Attr::i32_array(self.context(), &[constant]))
            .attr("elem_type", byte);
        self.value(op, self.pointer()?)
    }

    /// Stores a value `bytes` after an address.
    pub(super) fn store(&self, value: Value, base: Value, bytes: i64) -> PassResult {
        let address = self.address(base, bytes)?;
        self.builder("llvm.store")
            .operands([value, address])
            .insert_before(self.before)?;
        Ok(())
    }

    pub(super) fn load(&self, ty: Ty, base: Value, bytes: i64) -> PassResult<Value> {
        let address = self.address(base, bytes)?;
        self.value(self.builder("llvm.load").operands([address]), ty)
    }

    pub(super) fn cast(&self, value: Value, ty: Ty) -> PassResult<Value> {
        self.value(
            self.builder("builtin.unrealized_conversion_cast")
                .operands([value]),
            ty,
        )
    }

    /// Calls a function that is declared already.
    pub(super) fn call_declared(&self, name: &str, arguments: &[Value], results: &[Ty]) -> PassResult<Op> {
        let callee = Attr::parse(self.context(), &format!("@{name}")).ok_or(Failed)?;
        self.builder("func.call")
            .operands(arguments.iter().copied())
            .results(results.iter().copied())
            .attr("callee", callee)
            .insert_before(self.before)
    }

    /// Calls a function of the run-time, declared by the types of its arguments, and gives its result.
    pub(super) fn call(&mut self, name: &str, arguments: &[Value], result: Ty) -> PassResult<Value> {
        if !self.lowering.has_declared(name) {
            let types: Vec<String> = arguments.iter().map(|value| value.ty().to_text()).collect();
            let text = format!(
                "func.func private @{name}({}) -> {}",
                types.join(", "),
                result.to_text()
            );
            self.lowering.declare(&text)?;
        }
        Ok(self.call_declared(name, arguments, &[result])?.result(0))
    }

    /// As above, for a function that returns a status, which nobody looks at: a failure is final and reported.
    pub(super) fn issue(&mut self, name: &str, arguments: &[Value]) -> PassResult {
        self.call(name, arguments, self.i32_type()).map(drop)
    }

    fn address_of(&mut self, global: &str) -> PassResult<Value> {
        let name = Attr::parse(self.context(), &format!("@{global}")).ok_or(Failed)?;
        self.value(
            self.builder("llvm.mlir.addressof").attr("global_name", name),
            self.pointer()?,
        )
    }

    /// The address of a text that ends with a zero; null for an empty one.
    pub(super) fn text(&mut self, text: &str) -> PassResult<Value> {
        if text.is_empty() {
            return self.null();
        }
        let escaped: String = text
            .bytes()
            .map(|byte| match byte {
                b'"' | b'\\' => format!("\\{byte:02X}"),
                b' '..=b'~' => char::from(byte).to_string(),
                _ => format!("\\{byte:02X}"),
            })
            .collect();
        let ty = format!("!llvm.array<{} x i8>", text.len() + 1);
        let global = self
            .lowering
            .global("comm_lowered_text", &ty, &format!("\"{escaped}\\00\""))?;
        self.address_of(&global)
    }

    /// The address of the location of the op before which ops are made, as a text.
    pub(super) fn location_text(&mut self) -> PassResult<Value> {
        self.text(&crate::mlir::location_text(self.before))
    }

    /// The address of an array of numbers; null for an empty one.
    pub(super) fn numbers(&mut self, numbers: &[i64]) -> PassResult<Value> {
        if numbers.is_empty() {
            return self.null();
        }
        let count = numbers.len();
        let global = self.lowering.global(
            "comm_lowered_numbers",
            &format!("!llvm.array<{count} x i64>"),
            &format!("dense<{numbers:?}> : tensor<{count}xi64>"),
        )?;
        self.address_of(&global)
    }
}
