#include "profile/memory.hpp"

#include <sys/resource.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

namespace thalweg::profile {

std::optional<std::int64_t> high_water_in(std::string_view status) {
  constexpr std::string_view key = "\nVmHWM:";
  const std::size_t found = status.find(key);
  if (found == std::string_view::npos) return std::nullopt;
  const std::size_t begin = status.find_first_not_of(" \t", found + key.size());
  if (begin == std::string_view::npos) return std::nullopt;
  std::int64_t kibibytes = 0;
  const auto [end, fault] = std::from_chars(status.data() + begin, status.data() + status.size(), kibibytes);
  const bool is_in_kibibytes = std::string_view(end, status.data() + status.size()).starts_with(" kB");
  if (fault != std::errc() || !is_in_kibibytes) return std::nullopt;
  return kibibytes * 1024;
}

std::int64_t memory_high_water() {
  std::ifstream file("/proc/self/status");
  const std::string status(std::istreambuf_iterator<char>(file), {});
  if (const auto told = high_water_in(status)) return *told;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return std::int64_t{used.ru_maxrss} * 1024;
}

}  // namespace thalweg::profile
