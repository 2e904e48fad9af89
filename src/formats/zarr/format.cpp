#include "formats/zarr/format.hpp"

#include "formats/zarr/readable.hpp"
#include "formats/zarr/store.hpp"

namespace thalweg::formats::zarr {
namespace {

constexpr std::int64_t most_of_blosc = 715827542;  // (source: c-blosc, blosc.h, BLOSC_MAX_BLOCKSIZE)

}  // namespace

constinit const FormatRow zarr = {
    .description = {.name = "zarr",
                    .files = "Zarr",
                    .kind = "the folder of a Zarr store",
                    .root = zarr_json,
                    .ending = ".zarr",
                    .traits = {.chunks = {.filters = config::ChunkFilters::zarr, .sums_by_default = true},
                               .objects = true,
                               .shards = true},
                    .no_sets = "a Zarr store is a folder of separate objects already, which any number of writers fill "
                               "side by side; set pattern: shared"},
    .limits = {.shuffled_chunk_bytes = most_of_blosc},
    .create = create_zarr,
    .objects = [](const catalog::Definition& definition) -> std::shared_ptr<const block::ObjectLayout> {
      return std::make_shared<const ZarrFile>(definition);
    },
    .require_alone = require_zarr_alone,
    .recognises = [](const FoundPath& found) { return found.is_folder; },
    .open = open_readable_zarr,
    .attributes_read = attributes_read_in_zarr,
    .first_record = first_in_zarr,
    .recover = [](const std::string& path, bool /*had_owner*/) { return recover_zarr(path); }};

}  // namespace thalweg::formats::zarr
