#include "formats/found_records.hpp"

#include "base/numbers.hpp"

namespace thalweg::formats {

std::optional<double> number_of(Type type, std::span<const std::byte> bytes) {
  std::optional<double> number;
  with_number(type, [&](auto kind) { number = static_cast<double>(loaded<decltype(kind)>(bytes.data())); });
  return number;
}

}  // namespace thalweg::formats
