#include "fields/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/numbers.hpp"
#include "base/vectorized.hpp"

namespace thalweg::fields {
namespace {

// The processor sees by itself where reads go on, but not over the end of a page, and a strip of float32 is one.
constexpr std::int64_t block = 256;  // of elements
constexpr std::size_t cache_line = 64, ahead = 4096;

// The usual stride is a constant, so that several elements are taken at once.
template <typename T>
THALWEG_VECTORIZED void load(const std::byte* from, std::int64_t stride, double* to, std::int64_t count) {
  if (stride == static_cast<std::int64_t>(sizeof(T)))
    for (std::int64_t first = 0; first < count; first += block) {
      const std::byte* const of_block = from + first * stride;
      const auto in_block = static_cast<std::size_t>(std::min(block, count - first));
      for (std::size_t at = 0; at < in_block * sizeof(T); at += cache_line) __builtin_prefetch(of_block + ahead + at);
      for (std::size_t i = 0; i < in_block; ++i)
        to[static_cast<std::size_t>(first) + i] = static_cast<double>(loaded<T>(of_block + i * sizeof(T)));
    }
  else
    for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<double>(loaded<T>(from + i * stride));
}

}  // namespace

void load_numbers(Type type, const std::byte* from, std::int64_t stride, double* to, std::int64_t count) {
  with_number(type, [&](auto kind) { load<decltype(kind)>(from, stride, to, count); });
}

Element no_value() {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Element element{};
  std::memcpy(element.data(), &none, sizeof none);
  return element;
}

// A fraction beyond the least number is none of the type: -0.5 is not 0 of an unsigned one.
bool store_number(Type type, std::byte* to, double value) {
  bool is_stored = false;
  with_number(type, [&](auto kind) {
    using Number = decltype(kind);
    if (!holds<Number>(std::floor(value))) return;
    const auto number = static_cast<Number>(value);
    std::memcpy(to, &number, sizeof number);
    is_stored = true;
  });
  return is_stored;
}

bool store_result(Type type, std::byte* to, double value, const std::vector<double>& numbers_for_none) {
  if (!store_number(type, to, value)) return false;
  if (numbers_for_none.empty()) return true;
  with_number(type, [&](auto kind) {
    using Number = decltype(kind);
    if constexpr (std::is_floating_point_v<Number>) {
      auto number = loaded<Number>(to);
      const auto is_none = [&](double one) { return static_cast<Number>(one) == number; };
      const Number beyond = number > 0 ? -std::numeric_limits<Number>::max() : std::numeric_limits<Number>::max();
      while (std::ranges::any_of(numbers_for_none, is_none)) number = std::nextafter(number, beyond);
      std::memcpy(to, &number, sizeof number);
    }
  });
  return true;
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
