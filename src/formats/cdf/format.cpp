#include "formats/cdf/format.hpp"

#include "formats/cdf/file.hpp"
#include "formats/cdf/header.hpp"
#include "formats/cdf/limits.hpp"

namespace thalweg::formats::cdf {
namespace {

constexpr config::FormatLibrary pnetcdf = {.name = "PnetCDF"};

constexpr FormatLimits classic = {.is_classic = true, .dimension = std::numeric_limits<std::int32_t>::max()};

// What differs between the versions is the width of numbers in the header, and what follows from it.
template <int count_bytes>
std::int64_t bytes_in_header(const catalog::Attribute& attribute) {
  return cdf_attribute_bytes(attribute, count_bytes);
}

constexpr FormatRow row(std::string_view name, std::string_view magic) {
  return {.description =
              {.name = name, .files = "CDF files", .magic = magic, .traits = {.big_endian = true}, .library = &pnetcdf},
          .header_bytes = bytes_in_header<4>,
          .create = create_cdf,
          .create_result = create_result_cdf,
          .open = open_readable_cdf,
          .length = length_of_cdf,
          .first_record = first_in_cdf,
          .recover = recover_cdf};
}

constexpr FormatRow small_row(std::string_view name, std::string_view magic) {
  FormatRow made = row(name, magic);
  made.limits = classic;
  made.check_extents = check_classic_sizes;
  return made;
}

}  // namespace

constinit const FormatRow cdf1 = [] {
  FormatRow made = small_row("cdf1", "CDF\1");
  made.description.kind = "a netCDF classic (CDF-1, 2, 5) file";
  return made;
}();

constinit const FormatRow cdf2 = small_row("cdf2", "CDF\2");

constinit const FormatRow cdf5 = [] {
  FormatRow made = row("cdf5", "CDF\5");
  made.header_bytes = bytes_in_header<8>;
  return made;
}();

}  // namespace thalweg::formats::cdf
