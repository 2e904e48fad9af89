#include "api/publish_report.hpp"

#include <fmt/ranges.h>

#include "api/replace_json.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "compat/registry.hpp"
#include "transport/collective.hpp"

namespace thalweg::api {
namespace {

std::vector<std::string> effective_lines(const config::Settings& settings) {
  std::vector<std::string> lines;
  for (const config::Effective& effective : settings.effective)
    lines.push_back(fmt::format("{} = {} ({})", effective.key, effective.value, effective.origin));
  return lines;
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
    replace_json(settings.profile, profile::all_to_json(reports, effective_lines(settings)) + "\n", "profile");
  } catch (const Error& error) {
    log::warning("cannot write the profile: {}", error.what());
  }
}

}  // namespace thalweg::api
