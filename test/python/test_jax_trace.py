# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traces small functions with JAX and exports them. Argument: where the last one is written."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

from jax_export import ExportError, export  # noqa: E402
from mlir_generic import parse  # noqa: E402

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_num_cpu_devices", 8)
MESH = jax.make_mesh((8,), ("fsdp",), axis_types=(jax.sharding.AxisType.Auto,))
WEIGHT = jax.ShapeDtypeStruct((64, 64), jnp.float32)


def forward(weight, batch):
    weight = jax.lax.all_gather(weight, "fsdp", tiled=True)
    return jnp.tanh(batch @ weight)


def loss_and_gradient(weight, batch):
    return jax.value_and_grad(lambda w: jax.lax.psum(jnp.sum(forward(w, batch)), "fsdp"))(weight)


def sharded(function, out_specs):
    return jax.shard_map(function, mesh=MESH, in_specs=(P("fsdp"), P("fsdp")), out_specs=out_specs)


class Trace(unittest.TestCase):
    output = None

    def names(self, text):
        return [op.name.removeprefix("stablehlo.") for op in parse(text).children[0].children]

    def test_training_step(self):
        step = jax.jit(sharded(loss_and_gradient, (P(), P("fsdp"))), donate_argnums=0)
        text = export(step, WEIGHT, WEIGHT, path=self.output)
        (main,) = parse(text).children
        local = "tensor<8x64xf32>"
        self.assertEqual(main.properties["function_type"], f"({local}, {local}) -> (tensor<f32>, {local})")
        self.assertEqual([n for n in self.names(text) if n in ("all_gather", "reduce_scatter")], ["all_gather", "reduce_scatter"])
        self.assertIn("jax.buffer_donor", main.properties["arg_attrs"])
        with open(self.output, encoding="utf-8") as written:
            self.assertEqual(written.read(), text)

    def test_a_plain_function_of_two_shard_maps(self):
        layer = sharded(forward, P("fsdp"))
        text = export(lambda w, x: layer(w, layer(w, x)), WEIGHT, WEIGHT)
        self.assertEqual(
            self.names(text), ["all_gather", "dot_general", "tanh", "all_gather", "dot_general", "tanh", "func.return"]
        )

    def test_auto_partitioned_is_refused(self):
        with self.assertRaisesRegex(ExportError, "outermost"):
            export(lambda w, x: x @ w, WEIGHT, WEIGHT)


if __name__ == "__main__":
    Trace.output = sys.argv.pop()
    unittest.main()
