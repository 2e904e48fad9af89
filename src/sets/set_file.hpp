// A file as its readers see it, whether it lies in one piece or as a set of files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "formats/readable_file.hpp"
#include "sets/set_reader.hpp"

namespace thalweg::sets {

// The whole of a set: what no part holds reads as fill value.
class SetFile final : public formats::ReadableFile {
 public:
  // Errors: FORMAT, if sections overlap.
  explicit SetFile(FileSet set);
  const catalog::Definition& definition() const override { return set_.whole; }
  std::int64_t records() const override { return set_.records; }
  void read(int variable, std::int64_t record, const Box& box, std::span<std::byte> values) override;

 private:
  FileSet set_;
  std::vector<std::vector<Source>> sources_;  // of each variable
  std::vector<std::byte> piece_;
};

// Of what has the name: a file, or parts of a set. Errors: STORAGE, FORMAT.
std::unique_ptr<formats::ReadableFile> open_whole(const std::string& path, bool is_set);

}  // namespace thalweg::sets
