#include "block/planned_block.hpp"

namespace thalweg::block {

void add_padding(PlannedBlock& block) {
  const geometry::ChunkGrid& grid = *block.chunks;
  const std::int64_t chunks = grid.size();
  for (std::int64_t position = 0; position < chunks; ++position) {
    const Index inside = grid.box(position).count;
    Index count = grid.chunk;  // of what is left when the slower dimensions are inside
    for (int d = 0; d < count.rank(); ++d) {
      if (inside[d] < grid.chunk[d]) {
        Index slab = count;
        slab[d] = grid.chunk[d] - inside[d];
        const std::int64_t offset = position * block.map.run_block_stride[0] + inside[d] * block.map.stride[d];
        block.holes.push_back({slab, offset});
      }
      count[d] = inside[d];
    }
  }
}

std::int64_t fixed_places(const catalog::Variable& variable, const Index& shape) {
  if (variable.has_record) return 0;
  if (!variable.is_chunked) return 1;
  return geometry::ChunkGrid{shape, variable.joined.joined(variable.chunk), whole(shape)}.size();
}

}  // namespace thalweg::block
