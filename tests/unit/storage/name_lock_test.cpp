#include "storage/name_lock.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "formats/sample_file.hpp"

namespace thalweg::storage {

namespace sample = formats::sample;

namespace {

// Locks are between open files, so that one process can try them. An owner that is dead is a lock file that nobody has
// locked.
class NameLocks : public testing::Test {
 protected:
  void leave_by_dead_owner(const std::string& session_id) const {
    std::ofstream(lock) << "thalweg writes this name: host elsewhere, process 1, since 2000-01-01T00:00:00Z, session "
                        << session_id << "\n";
  }
  bool is_left() const { return std::filesystem::exists(lock); }
  std::string refusal_of_owner() const {
    return refusal([&] { NameLock(name, "next"); });
  }
  std::string refusal_of_writer(const std::string& session_id) const {
    return refusal([&] { SharedNameLock(name, session_id); });
  }
  template <typename Action>
  static std::string refusal(const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), THALWEG_ERROR_STORAGE);
      return error.what();
    }
    return "none";
  }
  static void expect_part(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
  }

  sample::Folder folder;
  std::string name = folder / "a.nc";
  std::string lock = lock_path(name);
};

TEST_F(NameLocks, are_shared_by_the_writers_of_the_owners_run) {
  auto owner = std::make_unique<NameLock>(name, "one");
  auto first = std::make_unique<SharedNameLock>(name, "one");
  auto second = std::make_unique<SharedNameLock>(name, "one");
  first.reset();
  EXPECT_TRUE(is_left());
  second.reset();
  EXPECT_TRUE(is_left());
  expect_part(refusal_of_owner(), "is being written by another job");
  owner.reset();
  EXPECT_FALSE(is_left());
}

TEST_F(NameLocks, are_not_taken_while_a_writer_of_a_dead_owner_lives) {
  leave_by_dead_owner("one");
  auto orphan = std::make_unique<SharedNameLock>(name, "one");
  const std::string text = refusal_of_owner();
  expect_part(text, "host elsewhere, process 1");
  expect_part(text, "a writer, perhaps on another node, lives or is stopped");
  orphan.reset();
  EXPECT_FALSE(is_left());
  EXPECT_EQ(refusal_of_owner(), "none");
}

TEST_F(NameLocks, go_with_whoever_leaves_last) {
  auto owner = std::make_unique<NameLock>(name, "one");
  auto writer = std::make_unique<SharedNameLock>(name, "one");
  owner.reset();
  EXPECT_TRUE(is_left());
  writer.reset();
  EXPECT_FALSE(is_left());
}

TEST_F(NameLocks, give_no_share_to_a_writer_of_another_run_or_of_none) {
  expect_part(refusal_of_writer("one"), "has ended, or somebody has removed");
  EXPECT_FALSE(is_left()) << "a share makes no lock";
  const NameLock other(name, "other");
  expect_part(refusal_of_writer("one"), "leaves it alone");
  EXPECT_TRUE(is_left());
  const NameLock recovery(folder / "b.nc");
  expect_part(refusal([&] { SharedNameLock(folder / "b.nc", "one"); }), "leaves it alone");
}

TEST_F(NameLocks, are_taken_by_their_own_writers_where_nothing_could_be_written_into_them) {
  std::ofstream(lock) << "thalweg wr";
  EXPECT_EQ(refusal_of_writer("one"), "none");
}

}  // namespace
}  // namespace thalweg::storage
