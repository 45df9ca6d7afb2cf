#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The restated Thunder functions give what Thunder gave, and the meant order differs by the three rules alone."""

from __future__ import annotations

import unittest

from compare import check_complete, compare, limit_of
from fixtures import inputs, random_trace, sorted_traces, trace
from meant_order import meant_order, movable, rules_of_gathers
from thunder_model import Op, gather_waits, is_gather, sort_communication_ops, thunder_order
from thunder_trace import Trace, read_trace


def keys(ops: list[Op], hidden: str = "") -> str:
    """An order as text, without what is unpacked and the keys named."""
    return " ".join(op.key for op in ops if op.role != "unpack" and op.key not in hidden.split())


class RealTraces(unittest.TestCase):
    def test_corpus_is_whole(self) -> None:
        self.assertEqual(len(inputs()), 8)
        self.assertEqual(len(sorted_traces()), 22)

    def test_restated_functions_give_thunders_orders(self) -> None:
        for before, after in sorted_traces():
            with self.subTest(after):
                expected = read_trace(after)
                order = thunder_order(read_trace(before).ops, limit_of(expected, None))
                self.assertEqual([op.key for op in order], [op.key for op in expected.ops])

    def test_a_limit_of_one_is_the_sort_alone(self) -> None:
        for path in inputs():
            ops = read_trace(path).ops
            self.assertEqual(sort_communication_ops(ops), thunder_order(ops, 1))

    def test_only_converted_weights_differ(self) -> None:
        for path in inputs():
            with self.subTest(path):
                ops = read_trace(path).ops
                converts = "llama7b_fw" in path  # bf16 weights of the five norms, converted to f32 before use
                for limit in (1, 3, None):
                    rules = rules_of_gathers(thunder_order(ops, limit))
                    self.assertEqual(list(rules.values()), ["look-through"] * 5 if converts else [])
                    placed = {op.key for op in ops} - movable(ops) - {op.key for op in ops if op.role == "wait"}
                    placed |= {key for wait, start in gather_waits(ops).items() for key in (wait, start.key)}
                    meant, theirs = (
                        [op.key for op in order if op.key in placed]
                        for order in (meant_order(ops, limit), thunder_order(ops, limit))
                    )
                    self.assertEqual(meant == theirs, not converts)

    def test_meant_order_does_not_depend_on_where_gathers_were(self) -> None:
        for path in inputs():
            ops = read_trace(path).ops
            reduction_waits = " ".join({op.key for op in ops if op.role == "wait"} - set(gather_waits(ops)))
            for limit in (1, 2, 3, None):
                meant = meant_order(ops, limit)
                self.assertEqual(meant_order(meant, limit), meant)
                # Thunder's order moves the waits of reductions as well, which are anchors here.
                again = meant_order(thunder_order(ops, None), limit)
                self.assertEqual(keys(again, reduction_waits), keys(meant, reduction_waits))


