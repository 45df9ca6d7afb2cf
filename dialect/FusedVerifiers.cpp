// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is checked of fused ops. All of it runs after the ops in their regions
// have been verified; checks of sizes, which need the size of the groups, run
// in verifySymbolUses() for a mesh.

#include "FusedOps.h"
#include "Groups.h"
#include "Shapes.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace comm;

static Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

static std::string textOf(AffineExpr expression) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << expression;
  return text;
}

static int64_t rankOf(Value value) { return cast<ShapedType>(value.getType()).getRank(); }

/// All tensors or all buffers, and results of the same kind.
static LogicalResult verifyKinds(Operation *op) {
  bool buffers = isa<MemRefType>(op->getResult(0).getType());
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()), SmallVector<Type>(op->getResultTypes())))
    if (isa<MemRefType>(type) != buffers)
      return op->emitOpError("takes and yields either tensors or buffers, not both");
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (auto memref = dyn_cast<MemRefType>(type); memref && !memref.getLayout().isIdentity())
      return op->emitOpError() << "yields " << type << " as result #" << index << ", but allocates it without strides";
  return success();
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// The maps of product `index` by themselves, and the element types.
static LogicalResult verifyContraction(Operation *op, unsigned index, ArrayRef<AffineMap> maps, Value left, Value right,
                                       Type leftElement) {
  constexpr StringLiteral names[] = {"first factor", "second factor", "product"};
  unsigned dims = maps[0].getNumDims();
  for (auto [name, map] : llvm::zip(names, maps)) {
    if (map.getNumDims() != dims || map.getNumSymbols() != 0)
      return op->emitOpError() << "has a map of the " << name << " of product #" << index << " with "
                               << map.getNumDims() << " dimension(s) and " << map.getNumSymbols()
                               << " symbol(s); as many dimensions as in its other maps, and no symbols, are expected";
    llvm::SmallDenseSet<unsigned> seen;
    for (AffineExpr result : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim || !seen.insert(dim.getPosition()).second)
        return op->emitOpError() << "has the map " << AffineMapAttr::get(map) << " of the " << name << " of product #" << index
                                 << "; a projected permutation is expected";
    }
  }
  const Value factors[] = {left, right};
  for (auto [name, map, value] : llvm::zip(names, maps.take_front(2), factors))
    if (map.getNumResults() != rankOf(value))
      return op->emitOpError() << "has the map " << AffineMapAttr::get(map) << " of the " << name << " of product #" << index << " of type "
                               << value.getType() << " with " << rankOf(value) << " dimension(s)";
  for (unsigned dim = 0; dim < dims; ++dim) {
    int uses = llvm::count_if(maps, [&](AffineMap map) { return findResult(map, dim) >= 0; });
    if (uses < 2)
      return op->emitOpError() << "has dimension d" << dim << " in " << uses << " map(s) of product #" << index
                               << "; each dimension is of both factors, or of a factor and the product";
  }
  for (Type type : {leftElement, elementOf(right)})
    if (!type.isIntOrFloat())
      return op->emitOpError() << "multiplies elements of type " << type << " in product #" << index
                               << "; integers or floats are expected";
  return success();
}

/// Extents of product `index` from those of its factors, which have to agree.
static FailureOr<SmallVector<int64_t>> contractExtents(Operation *op, unsigned index, ArrayRef<AffineMap> maps,
                                                       ArrayRef<int64_t> left, ArrayRef<int64_t> right) {
  SmallVector<int64_t> extents(maps[0].getNumDims(), ShapedType::kDynamic);
  const ArrayRef<int64_t> shapes[] = {left, right};
  for (auto [map, shape] : llvm::zip(maps.take_front(2), shapes))
    for (auto [result, size] : llvm::zip(map.getResults(), shape)) {
      int64_t &extent = extents[cast<AffineDimExpr>(result).getPosition()];
      if (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(size) && extent != size)
        return op->emitOpError() << "multiplies factors in product #" << index << " of which dimension "
                                 << textOf(result) << " is " << extent << " in the first and " << size << " in the second",
               failure();
      if (ShapedType::isDynamic(extent))
        extent = size;
    }
  SmallVector<int64_t> shape;
  for (AffineExpr result : maps[2].getResults())
    shape.push_back(extents[cast<AffineDimExpr>(result).getPosition()]);
  return shape;
}

