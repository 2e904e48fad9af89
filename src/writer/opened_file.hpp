// Holds a file of the series, or, of a set, the parts of it that this writer writes, and what they still wait for.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "block/commands.hpp"
#include "block/record_sums.hpp"
#include "writer/file_writer.hpp"

namespace thalweg::writer {

struct OpenedFile {
  OpenedFile(block::OpenFile opening, const block::CollectionPlan& plan, storage::StorageAccess& access);

  std::int64_t number() const { return command.file; }
  // Of a set there are more.
  FileWriter& first_part() { return *parts.front(); }
  FileWriter& part_of(const block::PlannedBlock& block) { return *parts[static_cast<std::size_t>(block.place.part)]; }
  // Each block goes to its part.
  void write(const std::vector<storage::BlockToWrite>& blocks);
  bool has_all_fixed() const;

  block::OpenFile command;
  std::vector<std::unique_ptr<FileWriter>> parts;
  std::deque<block::CommitRecords> commits;
  std::vector<bool> fixed_written;
  bool fixed_filled = false;  // what was not written when the first record was complete here
  bool parts_closed = false;
  bool parts_named = false;
  bool spares_complete = false;         // it has no records, and what is complete stays
  std::optional<block::FileSums> sums;  // once they were asked for
};

}  // namespace thalweg::writer
