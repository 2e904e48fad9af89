// What writers have told of the sizes of their encoded chunks, from which the owner makes the chunks' places.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "files/file_plan.hpp"
#include "formats/format_file.hpp"

namespace thalweg::files {

// record: of the collection, or block::fixed_of_file.
class EncodedSizes {
 public:
  explicit EncodedSizes(const FilePlan& plan) : plan_(plan) {}

  // writer: as in FilePlan::record_chunks. codes: block::code_of, of the encoded chunks of its blocks, in their
  // order.
  void told(int writer, std::int64_t record, std::vector<std::int64_t> codes) {
    of_records_[record][writer] = std::move(codes);
  }
  // Every writer that encodes has told them.
  bool are_known(std::int64_t record) const;
  // What the format library stores, for each part of a file.
  std::vector<std::vector<formats::EncodedChunk>> encoded(std::int64_t record, std::size_t parts) const;
  // Of records whose chunks have their places.
  void forget(std::int64_t record) { of_records_.erase(record); }

 private:
  using OfWriters = std::map<int, std::vector<std::int64_t>>;
  const OfWriters& told_of(std::int64_t record) const;
  const std::map<int, std::vector<Chunk>>& chunks(std::int64_t record) const;  // of writers

  const FilePlan& plan_;
  std::map<std::int64_t, OfWriters> of_records_;
};

}  // namespace thalweg::files
