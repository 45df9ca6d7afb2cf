// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines of the tools: upstream's own drivers, with these dialects
// and passes beside everything that mlir-opt has.

#include "CApi.h"
#include "Registration.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  comm::registerDialects(registry);
}

int commOptMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::registerAllPasses();
  comm::registerCommPasses();
  comm::registerPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "mlir-comm optimizer driver: mlir-opt with the comm dialect and its passes\n", registry));
}

int commLspServerMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  return mlir::asMainReturnCode(mlir::MlirLspServerMain(argc, argv, registry));
}