/// Whether factors of these types can be accumulated in `accumulated`: widened, never narrowed, never across kinds.
static LogicalResult verifyAccumulation(Operation *op, unsigned index, ArrayRef<Type> factors, Type accumulated) {
  for (Type type : factors)
    if (!accumulated.isIntOrFloat() || isa<FloatType>(type) != isa<FloatType>(accumulated) ||
        (type != accumulated && type.getIntOrFloatBitWidth() >= accumulated.getIntOrFloatBitWidth()))
      return op->emitOpError() << "accumulates product #" << index << " of elements of type " << type << " in "
                               << accumulated << "; the same type or a wider one of its kind is expected";
  return success();
}

//===----------------------------------------------------------------------===//
// Elementwise regions
//===----------------------------------------------------------------------===//

namespace {
/// A prologue, partial region or epilogue.
struct Pointwise {
  Operation *op;
  std::string name;
  Region &region;
  /// Rank of what it goes over.
  unsigned rank;
  /// Elements that come first, and tensors of which one element each follows by a map.
  SmallVector<Type> first;
  SmallVector<Value> operands;
  ArrayRef<Attribute> maps;
  /// Whether the first argument may be of any type, which is then that of the accumulation.
  bool choosesType;
};
} // namespace

/// The constant that `expression` divides a dimension by, 1 for the dimension itself, and that dimension.
static std::optional<std::pair<unsigned, int64_t>> matchDim(AffineExpr expression) {
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return {{dim.getPosition(), 1}};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary || binary.getKind() != AffineExprKind::FloorDiv)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(binary.getLHS());
  auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!dim || !by || by.getValue() < 1)
    return std::nullopt;
  return {{dim.getPosition(), by.getValue()}};
}

