// Reads a Fortran unformatted file as a program does: one length after the other, nothing known of Thalweg.
#pragma once

#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "storage/posix.hpp"

namespace thalweg::formats::sample {

class FortranReader {
 public:
  explicit FortranReader(std::span<const std::byte> file) : rest_(file) {}

  // The next array; nothing at the end, and where a growing file holds no markers yet.
  std::optional<std::span<const std::byte>> next() {
    const std::optional<std::size_t> bytes = marker(0);
    if (!bytes || *bytes == 0 || rest_.size() < *bytes + 8 || marker(*bytes + 4) != bytes) return std::nullopt;
    const auto array = rest_.subspan(4, *bytes);
    rest_ = rest_.subspan(*bytes + 8);
    return array;
  }
  std::size_t bytes_left() const { return rest_.size(); }

 private:
  std::optional<std::size_t> marker(std::size_t place) const {
    std::int32_t value = 0;
    if (rest_.size() < place + sizeof value) return std::nullopt;
    std::memcpy(&value, rest_.data() + place, sizeof value);
    return static_cast<std::size_t>(value);
  }

  std::span<const std::byte> rest_;
};

}  // namespace thalweg::formats::sample
