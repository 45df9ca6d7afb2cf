# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints programs of extreme shape for comm-verify-order: `calls`, `nest` or `exits`, and how many."""

import sys

REDUCE = "comm.all_reduce sum %x over [[0, 1]] : tensor<4xf32> -> tensor<4xf32>"
SIGNATURE = "(%i: index, %x: tensor<4xf32>) -> tensor<4xf32>"
TYPE = "(index, tensor<4xf32>) -> tensor<4xf32>"


def calls(count):
    """Private functions that call each other in a chain, callees first; the last issues collectives."""
    print(f"func.func private @f0{SIGNATURE} {{\n  %r = {REDUCE}\n  return %r : tensor<4xf32>\n}}")
    for index in range(1, count):
        print(f"func.func private @f{index}{SIGNATURE} {{")
        print(f"  %r = call @f{index - 1}(%i, %x) : {TYPE}\n  return %r : tensor<4xf32>\n}}")
    print("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %i = comm.rank over [[0, 1]] : index")
    print(f"  %r = call @f{count - 1}(%i, %x) : {TYPE}\n  return %r : tensor<4xf32>\n}}")


def nest(count):
    """Branches within each other, on a condition that differs between ranks."""
    print("func.func @nest(%x: tensor<4xf32>, %p: i1) {")
    for index in range(count):
        print(f"scf.if %p {{\n%r{index} = {REDUCE}")
    print("}\n" * count + "return\n}")


def exits(count):
    """Blocks each of which leaves the function or goes on, on conditions that differ between ranks."""
    print("func.func @exits(%x: tensor<4xf32>, %p: i1) {\n  cf.br ^go0")
    for index in range(count):
        print(f"^go{index}:\n  cf.cond_br %p, ^leave{index}, ^go{index + 1}")
        print(f"^leave{index}:\n  %r{index} = {REDUCE}\n  return")
    print(f"^go{count}:\n  %r = {REDUCE}\n  return\n}}")


{"calls": calls, "nest": nest, "exits": exits}[sys.argv[1]](int(sys.argv[2]))
