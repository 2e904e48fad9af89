// How a block lies in memory so that it can be written as it is: pure arithmetic, the same on every rank.
//
// Rules
//  1. A block is the part `region` of one variable's record. Elements are in file order; strides are affine.
//  2. Bytes that are contiguous in the file (a run) are contiguous in the block.
//  3. Where a run has at least direct_run_bytes, strides between runs are congruent to the file's modulo page_bytes, so
//     that if the block's first byte agrees with its file offset modulo page_bytes, every run does (O_DIRECT).
//     Shorter runs are packed and written through the page cache.
//  4. For chunked formats a block is the sequence of its chunks, one run each. A chunk is whole, also where the
//  variable
//     ends inside of it; large ones start on a page.
#pragma once

#include <cstdint>
#include <vector>

#include "base/box.hpp"
#include "geometry/chunking.hpp"

namespace thalweg::block {

constexpr std::int64_t page_bytes = 4096;
constexpr std::int64_t direct_run_bytes = 65536;

// A contiguous piece of a block and of the file. offset is relative to FormatFile::offset().
struct Run {
  std::int64_t file_offset = 0;
  std::int64_t block_offset = 0;
  std::int64_t bytes = 0;
};

struct BlockMap {
  Index stride;                   // byte strides of the region's dimensions in the block
  std::int64_t first_offset = 0;  // file offset of the region's first element, relative to FormatFile::offset()
  std::int64_t bytes = 0;         // of the block in memory, from its first element on
  std::int64_t run_bytes = 0;     // of one run
  std::int64_t run_count = 0;
  // Outer loop over runs, slowest first: counts and strides in file and block.
  Index run_loop;
  Index run_file_stride;
  Index run_block_stride;

  Run run(std::int64_t number) const;
};

// Block of `region` of a variable that the file holds as one row-major array of `shape`.
BlockMap map_array(const Index& shape, const Box& region, std::int64_t element_bytes);

// Block of a region that consists of chunks. Strides are those inside of a chunk, run_block_stride that between chunks:
// spare_bytes more than a chunk at least.
BlockMap map_chunks(const geometry::ChunkGrid& grid, std::int64_t element_bytes, std::int64_t spare_bytes);

}  // namespace thalweg::block
