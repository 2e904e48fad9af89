#include "writer/fixed_fill.hpp"

#include <algorithm>
#include <vector>

#include "transform/copy.hpp"
#include "writer/block_encoding.hpp"
#include "writer/block_place.hpp"

namespace thalweg::writer {
namespace {

// A piece of the fill value serves any number of runs.
constexpr std::int64_t piece_bytes = std::int64_t{1} << 20;

std::vector<std::byte> piece_of(const store::PlannedBlock& block, bool big_endian, std::int64_t longest_bytes) {
  const auto size = static_cast<std::int64_t>(size_of(block.type));
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min(longest_bytes, piece_bytes)));
  transform::fill_box({std::ssize(piece) / size}, {size}, block.type, big_endian, block.fill, piece.data());
  return piece;
}

void fill_block(OpenedFile& file, const store::PlannedBlock& block, const store::CollectionPlan& plan,
                std::span<const std::int64_t> offsets) {
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < block.map.run_count; ++i) longest = std::max(longest, block.map.run(i).bytes);
  const std::vector<std::byte> piece = piece_of(block, plan.big_endian, longest);
  RunsOfParts runs(file.parts.size());
  for (std::int64_t i = 0; i < block.map.run_count; ++i) {
    const store::Run run = block.map.run(i);
    const std::int64_t begin = begin_of_run(block, plan.chunked(), {.offsets = offsets}, i) + run.file_offset;
    for (std::int64_t done = 0; done < run.bytes; done += std::ssize(piece))
      runs[static_cast<std::size_t>(block.part)].push_back(
          {begin + done, piece.data(), std::min<std::int64_t>(std::ssize(piece), run.bytes - done)});
  }
  file.write(runs);
}

}  // namespace

void fill_missing_fixed(OpenedFile& file, const store::CollectionPlan& plan, std::span<const std::int64_t> offsets) {
  if (plan.zarr || plan.procedure) return;
  for (std::size_t b = 0; b < file.fixed_written.size(); ++b)
    if (!file.fixed_written[b] && !is_encoded(plan.fixed_blocks[b]))
      fill_block(file, plan.fixed_blocks[b], plan, offsets);
}

}  // namespace thalweg::writer
