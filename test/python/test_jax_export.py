# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of tools/jax_export.py that need no JAX: text in, text out."""

import gzip
import re
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))

from jax_export import ExportError, to_local  # noqa: E402
from mlir_generic import FormatError, parse, renumbered, to_text  # noqa: E402


def program(name):
    """The text of a real program, compressed or not."""
    path = HERE.parent / "programs" / "jax" / name
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8") as file:
        return file.read()


def main_of(module):
    return next(op for op in module.children if op.properties.get("sym_name") == '"main"')


MESH = '"sdy.mesh"() <{mesh = #sdy.mesh<["x"=8, "y"=1]>, sym_name = "mesh"}> : () -> ()'
WHOLE, LOCAL = "tensor<64xf32>", "tensor<8xf32>"


def module(body, results="%1", types=WHOLE, function_extra=""):
    """A module whose @main takes %arg0 and has this body."""
    return f'''"builtin.module"() ({{
  {MESH}
  "func.func"() <{{{function_extra}function_type = ({WHOLE}) -> {types}, sym_name = "main"}}> ({{
  ^bb0(%arg0: {WHOLE}):
    {body}
    "func.return"({results}) : ({types}) -> ()
  }}) : () -> ()
}}) : () -> ()
'''


def shard_map(result, operand, body="", ins='[{"x"}]', outs='[{"x"}]', axes='"x", "y"', types=(LOCAL, LOCAL)):
    """A shard_map that negates its operand; inner names are the same in each, as MLIR prints sibling regions."""
    body = body or f'%9 = "stablehlo.negate"(%arg9) : ({types[0]}) -> {types[1]}'
    return f'''{result} = "sdy.manual_computation"({operand}) <{{in_shardings = #sdy.sharding_per_value<[<@mesh, {ins}>]>,\
 manual_axes = #sdy<manual_axes{{{axes}}}>, out_shardings = #sdy.sharding_per_value<[<@mesh, {outs}>]>}}> ({{
    ^bb0(%arg9: {types[0]}):
      {body}
      "sdy.return"(%9) : ({types[1]}) -> ()
    }}) : ({WHOLE}) -> {WHOLE}'''


class RealPrograms(unittest.TestCase):
    """Training steps as JAX 0.10.2 printed them, and their per-device forms, which were made without this exporter."""

    PAIRS = (
        ("tp_sp_L2_small_train.generic.mlir.gz", "tp_sp_L2_small_train.local.generic.mlir.gz"),
        ("zero3_L2_small_train.generic.mlir.gz", "zero3_L2_small_train.local.generic.mlir"),
    )

    def test_local_form(self):
        for whole, local in self.PAIRS:
            with self.subTest(whole):
                made = parse(to_local(program(whole)))
                # The other route leaves out what the results are called, and has another prefix for what it keeps.
                expected = parse(re.sub(r"\bcorpus\.", "jax.", program(local)))
                names = main_of(made).properties.pop("res_attrs")
                self.assertEqual(names, main_of(parse(program(whole))).properties["res_attrs"])
                self.assertEqual(to_text(renumbered(made)), to_text(renumbered(expected)))

    def test_printing_what_was_read(self):
        for name in (name for pair in self.PAIRS for name in pair):
            text = program(name)
            self.assertEqual(to_text(parse(text)).rstrip("\n"), text.rstrip("\n"), name)


