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
};

// Errors: STORAGE.
FirstBytes first_bytes(const Descriptor& file, const std::string& path);

}  // namespace thalweg::storage
