#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turn a Lightning Thunder trace into IR of the `comm` dialect.

    thunder_to_comm.py TRACE.json[.gz] [-o OUT.mlir] [--world-size N]

Input: a trace as JSON, written by `dump_trace` of thunder_trace.py (docs/thunder.md has the format and an example).
Output: one `func.func`, named @forward or @backward after the trace's phase:

* what the trace unpacks, in its order, becomes the arguments;
* the start of a collective becomes `comm.all_gather`, `comm.reduce_scatter` or `comm.all_reduce` with a
  `!comm.future` result, its wait becomes `comm.wait ... keeping(...)`;
* the return becomes `return`; `del` statements, which only end a Python name, disappear;
* any other op becomes one op of the unregistered dialect `thunder`, marked `comm.pure` when `OPERATIONS` of
  thunder_trace.py lists it. One that is not listed keeps its place: a pass takes it for one with side effects. A
  warning names it.

Every value keeps its Thunder name twice: as SSA name, and as location, which survives passes. To see it in what a pass
prints, add `--mlir-use-nameloc-as-prefix` to the command.

Invariants: the order of ops is the order of the trace; each Thunder op gives exactly one op; an error names the op that
cannot be represented, and nothing is dropped silently. Not done here: no scheduling, no simplification, and no numbers:
a trace does not hold the literal operands of its ops, so the IR is for scheduling, not for running.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable

from thunder_trace import OPERATIONS, Op, Trace, TraceError, read_trace

# Collectives and how many times longer (gather) or shorter (scatter) their result is, in group sizes.
COLLECTIVES = {"all_gather": 1, "reduce_scatter": -1, "all_reduce": 0}

ELEMENT_TYPES = {
    "b8": "i1", "bool8": "i1", "u8": "ui8", "uint8": "ui8", "i8": "i8", "int8": "i8", "i16": "i16", "int16": "i16",
    "i32": "i32", "int32": "i32", "i64": "i64", "int64": "i64", "bf16": "bf16", "bfloat16": "bf16",
    "f16": "f16", "float16": "f16", "f32": "f32", "float32": "f32", "f64": "f64", "float64": "f64",
    "c64": "complex<f32>", "complex64": "complex<f32>", "c128": "complex<f64>", "complex128": "complex<f64>",
}


def quoted(name: str) -> str:
    """A string of MLIR's syntax, whose escapes are bytes in hexadecimal."""
    return '"' + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\' else f"\\{b:02X}" for b in name.encode()) + '"'


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
        base = legal = re.sub(r"[^\w$.-]", "_", f"v_{name}" if name[:1].isdigit() else name, flags=re.ASCII)
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
            yield f"    {self.define(name)}: {self.tensor(name)} loc({quoted(name)}){comma}"
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
            yield f"  {result} = {body} loc({quoted(op.key)})"
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
        text = f"'thunder.{name}' is not known to be pure and will keep its place"
        print(f"thunder_to_comm: warning: {text}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
