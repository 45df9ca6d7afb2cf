// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The custom directives of the assembly formats in CommOps.td.

#ifndef COMM_ASSEMBLY_H
#define COMM_ASSEMBLY_H

#include "Comm.h"

namespace comm {

/// `[[0, 1], [2, 3]]` or `@mesh["a", "b"]`.
mlir::ParseResult parseGroups(mlir::OpAsmParser &parser, mlir::Attribute &groups);
void printGroups(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::Attribute groups);

/// `0` or `[0, 1]`.
mlir::ParseResult parseDims(mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &dims);
void printDims(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::DenseI64ArrayAttr dims);

/// `[[0, 1], [1, 2]]`.
mlir::ParseResult parsePairs(mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &pairs);
void printPairs(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::DenseI64ArrayAttr pairs);

/// `private @mesh`.
mlir::ParseResult parseMeshName(mlir::OpAsmParser &parser, mlir::StringAttr &visibility, mlir::StringAttr &name);
void printMeshName(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::StringAttr visibility, mlir::StringAttr name);

/// `"dp" = 2, "tp" = 4`.
mlir::ParseResult parseMeshAxes(mlir::OpAsmParser &parser, mlir::ArrayAttr &axes, mlir::DenseI64ArrayAttr &shape);
void printMeshAxes(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::ArrayAttr axes,
                   mlir::DenseI64ArrayAttr shape);

/// `sum`.
mlir::ParseResult parseReduction(mlir::OpAsmParser &parser, ReductionAttr &kind);
void printReduction(mlir::OpAsmPrinter &printer, mlir::Operation *, ReductionAttr kind);

/// `0`, without a type.
mlir::ParseResult parseInteger(mlir::OpAsmParser &parser, mlir::IntegerAttr &value);
void printInteger(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::IntegerAttr value);

} // namespace comm

#endif // COMM_ASSEMBLY_H
