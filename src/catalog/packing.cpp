#include "catalog/packing.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/numbers.hpp"
#include "catalog/numeric_attribute.hpp"

namespace thalweg::catalog {
namespace {

std::string fault_in(const Attribute& attribute) {
  return fmt::format("its attribute {} is no number", text_of(attribute));
}

std::optional<double> number_of_packing(const Variable& variable, const char* name, Packing& packing) {
  const Attribute* found = find(variable.attributes, name);
  const auto number = number_in(variable, name);
  if (found != nullptr && !number) packing.fault = fault_in(*found);
  return number;
}

// A number as an element of another type; nothing: that type has none such. Whole numbers are it to the last digit.
std::optional<Element> as_element(Type type, double number) {
  std::optional<Element> element;
  with_number(type, [&](auto kind) {
    using To = decltype(kind);
    if (!holds<To>(number)) return;
    if (std::is_integral_v<To> && number != std::trunc(number)) return;
    element = element_of(static_cast<To>(number));
  });
  return element;
}

void take_missing(const Variable& variable, const char* name, Packing& packing) {
  const Attribute* found = find(variable.attributes, name);
  if (found == nullptr || found->bytes().empty()) return;
  if (found->element_type() == Type::character && variable.type != Type::character)
    return static_cast<void>(packing.fault = fault_in(*found));
  const std::size_t bytes = size_of(found->element_type());
  for (std::size_t at = 0; at + bytes <= found->bytes().size(); at += bytes) {
    const auto value = found->bytes().subspan(at, bytes);
    if (found->element_type() == variable.type) {
      Element element{};
      std::memcpy(element.data(), value.data(), bytes);
      packing.missing.push_back(element);
    } else if (const auto number = number_of(found->element_type(), value)) {
      if (const auto element = as_element(variable.type, *number)) packing.missing.push_back(*element);
    }
  }
}

template <typename Number>
bool is_missing(const Packing& packing, Number value) {
  return std::ranges::any_of(packing.missing,
                             [&](const Element& missing) { return is_same(value, loaded<Number>(missing.data())); });
}

}  // namespace

Type unsigned_of(Type type) {
  switch (type) {
    case Type::int8: return Type::uint8;
    case Type::int16: return Type::uint16;
    case Type::int32: return Type::uint32;
    case Type::int64: return Type::uint64;
    default: return type;
  }
}

Packing packing_of(const Variable& variable) {
  Packing packing;
  packing.scale = number_of_packing(variable, "scale_factor", packing);
  packing.offset = number_of_packing(variable, "add_offset", packing);
  const Attribute* unsigned_said = find(variable.attributes, "_Unsigned");
  packing.is_unsigned = unsigned_said != nullptr && unsigned_said->text == "true";
  take_missing(variable, "_FillValue", packing);
  // As netCDF's readers do: of a byte, every value may be meant.
  if (packing.missing.empty() && size_of(variable.type) > 1) packing.missing.push_back(default_fill(variable.type));
  take_missing(variable, "missing_value", packing);
  return packing;
}

std::optional<double> unpacked(const Packing& packing, Type type, const Element& value) {
  std::optional<double> number;
  with_number(packing.is_unsigned ? unsigned_of(type) : type, [&](auto kind) {
    const auto stored = loaded<decltype(kind)>(value.data());
    if (is_missing(packing, stored))
      number = std::numeric_limits<double>::quiet_NaN();
    else if (packing.changes_values())
      number = static_cast<double>(stored) * packing.scale.value_or(1.0) + packing.offset.value_or(0.0);
    else
      number = static_cast<double>(stored);
  });
  return number;
}

}  // namespace thalweg::catalog
