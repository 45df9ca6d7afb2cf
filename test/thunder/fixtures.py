# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The traces that the tests use: real ones from test/programs/thunder, and small ones written as text."""

from __future__ import annotations

import glob
import os
import random
import re
import sys
from typing import Any

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from thunder_trace import FORMAT, Trace, parse_trace

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs", "thunder")

NODE = re.compile(r"(?P<results>[\w, ]*?)\s*=\s*(?P<op>[\w.]+)\((?P<operands>[\w, ]*)\)$")


def inputs() -> list[str]:
    """Every real trace before Thunder's sort."""
    return sorted(glob.glob(os.path.join(PROGRAMS, "*.0_input.json.gz")))


def sorted_traces() -> list[tuple[str, str]]:
    """Every real trace after Thunder's sort of gathers, as (input, sorted)."""
    pairs = []
    for path in inputs():
        prefix = path.removesuffix("0_input.json.gz")
        pairs += [(path, after) for after in sorted(glob.glob(f"{glob.escape(prefix)}[234]_*.json.gz"))]
    return pairs


def document(text: str, stage: str = "") -> dict[str, Any]:
    """A trace as JSON from lines `results = op(operands)`, the last `return(operands)`.

    `arg`, `gather`, `scatter` and `wait` stand for Thunder's names. A `gather` and a `grad` give f32[8], `wait` and `to`
    the size of their operand, all others f32[2].
    """
    names = {"arg": "unpack_trivial", "gather": "torch_all_gather_prim_impl", "wait": "torch_wait_prim_impl",
             "scatter": "torch_reduce_scatter_prim_impl", "return": "python_return"}
    nodes: list[dict[str, Any]] = []
    sizes: dict[str, int] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        match = NODE.match(line if "=" in line else f"= {line}")
        assert match is not None, line
        op = match["op"]
        reads, gives = (re.findall(r"\w+", match[group]) for group in ("operands", "results"))
        size = sizes[reads[0]] if op in ("wait", "to") else {"gather": 8, "grad": 8}.get(op, 2)
        node: dict[str, Any] = {"id": len(nodes), "op": names.get(op, op), "in": [{"name": name} for name in reads]}
        node["out"] = [{"name": name, "shape": [size], "dtype": "f32"} for name in gives]
        if op in ("gather", "scatter"):
            node["comm"] = {"gather": "all_gather", "scatter": "reduce_scatter"}[op]
            node["out"][0]["future"] = True
        if op == "wait":
            node["wait"] = True
        sizes.update(dict.fromkeys(gives, size))
        nodes.append(node)
    return {"format": FORMAT, "phase": "fw", "stage": stage, "nodes": nodes}


def trace(text: str, stage: str = "") -> Trace:
    """The same, read."""
    return parse_trace(document(text, stage))


def random_trace(seed: int) -> Trace:
    """A trace of weights that are gathered in any order, some reshaped or converted, and read by a chain of ops."""
    choose = random.Random(seed)
    count = choose.randint(1, 8)
    lines = ["x = arg()"] + [f"p{i} = arg()" for i in range(count)]
    usable = []
    for i in choose.sample(range(count), count):
        lines += [f"f{i} = gather(p{i})", f"w{i} = wait(f{i})"]
        name = f"w{i}"
        for step in range(choose.choice((0, 0, 0, 1, 2))):
            lines.append(f"c{i}{step} = {choose.choice(('to', 'unsqueeze'))}({name})")
            name = f"c{i}{step}"
        usable.append(name)
        if choose.random() < 0.3:
            lines.append(f"e{i} = exp(x)")
    choose.shuffle(usable)
    value = "x"
    for step, name in enumerate(usable):
        second = f", {choose.choice(usable)}" if choose.random() < 0.15 else ""
        lines.append(f"m{step} = matmul({value}, {name}{second})")
        value = f"m{step}"
        if choose.random() < 0.15:
            lines += [f"fa{step} = gather({value})", f"wa{step} = wait(fa{step})", f"n{step} = neg(wa{step})"]
            value = f"n{step}"
    return trace("\n".join([*lines, f"return({value})"]))
