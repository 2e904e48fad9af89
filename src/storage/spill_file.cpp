#include "storage/spill_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/nameless_file.hpp"
#include "base/system_call.hpp"
#include "block/block_map.hpp"

namespace thalweg::storage {
namespace {

std::string folder_of(const config::SpillSettings& settings) {
  if (!settings.folder.empty()) return settings.folder;
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

// So that every block begins on a page, which is the unit in which room is given back.
std::int64_t room_for(std::int64_t bytes) {
  return (bytes + block::page_bytes - 1) / block::page_bytes * block::page_bytes;
}

bool gives_room_back(const Descriptor& file, std::int64_t place, std::int64_t bytes) {
  constexpr int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  return uninterrupted([&] { return ::fallocate(file.get(), mode, place, bytes); }) == 0;
}

}  // namespace

SpillFile::SpillFile(const config::SpillSettings& settings) : folder_(folder_of(settings)), limit_(settings.limit) {}

bool SpillFile::open() {
  if (file_) return true;
  if (!is_usable_) return false;
  file_ = Descriptor(open_nameless_file(folder_, "thalweg-spill"));
  if (file_) return true;
  is_usable_ = false;
  give_up(std::strerror(errno));
  return false;
}

void SpillFile::give_up(const std::string& why) {
  if (has_warned_) return;
  has_warned_ = true;
  log::warning(
      "'when-full: spill' cannot keep more blocks in '{}': {}; puts wait for the storage instead (said once; "
      "'spill.folder' and 'spill.limit' say where and how much)",
      folder_, why);
}

std::optional<std::int64_t> SpillFile::keep(std::span<iovec> parts) {
  if (is_full_ || !open()) return std::nullopt;
  std::int64_t bytes = 0;
  for (const iovec& part : parts) bytes += static_cast<std::int64_t>(part.iov_len);
  if (kept_bytes_ + room_for(bytes) > limit_) {
    give_up(fmt::format("the limit of {} bytes is reached", limit_));
    return std::nullopt;
  }
  try {
    write_all(file_, folder_, end_, parts);
  } catch (const Error& error) {
    is_full_ = true;
    give_up(error.what());
    return std::nullopt;
  }
  const std::int64_t place = end_;
  end_ += room_for(bytes);
  kept_bytes_ += room_for(bytes);
  needed_bytes_ += room_for(bytes);
  return place;
}

void SpillFile::read(std::int64_t place, std::span<std::byte> bytes) const {
  if (read_all(file_, folder_, place, bytes) == std::ssize(bytes)) return;
  fail(THALWEG_ERROR_STORAGE, "the file of spilled blocks in '{}' is shorter than what was written to it", folder_);
}

void SpillFile::forget(std::int64_t place, std::int64_t bytes) {
  needed_bytes_ -= room_for(bytes);
  if (needed_bytes_ == 0) {
    if (uninterrupted([&] { return ::ftruncate(file_.get(), 0); }) == 0) end_ = 0;
    kept_bytes_ = 0;
  } else if (gives_room_back(file_, place, room_for(bytes))) {
    kept_bytes_ -= room_for(bytes);
  }
  is_full_ = false;
}

}  // namespace thalweg::storage
