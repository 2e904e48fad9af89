#include "storage/object_store.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <list>

#include "formats/sample_file.hpp"

namespace thalweg::storage {

namespace sample = formats::sample;

namespace {

namespace fs = std::filesystem;
using sample::Folder;

std::string text_of(const std::string& path) {
  const std::vector<std::byte> bytes = sample::bytes_of_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string new_folder(const std::string& path) {
  fs::create_directory(path);
  return path;
}

std::size_t files_in(const std::string& path) {
  const auto is_file = [](const fs::directory_entry& entry) { return entry.is_regular_file(); };
  return static_cast<std::size_t>(std::ranges::count_if(fs::recursive_directory_iterator(path), is_file));
}

bool folder_refuses_direct(const std::string& folder) {
  return !Descriptor(::open((folder + "/probe").c_str(), O_CREAT | O_WRONLY | O_DIRECT, 0600));
}

TEST(ObjectStore, makes_objects_of_pieces_in_folders_of_their_own) {
  const Folder folder;
  ObjectStore store(folder / "", config::DirectIo::automatic);
  const std::string first = "one,", second = "two";
  const std::vector<std::span<const std::byte>> pieces = {
      std::as_bytes(std::span(first)), {}, std::as_bytes(std::span(second))};
  store.put("temp/c/12/0/3", pieces, Stable::never);
  store.put("zarr.json", "{}", Stable::never);
  EXPECT_EQ(text_of(folder / "temp/c/12/0/3"), "one,two");
  EXPECT_EQ(text_of(folder / "zarr.json"), "{}");
  EXPECT_EQ(store.counts().buffered_bytes, 9);
  EXPECT_EQ(files_in(folder / ""), 2U);
}

TEST(ObjectStore, replaces_an_object_and_leaves_the_old_one_to_whoever_reads_it) {
  const Folder folder;
  ObjectStore store(folder / "", config::DirectIo::automatic);
  store.put("a", "a long text", Stable::never);
  const Descriptor reader = open_file(folder / "a", O_RDONLY);
  store.put("a", "short", Stable::never);
  EXPECT_EQ(text_of(folder / "a"), "short");
  std::array<std::byte, 32> bytes{};
  EXPECT_EQ(read_all(reader, "a", 0, bytes), 11);
}

// The limit of open files of this process, while it lives.
class FewFiles {
 public:
  explicit FewFiles(rlim_t more) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const Descriptor next = open_file("/proc/self/status", O_RDONLY);
    const rlimit few{static_cast<rlim_t>(next.get()) + more, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewFiles() { setrlimit(RLIMIT_NOFILE, &before_); }
  FewFiles(const FewFiles&) = delete;
  FewFiles& operator=(const FewFiles&) = delete;

 private:
  rlimit before_{};
};

TEST(ObjectStore, of_many_leaves_files_to_the_others_and_to_the_model) {
  const Folder folder;
  std::list<ObjectStore> stores;
  const FewFiles few(40);
  for (int s = 0; s < 10; ++s)
    stores.emplace_back(new_folder(folder / fmt::format("{}.zarr", s)), config::DirectIo::automatic);
  const std::string large(direct_object_bytes, 'x');
  for (int record = 0; record < 100; ++record)
    for (ObjectStore& store : stores)
      store.put(fmt::format("temp/c/{}/0", record), record == 99 ? large : "x", Stable::at_once);
  for (ObjectStore& store : stores) store.sync_folders();
  EXPECT_EQ(files_in(folder / ""), 1000U);
}

TEST(ObjectStore, gives_folders_back_when_no_more_files_may_be_open) {
  const Folder folder;
  ObjectStore store(new_folder(folder / "a.zarr"), config::DirectIo::off);
  std::vector<Descriptor> models;
  for (int record = 0; record < 20; ++record) store.put(fmt::format("temp/c/{}/0", record), "x", Stable::never);
  const FewFiles none(0);
  store.put("temp/c/0/1", "x", Stable::never);
  EXPECT_EQ(files_in(folder / ""), 21U);
}

TEST(ObjectStore, writes_whole_pages_of_large_objects_directly) {
  const Folder folder;
  if (folder_refuses_direct(folder / "")) GTEST_SKIP() << "no O_DIRECT here";
  ObjectStore store(folder / "", config::DirectIo::on);
  constexpr std::int64_t bytes = direct_object_bytes + 100;
  sample::Agreeing memory(bytes, 0);
  for (std::int64_t i = 0; i < bytes; ++i) memory.data()[i] = static_cast<std::byte>(i * 7);
  const std::string tail = "index";
  const std::span<const std::byte> large(memory.data(), bytes);
  const std::vector<std::span<const std::byte>> pieces = {large, std::as_bytes(std::span(tail))};
  store.put("large", pieces, Stable::never);
  EXPECT_EQ(store.counts().direct_bytes, direct_object_bytes);
  EXPECT_EQ(store.counts().buffered_bytes, 105);
  const std::vector<std::byte> found = sample::bytes_of_file(folder / "large");
  EXPECT_TRUE(std::ranges::equal(std::span(found).first(bytes), large));
  EXPECT_EQ(text_of(folder / "large").substr(bytes), "index");
}

TEST(ObjectStore, shortens_an_object_that_a_killed_writer_left_longer) {
  const Folder folder;
  ObjectStore store(folder / "", config::DirectIo::automatic);
  store.put("left.partial", "a text that is much longer", Stable::never);
  store.put("left", "short", Stable::never);
  EXPECT_EQ(text_of(folder / "left"), "short");
}

TEST(ObjectStore, writes_small_objects_and_all_where_direct_is_off_through_the_cache) {
  const Folder folder;
  sample::Agreeing memory(direct_object_bytes, 0);
  const std::span<const std::byte> large(memory.data(), direct_object_bytes);
  ObjectStore off(folder / "", config::DirectIo::off);
  off.put("large", large, Stable::never);
  ObjectStore on(folder / "", config::DirectIo::automatic);
  on.put("small", large.first(direct_object_bytes - 1), Stable::never);
  EXPECT_EQ(off.counts().direct_bytes + on.counts().direct_bytes, 0);
}

TEST(ObjectStore, syncs_what_is_durable_and_each_folder_that_changed_once) {
  const Folder folder;
  ObjectStore store(folder / "", config::DirectIo::automatic);
  store.put("a/b/one", "1", Stable::never);
  EXPECT_EQ(store.counts().syncs, 0);
  store.put("a/b/two", "2", Stable::at_once);
  EXPECT_EQ(store.counts().syncs, 1);
  store.sync_folders();  // the store's own, a, a/b
  EXPECT_EQ(store.counts().syncs, 4);
  store.put("a/b/one", "not durable", Stable::never);
  store.sync_folders();
  EXPECT_EQ(store.counts().syncs, 4);
  store.put("c", "3", Stable::at_once);
  store.sync();
  store.sync_folders();
  EXPECT_EQ(store.counts().syncs, 6);
}

TEST(ObjectStore, relies_on_syncfs_where_it_is_known_to_work) {
  for (const std::int64_t known : {0xEF53L, 0x58465342L, 0x9123683EL, 0xF2F52010L, 0x01021994L, 0x794c7630L})
    EXPECT_TRUE(honours_syncfs(known)) << known;
  // FUSE, NFS, Lustre, GPFS, ramfs, and what is not known.
  for (const std::int64_t other : {0x65735546L, 0x6969L, 0x0BD00BD0L, 0x47504653L, 0x858458f6L, 0L})
    EXPECT_FALSE(honours_syncfs(other)) << other;
}

TEST(ObjectStore, leaves_objects_to_the_sync_of_the_whole_where_that_works) {
  const Folder folder;
  const std::string disk = new_folder(folder / "disk");
  if (::mount("none", disk.c_str(), "tmpfs", 0, "size=256k") != 0) GTEST_SKIP() << "may not mount a small disk";
  {
    ObjectStore store(disk, config::DirectIo::off);
    EXPECT_FALSE(store.syncs_each());
    for (int record = 0; record < 5; ++record) store.put(fmt::format("temp/c/{}", record), "x", Stable::at_sync);
    EXPECT_EQ(store.counts().syncs, 0);
    store.sync();
    EXPECT_EQ(store.counts().syncs, 1);
  }
  EXPECT_EQ(::umount(disk.c_str()), 0);
}

// ramfs stands for all whose syncfs is not known to work.
TEST(ObjectStore, syncs_each_object_and_folder_elsewhere) {
  const Folder folder;
  const std::string disk = new_folder(folder / "disk");
  if (::mount("none", disk.c_str(), "ramfs", 0, "") != 0) GTEST_SKIP() << "may not mount a disk";
  {
    ObjectStore store(disk, config::DirectIo::off);
    EXPECT_TRUE(store.syncs_each());
    store.put("temp/zarr.json", "{}", Stable::never);
    EXPECT_EQ(store.counts().syncs, 0);
    for (int record = 0; record < 5; ++record) store.put(fmt::format("temp/c/{}", record), "x", Stable::at_sync);
    EXPECT_EQ(store.counts().syncs, 5);
    store.sync();  // the store's own, temp, temp/c
    EXPECT_EQ(store.counts().syncs, 8);
    store.sync();
    EXPECT_EQ(store.counts().syncs, 8);
    for (int record = 0; record < 600; ++record) store.put(fmt::format("v/c/{}/0", record), "x", Stable::at_sync);
    EXPECT_GT(store.counts().syncs, 8 + 600 + 500);  // most of their folders, too: they are not kept in mind for ever
  }
  EXPECT_EQ(::umount(disk.c_str()), 0);
}

TEST(ObjectStore, works_with_more_folders_than_it_keeps_open) {
  const Folder folder;
  ObjectStore store(folder / "", config::DirectIo::automatic);
  for (int i = 0; i < 500; ++i) store.put(fmt::format("v/c/{}/0", i), std::to_string(i), Stable::never);
  for (int i = 0; i < 500; ++i) store.put(fmt::format("v/c/{}/1", i % 3), "again", Stable::never);
  store.sync_folders();
  EXPECT_EQ(text_of(folder / "v/c/499/0"), "499");
  EXPECT_EQ(files_in(folder / ""), 503U);
  const auto open = std::distance(fs::directory_iterator("/proc/self/fd"), {});
  EXPECT_LT(open, 200);
}

TEST(ObjectStore, removes_objects_that_may_be_gone_already) {
  const Folder folder;
  ObjectStore store(folder / "", config::DirectIo::automatic);
  store.put("a", "1", Stable::never);
  store.remove("a");
  store.remove("a");
  EXPECT_EQ(files_in(folder / ""), 0U);
}

TEST(ObjectStore, deletes_the_temporaries_of_killed_writers_only) {
  const Folder folder;
  ObjectStore store(folder / "", config::DirectIo::automatic);
  store.put("temp/c/0/1", "kept", Stable::never);
  store.put("temp/c/0/2.partial", "left", Stable::never);
  store.put("x.partial/zarr.json", "kept: a variable may have such a name", Stable::never);
  EXPECT_EQ(remove_temporaries(folder / ""), 1);
  EXPECT_EQ(files_in(folder / ""), 2U);
}

TEST(ObjectStore, names_the_path_of_what_it_cannot_do) {
  const Folder folder;
  sample::expect_error(THALWEG_ERROR_STORAGE, "cannot open '/nowhere/at/all'",
                       [] { ObjectStore("/nowhere/at/all", config::DirectIo::off); });
  ObjectStore store(folder / "", config::DirectIo::off);
  store.put("temp", "a file", Stable::never);
  sample::expect_error(THALWEG_ERROR_STORAGE, "temp/c': Not a directory",
                       [&] { store.put("temp/c/0", "1", Stable::never); });
  store.put("folder/a", "1", Stable::never);
  sample::expect_error(THALWEG_ERROR_STORAGE, "folder': Is a directory",
                       [&] { store.put("folder", "1", Stable::never); });
}

TEST(ObjectStore, on_a_full_disk_says_so_and_leaves_no_half_object) {
  const Folder folder;
  const std::string disk = new_folder(folder / "disk");
  if (::mount("none", disk.c_str(), "tmpfs", 0, "size=256k") != 0) GTEST_SKIP() << "may not mount a small disk";
  {
    ObjectStore store(disk, config::DirectIo::automatic);
    store.put("temp/c/0", "old", Stable::never);
    for (const std::size_t bytes : {std::size_t{300'000}, std::size_t{2'000'000}}) {
      const std::vector<std::byte> large(bytes);
      sample::expect_error(THALWEG_ERROR_STORAGE, "No space left on device; free some space",
                           [&] { store.put("temp/c/0", large, Stable::never); });
      sample::expect_error(THALWEG_ERROR_STORAGE, disk + "/temp/c/0.partial'",
                           [&] { store.put("temp/c/0", large, Stable::never); });
    }
    EXPECT_EQ(text_of(disk + "/temp/c/0"), "old");
    EXPECT_EQ(files_in(disk), 1U);
    store.put("temp/c/1", "there is room again", Stable::never);
  }
  EXPECT_EQ(::umount(disk.c_str()), 0);
}

}  // namespace
}  // namespace thalweg::storage
