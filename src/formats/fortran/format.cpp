#include "formats/fortran/format.hpp"

#include <bit>
#include <filesystem>

#include "formats/fortran/file.hpp"
#include "storage/journal.hpp"

namespace thalweg::formats::fortran {

// Nothing in a file tells it from others: what is known is one that a killed run has left a journal beside.
constinit const FormatRow fortran = {
    .description = {.name = "fortran",
                    .files = "Fortran files",
                    .kind = "Fortran unformatted with committed records, beside which its '.journal' would lie",
                    .traits = {.big_endian = std::endian::native == std::endian::big, .describes = false},
                    .no_sets = "a Fortran file cannot say which part of the whole it holds; set format: netcdf4 or "
                               "cdf5, or pattern: shared",
                    .no_checksum_attributes = "Fortran files have no attributes; set format: netcdf4 or cdf5",
                    .no_continuing = "nothing in a Fortran file says when its records were; set format: netcdf4 or "
                                     "cdf5"},
    .check_extents = check_fortran_arrays,
    .create = create_fortran,
    .recognises = [](const FoundPath& found) { return std::filesystem::exists(storage::journal_path(found.path)); },
    .recover = [](const std::string& path, bool /*had_owner*/) { return recover_fortran(path); }};

}  // namespace thalweg::formats::fortran
