// What is under a path, opened for reading: a file, or the parts of a set. Values may be read by a thread while another
// asks for sums or reads itself; they take turns, for which nobody waits longer than the deadline.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/patience.hpp"
#include "formats/readable_file.hpp"
#include "sets/set_reader.hpp"
#include "storage/checksum_reading.hpp"

namespace thalweg::read {

class FileReader {
 public:
  // Errors: STORAGE, saying what lies beside a name that is not there; FORMAT.
  // who: reads it, for messages.
  explicit FileReader(const std::string& path, double deadline_s = 300.0, std::string who = {});
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;

  const catalog::Definition& definition() const;
  std::int64_t records() const;
  std::vector<formats::LeftOut> left_out() const { return file_ ? file_->left_out() : std::vector<formats::LeftOut>(); }
  // As ReadableFile::version; of a set, of all its parts.
  std::string version() const;
  // As ReadableFile::read; what no part of a set has gets the fill value. Returns the byte order of the values. Errors:
  // as well, DEADLINE: another thread has read for so long.
  std::endian read(int variable, std::int64_t record, const Box& box, std::span<std::byte> values);
  bool has_companion() const;
  // What companions say that the values of a variable's record add up to (docs/formats/checksums.md), as read() gives
  // them. Nothing: they do not say it.
  std::optional<std::uint64_t> said_sum(int variable, std::int64_t record) const;
  // For calls of first_file().
  formats::Patience patience() const { return formats::Patience({deadline_s_, who_}); }
  // A file that has all variables' definitions and the times of records: of a set, its first part.
  formats::ReadableFile& first_file();

 private:
  std::vector<std::string> paths() const;
  bool has_fixed_values_by_companion() const;
  using Said = std::map<std::string, storage::SaidSums>;
  const std::vector<std::optional<Said>>& said_by_companions() const;
  void read_parts(int variable, std::int64_t record, const Box& box, std::span<std::byte> values);

  using Turn = std::unique_lock<std::timed_mutex>;
  Turn turn() const;

  mutable std::timed_mutex turn_;
  std::string path_;
  double deadline_s_;
  std::string who_;
  std::unique_ptr<formats::ReadableFile> file_;
  std::optional<sets::FileSet> set_;
  std::vector<std::vector<sets::Source>> sources_;                // of each variable of the set
  mutable std::optional<std::vector<std::optional<Said>>> said_;  // by each file's companion, once one was asked
};

}  // namespace thalweg::read
