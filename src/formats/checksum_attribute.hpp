// The attribute `checksum` of FMS's restarts: the sums of a complete file in the form that FMS compares.
// docs/formats/checksums.md says what is known of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "block/record_sums.hpp"
#include "catalog/definition.hpp"

namespace thalweg::formats {

// As FMS writes a sum: 16 places, capitals, blanks in front. Its readers compare texts, without blanks but with zeros.
std::string checksum_text(std::uint64_t sum);

// Gives those variables that take one the checksum of their values. sums: of a file with at most one record; without
// any, its record variables stay without.
void add_checksums(catalog::Definition& definition, const block::FileSums& sums);

// By how much that makes the header of a file longer, if all variables that take a checksum get one.
std::int64_t header_bytes_of_checksums(const catalog::Definition& definition);

}  // namespace thalweg::formats
