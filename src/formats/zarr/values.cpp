#include "formats/zarr/values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace thalweg::formats::zarr {
namespace {

using catalog::Attribute;

template <typename T>
T read_as(const std::byte* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

Json number(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "Infinity" : "-Infinity";
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = i; k < i + 3; ++k) three = three << 8 | (k < bytes.size() ? std::uint8_t(bytes[k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? letters[three >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

// As zarr-python writes its type null_terminated_bytes, in which the character 0 is nothing.
Json character(const std::byte* place) {
  const char value = read_as<char>(place);
  return base64(std::string_view(&value, value == '\0' ? 0 : 1));
}

Json number(Type type, const std::byte* place) {
  switch (type) {
    case Type::int8: return read_as<std::int8_t>(place);
    case Type::int16: return read_as<std::int16_t>(place);
    case Type::int32: return read_as<std::int32_t>(place);
    case Type::int64: return read_as<std::int64_t>(place);
    case Type::uint8: return read_as<std::uint8_t>(place);
    case Type::uint16: return read_as<std::uint16_t>(place);
    case Type::uint32: return read_as<std::uint32_t>(place);
    case Type::uint64: return read_as<std::uint64_t>(place);
    case Type::float32: return number(static_cast<double>(read_as<float>(place)));
    case Type::float64: return number(read_as<double>(place));
    case Type::character: return character(place);
  }
  return {};
}

std::string base64_of_float64(double value) {
  auto bits = std::bit_cast<std::uint64_t>(value);
  std::string bytes;
  for (int i = 0; i < 8; ++i, bits >>= 8) bytes += static_cast<char>(bits & 0xffU);
  return base64(bytes);
}

double floating(Type type, const std::byte* place) {
  return type == Type::float32 ? static_cast<double>(read_as<float>(place)) : read_as<double>(place);
}

Json value_of(const Attribute& attribute) {
  if (!attribute.type) return as_utf8(attribute.text);
  const Type type = *attribute.type;
  const std::size_t count = attribute.values.size() / size_of(type);
  if (attribute.name == "_FillValue" && count == 1 && is_floating(type))
    return base64_of_float64(floating(type, attribute.values.data()));
  Json values = Json::array();
  for (std::size_t i = 0; i < count; ++i) values.push_back(number(type, attribute.values.data() + i * size_of(type)));
  return count == 1 ? values[0] : values;
}

// A NaN whose bits are not those that Zarr's word "NaN" stands for is written bit by bit, most significant first.
Json fill_of(Type type, const std::byte* place) {
  if (type == Type::float32 && std::isnan(read_as<float>(place)))
    if (const auto bits = read_as<std::uint32_t>(place); bits != 0x7fc00000U) return fmt::format("0x{:08x}", bits);
  if (type == Type::float64 && std::isnan(read_as<double>(place)))
    if (const auto bits = read_as<std::uint64_t>(place); bits != 0x7ff8000000000000U)
      return fmt::format("0x{:016x}", bits);
  return number(type, place);
}

}  // namespace

bool is_utf8(const std::string& text) {
  try {
    Json(text).dump();
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

std::string as_utf8(const std::string& text) {
  if (is_utf8(text)) return text;
  std::string result;
  for (const char c : text) {
    const auto code = static_cast<std::uint8_t>(c);
    if (code < 0x80) {
      result += c;
    } else {
      result += static_cast<char>(0xc0U | code >> 6);
      result += static_cast<char>(0x80U | (code & 0x3fU));
    }
  }
  return result;
}

Json zarr_attributes(const std::vector<Attribute>& attributes) {
  Json object = Json::object();
  for (const Attribute& attribute : attributes) object[as_utf8(attribute.name)] = value_of(attribute);
  return object;
}

// xarray cannot open a store in which _FillValue is said of characters; fill_value says it.
Json zarr_attributes_of(const catalog::Variable& variable) {
  Json attributes = zarr_attributes(variable.attributes);
  if (variable.type == Type::character) attributes.erase("_FillValue");
  return attributes;
}

Json zarr_data_type(Type type) {
  if (type != Type::character) return name_of(type);
  return {{"name", "null_terminated_bytes"}, {"configuration", {{"length_bytes", 1}}}};
}

Json zarr_fill_value(const catalog::Variable& variable) {
  return fill_of(variable.type, catalog::fill_of(variable).data());
}

}  // namespace thalweg::formats::zarr
