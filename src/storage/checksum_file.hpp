// The companion of a complete file that holds the checksums of what is in it, so that a changed byte is found in any
// format. docs/formats/checksums.md describes it; `thalweg verify` reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "block/summed_files.hpp"

namespace thalweg::storage {

// What the companion says. file_bytes: nothing for a store.
std::string text_of(const block::Checksums& checksums, const std::string& file_name,
                    std::optional<std::int64_t> file_bytes);

// Beside the file or store: what lies in a store and belongs to none of its arrays makes zarr-python warn.
std::string checksum_path(const std::string& path);

// The companion of a file that is about to get its name: complete under a name of its own, from which it gets the one
// that readers look for when the file has got its. Nothing may go wrong with the file because of it: what goes wrong
// here is a warning, and the file has no checksums.
class ChecksumFile {
 public:
  // Writes it. path: that the file will have; partial_path: that it has.
  ChecksumFile(const block::Checksums& checksums, const std::string& partial_path, const std::string& path,
               bool durable);
  ~ChecksumFile();
  ChecksumFile(const ChecksumFile&) = delete;
  ChecksumFile& operator=(const ChecksumFile&) = delete;

  // The file has its name.
  void publish();
  bool is_published() const { return is_published_; }

 private:
  void write(const std::string& text, bool durable) const;

  std::string path_;
  std::string growing_path_;
  bool is_written_ = false;
  bool is_published_ = false;
};

// Removes the companion of an earlier file of that name, if there is one. What else has its name stays. Errors:
// STORAGE.
void remove_checksums(const std::string& path);

// Removes what a run that was killed just before it published the file had made of its companion. Errors: STORAGE.
void remove_unpublished_checksums(const std::string& path);

}  // namespace thalweg::storage