/// Numbers of maps and arguments, and what the region may contain.
static LogicalResult verifyPointwise(const Pointwise &pointwise) {
  Operation *op = pointwise.op;
  Region &region = pointwise.region;
  if (pointwise.maps.size() != pointwise.operands.size())
    return op->emitOpError() << "has " << pointwise.maps.size() << " map(s) for the " << pointwise.operands.size()
                             << " tensor(s) that the " << pointwise.name << " reads besides";
  if (region.empty()) {
    if (!pointwise.operands.empty())
      return op->emitOpError() << "has operands of the " << pointwise.name << ", which it lacks";
    return success();
  }
  if (!region.hasOneBlock() || !isa_and_nonnull<YieldOp>(region.front().empty() ? nullptr : &region.front().back()))
    return op->emitOpError() << "has a region as " << pointwise.name
                             << " that is not one block with a comm.yield at its end";

  SmallVector<Type> expected = pointwise.first;
  for (Value operand : pointwise.operands)
    expected.push_back(elementOf(operand));
  if (region.getNumArguments() != expected.size())
    return op->emitOpError() << "has " << region.getNumArguments() << " argument(s) of the " << pointwise.name << "; "
                             << expected.size() << " are expected";
  for (auto [index, pair] : llvm::enumerate(llvm::zip(region.getArgumentTypes(), expected))) {
    auto [actual, type] = pair;
    if (actual != type && !(index == 0 && pointwise.choosesType))
      return op->emitOpError() << "has argument #" << index << " of the " << pointwise.name << " of type " << actual
                               << "; " << type << " is expected";
  }
  for (auto [index, attribute] : llvm::enumerate(pointwise.maps)) {
    AffineMap map = cast<AffineMapAttr>(attribute).getValue();
    auto isIndex = [](AffineExpr result) {
      auto constant = dyn_cast<AffineConstantExpr>(result);
      return matchDim(result) || (constant && constant.getValue() == 0);
    };
    if (map.getNumDims() != pointwise.rank || map.getNumSymbols() != 0 || !llvm::all_of(map.getResults(), isIndex) ||
        map.getNumResults() != rankOf(pointwise.operands[index]))
      return op->emitOpError() << "has map #" << index << " of the " << pointwise.name << ", " << AffineMapAttr::get(map) << ", for "
                               << pointwise.operands[index].getType() << "; one from " << pointwise.rank
                               << " dimension(s) to those of that type is expected, each a dimension, a dimension "
                                  "divided by a positive constant, or 0";
  }
  WalkResult walk = region.walk([&](Operation *nested) {
    auto isScalar = [](Type type) { return !isa<ShapedType>(type); };
    if (isPure(nested) && nested->getNumRegions() == 0 && llvm::all_of(nested->getOperandTypes(), isScalar) &&
        llvm::all_of(nested->getResultTypes(), isScalar))
      return WalkResult::advance();
    InFlightDiagnostic diag = op->emitOpError()
                              << "has '" << nested->getName() << "' in its " << pointwise.name
                              << "; only pure ops on scalars, without regions, are elementwise";
    diag.attachNote(nested->getLoc()) << "here";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Sizes that the maps of a region expect. `shards` are the sizes in one chunk, along which block scales may not be cut.
static LogicalResult verifyPointwiseSizes(const Pointwise &pointwise, ArrayRef<int64_t> extents,
                                          ArrayRef<int64_t> shards, ArrayRef<SmallVector<int64_t>> shapes) {
  for (auto [index, attribute] : llvm::enumerate(pointwise.maps)) {
    AffineMap map = cast<AffineMapAttr>(attribute).getValue();
    for (auto [dim, result] : llvm::enumerate(map.getResults())) {
      int64_t size = shapes[index][dim];
      auto match = matchDim(result);
      if (!match) {
        if (size == 0)
          return pointwise.op->emitOpError() << "reads index 0 of dimension " << dim << " of tensor #" << index
                                             << " of the " << pointwise.name << ", which has none";
        continue;
      }
      auto [position, by] = *match;
      if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(extents[position]) &&
          size != llvm::divideCeilSigned(extents[position], by))
        return pointwise.op->emitOpError()
               << "reads dimension " << dim << " of tensor #" << index << " of the " << pointwise.name << " by "
               << textOf(result) << ", which has " << llvm::divideCeilSigned(extents[position], by) << " values, but its size is "
               << size;
      if (by != 1 && shards[position] != extents[position] && !ShapedType::isDynamic(shards[position]) &&
          shards[position] % by != 0)
        return pointwise.op->emitOpError() << "cuts a block of tensor #" << index << " of the " << pointwise.name
                                           << ": a chunk has " << shards[position] << " of " << textOf(result)
                                           << " in dimension " << dim;
    }
  }
  return success();
}

/// The type that a region yields against the one expected.
static LogicalResult verifyYield(const Pointwise &pointwise, Type expected) {
  if (pointwise.region.empty())
    return success();
  Type yielded = cast<YieldOp>(pointwise.region.front().back()).getValue().getType();
  if (yielded == expected)
    return success();
  return pointwise.op->emitOpError() << "yields " << yielded << " from its " << pointwise.name << "; " << expected
                                     << " is expected";
}

/// A result against the sizes computed for it.
static LogicalResult verifyResult(Operation *op, unsigned index, ArrayRef<int64_t> shape, Type element, int64_t group) {
  Type like = op->getOperand(0).getType();
  auto type = cast<ShapedType>(op->getResult(index).getType());
  if (type.getElementType() == element && succeeded(verifyCompatibleShape(type.getShape(), shape)))
    return success();
  return op->emitOpError() << "yields " << type << " as result #" << index << ", but for groups of " << group << " "
                           << allocatedLike(like, shape, element) << " is expected";
}

//===----------------------------------------------------------------------===//
// All-gather and matmul
//===----------------------------------------------------------------------===//

static Pointwise prologueOf(AllGatherMatmulOp op) {
  SmallVector<Type> first{elementOf(op.getGathered()[0])};
  SmallVector<Value> operands;
  if (!op.getPrologue().empty())
    llvm::append_range(operands, op.getGathered().drop_front());
  llvm::append_range(operands, op.getPrologueOperands());
  return {op, "prologue", op.getPrologue(), static_cast<unsigned>(rankOf(op.getGathered()[0])), first, operands,
          op.getPrologueMaps().getValue(), /*choosesType=*/false};
}

static Pointwise epilogueOf(AllGatherMatmulOp op, unsigned index) {
  int64_t begin = 0;
  for (int64_t count : op.getEpilogueCounts().take_front(index))
    begin += count;
  int64_t count = op.getEpilogueCounts()[index];
  return {op,
          ("epilogue of product #" + Twine(index)).str(),
          op.getEpilogues()[index],
          op.getMaps(index)[2].getNumResults(),
          {elementOf(op.getResult(index))},
          llvm::to_vector(op.getEpilogueOperands().slice(begin, count)),
          op.getEpilogueMaps().getValue().slice(begin, count),
          /*choosesType=*/true};
}

/// The factor's element type, after the prologue.
static Type factorElement(AllGatherMatmulOp op) {
  if (op.getPrologue().empty())
    return elementOf(op.getGathered()[0]);
  return cast<YieldOp>(op.getPrologue().front().back()).getValue().getType();
}

/// Sizes of operands and results in groups of `group`.
static LogicalResult verifySizes(AllGatherMatmulOp op, int64_t group) {
  SmallVector<SmallVector<int64_t>> whole;
  for (auto [index, value] : llvm::enumerate(op.getGathered())) {
    FailureOr<SmallVector<int64_t>> shape = scaleShape(op, index, {op.getDim(index), std::nullopt}, group);
    if (failed(shape))
      return failure();
    whole.push_back(std::move(*shape));
  }
  ArrayRef<int64_t> shard = cast<ShapedType>(op.getGathered()[0].getType()).getShape();
  if (!op.getPrologue().empty()) {
    SmallVector<SmallVector<int64_t>> shapes(llvm::drop_begin(whole));
    for (Value value : op.getPrologueOperands())
      shapes.emplace_back(cast<ShapedType>(value.getType()).getShape());
    if (failed(verifyPointwiseSizes(prologueOf(op), whole[0], shard, shapes)))
      return failure();
  }
  for (int64_t index = 0; index < op.getNumProducts(); ++index) {
    SmallVector<AffineMap, 3> maps = op.getMaps(index);
    auto factor = cast<ShapedType>(op.getFactors()[index].getType());
    FailureOr<SmallVector<int64_t>> shape = contractExtents(op, index, maps, whole[0], factor.getShape());
    if (failed(shape))
      return failure();
    SmallVector<int64_t> chunk = *shape;
    if (int64_t placed = op.getPlacedDim(index); placed >= 0)
      chunk[placed] = shard[op.getDim(0)];
    Pointwise epilogue = epilogueOf(op, index);
    SmallVector<SmallVector<int64_t>> shapes;
    for (Value value : epilogue.operands)
      shapes.emplace_back(cast<ShapedType>(value.getType()).getShape());
    if (failed(verifyPointwiseSizes(epilogue, *shape, chunk, shapes)) ||
        failed(verifyResult(op, index, *shape, elementOf(op.getResult(index)), group)))
      return failure();
  }
  for (auto [position, index] : llvm::enumerate(op.getReturned()))
    if (failed(verifyResult(op, op.getNumProducts() + position, whole[index], elementOf(op.getGathered()[index]), group)))
      return failure();
  return success();
}

/// That scales that travel along are cut where operand 0 is.
static LogicalResult verifyTravelling(AllGatherMatmulOp op) {
  if (op.getPrologue().empty())
    return success();
  for (auto [index, value] : llvm::enumerate(op.getGathered().drop_front())) {
    AffineMap map = cast<AffineMapAttr>(op.getPrologueMaps()[index]).getValue();
    int64_t dim = op.getDim(index + 1);
    for (auto [position, result] : llvm::enumerate(map.getResults())) {
      auto match = matchDim(result);
      bool cut = match && match->first == static_cast<unsigned>(op.getDim(0));
      if (cut != (static_cast<int64_t>(position) == dim))
        return op.emitOpError() << "gathers tensor #" << index + 1 << " along dimension " << dim << ", but its map "
                                << AffineMapAttr::get(map) << " does not read just that by dimension d" << op.getDim(0)
                                << ", along which tensor #0 is gathered";
    }
  }
  return success();
}

LogicalResult AllGatherMatmulOp::verifyRegions() {
  size_t products = getFactors().size();
  if (getGathered().empty() || products == 0)
    return emitOpError("gathers at least one tensor and has at least one product");
  if (failed(verifyDims(*this, getDims(), getGathered().size())))
    return failure();
  for (auto [index, value] : llvm::enumerate(getGathered()))
    if (getDim(index) < 0 || getDim(index) >= rankOf(value))
      return emitOpError() << "has gather dimension " << getDim(index) << ", but operand #" << index << " of type "
                           << value.getType() << " has " << rankOf(value) << " dimension(s)";
  if (getProductMaps().size() != 3 * products || getEpilogues().size() != products ||
      getEpilogueCounts().size() != products)
    return emitOpError() << "has " << products << " factor(s), but " << getProductMaps().size()
                         << " maps of products, " << getEpilogues().size() << " epilogues and "
                         << getEpilogueCounts().size()
                         << " numbers of their operands; three, one and one for each are expected";
  int64_t operands = 0;
  for (int64_t count : getEpilogueCounts()) {
    if (count < 0 || count > static_cast<int64_t>(getEpilogueOperands().size()) - operands)
      return emitOpError("has numbers of epilogue operands that exceed its operands");
    operands += count;
  }
  if (operands != static_cast<int64_t>(getEpilogueOperands().size()) ||
      getEpilogueMaps().size() != getEpilogueOperands().size())
    return emitOpError() << "has " << getEpilogueOperands().size() << " epilogue operand(s), " << operands
                         << " of which belong to a product, and " << getEpilogueMaps().size()
                         << " map(s) for them; one for each is expected";
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t index : getReturned())
    if (index < 0 || index >= static_cast<int64_t>(getGathered().size()) || !seen.insert(index).second)
      return emitOpError() << "returns gathered tensor #" << index << "; each of 0 to " << getGathered().size() - 1
                           << " at most once is expected";
  if (getNumResults() != products + getReturned().size())
    return emitOpError() << "has " << getNumResults() << " result(s) for " << products << " product(s) and "
                         << getReturned().size() << " returned tensor(s)";
  if (failed(verifyKinds(*this)) || failed(verifyPointwise(prologueOf(*this))) || failed(verifyTravelling(*this)))
    return failure();
  for (size_t index = 0; index < products; ++index) {
    if (failed(verifyContraction(*this, index, getMaps(index), getGathered()[0], getFactors()[index],
                                 factorElement(*this))))
      return failure();
    Pointwise epilogue = epilogueOf(*this, index);
    if (failed(verifyPointwise(epilogue)) || failed(verifyYield(epilogue, elementOf(getResult(index)))) ||
        failed(verifyAccumulation(*this, index, {factorElement(*this), elementOf(getFactors()[index])},
                                  getAccumulatedType(index))))
      return failure();
  }
  if (auto groups = dyn_cast<GroupsAttr>(getGroups()))
    return verifySizes(*this, groups.getGroupSize());
  return success();
}

LogicalResult AllGatherMatmulOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!isa<AxesAttr>(getGroups()))
    return success();
  FailureOr<int64_t> size = getGroupSize(*this, getGroups(), &symbols);
  return failure(failed(size) || failed(verifySizes(*this, *size)));
}

