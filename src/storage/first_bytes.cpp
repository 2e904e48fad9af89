#include "storage/first_bytes.hpp"

#include <cstring>

namespace thalweg::storage {

bool FirstBytes::begins_with(std::string_view magic) const {
  return std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

FirstBytes first_bytes(const Descriptor& file, const std::string& path) {
  FirstBytes begin;
  begin.count = read_all(file, path, 0, begin.bytes);
  return begin;
}

}  // namespace thalweg::storage
