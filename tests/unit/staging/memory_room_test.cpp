#include "staging/memory_room.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/error.hpp"

namespace thalweg::staging {
namespace {

namespace fs = std::filesystem;
constexpr std::int64_t room_mib = std::int64_t{1} << 20;

// A machine's /proc and cgroups as files in a folder.
class Machine {
 public:
  Machine() : root_(fs::temp_directory_path() / fmt::format("thalweg-machine-{}", getpid())) {
    write("/proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable: 1024000 kB\nSwapFree: 0 kB\n");
  }
  ~Machine() { fs::remove_all(root_); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  Machine& write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
    return *this;
  }
  Machine& group(const std::string& folder, const std::map<std::string, std::string>& files) {
    for (const auto& [name, text] : files) write(folder + "/" + name, text + "\n");
    return *this;
  }
  MemoryRoom room() const { return memory_room(root_); }

 private:
  std::string root_;
};

Machine& use_version_2(Machine& machine, const std::string& shown, const std::string& group) {
  return machine
      .write("/proc/self/mountinfo", "21 1 0:20 / /proc rw - proc proc rw\n30 25 0:26 " + shown +
                                         " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n")
      .write("/proc/self/cgroup", "0::" + group + "\n");
}

TEST(MemoryRoom, is_what_the_machine_has_available) {
  Machine machine;
  EXPECT_EQ(machine.room().bytes, 1000 * room_mib);
  EXPECT_EQ(machine.room().bound, "the machine has 1000 MiB available and 0 bytes of swap free");
  machine.write("/proc/meminfo", "MemAvailable: 1024000 kB\nSwapFree: 1024 kB\n");
  EXPECT_EQ(machine.room().bytes, 1001 * room_mib);
}

TEST(MemoryRoom, is_not_bounded_where_nothing_is_known) {
  Machine machine;
  machine.write("/proc/meminfo", "");
  EXPECT_EQ(machine.room().bytes, std::numeric_limits<std::int64_t>::max());
}

TEST(MemoryRoom, of_version_2_is_the_least_of_the_group_and_those_above) {
  Machine machine;
  use_version_2(machine, "/", "/slurm/job7/step0")
      .group("/sys/fs/cgroup/slurm/job7/step0", {{"memory.max", "max"}, {"memory.current", "104857600"}})
      .group("/sys/fs/cgroup/slurm/job7", {{"memory.max", "314572800"},
                                           {"memory.current", "209715200"},
                                           {"memory.stat",
                                            "anon 7\nfile 90000000\ninactive_file 10485760\n"
                                            "active_file 1048576\nshmem 79999999"}})
      .group("/sys/fs/cgroup/slurm", {{"memory.max", "3145728000"}, {"memory.current", "209715200"}});
  EXPECT_EQ(machine.room().bytes, 111 * room_mib);
  EXPECT_EQ(machine.room().bound,
            "the memory cgroup '/slurm/job7' allows 300 MiB, of which 200 MiB are used, 11 MiB of them by files in the "
            "cache");
}

TEST(MemoryRoom, of_version_2_has_the_swap_that_the_group_may_use) {
  Machine machine;
  machine.write("/proc/meminfo", "MemAvailable: 1024000 kB\nSwapFree: 102400 kB\n");
  use_version_2(machine, "/", "/job")
      .group("/sys/fs/cgroup/job", {{"memory.max", "104857600"},
                                    {"memory.current", "0"},
                                    {"memory.swap.max", "52428800"},
                                    {"memory.swap.current", "20971520"}});
  EXPECT_EQ(machine.room().bytes, 130 * room_mib);
  machine.write("/sys/fs/cgroup/job/memory.swap.max", "max\n");
  EXPECT_EQ(machine.room().bytes, 200 * room_mib);
}

TEST(MemoryRoom, in_a_container_is_that_of_the_group_that_is_shown_as_the_root) {
  Machine machine;
  const std::map<std::string, std::string> group = {{"memory.max", "104857600"}, {"memory.current", "52428800"}};
  use_version_2(machine, "/docker/4711", "/docker/4711").group("/sys/fs/cgroup", group);
  EXPECT_EQ(machine.room().bytes, 50 * room_mib);
  use_version_2(machine, "/", "/../../elsewhere");
  EXPECT_EQ(machine.room().bytes, 50 * room_mib);
  use_version_2(machine, "/docker/4711", "/of/the/host");
  EXPECT_EQ(machine.room().bytes, 50 * room_mib);
}

TEST(MemoryRoom, of_version_1_is_that_of_the_hierarchy_of_memory) {
  Machine machine;
  machine
      .write("/proc/self/mountinfo",
             "30 25 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
             "31 25 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
             "32 25 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n")
      .write("/proc/self/cgroup", "5:cpu:/\n4:memory:/job\n0::/\n")
      .group("/sys/fs/cgroup/memory/job", {{"memory.limit_in_bytes", "209715200"},
                                           {"memory.usage_in_bytes", "104857600"},
                                           {"memory.stat",
                                            "inactive_file 1\ntotal_inactive_file 1048576\n"
                                            "total_active_file 1048576"}})
      .group("/sys/fs/cgroup/memory",
             {{"memory.limit_in_bytes", "9223372036854771712"}, {"memory.usage_in_bytes", "904857600"}});
  EXPECT_EQ(machine.room().bytes, 102 * room_mib);
  machine.write("/proc/meminfo", "MemAvailable: 1024000 kB\nSwapFree: 102400 kB\n");
  EXPECT_EQ(machine.room().bytes, 202 * room_mib);
  machine.group("/sys/fs/cgroup/memory/job",
                {{"memory.memsw.limit_in_bytes", "209715200"}, {"memory.memsw.usage_in_bytes", "104857600"}});
  EXPECT_EQ(machine.room().bytes, 102 * room_mib);
}

TEST(MemoryRoom, that_is_too_little_says_what_to_set) {
  const MemoryRoom room{100 * room_mib, "the machine is small"};
  EXPECT_NO_THROW(require_room(room, 91 * room_mib, 4));
  try {
    require_room(room, 92 * room_mib, 4);  // the tables of four ranks are too much
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_MEMORY);
    EXPECT_STREQ(
        error.what(),
        "staging: the blocks of this node take 92 MiB (96468992 bytes), and with tables to map them in 4 "
        "ranks, and 2 MiB for each rank, more than the 100 MiB that are left: the machine is small; set "
        "'staging: 91 MiB' or less, 'staging-folder' to a disk of the node, ask for more memory, or use more nodes");
  }
}

}  // namespace
}  // namespace thalweg::staging
