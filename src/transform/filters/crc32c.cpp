// CRC-32C (Castagnoli), the checksum of Zarr's codec of that name, by ISA-L, which has it under the name of iSCSI.
#include <isa-l/crc.h>

#include <algorithm>

#include "transform/filters.hpp"
#include "transform/filters/rows.hpp"

namespace thalweg::transform {
namespace {

// ISA-L counts bytes in an int.
constexpr std::size_t most_at_once = std::size_t{1} << 30;

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) {
  std::uint32_t remainder = 0xffffffff;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), most_at_once));
    // It only reads.
    auto* const first = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(part.data()));
    remainder = crc32_iscsi(first, static_cast<int>(part.size()), remainder);
    bytes = bytes.subspan(part.size());
  }
  return ~remainder;
}

constinit const Filter crc32c_sum = {
    .description = {.name = "crc32c", .zarr = "crc32c"},
    .place = FilterPlace::checksum,
    .sum = crc32c,
    .zarr_json = [](const FilterCall&) { return std::string(R"({"name":"crc32c"})"); }};

}  // namespace thalweg::transform
