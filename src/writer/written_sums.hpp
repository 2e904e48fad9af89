// Adds up the checksums of what was written, for this writer's own files or for the file's owner.
#pragma once

#include <cstdint>
#include <optional>

#include "block/commands.hpp"
#include "block/record_sums.hpp"
#include "writer/chunk_sizes.hpp"
#include "writer/ready_block.hpp"

namespace thalweg::writer {

class WrittenSums {
 public:
  WrittenSums(const block::CollectionPlan& plan, const ChunkSizes& sizes)
      : plan_(plan), sizes_(sizes), sums_(plan.files.summed ? plan.files.summed->variables.size() : 0) {}

  // A block of this writer. index_in_file: of its record, or block::fixed_record.
  void add(const ReadyBlock& ready, std::int64_t file, std::int64_t index_in_file);
  // What another writer of the file wrote: files of sets, which have several parts, have one writer.
  void add_others(std::int64_t file, std::int64_t index_in_file, const block::Sums& sums);

  // The file goes on with an earlier one.
  void expect(block::ExpectSums expected) { expected_ = std::move(expected); }
  // So many records of the file are written by all. Errors: FORMAT for those that have other sums than expected.
  void require_expected(std::int64_t file, std::int64_t records);

  // What is told to the file's owner.
  block::Sums take(std::int64_t file, std::int64_t index_in_file) { return sums_.take({file, 0, index_in_file}); }
  block::FileSums take_file(std::int64_t file, std::size_t part, std::int64_t records) {
    const int of_part = static_cast<int>(part);
    if (plan_.files.records != block::RecordsInFile::one_without_dimension)
      return sums_.take_file(file, of_part, records);
    return block::of_one_record(sums_.take_file(file, of_part, 1));  // which the file does not count
  }

 private:
  std::uint64_t sum_of(const ReadyBlock& ready) const;
  void require_expected(std::int64_t index_in_file) const;

  const block::CollectionPlan& plan_;
  const ChunkSizes& sizes_;
  block::RecordSums sums_;
  std::optional<block::ExpectSums> expected_;
  std::int64_t compared_ = 0;  // records of it
};

}  // namespace thalweg::writer
