# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What buckets do to every real program: number of collectives, step time and peak memory, as comm-schedule finds them.

    python3 test/bucket/compare.py test/programs [option of comm-schedule ...]

Prints a line a program: without buckets, with those of fixed thresholds, and with those that comm-bucket picks by cost. Exits
with 1 where the latter is slower than any of the others, or anything fails.
"""

import gzip
import pathlib
import re
import subprocess
import sys

IMPORTS = {
    "jax": ("*.local.generic.mlir*", "comm-import-stablehlo{split-barriers=true}"),
    "features": ("*.local.generic.mlir", "comm-import-stablehlo"),
    "torch-mlir": ("*.torch.generic.mlir*", "comm-import-torch{groups=0=0.1.2.3.4.5.6.7}"),
}
THRESHOLDS = {"25 MB": 25_000_000, "30 MiB": 30 << 20, "500 MB": 500_000_000}
COLLECTIVE = re.compile(r" = comm\.(?:all_gather|reduce_scatter|all_reduce)\b")
STEP = re.compile(r"\[Passed\] scheduled .*step time \S+ us -> (\S+) us, .*peak memory \d+ -> (\d+) bytes")


def run(text, importer, bucket, schedule):
    """Collectives, microseconds and bytes, the last two of the slowest and of the largest block."""
    passes = ["comm-asyncify", *bucket, "comm-verify-futures"]
    passes += ["comm-verify-schedule{mode=record}", schedule, "comm-verify-schedule{mode=check}", "comm-verify-futures"]
    command = ["comm-opt", "--allow-unregistered-dialect", "--remarks-filter=comm-schedule"]
    command += [f"--pass-pipeline=builtin.module({importer},func.func({','.join(passes)}))"]
    process = subprocess.run(command, input=text, capture_output=True, text=True)
    if process.returncode:
        raise SystemExit(process.stderr)
    steps = STEP.findall(process.stderr)
    time = max((float(time) for time, _ in steps), default=0.0)
    return len(COLLECTIVE.findall(process.stdout)), time, max((int(peak) for _, peak in steps), default=0)


def main():
    options = " ".join(sys.argv[2:]) or "effort=fast"
    schedule = f"comm-schedule{{{options}}}"
    failed = False
    columns = ["none", *THRESHOLDS, "cost"]
    print(f"{'collectives, step in us, peak in bytes':<40}" + "".join(f"{column:>32}" for column in columns))
    for folder, (pattern, importer) in IMPORTS.items():
        for path in sorted((pathlib.Path(sys.argv[1]) / folder).glob(pattern)):
            opener = gzip.open if path.suffix == ".gz" else open
            with opener(path, "rt") as file:
                text = file.read()
            by_bytes = [[f"comm-bucket{{mode=bytes bytes={threshold}}}"] for threshold in THRESHOLDS.values()]
            rows = [run(text, importer, bucket, schedule) for bucket in [[], *by_bytes, ["comm-bucket"]]]
            name = path.name.split(".")[0]
            print(f"{name:<40}" + "".join(f"{count:>5} {time:>12.1f} {peak:>13}" for count, time, peak in rows))
            slower = [column for column, row in zip(columns, rows) if row[1] < rows[-1][1]]
            if slower:
                failed = True
                print(f"  slower by cost than: {', '.join(slower)}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
