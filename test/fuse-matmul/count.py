# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many gathers and reduce-scatters that feed or follow matrix products comm-fuse-matmul fuses.

    python3 test/fuse-matmul/count.py test/programs

Prints a line a tensor-parallel program with what can be fused (`force`), then each reason for which the timing model refuses a
candidate, with how often it does. A candidate without a remark is `unexplained`, and the exit status 1.
"""

import collections
import gzip
import pathlib
import re
import subprocess
import sys

REMARK = re.compile(r"\[(Passed|Missed)\] \w+ .*?Remark=\"(.*)\"")
NO_PRODUCT = "no matrix product"


def remarks(text, options):
    """Verdict and text of each remark."""
    pipeline = f"builtin.module(comm-import-stablehlo,func.func(comm-fuse-matmul{options}))"
    command = ["comm-opt", "--allow-unregistered-dialect", "--remarks-filter=comm-fuse-matmul", "-o", "/dev/null"]
    process = subprocess.run([*command, f"--pass-pipeline={pipeline}"], input=text, capture_output=True, text=True)
    if process.returncode:
        raise SystemExit(process.stderr)
    return REMARK.findall(process.stderr)


def imported(text):
    """How many collectives the program has."""
    command = ["comm-opt", "--allow-unregistered-dialect", "--comm-import-stablehlo"]
    process = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return len(re.findall(r"comm\.(?:all_gather|reduce_scatter|all_reduce) ", process.stdout))


def main():
    failed = False
    for path in sorted((pathlib.Path(sys.argv[1]) / "jax").glob("tp_sp_*.local.generic.mlir*")):
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt") as file:
            text = file.read()
        found = remarks(text, "{force=true}")
        fused = [remark for verdict, remark in found if verdict == "Passed"]
        refused = [remark for verdict, remark in found if verdict == "Missed" and NO_PRODUCT not in remark]
        counts = []
        for what, is_of in (("gathers", lambda remark: "gather" in remark.split(",")[0] and "reduce" not in remark),
                            ("reduce-scatters", lambda remark: "reduce" in remark)):
            made, left = sum(map(is_of, fused)), sum(map(is_of, refused))
            counts.append(f"{made} of {made + left} {what}")
        print(f"{path.name.split('.')[0]:<22} {'   '.join(counts)}")
        reasons = collections.Counter(re.sub(r"[\d.]+ us", "T", remark) for verdict, remark in remarks(text, "") if verdict == "Missed")
        for reason, count in sorted(reasons.items()):
            print(f"    by the model, {count}: {reason}")
        unexplained = imported(text) - len(found)
        if unexplained:
            failed = True
            print(f"    unexplained: {unexplained}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
