// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Assembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace comm;

/// `[[0, 1], [2, 3]]`: all lists of one length, which becomes `size`.
static ParseResult parseLists(AsmParser &parser, SmallVectorImpl<int64_t> &flat, int64_t &size) {
  size = -1;
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    SMLoc location = parser.getCurrentLocation();
    size_t before = flat.size();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       [&] { return parser.parseInteger(flat.emplace_back()); }))
      return failure();
    int64_t length = flat.size() - before;
    if (length == 0)
      return parser.emitError(location, "expected at least one rank in each group");
    if (size >= 0 && length != size)
      return parser.emitError(location) << "expected groups of one size, but found one of " << size
                                        << " and one of " << length << " ranks";
    size = length;
    return success();
  });
}

static void printLists(AsmPrinter &printer, ArrayRef<int64_t> flat, int64_t size) {
  auto &os = printer.getStream();
  os << '[';
  for (size_t begin = 0; begin < flat.size(); begin += size) {
    os << (begin ? ", [" : "[");
    llvm::interleaveComma(flat.slice(begin).take_front(size), os);
    os << ']';
  }
  os << ']';
}

static ParseResult parseGroupLists(AsmParser &parser, Attribute &groups) {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<int64_t> ranks;
  int64_t size = 0;
  if (parseLists(parser, ranks, size))
    return failure();
  if (ranks.empty())
    return parser.emitError(location, "expected at least one group of ranks");
  groups = GroupsAttr::getChecked([&] { return parser.emitError(location); }, parser.getContext(), size,
                                   ArrayRef<int64_t>(ranks));
  return success(groups != nullptr);
}

static ParseResult parseAxesTail(AsmParser &parser, Attribute &groups, StringAttr symbol) {
  SmallVector<StringAttr> axes;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
        std::string axis;
        if (parser.parseString(&axis))
          return failure();
        auto name = StringAttr::get(parser.getContext(), axis);
        if (llvm::is_contained(axes, name))
          return parser.emitError(location) << "axis " << name << " is named twice";
        axes.push_back(name);
        return success();
      }))
    return failure();
  groups = AxesAttr::get(parser.getContext(), FlatSymbolRefAttr::get(symbol), axes);
  return success();
}

static ParseResult parseAnyGroups(AsmParser &parser, Attribute &groups) {
  StringAttr symbol;
  if (succeeded(parser.parseOptionalSymbolName(symbol)))
    return parseAxesTail(parser, groups, symbol);
  return parseGroupLists(parser, groups);
}

static void printAxes(AsmPrinter &printer, AxesAttr axes) {
  printer << axes.getMesh() << '[';
  llvm::interleaveComma(axes.getAxes(), printer.getStream(), [&](StringAttr axis) { printer << axis; });
  printer << ']';
}

ParseResult comm::parseGroups(OpAsmParser &parser, Attribute &groups) { return parseAnyGroups(parser, groups); }

void comm::printGroups(OpAsmPrinter &printer, Operation *, Attribute groups) {
  if (auto axes = dyn_cast<AxesAttr>(groups))
    return printAxes(printer, axes);
  auto lists = cast<GroupsAttr>(groups);
  printLists(printer, lists.getRanks(), lists.getGroupSize());
}

ParseResult comm::parseDims(OpAsmParser &parser, DenseI64ArrayAttr &dims) {
  SmallVector<int64_t> values;
  int64_t single;
  OptionalParseResult one = parser.parseOptionalInteger(single);
  if (one.has_value()) {
    if (failed(*one))
      return failure();
    values.push_back(single);
  } else if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                            [&] { return parser.parseInteger(values.emplace_back()); })) {
    return failure();
  }
  dims = DenseI64ArrayAttr::get(parser.getContext(), values);
  return success();
}

void comm::printDims(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr dims) {
  if (dims.size() == 1) {
    printer << dims[0];
    return;
  }
  printer << '[';
  llvm::interleaveComma(dims.asArrayRef(), printer.getStream());
  printer << ']';
}

