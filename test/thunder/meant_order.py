# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The order that `comm-sort{all-gather=late reduce-scatter=keep}` is meant to give a Thunder trace.

It is Thunder's order (`thunder_model.py`) but for three rules; a gather that none of them names stands where Thunder
puts it:

  look-through  A gather waits for its first *real* consumer. Thunder stops at the immediate one, so an early convert
                of a weight drags its gather to the front. Here views and the cheap ops of a gather's private chain are
                placed at the first op that needs them.
  ties          Of gathers that one op needs, the one of the first operand comes first. Thunder's order is that in which
                its sort finds them eligible, which reverses the operands.
  operand       A gather of something computed (an activation) never stands above its operand, and takes no slot of the
                limit; its window counts the waits of all gathers. Thunder places gathers by count alone.

This states the definition directly, position by position, and shares nothing with the pass. O(operands).
"""

from __future__ import annotations

from collections.abc import Sequence

from thunder_model import Op, gather_waits, is_gather, operands_of


def chain_of_gathers(ops: Sequence[Op]) -> set[str]:
    """Keys of what only reshapes one gathered value: views and cheap ops that read it, such ops, and constants."""
    waits = gather_waits(ops)
    reads = operands_of(ops)
    source: dict[int, int] = {position: position for position, op in enumerate(ops) if op.key in waits}
    for position, op in enumerate(ops):
        if op.role == "compute" and op.category != "real":
            computed = [read for read in reads[position] if reads[read] and ops[read].role != "unpack"]
            sources = {source.get(read) for read in computed}
            if len(sources) == 1 and None not in sources:
                source[position] = sources.pop()
    return {ops[position].key for position in source} - set(waits)


def movable(ops: Sequence[Op]) -> set[str]:
    """Keys of what has no place of its own: gathers, their waits and chains, and views."""
    waits = gather_waits(ops)
    views = {op.key for op in ops if op.role == "compute" and op.category == "view"}
    return views | chain_of_gathers(ops) | set(waits) | {start.key for start in waits.values()}


def by_need(ops: Sequence[Op], moves: set[str]) -> tuple[list[Op], dict[str, str]]:
    """The ops with the movable ones at the first anchor that needs them, in operand order, and that anchor by key.

    What no anchor needs comes last, before the return.
    """
    reads = operands_of(ops)
    order: list[Op] = []
    anchor_of: dict[str, str] = {}

    def visit(root: int) -> None:
        anchor_of[ops[root].key] = ops[root].key
        stack = [(root, iter(reads[root]))]
        while stack:
            position, rest = stack[-1]
            needed = next((read for read in rest if ops[read].key not in anchor_of), None)
            if needed is None:
                order.append(ops[position])
                stack.pop()
            else:
                anchor_of[ops[needed].key] = ops[root].key
                stack.append((needed, iter(reads[needed])))

    for position, op in enumerate(ops):
        if op.key not in moves:
            visit(position)
    dead = [op for op in ops if op.key not in anchor_of]
    return order[:-1] + dead + order[-1:], anchor_of


def computed_operand(ops: Sequence[Op], moves: set[str]) -> set[str]:
    """Keys of the gathers whose operand comes from an anchor, through whatever is movable."""
    computed: set[str] = {op.key for op in ops if op.key not in moves and op.role != "unpack"}
    gathers = set()
    for op, reads in zip(ops, operands_of(ops)):
        if any(ops[read].key in computed for read in reads):
            computed.add(op.key)
            if is_gather(op):
                gathers.add(op.key)
    return gathers


def place_starts(order: Sequence[Op], activations: set[str], limit: int | None) -> list[Op]:
    """The starts put into an order of everything else: as late as leaves `limit` in flight before each wait."""
    starts = gather_waits(order)
    waits = [op for op in order if op.key in starts]
    slots = [wait.key for wait in waits if starts[wait.key].key not in activations]
    due: dict[str, list[Op]] = {}
    before = 0  # gathers with a slot among the waits seen
    for place, wait in enumerate(waits):
        start = starts[wait.key]
        takes_slot = start.key not in activations
        window = 0 if limit is None else max(0, (before if takes_slot else place) + 1 - limit)
        due.setdefault(slots[window] if takes_slot else waits[window].key, []).append(start)
        before += takes_slot
    result: list[Op] = []
    for op in order:
        if not is_gather(op):
            result += due.get(op.key, [])
            result.append(op)
    return result


def not_above_operands(order: Sequence[Op]) -> list[Op]:
    """The order with each gather that stands above its operand's producer moved down, directly behind it."""
    producers = {value.name: op.key for op in order for value in op.outputs}
    deferred: dict[str, list[Op]] = {}
    placed: set[str] = set()
    result: list[Op] = []
    for op in order:
        missing = [producers[name] for name in op.inputs if producers[name] not in placed]
        if is_gather(op) and missing:
            deferred.setdefault(missing[0], []).append(op)
            continue
        for ready in [op, *deferred.pop(op.key, [])]:
            result.append(ready)
            placed.add(ready.key)
    return result


def meant_order(ops: Sequence[Op], limit: int | None) -> list[Op]:
    """The whole order; `ops` is the trace in any legal order of what is not an anchor."""
    moves = movable(ops)
    order, _ = by_need(ops, moves)
    return not_above_operands(place_starts(order, computed_operand(ops, moves), limit))


def rules_of_gathers(ops: Sequence[Op]) -> dict[str, str]:
    """The rule that may move each gather away from Thunder's place, by the key of its wait; others are absent."""
    moves = movable(ops)
    order, anchor_of = by_need(ops, moves)
    activations = computed_operand(ops, moves)
    anchors = [op.key for op in ops if op.key not in moves]
    following: dict[str, str] = {}  # of each op, the next anchor in the order given
    remaining = iter(anchors)
    upcoming = next(remaining, "return")
    for op in ops:
        following[op.key] = upcoming
        if op.key == upcoming:
            upcoming = next(remaining, "return")
    first_reader: dict[str, Op] = {}
    for op in ops:
        for name in op.inputs:
            first_reader.setdefault(name, op)
    needed_by: dict[str, list[str]] = {}
    for wait in gather_waits(order):
        needed_by.setdefault(anchor_of.get(wait, "return"), []).append(wait)
    rules: dict[str, str] = {}
    for wait, start in gather_waits(ops).items():
        reader = first_reader.get(wait)
        if start.key in activations:
            rules[wait] = "operand"
        elif reader is not None and following[reader.key] != anchor_of.get(wait, "return"):
            rules[wait] = "look-through"
        elif len(needed_by[anchor_of.get(wait, "return")]) > 1:
            rules[wait] = "ties"
    return rules
