#include "base/numbers.hpp"
#include "catalog/definition.hpp"
#include "formats/zarr/chunk_reader.hpp"
#include "formats/zarr/readable.hpp"
#include "formats/zarr/store_metadata.hpp"
#include "formats/zarr/stored_array.hpp"

namespace thalweg::formats::zarr {

FoundRecords first_in_zarr(const std::string& path) {
  const StoreMetadata metadata = read_store_metadata(path);
  require_version_3(metadata);
  const Json& arrays = metadata.arrays;
  const std::string dimension = record_dimension_of(arrays);
  FoundRecords found{.has_records = true};
  if (dimension.empty()) return found;
  const StoredArray time = stored_array(dimension, arrays.at(dimension));
  if (time.grid.shape[0] == 0) return {};
  KeptChunks none;
  const KeptChunks::Values values = ChunkReader(path, none).read(time, Index::filled(time.grid.shape.rank(), 0), false);
  const auto value = values ? number_of(time.type, *values) : std::nullopt;
  const auto text = [&](const char* name) {
    const catalog::Attribute* attribute = catalog::find(time.attributes, name);
    return attribute == nullptr ? "" : attribute->text;
  };
  if (value) found.first = RecordTime{*value, text("units"), text("calendar")};
  return found;
}

}  // namespace thalweg::formats::zarr
