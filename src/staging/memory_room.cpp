#include "staging/memory_room.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "staging/budget.hpp"

namespace thalweg::staging {
namespace {

// Each rank maps every page, which takes an entry of 8 bytes for each of 4096.
constexpr std::int64_t pages_of_entries = 512;
// What it takes for itself from then on: stacks of threads, buffers of libraries. Whoever has less is killed.
constexpr std::int64_t own_bytes_of_rank = std::int64_t{2} << 20;

using Numbers = std::map<std::string, std::int64_t>;

// Lines of a name and a number: "MemAvailable:  123 kB", "inactive_file 4096".
Numbers numbers_in(const std::string& path) {
  Numbers numbers;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, unit;
    std::int64_t value = 0;
    if (!(words >> name >> value)) continue;
    if (name.ends_with(':')) name.pop_back();
    numbers[name] = words >> unit && unit == "kB" ? value * 1024 : value;
  }
  return numbers;
}

std::int64_t value_in(const Numbers& numbers, const std::string& name) {
  const auto found = numbers.find(name);
  return found == numbers.end() ? 0 : found->second;
}

// Nothing: there is no such file, or it says "max".
std::optional<std::int64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

// The files of a memory cgroup, which the two versions call differently.
struct Version {
  std::string file_system;
  std::string limit, used, inactive, active, swap_limit, swap_used;
  bool swap_holds_memory;  // limit and use of swap are those of memory and swap together
};

const Version versions[] = {
    {"cgroup2", "memory.max", "memory.current", "inactive_file", "active_file", "memory.swap.max",
     "memory.swap.current", false},
    {"cgroup", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "total_active_file",
     "memory.memsw.limit_in_bytes", "memory.memsw.usage_in_bytes", true},
};

// Where a hierarchy is mounted, and which of its groups the mount shows as its root.
struct Mount {
  std::string shown;
  std::string point;
};

std::optional<Mount> mount_of(const Version& version, const std::string& root) {
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t middle = line.find(" - ");
    if (middle == std::string::npos) continue;
    std::istringstream first(line), second(line.substr(middle + 3));
    std::string skipped, type, source, options;
    Mount mount;
    first >> skipped >> skipped >> skipped >> mount.shown >> mount.point;
    second >> type >> source >> options;
    const bool is_memory = type == "cgroup2" || fmt::format(",{},", options).find(",memory,") != std::string::npos;
    if (type == version.file_system && is_memory) return mount;
  }
  return std::nullopt;
}

// The group of this process: of lines such as "0::/user/job" and "4:memory:/job" the one of the hierarchy.
std::optional<std::string> group_of(const Version& version, const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    const bool is_two = line.starts_with("0::");
    if (version.file_system == "cgroup2" ? is_two : controllers.find(",memory,") != std::string::npos)
      return line.substr(second + 1);
  }
  return std::nullopt;
}

// Within a container the mount may show nothing above the process's own group, under whatever name.
std::string below_mount(const std::string& group, const Mount& mount) {
  const std::string shown = mount.shown == "/" ? "" : mount.shown;
  if (!group.starts_with(shown) || group.find("..") != std::string::npos) return "";
  const std::string below = group.substr(shown.size());
  return below == "/" ? "" : below;
}

// What swap adds to the room of a group.
std::int64_t swap_room(const Version& version, const std::string& folder, std::int64_t memory, std::int64_t free) {
  const auto limit = number_in(folder + "/" + version.swap_limit);
  if (!limit) return free;
  const std::int64_t left = *limit - number_in(folder + "/" + version.swap_used).value_or(0);
  return std::clamp(version.swap_holds_memory ? left - memory : left, std::int64_t{0}, free);
}

void look_at_group(const Version& version, const std::string& folder, const std::string& name, std::int64_t swap_free,
                   MemoryRoom& room) {
  const auto limit = number_in(folder + "/" + version.limit);
  const auto used = number_in(folder + "/" + version.used);
  if (!limit || !used) return;
  const Numbers statistics = numbers_in(folder + "/memory.stat");
  const std::int64_t cached = value_in(statistics, version.inactive) + value_in(statistics, version.active);
  const std::int64_t memory = *limit - *used;
  const std::int64_t bytes = std::max(std::int64_t{0}, memory + cached + swap_room(version, folder, memory, swap_free));
  if (bytes >= room.bytes) return;
  room = {bytes, fmt::format("the memory cgroup '{}' allows {}, of which {} are used, {} of them by files in the cache",
                             name.empty() ? "/" : name, readable_bytes(*limit), readable_bytes(*used),
                             readable_bytes(cached))};
}

// A group is bound by all above it.
void look_at_groups(const Version& version, const std::string& root, std::int64_t swap_free, MemoryRoom& room) {
  const auto mount = mount_of(version, root);
  const auto group = group_of(version, root);
  if (!mount || !group) return;
  for (std::string below = below_mount(*group, *mount);; below.resize(below.rfind('/'))) {
    look_at_group(version, root + mount->point + below, below, swap_free, room);
    if (below.empty()) return;
  }
}

}  // namespace

MemoryRoom memory_room(const std::string& root) {
  MemoryRoom room;
  const Numbers machine = numbers_in(root + "/proc/meminfo");
  const std::int64_t swap_free = value_in(machine, "SwapFree");
  if (machine.contains("MemAvailable")) {
    const std::int64_t available = machine.at("MemAvailable");
    room = {available + swap_free, fmt::format("the machine has {} available and {} of swap free",
                                               readable_bytes(available), readable_bytes(swap_free))};
  }
  for (const Version& version : versions) look_at_groups(version, root, swap_free, room);
  return room;
}

bool has_room(const MemoryRoom& room, std::int64_t bytes, std::int64_t ranks) {
  return bytes / pages_of_entries * (pages_of_entries + ranks) <= room.bytes - ranks * own_bytes_of_rank;
}

void require_room(const MemoryRoom& room, std::int64_t bytes, std::int64_t ranks) {
  if (has_room(room, bytes, ranks)) return;
  const std::int64_t rest = std::max<std::int64_t>(0, room.bytes - ranks * own_bytes_of_rank);
  const std::int64_t possible = rest / (pages_of_entries + ranks) * pages_of_entries;
  fail(THALWEG_ERROR_MEMORY,
       "staging: the blocks of this node take {} ({} bytes), and with tables to map them in {} ranks, and {} for "
       "each rank, more than the {} that are left: {}; set 'staging: {} MiB' or less, 'staging-folder' to a disk of "
       "the node, ask for more memory, or use more nodes",
       readable_bytes(bytes), bytes, ranks, readable_bytes(own_bytes_of_rank), readable_bytes(room.bytes), room.bound,
       possible >> 20);
}

}  // namespace thalweg::staging
