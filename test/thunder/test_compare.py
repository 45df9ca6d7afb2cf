#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comparison accepts the meant orders and refuses every other one, with the place."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest

from compare import Difference, compare, limit_of, read_order
from fixtures import sorted_traces, trace
from meant_order import meant_order
from thunder_model import thunder_order
from thunder_to_comm import to_comm
from thunder_trace import Trace, TraceError, read_trace

HERE = os.path.dirname(os.path.abspath(__file__))


def ir(source: Trace, order: list) -> str:
    """The IR of a trace with its ops in another order."""
    return to_comm(Trace(source.phase, source.stage, tuple(order)))[0]


class RealTraces(unittest.TestCase):
    def test_meant_orders_are_accepted(self) -> None:
        for before, after in sorted_traces():
            with self.subTest(after):
                source, expected = read_trace(before), read_trace(after)
                limit = limit_of(expected, None)
                order = read_order(ir(source, meant_order(source.ops, limit)))
                moved = "12 awaited where Thunder awaits them, 5 by the rule look-through"
                if "llama7b_fw" in after:
                    self.assertIn(moved, compare(order, expected, limit))
                else:
                    self.assertTrue(compare(order, expected, limit).endswith("awaited where Thunder awaits them"))

    def test_thunders_own_order_is_refused_only_where_a_convert_drags_gathers(self) -> None:
        for _, after in sorted_traces():
            with self.subTest(after):
                expected = read_trace(after)
                order = read_order(to_comm(expected)[0])
                if "llama7b_fw" in after:
                    with self.assertRaisesRegex(Difference, "waits of gathers differ at number 1"):
                        compare(order, expected, limit_of(expected, None))
                else:
                    compare(order, expected, limit_of(expected, None))

    def test_every_single_swap_of_a_gather_or_an_anchor_is_refused(self) -> None:
        path = next(after for _, after in sorted_traces() if "ZERO3_NONE_L2_small_fw.3_" in after)
        expected = read_trace(path)
        order = [op.key for op in expected.ops if op.role != "unpack"]
        by_key = {op.key: op for op in expected.ops}
        refused = 0
        for place in range(len(order) - 1):
            pair = order[place : place + 2]
            swapped = order[:place] + pair[::-1] + order[place + 2 :]
            if any(by_key[key].category == "view" and by_key[key].role == "compute" for key in pair):
                continue  # a view may stand anywhere between its operand and its first use
            with self.subTest(pair), self.assertRaises(Difference):
                compare(swapped, expected, 3)
            refused += 1
        self.assertGreater(refused, 100)


class SmallTraces(unittest.TestCase):
    TEXT = """
        a = arg()
        b = arg()
        x = arg()
        fa = gather(a)
        wa = wait(fa)
        fb = gather(b)
        wb = wait(fb)
        e = exp(x)
        n = neg(x)
        m1 = matmul(e, wb)
        m2 = matmul(m1, wa)
        m3 = add(m2, n)
        return(m3)
    """

    def setUp(self) -> None:
        self.source = trace(self.TEXT)
        self.expected = Trace("fw", "limit_in_flight_2", tuple(thunder_order(self.source.ops, 2)))
        self.order = "e n fb fa wb m1 wa m2 m3 return".split()

    def refused(self, order: str) -> str:
        with self.assertRaises(Difference) as caught:
            compare(order.split(), self.expected, 2)
        return str(caught.exception)

    def test_accepted(self) -> None:
        self.assertEqual(
            compare(self.order, self.expected, 2),
            "limit 2: 6 anchors in Thunder's order; of 2 gathers 2 awaited where Thunder awaits them",
        )

    def test_refused(self) -> None:
        self.assertIn("anchors differ at number 1:\n  ours:     [n] e", self.refused("n e fb fa wb m1 wa m2 m3 return"))
        self.assertIn("waits of gathers differ", self.refused("e n fa wa fb wb m1 m2 m3 return"))
        self.assertIn("gathers among the anchors differ", self.refused("fb e n fa wb m1 wa m2 m3 return"))
        self.assertIn("gathers among the anchors differ", self.refused("e n fb wb m1 fa wa m2 m3 return"))
        self.assertEqual("missing: m3, return", self.refused("e n fb fa wb m1 wa m2"))
        self.assertEqual("missing: fb, fa, wb, m1, wa and 3 more", self.refused("e n"))
        self.assertEqual("'e' stands there twice", self.refused("e e n fb fa wb m1 wa m2 m3 return"))
        self.assertEqual("'m1' stands above 'wb', which it reads", self.refused("e n fb m1 fa wb wa m2 m3 return"))
        self.assertIn("'0' is no op of the trace", self.refused("0 e n fb fa wb m1 wa m2 m3 return"))

    def test_a_trace_in_another_order_is_no_reference(self) -> None:
        with self.assertRaisesRegex(TraceError, "not in the order that Thunder's sort gives with limit 2"):
            compare(self.order, self.source, 2)

    def test_limit(self) -> None:
        limits: list[tuple[str, str | None, int | None]] = [
            ("2_sort_communication_ops", None, 1), ("3_limit_in_flight_3", None, 3), ("limit_in_flight_max", None, None),
            ("limit_in_flight_3", "5", 5), ("", "max", None),
        ]
        for stage, given, limit in limits:
            self.assertEqual(limit_of(Trace("fw", stage, ()), given), limit)
        for stage, given in (("0_input", None), ("", "0"), ("", "many")):
            with self.assertRaisesRegex(TraceError, "tells no limit"):
                limit_of(Trace("fw", stage, ()), given)

    def test_names_come_from_locations_if_they_are_printed(self) -> None:
        self.assertEqual(
            read_order(
                'module {\n  func.func @f(%a: tensor<f32> loc("a")) {\n    // %no = "x.y"()\n'
                '    %0 = "thunder.exp"(%a) {comm.pure} : (tensor<f32>) -> tensor<f32> loc("e")\n'
                '    %s:2 = "thunder.split"(%0) : (tensor<f32>) -> (tensor<f32>, tensor<f32>) loc(#loc3)\n'
                "    return %0 : tensor<f32>\n  }\n}\n#loc3 = loc(\"s\")\n"
            ),
            ["e", "s", "return"],
        )


class Command(unittest.TestCase):
    def run_it(self, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, os.path.join(HERE, "compare.py"), "-", *arguments]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=False)

    def test_exit_codes(self) -> None:
        path = next(after for _, after in sorted_traces() if "ZERO3_NONE_L2_small_bw.3_" in after)
        text = to_comm(read_trace(path))[0]
        self.assertEqual(self.run_it(text, path).returncode, 0)
        self.assertIn("11 gathers", self.run_it(text, path).stdout)
        cut = self.run_it("\n".join(text.splitlines()[:-2]), path)
        self.assertEqual((cut.returncode, cut.stderr), (1, "compare: missing: return\n"))
        none = self.run_it("", path)
        self.assertEqual((none.returncode, none.stderr), (2, "compare: error: -: no ops\n"))
        self.assertEqual(self.run_it(text, path, "--limit", "none").returncode, 2)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_it(text, os.path.join(folder, "absent.json")).returncode, 2)


if __name__ == "__main__":
    unittest.main()
