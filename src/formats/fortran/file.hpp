// Fortran unformatted sequential files: the arrays as they are, each between two markers with its length. First the
// variables without records, then for each record the others, all in the order of their definition. Names, dimensions
// and attributes are not in the file. docs/formats/fortran.md describes it byte by byte.
#pragma once

#include <memory>
#include <string>

#include "formats/format_file.hpp"

namespace thalweg::formats::fortran {

// Compilers split what is longer into subrecords, whose markers would lie inside of the array.
constexpr std::int64_t fortran_record_limit_bytes = 2147483639;

// Errors: FORMAT, for arrays that are longer.
void check_fortran_arrays(const catalog::Definition& definition);

std::unique_ptr<FormatFile> create_fortran(const std::string& path, const catalog::Definition& definition,
                                           config::Durability durability);

// Recovers a file that has the journal of its first commit beside it; removes the journal. Errors: STORAGE, FORMAT.
std::int64_t recover_fortran(const std::string& path);

}  // namespace thalweg::formats::fortran
