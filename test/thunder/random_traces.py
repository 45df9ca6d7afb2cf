#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random traces through `comm-sort`, against the definition of the meant order.

    random_traces.py print > IN.mlir
    comm-opt IN.mlir --comm-sort="max-in-flight=K reduce-scatter=keep" ... | random_traces.py check K

`print` writes one function for each trace; `check` reads them sorted and compares every gather's start and wait, and
every anchor, with `meant_order`, which shares nothing with the pass. The traces have what the real ones lack: gathers
that one op reads together, and gathers of activations. Exit 1 with both orders at the first function that differs.
"""

from __future__ import annotations

import sys

from compare import check_complete, read_order
from fixtures import random_trace
from meant_order import gather_waits, meant_order, movable
from thunder_to_comm import to_comm

COUNT = 300


def print_all() -> None:
    """Writes every trace as a function @trace_SEED."""
    for seed in range(COUNT):
        print(to_comm(random_trace(seed))[0].replace("@forward", f"@trace_{seed}"))


def check_all(limit: int, text: str) -> int:
    """Compares every function of the text."""
    functions = text.split("func.func @trace_")[1:]
    if len(functions) != COUNT:
        print(f"expected {COUNT} functions, read {len(functions)}", file=sys.stderr)
        return 1
    for function in functions:
        name, _, body = function.partition("(")
        ops = random_trace(int(name)).ops
        gathers = gather_waits(ops)
        hidden = movable(ops) - set(gathers) - {start.key for start in gathers.values()}
        order = read_order(body.partition("\n")[2])
        check_complete(order, ops)
        ours = [key for key in order if key not in hidden]
        meant = [op.key for op in meant_order(ops, limit or None) if op.role != "unpack" and op.key not in hidden]
        if ours != meant:
            print(f"@trace_{name}\n  ours:     {' '.join(ours)}\n  expected: {' '.join(meant)}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["print"]:
        print_all()
    elif len(sys.argv) == 3 and sys.argv[1] == "check" and sys.argv[2].isdigit():
        sys.exit(check_all(int(sys.argv[2]), sys.stdin.read()))
    else:
        sys.exit(__doc__)
