// What can be done to the bytes of a chunk, as far as the configuration asks for it. Each filter describes itself in
// its own row (transform/filter.hpp).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "config/row.hpp"

namespace thalweg::config {

// In whose words chunks say what was done to them; none: there are no chunks.
enum class ChunkFilters { none, hdf5, zarr };

// How a format has its chunks encoded.
struct ChunkRules {
  ChunkFilters filters = ChunkFilters::none;
  bool shuffles_alone = false;   // bytes are shuffled also where no codec follows
  bool sums_by_default = false;  // chunks have a checksum unless told otherwise
  bool skips_codec = false;      // a codec that gains nothing is left out

  constexpr bool has_chunks() const { return filters != ChunkFilters::none; }
};

// From the fastest to the smallest result, and what is taken where nothing is said.
struct Levels {
  int least = 0;
  int most = 0;
  int usual = 0;
};

struct FilterDescription {
  std::string_view name;
  Levels levels{};
  unsigned hdf5_filter = 0;  // its number among HDF5's filters; 0: it is none
  bool is_in_hdf5 = false;   // else readers need a plug-in
  std::string_view zarr{};   // its name among Zarr's codecs; empty: it is none
  std::string_view blosc{};  // and within Zarr's container for what was shuffled
  std::uint8_t blosc_code = 0;

  constexpr bool is_in(ChunkFilters of) const {
    return of == ChunkFilters::hdf5 ? hdf5_filter != 0 : of == ChunkFilters::zarr && !zarr.empty();
  }
};

// A codec, or none.
using Codec = Row<FilterDescription>;

// All there are, in the order of the reference. What it gives is that of the rows (transform/filter.cpp), so that a new
// codec is no change here.
const std::vector<Codec>& codecs();

// "none" is none. Errors: INTERNAL if there is none of that name.
Codec codec_named(std::string_view name);

}  // namespace thalweg::config
