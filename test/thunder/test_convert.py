#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tools/thunder_to_comm.py prints, what it refuses, and that dumping a trace gives what it reads."""

from __future__ import annotations

import unittest
from types import SimpleNamespace
from typing import Any

from compare import read_order
from fixtures import document, inputs, trace
from thunder_to_comm import to_comm
from thunder_trace import OPERATIONS, TraceError, dump_trace, parse_trace, read_trace

STEP = """
    w = arg()
    x = arg()
    fw = gather(w)
    ww = wait(fw)
    c = to(ww)
    y = mul(x, c)
    h = mul(y)
    g = grad(h)
    fr = scatter(g)
    wr = wait(fr)
    return(y, wr)
"""


class Printed(unittest.TestCase):
    def test_a_step(self) -> None:
        text, unknown = to_comm(trace(STEP))
        groups = "over [[0, 1, 2, 3]]"
        self.assertEqual(
            text.splitlines(),
            [
                "func.func @forward(",
                '    %w: tensor<2xf32> loc("w"),',
                '    %x: tensor<2xf32> loc("x")',
                ") -> (tensor<2xf32>, tensor<2xf32>) {",
                f'  %fw = comm.all_gather %w dim 0 {groups} : tensor<2xf32> -> !comm.future<tensor<8xf32>> loc("fw")',
                '  %ww = comm.wait %fw keeping(%w : tensor<2xf32>) : !comm.future<tensor<8xf32>> loc("ww")',
                '  %c = "thunder.to"(%ww) {comm.pure} : (tensor<8xf32>) -> tensor<8xf32> loc("c")',
                '  %y = "thunder.mul"(%x, %c) {comm.pure} : (tensor<2xf32>, tensor<8xf32>) -> tensor<2xf32> loc("y")',
                '  %h = "thunder.mul_scalar"(%y) {comm.pure} : (tensor<2xf32>) -> tensor<2xf32> loc("h")',
                '  %g = "thunder.grad"(%h) : (tensor<2xf32>) -> tensor<8xf32> loc("g")',
                f'  %fr = comm.reduce_scatter sum %g dim 0 {groups} : tensor<8xf32> -> !comm.future<tensor<2xf32>> loc("fr")',
                '  %wr = comm.wait %fr keeping(%g : tensor<8xf32>) : !comm.future<tensor<2xf32>> loc("wr")',
                "  return %y, %wr : tensor<2xf32>, tensor<2xf32>",
                "}",
            ],
        )
        self.assertEqual(unknown, ["grad"])

    def test_names_are_made_legal_and_stay_unique(self) -> None:
        source = document("a = arg()\nb = exp(a)\nreturn(b)")
        source["nodes"][0]["out"][0]["name"] = source["nodes"][1]["in"][0]["name"] = "a:0"
        source["nodes"][1]["out"][0]["name"] = source["nodes"][2]["in"][0]["name"] = "a_0"
        text = to_comm(parse_trace(source))[0]
        self.assertIn('%a_0: tensor<2xf32> loc("a:0")', text)
        self.assertIn('%a_0_1 = "thunder.exp"(%a_0)', text)
        source["nodes"][0]["out"][0]["name"] = source["nodes"][1]["in"][0]["name"] = "0é"
        self.assertIn('%v_0_: tensor<2xf32> loc("0\\C3\\A9")', to_comm(parse_trace(source))[0])

    def test_several_results(self) -> None:
        text = to_comm(trace("a = arg()\nb, c = split(a)\nreturn(c, b)"))[0]
        self.assertIn('%b:2 = "thunder.split"(%a) {comm.pure} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)', text)
        self.assertIn("return %b#1, %b#0", text)

    def test_nothing_returned_and_deletes(self) -> None:
        source = document("a = arg()\nb = exp(a)\nreturn()")
        source["nodes"].insert(2, {"id": 9, "op": "python_del", "in": [{"name": "b"}], "out": []})
        self.assertEqual(read_order(to_comm(parse_trace(source))[0]), ["b", "return"])

    def test_real_traces_keep_every_op_in_order(self) -> None:
        for path in inputs():
            with self.subTest(path):
                source = read_trace(path)
                text, unknown = to_comm(source)
                self.assertEqual(read_order(text), [op.key for op in source.ops if op.role != "unpack"])
                self.assertEqual(unknown, [])
                self.assertIn("over [[0, 1, 2, 3, 4, 5, 6, 7]]", text)

    def test_table(self) -> None:
        self.assertLessEqual(set(OPERATIONS.values()), {"view", "cheap", "real"})


