#include "formats/netcdf4/superblock.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include "formats/netcdf4/hdf5_handle.hpp"
#include "sample_file.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

Superblock superblock_of(const std::string& path) {
  Superblock bytes{};
  const auto all = sample::bytes_of_file(path);
  std::ranges::copy(std::span(all).first(bytes.size()), bytes.begin());
  return bytes;
}

std::string with_records(const sample::Folder& folder) {
  sample::Writer writer(folder / "a.nc", sample::definition(config::format_named("netcdf4")));
  writer.add(0);
  writer.close(1);
  return folder / "a.nc";
}

TEST(Superblock, is_known_by_its_checksum) {
  const sample::Folder folder;
  const Superblock whole = superblock_of(with_records(folder));
  EXPECT_TRUE(is_superblock(whole));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    Superblock damaged = whole;
    damaged[i] ^= std::byte{0x10};
    EXPECT_FALSE(is_superblock(damaged)) << "byte " << i;
  }
}

TEST(Superblock, says_a_length_that_hdf5_takes) {
  const sample::Folder folder;
  const std::string path = with_records(folder);
  Superblock changed = superblock_of(path);
  const auto bytes = std::ssize(sample::bytes_of_file(path)) + 5000;
  set_file_bytes(changed, bytes);
  EXPECT_TRUE(is_superblock(changed));
  storage::Mover mover(path, config::DirectIo::off);
  mover.write_bytes(0, changed);
  const Quiet quiet;
  EXPECT_LT(Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)), 0) << "the file is shorter than that";
  mover.resize(bytes);
  EXPECT_GE(Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)), 0);
}

}  // namespace
}  // namespace thalweg::formats::netcdf4
