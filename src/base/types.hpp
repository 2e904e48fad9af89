// Element types: their sizes, names and netCDF default fill values. (source of the fill values: netcdf.h, NC_FILL_*)
// What a format or a library calls a type is a table in the file that knows it, in the order of these numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/error.hpp"

namespace thalweg {

enum class Type : std::uint8_t {
  int8 = THALWEG_INT8,
  int16 = THALWEG_INT16,
  int32 = THALWEG_INT32,
  int64 = THALWEG_INT64,
  uint8 = THALWEG_UINT8,
  uint16 = THALWEG_UINT16,
  uint32 = THALWEG_UINT32,
  uint64 = THALWEG_UINT64,
  float32 = THALWEG_FLOAT32,
  float64 = THALWEG_FLOAT64,
  character = THALWEG_CHAR,  // a byte of text, no number
};

constexpr std::size_t size_of(Type type) {
  constexpr std::array<std::size_t, 12> sizes = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1};
  return sizes[static_cast<std::size_t>(type)];
}

constexpr std::string_view name_of(Type type) {
  constexpr std::array<std::string_view, 12> names = {"?",      "int8",   "int16",  "int32",   "int64",   "uint8",
                                                      "uint16", "uint32", "uint64", "float32", "float64", "char"};
  return names[static_cast<std::size_t>(type)];
}

constexpr bool is_unsigned(Type type) {
  return type >= Type::uint8 && type <= Type::uint64;
}

constexpr bool is_real(Type type) {
  return type == Type::float32 || type == Type::float64;
}

// Fortran has no unsigned kinds, so its integers may be put into unsigned variables of the same size, bits as they are.
constexpr Type as_stored(Type memory, Type file) {
  const bool is_signed = memory >= Type::int8 && memory <= Type::int64;
  return is_unsigned(file) && is_signed && size_of(memory) == size_of(file) ? file : memory;
}

// Checks a type that came through the C interface.
inline Type checked_type(int type) {
  if (type < THALWEG_INT8 || type > THALWEG_CHAR)
    fail(THALWEG_ERROR_ARGUMENT, "type {} is none of THALWEG_INT8 (1) to THALWEG_CHAR (11)", type);
  return static_cast<Type>(type);
}

// One element's bits in host order, as many of the first bytes as the type has.
using Element = std::array<std::byte, 8>;

template <typename T>
Element element_of(T value) {
  Element element{};
  std::memcpy(element.data(), &value, sizeof value);
  return element;
}

inline Element default_fill(Type type) {
  switch (type) {
    case Type::int8: return element_of(std::int8_t{-127});
    case Type::int16: return element_of(std::int16_t{-32767});
    case Type::int32: return element_of(std::int32_t{-2147483647});
    case Type::int64: return element_of(std::int64_t{-9223372036854775806LL});
    case Type::uint8: return element_of(std::uint8_t{255});
    case Type::uint16: return element_of(std::uint16_t{65535});
    case Type::uint32: return element_of(std::uint32_t{4294967295U});
    case Type::uint64: return element_of(std::uint64_t{18446744073709551614ULL});
    case Type::float32: return element_of(9.9692099683868690e+36F);
    case Type::float64: return element_of(9.9692099683868690e+36);
    case Type::character: return element_of('\0');
  }
  return {};
}

}  // namespace thalweg
