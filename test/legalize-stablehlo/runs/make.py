#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the programs of this folder and what they compute, for tests/legalize_runs.rs.

    python make.py          # needs jax and numpy; made with JAX 0.10.2 on CPU

Each FAMILY.mlir holds modules, one a case, as JAX lowers them; FAMILY.json has the arguments of each and the results as
JAX computes them, or, for programs that JAX does not make, as numpy or plain arithmetic says here. `ulps` is how far a
result may be off, in units of the last place of its type; 0 is the same bits but for NaN.
"""
import json
import pathlib

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import numpy as np
from jax import lax

HERE = pathlib.Path(__file__).parent
NAMES = {
    "bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "ui8", "uint16": "ui16",
    "uint32": "ui32", "uint64": "ui64", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64",
}
bf16 = jnp.bfloat16
families: dict[str, list] = {}


def tensor(array):
    array = np.asarray(array)
    name = NAMES[str(array.dtype)]
    def spell(value):
        if name == "i1":
            return int(value)
        if name[0] in "iu":
            return int(value)
        # As text, so that no reader of JSON rounds it.
        return repr(float(value))
    return {"type": name, "shape": list(array.shape), "values": [spell(value) for value in array.reshape(-1)]}


def add(family, name, program, arguments, results, ulps):
    families.setdefault(family, []).append(
        (program, {"name": name, "ulps": ulps, "arguments": [tensor(a) for a in arguments],
                   "results": [tensor(r) for r in results]}))


def case(family, name, function, *arguments, ulps=0):
    """A case from JAX."""
    arguments = [np.asarray(a) for a in arguments]
    jitted = jax.jit(function, keep_unused=True)
    text = jitted.lower(*arguments).compiler_ir("stablehlo").operation.get_asm(
        print_generic_op_form=True, large_elements_limit=None)
    results = jax.tree.leaves(jitted(*arguments))
    add(family, name, text.strip(), arguments, results, ulps)


def written(name, text, arguments, results, ulps=0):
    """A case that is written by hand. `text` is the body of a module."""
    add("written", name, "module {\n" + text.strip("\n") + "\n}", arguments, results, ulps)


rng = np.random.default_rng(7)
def floats(*shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)
def ints(low, high, *shape, dtype=np.int32):
    return rng.integers(low, high, shape).astype(dtype)

SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, np.inf, -np.inf, np.nan, 100.25],
                   np.float32).reshape(3, 5)

# ---------------------------------------------------------------------------------------------------------------- floats
for name, function in {"abs": lax.abs, "negate": lax.neg, "sign": lax.sign, "floor": lax.floor, "ceil": lax.ceil,
                       "round_afz": lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
                       "round_even": lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN),
                       "is_finite": lax.is_finite, "sqrt": lax.sqrt}.items():
    case("floats", name, function, SPECIAL)
moderate = np.linspace(-3, 3, 21, dtype=np.float32).reshape(3, 7)
positive = np.linspace(0.01, 5, 21, dtype=np.float32).reshape(7, 3)
for name, function, argument in [
        ("exponential", lax.exp, moderate), ("expm1", lax.expm1, moderate * 0.01), ("log", lax.log, positive),
        ("log1p", lax.log1p, positive * 0.01), ("logistic", lax.logistic, moderate), ("tanh", lax.tanh, moderate),
        ("sine", lax.sin, moderate), ("cosine", lax.cos, moderate), ("tan", lax.tan, moderate * 0.4),
        ("rsqrt", lax.rsqrt, positive), ("cbrt", lax.cbrt, moderate)]:
    case("floats", name, function, argument, ulps=8)
for name, function in {"exponential_special": lax.exp, "log_special": lax.log, "tanh_special": lax.tanh,
                       "logistic_special": lax.logistic, "rsqrt_special": lax.rsqrt}.items():
    case("floats", name, function, SPECIAL, ulps=8)
left = np.array([1, -1, 0, -0.0, np.nan, np.inf, 5.5, -5.5, 3], np.float32)
right = np.array([2, 3, -0.0, 0, 1, -np.inf, 2, 2, np.nan], np.float32)
for name, function in {"add": lax.add, "subtract": lax.sub, "multiply": lax.mul, "divide": lax.div,
                       "remainder": lax.rem, "lt": lax.lt, "le": lax.le,
                       "gt": lax.gt, "ge": lax.ge, "eq": lax.eq, "ne": lax.ne}.items():
    case("floats", name, function, left, right)
case("floats", "extremes", lambda x, y: (lax.max(x, y), lax.min(x, y)), left[4:], right[4:])
case("floats", "power", lax.pow, positive, moderate.reshape(7, 3), ulps=8)
case("floats", "atan2", lax.atan2, left[:7], right[:7], ulps=8)
case("floats", "clamp_scalars", lambda x: lax.clamp(np.float32(-1), x, np.float32(1)), SPECIAL)
case("floats", "clamp_tensors", lax.clamp, np.full(9, -2, np.float32), left, np.full(9, 2, np.float32))
case("floats", "select", lax.select, left > right, left, right)
case("floats", "select_scalar", lambda p, x, y: lax.select(p, x, y), np.bool_(True), left, right)
case("floats", "scalars", lambda x, y: (x * y + 2, x < y), np.float32(3), np.float32(4))
for dtype in (bf16, np.float16):
    suffix = NAMES[str(np.dtype(dtype))]
    a, b = floats(5, 3).astype(dtype), floats(5, 3).astype(dtype)
    case("floats", f"arithmetic_{suffix}", lambda x, y: (x + y, x * y, x - y, x / y, lax.max(x, y), -x, x < y,
                                                         lax.sqrt(lax.abs(x))), a, b)
    case("floats", f"functions_{suffix}", lambda x: (lax.exp(x), lax.tanh(x), lax.logistic(x)), a, ulps=2)
case("floats", "arithmetic_f64", lambda x, y: (x + y, x / y, lax.exp(x), lax.sin(y)), floats(4, dtype=np.float64),
     floats(4, dtype=np.float64), ulps=4)
case("floats", "empty", lambda x: lax.exp(x) + 1, np.zeros((3, 0), np.float32))
case("floats", "unit_dimensions", lambda x: lax.exp(x) * 2, np.ones((1, 1, 1), np.float32), ulps=8)

# -------------------------------------------------------------------------------------------------------------- integers
for dtype in (np.int8, np.int32, np.int64, np.uint8, np.uint32, np.uint64):
    info, suffix = np.iinfo(dtype), NAMES[str(np.dtype(dtype))]
    a = np.array([0, 1, 7, info.min, info.max, 100, info.max - 1, info.min, 13], dtype)
    b = np.array([0, 0, 3, info.max, info.max, 7, 2, 0, 5], dtype)
    if info.min < 0:
        a[0], b[7], b[3] = -7, -1, -1
        b[5] = -7
    case("integers", f"arithmetic_{suffix}", lambda x, y: (x + y, x - y, x * y, lax.max(x, y), lax.min(x, y)), a, b)
    case("integers", f"quotients_{suffix}", lambda x, y: (lax.div(x, y), lax.rem(x, y)), a, b)
    case("integers", f"bits_{suffix}", lambda x, y: (x & y, x | y, x ^ y, ~x, lax.population_count(x), lax.clz(x)), a, b)
    case("integers", f"compare_{suffix}", lambda x, y: (x < y, x <= y, x > y, x >= y, x == y, x != y), a, b)
    case("integers", f"unary_{suffix}", lambda x: (lax.sign(x), lax.abs(x) if info.min < 0 else x, lax.neg(x)), a)
    bits = np.dtype(dtype).itemsize * 8
    amounts = np.array([0, 1, bits - 1, bits, info.max, 3, 2, 5, 4], dtype)
    case("integers", f"shifts_{suffix}", lambda x, y: (lax.shift_left(x, y), lax.shift_right_logical(x, y),
                                                       lax.shift_right_arithmetic(x, y)), a, amounts)
    case("integers", f"clamp_{suffix}", lambda x: lax.clamp(dtype(3), x, dtype(90)), a)
p, q = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
case("integers", "booleans", lambda x, y: (x & y, x | y, x ^ y, ~x, x == y, x != y, lax.max(x, y), lax.min(x, y),
                                           x < y, lax.select(x, y, x)), p, q)

# ----------------------------------------------------------------------------------------------------------- conversions
wide = np.array([0, -0.0, 0.4, -0.6, 1.5, -1.5, 126.9, 300, -300, 70000, 3e9, -3e9, 1e19, -1e19, 1e30, np.inf, -np.inf,
                 np.nan], np.float32)
for dtype in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, bool, np.float16, bf16,
              np.float64):
    case("conversions", f"f32_to_{NAMES[str(np.dtype(dtype))]}", lambda x: x.astype(dtype), wide)
case("conversions", "bf16_to_i32", lambda x: x.astype(np.int32), wide.astype(bf16))
case("conversions", "f16_to_bf16", lambda x: x.astype(bf16), floats(7).astype(np.float16))
case("conversions", "f64_to_f32", lambda x: x.astype(np.float32), floats(7, dtype=np.float64))
case("conversions", "f64_to_i32", lambda x: x.astype(np.int32), wide.astype(np.float64))
numbers = np.array([0, 1, -1, 127, 128, -128, 255, 65537, -70000, 2**31 - 1, -2**31, 16777217], np.int32)
for dtype in (np.int8, np.int64, np.uint8, np.uint32, np.uint64, bool, np.float32, np.float64, np.float16, bf16):
    suffix = NAMES[str(np.dtype(dtype))]
    case("conversions", f"i32_to_{suffix}", lambda x: x.astype(dtype), numbers)
    case("conversions", f"ui32_to_{suffix}", lambda x: x.astype(dtype), numbers.astype(np.uint32))
case("conversions", "i1_to_all", lambda x: (x.astype(np.float32), x.astype(np.int32), x.astype(np.uint8), x.astype(bf16)),
     np.array([True, False]))
case("conversions", "bitcast", lambda x: (lax.bitcast_convert_type(x, np.int32), lax.bitcast_convert_type(x, np.uint32)),
     SPECIAL[:, :3])
case("conversions", "bitcast_back", lambda x: lax.bitcast_convert_type(x, np.float32),
     np.array([0x3f800000, 0x7f800000, 0x80000000], np.uint32))
case("conversions", "bitcast_signs", lambda x: lax.bitcast_convert_type(x, np.int32), np.array([1, 2**32 - 1], np.uint32))
close = np.concatenate([np.array([1.00390625, 1.01171875, -1.00390625, 3.4e38, 65519.9, 65520, 1e-7, 6.2e-5, 240, 248, 249,
                                  0.0155, 0.0078], np.float32), floats(20) * 100, SPECIAL.reshape(-1)])
for exponent, mantissa in ((8, 7), (5, 10), (4, 3), (8, 23), (5, 2), (3, 0), (8, 0)):
    case("conversions", f"reduce_precision_{exponent}_{mantissa}",
         lambda x: lax.reduce_precision(x, exponent, mantissa), close)
case("conversions", "reduce_precision_bf16", lambda x: lax.reduce_precision(x, 5, 3), close.astype(bf16))
case("conversions", "reduce_precision_f64", lambda x: lax.reduce_precision(x, 8, 23), close.astype(np.float64) * 1.1)

# ---------------------------------------------------------------------------------------------------------------- shapes
for dtype in (np.int32, np.uint8, np.float32, bf16):
    case("shapes", f"iota_{NAMES[str(np.dtype(dtype))]}", lambda: (lax.broadcasted_iota(dtype, (3, 5), 0),
                                                                  lax.broadcasted_iota(dtype, (3, 5), 1)))
x = floats(3, 1, 5)
case("shapes", "broadcast", lambda x: (jnp.broadcast_to(x, (2, 3, 4, 5)), lax.broadcast_in_dim(x, (5, 3, 1), (1, 2, 0))
                                       if False else lax.broadcast_in_dim(x[:, 0], (5, 3, 5), (1, 2))), x)
case("shapes", "broadcast_scalar", lambda x: jnp.broadcast_to(x, (2, 3)), np.float32(2.5))
case("shapes", "reshape", lambda x: (x.reshape(15), x.reshape(5, 3), x.reshape(1, 3, 5, 1), x.reshape(3, 5)), x)
case("shapes", "reshape_units", lambda x: (x.reshape(()), x.reshape(1, 1), x.reshape(1, 1, 1, 1)), floats(1))
case("shapes", "reshape_transposed", lambda x: x.transpose(2, 0, 1).reshape(5, 3), x)
case("shapes", "transpose", lambda x: (x.transpose(2, 1, 0), x.transpose(0, 2, 1)), floats(2, 3, 4))
case("shapes", "slice", lambda x: (x[1:4:2, ::3], x[2:2], x[:, 4:5]), floats(5, 7))
case("shapes", "slice_then_sum", lambda x: x[1:4:2, ::3].reshape(-1) * 2, floats(5, 7))
case("shapes", "reverse", lambda x: (x[::-1], lax.rev(x, (0, 1)), lax.rev(x, (1,))), floats(4, 3))
case("shapes", "concatenate", lambda x, y, z: (jnp.concatenate([x, y, z], 1), jnp.concatenate([x, x], 0)), floats(2, 3),
     floats(2, 1), floats(2, 0))
case("shapes", "update_nothing", lambda x, u, i: lax.dynamic_update_slice_p.bind(x, u, i), floats(3),
     np.zeros(0, np.float32), np.int32(3))
case("shapes", "constants", lambda: (np.arange(6, dtype=np.int32).reshape(2, 3), np.array([1, 2**32 - 1], np.uint32),
                                    np.full((2, 2), 7, np.uint8), np.array([True, False, True]),
                                    np.array([1.5, -2], bf16), np.zeros((0, 3), np.float32)))
zero = np.float32(0)
for name, config in {"edges": ((1, 2, 0), (0, 3, 0)), "interior": ((1, 0, 2), (0, 0, 1)),
                     "negative": ((-1, 2, 0), (1, -2, 0)), "negative_interior": ((-2, -1, 1), (-3, 2, 2)),
                     "nothing_left": ((-3, 5, 0), (0, 0, 0)), "all_gone": ((-3, 0, 0), (0, 0, 0))}.items():
    case("shapes", f"pad_{name}", lambda x: lax.pad(x, np.float32(9), config), floats(3, 4))
case("shapes", "pad_empty", lambda x: lax.pad(x, np.float32(9), ((2, 1, 0), (0, 0, 0))), np.zeros((0, 2), np.float32))
case("shapes", "pad_ui8", lambda x: lax.pad(x, np.uint8(200), ((1, 1, 1),)), ints(0, 255, 3, dtype=np.uint8))
for dtype in (np.int32, np.uint32, np.int64, np.uint8):
    for place in (1, 2, 100):
        case("shapes", f"dynamic_{NAMES[str(np.dtype(dtype))]}_{place}", lambda x, u, i: (
            lax.dynamic_slice_p.bind(x, i, i, slice_sizes=(2, 3)), lax.dynamic_update_slice_p.bind(x, u, i, i)),
            floats(4, 6), floats(2, 3), dtype(place))
case("shapes", "dynamic_negative", lambda x, u, i: (lax.dynamic_slice_p.bind(x, i, i, slice_sizes=(2, 3)),
                                                    lax.dynamic_update_slice_p.bind(x, u, i, i)),
     floats(4, 6), floats(2, 3), np.int32(-2))

# ---------------------------------------------------------------------------------------------------------- contractions
def dot(dims, **options):
    return lambda x, y: lax.dot_general(x, y, dims, **options)
case("contractions", "matmul", dot((((1,), (0,)), ((), ()))), floats(3, 5), floats(5, 7), ulps=16)
case("contractions", "transposed", dot((((0,), (1,)), ((), ()))), floats(5, 3), floats(7, 5), ulps=16)
case("contractions", "batch", dot((((2,), (1,)), ((0,), (0,)))), floats(2, 3, 5), floats(2, 5, 4), ulps=16)
case("contractions", "two_batches", dot((((3,), (3,)), ((0, 2), (0, 2)))), floats(2, 3, 4, 5), floats(2, 6, 4, 5), ulps=16)
case("contractions", "batch_of_one", dot((((2,), (1,)), ((0,), (0,)))), floats(1, 3, 5), floats(1, 5, 4), ulps=16)
case("contractions", "two_contracted", dot((((0, 1), (1, 0)), ((), ()))), floats(2, 3, 4), floats(3, 2, 5), ulps=64)
case("contractions", "vectors", dot((((0,), (0,)), ((), ()))), floats(9), floats(9), ulps=32)
case("contractions", "outer", dot((((), ()), ((), ()))), floats(3), floats(4, 2))
case("contractions", "matrix_vector", dot((((1,), (0,)), ((), ()))), floats(3, 4), floats(4), ulps=16)
case("contractions", "nothing_contracted", dot((((1,), (0,)), ((), ()))), np.zeros((3, 0), np.float32),
     np.zeros((0, 2), np.float32))
case("contractions", "empty", dot((((1,), (0,)), ((), ()))), np.zeros((0, 3), np.float32), floats(3, 2))
case("contractions", "integers", dot((((1,), (0,)), ((), ()))), ints(-9, 9, 3, 5), ints(-9, 9, 5, 2))
case("contractions", "unsigned", dot((((1,), (0,)), ((), ()))), ints(0, 9, 3, 5, dtype=np.uint32),
     ints(0, 9, 5, 2, dtype=np.uint32))
case("contractions", "bf16", dot((((1,), (0,)), ((), ()))), floats(3, 5).astype(bf16), floats(5, 2).astype(bf16), ulps=1)
case("contractions", "bf16_to_f32", dot((((1,), (0,)), ((), ())), preferred_element_type=np.float32),
     floats(3, 5).astype(bf16), floats(5, 2).astype(bf16), ulps=32)
case("contractions", "i8_to_i32", dot((((1,), (0,)), ((), ())), preferred_element_type=np.int32),
     ints(-128, 127, 3, 5, dtype=np.int8), ints(-128, 127, 5, 2, dtype=np.int8))

# ------------------------------------------------------------------------------------------------------------ reductions
x = floats(3, 4, 5)
case("reductions", "sum", lambda x: (x.sum(0), x.sum((0, 2)), x.sum(), x.sum(())), x, ulps=64)
case("reductions", "extremes", lambda x: (x.max(1), x.min((1, 2)), x.max()), x)
case("reductions", "product", lambda x: x.prod(2), x, ulps=8)
case("reductions", "nan", lambda x: (x.max(1), x.min(1)), SPECIAL)
case("reductions", "truth", lambda x: (x.any(0), x.all(1)), ints(0, 2, 3, 4).astype(bool))
case("reductions", "integers", lambda x: (x.sum(0), x.max(0), x.min(1)), ints(-50, 50, 3, 4))
case("reductions", "unsigned", lambda x: (x.max(0), x.min(1)), ints(0, 2**32, 3, 4, dtype=np.uint32))
case("reductions", "bits", lambda x: (lax.reduce(x, np.int32(-1), lax.bitwise_and, (0,)),
                                      lax.reduce(x, np.int32(0), lax.bitwise_xor, (1,))), ints(0, 99, 3, 4))
case("reductions", "argmax", lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 0)), np.round(x[0] * 2))
case("reductions", "argmax_nan", lambda x: jnp.argmax(x, 1), SPECIAL)
case("reductions", "empty", lambda x: (x.sum(0), x.sum(1)), np.zeros((0, 3), np.float32))
case("reductions", "scalar", lambda x: lax.reduce(x, np.float32(0), lax.add, ()), np.float32(3))
case("reductions", "bf16", lambda x: (x.max(0), lax.reduce(x, bf16(0), lax.add, (0,))), np.ones((5, 3), bf16))
case("reductions", "several", lambda x, y: lax.reduce((x, y), (np.float32(0), np.int32(1)), lambda a, b: (
    a[0] + b[0] * 2, a[1] * b[1]), (1,)), floats(3, 4), ints(1, 5, 3, 4), ulps=16)
case("reductions", "cumulative", lambda x: (jnp.cumsum(x, 1), lax.cummax(x, 0)), x[0], ulps=16)
window = lambda *args, **options: lambda x: lax.reduce_window(x, *args, **options)
case("reductions", "window_max", window(np.float32(-np.inf), lax.max, (2, 3), (1, 2), "VALID"), floats(5, 9))
case("reductions", "window_same", window(np.float32(0), lax.add, (3, 3), (2, 1), "SAME"), floats(5, 4), ulps=16)
case("reductions", "window_dilated", window(np.float32(0), lax.add, (2, 2), (1, 1), ((1, 2), (0, 1)),
                                            base_dilation=(2, 3), window_dilation=(3, 2)), floats(4, 3), ulps=16)
case("reductions", "window_none", window(np.float32(0), lax.add, (6,), (1,), "VALID"), floats(4))

# -------------------------------------------------------------------------------------------------------------- indexing
table = floats(6, 4)
places = np.array([[0, 5], [-2, 9], [3, 3]], np.int32)
for mode in ("clip", "fill"):
    case("indexing", f"take_{mode}", lambda x, i: jnp.take(x, i, axis=0, mode=mode), table, places)
case("indexing", "take_columns", lambda x, i: x[:, i], table, np.array([3, 0, 1], np.int32))
case("indexing", "take_pairs", lambda x, i, j: x[i, j], table, np.array([1, 5], np.int32), np.array([2, 3], np.int32))
case("indexing", "take_unsigned", lambda x, i: jnp.take(x, i, axis=0, mode="clip"), table,
     np.array([1, 200, 4], np.uint8))
case("indexing", "take_along_axis", lambda x, i: jnp.take_along_axis(x, i, 1), table, ints(0, 4, 6, 2))
case("indexing", "take_batched", jax.vmap(lambda x, i: x[i]), floats(3, 5, 2), ints(0, 5, 3, 4))
case("indexing", "gather_windows", lambda x, i: lax.gather(
    x, i, lax.GatherDimensionNumbers((1, 2), (), (0, 1)), (2, 3), mode="clip"), table, ints(-2, 8, 5, 2))
case("indexing", "gather_vector_first", lambda x, i: lax.gather(
    x, i, lax.GatherDimensionNumbers((0,), (0,), (0, 1)), (1, 2), mode="clip"), table, ints(0, 6, 3, 2))
for name, update in {"set": lambda a: a.set, "add": lambda a: a.add, "multiply": lambda a: a.multiply,
                     "max": lambda a: a.max, "min": lambda a: a.min}.items():
    index = np.array([0, 7, 3, -1], np.int32) if name == "set" else np.array([0, 7, 3, 3], np.int32)
    case("indexing", f"scatter_{name}", lambda x, i, u: update(x.at[i])(u), table, index, floats(4, 4), ulps=1)
case("indexing", "scatter_columns", lambda x, i, u: x.at[:, i].add(u), table, np.array([1, 3, 9], np.int32), floats(6, 3),
     ulps=1)
case("indexing", "scatter_pairs", lambda x, i, j, u: x.at[i, j].set(u), table, np.array([1, 5], np.int32),
     np.array([2, 3], np.int32), floats(2))
case("indexing", "scatter_batched", jax.vmap(lambda x, i, u: x.at[i].add(u)), floats(3, 5), ints(0, 5, 3, 4),
     floats(3, 4), ulps=2)
case("indexing", "scatter_scalar", lambda x, u: x.at[2].set(u), floats(5), np.float32(7))
case("indexing", "scatter_unsigned", lambda x, i, u: x.at[i].max(u), ints(0, 2**32, 5, dtype=np.uint32),
     np.array([0, 0, 4], np.int32), ints(0, 2**32, 3, dtype=np.uint32))
case("indexing", "gradient_of_take", lambda x, i: jax.grad(lambda x: (jnp.take(x, i, axis=0) ** 2).sum())(x), table,
     np.array([1, 1, 4], np.int32), ulps=4)

# --------------------------------------------------------------------------------------------------------------- control
case("control", "counted", lambda x: lax.fori_loop(0, 5, lambda i, c: c * 0.5 + i.astype(np.float32), x), floats(3, 2))
case("control", "swapped", lambda x, y: lax.fori_loop(0, 5, lambda i, c: (c[1], c[0] + c[1]), (x, y)), floats(3, 2),
     floats(3, 2), ulps=1)
case("control", "rotated_views", lambda x, y: lax.fori_loop(0, 3, lambda i, c: (
    c[1].reshape(2, 3).T.reshape(6), c[0][::-1]), (x, y)), floats(6), floats(6))
case("control", "in_place", lambda x: lax.fori_loop(1, 6, lambda i, c: c.at[i].set(c[i - 1] * 2), x), floats(6))
case("control", "never", lambda x: lax.fori_loop(3, 3, lambda i, c: c + 1, x), floats(2))
case("control", "while", lambda x: lax.while_loop(lambda c: c[0] < 100, lambda c: (c[0] * 2, c[1] + c[0]), (x, x)),
     np.float32(1.5))
case("control", "while_tensor", lambda x: lax.while_loop(lambda c: jnp.abs(c).max() > 0.1, lambda c: c * 0.5, x),
     floats(3, 2))
case("control", "while_bound", lambda x, n: lax.fori_loop(0, n, lambda i, c: c + i, x), ints(0, 9, 3), np.int32(4))
case("control", "while_swapped", lambda x, y, n: lax.while_loop(lambda c: c[2] < n, lambda c: (
    c[1], c[0], c[2] + 1), (x, y, np.int32(0))), floats(3), floats(3), np.int32(3))
case("control", "scan", lambda x: lax.scan(lambda c, r: (c + r, c * r), np.zeros(3, np.float32), x), floats(4, 3), ulps=2)
case("control", "scan_reverse", lambda x: lax.scan(lambda c, r: (c + r, c), np.float32(0), x, reverse=True), floats(4),
     ulps=2)
case("control", "nested", lambda x: lax.fori_loop(0, 3, lambda i, c: lax.fori_loop(0, 2, lambda j, d: d + i * j, c), x),
     ints(0, 9, 4))
for flag in (True, False):
    case("control", f"cond_{flag}", lambda p, x: lax.cond(p, lambda x: (x + 1, x.sum()), lambda x: (x * 2, x.max()), x),
         np.bool_(flag), floats(3), ulps=2)
for place in (-3, 0, 1, 2, 9):
    case("control", f"switch_{place}", lambda i, x: lax.switch(i, [lambda x: x, lambda x: x + 1, lambda x: x * 2], x),
         np.int32(place), floats(3))
case("control", "barrier", lambda x: lax.optimization_barrier((x, x + 1)), floats(3))
case("control", "call", lambda x: jax.jit(jnp.sin, inline=False)(jax.jit(jnp.sin, inline=False)(x)), floats(3), ulps=4)
case("control", "sort", lambda x: (jnp.sort(x, 0), jnp.sort(x, 1)), floats(7, 5))
case("control", "sort_floats", lambda x: lax.sort(x, dimension=1), SPECIAL)
case("control", "sort_pairs", lambda x, y: lax.sort((x, y), dimension=0, num_keys=1), ints(0, 4, 11),
     np.arange(11, dtype=np.int32))
case("control", "sort_two_keys", lambda x, y: lax.sort((x, y), dimension=0, num_keys=2), ints(0, 3, 9), ints(0, 99, 9))
case("control", "argsort_descending", lambda x: jnp.argsort(x, axis=1, descending=True), np.round(floats(3, 6)))
case("control", "sort_unsigned", lambda x: jnp.sort(x), ints(0, 2**32, 8, dtype=np.uint32))
case("control", "sort_one", lambda x: jnp.sort(x, 0), floats(1, 3))
case("control", "sort_none", lambda x: jnp.sort(x, 0), np.zeros((0, 3), np.float32))

# -------------------------------------------------------------------------------------------------------------- programs
def attention(q, k, v):
    scores = jnp.einsum("bthd,bshd->bhts", q, k) / np.float32(np.sqrt(q.shape[-1]))
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(jnp.where(mask, scores, -jnp.inf)), v)
case("programs", "attention", attention, *(floats(2, 5, 3, 4) for _ in range(3)), ulps=64)
case("programs", "attention_gradient", jax.grad(lambda *qkv: (attention(*qkv) ** 2).sum(), argnums=(0, 1, 2)),
     *(floats(1, 4, 2, 4) for _ in range(3)), ulps=4096)
def loss(w1, w2, x, y):
    hidden = jax.nn.gelu(x @ w1)
    return -jnp.take_along_axis(jax.nn.log_softmax(hidden @ w2), y[:, None], 1).mean()
case("programs", "step", lambda w1, w2, x, y: (loss(w1, w2, x, y), *(w - 0.1 * g for w, g in zip(
    (w1, w2), jax.grad(loss, (0, 1))(w1, w2, x, y)))), floats(4, 8), floats(8, 3), floats(5, 4), ints(0, 3, 5), ulps=4096)
case("programs", "norm_bf16", lambda x, w: (x.astype(np.float32) * lax.rsqrt((x.astype(np.float32) ** 2).mean(
    -1, keepdims=True) + 1e-5)).astype(bf16) * w, floats(3, 8).astype(bf16), floats(8).astype(bf16), ulps=1)

# --------------------------------------------------------------------------------------------------------------- written
written("integer_power", '''
  func.func @main(%x: tensor<9xi32>, %y: tensor<9xi32>) -> tensor<9xi32> {
    %z = "stablehlo.power"(%x, %y) : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
    return %z : tensor<9xi32>
  }''', [np.array([2, 3, -2, 0, 1, -1, -1, 2, 0], np.int32), np.array([10, 0, 3, 0, -5, -5, -4, -1, 5], np.int32)],
        [np.array([1024, 1, -8, 1, 1, -1, 1, 0, 0], np.int32)])
written("unsigned_power", '''
  func.func @main(%x: tensor<3xui8>, %y: tensor<3xui8>) -> tensor<3xui8> {
    %z = "stablehlo.power"(%x, %y) : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
    return %z : tensor<3xui8>
  }''', [np.array([3, 200, 1], np.uint8), np.array([5, 2, 255], np.uint8)],
        [np.array([243, 200 * 200 % 256, 1], np.uint8)])
# Just above, at, and just below the middle between two numbers: rounding to f32 on the way would take all for the middle.
written("rounded_once", '''
  func.func @main(%x: tensor<4xf64>) -> (tensor<4xbf16>, tensor<4xf16>) {
    %b = "stablehlo.convert"(%x) : (tensor<4xf64>) -> tensor<4xbf16>
    %h = "stablehlo.convert"(%x) : (tensor<4xf64>) -> tensor<4xf16>
    return %b, %h : tensor<4xbf16>, tensor<4xf16>
  }''', [np.array([1 + 2**-8 + 2**-40, 1 + 2**-8, 1 + 2**-7 + 2**-8 - 2**-40, -(1 + 2**-11 + 2**-40)], np.float64)],
        [np.array([1 + 2**-7, 1, 1 + 2**-7, -1], bf16),
         np.array([1 + 2**-8, 1 + 2**-8, 1 + 2**-7 + 2**-8, -(1 + 2**-10)], np.float16)])
order = np.array([np.nan, np.inf, 1, 0.0, -0.0, -1, -np.inf], np.float32)
written("total_order", '''
  func.func @main(%x: tensor<7xf32>, %y: tensor<7xf32>) -> (tensor<7xi1>, tensor<7xi1>) {
    %z = "stablehlo.compare"(%x, %y) <{compare_type = #stablehlo<comparison_type TOTALORDER>,
        comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    %e = "stablehlo.compare"(%x, %x) <{compare_type = #stablehlo<comparison_type TOTALORDER>,
        comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    return %z, %e : tensor<7xi1>, tensor<7xi1>
  }''', [order, np.roll(order, -1)], [np.array([1, 1, 1, 1, 1, 1, 0], bool), np.ones(7, bool)])
for place in (-1, 0, 5):
    written(f"case_{place}", '''
  func.func @main(%i: tensor<i32>) -> tensor<f32> {
    %r = "stablehlo.case"(%i) ({
      %a = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
      "stablehlo.return"(%a) : (tensor<f32>) -> ()
    }, {
      %b = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
      "stablehlo.return"(%b) : (tensor<f32>) -> ()
    }) : (tensor<i32>) -> tensor<f32>
    return %r : tensor<f32>
  }''', [np.int32(place)], [np.float32(1 if place == 0 else 2)])
written("map", '''
  func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %s: tensor<f32>) -> tensor<2x3xf32> {
    %z = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = "stablehlo.multiply"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %q = "stablehlo.add"(%p, %s) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%q) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %z : tensor<2x3xf32>
  }''', [np.arange(6, dtype=np.float32).reshape(2, 3), np.full((2, 3), 3, np.float32), np.float32(1)],
        [np.arange(6, dtype=np.float32).reshape(2, 3) * 3 + 1])
written("truth_product", '''
  func.func @main(%x: tensor<2x3xi1>, %y: tensor<3x2xi1>) -> tensor<2x2xi1> {
    %z = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1],
        rhs_contracting_dimensions = [0]>}> : (tensor<2x3xi1>, tensor<3x2xi1>) -> tensor<2x2xi1>
    return %z : tensor<2x2xi1>
  }''', [np.array([[1, 0, 1], [0, 0, 1]], bool), np.array([[1, 0], [1, 1], [1, 0]], bool)],
        [np.array([[1, 0], [1, 0]], bool)])
written("scatter_partly_out", '''
  func.func @main(%x: tensor<5xf32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>) -> tensor<5xf32> {
    %z = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      "stablehlo.return"(%b) : (tensor<f32>) -> ()
    }) : (tensor<5xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<5xf32>
    return %z : tensor<5xf32>
  }''', [np.zeros(5, np.float32), np.array([[-1], [3]], np.int32), np.arange(1, 7, dtype=np.float32).reshape(2, 3)],
        [np.array([2, 3, 0, 4, 5], np.float32)])
written("composite", '''
  func.func @main(%x: tensor<3xui32>) -> tensor<3xui32> {
    %z = "stablehlo.composite"(%x) <{name = "own.twice", decomposition = @twice, version = 0 : i32}>
        : (tensor<3xui32>) -> tensor<3xui32>
    return %z : tensor<3xui32>
  }
  func.func private @twice(%x: tensor<3xui32>) -> tensor<3xui32> {
    %z = "stablehlo.add"(%x, %x) : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
    return %z : tensor<3xui32>
  }''', [np.array([1, 2, 2**31], np.uint32)], [np.array([2, 4, 0], np.uint32)])
written("counter_unsigned", '''
  func.func @main(%x: tensor<i32>) -> (tensor<ui8>, tensor<i32>) {
    %start = "stablehlo.constant"() <{value = dense<3> : tensor<ui8>}> : () -> tensor<ui8>
    %r:2 = "stablehlo.while"(%start, %x) ({
    ^bb0(%i: tensor<ui8>, %c: tensor<i32>):
      %limit = "stablehlo.constant"() <{value = dense<250> : tensor<ui8>}> : () -> tensor<ui8>
      %p = "stablehlo.compare"(%i, %limit) <{comparison_direction = #stablehlo<comparison_direction LT>}>
          : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      "stablehlo.return"(%p) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<ui8>, %c: tensor<i32>):
      %step = "stablehlo.constant"() <{value = dense<60> : tensor<ui8>}> : () -> tensor<ui8>
      %next = "stablehlo.add"(%i, %step) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
      %wide = "stablehlo.convert"(%i) : (tensor<ui8>) -> tensor<i32>
      %sum = "stablehlo.add"(%c, %wide) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%next, %sum) : (tensor<ui8>, tensor<i32>) -> ()
    }) : (tensor<ui8>, tensor<i32>) -> (tensor<ui8>, tensor<i32>)
    return %r#0, %r#1 : tensor<ui8>, tensor<i32>
  }''', [np.int32(1000)], [np.uint8((3 + 60 * 13) % 256), np.int32(0)])  # replaced below
# Counts 3, 63, 123, 183, 243, then 303 - 256 = 47, and so on: worked out step by step.
count, total = 3, 1000
while count < 250:
    total += count
    count = (count + 60) % 256
families["written"][-1][1]["results"] = [tensor(np.uint8(count)), tensor(np.int32(total))]

for family, cases in families.items():
    (HERE / f"{family}.mlir").write_text("\n// -----\n\n".join(
        f"// {description['name']}\n{program}\n" for program, description in cases))
    lines = ",\n".join(json.dumps(description) for _, description in cases)
    (HERE / f"{family}.json").write_text(f"[\n{lines}\n]\n")
    print(family, len(cases))
