#include <fcntl.h>

#include "base/error.hpp"
#include "formats/format_file.hpp"
#include "formats/registry.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats {
namespace {

std::string printable(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    const auto letter = std::to_integer<unsigned char>(byte);
    text += letter >= 32 && letter < 127 ? std::string(1, static_cast<char>(letter)) : fmt::format("\\x{:02x}", letter);
  }
  return text;
}

[[noreturn]] void refuse_unknown(const std::string& path) {
  const storage::Descriptor file = storage::open_file(path, O_RDONLY | O_NOFOLLOW);
  const storage::FirstBytes begin = storage::first_bytes(file, path);
  fail(THALWEG_ERROR_FORMAT,
       "'{}' is neither {}: it has {} bytes and starts with \"{}\"; name a file that Thalweg was writing{}", path,
       kinds_where([](const FormatRow& row) { return row.recover != nullptr; }), storage::size_of_file(file, path),
       printable(std::span(begin.bytes).first(static_cast<std::size_t>(begin.count))),
       begin.is_unmade() ? ". If a run has left it, that was killed before the file was made: nothing of it was "
                           "committed, and it can be removed"
                         : "");
}

}  // namespace

void refuse_without_records(const std::string& path) {
  fail(THALWEG_ERROR_FORMAT,
       "'{}' has no record dimension, so that nothing in it says which of its values a run had written when it was "
       "killed; rename it by hand if you know that all of them are there, or remove it",
       path);
}

std::int64_t recover(const std::string& path, bool had_owner) {
  const FormatRow* row = row_at(path, O_RDONLY | O_NOFOLLOW);
  if (row == nullptr || row->recover == nullptr) refuse_unknown(path);
  const std::int64_t records = row->recover(path, had_owner);
  if (!storage::is_folder(path)) storage::sync_file(path);
  return records;
}

}  // namespace thalweg::formats
