#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turn a Lightning Thunder trace into IR of the `comm` dialect.

    thunder_to_comm.py TRACE.json[.gz] [-o OUT.mlir] [--world-size N]

Input: a trace as JSON, written by `dump_trace` below (docs/thunder.md has the format and an example). Output: one
`func.func`, named @forward or @backward after the trace's phase:

* what the trace unpacks, in its order, becomes the arguments;
* the start of a collective becomes `comm.all_gather`, `comm.reduce_scatter` or `comm.all_reduce` with a
  `!comm.future` result, its wait becomes `comm.wait ... keeping(...)`;
* the return becomes `return`; `del` statements, which only end a Python name, disappear;
* any other op becomes one op of the unregistered dialect `thunder`, marked `comm.pure` when OPERATIONS below lists it.
  An op that is not listed keeps its place: a pass takes it for one with side effects. A warning names it.

Every value keeps its Thunder name twice: as SSA name, and as location, which survives passes. To see it in what a pass
prints, add `--mlir-use-nameloc-as-prefix` to the command.

Invariants: the order of ops is the order of the trace; each Thunder op gives exactly one op; an error names the op that
cannot be represented, and nothing is dropped silently. Not done here: no scheduling, no simplification, and no numbers:
a trace does not hold the literal operands of its ops, so the IR is for scheduling, not for running.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

FORMAT = "thunder-trace-v1"

# What each op is to a scheduler, by the name it has in the IR (after the prefix `thunder.`). All of them are pure.
#   view   a new description of the same memory
#   cheap  moves or scales elements and computes nothing new: convert, scaling by a number, padding, packing, constants
#   real   computation
# `_scalar` stands for the form of a binary op whose other operand is a number.
OPERATIONS = {
    "expand": "view",
    "permute": "view",
    "reshape": "view",
    "split": "view",
    "squeeze": "view",
    "torch_prims_reshape_impl": "view",
    "torch_slice_prim_impl": "view",
    "transpose": "view",
    "unsqueeze": "view",
    "arange": "cheap",
    "cat": "cheap",
    "full": "cheap",
    "mul_scalar": "cheap",
    "to": "cheap",
    "torch_pad_prim_impl": "cheap",
    "true_divide_scalar": "cheap",
    "add": "real",
    "add_scalar": "real",
    "eq": "real",
    "eq_scalar": "real",
    "embedding": "real",
    "exp": "real",
    "ge": "real",
    "ge_scalar": "real",
    "linear": "real",
    "log_softmax": "real",
    "matmul": "real",
    "mul": "real",
    "ne": "real",
    "ne_scalar": "real",
    "neg": "real",
    "pow": "real",
    "pow_scalar": "real",
    "reciprocal": "real",
    "rsqrt": "real",
    "softmax": "real",
    "sub": "real",
    "sub_scalar": "real",
    "sum": "real",
    "take_along_dim": "real",
    "torch.ops.aten._log_softmax_backward_data": "real",
    "torch.ops.aten.embedding_backward": "real",
    "torch_nll_loss_backward_impl": "real",
    "true_divide": "real",
    "where": "real",
}

# Ops with two operands; with one tensor among them, the other is a number.
BINARY = {"add", "eq", "ge", "mul", "ne", "pow", "sub", "true_divide"}

UNPACKS = {"unpack_trivial", "unpack_sequence"}
RETURNS = {"python_return", "return"}
DELETES = {"python_del", "del"}

# Collectives and how many times longer (gather) or shorter (scatter) their result is, in group sizes.
COLLECTIVES = {"all_gather": 1, "reduce_scatter": -1, "all_reduce": 0}

ELEMENT_TYPES = {
    "b8": "i1", "bool8": "i1", "u8": "ui8", "uint8": "ui8", "i8": "i8", "int8": "i8", "i16": "i16", "int16": "i16",
    "i32": "i32", "int32": "i32", "i64": "i64", "int64": "i64", "bf16": "bf16", "bfloat16": "bf16",
    "f16": "f16", "float16": "f16", "f32": "f32", "float32": "f32", "f64": "f64", "float64": "f64",
    "c64": "complex<f32>", "complex64": "complex<f32>", "c128": "complex<f64>", "complex128": "complex<f64>",
}


class TraceError(Exception):
    """The trace cannot be read or represented; the text says which op and what was expected."""


@dataclass(frozen=True)
class Value:
    """A result of an op. `shape` is None for what is no tensor (a tuple that the trace unpacks)."""

    name: str
    shape: tuple[int, ...] | None
    dtype: str | None
    future: bool = False


