// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of the fused ops: a sequence of clauses, each with its operands, their
// maps and, where it computes elementwise, its region.

#include "Assembly.h"
#include "Comm.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace comm;

namespace {
/// Operands as they are parsed, before their types are known to the op.
struct Operands {
  SmallVector<OpAsmParser::UnresolvedOperand> values;
  SmallVector<Type> types;
  SMLoc location;
};
} // namespace

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// `(%a, %b : type, type)`, or `()`. Appends to `operands` and returns how many there were.
static FailureOr<int64_t> parseOperands(OpAsmParser &parser, Operands &operands) {
  SmallVector<OpAsmParser::UnresolvedOperand> values;
  SmallVector<Type> types;
  operands.location = parser.getCurrentLocation();
  if (parser.parseLParen() || parser.parseOperandList(values) ||
      (!values.empty() && (parser.parseColon() || parser.parseTypeList(types))) || parser.parseRParen())
    return failure();
  if (values.size() != types.size())
    return parser.emitError(operands.location)
               << "expected as many types as operands, but found " << types.size() << " for " << values.size(),
           failure();
  llvm::append_range(operands.values, values);
  llvm::append_range(operands.types, types);
  return values.size();
}

/// `maps [affine_map<...>, ...]`. Appends to `maps`.
static ParseResult parseMaps(OpAsmParser &parser, SmallVectorImpl<Attribute> &maps) {
  SMLoc location = parser.getCurrentLocation();
  ArrayAttr list;
  if (parser.parseKeyword("maps") || parser.parseAttribute(list))
    return failure();
  for (Attribute map : list) {
    if (!isa<AffineMapAttr>(map))
      return parser.emitError(location) << "expected affine maps, but found " << map;
    maps.push_back(map);
  }
  return success();
}

/// `keyword(%a : type) maps [...] { ... }`, if it is there. `count` is how many operands it has.
static ParseResult parseOptionalPointwise(OpAsmParser &parser, StringRef keyword, Operands &operands,
                                          SmallVectorImpl<Attribute> &maps, Region &region, int64_t &count) {
  count = 0;
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  FailureOr<int64_t> number = parseOperands(parser, operands);
  if (failed(number) || parseMaps(parser, maps) || parser.parseRegion(region))
    return failure();
  count = *number;
  return success();
}

/// `[0, 1]`.
static ParseResult parseIntegers(OpAsmParser &parser, SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

/// Resolves the operands of all segments, in order, and states the segments.
static ParseResult resolveSegments(OpAsmParser &parser, OperationState &state, ArrayRef<Operands *> segments,
                                   MutableArrayRef<int32_t> sizes) {
  for (auto [index, segment] : llvm::enumerate(segments)) {
    if (parser.resolveOperands(segment->values, segment->types, segment->location, state.operands))
      return failure();
    sizes[index] = segment->values.size();
  }
  return success();
}

/// `ordered {attributes} -> types`, which both ops end with.
static ParseResult parseEnd(OpAsmParser &parser, OperationState &state, UnitAttr &ordered) {
  if (succeeded(parser.parseOptionalKeyword("ordered")))
    ordered = parser.getBuilder().getUnitAttr();
  return failure(parser.parseOptionalAttrDict(state.attributes) || parser.parseArrow() ||
                 parser.parseTypeList(state.types));
}

ParseResult AllGatherMatmulOp::parse(OpAsmParser &parser, OperationState &state) {
  Operands gathered, prologueOperands, factors, epilogueOperands;
  SmallVector<Attribute> prologueMaps, productMaps, epilogueMaps;
  SmallVector<int64_t> counts, returned;
  SmallVector<std::unique_ptr<Region>> epilogues;
  auto &properties = state.getOrAddProperties<Properties>();

  int64_t ignored;
  Region *prologue = state.addRegion();
  if (parser.parseKeyword("gather") || failed(parseOperands(parser, gathered)) || parser.parseKeyword("dim") ||
      parseDims(parser, properties.dims) || parser.parseKeyword("over") || parseGroups(parser, properties.groups) ||
      parseOptionalPointwise(parser, "prologue", prologueOperands, prologueMaps, *prologue, ignored))
    return failure();
  while (succeeded(parser.parseOptionalKeyword("product"))) {
    SMLoc location = parser.getCurrentLocation();
    FailureOr<int64_t> number = parseOperands(parser, factors);
    if (failed(number))
      return failure();
    if (*number != 1)
      return parser.emitError(location) << "expected one other factor for a product, but found " << *number;
    epilogues.push_back(std::make_unique<Region>());
    if (parseMaps(parser, productMaps) ||
        parseOptionalPointwise(parser, "epilogue", epilogueOperands, epilogueMaps, *epilogues.back(),
                               counts.emplace_back()))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("returning")) && parseIntegers(parser, returned))
    return failure();
  if (parseEnd(parser, state, properties.ordered))
    return failure();
  Builder &builder = parser.getBuilder();

  state.addRegions(epilogues);
  properties.prologue_maps = builder.getArrayAttr(prologueMaps);
  properties.product_maps = builder.getArrayAttr(productMaps);
  properties.epilogue_maps = builder.getArrayAttr(epilogueMaps);
  properties.epilogue_counts = builder.getDenseI64ArrayAttr(counts);
  properties.returned = builder.getDenseI64ArrayAttr(returned);
  return resolveSegments(parser, state, {&gathered, &prologueOperands, &factors, &epilogueOperands},
                         properties.operandSegmentSizes);
}

