// A file is made with what it begins with, and is not there before.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "block/transaction.hpp"
#include "config/settings.hpp"

namespace thalweg::storage {

// Makes the file at path, which must not exist, with these bytes, and at least that long. One that cannot be made whole
// is removed; where a kill leaves one, its first byte is 0. Errors: STORAGE.
void make_file(const std::string& path, std::span<const block::MetadataWrite> writes, std::int64_t least_bytes,
               const config::Striping& striping);

}  // namespace thalweg::storage
