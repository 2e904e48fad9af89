#include "api/publish_report.hpp"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <span>

#include "base/error.hpp"
#include "base/log.hpp"
#include "compat/registry.hpp"
#include "formats/replacing.hpp"
#include "storage/posix.hpp"
#include "storage/publish.hpp"
#include "transport/collective.hpp"

namespace thalweg::api {
namespace {

std::vector<std::string> effective_lines(const config::Settings& settings) {
  std::vector<std::string> lines;
  for (const config::Effective& effective : settings.effective)
    lines.push_back(fmt::format("{} = {} ({})", effective.key, effective.value, effective.origin));
  return lines;
}

void require_profile(const std::string& path) {
  const auto there = storage::identity_at(path);
  if (!there) return;
  const storage::Descriptor file = storage::open_file(path, O_RDONLY);
  std::byte first{};
  if (storage::read_all(file, path, 0, std::span(&first, 1)) == 1 && first != std::byte{'{'})
    fail(THALWEG_ERROR_STORAGE, "'{}' is no profile, so it is not replaced; name another file", path);
}

// An earlier profile is replaced as a whole, and no link is followed.
void write_profile(const std::string& path, const std::string& text) {
  require_profile(path);
  const std::string growing = fmt::format("{}.{}.partial", path, ::getpid());
  {
    storage::Descriptor file = storage::open_file(growing, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY);
    storage::write_all(file, growing, 0, std::as_bytes(std::span(text)));
    file.close(growing);
  }
  storage::publish(growing, path, *storage::identity_at(growing), false, formats::require_replaceable);
}

}  // namespace

void publish_report(const session::Session& session, const profile::Report& own) {
  const config::Settings& settings = session.settings();
  const roles::Circle circle = session.circle_at_end();
  if (circle.comm() == MPI_COMM_NULL) return;
  const bool is_silent = !settings.report.prints && settings.profile.empty();
  if (is_silent && transport::sum(circle, profile::count_doubts(own)) == 0) return;
  const std::vector<std::string> texts = transport::gather_texts(circle, profile::to_json(own));
  if (texts.empty()) return;
  std::vector<profile::Report> reports;
  for (const std::string& text : texts) reports.push_back(profile::from_json(text));
  if (const std::vector<std::string> doubts = profile::doubts(reports); !doubts.empty())
    log::warning("in the output of this run\n  {}", fmt::join(doubts, "\n  "));
  if (settings.report.prints) {
    const config::Dialect as = settings.report.as;
    log::note("{}", as ? compat::row_of(as).table(reports) : profile::table(reports));
  }
  if (settings.profile.empty()) return;
  try {
    write_profile(settings.profile, profile::all_to_json(reports, effective_lines(settings)) + "\n");
  } catch (const Error& error) {
    log::warning("cannot write the profile: {}", error.what());
  }
}

}  // namespace thalweg::api
