# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lightning Thunder traces as JSON: `dump_trace` makes such a document of a trace, `read_trace` reads and checks one.

A document is `{"format": "thunder-trace-v1", "phase": "fw" | "bw", "stage": text, "nodes": [...]}` with the bound
symbols in program order; docs/thunder.md describes a node. What `read_trace` returns keeps these invariants: every value is
defined once and before it is read, every future is awaited exactly once and read by its wait alone, and the one return
is the last op. What breaks them is refused with the op's name. `del` statements, which only end the life of a Python
name, are left out; nothing else is.
"""

from __future__ import annotations

import gzip
import json
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

# What a collective is called in a document, and in the names of Thunder's ops.
KINDS = ("all_gather", "reduce_scatter", "all_reduce", "broadcast", "all_to_all")


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
        """What a compute op is to a scheduler, as in OPERATIONS; an op that is not known is real."""
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
    """A Thunder trace as the document that `read_trace` reads: `json.dump(dump_trace(trace.bound_symbols, "fw"), f)`.

    It looks at nothing but names, shapes and dtypes, so Thunder need not be importable: of a bound symbol it reads
    `sym.name`, `flat_proxy_args` and `flat_proxy_outs`, of a proxy `name` and, of tensors and futures, `shape` and
    `dtype`. A future is known by its class, `FutureTensorProxy`.
    """
    nodes = []
    producers: dict[str, int] = {}
    futures: set[str] = set()
    for position, symbol in enumerate(bound_symbols):
        name = symbol.sym.name
        node: dict[str, Any] = {"id": position, "op": name}
        node["in"] = [
            {"name": proxy.name, "from": producers[proxy.name]}
            for proxy in symbol.flat_proxy_args
            if proxy.name in producers
        ]
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
                node["comm"] = next((kind for kind in KINDS if kind in name), name)
                futures.add(proxy.name)
            node["out"].append(result)
        if name not in RETURNS | DELETES and any(proxy.name in futures for proxy in symbol.flat_proxy_args):
            node["wait"] = True
        nodes.append(node)
    return {"format": FORMAT, "phase": phase, "stage": stage, "nodes": nodes}
