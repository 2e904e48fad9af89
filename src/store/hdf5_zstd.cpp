#include "store/hdf5_zstd.hpp"

#include <hdf5.h>
#include <zstd.h>

#include <cstdlib>

#include "base/error.hpp"
#include "store/netcdf4_define.hpp"

namespace thalweg::store {
namespace {

// Gives HDF5 `bytes` in the buffer, which is of HDF5's allocator; 0 if the action failed.
template <typename Action>
std::size_t exchange_buffer(std::size_t room, std::size_t* buffer_bytes, void** buffer, const Action& action) {
  void* made = std::malloc(room);
  if (made == nullptr) return 0;
  const std::size_t bytes = action(made);
  if (ZSTD_isError(bytes) != 0) {
    std::free(made);
    return 0;
  }
  std::free(*buffer);
  *buffer = made;
  *buffer_bytes = room;
  return bytes;
}

std::size_t filter(unsigned flags, std::size_t value_count, const unsigned* values, std::size_t bytes,
                   std::size_t* buffer_bytes, void** buffer) {
  if ((flags & H5Z_FLAG_REVERSE) != 0) {
    const unsigned long long whole = ZSTD_getFrameContentSize(*buffer, bytes);
    if (whole == ZSTD_CONTENTSIZE_UNKNOWN || whole == ZSTD_CONTENTSIZE_ERROR) return 0;
    return exchange_buffer(whole, buffer_bytes, buffer,
                           [&](void* out) { return ZSTD_decompress(out, whole, *buffer, bytes); });
  }
  const int level = value_count > 0 ? static_cast<int>(values[0]) : ZSTD_CLEVEL_DEFAULT;
  const std::size_t room = ZSTD_compressBound(bytes);
  return exchange_buffer(room, buffer_bytes, buffer,
                         [&](void* out) { return ZSTD_compress(out, room, *buffer, bytes, level); });
}

}  // namespace

void make_filters_known() {
  if (H5Zfilter_avail(static_cast<H5Z_filter_t>(zstd_filter)) > 0) return;
  static const H5Z_class2_t zstd = {
      H5Z_CLASS_T_VERS, static_cast<H5Z_filter_t>(zstd_filter), 1, 1, "zstd", nullptr, nullptr, filter};
  if (H5Zregister(&zstd) < 0) fail(THALWEG_ERROR_INTERNAL, "HDF5 does not accept the zstd filter");
}

}  // namespace thalweg::store
