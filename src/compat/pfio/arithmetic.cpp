#include "compat/pfio/arithmetic.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/box.hpp"
#include "compat/pfio/options.hpp"

namespace thalweg::compat::pfio {
namespace {

std::int64_t sum(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
}

std::int64_t nodes_of(const Servers& servers, std::int64_t cores) {
  std::int64_t nodes = 0;
  for (const std::int64_t size : servers.sizes)
    nodes += servers.unit == Servers::Unit::nodes ? size : divide_up(size, cores);
  return nodes;
}

// The wiki prints n3*n backends, and in a second line ceil(n2/n)*(n-n3) frontends: the one is a slip, the other holds
// where n2 counts ranks. Each server node has n3 backends, and its other ranks are frontends.
ServerPlaces isolated_server(std::int64_t nodes, std::int64_t backends_per_node, std::int64_t cores) {
  if (backends_per_node == 0) return {.nodes = nodes, .frontends = nodes * cores, .backends = nodes * cores};
  return {.nodes = nodes, .frontends = nodes * (cores - backends_per_node), .backends = nodes * backends_per_node};
}

Places isolated_places(const Launch& launch, std::int64_t cores) {
  Places places;
  places.model_nodes = divide_up(std::max<std::int64_t>(launch.npes_model, 1), cores);
  for (const std::int64_t size : launch.output.sizes)
    places.servers.push_back(
        isolated_server(nodes_of({{size}, launch.output.unit}, cores), launch.backends_per_node, cores));
  const std::int64_t server_nodes = nodes_of(launch.input, cores) + nodes_of(launch.output, cores);
  places.npes = (places.model_nodes + server_nodes) * cores;
  return places;
}

Places shared_places(const Launch& launch, std::int64_t cores) {
  const std::int64_t model = std::max<std::int64_t>(launch.npes_model, 1);
  Places places;
  places.model_nodes = divide_up(model, cores);
  for (const std::int64_t size : launch.output.sizes) places.servers.push_back({.frontends = size, .backends = size});
  places.npes = model + sum(launch.input.sizes) + sum(launch.output.sizes);
  return places;
}

// The terms of the formula, as "ceil(6/4)*4" and "(2+3)*4".

std::string ranks_term(std::int64_t ranks, std::int64_t cores) {
  return fmt::format("ceil({}/{})*{}", ranks, cores, cores);
}

std::string servers_term(const Servers& servers, std::int64_t cores) {
  const bool in_nodes = servers.unit == Servers::Unit::nodes;
  std::vector<std::string> nodes;
  for (const std::int64_t size : servers.sizes)
    nodes.push_back(in_nodes ? fmt::format("{}", size) : fmt::format("ceil({}/{})", size, cores));
  if (nodes.size() == 1) return fmt::format("{}*{}", nodes[0], cores);
  return fmt::format("({})*{}", fmt::join(nodes, "+"), cores);
}

std::string formula(const Launch& launch, std::int64_t cores) {
  const std::int64_t model = std::max<std::int64_t>(launch.npes_model, 1);
  std::vector<std::string> terms = {launch.isolate ? ranks_term(model, cores) : fmt::format("{}", model)};
  for (const Servers* servers : {&launch.input, &launch.output})
    if (!servers->sizes.empty())
      terms.push_back(launch.isolate ? servers_term(*servers, cores) : fmt::format("{}", sum(servers->sizes)));
  return fmt::format("{}", fmt::join(terms, " + "));
}

std::string nodes_text(std::int64_t cores) {
  return fmt::format("on nodes of {} core{}", cores, cores == 1 ? "" : "s");
}

std::string session_text(const Launch& launch, std::int64_t npes) {
  return fmt::format("npes = {}{}", npes, launch.members > 1 ? " in a member" : "");
}

std::string without_servers(const Launch& launch, std::int64_t npes, std::int64_t cores) {
  if (launch.npes_model == 0 || launch.npes_model == npes) return "";
  return fmt::format(
      "{}, but --npes_model {} and no servers: every rank is the model's then. Add --nodes_output_server, or use this: "
      "{}",
      session_text(launch, npes), launch.npes_model, launch_line(launch, cores));
}

// As ranks of one server, one for each of its nodes.
Servers beside_the_model(const Servers& servers) {
  if (servers.sizes.empty()) return servers;
  const bool in_nodes = servers.unit == Servers::Unit::nodes;
  return {.sizes = {in_nodes ? std::ssize(servers.sizes) : sum(servers.sizes)}, .unit = Servers::Unit::ranks};
}

// Where all ranks are on one node, more of them do not make it several: servers share it with the model.
std::string what_works(const Launch& launch, std::int64_t npes, std::int64_t cores) {
  const std::string line = launch_line(launch, cores);
  if (!launch.isolate || npes > cores) return fmt::format("This works: {}", line);
  Launch sharing = launch;
  sharing.isolate = false;
  sharing.backends_per_node = 0;
  sharing.output = beside_the_model(launch.output);
  sharing.input = beside_the_model(launch.input);
  return fmt::format("On this one node that works: {}\nOn {} nodes of {} ranks this does: {}",
                     launch_line(sharing, cores), places_of(launch, cores).npes / cores, cores, line);
}

std::string without_frontends(Launch launch, std::int64_t npes, std::int64_t cores) {
  const std::int64_t backends = launch.backends_per_node;
  launch.backends_per_node = cores - 1;
  const std::string advice =
      cores > 1 ? fmt::format("{} at most", cores - 1) : "leave it and --oserver_type out, then all ranks do both";
  return fmt::format("--npes_backend_pernode {} leaves no frontends {}: {}. {}", backends, nodes_text(cores), advice,
                     what_works(launch, npes, cores));
}

}  // namespace

Places places_of(const Launch& launch, std::int64_t cores_per_node) {
  if (launch.isolate && !launch.output.sizes.empty()) return isolated_places(launch, cores_per_node);
  return shared_places(launch, cores_per_node);
}

std::string launch_line(const Launch& launch, std::int64_t cores_per_node) {
  const std::int64_t npes = places_of(launch, cores_per_node).npes * launch.members;
  const std::string options = options_text(launch);
  return fmt::format("mpiexec -np {} {}{}{}", npes, launch.program, options.empty() ? "" : " ", options);
}

std::string launch_problem(const Launch& launch, std::int64_t npes, std::int64_t cores_per_node) {
  if (launch.output.sizes.empty()) return without_servers(launch, npes, cores_per_node);
  if (launch.isolate && launch.backends_per_node >= cores_per_node)
    return without_frontends(launch, npes, cores_per_node);
  const std::int64_t needed = places_of(launch, cores_per_node).npes;
  if (npes >= needed) return "";
  const std::string nodes = launch.isolate ? fmt::format(" {}", nodes_text(cores_per_node)) : "";
  return fmt::format("{} is too few: {}{} needs {} = {}. {}", session_text(launch, npes), options_text(launch), nodes,
                     formula(launch, cores_per_node), needed, what_works(launch, npes, cores_per_node));
}

Launch advised_launch(std::int64_t npes_model, std::int64_t collections, std::int64_t cores_per_node) {
  // ceil((collections + 0.1 npes_model) / cores), in whole numbers.
  const std::int64_t nodes = divide_up(10 * collections + npes_model, 10 * cores_per_node);
  // With many collections and few ranks the formula leaves no frontend; one must remain.
  const std::int64_t backends = std::min(divide_up(collections, nodes), cores_per_node - 1);
  Launch launch;
  launch.npes_model = npes_model;
  launch.output = {.sizes = {nodes}, .unit = Servers::Unit::nodes};
  launch.backends_per_node = backends;
  return launch;
}

}  // namespace thalweg::compat::pfio