@dataclass(frozen=True)
class Op:
    """One bound symbol. `role` is "unpack", "start", "wait", "return" or "compute"."""

    name: str
    role: str
    inputs: tuple[str, ...]
    outputs: tuple[Value, ...]
    collective: str | None = None

    @property
    def key(self) -> str:
        """The name by which an order of ops refers to this one: its first result's."""
        return self.outputs[0].name if self.outputs else "return"

    @property
    def where(self) -> str:
        """The op, for messages."""
        return f"'{self.name}' ({', '.join(v.name for v in self.outputs) or 'no result'})"

    @property
    def category(self) -> str:
        """"view", "cheap" or "real" for a compute op; an op that is not known is real."""
        return OPERATIONS.get(self.name, "real")


@dataclass(frozen=True)
class Trace:
    """A straight-line program: `ops` in program order."""

    phase: str
    stage: str
    ops: tuple[Op, ...]


def read_trace(path: str) -> Trace:
    """Reads and checks a trace file (`-`: standard input, not compressed)."""
    try:
        if path == "-":
            document = json.load(sys.stdin)
        else:
            with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
                document = json.load(file)
    except (OSError, EOFError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise TraceError(f"{path}: {error}") from error
    return parse_trace(document)


def parse_trace(document: Any) -> Trace:
    """Checks the JSON document and gives its ops roles; O(operands)."""
    if not isinstance(document, dict) or not str(document.get("format", "")).endswith(FORMAT):
        raise TraceError(f"expected a JSON object with \"format\": \"{FORMAT}\"")
    nodes = document.get("nodes")
    if not isinstance(nodes, list):
        raise TraceError("expected a list under \"nodes\"")
    ops: list[Op] = []
    values: dict[str, Value] = {}
    started: set[str] = set()
    awaited: set[str] = set()
    for position, node in enumerate(nodes):
        try:
            op = parse_op(node)
        except (KeyError, TypeError, ValueError) as error:
            raise TraceError(f"node {position}: malformed: {type(error).__name__} {error}") from error
        if op is None:
            continue
        for name in op.inputs:
            if name not in values:
                raise TraceError(f"node {position}: {op.where} reads '{name}', which no earlier op defines")
        if op.role == "wait":
            if len(op.inputs) != 1 or op.inputs[0] not in started or len(op.outputs) != 1:
                raise TraceError(f"node {position}: {op.where} must turn one future of a collective into one tensor")
            if op.inputs[0] in awaited:
                raise TraceError(f"node {position}: {op.where} awaits '{op.inputs[0]}' a second time")
            awaited.add(op.inputs[0])
        if op.role != "wait" and any(values[name].future for name in op.inputs):
            raise TraceError(f"node {position}: {op.where} reads a future; only a wait may")
        for value in op.outputs:
            if value.name in values:
                raise TraceError(f"node {position}: {op.where} defines '{value.name}' a second time")
            if value.shape is None and op.role != "unpack":
                raise TraceError(f"node {position}: {op.where} gives '{value.name}', which is no tensor")
            values[value.name] = value
            if op.role == "start":
                started.add(value.name)
        ops.append(op)
    returns = [op.role == "return" for op in ops]
    if not returns or not returns[-1] or any(returns[:-1]):
        raise TraceError("expected exactly one return, as the last op")
    if started - awaited:
        raise TraceError(f"never awaited: {', '.join(sorted(started - awaited))}")
    return Trace(str(document.get("phase", "fw")), str(document.get("stage", "")), tuple(ops))


def parse_op(node: dict[str, Any]) -> Op | None:
    """One node; None for `del`."""
    name = node["op"]
    inputs = tuple(value["name"] for value in node["in"])
    outputs = tuple(
        Value(v["name"], tuple(v["shape"]) if "shape" in v else None, v.get("dtype"), bool(v.get("future")))
        for v in node["out"]
    )
    if name in DELETES:
        return None
    if name in RETURNS:
        return Op("return", "return", inputs, ())
    if not outputs:
        raise TraceError(f"'{name}' has no result; only a return or a del may")
    if name in UNPACKS:
        return Op(name, "unpack", inputs, outputs)
    if node.get("wait"):
        return Op(name, "wait", inputs, outputs)
    if "comm" in node:
        return Op(name, "start", inputs, outputs, collective=node["comm"])
    if name in BINARY and len(inputs) == 1:
        name += "_scalar"
    return Op(name, "compute", inputs, outputs)


def dump_trace(bound_symbols: Iterable[Any], phase: str, stage: str = "") -> dict[str, Any]:
    """A Thunder trace as the JSON document that `read_trace` reads: `json.dump(dump_trace(trace.bound_symbols, "fw"), f)`.

    It looks at nothing but names, shapes and dtypes, so Thunder need not be importable: of a bound symbol it reads
    `sym.name`, `flat_proxy_args` and `flat_proxy_outs`, of a proxy `name` and, of tensors and futures, `shape` and `dtype`.
    """
    nodes = []
    producers: dict[str, int] = {}
    futures: set[str] = set()
    for position, symbol in enumerate(bound_symbols):
        name = symbol.sym.name
        node: dict[str, Any] = {"id": position, "op": name}
        node["in"] = [{"name": p.name, "from": producers[p.name]} for p in symbol.flat_proxy_args if p.name in producers]
        node["out"] = []
        for proxy in symbol.flat_proxy_outs:
            if proxy.name in producers:
                continue  # an op that returns its operand, as a return or an unpack into the same name does
            producers[proxy.name] = position
            result: dict[str, Any] = {"name": proxy.name}
            if hasattr(proxy, "shape"):
                result["shape"] = [int(size) for size in proxy.shape]
                result["dtype"] = str(proxy.dtype).rsplit(".", 1)[-1].rstrip("_")
            if type(proxy).__name__ == "FutureTensorProxy":
                result["future"] = True
                kind = next((c for c in (*COLLECTIVES, "broadcast", "all_to_all") if c in name), None)
                node["comm"] = kind or name
                futures.add(proxy.name)
            node["out"].append(result)
        if name not in RETURNS | DELETES and any(proxy.name in futures for proxy in symbol.flat_proxy_args):
            node["wait"] = True
        nodes.append(node)
    return {"format": FORMAT, "phase": phase, "stage": stage, "nodes": nodes}


class Printer:
    """Prints a trace as IR. SSA names are Thunder's, made legal and unique."""

    def __init__(self, trace: Trace, world_size: int | None):
        self.trace = trace
        self.world_size = world_size
        self.values = {value.name: value for op in trace.ops for value in op.outputs}
        self.ssa: dict[str, str] = {}
        self.taken: set[str] = set()
        self.kept: dict[str, tuple[str, ...]] = {}
        self.unknown: dict[str, None] = {}

    def define(self, name: str) -> str:
        base = legal = re.sub(r"[^\w$.-]", "_", name) if re.match(r"[A-Za-z_$.-]", name) else f"v_{name}"
        count = 0
        while legal in self.taken:
            count += 1
            legal = f"{base}_{count}"
        self.taken.add(legal)
        self.ssa[name] = f"%{legal}"
        return self.ssa[name]

    def tensor(self, name: str) -> str:
        value = self.values[name]
        if value.shape is None:
            raise TraceError(f"'{name}' is used as a tensor but has no shape")
        element = ELEMENT_TYPES.get(str(value.dtype))
        if element is None:
            raise TraceError(f"'{name}' has element type '{value.dtype}'; known are {', '.join(ELEMENT_TYPES)}")
        return "tensor<" + "".join(f"{size}x" for size in value.shape) + element + ">"

    def types(self, names: Iterable[str]) -> str:
        return ", ".join(self.tensor(name) for name in names)

    def uses(self, names: Iterable[str]) -> str:
        return ", ".join(self.ssa[name] for name in names)

    def ratio(self, op: Op) -> tuple[int, int]:
        """Dimension and group size of a collective that gathers or scatters one dimension."""
        before, after = (self.values[name].shape for name in (op.inputs[0], op.outputs[0].name))
        if COLLECTIVES[op.collective] < 0:
            before, after = after, before
        changed = [i for i, (b, a) in enumerate(zip(before, after)) if b != a]
        if len(before) != len(after) or not before or len(changed) > 1:
            raise TraceError(f"{op.where}: expected shapes that differ in one dimension, not {before} and {after}")
        dimension = changed[0] if changed else 0
        if not before[dimension]:
            raise TraceError(f"{op.where}: an empty dimension has no group size; give shapes that are not empty")
        size, rest = divmod(after[dimension], before[dimension])
        if rest or size < 1:
            raise TraceError(f"{op.where}: {after[dimension]} is no multiple of {before[dimension]}")
        return dimension, size

    def find_world_size(self) -> int | None:
        """The one group size of all collectives; None when there is none to tell it from."""
        for op in self.trace.ops:
            if op.role != "start":
                continue
            if op.collective not in COLLECTIVES:
                raise TraceError(f"{op.where}: collective '{op.collective}'; known are {', '.join(COLLECTIVES)}")
            if len(op.inputs) != 1 or len(op.outputs) != 1:
                raise TraceError(f"{op.where}: expected one operand and one result")
            if not COLLECTIVES[op.collective]:
                continue
            size = self.ratio(op)[1]
            if self.world_size is None:
                self.world_size = size
            if size != self.world_size:
                raise TraceError(f"{op.where}: group of {size}, expected {self.world_size}")
        return self.world_size

    def collective(self, op: Op) -> str:
        if self.world_size is None:
            raise TraceError(f"{op.where}: no shape tells the group size; give --world-size")
        groups = f"over [[{', '.join(map(str, range(self.world_size)))}]]"
        dimension = f" dim {self.ratio(op)[0]}" if COLLECTIVES[op.collective] else ""
        kind = "" if op.collective == "all_gather" else " sum"
        self.kept[op.outputs[0].name] = op.inputs
        return (
            f"comm.{op.collective}{kind} {self.uses(op.inputs)}{dimension} {groups}"
            f" : {self.types(op.inputs)} -> !comm.future<{self.types(v.name for v in op.outputs)}>"
        )

    def body(self, op: Op) -> str:
        if op.role == "start":
            return self.collective(op)
        if op.role == "wait":
            (future,) = op.inputs
            kept = self.kept[future]
            return (
                f"comm.wait {self.ssa[future]} keeping({self.uses(kept)} : {self.types(kept)})"
                f" : !comm.future<{self.tensor(future)}>"
            )
        if op.name not in OPERATIONS:
            self.unknown[op.name] = None
        pure = " {comm.pure}" if op.name in OPERATIONS else ""
        results = self.types(v.name for v in op.outputs)
        results = results if len(op.outputs) == 1 else f"({results})"
        return f'"thunder.{op.name}"({self.uses(op.inputs)}){pure} : ({self.types(op.inputs)}) -> {results}'

    def lines(self) -> Iterable[str]:
        self.find_world_size()
        arguments = [
            value.name
            for op in self.trace.ops
            if op.role == "unpack"
            for value in op.outputs
            if value.shape is not None
        ]
        returned = self.trace.ops[-1].inputs
        function = {"fw": "forward", "bw": "backward"}.get(self.trace.phase, "trace")
        yield f"func.func @{function}("
        for position, name in enumerate(arguments):
            comma = "," if position + 1 < len(arguments) else ""
            yield f"    {self.define(name)}: {self.tensor(name)} loc({json.dumps(name)}){comma}"
        yield f") -> ({self.types(returned)}) {{"
        for op in self.trace.ops:
            if op.role in ("unpack", "return"):
                continue
            body = self.body(op)
            result = self.define(op.outputs[0].name)
            if len(op.outputs) > 1:
                for index, value in enumerate(op.outputs):
                    self.ssa[value.name] = f"{result}#{index}"
                result += f":{len(op.outputs)}"
            yield f"  {result} = {body} loc({json.dumps(op.key)})"
        yield f"  return {self.uses(returned)} : {self.types(returned)}" if returned else "  return"
        yield "}"


def to_comm(trace: Trace, world_size: int | None = None) -> tuple[str, list[str]]:
    """The IR of a trace, and the names of ops that are not known to be pure."""
    printer = Printer(trace, world_size)
    return "\n".join(printer.lines()) + "\n", list(printer.unknown)


def main() -> int:
    summary, _, details = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(
        description=summary, epilog=details, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trace", help="trace as JSON, plain or .gz; - reads standard input")
    parser.add_argument("-o", "--output", help="file to write; standard output if absent")
    parser.add_argument("--world-size", type=int, help="group size; told from the shapes of gathers if absent")
    arguments = parser.parse_args()
    try:
        if arguments.world_size is not None and arguments.world_size < 1:
            raise TraceError(f"--world-size must be at least 1, not {arguments.world_size}")
        text, unknown = to_comm(read_trace(arguments.trace), arguments.world_size)
        if arguments.output is None:
            sys.stdout.write(text)
        else:
            with open(arguments.output, "w", encoding="utf-8") as file:
                file.write(text)
    except (TraceError, OSError) as error:
        print(f"thunder_to_comm: error: {error}", file=sys.stderr)
        return 1
    for name in unknown:
        print(f"thunder_to_comm: warning: 'thunder.{name}' is not known to be pure and will keep its place", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
