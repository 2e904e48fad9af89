#include "storage/journal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "formats/sample_file.hpp"

namespace thalweg::storage {

namespace sample = formats::sample;

namespace {

using sample::Folder;

std::vector<std::byte> filled(std::size_t bytes, int value) {
  return std::vector<std::byte>(bytes, static_cast<std::byte>(value));
}

block::Transaction transaction(int value) {
  return {.records = value,
          .writes = {{0, filled(13, value)}, {4000, filled(5000, value + 1)}, {20'000, filled(1, value + 2)}},
          .file_bytes = 30'000,
          .journaled = true};
}

// The file that the journal belongs to; made if it is not there.
block::FileIdentity made(const std::string& path) {
  return identity_of(open_file(path, O_CREAT | O_WRONLY), path);
}

bool same(const block::Transaction& a, const block::Transaction& b) {
  return a.records == b.records && a.file_bytes == b.file_bytes && a.journaled == b.journaled &&
         std::ranges::equal(a.writes, b.writes,
                            [](const auto& x, const auto& y) { return x.offset == y.offset && x.bytes == y.bytes; });
}

TEST(Journal, gives_back_the_last_transaction) {
  const Folder folder;
  Journal journal(folder / "a");
  EXPECT_FALSE(read_journal(folder / "a"));
  for (int value : {1, 2}) {
    journal.write(transaction(value), made(folder / "a"), false);
    const auto got = read_journal(folder / "a");
    ASSERT_TRUE(got);
    EXPECT_TRUE(same(*got, transaction(value)));
  }
  journal.write({.records = 9, .journaled = true}, made(folder / "a"), true);  // shorter than what was there
  ASSERT_TRUE(read_journal(folder / "a"));
  EXPECT_EQ(read_journal(folder / "a")->records, 9);
  EXPECT_EQ(read_journal(folder / "a")->file_bytes, -1);
  journal.remove();
  EXPECT_EQ(folder.files(), 1U);
}

TEST(Journal, ignores_every_torn_one) {
  const Folder folder;
  Journal(folder / "a").write(transaction(1), made(folder / "a"), false);
  const auto whole = sample::bytes_of_file(folder / "a.journal");
  for (std::size_t length = 0; length < whole.size(); length += length < 80 ? 1 : 97) {
    std::filesystem::resize_file(folder / "a.journal", length);
    EXPECT_FALSE(read_journal(folder / "a")) << length;
    const Descriptor file = open_file(folder / "a.journal", O_WRONLY);
    write_all(file, "journal", 0, whole);
    ASSERT_TRUE(read_journal(folder / "a"));
  }
}

// The beginning of a new transaction over a longer, older one.
TEST(Journal, ignores_a_mixture_of_two) {
  const Folder folder;
  Journal journal(folder / "a");
  journal.write(transaction(1), made(folder / "a"), false);
  const auto before = sample::bytes_of_file(folder / "a.journal");
  journal.write(transaction(2), made(folder / "a"), false);
  const auto after = sample::bytes_of_file(folder / "a.journal");
  const Descriptor file = open_file(folder / "a.journal", O_WRONLY);
  for (std::size_t length = 9; length < after.size(); length += 61) {
    write_all(file, "journal", 0, before);
    write_all(file, "journal", 0, std::span(after).first(length));
    EXPECT_FALSE(read_journal(folder / "a")) << length;
  }
}

TEST(Journal, ignores_one_with_a_changed_bit) {
  const Folder folder;
  Journal(folder / "a").write(transaction(1), made(folder / "a"), false);
  const auto whole = sample::bytes_of_file(folder / "a.journal");
  const Descriptor file = open_file(folder / "a.journal", O_WRONLY);
  for (std::size_t place = 0; place < whole.size(); place += place < 100 ? 1 : 61) {
    if (place == 7) continue;  // then it is one of another version
    const std::byte changed = whole[place] ^ std::byte{0x40};
    write_all(file, "journal", static_cast<std::int64_t>(place), std::span(&changed, 1));
    EXPECT_FALSE(read_journal(folder / "a")) << place;
    write_all(file, "journal", static_cast<std::int64_t>(place), std::span(&whole[place], 1));
  }
}

// After `rm *.partial` another file may have the name, and even the inode, of the one that the journal speaks of.
TEST(Journal, is_not_applied_to_another_file_of_the_name) {
  const Folder folder;
  Journal(folder / "a").write(transaction(1), made(folder / "a"), false);
  std::filesystem::remove(folder / "a");
  made(folder / "other");
  made(folder / "a");
  try {
    read_journal(folder / "a");
    FAIL() << "another file's journal was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_FORMAT);
    for (const std::string& part :
         {"'" + (folder / "a") + "'", std::string("inode"), std::string("remove the journal")})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Journal, is_known_where_both_were_copied_and_where_both_were_renamed) {
  const Folder folder;
  Journal(folder / "a").write(transaction(1), made(folder / "a"), false);
  for (const std::string ending : {"", ".journal"}) {
    std::filesystem::copy_file(folder / ("a" + ending), folder / ("copy" + ending));
    std::filesystem::rename(folder / ("a" + ending), folder / ("moved" + ending));
  }
  EXPECT_TRUE(read_journal(folder / "copy"));
  EXPECT_TRUE(read_journal(folder / "moved"));
}

// A copy of one run's journal beside a copy of another's file.
TEST(Journal, of_a_longer_file_is_refused_among_copies) {
  const Folder folder;
  constexpr auto lengthened = JournaledFile::lengthened_before;
  Journal(folder / "a").write(transaction(1), made(folder / "a"), false);
  std::filesystem::copy_file(folder / "a.journal", folder / "copy.journal");
  open_file(folder / "copy", O_CREAT | O_WRONLY);
  EXPECT_THROW(read_journal(folder / "copy", lengthened), Error);
  EXPECT_TRUE(read_journal(folder / "copy")) << "others may be shorter";
  resize_file(open_file(folder / "copy", O_WRONLY), "copy", 1 << 20);
  EXPECT_TRUE(read_journal(folder / "copy", lengthened));
}

TEST(Journal, of_another_version_is_named) {
  const Folder folder;
  Journal(folder / "a").write(transaction(1), made(folder / "a"), false);
  const Descriptor file = open_file(folder / "a.journal", O_WRONLY);
  const std::byte one{'1'};
  write_all(file, "journal", 7, std::span(&one, 1));
  EXPECT_THROW(read_journal(folder / "a"), Error);
}

TEST(Journal, follows_no_link_and_replaces_no_file) {
  const Folder folder;
  open_file(folder / "precious", O_CREAT | O_WRONLY);
  std::filesystem::create_symlink(folder / "precious", folder / "a.journal");
  EXPECT_THROW(Journal(folder / "a").write(transaction(1), made(folder / "a"), false), Error);
  EXPECT_EQ(std::filesystem::file_size(folder / "precious"), 0U);
}

class ApplyTransaction : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(durability, ApplyTransaction, testing::Bool());

TEST_P(ApplyTransaction, writes_journal_and_file_and_says_so) {
  const Folder folder;
  open_file(folder / "a", O_CREAT | O_WRONLY);
  Mover mover(folder / "a", config::DirectIo::automatic);
  Journal journal(folder / "a");
  block::Transaction wanted = transaction(3);
  wanted.applied = std::make_shared<std::atomic<bool>>(false);
  apply(mover, wanted, &journal, GetParam());
  EXPECT_TRUE(wanted.applied->load());
  EXPECT_TRUE(same(*read_journal(folder / "a"), wanted));
  const auto bytes = sample::bytes_of_file(folder / "a");
  ASSERT_EQ(bytes.size(), 30'000U);
  EXPECT_EQ(bytes[12], std::byte{3});
  EXPECT_EQ(bytes[8999], std::byte{4});
  EXPECT_EQ(bytes[20'000], std::byte{5});
  EXPECT_EQ(mover.counts().syncs, GetParam() ? 1 : 0);
}

TEST_P(ApplyTransaction, needs_no_journal_for_a_single_number) {
  const Folder folder;
  open_file(folder / "a", O_CREAT | O_WRONLY);
  Mover mover(folder / "a", config::DirectIo::automatic);
  Journal journal(folder / "a");
  apply(mover, {.records = 1, .writes = {{4, filled(8, 1)}}}, &journal, GetParam());
  EXPECT_EQ(folder.files(), 1U);
  EXPECT_EQ(mover.counts().syncs, GetParam() ? 2 : 0);  // data before the number, then the number
}

}  // namespace
}  // namespace thalweg::storage
