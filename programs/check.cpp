// thalweg-check: reads and checks a configuration as a session does, without MPI, and says what would come of it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/calendar.hpp"
#include "base/error.hpp"
#include "check_report.hpp"
#include "command.hpp"
#include "config/fitting.hpp"
#include "config/notes.hpp"
#include "config/parse_value.hpp"
#include "config/settings.hpp"
#include "files/record_schedule.hpp"
#include "roles/assignment.hpp"
#include "roles/roles.hpp"

using namespace thalweg;
using nlohmann::ordered_json;

namespace {

struct Request {
  std::string file;
  std::vector<std::string> arguments{"./model"};  // the model's command line
  std::int64_t ranks = 0;                         // 0: not said
  std::int64_t ranks_per_node = 0;
  std::int64_t records = 3;
  bool all_settings = false;
  bool json = false;
};

// The model's own way through its steps, up to the last record that is asked for. A collection with rare records
// would take it far: what is not due within so many steps is left out.
ordered_json first_records(const config::CollectionSettings& collection, const config::Settings& settings,
                           std::int64_t wanted) {
  constexpr std::int64_t steps_tried = 2'000'000;
  files::RecordSchedule schedule(collection, settings);
  // The program says when, or steps need not meet the ends of intervals.
  if (collection.has_records_by_call() || collection.every.is_run) return ordered_json::array();
  const double step_s = settings.time_step_s > 0.0 ? settings.time_step_s : 1.0;  // only steps count then
  ordered_json records = ordered_json::array();
  std::string file;
  for (std::int64_t step = collection.initial_record ? 0 : 1; step <= steps_tried && std::ssize(records) < wanted;
       ++step) {
    const double time_s = static_cast<double>(step) * step_s;
    const files::Upcoming upcoming = schedule.upcoming();
    if (upcoming.opens_file) file = upcoming.file_name;
    if (upcoming.due) {
      ordered_json record = {{"record", upcoming.record}, {"step", step}, {"file", file}};
      if (settings.time_step_s > 0.0) record["date"] = to_string(schedule.origin().date_at(time_s));
      records.push_back(record);
    }
    schedule.advance(time_s);
  }
  return records;
}

// What they are gathered over ends whenever steps come to it.
ordered_json first_intervals(const config::CollectionSettings& collection, const config::Settings& settings,
                             std::int64_t wanted) {
  files::RecordSchedule schedule(collection, settings);
  schedule.set_run_time(0.0);
  const auto date = [&](double time_s) { return to_string(schedule.origin().date_at(time_s)); };
  ordered_json records = ordered_json::array();
  std::string file;
  while (std::ssize(records) < wanted && std::isfinite(schedule.interval()->end_s())) {
    const files::Upcoming upcoming = schedule.upcoming();
    if (upcoming.opens_file) file = upcoming.file_name;
    const double begin_s = schedule.interval()->begin_s(), end_s = schedule.interval()->end_s();
    records.push_back({{"record", upcoming.record}, {"begin", date(begin_s)}, {"end", date(end_s)}, {"file", file}});
    schedule.close(end_s);
  }
  return records;
}

ordered_json collections_of(const config::Settings& settings, std::int64_t records, std::vector<std::string>& errors) {
  ordered_json all = ordered_json::array();
  for (const auto& [name, collection] : settings.collections) {
    ordered_json one = {{"name", name}};
    one["on_demand"] = collection.is_on_demand();
    one["at_end"] = collection.every.is_run;
    if (collection.has_statistics()) one["gathered_every"] = thalweg::config::format_interval(collection.every);
    try {
      one["records"] = collection.has_statistics() ? first_intervals(collection, settings, records)
                                                   : first_records(collection, settings, records);
    } catch (const Error& error) {
      errors.emplace_back(error.what());
    }
    all.push_back(one);
  }
  return all;
}

// What the program would meet where it opens a collection of its own.
void check_defaults(const config::Settings& settings, std::vector<std::string>& errors) {
  try {
    files::RecordSchedule(settings.new_collection("NAME"), settings);
  } catch (const Error& error) {
    errors.emplace_back(error.what());
  }
}

std::vector<int> nodes_of(const Request& request, const config::Settings& settings) {
  std::vector<int> node_of = config::fitting(settings, "emulate-nodes", [&] {
    return roles::emulated_nodes(static_cast<int>(request.ranks), settings.emulate_nodes);
  });
  if (settings.emulate_nodes.empty() && request.ranks_per_node > 0)
    for (std::size_t rank = 0; rank < node_of.size(); ++rank)
      node_of[rank] = static_cast<int>(static_cast<std::int64_t>(rank) / request.ranks_per_node);
  return node_of;
}

const char* name_of(roles::Role role) {
  return role == roles::Role::client ? "client" : role == roles::Role::server ? "server" : "idle";
}

ordered_json roles_of(const Request& request, config::Settings settings) {
  settings.complete_launch(
      {.count = request.ranks, .of_largest_node = request.ranks_per_node > 0 ? request.ranks_per_node : request.ranks});
  const std::vector<int> node_of = nodes_of(request, settings);
  const std::vector<roles::Member> members =
      config::fitting(settings, "writers", [&] { return roles::assign(node_of, roles::placement_of(settings)); });
  ordered_json ranks = ordered_json::array();
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    const roles::Member& member = members[rank];
    ranks.push_back({{"rank", rank},
                     {"node", node_of[rank]},
                     {"role", name_of(member.role)},
                     {"writes", member.writes},
                     {"group", member.group}});
  }
  return ranks;
}

