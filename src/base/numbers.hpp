// Numbers of types that are known at run time.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "base/types.hpp"

namespace thalweg {

// Rounded down, of a divisor above 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// Of that type, wherever it lies.
template <typename Number>
Number loaded(const std::byte* from) {
  Number number;
  std::memcpy(&number, from, sizeof number);
  return number;
}

// Calls visit(Number()) with the C++ type of a number.
template <typename Visit>
void with_number(Type type, const Visit& visit) {
  switch (type) {
    case Type::int8: return visit(std::int8_t{});
    case Type::int16: return visit(std::int16_t{});
    case Type::int32: return visit(std::int32_t{});
    case Type::int64: return visit(std::int64_t{});
    case Type::uint8: return visit(std::uint8_t{});
    case Type::uint16: return visit(std::uint16_t{});
    case Type::uint32: return visit(std::uint32_t{});
    case Type::uint64: return visit(std::uint64_t{});
    case Type::float32: return visit(float{});
    case Type::float64: return visit(double{});
    case Type::character: return;
  }
}

// Nothing: it is text. bytes: in host order.
inline std::optional<double> number_of(Type type, std::span<const std::byte> bytes) {
  std::optional<double> number;
  with_number(type, [&](auto kind) { number = static_cast<double>(loaded<decltype(kind)>(bytes.data())); });
  return number;
}

// Every NaN is as good as another.
template <typename Number>
bool is_same(Number value, Number other) {
  if constexpr (std::is_floating_point_v<Number>)
    if (std::isnan(other)) return std::isnan(value);
  return value == other;
}

// Whether a number, its fraction left out, is one of the other type. Every number is one of a real type.
template <typename To, typename From>
bool holds(From value) {
  if constexpr (std::is_floating_point_v<To>) {
    return true;
  } else if constexpr (std::is_floating_point_v<From>) {
    // Both limits are powers of two, or one less, so that they are exact in From or rounded away from 0.
    const From whole = std::trunc(value);
    const From above = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    return whole < above && whole >= (std::is_signed_v<To> ? -above : From{0});
  } else {
    return std::in_range<To>(value);
  }
}

}  // namespace thalweg
