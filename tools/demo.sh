#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shows what comm-sort and comm-schedule do to a real program: one training step of a two-layer Llama-like model, sharded
# over 8 devices as ZeRO-3 and traced by JAX; then runs its forward pass on 8 ranks. Argument: the directory of the built tools.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
tools=${1:-target/release}
program=test/programs/jax/zero3_L2_small_train.local.generic.mlir
cd "$root"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

import='comm-import-stablehlo{split-barriers=true}'

# Runs the passes $1 on the program, or on $2, with further options.
run() {
    passes=$1
    input=${2:-$program}
    shift "$(($# < 2 ? $# : 2))"
    "$tools/comm-opt" --allow-unregistered-dialect --pass-pipeline="builtin.module($passes)" "$input" "$@"
}

# The order of the ops of @main as a string, one character an op, runs of other ops as one dot.
order() {
    awk '
        /func\.func/ { in_main = /@main/ }
        !in_main || !/^    [%"a-z]/ { next }     # ops of the body, not those of nested regions
        { c = "." }
        /comm\.all_gather/ { c = "G" }
        /comm\.wait/ { c = "w" }
        /comm\.reduce_scatter/ { c = "R" }
        /comm\.all_reduce/ { c = "A" }
        /stablehlo\.dot_general/ { c = "M" }
        !(c == "." && last == ".") { printf "%s", c }
        { last = c }
        END { print "" }' "$1" | fold -w 100 | sed 's/^/    /'
}

run "$import,func.func(comm-asyncify)" >"$out/before.mlir"
run "$import,func.func(comm-asyncify,comm-sort,comm-verify-futures),comm-verify-order" >"$out/after.mlir"

# The same step with the widths of Llama-2-7B, large enough for times to mean something.
large=zero3_L2_llama7b_train
zcat "test/programs/jax/$large.local.generic.mlir.gz" >"$out/large.mlir"
run "$import,func.func(comm-asyncify)" "$out/large.mlir" >"$out/$large.mlir"
run "func.func(comm-schedule{machine=h100-8})" "$out/$large.mlir" >"$out/$large.scheduled.mlir"
"$tools/comm-timeline" "$out/$large.mlir" --compare "$out/$large.scheduled.mlir" --width 100 --waits 3 \
    --svg "$tools/timeline.svg" --trace "$tools/timeline.json" >"$out/timeline"

# What the pass itself says of the order that it finds with at most 4.6 GB live at once.
limited=$(run "func.func(comm-schedule{machine=h100-8 memory-limit=4600000000})" "$out/$large.mlir" \
    --remarks-filter=comm-schedule -o "$out/$large.limited.mlir" 2>&1 |
    sed -n 's/.*Remark="\(step time.*\)"$/    \1/; s/, peak/,\n    peak/p')

# The forward pass runs: as JAX wrote it, and sorted, over links whose transfers take time but no processor.
forward=test/programs/jax/zero3_L2_small_fwd.local.generic.mlir
golden=test/programs/golden/zero3_L2_small_fwd.npz
run_forward() {
    "$tools/comm-runner" "$forward" --ranks 8 --inputs "$golden" --expect "$golden" --rtol 1e-4 --atol 1e-6 \
        --link-latency 200us --link-bandwidth 50MB/s --repeat 5 "$@" | sed 's/^/    /'
}
blocking=$(run_forward --streams waits=placed)
sorted=$(run_forward --passes comm-asyncify,comm-sort --trace "$tools/run.json")

cat <<TEXT

A training step of a two-layer model on 8 devices (ZeRO-3), as JAX wrote it: $program

    G  all-gather starts      R  reduce-scatter starts      w  its wait: the result is needed here
    M  matrix multiplication  A  all-reduce starts          .  other computation

Before, each collective is awaited where it is issued, so nothing overlaps:

$(order "$out/before.mlir")

After comm-sort, up to three gathers are in flight ahead of their consumers, and reductions run until they are needed:

$(order "$out/after.mlir")

With a model of the machine comm-schedule decides the order of computation, too: least time first, then least memory. The same
step with the widths of Llama-2-7B on 8 H100, as the model has it, before and after:

$(cat "$out/timeline")

The picture is $tools/timeline.svg; ui.perfetto.dev opens $tools/timeline.json.

With a hard limit of 4,600,000,000 bytes live at once, less than either order takes (memory-limit=4600000000):

$limited

Programs run, too. The forward pass of the small model on 8 ranks, which are threads, over emulated links of 50 MB/s with the
inputs that JAX had, compared with what JAX computed; first with blocking collectives, then asynchronous and sorted:

$blocking

$sorted

ui.perfetto.dev opens $tools/run.json, which says what happened when on each rank and stream.

Try next:

    $tools/comm-runner $forward --ranks 8 --emit stream    # streams, events, buffers
    $tools/comm-schedule test/programs/problems/zero3_L8_llama7b_fwd.json -o /tmp/problem.json --memory-limit 900000000

    $tools/comm-opt --help | grep -A 14 comm-sort        # its options; docs/passes.md has them all
    $tools/comm-opt --allow-unregistered-dialect \\
        --pass-pipeline='builtin.module($import,func.func(comm-asyncify,comm-sort{all-gather=first max-in-flight=2}))' \\
        $program -o /tmp/scheduled.mlir
TEXT