ParseResult MatmulReduceScatterOp::parse(OpAsmParser &parser, OperationState &state) {
  Operands factors, partialOperands, epilogueOperands;
  SmallVector<Attribute> productMaps, partialMaps, epilogueMaps;
  auto &properties = state.getOrAddProperties<Properties>();
  Region *partial = state.addRegion();
  Region *epilogue = state.addRegion();
  int64_t ignored;

  if (parseReduction(parser, properties.kind))
    return failure();
  while (succeeded(parser.parseOptionalKeyword("product"))) {
    SMLoc location = parser.getCurrentLocation();
    FailureOr<int64_t> number = parseOperands(parser, factors);
    if (failed(number) || parseMaps(parser, productMaps))
      return failure();
    if (*number != 2)
      return parser.emitError(location) << "expected two factors for a product, but found " << *number;
  }
  if (parseOptionalPointwise(parser, "partial", partialOperands, partialMaps, *partial, ignored) ||
      parser.parseKeyword("dim") || parseInteger(parser, properties.dim) || parser.parseKeyword("over") ||
      parseGroups(parser, properties.groups) ||
      parseOptionalPointwise(parser, "epilogue", epilogueOperands, epilogueMaps, *epilogue, ignored))
    return failure();
  if (parseEnd(parser, state, properties.ordered))
    return failure();
  Builder &builder = parser.getBuilder();

  properties.product_maps = builder.getArrayAttr(productMaps);
  properties.partial_maps = builder.getArrayAttr(partialMaps);
  properties.epilogue_maps = builder.getArrayAttr(epilogueMaps);
  return resolveSegments(parser, state, {&factors, &partialOperands, &epilogueOperands},
                         properties.operandSegmentSizes);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printOperands(OpAsmPrinter &printer, ValueRange values) {
  printer << '(';
  if (!values.empty())
    printer << values << " : " << values.getTypes();
  printer << ')';
}

static void printMaps(OpAsmPrinter &printer, ArrayRef<Attribute> maps) {
  printer << " maps [";
  llvm::interleaveComma(maps, printer.getStream(), [&](Attribute map) { printer.printAttribute(map); });
  printer << ']';
}

static void printOptionalPointwise(OpAsmPrinter &printer, StringRef keyword, ValueRange values,
                                   ArrayRef<Attribute> maps, Region &region) {
  if (region.empty())
    return;
  printer << ' ' << keyword;
  printOperands(printer, values);
  printMaps(printer, maps);
  printer << ' ';
  printer.printRegion(region);
}

void AllGatherMatmulOp::print(OpAsmPrinter &printer) {
  printer << " gather";
  printOperands(printer, getGathered());
  printer << " dim ";
  printDims(printer, *this, getDimsAttr());
  printer << " over ";
  printGroups(printer, *this, getGroups());
  printOptionalPointwise(printer, "prologue", getPrologueOperands(), getPrologueMaps().getValue(), getPrologue());
  ArrayRef<Attribute> epilogueMaps = getEpilogueMaps().getValue();
  for (int64_t index = 0; index < getNumProducts(); ++index) {
    printer.printNewline();
    printer << "  product";
    printOperands(printer, getFactors()[index]);
    printMaps(printer, getProductMaps().getValue().slice(3 * index, 3));
    OperandRange operands = getOperandsOfEpilogue(index);
    printOptionalPointwise(printer, "epilogue", operands, epilogueMaps.take_front(operands.size()),
                           getEpilogues()[index]);
    epilogueMaps = epilogueMaps.drop_front(operands.size());
  }
  printer.printNewline();
  printer << ' ';
  if (!getReturned().empty()) {
    printer << " returning [";
    llvm::interleaveComma(getReturned(), printer.getStream());
    printer << ']';
  }
  if (getOrdered())
    printer << " ordered";
  printer.printOptionalAttrDict((*this)->getDiscardableAttrDictionary().getValue());
  printer << " -> " << getResultTypes();
}

void MatmulReduceScatterOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printReduction(printer, *this, getKindAttr());
  for (int64_t index = 0; index < getNumProducts(); ++index) {
    printer.printNewline();
    printer << "  product";
    printOperands(printer, getFactors().slice(2 * index, 2));
    printMaps(printer, getProductMaps().getValue().slice(3 * index, 3));
  }
  printer.printNewline();
  printer << ' ';
  printOptionalPointwise(printer, "partial", getPartialOperands(), getPartialMaps().getValue(), getPartial());
  printer << " dim " << getDim() << " over ";
  printGroups(printer, *this, getGroups());
  printOptionalPointwise(printer, "epilogue", getEpilogueOperands(), getEpilogueMaps().getValue(), getEpilogue());
  if (getOrdered())
    printer << " ordered";
  printer.printOptionalAttrDict((*this)->getDiscardableAttrDictionary().getValue());
  printer << " -> " << getResult().getType();
}
