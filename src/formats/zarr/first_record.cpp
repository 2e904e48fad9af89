#include <array>
#include <bit>

#include "base/element_bits.hpp"
#include "formats/first_record.hpp"
#include "formats/zarr/store.hpp"
#include "formats/zarr/values.hpp"
#include "storage/read_text.hpp"

namespace thalweg::formats::zarr {
namespace {

// The first bytes of a chunk that is stored as it is.
bool read_chunk_begin(const std::string& path, std::span<std::byte> bytes) {
  return storage::read_all(storage::open_file(path, O_RDONLY), path, 0, bytes) == std::ssize(bytes);
}

std::optional<Type> type_of(const std::string& name) {
  for (const Type type : {Type::float64, Type::float32, Type::int64, Type::int32})
    if (name_of(type) == name) return type;
  return std::nullopt;
}

std::optional<double> first_of_array(const std::string& folder, const Json& array) {
  const auto type = type_of(array.at("data_type"));
  for (const Json& codec : array.at("codecs"))
    if (codec.at("name") != "bytes" && codec.at("name") != "crc32c") return std::nullopt;
  std::array<std::byte, 8> bytes{};
  if (!type || !read_chunk_begin(folder + "/c/0", std::span(bytes).first(size_of(*type)))) return std::nullopt;
  if constexpr (std::endian::native != std::endian::little) swap_bytes(bytes, size_of(*type));
  return number_of(*type, bytes);
}

}  // namespace

// The time coordinate is the array along its own dimension whose units are since a date.
FoundRecords first_in_zarr(const std::string& path) {
  const Json root = Json::parse(storage::read_text(path + "/" + zarr_json));
  for (const auto& [name, array] : root.at("consolidated_metadata").at("metadata").items()) {
    const Json attributes = array.value("attributes", Json::object());
    const std::string units = attributes.value("units", "");
    if (array.value("dimension_names", Json::array()) != Json::array({name}) || !parse_time_units(units)) continue;
    if (array.at("shape").at(0).get<std::int64_t>() == 0) return {};
    FoundRecords found{.has_records = true};
    if (const auto value = first_of_array(path + "/" + name, array))
      found.first = RecordTime{*value, units, attributes.value("calendar", "")};
    return found;
  }
  return {.has_records = true};
}

}  // namespace thalweg::formats::zarr
