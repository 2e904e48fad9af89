#include "formats/netcdf4/hdf5_driver.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "sample_file.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

// A file of 100 bytes 'f', as HDF5 sees it.
class HeldBytes : public testing::Test {
 protected:
  HeldBytes() { held_.allocate(100); }
  static std::string new_file(const std::string& path) {
    storage::write_all(storage::open_file(path, O_CREAT | O_WRONLY), path, 0,
                       std::vector<std::byte>(100, std::byte{'f'}));
    return path;
  }
  void write(std::int64_t offset, char value, HeldFile::Kind kind = HeldFile::Kind::other) {
    held_.write(kind, offset, std::vector<std::byte>(10, static_cast<std::byte>(value)));
  }
  std::string read(std::int64_t offset, std::size_t bytes) {
    std::string text(bytes, '?');
    EXPECT_TRUE(held_.read(offset, std::as_writable_bytes(std::span(text))));
    return text;
  }
  std::string in_file(std::size_t offset, std::size_t bytes) {
    const auto all = sample::bytes_of_file(path_);
    return {reinterpret_cast<const char*>(all.data()) + offset, bytes};
  }

  sample::Folder folder_;
  std::string path_ = new_file(folder_ / "a");
  HeldFile held_{path_};
};

TEST_F(HeldBytes, are_read_back_and_not_in_the_file) {
  write(5, 'a');
  EXPECT_EQ(read(3, 14), "ffaaaaaaaaaaff");
  held_.seal(1);
  write(12, 'b');
  EXPECT_EQ(read(3, 20), "ffaaaaaaabbbbbbbbbbf");
  EXPECT_EQ(in_file(0, 100), std::string(100, 'f'));
}

TEST_F(HeldBytes, are_read_from_memory_until_they_are_applied) {
  write(5, 'a');
  held_.seal(1);
  const block::Transaction transaction = held_.take(1);
  EXPECT_EQ(read(5, 10), "aaaaaaaaaa");
  storage::Mover mover(path_, config::DirectIo::off);
  storage::apply(mover, transaction, nullptr, false);
  EXPECT_EQ(in_file(5, 10), "aaaaaaaaaa");
  mover.write_bytes(5, std::vector<std::byte>(1, std::byte{'z'}));  // shows where a read comes from
  EXPECT_EQ(read(5, 10), "zaaaaaaaaa");
}

TEST_F(HeldBytes, of_records_to_come_are_not_handed_out) {
  for (int r = 1; r <= 3; ++r) {
    write(r * 5, static_cast<char>('0' + r));
    held_.allocate(100 * r);
    held_.seal(r);
  }
  const block::Transaction transaction = held_.take(2);
  ASSERT_EQ(transaction.writes.size(), 1U);
  EXPECT_EQ(transaction.writes[0].offset, 5);
  EXPECT_EQ(transaction.writes[0].bytes.size(), 15U);
  EXPECT_EQ(transaction.writes[0].bytes[5], std::byte{'2'});
  EXPECT_EQ(held_.taken_bytes(), 200);
  EXPECT_TRUE(held_.take(2).writes.empty());
  EXPECT_EQ(held_.take(3).writes.size(), 1U);
  EXPECT_GE(sample::bytes_of_file(path_).size(), 300U);
}

TEST_F(HeldBytes, that_show_records_come_last_and_in_one_write) {
  write(10, 'a', HeldFile::Kind::object_header);
  write(40, 'b', HeldFile::Kind::object_header);
  write(25, 'i');
  write(70, 'i');
  held_.seal(1);
  write(30, 'z');  // belongs to a record to come
  const block::Transaction transaction = held_.take(1);
  ASSERT_EQ(transaction.writes.size(), 3U);
  EXPECT_EQ(transaction.writes[0].offset, 25);
  EXPECT_EQ(transaction.writes[1].offset, 70);
  EXPECT_EQ(transaction.writes[2].offset, 10);
  const auto& bytes = transaction.writes[2].bytes;
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
            "aaaaaaaaaafffffiiiiiiiiiifffffbbbbbbbbbb");
}

// A node that was there gets pointers to nodes that were not.
TEST_F(HeldBytes, that_have_a_place_for_the_first_time_come_first) {
  held_.allocate(200);
  write(120, 'r');
  held_.seal(1);
  EXPECT_EQ(held_.take(1).writes.size(), 1U);
  write(120, 's');
  write(150, 'n');
  held_.seal(2);
  const block::Transaction transaction = held_.take(2);
  ASSERT_EQ(transaction.writes.size(), 2U);
  EXPECT_EQ(transaction.writes[0].offset, 150);
  EXPECT_EQ(transaction.writes[1].offset, 120);
}

TEST_F(HeldBytes, that_show_records_leave_raw_data_between_them_alone) {
  const std::byte unread{};
  held_.offset_written([&] { held_.write(HeldFile::Kind::raw, 30, {&unread, 1}); });
  write(10, 'a', HeldFile::Kind::object_header);
  write(40, 'b', HeldFile::Kind::object_header);
  held_.seal(1);
  const block::Transaction transaction = held_.take(1);
  ASSERT_EQ(transaction.writes.size(), 2U);
  EXPECT_EQ(transaction.writes[0].bytes.size(), 10U);
  EXPECT_EQ(transaction.writes[1].bytes.size(), 10U);
}

TEST_F(HeldBytes, that_are_raw_are_placed_and_not_kept) {
  const std::byte unread{};
  const std::int64_t offset = held_.offset_written([&] { held_.write(HeldFile::Kind::raw, 40, {&unread, 1}); });
  EXPECT_EQ(offset, 40);
  EXPECT_EQ(held_.offset_written([] {}), -1);
  held_.seal(1);
  EXPECT_TRUE(held_.take(1).writes.empty());
  EXPECT_EQ(read(38, 4), "ffff");
}

TEST_F(HeldBytes, beyond_the_end_of_the_file_are_zeros) {
  held_.allocate(200);
  EXPECT_EQ(read(98, 4), std::string("ff\0\0", 4));
}

}  // namespace
}  // namespace thalweg::formats::netcdf4
