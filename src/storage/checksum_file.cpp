#include "storage/checksum_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "base/log.hpp"
#include "storage/posix.hpp"

namespace thalweg::storage {
namespace {

constexpr const char* growing_ending = ".new";

// With this every companion begins; nothing else is replaced or removed.
constexpr std::string_view checksum_head = "{\"thalweg_checksums\": ";
constexpr int checksum_version = 1;

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// In quotes. There are as many as records and variables together, for which formatting takes its time.
void append_sum(std::uint64_t sum, std::string& text) {
  text += '"';
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(sum >> shift) & 15];
  text += '"';
}

void append_sums_of_records(const block::FileSums& sums, std::size_t variable, std::string& text) {
  for (const block::Sums& record : sums.records) {
    if (&record != sums.records.data()) text += ", ";
    append_sum(record[variable], text);
  }
}

// As many bytes as a companion's head has, or what there is of them; nothing: it is no file that can be read.
std::optional<std::string> start_of(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::array<char, checksum_head.size()> start{};
  const ssize_t got = ::pread(file.get(), start.data(), start.size(), 0);
  return got < 0 ? std::nullopt : std::optional<std::string>(std::in_place, start.data(), start.data() + got);
}

// What is there is a companion, so that it may be replaced.
bool is_checksum_file(const std::string& path) {
  return start_of(path) == checksum_head;
}

// What is there may be a companion whose writing was cut off.
bool is_begun_checksum_file(const std::string& path) {
  const auto start = start_of(path);
  return start && checksum_head.starts_with(*start);
}

std::optional<std::int64_t> bytes_of(const std::string& path) {
  if (std::filesystem::is_directory(path)) return std::nullopt;
  return static_cast<std::int64_t>(std::filesystem::file_size(path));
}

void require_free(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0 || is_checksum_file(path)) return;
  fail(THALWEG_ERROR_STORAGE, "'{}' is there already and holds no checksums of Thalweg, so it is not replaced", path);
}

}  // namespace

// A line for each variable, so that a person finds it, too.
std::string text_of(const block::Checksums& checksums, const std::string& file_name,
                    std::optional<std::int64_t> file_bytes) {
  const block::SummedFiles* of = checksums.of.get();
  const block::FileSums& sums = checksums.sums;
  std::string text = fmt::format("{}{},\n \"file\": {},\n \"format\": \"{}\",\n", checksum_head, checksum_version,
                                 quoted(file_name), of->format->name);
  if (file_bytes) text += fmt::format(" \"bytes\": {},\n", *file_bytes);
  text += fmt::format(" \"record_dimension\": {},\n \"records\": {},\n \"variables\": [", quoted(of->record_dimension),
                      sums.records.size());
  for (std::size_t v = 0; v < of->variables.size(); ++v) {
    const block::SummedFiles::Variable& variable = of->variables[v];
    text += fmt::format("{}\n  {{\"name\": {}, \"type\": \"{}\", \"elements\": {}, ", v == 0 ? "" : ",",
                        quoted(variable.name), name_of(variable.type), of->elements[checksums.part][v]);
    if (!variable.has_record) {
      text += "\"sum\": ";
      append_sum(sums.fixed[v], text);
      text += '}';
      continue;
    }
    text += "\"records\": [";
    append_sums_of_records(sums, v, text);
    text += "]}";
  }
  return text + "\n ]}\n";
}

std::string checksum_path(const std::string& path) {
  return path + ".checksums";
}

ChecksumFile::ChecksumFile(const block::Checksums& checksums, const std::string& partial_path, const std::string& path,
                           bool durable)
    : path_(checksum_path(path)), growing_path_(path_ + growing_ending) {
  try {
    require_free(path_);
    write(text_of(checksums, std::filesystem::path(path).filename(), bytes_of(partial_path)), durable);
    is_written_ = true;
  } catch (const std::exception& error) {
    log::warning("'{}' has no checksums: {}", path, error.what());
  }
}

// It was not published: the file did not get its name.
ChecksumFile::~ChecksumFile() {
  if (is_written_) ::unlink(growing_path_.c_str());
}

void ChecksumFile::write(const std::string& text, bool durable) const {
  Descriptor file = open_file(growing_path_, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  write_all(file, growing_path_, 0, std::as_bytes(std::span(text)));
  if (durable) sync_data(file, growing_path_);
  file.close(growing_path_);
}

void ChecksumFile::publish() {
  if (!is_written_) return;
  if (std::rename(growing_path_.c_str(), path_.c_str()) != 0) {
    log::warning("cannot rename '{}' to '{}': {}; the file has no checksums", growing_path_, path_,
                 std::strerror(errno));
    return;
  }
  is_written_ = false;
  is_published_ = true;
}

void remove_checksums(const std::string& path) {
  const std::string companion = checksum_path(path);
  if (is_checksum_file(companion) && ::unlink(companion.c_str()) != 0)
    fail_storage(fmt::format("remove '{}', the checksums of an earlier file", companion), errno);
}

void remove_unpublished_checksums(const std::string& path) {
  const std::string left = checksum_path(path) + growing_ending;
  if (is_begun_checksum_file(left) && ::unlink(left.c_str()) != 0)
    fail_storage(fmt::format("remove '{}', which a killed run left", left), errno);
}

}  // namespace thalweg::storage
