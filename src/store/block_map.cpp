#include "store/block_map.hpp"

namespace thalweg::store {
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

// From the first byte to one past the last.
std::int64_t span_bytes(const Index& count, const Index& stride, std::int64_t element_bytes) {
  std::int64_t bytes = element_bytes;
  for (int d = 0; d < count.rank(); ++d) bytes += (count[d] - 1) * stride[d];
  return bytes;
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

// The bytes between the region's rows are padding of the chunk, so they may be written too: one run.
BlockMap map_chunk(const Index& chunk, const Box& region, std::int64_t element_bytes) {
  BlockMap map = empty_map(region.rank());
  if (region.empty()) return map;
  map.stride = contiguous_strides(chunk, element_bytes);
  map.bytes = span_bytes(region.count, map.stride, element_bytes);
  map.run_bytes = map.bytes;
  map.run_count = 1;
  return map;
}

}  // namespace thalweg::store
