# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the whole pipeline over every real program: import, asyncify, record, the pass given (comm-sort), check, verify.

A second pass given runs before the recording, since it makes ops of its own.
Prints a line a program, and whether comm-verify-order passed. Exits with 1 where anything else failed.
"""

import gzip
import pathlib
import subprocess
import sys

REORDER = (
    "func.func(comm-asyncify,%scomm-verify-schedule{mode=record},%s,comm-verify-schedule{mode=check},"
    "comm-verify-futures)"
)
IMPORTS = {
    "jax": ("*.local.generic.mlir*", "comm-import-stablehlo{split-barriers=true}"),
    "features": ("*.local.generic.mlir", "comm-import-stablehlo"),
    "torch-mlir": ("*.torch.generic.mlir*", "comm-import-torch{groups=0=0.1.2.3.4.5.6.7}"),
}


def run(text, pipeline):
    """What comm-opt says of the program; empty where it succeeds."""
    command = ["comm-opt", "--allow-unregistered-dialect", f"--pass-pipeline=builtin.module({pipeline})", "-o", "/dev/null"]
    process = subprocess.run(command, input=text, capture_output=True)
    return process.stderr.decode() if process.returncode else ""


def main():
    failed = False
    given = sys.argv[2:] or ["comm-sort"]
    reorder = REORDER % ("".join(f"{first}," for first in given[1:]), given[0])
    for folder, (pattern, importer) in IMPORTS.items():
        for path in sorted((pathlib.Path(sys.argv[1]) / folder).glob(pattern)):
            opener = gzip.open if path.suffix == ".gz" else open
            with opener(path, "rb") as file:
                text = file.read()
            order = run(text, f"{importer},{reorder},comm-verify-order")
            # What fails with the last pass may fail without it.
            message = order and run(text, f"{importer},{reorder}")
            if message:
                failed = True
                print(f"{folder}/{path.name}: FAILED\n{message}")
            else:
                print(f"{folder}/{path.name}: {order.splitlines()[0] if order else 'ok'}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
