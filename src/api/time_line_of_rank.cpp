#include "api/time_line_of_rank.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/fingerprint.hpp"
#include "base/host_name.hpp"

namespace thalweg::api {

profile::RankOfLine line_of_rank(session::Session& session) {
  const session::Core& core = session.core();
  return {.rank = core.roles->rank,
          .node = core.roles->node,
          .host = host_name(),
          .is_server = !core.roles->is_client(),
          .start_s = core.measured.start_s,
          .end_s = now_s()};
}

std::int64_t number_of_clock() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  const std::string boot{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::error_code unknown;
  Fingerprint number;
  number.add(boot);
  number.add(std::filesystem::read_symlink("/proc/self/ns/time", unknown).string());
  return static_cast<std::int64_t>(number.value());
}

}  // namespace thalweg::api
