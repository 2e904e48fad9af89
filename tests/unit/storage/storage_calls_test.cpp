#include "storage/storage_calls.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "storage/object_store.hpp"

namespace thalweg::storage {
namespace {

class StorageCalls : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(mkdtemp(folder_.data()), nullptr); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_ = testing::TempDir() + "thalweg_calls_XXXXXX";
};

TEST_F(StorageCalls, are_told_one_by_one) {
  int calls = 0;
  const StorageCallWatch watch([&] { ++calls; });
  ObjectStore store(folder_, config::DirectIo::off);
  store.put("a", std::string_view("one"), Stable::never);
  EXPECT_EQ(calls, 1);
  store.put("b", std::string_view("two"), Stable::at_once);
  EXPECT_EQ(calls, 3) << "it was synced as well";
}

TEST_F(StorageCalls, are_told_to_all_who_watch) {
  int outer_calls = 0;
  int inner_calls = 0;
  ObjectStore store(folder_, config::DirectIo::off);
  const StorageCallWatch outer([&] { ++outer_calls; });
  {
    const StorageCallWatch inner([&] { ++inner_calls; });
    store.put("a", std::string_view("one"), Stable::never);
  }
  store.put("b", std::string_view("two"), Stable::never);
  EXPECT_EQ(inner_calls, 1);
  EXPECT_EQ(outer_calls, 2);
}

}  // namespace
}  // namespace thalweg::storage
