#include "fields/numbers.hpp"

#include <cstring>

namespace thalweg::fields {
namespace {

template <typename T>
std::byte* store(std::byte* to, double value) {
  const T element = static_cast<T>(value);
  std::memcpy(to, &element, sizeof element);
  return to + sizeof element;
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

std::byte* store_number(Type type, std::byte* to, double value) {
  switch (type) {
    case Type::int8: return store<std::int8_t>(to, value);
    case Type::int16: return store<std::int16_t>(to, value);
    case Type::int32: return store<std::int32_t>(to, value);
    case Type::uint8: return store<std::uint8_t>(to, value);
    case Type::uint16: return store<std::uint16_t>(to, value);
    case Type::uint32: return store<std::uint32_t>(to, value);
    case Type::float32: return store<float>(to, value);
    default: return store<double>(to, value);
  }
}

double number_of(const catalog::Attribute& attribute) {
  double number = 0.0;
  load_numbers(attribute.element_type(), attribute.values.data(), 0, &number, 1);
  return number;
}

catalog::Attribute converted(const catalog::Attribute& attribute, Type type) {
  if (attribute.type == type) return attribute;
  const std::size_t from_bytes = size_of(*attribute.type);
  const std::size_t count = attribute.values.size() / from_bytes;
  std::vector<std::byte> values(count * size_of(type));
  std::byte* to = values.data();
  for (std::size_t i = 0; i < count; ++i) {
    double number = 0.0;
    load_numbers(*attribute.type, attribute.values.data() + i * from_bytes, 0, &number, 1);
    to = store_number(type, to, number);
  }
  return {attribute.name, type, "", std::move(values)};
}

}  // namespace thalweg::fields
