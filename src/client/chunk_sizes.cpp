#include "client/chunk_sizes.hpp"

#include <algorithm>

namespace thalweg::client {

const ChunkSizes::OfNodes& ChunkSizes::told_of(std::int64_t record) const {
  static const OfNodes nothing;
  const auto found = of_records_.find(record);
  return found == of_records_.end() ? nothing : found->second;
}

const std::map<int, std::vector<Collection::Chunk>>& ChunkSizes::chunks(std::int64_t record) const {
  return record == store::fixed_record ? collection_.fixed_chunks : collection_.record_chunks;
}

bool ChunkSizes::are_known(std::int64_t record) const {
  const OfNodes& told = told_of(record);
  return std::ranges::all_of(chunks(record), [&](const auto& node) {
    return told.count(node.first) != 0 || std::ranges::none_of(node.second, &Collection::Chunk::is_encoded);
  });
}

std::vector<std::vector<store::EncodedChunk>> ChunkSizes::encoded(std::int64_t record, std::size_t parts) const {
  std::vector<std::vector<store::EncodedChunk>> encoded(parts);
  const OfNodes& told = told_of(record);
  for (const auto& [node, of_node] : chunks(record)) {
    const auto codes = told.find(node);
    if (codes == told.end()) continue;  // it encodes nothing
    auto code = codes->second.begin();
    for (const Collection::Chunk& chunk : of_node) {
      if (!chunk.is_encoded) continue;
      encoded[static_cast<std::size_t>(chunk.part)].push_back(
          {chunk.variable, chunk.number, store::bytes_of_code(*code), store::codec_skipped_in(*code)});
      ++code;
    }
  }
  return encoded;
}

}  // namespace thalweg::client
