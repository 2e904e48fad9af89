#include "formats/zarr/version_2.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace thalweg::formats::zarr {
namespace {

constexpr const char* dimensions_word = "_ARRAY_DIMENSIONS";

// NumPy's letters for them, behind the byte order.
constexpr std::array<std::pair<std::string_view, Type>, 11> types = {{{"i1", Type::int8},
                                                                      {"i2", Type::int16},
                                                                      {"i4", Type::int32},
                                                                      {"i8", Type::int64},
                                                                      {"u1", Type::uint8},
                                                                      {"u2", Type::uint16},
                                                                      {"u4", Type::uint32},
                                                                      {"u8", Type::uint64},
                                                                      {"f4", Type::float32},
                                                                      {"f8", Type::float64},
                                                                      {"S1", Type::character}}};

Json data_type(const Json& dtype) {
  const std::string text = dtype.is_string() ? dtype.get<std::string>() : "";
  for (const auto& [letters, type] : types)
    if (!text.empty() && std::string_view(text).substr(1) == letters) return zarr_data_type(type);
  return dtype;
}

Json codec_of(Json numcodec) {
  const std::string id = numcodec.at("id");
  numcodec.erase("id");
  return named(("numcodecs." + id).c_str(), std::move(numcodec));
}

Json codecs_of(const Json& zarray) {
  Json codecs = Json::array();
  const std::size_t rank = zarray.at("shape").size();
  if (zarray.value("order", "C") == "F" && rank > 1) {
    Json order = Json::array();
    for (std::size_t d = rank; d-- > 0;) order.push_back(d);
    codecs.push_back(named("transpose", {{"order", order}}));
  }
  const Json& dtype = zarray.at("dtype");
  const bool is_big = dtype.is_string() && dtype.get<std::string>().starts_with(">");
  codecs.push_back(named("bytes", {{"endian", is_big ? "big" : "little"}}));
  if (const Json filters = zarray.value("filters", Json()); filters.is_array())
    for (const Json& filter : filters) codecs.push_back(codec_of(filter));
  if (const Json compressor = zarray.value("compressor", Json()); !compressor.is_null())
    codecs.push_back(codec_of(compressor));
  return codecs;
}

// What was never written has no value that anybody said; zarr-python gives zeros.
Json fill_value_of(const Json& said, const Json& type) {
  if (!said.is_null()) return said;
  return type == zarr_data_type(Type::character) ? Json("") : Json(0);
}

}  // namespace

Json attributes_of_version_2(const Json& zattrs) {
  Json attributes = Json::object();
  for (const auto& [name, value] : zattrs.items()) {
    const bool is_of_library = name == dimensions_word || name.starts_with("_nczarr") || name.starts_with("_NCZARR");
    if (!is_of_library) attributes[name] = value;
  }
  return attributes;
}

Json array_of_version_2(const Json& zarray, const Json& zattrs) {
  const Json said = zarray.value("fill_value", Json());
  Json array;
  array["zarr_format"] = 3;
  array["node_type"] = "array";
  array["shape"] = zarray.at("shape");
  array["data_type"] = data_type(zarray.at("dtype"));
  array["chunk_grid"] = named("regular", {{"chunk_shape", zarray.at("chunks")}});
  array["chunk_key_encoding"] = named("v2", {{"separator", zarray.value("dimension_separator", ".")}});
  array["fill_value"] = fill_value_of(said, array["data_type"]);
  array["codecs"] = codecs_of(zarray);
  if (zattrs.contains(dimensions_word)) array["dimension_names"] = zattrs.at(dimensions_word);
  array["attributes"] = attributes_of_version_2(zattrs);
  // As xarray and netCDF-C have it. (Characters have it from the fill value in either version.)
  if (!said.is_null() && array["data_type"].is_string()) array["attributes"]["_FillValue"] = said;
  return array;
}

}  // namespace thalweg::formats::zarr
