#include "formats/callback/format.hpp"

#include <array>
#include <bit>

#include "formats/callback/file.hpp"

namespace thalweg::formats::callback {
namespace {

constexpr std::string_view does_nothing =
    "with format 'user' the files are made by the model's procedure, and this does nothing; leave it out";

constexpr std::array<config::RefusedKey, 5> refused = {{{"append", does_nothing},
                                                        {"keep-unfinished", does_nothing},
                                                        {"durability", does_nothing},
                                                        {"header-reserve", does_nothing},
                                                        {"record-checksums", does_nothing}}};

}  // namespace

constinit const FormatRow user = {
    .description = {.name = "user",
                    .files = "the blocks of a procedure",
                    .note = "a procedure of the model writes them",
                    .ending = "",
                    .traits = {.big_endian = std::endian::native == std::endian::big,
                               .publishing = config::Publishing::none},
                    .no_sets = "with format 'user' it is the model's procedure that makes files, and it gets the "
                               "blocks of each I/O domain one by one as it is; set pattern: shared",
                    .no_checksum_attributes = "with format 'user' the files are made by the model's procedure; set "
                                              "format: netcdf4 or cdf5",
                    .refused_keys = refused},
    .create = [](const std::string&, const catalog::Definition&, config::Durability) { return create_nothing(); }};

}  // namespace thalweg::formats::callback