ParseResult comm::parsePairs(OpAsmParser &parser, DenseI64ArrayAttr &pairs) {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<int64_t> flat;
  int64_t size = 0;
  if (parseLists(parser, flat, size))
    return failure();
  if (!flat.empty() && size != 2)
    return parser.emitError(location) << "expected pairs of a source and a target rank, but found lists of " << size;
  pairs = DenseI64ArrayAttr::get(parser.getContext(), flat);
  return success();
}

void comm::printPairs(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr pairs) {
  printLists(printer, pairs.asArrayRef(), 2);
}

ParseResult comm::parseMeshName(OpAsmParser &parser, StringAttr &visibility, StringAttr &name) {
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword, {"public", "private", "nested"})))
    visibility = parser.getBuilder().getStringAttr(keyword);
  return parser.parseSymbolName(name);
}

void comm::printMeshName(OpAsmPrinter &printer, Operation *, StringAttr visibility, StringAttr name) {
  if (visibility)
    printer << visibility.getValue() << ' ';
  printer.printSymbolName(name);
}

ParseResult comm::parseMeshAxes(OpAsmParser &parser, ArrayAttr &axes, DenseI64ArrayAttr &shape) {
  SmallVector<Attribute> names;
  SmallVector<int64_t> sizes;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
        std::string name;
        if (parser.parseString(&name) || parser.parseEqual() || parser.parseInteger(sizes.emplace_back()))
          return failure();
        names.push_back(StringAttr::get(parser.getContext(), name));
        return success();
      }))
    return failure();
  axes = ArrayAttr::get(parser.getContext(), names);
  shape = DenseI64ArrayAttr::get(parser.getContext(), sizes);
  return success();
}

void comm::printMeshAxes(OpAsmPrinter &printer, Operation *, ArrayAttr axes, DenseI64ArrayAttr shape) {
  printer << '[';
  llvm::interleaveComma(llvm::zip(axes, shape.asArrayRef()), printer.getStream(), [&](auto axis) {
    printer << std::get<0>(axis) << " = " << std::get<1>(axis);
  });
  printer << ']';
}

ParseResult comm::parseReduction(OpAsmParser &parser, ReductionAttr &kind) {
  SMLoc location = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Reduction> value = symbolizeReduction(keyword);
  if (!value)
    return parser.emitError(location) << "expected a reduction (sum, avg, min, max, prod, and, or, xor), but found '"
                                      << keyword << "'";
  kind = ReductionAttr::get(parser.getContext(), *value);
  return success();
}

void comm::printReduction(OpAsmPrinter &printer, Operation *, ReductionAttr kind) {
  printer << stringifyReduction(kind.getValue());
}

ParseResult comm::parseInteger(OpAsmParser &parser, IntegerAttr &value) {
  int64_t integer;
  if (parser.parseInteger(integer))
    return failure();
  value = parser.getBuilder().getI64IntegerAttr(integer);
  return success();
}

void comm::printInteger(OpAsmPrinter &printer, Operation *, IntegerAttr value) { printer << value.getInt(); }

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Attribute GroupsAttr::parse(AsmParser &parser, Type) {
  Attribute groups;
  if (parser.parseLess() || parseGroupLists(parser, groups) || parser.parseGreater())
    return {};
  return groups;
}

void GroupsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printLists(printer, getRanks(), getGroupSize());
  printer << '>';
}

LogicalResult GroupsAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t groupSize,
                                 ArrayRef<int64_t> ranks) {
  if (groupSize < 1 || ranks.empty() || ranks.size() % groupSize != 0)
    return emitError() << "expected groups of one size, but found " << ranks.size() << " ranks for groups of "
                       << groupSize;
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t rank : ranks) {
    if (rank < 0)
      return emitError() << "rank " << rank << " is negative; all groups need the same number of ranks";
    if (rank >= kMaxDevices)
      return emitError() << "rank " << rank << " is out of range; ranks are below " << kMaxDevices;
    if (!seen.insert(rank).second)
      return emitError() << "rank " << rank << " is in the groups twice";
  }
  return success();
}

Attribute AxesAttr::parse(AsmParser &parser, Type) {
  StringAttr symbol;
  Attribute axes;
  if (parser.parseLess() || parser.parseSymbolName(symbol) || parseAxesTail(parser, axes, symbol) ||
      parser.parseGreater())
    return {};
  return axes;
}

void AxesAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printAxes(printer, *this);
  printer << '>';
}
