#include "api/publish_report.hpp"

#include <fstream>

#include "base/log.hpp"
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

void publish_report(const client::Session& session, const profile::Report& own) {
  const config::Settings& settings = session.settings();
  if (settings.report == config::Report::none && settings.profile.empty()) return;
  const MPI_Comm comm = session.comm_at_end();
  if (comm == MPI_COMM_NULL) return;
  const std::vector<std::string> texts = transport::gather_texts(comm, profile::to_json(own));
  if (texts.empty()) return;
  std::vector<profile::Report> reports;
  for (const std::string& text : texts) reports.push_back(profile::from_json(text));
  if (settings.report == config::Report::table) log::note("{}", profile::table(reports));
  if (settings.report == config::Report::pfio) log::note("{}", profile::pfio_table(reports));
  if (settings.profile.empty()) return;
  std::ofstream file(settings.profile);
  file << profile::all_to_json(reports, effective_lines(settings)) << '\n';
  if (!file) log::warning("cannot write the profile '{}'", settings.profile);
}

}  // namespace thalweg::api
