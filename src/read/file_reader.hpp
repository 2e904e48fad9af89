// What is under a path, opened for reading: a file, or the parts of a set.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/readable_file.hpp"
#include "sets/set_reader.hpp"

namespace thalweg::read {

class FileReader {
 public:
  // Errors: STORAGE, saying what lies beside a name that is not there; FORMAT.
  explicit FileReader(const std::string& path);

  const catalog::Definition& definition() const;
  std::int64_t records() const;
  std::vector<formats::LeftOut> left_out() const { return file_ ? file_->left_out() : std::vector<formats::LeftOut>(); }
  // As ReadableFile::version; of a set, of all its parts.
  std::string version() const;
  // As ReadableFile::read; what no part of a set has gets the fill value.
  void read(int variable, std::int64_t record, const Box& box, std::span<std::byte> values);
  // A file that has all variables' definitions and the times of records: of a set, its first part.
  formats::ReadableFile& first_file();

 private:
  void read_parts(int variable, std::int64_t record, const Box& box, std::span<std::byte> values);

  std::unique_ptr<formats::ReadableFile> file_;
  std::optional<sets::FileSet> set_;
  std::vector<std::vector<sets::Source>> sources_;  // of each variable of the set
};

}  // namespace thalweg::read
