// A dataset of one chunk in a file in memory: what HDF5 itself makes of bytes with its filters, and the other way
// round.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg::transform::sample {

// The elements are unsigned integers of 1, 2, 4 or 8 bytes.
inline hid_t hdf5_type(std::size_t element_bytes) {
  if (element_bytes == 1) return H5T_NATIVE_UINT8;
  if (element_bytes == 2) return H5T_NATIVE_UINT16;
  return element_bytes == 4 ? H5T_NATIVE_UINT32 : H5T_NATIVE_UINT64;
}

class Hdf5Chunk {
 public:
  // set_filters gets the dataset's property list.
  template <typename SetFilters>
  Hdf5Chunk(std::size_t elements, std::size_t element_bytes, SetFilters&& set_filters)
      : bytes_(elements * element_bytes), type_(hdf5_type(element_bytes)) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 20, 0);
    file_ = H5Fcreate("chunk", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t extent = elements;
    H5Pset_chunk(properties, 1, &extent);
    set_filters(properties);
    const hid_t space = H5Screate_simple(1, &extent, nullptr);
    dataset_ = H5Dcreate2(file_, "data", type_, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    EXPECT_GE(dataset_, 0);
    H5Sclose(space);
    H5Pclose(properties);
    H5Pclose(access);
  }
  ~Hdf5Chunk() {
    H5Dclose(dataset_);
    H5Fclose(file_);
  }
  Hdf5Chunk(const Hdf5Chunk&) = delete;
  Hdf5Chunk& operator=(const Hdf5Chunk&) = delete;

  void write(std::span<const std::byte> elements) {
    EXPECT_GE(H5Dwrite(dataset_, type_, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()), 0);
    EXPECT_GE(H5Dflush(dataset_), 0);
  }
  std::vector<std::byte> read() {
    std::vector<std::byte> elements(bytes_);
    EXPECT_GE(H5Dread(dataset_, type_, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()), 0);
    return elements;
  }

  bool can_be_read() {
    std::vector<std::byte> elements(bytes_);
    herr_t status = 0;
    H5E_BEGIN_TRY {
      status = H5Dread(dataset_, type_, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data());
    }
    H5E_END_TRY
    return status >= 0;
  }

  // The chunk as it lies in the file, behind the filters.
  void write_raw(std::span<const std::byte> chunk) {
    const hsize_t offset = 0;
    EXPECT_GE(H5Dwrite_chunk(dataset_, H5P_DEFAULT, 0, &offset, chunk.size(), chunk.data()), 0);
  }
  std::vector<std::byte> read_raw() {
    const hsize_t offset = 0;
    hsize_t size = 0;
    EXPECT_GE(H5Dget_chunk_storage_size(dataset_, &offset, &size), 0);
    std::vector<std::byte> chunk(size);
    std::uint32_t skipped = 0;
    EXPECT_GE(H5Dread_chunk(dataset_, H5P_DEFAULT, &offset, &skipped, chunk.data()), 0);
    EXPECT_EQ(skipped, 0U);
    return chunk;
  }

 private:
  std::size_t bytes_;
  hid_t type_;
  hid_t file_ = -1;
  hid_t dataset_ = -1;
};

}  // namespace thalweg::transform::sample
