#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare an order that `comm-sort` gave with the one that Lightning Thunder gave the same trace.

    compare.py SORTED.mlir THUNDER.json[.gz] [--limit N|max]

SORTED.mlir (`-`: standard input) is what `comm-opt --comm-sort="all-gather=late reduce-scatter=keep max-in-flight=K"
--mlir-use-nameloc-as-prefix` prints for the IR that tools/thunder_to_comm.py makes of the trace before Thunder's sort;
THUNDER.json is the trace after Thunder's sort with the same limit, which its `stage` tells: `sort_communication_ops` is
a limit of 1, `limit_in_flight_N` one of N, `limit_in_flight_max` none.

Compared are the starts and waits of all gathers among the *anchors*, the ops that neither function moves. Left out
are views and the cheap ops between a gather and its consumer, which have no place of their own, and the waits of
reductions, which Thunder sinks to the end and `reduce-scatter=keep` leaves alone.

Exit 0 if every op is there, after its operands, the anchors are in Thunder's order and each gather stands where
Thunder put it or where the rule that names it (meant_order.py) moves it; a line says how many are which. A trace in
which no rule names a gather is compared with Thunder's order itself. Otherwise exit 1 and the first difference. Exit 2:
an input cannot be read.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence

from meant_order import meant_order, movable, rules_of_gathers
from thunder_model import Op, gather_waits, thunder_order
from thunder_trace import Trace, TraceError, read_trace

OPERATION = re.compile(r'\s*(?:%(?P<name>[\w$.-]+)(?::\d+)?\s*=\s*)?"?(?P<op>[A-Za-z_][\w$.]*)')
LOCATION = re.compile(r'loc\("(?P<name>[^"]*)"\)\s*$')
NOT_OPS = {"module", "builtin.module", "func.func"}


class Difference(Exception):
    """The orders differ; the text says where."""


def read_order(text: str) -> list[str]:
    """The key of each op of a function, in order: its location's name if printed, else the name of its first result."""
    keys = []
    for line in text.splitlines():
        match = OPERATION.match(line)
        if match is None or match["op"] in NOT_OPS:
            continue
        if match["op"] in ("return", "func.return"):
            keys.append("return")
        elif match["name"] is not None:
            location = LOCATION.search(line)
            keys.append(location["name"] if location else match["name"])
    return keys


def limit_of(trace: Trace, given: str | None) -> int | None:
    """The limit as a number, None for none."""
    match = re.search(r"limit_in_flight_(\d+|max)$", trace.stage)
    limit = given or (match[1] if match else "1" if trace.stage.endswith("sort_communication_ops") else "")
    if limit != "max" and not (limit.isdigit() and int(limit)):
        raise TraceError(f"stage '{trace.stage}' tells no limit; give --limit N or --limit max, N at least 1")
    return None if limit == "max" else int(limit)


def show(keys: Sequence[str], position: int) -> str:
    """A few keys around a position, the one at it marked."""
    window = range(max(0, position - 3), min(len(keys), position + 3))
    shown = " ".join(f"[{keys[i]}]" if i == position else keys[i] for i in window)
    return shown if position < len(keys) else f"{shown} [end]"


def same(what: str, ours: Sequence[str], expected: Sequence[str], by: str) -> None:
    """Raises at the first place where two sequences differ."""
    for position in range(max(len(ours), len(expected))):
        if list(ours[position : position + 1]) != list(expected[position : position + 1]):
            raise Difference(
                f"{what} differ at number {position + 1}:\n"
                f"  ours:     {show(ours, position)}\n  {by}: {show(expected, position)}"
            )


