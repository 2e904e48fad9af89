#include "files/encoded_sizes.hpp"

#include <algorithm>

#include "block/results.hpp"

namespace thalweg::files {

const EncodedSizes::OfWriters& EncodedSizes::told_of(std::int64_t record) const {
  static const OfWriters nothing;
  const auto found = of_records_.find(record);
  return found == of_records_.end() ? nothing : found->second;
}

const std::map<int, std::vector<Chunk>>& EncodedSizes::chunks(std::int64_t record) const {
  return block::is_fixed(record) ? plan_.fixed_chunks : plan_.record_chunks;
}

bool EncodedSizes::are_known(std::int64_t record) const {
  const OfWriters& told = told_of(record);
  return std::ranges::all_of(chunks(record), [&](const auto& writer) {
    return told.count(writer.first) != 0 || std::ranges::none_of(writer.second, &Chunk::is_encoded);
  });
}

std::vector<std::vector<formats::EncodedChunk>> EncodedSizes::encoded(std::int64_t record, std::size_t parts) const {
  std::vector<std::vector<formats::EncodedChunk>> encoded(parts);
  const OfWriters& told = told_of(record);
  for (const auto& [writer, of_writer] : chunks(record)) {
    const auto codes = told.find(writer);
    if (codes == told.end()) continue;  // it encodes nothing
    auto code = codes->second.begin();
    for (const Chunk& chunk : of_writer) {
      if (!chunk.is_encoded) continue;
      encoded[static_cast<std::size_t>(chunk.part)].push_back(
          {chunk.variable, chunk.number, block::bytes_of_code(*code), block::codec_skipped_in(*code)});
      ++code;
    }
  }
  return encoded;
}

}  // namespace thalweg::files
