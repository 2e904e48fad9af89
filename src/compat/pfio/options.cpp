#include "compat/pfio/options.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/box.hpp"
#include "compat/pfio/arguments.hpp"
#include "config/values.hpp"

namespace thalweg::compat::pfio {
namespace {

using config::BadValue;
using config::count_between;
using config::Diagnostics;
using config::Node;
using config::one_of;
using config::Values;
using Sizes = std::vector<std::int64_t>;

// Beyond every machine, and small enough that products of a few cannot overflow.
constexpr std::int64_t most_ranks = 10'000'000;
constexpr std::int64_t most_servers = 1'000'000;

Values<bool> truth_or_fortran() {
  return one_of<bool>({{"true", true}, {"false", false}}, {{".true.", true}, {".false.", false}});
}

enum class ServerType { both, split };

// What is spawned or has a communicator of its own in PFIO is split all the same.
Values<ServerType> server_types() {
  return one_of<ServerType>({{"single", ServerType::both},
                             {"mpi", ServerType::both},
                             {"multigroup", ServerType::split},
                             {"multicomm", ServerType::split},
                             {"multilayer", ServerType::split}});
}

class Reader {
 public:
  Reader(Arguments arguments, Diagnostics& faults) : given_(std::move(arguments)), faults_(faults) {}

  Options read() {
    launch_.program = given_.program;
    launch_.npes_model = value<std::int64_t>("--npes_model", count_between(1, most_ranks), 0);
    launch_.members = value<std::int64_t>("--n_members", count_between(1, most_ranks), 1);
    if (has("--fast_oclient")) launch_.fast_client = flag("--fast_oclient");
    launch_.profiler = flag("--with_io_profiler");
    one_node_each_ = flag("--one_node_output");
    launch_.isolate = isolation();
    launch_.input = servers("input");
    launch_.output = servers("output");
    if (!launch_.isolate) check_sharing();
    spread_over_nodes();
    launch_.backends_per_node = backends();
    meet_input_servers();
    note_the_rest();
    Options options{.launch = std::move(launch_), .where = {}};
    for (const auto& [name, option] : given_.options) options.where.emplace(name, option.where);
    return options;
  }

 private:
  bool has(const std::string& name) const { return given_.options.contains(name); }
  const Option& option(const std::string& name) const { return given_.options.at(name); }

  void fault(const std::string& name, const std::string& text) { faults_.add(option(name).where, text); }
  void note(const std::string& name, const std::string& text) {
    launch_.notes.push_back(fmt::format("{}: {}", option(name).where.label, text));
  }

  template <typename T>
  T parsed(const Value& value, const Values<T>& codec, T otherwise) {
    try {
      return codec.parse(config::make_node(Node::Kind::scalar, {}, value.text));
    } catch (const BadValue& bad) {
      faults_.add(value.where, bad.what());
      return otherwise;
    }
  }

  template <typename T>
  T value(const std::string& name, const Values<T>& codec, T otherwise) {
    if (!has(name)) return otherwise;
    if (!option(name).values.empty()) return parsed(option(name).values.front(), codec, otherwise);
    fault(name, "the value is missing");
    return otherwise;
  }

  bool flag(const std::string& name) {
    return has(name) && (option(name).values.empty() || value(name, truth_or_fortran(), true));
  }

  // The numbers of an option; none if any of them is refused.
  Sizes numbers(const std::string& name) {
    Sizes sizes;
    if (option(name).values.empty()) fault(name, "the number is missing");
    for (const Value& text : option(name).values)
      sizes.push_back(parsed<std::int64_t>(text, count_between(1, most_servers), 0));
    return std::find(sizes.begin(), sizes.end(), 0) == sizes.end() ? sizes : Sizes{};
  }

  Servers servers(const std::string& kind) {
    const std::string npes = fmt::format("--npes_{}_server", kind);
    const std::string nodes = fmt::format("--nodes_{}_server", kind);
    if (has(npes) && has(nodes)) fault(nodes, fmt::format("excludes {}; leave one of the two out", npes));
    if (has(nodes)) return {.sizes = numbers(nodes), .unit = Servers::Unit::nodes};
    return {.sizes = has(npes) ? numbers(npes) : Sizes{}, .unit = Servers::Unit::ranks};
  }

  bool has_servers() const { return has("--npes_output_server") || has("--nodes_output_server"); }

  bool isolation() {
    const bool isolate = value("--isolate_nodes", truth_or_fortran(), true);
    if (!has("--compress_nodes")) return isolate;
    const bool compress = flag("--compress_nodes");
    if (has("--isolate_nodes") && isolate == compress)
      fault("--compress_nodes", "says the opposite of --isolate_nodes; leave one of the two out");
    return !compress;
  }

  // Servers on the model's nodes are one group of ranks.
  void check_sharing() {
    const std::string sharing = has("--compress_nodes") ? "--compress_nodes" : "--isolate_nodes false";
    for (const std::string kind : {"input", "output"}) {
      const std::string npes = fmt::format("--npes_{}_server", kind);
      const std::string nodes = fmt::format("--nodes_{}_server", kind);
      if (has(nodes))
        fault(nodes,
              fmt::format("nodes of servers cannot be shared with the model; use {}, or leave {} out", npes, sharing));
      else if (has(npes) && option(npes).values.size() > 1)
        fault(npes, fmt::format("several servers need nodes of their own; give one number, or leave {} out", sharing));
    }
    if (one_node_each_)
      fault("--one_node_output", fmt::format("servers of one node need nodes of their own; leave {} out", sharing));
  }

