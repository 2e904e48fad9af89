#include "formats/zarr/read_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace thalweg::formats::zarr {
namespace {

using catalog::Attribute;

// These have the type of their variable. (source: CF conventions 1.8, appendix A)
constexpr std::array as_variable = {"_FillValue",  "missing_value", "valid_min", "valid_max",
                                    "valid_range", "flag_values",   "flag_masks"};

template <typename T>
void append(std::vector<std::byte>& bytes, T value) {
  const auto raw = std::as_bytes(std::span(&value, 1));
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

template <typename T>
bool append_integer(std::vector<std::byte>& bytes, const Json& value) {
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max())
                        : value.is_number_integer() && std::in_range<T>(value.get<std::int64_t>());
  if (fits) append(bytes, value.get<T>());
  return fits;
}

std::optional<double> number_in(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<double>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

template <typename T>
bool append_floating(std::vector<std::byte>& bytes, const Json& value) {
  const auto number = number_in(value);
  if (number) append(bytes, static_cast<T>(*number));
  return number.has_value();
}

// Whether the value is one of that type.
bool append_number(std::vector<std::byte>& bytes, const Json& value, Type type) {
  switch (type) {
    case Type::int8: return append_integer<std::int8_t>(bytes, value);
    case Type::int16: return append_integer<std::int16_t>(bytes, value);
    case Type::int32: return append_integer<std::int32_t>(bytes, value);
    case Type::int64: return append_integer<std::int64_t>(bytes, value);
    case Type::uint8: return append_integer<std::uint8_t>(bytes, value);
    case Type::uint16: return append_integer<std::uint16_t>(bytes, value);
    case Type::uint32: return append_integer<std::uint32_t>(bytes, value);
    case Type::uint64: return append_integer<std::uint64_t>(bytes, value);
    case Type::float32: return append_floating<float>(bytes, value);
    case Type::float64: return append_floating<double>(bytes, value);
    case Type::character: return false;
  }
  return false;
}

std::optional<std::vector<std::byte>> numbers_of(const Json& values, Type type) {
  std::vector<std::byte> bytes;
  if (!values.is_array()) return append_number(bytes, values, type) ? std::optional(bytes) : std::nullopt;
  for (const Json& value : values)
    if (!append_number(bytes, value, type)) return std::nullopt;
  return bytes;
}

// Nothing: it is none.
std::optional<std::string> bytes_of_base64(std::string_view text) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char letter : text) {
    const std::size_t six = letters.find(letter);
    if (six == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<unsigned>(six);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xffU);
  }
  return bytes;
}

// xarray's base64 of a float64. Nothing: it is a text of another kind.
std::optional<std::vector<std::byte>> base64_fill(const Json& value, Type type) {
  const auto bytes = value.is_string() ? bytes_of_base64(value.get<std::string>()) : std::nullopt;
  double number = 0.0;
  if (!is_floating(type) || !bytes || bytes->size() != sizeof number) return std::nullopt;
  std::memcpy(&number, bytes->data(), sizeof number);
  std::vector<std::byte> values;
  if (type == Type::float32)
    append(values, static_cast<float>(number));
  else
    append(values, number);
  return values;
}

Attribute attribute_in(const std::string& name, const Json& value) {
  for (const Type type : {Type::int32, Type::int64, Type::uint64, Type::float64})
    if (auto numbers = numbers_of(value, type)) return catalog::attribute_of(name, type, *numbers);
  return catalog::text_attribute(name, value.is_string() ? value.get<std::string>() : value.dump());
}

Attribute attribute_in_array(const std::string& name, const Json& value, Type type) {
  if (std::ranges::find(as_variable, name) == as_variable.end()) return attribute_in(name, value);
  if (const auto fill = base64_fill(value, type); fill && name == "_FillValue")
    return catalog::attribute_of(name, type, *fill);
  if (const auto numbers = numbers_of(value, type)) return catalog::attribute_of(name, type, *numbers);
  return attribute_in(name, value);
}

// "0x7fc00abc", most significant first.
template <typename Word>
std::optional<Element> element_of_bits(const std::string& text) {
  Word bits = 0;
  if (text.size() != 2 + 2 * sizeof bits || !text.starts_with("0x")) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return element_of(bits);
}

std::optional<Element> element_in(const Json& value, Type type) {
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    if (type == Type::character) {
      const auto bytes = bytes_of_base64(text);
      if (!bytes || bytes->size() > 1) return std::nullopt;
      return element_of(bytes->empty() ? '\0' : bytes->front());
    }
    const auto bits =
        type == Type::float32 ? element_of_bits<std::uint32_t>(text) : element_of_bits<std::uint64_t>(text);
    if (bits && is_floating(type)) return bits;
  }
  const auto bytes = value.is_array() ? std::nullopt : numbers_of(value, type);
  if (!bytes) return std::nullopt;
  Element element{};
  std::ranges::copy(*bytes, element.begin());
  return element;
}

}  // namespace

std::optional<Type> type_of(const Json& data_type) {
  for (int t = THALWEG_INT8; t <= THALWEG_CHAR; ++t)
    if (zarr_data_type(static_cast<Type>(t)) == data_type) return static_cast<Type>(t);
  return std::nullopt;
}

Element fill_value_of(const Json& value, Type type) {
  const auto element = element_in(value, type);
  if (!element) fail(THALWEG_ERROR_FORMAT, "its fill value {} is none of type {}", value.dump(), name_of(type));
  return *element;
}

std::vector<Attribute> attributes_of(const Json& attributes) {
  std::vector<Attribute> read;
  for (const auto& [name, value] : attributes.items()) read.push_back(attribute_in(name, value));
  return read;
}

std::vector<Attribute> attributes_of_array(const Json& attributes, Type type, const Json& fill_value) {
  std::vector<Attribute> read;
  for (const auto& [name, value] : attributes.items()) read.push_back(attribute_in_array(name, value, type));
  if (type != Type::character) return read;
  if (const Element fill = fill_value_of(fill_value, type); fill != default_fill(type))
    read.push_back(catalog::attribute_of("_FillValue", type, std::span(fill).first(size_of(type))));
  return read;
}

}  // namespace thalweg::formats::zarr