ordered_json settings_of(const config::Settings& settings) {
  ordered_json lines = ordered_json::array();
  for (const config::Effective& line : settings.effective)
    lines.push_back({{"key", line.key}, {"value", line.value}, {"origin", line.origin}});
  return lines;
}

// All errors that a session would meet one after the other.
ordered_json check(const Request& request) {
  ordered_json result;
  std::vector<std::string> errors;
  try {
    const config::Settings settings = config::load_file(request.file, request.arguments);
    config::log_notes(settings);
    result["settings"] = settings_of(settings);
    result["collections"] = collections_of(settings, request.records, errors);
    result["defaults"] = settings.has_defaults_alone();
    if (settings.has_defaults_alone()) check_defaults(settings, errors);
    if (request.ranks > 0) result["ranks"] = roles_of(request, settings);
  } catch (const Error& error) {
    errors.emplace_back(error.what());
  }
  result["errors"] = errors;
  return result;
}

int run(const Request& request) {
  const ordered_json found = check(request);
  const bool right = found["errors"].empty();
  if (request.json) {
    // A name in the file need not be UTF-8.
    std::printf("%s\n", found.dump(1, ' ', false, ordered_json::error_handler_t::replace).c_str());
  } else if (right) {
    std::printf("%s: no errors\n%s", request.file.c_str(), report_of(found, request.all_settings).c_str());
  } else {
    std::fprintf(stderr, "%s", faults_of(found, request.file).c_str());
  }
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Command command(
      "thalweg-check",
      "Reads a configuration as a session does, environment included, and says all errors; without errors the "
      "settings in force with their origin, the first records of each collection with their files, and, with "
      "--ranks, who does what. Needs no MPI.",
      "Options behind '--' are the program's own; with 'command-line: pfio' PFIO's are read among them. The "
      "exit code is 0 without errors, and 1 with some.");
  Request request;
  command.require("CONFIG.yaml", request.file, "the configuration");
  command.positive("--ranks", request.ranks, "ranks of the session");
  command.positive("--ranks-per-node", request.ranks_per_node, "ranks of each node; all on one unless said");
  command.positive("--records", request.records, "records of each collection to print, 3 unless said");
  command.flag("--all", request.all_settings, "also settings that have their default");
  command.flag("--json", request.json, "say it as JSON");
  const auto own = static_cast<int>(std::find(argv, argv + argc, std::string_view("--")) - argv);
  if (const auto code = command.read(own, argv)) return *code;
  if (own < argc) request.arguments.insert(request.arguments.end(), argv + own + 1, argv + argc);
  try {
    return run(request);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "thalweg-check: %s\n", error.what());
    return 2;
  }
}
