#include "formats/placed/format.hpp"

#include "formats/placed/file.hpp"

namespace thalweg::formats::placed {

// The byte order is that of the CDF formats. A configuration cannot name it: it could not say where variables are.
constinit const FormatRow placed = {
    .description = {.name = "placed",
                    .files = "files that another library has made",
                    .traits = {.big_endian = true, .publishing = config::Publishing::in_place},
                    .no_sets = "the file is another library's, which has made one",
                    .no_checksum_attributes = "the attributes of the file are those that another library has written",
                    .no_continuing = "the file is another library's, which says where its records begin"},
    .create = create_placed};

}  // namespace thalweg::formats::placed
