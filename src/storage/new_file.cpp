#include "storage/new_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <span>

#include "storage/posix.hpp"
#include "storage/striping.hpp"

namespace thalweg::storage {

namespace {

// By its first byte, which no format has as 0 that can be taken up, a file is known to be made. It comes last and by
// itself, so that no kill leaves half of it.
void write_begin_last(const Descriptor& file, const std::string& path, std::span<const block::MetadataWrite> writes) {
  std::span<const std::byte> begin;
  for (const block::MetadataWrite& write : writes) {
    std::span<const std::byte> bytes = write.bytes;
    std::int64_t offset = write.offset;
    if (offset == 0) {
      begin = bytes.first(std::min<std::size_t>(bytes.size(), 1));
      bytes = bytes.subspan(begin.size());
      offset += std::ssize(begin);
    }
    if (!bytes.empty()) write_all(file, path, offset, bytes);
  }
  if (!begin.empty()) write_all(file, path, 0, begin);
}

}  // namespace

void make_file(const std::string& path, std::span<const block::MetadataWrite> writes, std::int64_t least_bytes,
               const config::Striping& striping) {
  Descriptor file = make_striped(path, striping);
  try {
    if (least_bytes > 0) resize_file(file, path, least_bytes);
    write_begin_last(file, path, writes);
    file.close(path);
  } catch (...) {
    ::unlink(path.c_str());  // half a header is of no use to anyone, and would be in the way of the next try
    throw;
  }
}

}  // namespace thalweg::storage
