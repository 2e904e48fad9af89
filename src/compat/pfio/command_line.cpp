#include "compat/pfio/command_line.hpp"

#include "base/error.hpp"
#include "compat/pfio/arithmetic.hpp"
#include "compat/pfio/options.hpp"
#include "compat/pfio/row.hpp"

namespace thalweg::compat::pfio {
namespace {

using config::Draft;
using config::Where;

// How large nodes are is not known here: a server that is counted in ranks is taken to fit into one, until apply().
constexpr std::int64_t cores_of_a_large_node = std::int64_t{1} << 30;

bool is_number_of_servers(const std::string& key) {
  return key.starts_with("writers.ranks.") || key.starts_with("writers.nodes.");
}

// As the check of the whole will settle it: a word prevails over numbers.
bool any_servers(const Draft& draft) {
  if (draft.where.contains("writers.place")) return config::has_servers(draft.settings.writers);
  for (const auto& [key, where] : draft.where)
    if (is_number_of_servers(key)) return true;
  return false;
}

void set_servers_of_ranks(Draft& draft, const Launch& launch, const Where& where) {
  draft.settings.writers = config::Writers::ranks;
  draft.settings.server_ranks.count = launch.output.sizes.front();
  draft.where["writers.ranks.count"] = where;
}

void set_servers_of_nodes(Draft& draft, const Options& options, const Where& where) {
  draft.settings.writers = config::Writers::nodes;
  draft.settings.server_nodes = server_nodes(options.launch, cores_of_a_large_node);
  draft.where["writers.nodes.count"] = where;
  if (!draft.settings.server_nodes.groups.empty()) draft.where["writers.nodes.groups"] = where;
  if (options.launch.backends_per_node == 0) return;
  const Where& backends = options.where.at("--npes_backend_pernode");
  draft.where["writers.nodes.backends-per-node"] = backends;
  if (draft.where.contains("writers.assign")) return;
  draft.settings.assign = config::writer_policy("idle");  // as PFIO's captain does
  draft.where["writers.assign"] = backends;
}

// All that file and environment say about servers gives way.
void set_servers(Draft& draft, const Options& options) {
  std::erase_if(draft.where, [](const auto& entry) { return is_number_of_servers(entry.first); });
  draft.settings.server_ranks = {};
  draft.settings.server_nodes = {};
  const auto nodes = options.where.find("--nodes_output_server");
  const Where& where = nodes != options.where.end() ? nodes->second : options.where.at("--npes_output_server");
  draft.where["writers.place"] = where;
  if (options.launch.isolate)
    set_servers_of_nodes(draft, options, where);
  else
    set_servers_of_ranks(draft, options.launch, where);
}

void apply(const Options& options, Draft& draft) {
  const Launch& launch = options.launch;
  if (!launch.output.sizes.empty()) set_servers(draft, options);
  // Without servers all ranks are the model's, whatever their number.
  if (launch.npes_model > 0 && any_servers(draft)) {
    draft.settings.clients = launch.npes_model;
    draft.where["writers.clients"] = options.where.at("--npes_model");
  }
  if (launch.fast_client) {
    draft.settings.send = *launch.fast_client ? config::Send::fast : config::Send::wait;
    draft.where["send"] = options.where.at("--fast_oclient");
  }
  if (launch.profiler) {
    draft.settings.report = {.prints = true, .as = row.description};
    draft.where["report"] = options.where.at("--with_io_profiler");
  }
}

// PFIO's own driver splits the job among the members; here that is the model's.
void check_members(const Launch& launch, const config::LaunchedRanks& ranks) {
  if (launch.members > 1 && ranks.are_whole_job)
    fail(THALWEG_ERROR_CONFIG,
         "command-line: --n_members {}, but one session has all ranks of the job, npes = {}: split them by "
         "MPI_Comm_split and start a session with each part, or leave --n_members out",
         launch.members, ranks.count);
}

void check_launch(const Launch& launch, const config::LaunchedRanks& ranks) {
  check_members(launch, ranks);
  const std::string problem = launch_problem(launch, ranks.count, ranks.of_largest_node);
  if (problem.empty()) return;
  if (launch.near_misses.empty()) fail(THALWEG_ERROR_CONFIG, "command-line: {}", problem);
  fail(THALWEG_ERROR_CONFIG, "{}As it is: {}", launch.near_misses, problem);
}

// What remains when it is known which ranks there are.
void apply(const Launch& launch, config::Settings& settings, const config::LaunchedRanks& ranks) {
  check_launch(launch, ranks);
  if (settings.writers == config::Writers::nodes && !launch.output.sizes.empty())
    settings.server_nodes = server_nodes(launch, ranks.of_largest_node);
}

}  // namespace

void take_options(Draft& draft, const std::vector<std::string>& arguments) {
  const Options options = read_options(arguments, draft.faults);
  apply(options, draft);
  Launch launch = options.launch;
  // Beside servers of the file the size of the model is a setting as any other, and not for PFIO's arithmetic.
  if (launch.output.sizes.empty() && any_servers(draft)) launch.npes_model = 0;
  draft.settings.launch = {.apply = [launch](config::Settings& settings, const config::LaunchedRanks& ranks) {
    apply(launch, settings, ranks);
  }};
  draft.settings.notes = launch.notes;
}

}  // namespace thalweg::compat::pfio
