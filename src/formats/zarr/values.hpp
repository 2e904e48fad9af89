// Values of attributes and fill values as Zarr v3 and its readers want them in JSON.
//
// JSON has no NaN and no infinities. Where Zarr v3 says what to write instead (fill_value), that is written. Attributes
// are free: here they get the same words, as text, because readers in C++ refuse a file with the bare word NaN that
// Python writes. `_FillValue` is encoded as xarray wants it: base64 of a little-endian float64 for floating-point
// types.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "catalog/definition.hpp"

namespace thalweg::formats::zarr {

using Json = nlohmann::ordered_json;

// Without the name that the library has for the error: "key 'zarr_format' not found".
inline std::string words_of(const Json::exception& error) {
  const std::string text = error.what();
  return text.starts_with('[') ? text.substr(std::min(text.find("] "), text.size() - 2) + 2) : text;
}

// As version 3 says which codec, grid or encoding something has.
inline Json named(const char* name, Json configuration) {
  return {{"name", name}, {"configuration", std::move(configuration)}};
}

constexpr bool is_floating(Type type) {
  return type == Type::float32 || type == Type::float64;
}

// A text that JSON can hold: what is not UTF-8 is taken as Latin-1.
std::string as_utf8(const std::string& text);
bool is_utf8(const std::string& text);

// The `attributes` object of a group, and of an array.
Json zarr_attributes(const std::vector<catalog::Attribute>& attributes);
Json zarr_attributes_of(const catalog::Variable& variable);

// The `data_type` of an array. Zarr v3 has no type of characters in its core: they get the extension that zarr-python
// and xarray write and read, the fixed-length byte string.
Json zarr_data_type(Type type);

// The `fill_value` of an array: what a chunk that was never written reads as. That is the variable's `_FillValue`, or
// the netCDF default of its type, so that it is the same in all formats.
Json zarr_fill_value(const catalog::Variable& variable);

}  // namespace thalweg::formats::zarr
