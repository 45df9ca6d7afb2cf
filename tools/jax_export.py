#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a JAX function in the form that comm-opt reads: the program of one device, in MLIR's generic form.

JAX prints a shard_map as an op of the dialect `sdy` with the per-device program in a region. To a tool that does not know
`sdy` that op is an unknown symbol table, so every call in the region fails to verify. `to_local` moves the region into
`@main`, whose arguments and results take their per-device types, and keeps what would be lost as string attributes
(`jax.mesh` on the module; `jax.in_shardings`, `jax.out_shardings` and `jax.manual_axes` on the function).

    from jax_export import export
    export(train_step, params, batch, path="step.mlir")

`export` needs JAX; `to_local`, and this file as a program, are plain text processing:

    python3 tools/jax_export.py whole.generic.mlir -o step.mlir

Invariant: the ops of the program, their order and their attributes are unchanged; values are renamed. A program that has
no per-device form (ops outside shard_map, mesh axes left to the partitioner, resharding between two shard_maps) is
refused, never approximated.
"""

import argparse
import re
import sys
from collections import ChainMap
from dataclasses import dataclass, replace

from mlir_generic import Block, Names, braced, dictionary, parse, split, to_text


class ExportError(ValueError):
    """The program cannot be written as the program of one device."""


@dataclass
class _Local:
    """What a value of the whole program is on one device."""

    name: str
    type: str
    sharding: str


def _inside(text, start, end, what):
    """What stands between two fixed texts."""
    if not (text.startswith(start) and text.endswith(end)):
        raise ExportError(f"expected {what} as `{start}...{end}`, found `{text[:80]}`")
    return text[len(start) : len(text) - len(end)]


def _only_block(op):
    blocks = [block for region in op.regions for block in region]
    if len(blocks) != 1:
        raise ExportError(f"expected one block in {op.name}, found {len(blocks)}")
    return blocks[0]


def _shardings(op, key):
    return split(_inside(op.properties.get(key, ""), "#sdy.sharding_per_value<[", "]>", key))


def _result_types(op):
    types = op.type.split(" -> ", 1)[1]
    return split(types[1:-1]) if types.startswith("(") else [types]


def _string(text):
    """A string attribute, escaped as MLIR prints it."""
    return '"' + text.replace("\\", "\\\\").replace('"', "\\22") + '"'


def _kept_attributes(text):
    """A list of argument or result attributes without shardings, which speak of whole tensors; None if nothing is left."""
    lists = [dictionary(entry[1:-1]) for entry in split(text[1:-1])]
    kept = [{k: v for k, v in entry.items() if k not in ("sdy.sharding", "mhlo.sharding")} for entry in lists]
    return "[" + ", ".join(map(braced, kept)) + "]" if any(kept) else None


class _Localiser:
    """Rewrites @main. Each value of the whole program that is met gets its per-device name, type and sharding."""

    def __init__(self, meshes):
        self.meshes = meshes
        self.names = Names()
        self.locals = {}
        self.body = []
        self.mesh = None
        self.manual_axes = None

    def main(self, function):
        block = _only_block(function)
        arguments = [(old, self.names.argument(), type_) for old, type_ in block.arguments]
        self.arguments = {old: new for old, new, _ in arguments}
        returned = None
        for op in block.ops:
            if op.name == "sdy.manual_computation":
                self.shard_map(op)
            elif op.name == "stablehlo.constant":
                self.constant(op)
            elif op.name == "func.return":
                returned = op
            else:
                raise ExportError(
                    f"expected only shard_map in @main, found {op.name}: what stands outside shard_map is divided among "
                    "the devices by XLA's partitioner alone; make shard_map the outermost transformation"
                )
        if self.mesh is None:
            raise ExportError(
                "no sdy.manual_computation in @main: without shard_map collectives appear only after XLA's partitioner "
                "(with shard_map: leave jax_use_shardy_partitioner on)"
            )
        outputs = [self.output(value) for value in returned.operands]
        inputs = [self.locals.get(old, _Local(new, type_, f"<@{self.mesh}, []>")) for old, new, type_ in arguments]
        self.body.append(
            replace(
                returned,
                operands=[output.name for output in outputs],
                type=f"({', '.join(output.type for output in outputs)}) -> ()",
            )
        )
        properties = {}
        for key, value in function.properties.items():
            if key == "function_type":
                value = _function_type(inputs, outputs)
            elif key in ("arg_attrs", "res_attrs"):
                value = _kept_attributes(value)
                if value is None:
                    continue
            properties[key] = value
        attributes = function.attributes | {
            "jax.in_shardings": self.per_value(inputs),
            "jax.manual_axes": _string(self.manual_axes),
            "jax.out_shardings": self.per_value(outputs),
        }
        entry = Block("^bb0" if inputs else "", [(value.name, value.type) for value in inputs], self.body)
        return replace(function, properties=properties, attributes=attributes, regions=[[entry]])

    def per_value(self, values):
        return _string("#sdy.sharding_per_value<[" + ", ".join(value.sharding for value in values) + "]>")

    def output(self, value):
        if value not in self.locals:
            raise ExportError(f"@main returns {value}, which no shard_map takes or makes")
        return self.locals[value]

    def constant(self, op):
        """A constant has no place: each device has the whole of it."""
        copy = self.names.op(op, ChainMap())
        self.body.append(copy)
        self.locals[op.results] = _Local(copy.results, _result_types(op)[0], None)

    def shard_map(self, op):
        self.check_axes(op)
        inner = _only_block(op)
        known = ChainMap()
        operands = zip(op.operands, inner.arguments, _shardings(op, "in_shardings"), strict=True)
        for operand, (argument, type_), sharding in operands:
            known[argument] = self.operand(operand, type_, sharding).name
        *ops, end = inner.ops
        for inner_op in ops:
            _refuse_sdy(inner_op)
            self.body.append(self.names.op(inner_op, known))
        types = split(_inside(end.type, "(", ") -> ()", "the type of sdy.return"))
        results, colon, _ = op.results.partition(":")
        outs = zip(end.operands, types, _shardings(op, "out_shardings"), strict=True)
        for index, (value, type_, sharding) in enumerate(outs):
            use = f"{results}#{index}" if colon else results
            if value not in known:
                raise ExportError(f"sdy.return uses {value}, which is not defined before it")
            self.locals[use] = _Local(known[value], type_, sharding)

    def operand(self, value, type_, sharding):
        """What a shard_map sees of a value. All shard_maps must see the same."""
        if value in self.arguments and value not in self.locals:
            self.locals[value] = _Local(self.arguments[value], type_, sharding)
        if value not in self.locals:
            raise ExportError(f"sdy.manual_computation uses {value}, which is not defined before it")
        local = self.locals[value]
        if local.sharding is None:  # a constant
            local = replace(local, sharding=sharding)
        if (local.type, local.sharding) != (type_, sharding):
            raise ExportError(
                f"{value} is {local.type} under {local.sharding} in one place and {type_} under {sharding} in another: "
                "the resharding between them is made by XLA's partitioner alone"
            )
        return local

    def check_axes(self, op):
        """All axes of the mesh must be manual: along another the region still has whole tensors."""
        mesh = re.search(r"<@([\w.]+),", "".join(_shardings(op, "in_shardings") + _shardings(op, "out_shardings")))
        if not mesh or mesh.group(1) not in self.meshes:
            raise ExportError("the shardings of sdy.manual_computation name no mesh of the module")
        axes = re.findall(r'"([^"]+)"=(\d+)', self.meshes[mesh.group(1)])
        manual = op.properties.get("manual_axes", "")
        left = [axis for axis, size in axes if int(size) > 1 and f'"{axis}"' not in manual]
        if left:
            raise ExportError(
                f"shard_map leaves the mesh axes {', '.join(left)} to XLA's partitioner: name them in axis_names too"
            )
        self.mesh = mesh.group(1)
        self.manual_axes = manual


def _refuse_sdy(op):
    if op.name.startswith("sdy."):
        raise ExportError(f"expected no op of sdy inside shard_map, found {op.name}")
    for child in op.children:
        _refuse_sdy(child)


def _function_type(inputs, outputs):
    ins = ", ".join(value.type for value in inputs)
    outs = ", ".join(value.type for value in outputs)
    return f"({ins}) -> {outs if len(outputs) == 1 else f'({outs})'}"


def to_local(text):
    """From JAX's module in generic form to the program of one device, as text."""
    module = parse(text)
    meshes = {op.properties["sym_name"].strip('"'): op.properties["mesh"] for op in module.children if op.name == "sdy.mesh"}
    localiser = _Localiser(meshes)
    ops, found = [], False
    for op in module.children:
        if op.properties.get("sym_name") == '"main"':
            op, found = localiser.main(op), True
        if op.name != "sdy.mesh":
            ops.append(op)
    if not found:
        raise ExportError("the module has no function @main")
    attributes = {"jax.mesh": _string(meshes[localiser.mesh])} | module.attributes
    return to_text(replace(module, attributes=attributes, regions=[[Block("", [], ops)]]))


