// With `command-line: pfio` the program's own command line prevails over file and environment. It is read from the
// system, so that a model of any language has nothing to hand over.
#include <fstream>

#include "base/error.hpp"
#include "config/draft.hpp"
#include "config/pfio_options.hpp"

namespace thalweg::config {
namespace {

// How large nodes are is not known here: a server that is counted in ranks is taken to fit into one. Who knows it
// asks server_nodes() again.
constexpr std::int64_t cores_of_a_large_node = std::int64_t{1} << 30;

std::vector<std::string> arguments_of_process() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  if (arguments.empty())
    fail(THALWEG_ERROR_CONFIG,
         "command-line: pfio: /proc/self/cmdline cannot be read; set command-line: none, and writers by hand");
  return arguments;
}

bool is_number_of_servers(const std::string& key) {
  return key.starts_with("writers.ranks.") || key.starts_with("writers.nodes.");
}

// As the check of the whole will settle it: a word prevails over numbers.
bool any_servers(const Draft& draft) {
  if (draft.where.contains("writers.place")) return has_servers(draft.settings.writers);
  for (const auto& [key, where] : draft.where)
    if (is_number_of_servers(key)) return true;
  return false;
}

void set_servers_of_ranks(Draft& draft, const PfioLaunch& launch, const Where& where) {
  draft.settings.writers = Writers::ranks;
  draft.settings.server_ranks.count = launch.output.sizes.front();
  draft.where["writers.ranks.count"] = where;
}

void set_servers_of_nodes(Draft& draft, const PfioOptions& options, const Where& where) {
  draft.settings.writers = Writers::nodes;
  draft.settings.server_nodes = server_nodes(options.launch, cores_of_a_large_node);
  draft.where["writers.nodes.count"] = where;
  if (!draft.settings.server_nodes.groups.empty()) draft.where["writers.nodes.groups"] = where;
  if (options.launch.backends_per_node == 0) return;
  const Where& backends = options.where.at("--npes_backend_pernode");
  draft.where["writers.nodes.backends-per-node"] = backends;
  if (draft.where.contains("writers.assign")) return;
  draft.settings.assign = Assign::idle;  // as PFIO's captain does
  draft.where["writers.assign"] = backends;
}

// All that file and environment say about servers gives way.
void set_servers(Draft& draft, const PfioOptions& options) {
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

void apply(const PfioOptions& options, Draft& draft) {
  const PfioLaunch& launch = options.launch;
  if (!launch.output.sizes.empty()) set_servers(draft, options);
  // Without servers all ranks are the model's, whatever their number.
  if (launch.npes_model > 0 && any_servers(draft)) {
    draft.settings.clients = launch.npes_model;
    draft.where["writers.clients"] = options.where.at("--npes_model");
  }
  if (launch.fast_client) {
    draft.settings.send = *launch.fast_client ? Send::fast : Send::wait;
    draft.where["send"] = options.where.at("--fast_oclient");
  }
  if (launch.profiler) {
    draft.settings.report = Report::pfio;
    draft.where["report"] = options.where.at("--with_io_profiler");
  }
}

}  // namespace

void take_command_line(Draft& draft, const std::vector<std::string>& arguments) {
  const PfioOptions options = read_pfio_options(arguments, draft.faults);
  apply(options, draft);
  draft.settings.pfio = options.launch;
  // Beside servers of the file the size of the model is a setting as any other, and not for PFIO's arithmetic.
  if (options.launch.output.sizes.empty() && any_servers(draft)) draft.settings.pfio->npes_model = 0;
}

void read_command_line(Draft& draft) {
  if (draft.settings.command_line == CommandLine::pfio) take_command_line(draft, arguments_of_process());
}

}  // namespace thalweg::config