class SmallPrograms(unittest.TestCase):
    def ops(self, text):
        """The main function of the local form, and its ops as (results, name, operands, type)."""
        (main,) = parse(to_local(text)).children
        return main, [(op.results, op.name, op.operands, op.type) for op in main.children]

    def test_two_shard_maps_with_the_same_inner_names(self):
        main, ops = self.ops(module(shard_map("%0", "%arg0") + "\n    " + shard_map("%1", "%0")))
        negate = f"({LOCAL}) -> {LOCAL}"
        self.assertEqual(
            ops,
            [
                ("%0", "stablehlo.negate", ["%arg0"], negate),
                ("%1", "stablehlo.negate", ["%0"], negate),
                ("", "func.return", ["%1"], f"({LOCAL}) -> ()"),
            ],
        )
        self.assertEqual(main.properties["function_type"], negate)
        self.assertEqual(main.attributes["jax.in_shardings"], r'"#sdy.sharding_per_value<[<@mesh, [{\22x\22}]>]>"')

    def test_a_constant_outside_is_whole_everywhere(self):
        body = f'%0 = "stablehlo.constant"() <{{value = dense<1.0> : {WHOLE}}}> : () -> {WHOLE}\n    '
        body += shard_map("%1", "%0", ins="[{}]", types=(WHOLE, WHOLE))
        _, ops = self.ops(module(body))
        self.assertEqual([op[1] for op in ops], ["stablehlo.constant", "stablehlo.negate", "func.return"])
        self.assertEqual(ops[1][2], ["%0"])
        with self.assertRaisesRegex(ExportError, "resharding"):
            to_local(module(body.replace(f"%arg9: {WHOLE}", f"%arg9: {LOCAL}")))

    def test_an_argument_that_is_returned_takes_its_local_type(self):
        main, _ = self.ops(module(shard_map("%1", "%arg0"), results="%1, %arg0", types=f"({WHOLE}, {WHOLE})"))
        self.assertEqual(main.properties["function_type"], f"({LOCAL}) -> ({LOCAL}, {LOCAL})")

    def test_shardings_of_whole_tensors_are_dropped_and_other_argument_attributes_kept(self):
        extra = "arg_attrs = [{jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}], "
        main, _ = self.ops(module(shard_map("%1", "%arg0"), function_extra=extra))
        self.assertEqual(main.properties["arg_attrs"], "[{jax.buffer_donor = true}]")
        main, _ = self.ops(module(shard_map("%1", "%arg0"), function_extra="arg_attrs = [{}], "))
        self.assertNotIn("arg_attrs", main.properties)

    def test_refusals(self):
        one = shard_map("%1", "%arg0")
        cases = {
            "found stablehlo.negate": module(f'%1 = "stablehlo.negate"(%arg0) : ({WHOLE}) -> {WHOLE}'),
            "no sdy.manual_computation": module("", results="%arg0"),
            "mesh axes x to": module(shard_map("%1", "%arg0", axes='"y"')),
            "resharding": module(shard_map("%0", "%arg0") + "\n    " + shard_map("%1", "%0", ins="[{}]")),
            "uses %7, which is not defined": module(shard_map("%1", "%7")),
            "uses %8, which is not defined": module(one.replace('return"(%9)', 'return"(%8)')),
            "found sdy.all_gather": module(one.replace("stablehlo.negate", "sdy.all_gather")),
            "no function @main": module(one).replace('"main"', '"other"'),
            "name no mesh": module(one).replace('sym_name = "mesh"', 'sym_name = "mash"'),
            "returns %arg0": module(
                f'%0 = "stablehlo.constant"() : () -> {WHOLE}\n    '
                + shard_map("%1", "%0", ins="[{}]", types=(WHOLE, WHOLE)),
                results="%arg0",
            ),
            "expected in_shardings": module(one.replace("in_shardings", "inner")),
        }
        for message, text in cases.items():
            with self.subTest(message), self.assertRaisesRegex(ExportError, message):
                to_local(text)

    def test_other_forms_are_refused_with_the_line(self):
        good = module(shard_map("%1", "%arg0"))
        cases = {
            "line 1: .*without aliases": "#loc = loc(unknown)\n" + good,
            "line 7: .*without locations": good.replace(f"({LOCAL}) -> {LOCAL}", f"({LOCAL}) -> {LOCAL} loc(#loc1)"),
            "line 1: .*found `module": "module {\n}\n",
            "line 9: expected `\\)`": good.replace("}) : (tensor<64", "} : (tensor<64", 1),
            "expected the end": good + "x",
        }
        for message, text in cases.items():
            with self.subTest(message), self.assertRaisesRegex(FormatError, message):
                to_local(text)
        undefined = good.replace('negate"(%arg9)', 'negate"(%8)')
        with self.assertRaisesRegex(FormatError, "stablehlo.negate uses %8, which is not defined"):
            to_local(undefined)


if __name__ == "__main__":
    unittest.main()
