#include "staging/shared_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include "error_of.hpp"

namespace thalweg::staging {
namespace {

constexpr std::int64_t size = 3 * 4096 + 100;

TEST(SharedMemory, is_zero_and_starts_at_a_page) {
  const SharedMemory memory = SharedMemory::create(size);
  EXPECT_EQ(memory.bytes(), size);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 4096, 0U);
  EXPECT_TRUE(std::all_of(memory.data(), memory.data() + size, [](std::byte b) { return b == std::byte{0}; }));
}

TEST(SharedMemory, shows_what_one_side_writes_to_the_other) {
  const SharedMemory made = SharedMemory::create(size);
  const SharedMemory attached = SharedMemory::attach(made.ticket());
  ASSERT_NE(made.data(), attached.data());
  EXPECT_EQ(attached.bytes(), size);
  std::strcpy(reinterpret_cast<char*>(made.data()) + size - 10, "there");
  EXPECT_STREQ(reinterpret_cast<const char*>(attached.data()) + size - 10, "there");
  std::strcpy(reinterpret_cast<char*>(attached.data()), "back");
  EXPECT_STREQ(reinterpret_cast<const char*>(made.data()), "back");
}

TEST(SharedMemory, outlives_its_maker_in_who_attached_to_it) {
  SharedMemory made = SharedMemory::create(size);
  const SharedMemory attached = SharedMemory::attach(made.ticket());
  made.data()[5] = std::byte{9};
  made = SharedMemory();
  EXPECT_EQ(made.data(), nullptr);
  EXPECT_EQ(attached.data()[5], std::byte{9});
}

TEST(SharedMemory, has_no_name_that_a_killed_job_could_leave_behind) {
  const SharedMemory memory = SharedMemory::create(size);
  const Ticket ticket = memory.ticket();
  EXPECT_EQ(ticket.pid, getpid());
  const std::string link = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(ticket.descriptor));
  EXPECT_TRUE(link.starts_with("/memfd:thalweg-staging")) << link;
  EXPECT_NE(link.find("(deleted)"), std::string::npos) << link;
}

TEST(SharedMemory, moves_without_copy_and_closes_once) {
  SharedMemory first = SharedMemory::create(size);
  std::byte* const data = first.data();
  SharedMemory second = std::move(first);
  EXPECT_EQ(second.data(), data);
  second.data()[1] = std::byte{4};
  SharedMemory third = SharedMemory::create(4096);
  const std::int64_t replaced = third.ticket().descriptor;
  third = std::move(second);
  EXPECT_EQ(third.data()[1], std::byte{4});
  EXPECT_EQ(third.bytes(), size);
  EXPECT_FALSE(std::filesystem::exists("/proc/self/fd/" + std::to_string(replaced)));
}

TEST(SharedMemory, keeps_its_content_when_its_pages_are_made_and_mapped_early) {
  const SharedMemory memory = SharedMemory::create(1 << 20);
  memory.data()[5000] = std::byte{7};
  memory.allocate(4097, 100'000);
  memory.map(1, (1 << 20) - 1);
  EXPECT_EQ(memory.data()[5000], std::byte{7});
  EXPECT_EQ(memory.data()[6000], std::byte{0});
}

TEST(SharedMemory, that_cannot_be_had_names_the_setting_to_lower) {
  const std::string text = error_of(THALWEG_ERROR_MEMORY, [] { SharedMemory::create(std::int64_t{1} << 60); });
  EXPECT_NE(text.find("1152921504606846976 bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("lower 'staging'"), std::string::npos) << text;
}

TEST(SharedMemory, of_another_container_names_the_path_it_looked_at) {
  const std::string text = error_of(THALWEG_ERROR_MEMORY, [] { SharedMemory::attach({getpid(), 99'999, 4096}); });
  EXPECT_NE(text.find("/proc/" + std::to_string(getpid()) + "/fd/99999"), std::string::npos) << text;
  EXPECT_NE(text.find("must see each other in /proc"), std::string::npos) << text;
}

// In a process of its own, whose limit for the size of files is far below what it asks for.
TEST(SharedMemory, is_had_where_no_file_may_be_so_large_and_leaves_nothing_behind) {
  const auto share_under_limit = [] {
    const rlimit limit{65536, 65536};
    setrlimit(RLIMIT_FSIZE, &limit);
    const SharedMemory made = SharedMemory::create(8 << 20);
    made.allocate(0, 8 << 20);
    std::strcpy(reinterpret_cast<char*>(made.data()) + (8 << 20) - 10, "there");
    const Ticket ticket = made.ticket();
    const pid_t other = fork();
    if (other == 0) {
      const SharedMemory attached = SharedMemory::attach(ticket);
      std::strcpy(reinterpret_cast<char*>(attached.data()), reinterpret_cast<char*>(attached.data()) + (8 << 20) - 10);
      _exit(0);
    }
    int status = 1;
    waitpid(other, &status, 0);
    const bool is_shared = std::strcmp(reinterpret_cast<char*>(made.data()), "there") == 0;
    shmid_ds state{};
    const bool goes_with_us = shmctl(static_cast<int>(ticket.segment), IPC_STAT, &state) == 0 &&
                              (state.shm_perm.mode & SHM_DEST) != 0 && state.shm_nattch == 1;
    _exit(status == 0 && is_shared && goes_with_us ? 0 : 1);
  };
  EXPECT_EXIT(share_under_limit(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace thalweg::staging
