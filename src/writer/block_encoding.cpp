#include "writer/block_encoding.hpp"

#include <span>

#include "base/error.hpp"

namespace thalweg::writer {
namespace {

transform::EncodingTask task_of(const block::PlannedBlock& block, const block::CollectionPlan& plan) {
  return {block.encoding,
          block.type,
          block.fill,
          plan.files.chunks,
          plan.files.checksum_first,
          plan.files.summed != nullptr};
}

std::span<std::byte> chunk_of(const block::PlannedBlock& block, std::byte* data, std::int64_t position) {
  const std::int64_t room = block.map.run_block_stride[0];
  return {data + position * room, static_cast<std::size_t>(room)};
}

}  // namespace

transform::EncodedSize encode_chunk_of(const block::CollectionPlan& plan, const ReadyBlock& of, std::int64_t position,
                                       std::byte* data, transform::EncodingTools& tools) {
  const block::PlannedBlock& block = planned(plan, of);
  const auto bytes = static_cast<std::size_t>(block.map.run_bytes);
  try {
    return transform::encode_chunk(task_of(block, plan), chunk_of(block, data, position), bytes, tools);
  } catch (...) {
    const Error error = error_in_flight();
    throw Error(error.code(),
                fmt::format("a chunk of {} bytes cannot be encoded: {}: {}", bytes, describe(plan, of), error.what()));
  }
}

std::vector<transform::EncodedSize> encode_block(const block::CollectionPlan& plan, const ReadyBlock& of,
                                                 std::byte* data) {
  transform::EncodingTools tools;
  std::vector<transform::EncodedSize> sizes;
  for (std::int64_t k = 0; k < planned(plan, of).map.run_count; ++k)
    sizes.push_back(encode_chunk_of(plan, of, k, data, tools));
  return sizes;
}

}  // namespace thalweg::writer
