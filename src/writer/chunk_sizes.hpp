// Keeps how large the chunks of encoded blocks have become, until their record is done.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "transform/encode.hpp"
#include "writer/ready_block.hpp"

namespace thalweg::writer {

class ChunkSizes {
 public:
  explicit ChunkSizes(const block::CollectionPlan& plan) : plan_(plan) {}

  // Fill-only blocks have the same in every record.
  void keep(const ReadyBlock& of, std::vector<transform::EncodedSize> sizes);
  // Null: the block's chunks stay as they are, or are not encoded yet.
  const std::vector<transform::EncodedSize>* of(const ReadyBlock& ready) const;

  // The file's owner places the record, or the fixed variables, when it has heard of all sizes.
  bool owner_waits(std::int64_t record) const;
  // Codes (block::code_of) for the file's owner: once, and only when the sizes of all blocks are known that this
  // writer writes. record: or block::fixed_of_file, file after file. is_own: as for writes_block.
  std::optional<std::vector<std::int64_t>> take_untold(std::int64_t record, bool is_own);

  // So many leading records are done.
  void forget(std::int64_t records) { records_.erase(records_.begin(), records_.lower_bound(records)); }

 private:
  using SizesOfBlocks = std::map<std::int64_t, std::vector<transform::EncodedSize>>;
  struct Record {
    SizesOfBlocks blocks;
    bool is_told = false;
  };

  const block::CollectionPlan& plan_;
  SizesOfBlocks fixed_;
  std::int64_t fixed_told_ = 0;  // for so many leading files
  SizesOfBlocks fill_only_;
  std::map<std::int64_t, Record> records_;
};

}  // namespace thalweg::writer
