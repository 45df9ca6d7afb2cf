// Malformed entries of the option.
//
// RUN: not comm-opt %s --comm-import-torch='groups=g' 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not comm-opt %s --comm-import-torch='groups==0.1' 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not comm-opt %s --comm-import-torch='groups=g=0.x' 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not comm-opt %s --comm-import-torch='groups=g=0.1/2' 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not comm-opt %s --comm-import-torch='groups=g=0.1/1.2' 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not comm-opt %s --comm-import-torch='groups=g=0.1,g=2.3' 2>&1 | FileCheck %s --check-prefix=ENTRIES
// RUN: not %mlir_opt_plugin %s --pass-pipeline='builtin.module(comm-import-torch{groups=g=0.x})' 2>&1 | FileCheck %s --check-prefix=RANK

// FORM:    error: option groups: 'g' is no NAME=RANK.RANK.../RANK.RANK... (groups separated by slashes, ranks by dots)
// NAME:    error: option groups: '=0.1' is no NAME=
// RANK:    error: option groups: 'x' in 'g=0.x' is no rank; a number from 0 to 2147483647 is expected
// SIZES:   error: option groups: 'g=0.1/2' has groups of 2 and of 1 rank(s); groups of one size are expected
// TWICE:   error: option groups: 'g=0.1/1.2' has rank 1 twice
// ENTRIES: error: option groups: there are two entries for process group 'g'
module {}
