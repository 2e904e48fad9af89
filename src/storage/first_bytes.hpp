// What a file begins with, by which its format is known.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "storage/posix.hpp"

namespace thalweg::storage {

struct FirstBytes {
  std::array<std::byte, 8> bytes{};
  std::int64_t count = 0;  // that the file has of them; the others are zero

  bool begins_with(std::string_view magic) const;  // of at most as many bytes as there are here
  // Whoever made the file was killed before it was whole (storage/new_file.hpp); or it is of no format of those that
  // can be taken up.
  bool is_unmade() const { return bytes.front() == std::byte{0}; }
};

// Errors: STORAGE.
FirstBytes first_bytes(const Descriptor& file, const std::string& path);

}  // namespace thalweg::storage