class Refused(unittest.TestCase):
    def refused(self, source: Any, message: str, world_size: int | None = None) -> None:
        with self.assertRaisesRegex(TraceError, message):
            to_comm(parse_trace(source), world_size)

    def test_text(self) -> None:
        for text, message in (
            ("a = arg()\nb = exp(a)", "exactly one return"),
            ("a = arg()\nreturn(a)\nreturn(a)", "exactly one return"),
            ("a = arg()\nb = exp(c)\nreturn(b)", r"node 1: 'exp' \(b\) reads 'c', which no earlier op defines"),
            ("a = arg()\na = exp(a)\nreturn(a)", "defines 'a' a second time"),
            ("a = arg()\nf = gather(a)\nb = exp(f)\nw = wait(f)\nreturn(b)", r"node 2: 'exp' \(b\) reads a future"),
            ("a = arg()\nw = wait(a)\nreturn(w)", "must turn one future"),
            ("a = arg()\nf = gather(a)\nw = wait(f)\nv = wait(f)\nreturn(w)", "awaits 'f' a second time"),
            ("a = arg()\nf = gather(a)\nreturn(a)", "never awaited: f"),
        ):
            with self.subTest(text):
                self.refused(document(text), message)

    def test_documents(self) -> None:
        self.refused([], "expected a JSON object with \"format\"")
        self.refused({"format": "thunder-trace-v2", "nodes": []}, "thunder-trace-v1")
        self.refused({"format": "thunder-trace-v1"}, "expected a list under \"nodes\"")
        self.refused({"format": "thunder-trace-v1", "nodes": [{"op": "exp"}]}, "node 0: malformed: KeyError 'in'")
        self.refused({"format": "thunder-trace-v1", "nodes": [{"op": "print", "in": [], "out": []}]}, "'print' has no result")

    def changed(self, node: int, key: str, value: Any) -> dict[str, Any]:
        source = document(STEP)
        source["nodes"][node]["out"][0][key] = value
        return source

    def test_types_and_groups(self) -> None:
        self.refused(self.changed(5, "dtype", "f8"), "'y' has element type 'f8'")
        self.refused(self.changed(2, "shape", [8, 1]), "shapes that differ in one dimension")
        self.refused(self.changed(2, "shape", [7]), "7 is no multiple of 2")
        self.refused(self.changed(8, "shape", [4]), "group of 2, expected 4")
        self.refused(document(STEP), "group of 4, expected 8", world_size=8)
        source = document(STEP)
        source["nodes"][2]["comm"] = "all_to_all"
        self.refused(source, "collective 'all_to_all'; known are all_gather")
        del source["nodes"][5]["out"][0]["shape"]
        self.refused(source, "gives 'y', which is no tensor")

    def test_all_reduce_needs_the_group_size(self) -> None:
        source = document("a = arg()\nf = gather(a)\nw = wait(f)\nreturn(w)")
        source["nodes"][1]["comm"] = "all_reduce"
        for node in (1, 2):
            source["nodes"][node]["out"][0]["shape"] = [2]
        self.refused(source, "give --world-size")
        text = to_comm(parse_trace(source), 2)[0]
        self.assertIn("comm.all_reduce sum %a over [[0, 1]] : tensor<2xf32> -> !comm.future<tensor<2xf32>>", text)


class FutureTensorProxy(SimpleNamespace):
    """Stands for Thunder's class of this name."""


class Dump(unittest.TestCase):
    def test_bound_symbols(self) -> None:
        dtype = "thunder.dtypes.float32"
        a = SimpleNamespace(name="a", shape=(2,), dtype=dtype)
        f = FutureTensorProxy(name="f", shape=(8,), dtype=dtype)
        w = SimpleNamespace(name="w", shape=(8,), dtype=dtype + "_")  # an underscore marks a weak type
        saved = SimpleNamespace(name="saved")

        def symbol(name: str, reads: list[Any], gives: list[Any]) -> SimpleNamespace:
            return SimpleNamespace(sym=SimpleNamespace(name=name), flat_proxy_args=reads, flat_proxy_outs=gives)

        dumped = dump_trace(
            [
                symbol("unpack_trivial", [], [saved]),
                symbol("unpack_sequence", [saved], [a]),
                symbol("torch_all_gather_prim_impl", [a], [f]),
                symbol("torch_wait_prim_impl", [f], [w]),
                symbol("python_del", [f], []),
                symbol("python_return", [w, a], [w, a]),
            ],
            "bw",
        )
        text = to_comm(parse_trace(dumped))[0]
        self.assertIn("func.func @backward(\n    %a: tensor<2xf32>", text)
        self.assertEqual(read_order(text), ["f", "w", "return"])
        self.assertIn("return %w, %a : tensor<8xf32>, tensor<2xf32>", text)


if __name__ == "__main__":
    unittest.main()