class SmallTraces(unittest.TestCase):
    REVERSED = """
        a = arg()
        b = arg()
        x = arg()
        fa = gather(a)
        wa = wait(fa)
        fb = gather(b)
        wb = wait(fb)
        m1 = matmul(x, wb)
        m2 = matmul(m1, wa)
        return(m2)
    """

    def test_consumer_order_beats_parameter_order(self) -> None:
        ops = trace(self.REVERSED).ops
        self.assertEqual(keys(meant_order(ops, 1)), "fb wb m1 fa wa m2 return")
        self.assertEqual(keys(meant_order(ops, 2)), "fb fa wb m1 wa m2 return")
        self.assertEqual(meant_order(ops, 2), thunder_order(ops, 2))
        self.assertEqual(rules_of_gathers(thunder_order(ops, 2)), {})

    def test_look_through(self) -> None:
        ops = trace("""
            a = arg()
            b = arg()
            x = arg()
            fa = gather(a)
            wa = wait(fa)
            ca = to(wa)
            va = unsqueeze(ca)
            fb = gather(b)
            wb = wait(fb)
            m1 = matmul(x, wb)
            m2 = mul(m1, va)
            return(m2)
        """).ops
        self.assertEqual(keys(thunder_order(ops, 1)), "fa wa ca va fb wb m1 m2 return")
        self.assertEqual(keys(meant_order(ops, 1)), "fb wb m1 fa wa ca va m2 return")
        self.assertEqual(rules_of_gathers(thunder_order(ops, 1)), {"wa": "look-through"})

    def test_a_convert_of_two_gathers_is_an_anchor(self) -> None:
        ops = trace("""
            a = arg()
            b = arg()
            x = arg()
            fa = gather(a)
            wa = wait(fa)
            fb = gather(b)
            wb = wait(fb)
            c = cat(wa, wb)
            m1 = exp(x)
            m2 = mul(m1, c)
            return(m2)
        """).ops
        self.assertEqual(keys(meant_order(ops, 1)), "fa wa fb wb c m1 m2 return")

    def test_ties_follow_the_operands(self) -> None:
        ops = trace("""
            a = arg()
            b = arg()
            fb = gather(b)
            wb = wait(fb)
            fa = gather(a)
            wa = wait(fa)
            m = matmul(wa, wb)
            return(m)
        """).ops
        self.assertEqual(keys(thunder_order(ops, 1)), "fb wb fa wa m return")
        self.assertEqual(keys(meant_order(ops, 1)), "fa wa fb wb m return")
        self.assertEqual(rules_of_gathers(thunder_order(ops, 1)), {"wa": "ties", "wb": "ties"})

    def test_an_activation_stays_below_its_operand_and_takes_no_slot(self) -> None:
        ops = trace("""
            x = arg()
            a = arg()
            b = arg()
            fa = gather(a)
            wa = wait(fa)
            m1 = matmul(x, wa)
            fh = gather(m1)
            wh = wait(fh)
            m2 = exp(wh)
            fb = gather(b)
            wb = wait(fb)
            m3 = matmul(m2, wb)
            return(m3)
        """).ops
        self.assertEqual(keys(thunder_order(ops, 2)), "fa fh wa m1 fb wh m2 wb m3 return")  # fh above m1
        self.assertEqual(keys(meant_order(ops, 2)), "fa fb wa m1 fh wh m2 wb m3 return")
        self.assertEqual(rules_of_gathers(ops), {"wh": "operand"})

    def test_reductions_keep_their_place(self) -> None:
        ops = trace("""
            a = arg()
            x = arg()
            g = grad(x)
            fr = scatter(g)
            wr = wait(fr)
            fa = gather(a)
            wa = wait(fa)
            m = matmul(x, wa)
            return(wr, m)
        """).ops
        self.assertEqual(keys(thunder_order(ops, 1)), "g fr fa wa m wr return")
        self.assertEqual(keys(meant_order(ops, 1)), "g fr wr fa wa m return")


class RandomTraces(unittest.TestCase):
    def test_rules_name_every_difference(self) -> None:
        named: set[str] = set()
        plain = 0
        for seed in range(200):
            ops = random_trace(seed).ops
            for limit in (1, 2, 3, None):
                with self.subTest(seed=seed, limit=limit):
                    meant = meant_order(ops, limit)
                    order = [op.key for op in meant if op.role != "unpack"]
                    check_complete(order, ops)
                    self.assertEqual(meant_order(meant, limit), meant)
                    theirs = thunder_order(ops, limit)
                    rules = rules_of_gathers(theirs)
                    if not any(rule == "operand" for rule in rules.values()):
                        # Raises if a gather that no rule names is awaited elsewhere than in Thunder's order.
                        compare(order, Trace("fw", "", tuple(theirs)), limit)
                        self.assertLessEqual(most_in_flight(meant), limit or len(ops))
                    named |= set(rules.values())
                    plain += not rules
        self.assertEqual(named, {"look-through", "ties", "operand"})
        self.assertGreater(plain, 50)


def most_in_flight(ops: list[Op]) -> int:
    """The most gathers started and not awaited at any place."""
    waits = gather_waits(ops)
    running = most = 0
    for op in ops:
        running += is_gather(op)
        running -= op.key in waits
        most = max(most, running)
    return most


if __name__ == "__main__":
    unittest.main()
