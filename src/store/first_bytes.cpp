#include "store/first_bytes.hpp"

#include <cstring>
#include <string_view>

namespace thalweg::store {
namespace {

bool begins_with(const FirstBytes& begin, std::string_view text) {
  return std::memcmp(begin.bytes.data(), text.data(), text.size()) == 0;
}

}  // namespace

bool FirstBytes::is_cdf() const {
  return begins_with(*this, "CDF\1") || begins_with(*this, "CDF\2") || begins_with(*this, "CDF\5");
}

bool FirstBytes::is_hdf5() const {
  return begins_with(*this, "\x89HDF\r\n\x1a\n");
}

FirstBytes first_bytes(const Descriptor& file, const std::string& path) {
  FirstBytes begin;
  begin.count = read_all(file, path, 0, begin.bytes);
  return begin;
}

}  // namespace thalweg::store