//===----------------------------------------------------------------------===//
// Matmul and reduce-scatter
//===----------------------------------------------------------------------===//

static Pointwise partialOf(MatmulReduceScatterOp op) {
  return {op, "partial region", op.getPartial(), op.getMaps(0)[2].getNumResults(), {op.getSentType()},
          llvm::to_vector(op.getPartialOperands()), op.getPartialMaps().getValue(), /*choosesType=*/true};
}

static Pointwise epilogueOf(MatmulReduceScatterOp op) {
  return {op, "epilogue", op.getEpilogue(), op.getMaps(0)[2].getNumResults(), {elementOf(op.getResult())},
          llvm::to_vector(op.getEpilogueOperands()), op.getEpilogueMaps().getValue(), /*choosesType=*/true};
}

/// Sizes of operands and result in groups of `group`.
static LogicalResult verifySizes(MatmulReduceScatterOp op, int64_t group) {
  SmallVector<int64_t> shape;
  for (int64_t index = 0; index < op.getNumProducts(); ++index) {
    auto left = cast<ShapedType>(op.getFactors()[2 * index].getType());
    auto right = cast<ShapedType>(op.getFactors()[2 * index + 1].getType());
    auto product = contractExtents(op, index, op.getMaps(index), left.getShape(), right.getShape());
    if (failed(product))
      return failure();
    if (index == 0)
      shape = *product;
    if (failed(verifyCompatibleShape(*product, shape)))
      return op.emitOpError() << "adds product #" << index << " to product #0, which has other sizes";
  }
  SmallVector<int64_t> chunk = shape;
  int64_t &size = chunk[op.getDim()];
  if (!ShapedType::isDynamic(size)) {
    if (size % group != 0)
      return op.emitOpError() << "scatters dimension " << op.getDim() << " of size " << size << " over " << group
                              << " devices, which do not divide it";
    size /= group;
  }
  auto shapesOf = [](ValueRange values) {
    SmallVector<SmallVector<int64_t>> shapes;
    for (Value value : values)
      shapes.emplace_back(cast<ShapedType>(value.getType()).getShape());
    return shapes;
  };
  return failure(failed(verifyPointwiseSizes(partialOf(op), shape, chunk, shapesOf(op.getPartialOperands()))) ||
                 failed(verifyPointwiseSizes(epilogueOf(op), chunk, chunk, shapesOf(op.getEpilogueOperands()))) ||
                 failed(verifyResult(op, 0, chunk, elementOf(op.getResult()), group)));
}

