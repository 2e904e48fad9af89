#include "formats/zarr/grid.hpp"

namespace thalweg::formats::zarr {
block::ObjectGrid zarr_grid(const catalog::Definition& definition, const catalog::Variable& variable) {
  block::ObjectGrid grid;
  grid.has_record = variable.has_record;
  if (variable.has_record) {
    grid.shape.push_back(0);
    grid.chunk.push_back(variable.chunk_records);
    grid.object.push_back(variable.chunk_records);
  }
  const Index shape = definition.shape(variable);
  const Index& chunk = variable.chunk.rank() == 0 ? shape : variable.chunk;
  for (int d = 0; d < shape.rank(); ++d) {
    grid.shape.push_back(shape[d]);
    grid.chunk.push_back(chunk[d]);
    grid.object.push_back(chunk[d] * (variable.shard ? (*variable.shard)[d] : 1));
  }
  return grid;
}

block::ObjectGrid joined_grid(const block::ObjectGrid& grid, const JoinedDimensions& joined) {
  const JoinedDimensions behind_record(joined.first() + (grid.has_record ? 1 : 0), joined.sizes());
  return {behind_record.joined(grid.shape), behind_record.joined(grid.chunk), behind_record.joined(grid.object),
          grid.has_record};
}

std::string zarr_key(const std::string& name, const block::ObjectGrid& grid, std::int64_t record, std::int64_t object) {
  const Index objects = grid.objects();
  Index place = objects;
  for (int d = objects.rank() - 1; d >= 0; --d) {
    place[d] = object % objects[d];
    object /= objects[d];
  }
  if (grid.has_record) place[0] = record / grid.object[0];
  std::string key = name + "/c";
  for (const std::int64_t number : place) key += fmt::format("/{}", number);
  return key;
}

}  // namespace thalweg::formats::zarr
