#include "block/block_map.hpp"

namespace thalweg::block {
namespace {

// The slowest dimension of a run: behind it, the region spans the whole extent of the variable.
int first_run_dimension(const Index& shape, const Box& region) {
  int d = region.rank() - 1;
  while (d > 0 && region.count[d] == shape[d]) --d;
  return d;
}

BlockMap empty_map(int rank) {
  BlockMap map;
  map.stride = Index::filled(rank, 0);
  return map;
}

// The least stride that holds `bytes` and, if aligned, is congruent to the file's.
std::int64_t block_stride(std::int64_t bytes, std::int64_t file_stride, bool aligned) {
  return aligned ? bytes + (file_stride - bytes) % page_bytes : bytes;
}

}  // namespace

Run BlockMap::run(std::int64_t number) const {
  Run run{first_offset, 0, run_bytes};
  for (int d = run_loop.rank() - 1; d >= 0; --d) {
    const std::int64_t i = number % run_loop[d];
    number /= run_loop[d];
    run.file_offset += i * run_file_stride[d];
    run.block_offset += i * run_block_stride[d];
  }
  return run;
}

BlockMap map_array(const Index& shape, const Box& region, std::int64_t element_bytes) {
  BlockMap map = empty_map(region.rank());
  if (region.empty()) return map;
  const Index file_stride = contiguous_strides(shape, element_bytes);
  const int run_dimension = first_run_dimension(shape, region);
  map.stride = file_stride;
  map.run_bytes = region.rank() == 0 ? element_bytes : region.count[run_dimension] * file_stride[run_dimension];
  map.run_count = 1;
  map.bytes = map.run_bytes;
  // From here on map.bytes is the size of what is inside of dimension d; it never exceeds the file stride of d.
  for (int d = run_dimension - 1; d >= 0; --d) {
    map.stride[d] = block_stride(map.bytes, file_stride[d], map.run_bytes >= direct_run_bytes);
    map.bytes += (region.count[d] - 1) * map.stride[d];
    map.run_count *= region.count[d];
  }
  for (int d = 0; d < region.rank(); ++d) {
    map.first_offset += region.start[d] * file_stride[d];
    if (d >= run_dimension || region.count[d] == 1) continue;
    map.run_loop.push_back(region.count[d]);
    map.run_file_stride.push_back(file_stride[d]);
    map.run_block_stride.push_back(map.stride[d]);
  }
  return map;
}

BlockMap map_chunks(const geometry::ChunkGrid& grid, std::int64_t element_bytes, std::int64_t spare_bytes) {
  BlockMap map = empty_map(grid.region.rank());
  if (grid.region.empty()) return map;
  map.stride = contiguous_strides(grid.chunk, element_bytes);
  map.run_bytes = grid.chunk.product() * element_bytes;
  map.run_count = grid.size();
  const std::int64_t unit = map.run_bytes >= direct_run_bytes ? page_bytes : spare_bytes > 0 ? 8 : 1;
  const std::int64_t chunk_stride = (map.run_bytes + spare_bytes + unit - 1) / unit * unit;
  map.bytes = map.run_count * chunk_stride;
  map.run_loop.push_back(map.run_count);
  map.run_file_stride.push_back(0);
  map.run_block_stride.push_back(chunk_stride);
  return map;
}

}  // namespace thalweg::block
