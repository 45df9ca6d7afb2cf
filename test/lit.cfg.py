# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the regression tests under stock lit:
#
#     /usr/lib/llvm-22/bin/lit -v test
#
# The tools and the plugin come from COMM_BUILD_DIR, else from the newer of target/release and target/debug.
# `cargo test --test lit` runs the same files; test/harness understands a subset of what lit does.
import importlib.util
import os
import shutil

import lit.formats
import lit.util


def build_directory(root):
    """The directory that holds comm-opt."""
    chosen = os.environ.get("COMM_BUILD_DIR")
    if chosen:
        return os.path.abspath(chosen)
    tools = [os.path.join(root, "target", profile, "comm-opt") for profile in ("release", "debug")]
    built = [tool for tool in tools if os.path.exists(tool)]
    if not built:
        lit_config.fatal("no comm-opt under target/: run `cargo build`, or set COMM_BUILD_DIR")
    return os.path.dirname(max(built, key=os.path.getmtime))


source = os.path.dirname(os.path.abspath(__file__))
build = build_directory(os.path.dirname(source))
llvm = os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22")
plugin = os.path.join(build, "libmlir_comm.so")

config.name = "mlir-comm"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "programs", "harness"]
config.test_source_root = source
config.test_exec_root = os.path.join(build, "stock-lit")

config.environment["PATH"] = os.pathsep.join([build, os.path.join(llvm, "bin"), os.environ["PATH"]])
config.substitutions.append(
    ("%mlir_opt_plugin", f"mlir-opt --load-dialect-plugin={plugin} --load-pass-plugin={plugin}")
)
config.substitutions.append(("%plugin", plugin))

# The features of test/harness/features.rs.
python3 = shutil.which("python3")
if python3:
    config.available_features.add("python3")
    probe = "import importlib.util as u, sys; sys.exit(u.find_spec('jax') is None)"
    if lit.util.executeCommand([python3, "-c", probe])[2] == 0:
        config.available_features.add("jax")

# The limit of a single file needs the Python package psutil; without it a hanging test hangs here.
if importlib.util.find_spec("psutil"):
    lit_config.maxIndividualTestTime = int(os.environ.get("COMM_TEST_TIMEOUT", "120"))
