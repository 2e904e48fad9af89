#include "formats/netcdf4/hdf5_filters.hpp"

#include "formats/netcdf4/hdf5_library.hpp"

#include <array>
#include <cstdlib>
#include <utility>

#include "base/error.hpp"
#include "transform/filter.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

// Gives HDF5 `bytes` in the buffer, which is of HDF5's allocator; 0 if the action failed.
template <typename Action>
std::size_t exchange_buffer(std::size_t room, std::size_t* buffer_bytes, void** buffer, const Action& action) {
  void* made = std::malloc(room);
  if (made == nullptr) return 0;
  const std::size_t bytes = action(std::span(static_cast<std::byte*>(made), room));
  if (bytes == 0) {
    std::free(made);
    return 0;
  }
  std::free(*buffer);
  *buffer = made;
  *buffer_bytes = room;
  return bytes;
}

std::size_t apply(const transform::Filter& codec, bool reverse, int level, std::span<const std::byte> in,
                  std::size_t* buffer_bytes, void** buffer) {
  if (reverse)
    return exchange_buffer(codec.content_bytes(in), buffer_bytes, buffer,
                           [&](std::span<std::byte> out) { return codec.decode({}, in, out); });
  const transform::FilterCall call{.level = level};
  transform::WorkingMemory memory;
  return exchange_buffer(codec.bound(call, in.size()), buffer_bytes, buffer,
                         [&](std::span<std::byte> out) { return codec.encode(call, in, out, memory).value_or(0); });
}

// HDF5 does not tell a filter which one it is: each codec has a function of its own.
template <std::size_t number>
std::size_t filter(unsigned flags, std::size_t value_count, const unsigned* values, std::size_t bytes,
                   std::size_t* buffer_bytes, void** buffer) {
  const config::FilterDescription& codec = *config::codecs()[number];
  try {
    return apply(transform::filter_of(codec), (flags & H5Z_FLAG_REVERSE) != 0,
                 value_count > 0 ? static_cast<int>(values[0]) : codec.levels.usual,
                 {static_cast<const std::byte*>(*buffer), bytes}, buffer_bytes, buffer);
  } catch (const std::exception&) {
    return 0;
  }
}

constexpr std::size_t most_codecs = 8;

template <std::size_t... numbers>
constexpr std::array<H5Z_func_t, sizeof...(numbers)> functions(std::index_sequence<numbers...>) {
  return {filter<numbers>...};
}

void make_known(std::size_t number) {
  static constexpr auto of_codec = functions(std::make_index_sequence<most_codecs>());
  const config::FilterDescription& codec = *config::codecs()[number];
  const auto id = static_cast<H5Z_filter_t>(codec.hdf5_filter);
  if (codec.hdf5_filter == 0 || codec.is_in_hdf5 || H5Zfilter_avail(id) > 0) return;
  if (number >= most_codecs) fail(THALWEG_ERROR_INTERNAL, "codec '{}' has no function for HDF5", codec.name);
  const H5Z_class2_t described = {H5Z_CLASS_T_VERS, id, 1, 1, codec.name.data(), nullptr, nullptr, of_codec[number]};
  if (H5Zregister(&described) < 0) fail(THALWEG_ERROR_INTERNAL, "HDF5 does not accept the filter {}", codec.name);
}

}  // namespace

void make_filters_known() {
  for (std::size_t number = 0; number < config::codecs().size(); ++number) make_known(number);
}

bool is_known_filter(unsigned id) {
  return H5Zfilter_avail(static_cast<H5Z_filter_t>(id)) > 0;
}

std::string filter_words(unsigned id) {
  // (source: H5Zpublic.h; The HDF Group, registered filter plug-ins)
  constexpr std::pair<unsigned, const char*> names[] = {
      {1, "deflate"},   {2, "shuffle"}, {3, "fletcher32"},     {4, "szip"},    {307, "bzip2"},  {32000, "lzf"},
      {32001, "blosc"}, {32004, "lz4"}, {32008, "bitshuffle"}, {32013, "zfp"}, {32015, "zstd"}, {32026, "blosc2"}};
  for (const auto& [number, name] : names)
    if (number == id) return fmt::format("{} ({})", id, name);
  return std::to_string(id);
}

}  // namespace thalweg::formats::netcdf4
