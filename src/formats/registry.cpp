#include "formats/registry.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "formats/callback/format.hpp"
#include "formats/cdf/format.hpp"
#include "formats/fortran/format.hpp"
#include "formats/netcdf4/format.hpp"
#include "formats/placed/format.hpp"
#include "formats/zarr/format.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats {
namespace {

bool is_of(const FormatRow& row, const FoundPath& found) {
  if (row.recognises != nullptr) return row.recognises(found);
  return !found.is_folder && !row.description.magic.empty() && found.begin.begins_with(row.description.magic);
}

}  // namespace

const std::vector<const FormatRow*>& format_rows() {
  static const std::vector<const FormatRow*> rows = {&formats::cdf::cdf1,
                                                     &formats::cdf::cdf2,
                                                     &formats::cdf::cdf5,
                                                     &formats::netcdf4::netcdf4,
                                                     &formats::netcdf4::netcdf4_classic,
                                                     &formats::zarr::zarr,
                                                     &formats::fortran::fortran,
                                                     &formats::callback::user,
                                                     &formats::placed::placed};
  return rows;
}

const FormatRow& row_of(config::Format format) {
  for (const FormatRow* row : format_rows())
    if (&row->description == &*format) return *row;
  fail(THALWEG_ERROR_INTERNAL, "format '{}' has no row", format->name);
}

std::int64_t header_bytes(config::Format format, const catalog::Attribute& attribute) {
  const auto bytes_of = row_of(format).header_bytes;
  return bytes_of == nullptr ? 0 : bytes_of(attribute);
}

const FormatRow* row_at(const std::string& path, int open_flags) {
  FoundPath found{.path = path, .is_folder = storage::is_folder(path), .begin = {}};
  if (!found.is_folder) found.begin = storage::first_bytes(storage::open_file(path, open_flags), path);
  const auto row = std::ranges::find_if(format_rows(), [&](const FormatRow* of) { return is_of(*of, found); });
  return row == format_rows().end() ? nullptr : *row;
}

std::string kinds_where(bool (*is_true)(const FormatRow& row)) {
  std::vector<std::string_view> kinds;
  for (const FormatRow* row : format_rows())
    if (!row->description.kind.empty() && is_true(*row)) kinds.push_back(row->description.kind);
  return fmt::format("{}", fmt::join(kinds, " nor "));
}

}  // namespace thalweg::formats

namespace thalweg::config {

const std::vector<Format>& formats() {
  static const std::vector<Format> all = [] {
    std::vector<Format> described;
    for (const formats::FormatRow* row : formats::format_rows())
      if (!row->description.traits.is_placed()) described.emplace_back(row->description);
    return described;
  }();
  return all;
}

Format format_named(std::string_view name) {
  for (const Format format : formats())
    if (format->name == name) return format;
  fail(THALWEG_ERROR_INTERNAL, "there is no format '{}'", name);
}

Format::Format() : Format(format_named(default_format)) {}

}  // namespace thalweg::config
