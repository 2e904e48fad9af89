#include "formats/found_records.hpp"

#include <cstring>

namespace thalweg::formats {
namespace {

template <typename T>
double value_as(std::span<const std::byte> bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return static_cast<double>(value);
}

}  // namespace

std::optional<double> number_of(Type type, std::span<const std::byte> bytes) {
  switch (type) {
    case Type::float64: return value_as<double>(bytes);
    case Type::float32: return value_as<float>(bytes);
    case Type::int64: return value_as<std::int64_t>(bytes);
    case Type::int32: return value_as<std::int32_t>(bytes);
    case Type::int16: return value_as<std::int16_t>(bytes);
    case Type::int8: return value_as<std::int8_t>(bytes);
    case Type::uint64: return value_as<std::uint64_t>(bytes);
    case Type::uint32: return value_as<std::uint32_t>(bytes);
    case Type::uint16: return value_as<std::uint16_t>(bytes);
    case Type::uint8: return value_as<std::uint8_t>(bytes);
    case Type::character: break;
  }
  return std::nullopt;
}

}  // namespace thalweg::formats
