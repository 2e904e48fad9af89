#include "storage/new_file.hpp"

#include <unistd.h>

#include "storage/posix.hpp"
#include "storage/striping.hpp"

namespace thalweg::storage {

void make_file(const std::string& path, std::span<const block::MetadataWrite> writes, std::int64_t least_bytes,
               const config::Striping& striping) {
  Descriptor file = make_striped(path, striping);
  try {
    if (least_bytes > 0) resize_file(file, path, least_bytes);
    for (const block::MetadataWrite& write : writes) write_all(file, path, write.offset, write.bytes);
    file.close(path);
  } catch (...) {
    ::unlink(path.c_str());  // half a header is of no use to anyone, and would be in the way of the next try
    throw;
  }
}

}  // namespace thalweg::storage
