#pragma once

#include <cstdint>
#include <string_view>

namespace thalweg {

// A number that tells sequences of numbers and texts apart. (source: FNV-1a, 64 bits)
class Fingerprint {
 public:
  void add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte, number >>= 8) value_ = (value_ ^ (number & 0xff)) * 0x100000001b3ULL;
  }
  void add(std::string_view text) {
    add(text.size());
    for (const char letter : text) value_ = (value_ ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

}  // namespace thalweg