  // With --one_node_output numbers count nodes, whichever option gives them.
  void spread_over_nodes() {
    if (!one_node_each_) return;
    if (!has_servers()) return note_without_servers("--one_node_output");
    const Sizes& sizes = launch_.output.sizes;
    const auto count = static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
    launch_.output = {.sizes = Sizes(count, 1), .unit = Servers::Unit::nodes};
  }

  void note_without_servers(const std::string& name) {
    note(name, "no effect without --npes_output_server or --nodes_output_server");
  }

  // Of each server node; 0: its ranks receive and write.
  std::int64_t backends() {
    const std::string type = "--oserver_type", number = "--npes_backend_pernode";
    const bool split = value(type, server_types(), ServerType::both) == ServerType::split;
    const std::int64_t count = value<std::int64_t>(number, count_between(1, most_ranks), 0);
    if (split) note_kind(option(type).values.front().text);
    if (!has_servers() && split) note_without_servers(type);
    if (!has_servers() && has(number)) note_without_servers(number);
    if (!has_servers()) return 0;
    if (split && !launch_.isolate)
      note(type, "no effect: servers on the model's nodes write what its ranks put into shared memory");
    else if (split && !has(number))
      fault(type, "the servers of a node are frontends and backends; say how many backends with " + number);
    else if (!split && has(number))
      note(number, "no effect: there are backends with --oserver_type multigroup only");
    return split && launch_.isolate ? count : 0;
  }

  void note_kind(const std::string& type) {
    if (type == "multilayer")
      note("--oserver_type", "taken as multigroup: backends are ranks of the job, none are spawned");
    if (type == "multicomm") note("--oserver_type", "taken as multigroup");
  }

  // There are none yet: the ranks between model and output servers are left to them.
  void meet_input_servers() {
    for (const std::string name : {"--npes_input_server", "--nodes_input_server"}) {
      if (!has(name)) continue;
      if (!has_servers())
        fault(name,
              "reading servers come later, and places are kept for them beside output servers only; leave it out");
      else if (!has("--npes_model"))
        fault(name,
              "places for reading servers lie behind the model's ranks; say how many these are with --npes_model");
      else
        note(name, "reading servers come later; their places stay free");
    }
  }

  void note_the_rest() {
    for (const NearMiss& miss : given_.near_misses) {
      const std::string text =
          fmt::format("{}: left to the program; did you mean PFIO's '{}'?", miss.where.label, miss.option);
      launch_.notes.push_back(text);
      launch_.near_misses += text + " ";
    }
    if (launch_.members > 1) note("--n_members", "each member starts a session with a communicator of its own");
    if (has("--prefix")) note("--prefix", "no effect: folders of members are said by 'file' of each collection");
    if (has("--logging_config")) note("--logging_config", "no effect: the log follows THALWEG_LOG");
  }

  Arguments given_;
  Diagnostics& faults_;
  Launch launch_;
  bool one_node_each_ = false;
};

std::string servers_text(const std::string& kind, const Servers& servers) {
  if (servers.sizes.empty()) return "";
  const char* unit = servers.unit == Servers::Unit::nodes ? "nodes" : "npes";
  return fmt::format(" --{}_{}_server {}", unit, kind, fmt::join(servers.sizes, " "));
}

}  // namespace

Options read_options(const std::vector<std::string>& arguments, Diagnostics& faults) {
  return Reader(cut_command_line(arguments, faults), faults).read();
}

std::string options_text(const Launch& launch) {
  std::string text;
  if (launch.npes_model > 0) text += fmt::format(" --npes_model {}", launch.npes_model);
  text += servers_text("input", launch.input) + servers_text("output", launch.output);
  if (!launch.isolate) text += " --isolate_nodes false";
  if (launch.backends_per_node > 0)
    text += fmt::format(" --oserver_type multigroup --npes_backend_pernode {}", launch.backends_per_node);
  if (launch.fast_client) text += fmt::format(" --fast_oclient {}", *launch.fast_client);
  if (launch.profiler) text += " --with_io_profiler";
  if (launch.members > 1) text += fmt::format(" --n_members {}", launch.members);
  return text.empty() ? text : text.substr(1);
}

config::ServerNodes server_nodes(const Launch& launch, std::int64_t cores_per_node) {
  config::ServerNodes nodes{.count = 0, .backends_per_node = launch.backends_per_node, .groups = {}};
  const bool in_ranks = launch.output.unit == Servers::Unit::ranks;
  for (const std::int64_t size : launch.output.sizes) {
    nodes.groups.push_back(in_ranks ? divide_up(size, cores_per_node) : size);
    nodes.count += nodes.groups.back();
  }
  if (nodes.groups.size() == 1) nodes.groups.clear();
  return nodes;
}

}  // namespace thalweg::compat::pfio