def check_complete(order: Sequence[str], ops: Sequence[Op]) -> None:
    """Every op of the trace is there once, nothing else is, and each comes after what it reads."""
    producers = {value.name: op for op in ops for value in op.outputs}
    by_key = {op.key: op for op in ops}
    placed = {op.key for op in ops if op.role == "unpack"}
    for key in order:
        if key not in by_key:
            raise Difference(f"'{key}' is no op of the trace (printed without --mlir-use-nameloc-as-prefix?)")
        if key in placed:
            raise Difference(f"'{key}' stands there twice")
        for name in by_key[key].inputs:
            if producers[name].key not in placed:
                raise Difference(f"'{key}' stands above '{producers[name].key}', which it reads")
        placed.add(key)
    missing = [op.key for op in ops if op.key not in placed]
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        raise Difference(f"missing: {', '.join(missing[:5])}{more}")


def next_anchors(keys: Sequence[str], waits: set[str], anchors: set[str]) -> dict[str, str]:
    """Of each wait, the anchor that it stands before."""
    result: dict[str, str] = {}
    upcoming = ""
    for key in reversed(keys):
        if key in anchors:
            upcoming = key
        elif key in waits:
            result[key] = upcoming
    return result


def compare(order: Sequence[str], trace: Trace, limit: int | None) -> str:
    """Raises `Difference`, or says in a line what is equal and what is meant to differ."""
    ops = trace.ops
    theirs = [op.key for op in ops]
    if [op.key for op in thunder_order(ops, limit)] != theirs:
        raise TraceError(f"the trace is not in the order that Thunder's sort gives with limit {limit or 'max'}")
    check_complete(order, ops)

    gathers = gather_waits(ops)
    starts = {start.key for start in gathers.values()}
    reduction_waits = {op.key for op in ops if op.role == "wait"} - set(gathers)
    anchors = set(theirs) - movable(ops) - reduction_waits - {op.key for op in ops if op.role == "unpack"}
    placed = anchors | set(gathers) | starts

    def among(keys: Sequence[str], kept: set[str]) -> list[str]:
        return [key for key in keys if key in kept]

    meant = among([op.key for op in meant_order(ops, limit)], placed)
    same("anchors", among(order, anchors), among(theirs, anchors), "Thunder's")
    same("waits of gathers", among(order, set(gathers)), among(meant, set(gathers)), "expected ")
    same("gathers among the anchors", among(order, placed), meant, "expected ")

    rules = rules_of_gathers(ops)
    thunders, ours = (next_anchors(keys, set(gathers), anchors) for keys in (theirs, order))
    for wait in gathers:
        if wait not in rules and thunders[wait] != ours[wait]:
            raise Difference(
                f"no rule names '{wait}': Thunder's stands before '{thunders[wait]}', ours before '{ours[wait]}'"
            )
    if not rules:
        same("gathers among the anchors", among(order, placed), among(theirs, placed), "Thunder's")
    reasons = "".join(f", {count} by the rule {rule}" for rule, count in sorted(Counter(rules.values()).items()))
    return (
        f"limit {limit or 'max'}: {len(anchors)} anchors in Thunder's order; of {len(gathers)} gathers"
        f" {len(gathers) - len(rules)} awaited where Thunder awaits them{reasons}"
    )


def main() -> int:
    summary, _, details = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(
        description=summary, epilog=details, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sorted", help="sorted IR; - reads standard input")
    parser.add_argument("thunder", help="trace after Thunder's sort, .json or .json.gz")
    parser.add_argument("--limit", help="gathers in flight, or max; default: what the trace's stage says")
    arguments = parser.parse_args()
    try:
        if arguments.sorted == "-":
            text = sys.stdin.read()
        else:
            with open(arguments.sorted, encoding="utf-8") as file:
                text = file.read()
        order = read_order(text)
        if not order:
            raise TraceError(f"{arguments.sorted}: no ops")
        trace = read_trace(arguments.thunder)
        print(compare(order, trace, limit_of(trace, arguments.limit)))
    except Difference as difference:
        print(f"compare: {difference}", file=sys.stderr)
        return 1
    except (TraceError, OSError, UnicodeDecodeError) as error:
        print(f"compare: error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
