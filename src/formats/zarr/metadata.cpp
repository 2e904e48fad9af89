#include "formats/zarr/metadata.hpp"

#include <string_view>

#include "base/error.hpp"
#include "formats/zarr/values.hpp"
#include "transform/chain.hpp"

namespace thalweg::formats::zarr {
namespace {

using catalog::Definition;
using catalog::Variable;

// Stands in place of the number of records. Nothing but `shape` is written like this: texts have their quotes escaped,
// and an attribute is an array of numbers or a single text.
constexpr std::string_view records_word = "records";
constexpr std::string_view shape_with_records = R"("shape":["records")";

GrowingText growing(const Json& json) {
  const std::string text = json.dump();
  std::vector<std::string> parts;
  std::size_t begin = 0;
  const std::size_t kept = shape_with_records.size() - records_word.size() - 2;  // up to and with the bracket
  for (std::size_t found = text.find(shape_with_records); found != std::string::npos;
       found = text.find(shape_with_records, begin)) {
    parts.push_back(text.substr(begin, found + kept - begin));
    begin = found + shape_with_records.size();
  }
  parts.push_back(text.substr(begin));
  return GrowingText(std::move(parts));
}

Json extents(const Index& index) {
  return Json(std::vector<std::int64_t>(index.begin(), index.end()));
}

Json bytes_codec(Type type) {
  return size_of(type) == 1 ? Json{{"name", "bytes"}} : named("bytes", {{"endian", "little"}});
}

Json chunk_codecs(const Definition& definition, const Variable& variable) {
  Json codecs = Json::array({bytes_codec(variable.type)});
  for (const transform::Step& step :
       transform::chain_of(variable.encoding, variable.type, definition.format->traits.chunks))
    if (step.filter->zarr_json != nullptr) codecs.push_back(Json::parse(step.filter->zarr_json(step.call)));
  return codecs;
}

Json codecs_of(const Definition& definition, const Variable& variable, const block::ObjectGrid& grid) {
  if (!variable.shard) return chunk_codecs(definition, variable);
  const Json index_codecs = Json::array({bytes_codec(Type::uint64), Json{{"name", "crc32c"}}});
  return Json::array({named("sharding_indexed", {{"chunk_shape", extents(grid.chunk)},
                                                 {"codecs", chunk_codecs(definition, variable)},
                                                 {"index_codecs", index_codecs},
                                                 {"index_location", "end"}})});
}

Json dimension_names(const Definition& definition, const Variable& variable) {
  Json names = Json::array();
  if (variable.has_record) names.push_back(definition.record_dimension);
  for (const int d : variable.dimensions) names.push_back(definition.dimensions[static_cast<std::size_t>(d)].name);
  return names;
}

Json array_json(const Definition& definition, const Variable& variable) {
  const block::ObjectGrid grid = zarr_grid(definition, variable);
  Json json;
  json["zarr_format"] = 3;
  json["node_type"] = "array";
  json["shape"] = extents(grid.shape);
  if (grid.has_record) json["shape"][0] = records_word;
  json["data_type"] = zarr_data_type(variable.type);
  json["chunk_grid"] = named("regular", {{"chunk_shape", extents(grid.object)}});
  json["chunk_key_encoding"] = named("default", {{"separator", "/"}});
  json["fill_value"] = zarr_fill_value(variable);
  json["codecs"] = codecs_of(definition, variable, grid);
  if (grid.shape.rank() > 0) json["dimension_names"] = dimension_names(definition, variable);
  json["attributes"] = zarr_attributes_of(variable);
  json["storage_transformers"] = Json::array();
  return json;
}

// A name becomes a folder of the store, beside the objects that Thalweg itself puts there.
void check_name(const std::string& name) {
  const bool only_periods = name.find_first_not_of('.') == std::string::npos;
  if (only_periods || name.find('/') != std::string::npos || name.starts_with("__") || name.starts_with("zarr.json") ||
      name.starts_with("thalweg.json") || !is_utf8(name))
    fail(THALWEG_ERROR_FORMAT,
         "variable '{}' cannot have this name in a Zarr store: it must be UTF-8 without '/', not be made of periods "
         "alone, and not start with '__', 'zarr.json' or 'thalweg.json'; rename it, or set format: netcdf4",
         name);
}

void check_extent(const Variable& variable, std::int64_t chunk, std::int64_t shard) {
  if (chunk < 1 || shard < 1)
    fail(THALWEG_ERROR_FORMAT,
         "variable '{}': a chunk {} of {} records, with {} of them in a shard, is empty; extents are at least 1",
         variable.name, to_string(variable.chunk), variable.chunk_records, shard);
}

void check_variable(const Variable& variable) {
  check_name(variable.name);
  const int rank = static_cast<int>(variable.dimensions.size());
  const bool has_chunk = variable.chunk.rank() > 0;
  if ((has_chunk && variable.chunk.rank() != rank) || (variable.shard && variable.shard->rank() != rank))
    fail(THALWEG_ERROR_INTERNAL, "variable '{}' has {} dimensions, and a chunk or a shard of another number",
         variable.name, rank);
  check_extent(variable, variable.chunk_records, 1);
  for (int d = 0; d < rank; ++d)
    check_extent(variable, has_chunk ? variable.chunk[d] : 1, variable.shard ? (*variable.shard)[d] : 1);
}

}  // namespace

std::string GrowingText::at(std::int64_t records) const {
  return fmt::format("{}", fmt::join(parts_, std::to_string(records)));
}

ZarrMetadata zarr_metadata(const Definition& definition) {
  std::vector<GrowingText> arrays;
  Json consolidated = Json::object();
  for (const Variable& variable : definition.variables) {
    check_variable(variable);
    Json array = array_json(definition, variable);
    arrays.push_back(growing(array));
    consolidated[variable.name] = std::move(array);
  }
  Json root;
  root["zarr_format"] = 3;
  root["node_type"] = "group";
  root["attributes"] = zarr_attributes(definition.attributes);
  root["consolidated_metadata"] = {{"kind", "inline"}, {"must_understand", false}, {"metadata", consolidated}};
  return {growing(root), std::move(arrays)};
}

}  // namespace thalweg::formats::zarr
