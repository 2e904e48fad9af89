#include "fields/numbers.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace thalweg::fields {
namespace {

template <typename T>
constexpr bool holds(double value) {
  if constexpr (std::is_floating_point_v<T>) return true;
  // The first number behind the greatest one is a power of two, and float64 has it.
  const double behind = std::ldexp(1.0, std::numeric_limits<T>::digits);
  return value >= static_cast<double>(std::numeric_limits<T>::lowest()) && value < behind;
}

template <typename T>
bool store(std::byte* to, double value) {
  if (!holds<T>(value)) return false;
  const T element = static_cast<T>(value);
  std::memcpy(to, &element, sizeof element);
  return true;
}

template <typename T>
void load(const std::byte* from, std::int64_t stride, double* to, std::int64_t count) {
  if (stride == static_cast<std::int64_t>(sizeof(T))) {
    for (std::int64_t i = 0; i < count; ++i) {
      T element;
      std::memcpy(&element, from + i * static_cast<std::int64_t>(sizeof(T)), sizeof element);
      to[i] = static_cast<double>(element);
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    T element;
    std::memcpy(&element, from + i * stride, sizeof element);
    to[i] = static_cast<double>(element);
  }
}

}  // namespace

void load_numbers(Type type, const std::byte* from, std::int64_t stride, double* to, std::int64_t count) {
  switch (type) {
    case Type::int8: return load<std::int8_t>(from, stride, to, count);
    case Type::int16: return load<std::int16_t>(from, stride, to, count);
    case Type::int32: return load<std::int32_t>(from, stride, to, count);
    case Type::int64: return load<std::int64_t>(from, stride, to, count);
    case Type::uint8: return load<std::uint8_t>(from, stride, to, count);
    case Type::uint16: return load<std::uint16_t>(from, stride, to, count);
    case Type::uint32: return load<std::uint32_t>(from, stride, to, count);
    case Type::uint64: return load<std::uint64_t>(from, stride, to, count);
    case Type::float32: return load<float>(from, stride, to, count);
    case Type::float64: return load<double>(from, stride, to, count);
    case Type::character: return;
  }
}

bool store_number(Type type, std::byte* to, double value) {
  switch (type) {
    case Type::int8: return store<std::int8_t>(to, value);
    case Type::int16: return store<std::int16_t>(to, value);
    case Type::int32: return store<std::int32_t>(to, value);
    case Type::int64: return store<std::int64_t>(to, value);
    case Type::uint8: return store<std::uint8_t>(to, value);
    case Type::uint16: return store<std::uint16_t>(to, value);
    case Type::uint32: return store<std::uint32_t>(to, value);
    case Type::uint64: return store<std::uint64_t>(to, value);
    case Type::float32: return store<float>(to, value);
    case Type::float64: return store<double>(to, value);
    case Type::character: return false;
  }
  return false;
}

std::vector<double> numbers_of(const catalog::Attribute& attribute) {
  if (!attribute.type) return {};
  const std::size_t bytes = size_of(*attribute.type);
  std::vector<double> numbers(attribute.values.size() / bytes);
  load_numbers(*attribute.type, attribute.values.data(), static_cast<std::int64_t>(bytes), numbers.data(),
               std::ssize(numbers));
  return numbers;
}

std::optional<catalog::Attribute> converted(const catalog::Attribute& attribute, Type type) {
  if (attribute.type == type) return attribute;
  const std::vector<double> numbers = numbers_of(attribute);
  catalog::Attribute made{attribute.name, type, "", std::vector<std::byte>(numbers.size() * size_of(type))};
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!store_number(type, made.values.data() + i * size_of(type), numbers[i])) return std::nullopt;
  return made;
}

}  // namespace thalweg::fields
