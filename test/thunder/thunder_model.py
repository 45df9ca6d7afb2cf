# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lightning Thunder's two functions that place all-gathers, restated on a list of ops.

`sort_communication_ops` and `limit_in_flight_allgathers` of Thunder 0.2.3 (`thunder/distributed/utils.py`), restated
from what they do: a bottom-up topological sort whose key depends on the kind of op, and a walk from the end of the
trace that moves the starts of gathers up. `test_orders.py` shows that they give exactly the orders that the functions
themselves gave. Traces without bucketing only: there is no op that packs.

Cost: O(ops * most ops eligible at once) for the sort, as the original; O(operands) for the rest.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools"))
from thunder_trace import Op


def operands_of(ops: Sequence[Op]) -> list[list[int]]:
    """Positions of the ops that each op reads, in operand order, each once."""
    producers = {value.name: position for position, op in enumerate(ops) for value in op.outputs}
    return [list(dict.fromkeys(producers[name] for name in op.inputs)) for op in ops]


def is_gather(op: Op) -> bool:
    """Whether the op starts an all-gather."""
    return op.role == "start" and op.collective == "all_gather"


def gather_waits(ops: Sequence[Op]) -> dict[str, Op]:
    """The start of the gather that each wait ends, by the wait's key; other waits are absent."""
    gathers = {op.key: op for op in ops if is_gather(op)}
    return {op.key: gathers[op.inputs[0]] for op in ops if op.role == "wait" and op.inputs[0] in gathers}


def sort_bottom_up(ops: Sequence[Op], key: Callable[[int], int]) -> list[Op]:
    """Topological sort from the leaves, largest key first, then reversed. Of equal keys, what became eligible first."""
    parents = operands_of(ops)
    children = [0] * len(ops)
    for reads in parents:
        for parent in reads:
            children[parent] += 1
    eligible = [position for position in range(len(ops)) if not children[position]]
    order = []
    while eligible:
        chosen = eligible.pop(max(range(len(eligible)), key=lambda i: key(eligible[i])))
        order.append(ops[chosen])
        for parent in parents[chosen]:
            children[parent] -= 1
            if not children[parent]:
                eligible.append(parent)
    return order[::-1]


def sort_communication_ops(ops: Sequence[Op]) -> list[Op]:
    """Gathers directly before their waits, those before their first consumer; reductions where the trace has them."""

    def key(position: int) -> int:
        if ops[position].role == "wait":
            return len(ops)
        return position + (len(ops) if is_gather(ops[position]) else 0)

    return sort_bottom_up(ops, key) if any(op.role == "wait" for op in ops) else list(ops)


def limit_in_flight(ops: Sequence[Op], limit: int | None) -> list[Op]:
    """Gathers issued early, at most `limit` in flight (None: no limit). Gathers and waits pair by position alone."""
    gathers = [op for op in ops if is_gather(op)]
    waits = gather_waits(ops)
    result: list[Op] = []  # from the end to the front
    seen = running = 0
    for op in reversed([op for op in ops if not is_gather(op)]):
        result.append(op)
        if op.key in waits:
            seen += 1
            running += 1
            if running == limit:
                result.append(gathers.pop())
                running -= 1
            if seen == len(waits):
                result += reversed(gathers)
    return result[::-1]


def thunder_order(ops: Sequence[Op], limit: int | None) -> list[Op]:
    """The two functions one after the other, as Thunder calls them for FSDP."""
    return limit_in_flight(sort_communication_ops(ops), limit)
