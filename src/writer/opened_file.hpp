// Holds a file of the series, or, of a set, the parts of it that this writer writes, and what they still wait for.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "store/mover.hpp"
#include "store/orders.hpp"
#include "store/record_sums.hpp"
#include "writer/file_writer.hpp"

namespace thalweg::writer {

using RunsOfParts = std::vector<std::vector<store::DataRun>>;

struct OpenedFile {
  OpenedFile(store::OpenFile opening, const store::CollectionPlan& plan, StorageAccess& access);

  std::int64_t number() const { return command.file; }
  // Of a set there are more.
  FileWriter& first_part() { return *parts.front(); }
  void write(RunsOfParts& runs);
  bool has_all_fixed() const;

  store::OpenFile command;
  std::vector<std::unique_ptr<FileWriter>> parts;
  std::deque<store::CommitRecords> commits;
  std::vector<bool> fixed_written;
  bool fixed_filled = false;  // what was not written when the first record was complete here
  bool parts_closed = false;
  bool spares_complete = false;         // it has no records, and what is complete stays
  std::optional<store::FileSums> sums;  // once they were asked for
};

}  // namespace thalweg::writer
