#include "storage/mover.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <cstring>
#include <random>
#include <vector>

#include "formats/sample_file.hpp"

namespace thalweg::storage {

namespace sample = formats::sample;

namespace {

using sample::Folder;

std::string new_file(const std::string& path) {
  open_file(path, O_CREAT | O_EXCL | O_WRONLY);
  return path;
}

std::vector<std::byte> pattern(std::size_t bytes) {
  std::vector<std::byte> result(bytes);
  std::minstd_rand random(1);
  for (std::byte& byte : result) byte = static_cast<std::byte>(random());
  return result;
}

bool refuses_direct(const std::string& path) {
  return !Descriptor(::open(path.c_str(), O_WRONLY | O_DIRECT));
}

TEST(Mover, writes_runs_of_any_alignment_and_order_exactly) {
  const Folder folder;
  const std::string path = new_file(folder / "data");
  const std::vector<std::byte> wanted = pattern(3'000'000);
  const std::vector<std::int64_t> cuts = {0, 5, 4096, 4097, 70'000, 200'001, 204'800, 500'000, 1'900'003, 3'000'000};
  Mover mover(path, config::DirectIo::automatic);
  std::vector<sample::Agreeing> memory;
  std::vector<DataRun> runs;
  for (std::size_t i = cuts.size() - 1; i > 0; --i) {
    const std::int64_t bytes = cuts[i] - cuts[i - 1];
    memory.emplace_back(bytes, cuts[i - 1] + (i == 4 ? 1 : 0));  // one run does not agree modulo a page
    std::memcpy(memory.back().data(), wanted.data() + cuts[i - 1], static_cast<std::size_t>(bytes));
    runs.push_back({cuts[i - 1], memory.back().data(), bytes});
  }
  mover.write(runs);
  EXPECT_EQ(sample::bytes_of_file(path), wanted);
  EXPECT_EQ(mover.counts().direct_bytes + mover.counts().buffered_bytes, 3'000'000);
}

TEST(Mover, sends_whole_pages_directly_and_partial_pages_buffered) {
  const Folder folder;
  const std::string path = new_file(folder / "data");
  if (refuses_direct(path)) GTEST_SKIP() << "no O_DIRECT here";
  Mover mover(path, config::DirectIo::on);
  const std::int64_t offset = 1000;
  sample::Agreeing memory(300'000, offset);
  std::memset(memory.data(), 7, 300'000);
  DataRun run{offset, memory.data(), 300'000};
  mover.write(std::span(&run, 1));
  EXPECT_EQ(mover.counts().direct_bytes, 72 * block::page_bytes);  // pages 1 to 72 of the file
  EXPECT_EQ(mover.counts().buffered_bytes, 300'000 - 72 * block::page_bytes);
  EXPECT_EQ(mover.counts().write_calls, 3);
  EXPECT_EQ(mover.fallback_reason(), "");
}

TEST(Mover, joins_neighbours_into_one_call) {
  const Folder folder;
  Mover mover(new_file(folder / "data"), config::DirectIo::off);
  const std::vector<std::byte> bytes = pattern(3000);
  std::vector<DataRun> runs = {{2000, bytes.data(), 1000}, {0, bytes.data() + 1000, 1000}, {1000, bytes.data(), 1000}};
  mover.write(runs);
  EXPECT_EQ(mover.counts().write_calls, 1);
  runs = {{8000, bytes.data(), 10}, {9000, bytes.data(), 10}};
  mover.write(runs);
  EXPECT_EQ(mover.counts().write_calls, 3);
}

TEST(Mover, writes_more_neighbours_than_one_call_takes) {
  const Folder folder;
  const std::string path = new_file(folder / "data");
  Mover mover(path, config::DirectIo::off);
  const std::vector<std::byte> bytes = pattern(5000 * 3);
  std::vector<DataRun> runs;
  std::vector<std::byte> wanted;
  for (std::int64_t i = 0; i < 5000; ++i) {
    const std::int64_t from = (i * 7919) % 5000 * 3;
    runs.push_back({i * 3, bytes.data() + from, 3});
    wanted.insert(wanted.end(), bytes.begin() + from, bytes.begin() + from + 3);
  }
  mover.write(runs);
  EXPECT_EQ(sample::bytes_of_file(path), wanted);
  EXPECT_EQ(mover.counts().write_calls, 5);
}

TEST(Mover, switched_off_never_writes_directly) {
  const Folder folder;
  Mover mover(new_file(folder / "data"), config::DirectIo::off);
  sample::Agreeing memory(1 << 20, 0);
  std::memset(memory.data(), 1, 1 << 20);
  DataRun run{0, memory.data(), 1 << 20};
  mover.write(std::span(&run, 1));
  EXPECT_EQ(mover.counts().direct_bytes, 0);
  EXPECT_EQ(mover.fallback_reason(), "direct-io is off");
}

TEST(Mover, falls_back_where_direct_writes_are_refused) {
  const std::string shm = fmt::format("/dev/shm/thalweg-mover-{}", ::getpid());
  const Descriptor keep(::open(shm.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600));
  if (!keep) GTEST_SKIP() << "no tmpfs at /dev/shm";
  const bool refuses = refuses_direct(shm);
  Mover mover(shm, config::DirectIo::automatic);
  EXPECT_EQ(mover.fallback_reason().empty(), !refuses);
  const std::vector<std::byte> wanted = pattern(1 << 20);
  DataRun run{0, wanted.data(), 1 << 20};
  mover.write(std::span(&run, 1));
  EXPECT_EQ(sample::bytes_of_file(shm), wanted);
  if (refuses)
    sample::expect_error(THALWEG_ERROR_STORAGE, "set direct-io: auto", [&] { Mover(shm, config::DirectIo::on); });
  ::unlink(shm.c_str());
}

TEST(Mover, says_what_to_do_if_the_file_is_not_there) {
  sample::expect_error(THALWEG_ERROR_STORAGE, "cannot open '/nowhere/at/all'",
                       [] { Mover("/nowhere/at/all", config::DirectIo::off); });
}

TEST(Mover, reports_a_full_disk_with_place_and_advice) {
  const Folder folder;
  const std::string disk = folder / "disk";
  std::filesystem::create_directory(disk);
  if (::mount("none", disk.c_str(), "tmpfs", 0, "size=256k") != 0) GTEST_SKIP() << "may not mount a small disk";
  const std::vector<std::byte> bytes(1 << 20);
  {
    Mover mover(new_file(disk + "/data"), config::DirectIo::automatic);
    DataRun run{4096, bytes.data(), 1 << 20};
    sample::expect_error(THALWEG_ERROR_STORAGE, "No space left on device; free some space",
                         [&] { mover.write(std::span(&run, 1)); });
    sample::expect_error(THALWEG_ERROR_STORAGE, disk + "/data'", [&] { mover.write(std::span(&run, 1)); });
  }
  EXPECT_EQ(::umount(disk.c_str()), 0);
}

}  // namespace
}  // namespace thalweg::storage
