// Files that HDF5 has open for reading, before whoever has them open closes them.
#include "formats/netcdf4/letting_go.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "formats/netcdf4/hdf5_handle.hpp"
#include "sample_folder.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

class LettingGo : public testing::Test {
 protected:
  void SetUp() override {
    Handle(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    before_ = files_open_now();
  }

  std::string path() const { return folder_ / "a.nc"; }
  Handle opened(unsigned how = H5F_ACC_RDONLY) const {
    Handle file(H5Fopen(path().c_str(), how, H5P_DEFAULT));
    EXPECT_GE(file, 0);
    return file;
  }
  // What the descriptor leads to that HDF5 is going to close.
  static std::string storage_of(hid_t file) {
    void* descriptor = nullptr;
    H5Fget_vfd_handle(file, H5P_DEFAULT, &descriptor);
    return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(*static_cast<int*>(descriptor)));
  }

  sample::Folder folder_;
  const LibraryTurn turn_;
  std::vector<std::int64_t> before_;
};

TEST_F(LettingGo, gives_hdf5_nothing_of_the_storage_to_close) {
  const Handle file = opened();
  ASSERT_EQ(file_opened_since(before_), file);
  ASSERT_EQ(storage_of(file), path());
  let_go_of_storage(file);
  EXPECT_EQ(storage_of(file), "/dev/null");
}

TEST_F(LettingGo, leaves_a_file_to_others_that_have_it_open) {
  const Handle file = opened();
  {
    const Handle other = opened();
    EXPECT_EQ(file_opened_since(before_), -1) << "either of two";
    let_go_of_storage(file);
    EXPECT_EQ(storage_of(other), path());
  }
  let_go_of_storage(file);
  EXPECT_EQ(storage_of(file), "/dev/null");
}

TEST_F(LettingGo, leaves_a_file_that_is_written) {
  const Handle file = opened(H5F_ACC_RDWR);
  let_go_of_storage(file);
  EXPECT_EQ(storage_of(file), path());
}

TEST_F(LettingGo, knows_no_file_where_none_was_opened) {
  EXPECT_EQ(file_opened_since(before_), -1);
  let_go_of_storage(-1);
}

}  // namespace
}  // namespace thalweg::formats::netcdf4