LogicalResult MatmulReduceScatterOp::verifyRegions() {
  size_t products = getFactors().size() / 2;
  if (products == 0 || getFactors().size() % 2 != 0 || getProductMaps().size() != 3 * products)
    return emitOpError() << "has " << getFactors().size() << " factor(s) and " << getProductMaps().size()
                         << " map(s); two and three for each of at least one product are expected";
  int64_t rank = getMaps(0)[2].getNumResults();
  for (int64_t index = 0; index < getNumProducts(); ++index) {
    Value left = getFactors()[2 * index];
    if (failed(verifyContraction(*this, index, getMaps(index), left, getFactors()[2 * index + 1], elementOf(left))))
      return failure();
    if (getMaps(index)[2].getNumResults() != rank)
      return emitOpError() << "adds product #" << index << " to product #0, which has another number of dimensions";
  }
  if (static_cast<int64_t>(getDim()) < 0 || static_cast<int64_t>(getDim()) >= rank)
    return emitOpError() << "has scatter dimension " << static_cast<int64_t>(getDim()) << ", but the product has "
                         << rank << " dimension(s)";
  // The types of the steps follow from each other through the regions, so their form comes first.
  for (Region *region : {&getPartial(), &getEpilogue()})
    if (!region->empty() && (region->getNumArguments() == 0 || region->front().empty() ||
                             !isa<YieldOp>(region->front().back())))
      return emitOpError("has a region without arguments or without a comm.yield at its end");
  if (failed(verifyKinds(*this)) || failed(verifyPointwise(partialOf(*this))) ||
      failed(verifyPointwise(epilogueOf(*this))) || failed(verifyYield(epilogueOf(*this), elementOf(getResult()))))
    return failure();
  for (int64_t index = 0; index < getNumProducts(); ++index)
    if (failed(verifyAccumulation(*this, index,
                                  {elementOf(getFactors()[2 * index]), elementOf(getFactors()[2 * index + 1])},
                                  getAccumulatedType())))
      return failure();
  Type sent = getSentType(), reduced = getReducedType();
  bool widened = sent == reduced || (sent.isIntOrFloat() && reduced.isIntOrFloat() &&
                                     isa<FloatType>(sent) == isa<FloatType>(reduced) &&
                                     sent.getIntOrFloatBitWidth() < reduced.getIntOrFloatBitWidth());
  if (!widened)
    return emitOpError() << "sends " << sent << " and combines it in " << reduced
                         << "; the same type or a wider one of its kind is expected";
  if (failed(verifyReduction(*this, getKind(), getResult())))
    return failure();
  if (auto groups = dyn_cast<GroupsAttr>(getGroups()))
    return verifySizes(*this, groups.getGroupSize());
  return success();
}

LogicalResult MatmulReduceScatterOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!isa<AxesAttr>(getGroups()))
    return success();
  FailureOr<int64_t> size = getGroupSize(*this, getGroups(), &symbols);
  return failure(failed(size) || failed(verifySizes(*this, *size)));
}