def export(fn, *args, path=None, **kwargs):
    """Lowers `fn` for these arguments (arrays or `jax.ShapeDtypeStruct`) and returns the program of one device as text;
    writes it to `path` if given. `fn` is a function, or what `jax.jit` made of one, whose outermost transformation is
    `jax.shard_map` over all axes of its mesh."""
    import jax

    lowered = (fn if hasattr(fn, "lower") else jax.jit(fn)).lower(*args, **kwargs)
    module = lowered.compiler_ir("stablehlo")
    text = to_local(module.operation.get_asm(print_generic_op_form=True, enable_debug_info=False))
    if path is not None:
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
    return text


def main():
    parser = argparse.ArgumentParser(description="From JAX's generic form to the program of one device.")
    parser.add_argument("input", help="a module as JAX prints it in generic form; - is standard input")
    parser.add_argument("-o", "--output", default="-", help="where the program goes; - is standard output")
    options = parser.parse_args()
    try:
        if options.input == "-":
            text = sys.stdin.read()
        else:
            with open(options.input, encoding="utf-8") as source:
                text = source.read()
        text = to_local(text)
    except (OSError, ValueError) as error:
        sys.exit(f"jax_export: {options.input}: {error}")
    if options.output == "-":
        sys.stdout.write(text)
    else:
        with open(options.output, "w", encoding="utf-8") as out:
            out.write(text)


if __name__ == "__main__":
    main()
