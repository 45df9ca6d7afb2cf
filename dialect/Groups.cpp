// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Groups.h"

using namespace mlir;
using namespace comm;

/// Index of `axis` among the axes of `mesh`, or -1.
static int64_t findAxis(MeshOp mesh, StringAttr axis) {
  for (auto [index, name] : llvm::enumerate(mesh.getAxes()))
    if (name == axis)
      return index;
  return -1;
}

static Operation *findMesh(Operation *op, AxesAttr axes, SymbolTableCollection *symbols) {
  if (symbols)
    return symbols->lookupNearestSymbolFrom(op, axes.getMesh());
  return SymbolTable::lookupNearestSymbolFrom(op, axes.getMesh());
}

FailureOr<MeshOp> comm::lookupMesh(Operation *op, AxesAttr axes, SymbolTableCollection *symbols) {
  auto mesh = dyn_cast_or_null<MeshOp>(findMesh(op, axes, symbols));
  if (!mesh)
    return op->emitOpError() << "refers to " << axes.getMesh() << ", which is no comm.mesh in scope", failure();
  for (StringAttr axis : axes.getAxes())
    if (findAxis(mesh, axis) < 0) {
      InFlightDiagnostic diag = op->emitOpError()
                                << "names axis " << axis << ", which mesh " << axes.getMesh() << " does not have";
      diag.attachNote(mesh.getLoc()) << "axes of the mesh: " << mesh.getAxes();
      return failure();
    }
  return mesh;
}

static int64_t sizeOfAxes(MeshOp mesh, AxesAttr axes) {
  int64_t size = 1;
  for (StringAttr axis : axes.getAxes())
    size *= mesh.getShape()[findAxis(mesh, axis)];
  return size;
}

FailureOr<int64_t> comm::getGroupSize(Operation *op, Attribute groups, SymbolTableCollection *symbols) {
  if (auto explicitGroups = dyn_cast<GroupsAttr>(groups))
    return explicitGroups.getGroupSize();
  auto axes = cast<AxesAttr>(groups);
  FailureOr<MeshOp> mesh = lookupMesh(op, axes, symbols);
  if (failed(mesh))
    return failure();
  return sizeOfAxes(*mesh, axes);
}

std::optional<int64_t> comm::findGroupSize(Operation *op, Attribute groups) {
  if (auto explicitGroups = dyn_cast<GroupsAttr>(groups))
    return explicitGroups.getGroupSize();
  auto axes = cast<AxesAttr>(groups);
  auto mesh = dyn_cast_or_null<MeshOp>(findMesh(op, axes, nullptr));
  if (!mesh || llvm::any_of(axes.getAxes(), [&](StringAttr axis) { return findAxis(mesh, axis) < 0; }))
    return std::nullopt;
  return sizeOfAxes(mesh, axes);
}

FailureOr<RankGroups> comm::resolveGroups(Operation *op, Attribute groups) {
  if (auto explicitGroups = dyn_cast<GroupsAttr>(groups))
    return RankGroups{explicitGroups.getGroupSize(), llvm::to_vector(explicitGroups.getRanks())};
  auto axes = cast<AxesAttr>(groups);
  FailureOr<MeshOp> mesh = lookupMesh(op, axes, nullptr);
  if (failed(mesh))
    return failure();

  ArrayRef<int64_t> shape = mesh->getShape();
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];

  // Offsets spanned by a list of axes, the first axis varying slowest.
  auto offsetsOf = [&](ArrayRef<int64_t> list) {
    SmallVector<int64_t> offsets{0};
    for (int64_t axis : list) {
      SmallVector<int64_t> next;
      next.reserve(offsets.size() * shape[axis]);
      for (int64_t offset : offsets)
        for (int64_t i = 0; i < shape[axis]; ++i)
          next.push_back(offset + i * strides[axis]);
      offsets = std::move(next);
    }
    return offsets;
  };
  SmallVector<int64_t> named, rest;
  for (StringAttr axis : axes.getAxes())
    named.push_back(findAxis(*mesh, axis));
  for (int64_t axis = 0; axis < static_cast<int64_t>(shape.size()); ++axis)
    if (!llvm::is_contained(named, axis))
      rest.push_back(axis);

  SmallVector<int64_t> members = offsetsOf(named);
  RankGroups result{static_cast<int64_t>(members.size()), {}};
  for (int64_t base : offsetsOf(rest))
    for (int64_t member : members)
      result.ranks.push_back(base + member);
  return result;
}
