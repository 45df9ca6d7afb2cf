#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what the build needs beyond git, make and a Rust toolchain: the MLIR 22 packages of Debian 12, clang for our C++
# (MLIR was built with it), g++ for its C++ library and for the crates that want it, and an MPI library for the tests of the
# run-time on processes. Each package has a witness, a file that only it brings, so a run with nothing to do takes
# milliseconds and a system whose packages have other names passes as soon as the files are there.
set -eu

llvm=/usr/lib/llvm-22 # .cargo/config.toml names the same prefix

# package, witness
needed="
g++                    /usr/bin/g++
clang-22               $llvm/bin/clang++
llvm-22-dev            $llvm/lib/libLLVMCore.a
llvm-22-tools          $llvm/bin/FileCheck
libmlir-22-dev         $llvm/lib/libMLIRCAPIIR.a
mlir-22-tools          $llvm/bin/mlir-tblgen
libclang1-22           $llvm/lib/libclang-22.so.1
libclang-common-22-dev $llvm/lib/clang/22/include/stddef.h
libpolly-22-dev        $llvm/lib/libPolly.a
libzstd-dev            /usr/include/zstd.h
zlib1g-dev             /usr/include/zlib.h
libopenmpi-dev         /usr/bin/mpicc
openmpi-bin            /usr/bin/mpirun
python3                /usr/bin/python3
"

# The packages whose witness is not there, on one line.
missing() {
    echo "$needed" | while read -r package witness; do
        [ -z "$package" ] || [ -e "$witness" ] || printf '%s\n' "$package"
    done | paste -s -d ' ' -
}

# Says why set-up cannot go on, and what is needed on a system that it does not know.
give_up() {
    {
        echo "setup: $1"
        echo "setup: the build needs these files (Debian 12's package, file):"
        echo "$needed" | sed '/^$/d; s/^/    /'
    } >&2
    exit 1
}

if ! command -v cargo >/dev/null; then
    echo "setup: no cargo on PATH: a Rust toolchain (1.88 or newer, with rustfmt and clippy) must be installed first" >&2
    exit 1
fi

packages=$(missing)
[ -n "$packages" ] || exit 0

command -v apt-get >/dev/null || give_up "missing: $packages; this system has no apt-get"
if [ "$(id -u)" -eq 0 ]; then
    sudo=
else
    command -v sudo >/dev/null || give_up "missing: $packages; not root, and no sudo to install them with"
    sudo=sudo
fi

# LLVM 22 reached Debian 12 through its security archive: an old package list does not know it.
echo "setup: installing $packages"
$sudo apt-get -o DPkg::Lock::Timeout=300 -qq update
for package in $packages; do
    apt-cache show "$package" >/dev/null 2>&1 ||
        give_up "no package $package here (on Debian 12 it comes from the suite bookworm-security)"
done
# shellcheck disable=SC2086 # a list of words
$sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=300 -qq install --yes --no-install-recommends $packages >/dev/null

packages=$(missing)
[ -z "$packages" ] || give_up "still missing after installation: $packages"
echo "setup: done"
