#include "compat/pfio/arithmetic.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "compat/pfio_words.hpp"
#include "roles/assignment.hpp"
#include "source_dir.hpp"

namespace thalweg::compat::pfio {
namespace {

using roles::Member;
using roles::Role;

using PlacesOfServers = std::vector<ServerPlaces>;

// A whole launch line, "mpiexec -np N model …", as it is printed, has exactly the ranks that its options need.
void expect_exact(const std::string& line, std::int64_t cores) {
  std::smatch parts;
  ASSERT_TRUE(std::regex_match(line, parts, std::regex("mpiexec -np (\\d+) (.*)"))) << line;
  const Launch launch = launch_of(parts[2]);
  const std::int64_t npes = std::stoll(parts[1]) / launch.members;
  EXPECT_EQ(npes * launch.members, std::stoll(parts[1])) << line;
  EXPECT_EQ(launch_problem(launch, npes, cores), "") << line;
  EXPECT_NE(launch_problem(launch, npes - 1, cores), "") << line;
}

struct PlacesCase {
  std::int64_t cores;
  std::string options;
  std::int64_t npes;
  std::int64_t model_nodes;
  PlacesOfServers servers;  // nodes, frontends, backends
};

// long: a table of all kinds of launches
std::vector<PlacesCase> all_kinds() {
  return {
      // No servers: the ranks of the model write.
      {28, "--npes_model 28", 28, 1, {}},
      {28, "--npes_model 29", 29, 2, {}},
      // ceil(n1/n)*n + ceil(n2/n)*n
      {28, "--npes_model 28 --npes_output_server 4", 56, 1, {{1, 28, 28}}},
      {28, "--npes_model 30 --npes_output_server 28", 84, 2, {{1, 28, 28}}},
      {28, "--npes_model 1 --npes_output_server 29", 84, 1, {{2, 56, 56}}},
      {4, "--npes_model 5 --npes_output_server 9", 20, 2, {{3, 12, 12}}},
      // Shared nodes: n1 + n2
      {4, "--npes_model 3 --npes_output_server 1 --isolate_nodes false", 4, 1, {{0, 1, 1}}},
      {4, "--npes_model 30 --npes_output_server 7 --compress_nodes", 37, 8, {{0, 7, 7}}},
      {4, "--npes_model 3 --npes_output_server 2 --npes_input_server 4 --compress_nodes", 9, 1, {{0, 2, 2}}},
      // ceil(n1/n)*n + n2*n
      {28, "--npes_model 28 --nodes_output_server 1", 56, 1, {{1, 28, 28}}},
      {28, "--npes_model 85 --nodes_output_server 3", 196, 4, {{3, 84, 84}}},
      {1, "--npes_model 3 --nodes_output_server 2", 5, 3, {{2, 2, 2}}},
      // Frontends n2*(n-n3), backends n2*n3
      {28,
       "--npes_model 28 --nodes_output_server 1 --oserver_type multigroup --npes_backend_pernode 5",
       56,
       1,
       {{1, 23, 5}}},
      {4,
       "--npes_model 4 --nodes_output_server 1 --oserver_type multigroup --npes_backend_pernode 2",
       8,
       1,
       {{1, 2, 2}}},
      {28,
       "--npes_model 28 --nodes_output_server 2 --oserver_type multigroup --npes_backend_pernode 1",
       84,
       1,
       {{2, 54, 2}}},
      {28,
       "--npes_model 28 --nodes_output_server 1 --oserver_type multigroup --npes_backend_pernode 1",
       56,
       1,
       {{1, 27, 1}}},
      {28,
       "--npes_model 28 --npes_output_server 30 --oserver_type multigroup --npes_backend_pernode 3",
       84,
       1,
       {{2, 50, 6}}},
      {28,
       "--npes_model 28 --nodes_output_server 2 --oserver_type multilayer --npes_backend_pernode 3",
       84,
       1,
       {{2, 50, 6}}},
      {28,
       "--npes_model 28 --nodes_output_server 2 --oserver_type multicomm --npes_backend_pernode 3",
       84,
       1,
       {{2, 50, 6}}},
      // ceil(n1/n)*n + (n2+n3+n4)*n
      {28, "--npes_model 40 --nodes_output_server 2 3 4", 308, 2, {{2, 56, 56}, {3, 84, 84}, {4, 112, 112}}},
      {28, "--npes_model 40 --npes_output_server 2 29 4", 168, 2, {{1, 28, 28}, {2, 56, 56}, {1, 28, 28}}},
      // Each with n2*n5, n3*n5, n4*n5 backends
      {28,
       "--npes_model 40 --nodes_output_server 2 3 4 --oserver_type multigroup --npes_backend_pernode 5",
       308,
       2,
       {{2, 46, 10}, {3, 69, 15}, {4, 92, 20}}},
      // The same as --nodes_output_server 1 1 1
      {28,
       "--npes_model 28 --npes_output_server 3 --one_node_output true",
       112,
       1,
       {{1, 28, 28}, {1, 28, 28}, {1, 28, 28}}},
      // PlacesOfServers of input servers
      {28, "--npes_model 28 --nodes_input_server 1 --nodes_output_server 1", 84, 1, {{1, 28, 28}}},
      {28, "--npes_model 28 --npes_input_server 30 4 --nodes_output_server 1", 140, 1, {{1, 28, 28}}},
      // Of each member
      {28, "--npes_model 28 --nodes_output_server 1 --n_members 3", 56, 1, {{1, 28, 28}}},
      // A model whose size is not said has one node.
      {28, "--nodes_output_server 2", 84, 1, {{2, 56, 56}}},
      {28, "--npes_output_server 2 --compress_nodes", 3, 1, {{0, 2, 2}}},
  };
}

TEST(PfioArithmetic, gives_ranks_and_nodes_of_every_kind_of_launch) {
  for (const PlacesCase& expected : all_kinds()) {
    const Places places = places_of(launch_of("model " + expected.options), expected.cores);
    EXPECT_EQ(places.npes, expected.npes) << expected.options;
    EXPECT_EQ(places.model_nodes, expected.model_nodes) << expected.options;
    EXPECT_EQ(places.servers, expected.servers) << expected.options;
  }
}

// Frontends and backends of each group, as the ranks of whole nodes take their roles.
PlacesOfServers roles_of_ranks(const Launch& launch, std::int64_t npes, std::int64_t cores) {
  std::vector<int> node_of;
  for (std::int64_t rank = 0; rank < npes; ++rank) node_of.push_back(static_cast<int>(rank / cores));
  const config::ServerNodes nodes = server_nodes(launch, cores);
  const std::vector<Member> members = roles::assign(node_of, {.writers = config::Writers::nodes,
                                                              .servers = nodes.count,
                                                              .groups = nodes.groups,
                                                              .backends_per_node = nodes.backends_per_node,
                                                              .clients = launch.npes_model});
  PlacesOfServers places(launch.output.sizes.size());
  for (const Member& member : members)
    if (member.role == Role::server) {
      places[static_cast<std::size_t>(member.group)].frontends += member.receives ? 1 : 0;
      places[static_cast<std::size_t>(member.group)].backends += member.writes ? 1 : 0;
    }
  return places;
}

TEST(PfioArithmetic, is_that_of_the_roles_that_ranks_take) {
  for (const PlacesCase& expected : all_kinds()) {
    const Launch launch = launch_of("model " + expected.options);
    if (!launch.isolate || launch.output.sizes.empty()) continue;
    const PlacesOfServers taken = roles_of_ranks(launch, expected.npes, expected.cores);
    for (std::size_t i = 0; i < taken.size(); ++i) {
      EXPECT_EQ(taken[i].frontends, expected.servers[i].frontends) << expected.options;
      EXPECT_EQ(taken[i].backends, expected.servers[i].backends) << expected.options;
    }
  }
}

struct AdviceCase {
  std::int64_t npes_model, cores, collections;
  std::int64_t model_nodes, nodes, backends, npes;
};

TEST(PfioArithmetic, advises_servers_for_a_model) {
  const std::vector<AdviceCase> cases = {
      {384, 48, 20, 8, 2, 10, 480},      // 384/48, 58.4/48, 20/2
      {28, 28, 5, 1, 1, 5, 56},          // 7.8/28
      {5400, 40, 60, 135, 15, 4, 6000},  // 600/40: no rounding
      {5401, 40, 60, 136, 16, 4, 6080},  // 600.1/40
      {1, 48, 1000, 1, 21, 47, 1056},    // the formula has 48 backends on nodes of 48 cores
      {3, 1, 2, 3, 3, 0, 6},             // nodes of one core: all do both
  };
  for (const AdviceCase& expected : cases) {
    const Launch launch = advised_launch(expected.npes_model, expected.collections, expected.cores);
    const Places places = places_of(launch, expected.cores);
    EXPECT_EQ(places.model_nodes, expected.model_nodes);
    EXPECT_EQ(places.npes, expected.npes);
    EXPECT_EQ(launch.output.sizes, std::vector<std::int64_t>{expected.nodes});
    EXPECT_EQ(launch.backends_per_node, expected.backends);
    EXPECT_EQ(launch_problem(launch, expected.npes, expected.cores), "");
  }
}

TEST(PfioArithmetic, writes_the_advice_as_a_launch_line) {
  EXPECT_EQ(launch_line(advised_launch(384, 20, 48), 48),
            "mpiexec -np 480 model --npes_model 384 --nodes_output_server 2 --oserver_type multigroup "
            "--npes_backend_pernode 10");
}

TEST(PfioArithmetic, writes_launch_lines_with_all_that_the_model_was_given) {
  EXPECT_EQ(launch_line(launch_of("python3 ocean.py --npes_model 6 run.nml --nodes_output_server 2 --n_members 3"), 4),
            "mpiexec -np 48 python3 ocean.py run.nml --npes_model 6 --nodes_output_server 2 --n_members 3");
}

TEST(PfioArithmetic, finds_no_problem_where_ranks_are_left_over) {
  for (const std::int64_t npes : {16, 17, 1000})
    EXPECT_EQ(launch_problem(launch_of("model --npes_model 6 --nodes_output_server 2"), npes, 4), "");
  for (const std::int64_t npes : {1, 5}) EXPECT_EQ(launch_problem(launch_of("model"), npes, 4), "");
}

struct ProblemCase {
  std::int64_t npes, cores;
  std::string options;
  std::string problem;
};

TEST(PfioArithmetic, says_what_does_not_fit_with_the_line_that_does) {
  const std::vector<ProblemCase> cases = {
      {12, 4, "--npes_model 6 --nodes_output_server 2",
       "npes = 12 is too few: --npes_model 6 --nodes_output_server 2 on nodes of 4 cores needs ceil(6/4)*4 + 2*4 = 16. "
       "This works: mpiexec -np 16 ./ocean --npes_model 6 --nodes_output_server 2"},
      {8, 4, "--npes_model 6 --npes_output_server 2",
       "npes = 8 is too few: --npes_model 6 --npes_output_server 2 on nodes of 4 cores needs ceil(6/4)*4 + ceil(2/4)*4 "
       "= "
       "12. This works: mpiexec -np 12 ./ocean --npes_model 6 --npes_output_server 2"},
      {3, 4, "run.nml --npes_model 3 --npes_output_server 1 --compress_nodes",
       "npes = 3 is too few: --npes_model 3 --npes_output_server 1 --isolate_nodes false needs 3 + 1 = 4. This works: "
       "mpiexec -np 4 ./ocean run.nml --npes_model 3 --npes_output_server 1 --isolate_nodes false"},
      {100, 28, "--npes_model 40 --nodes_output_server 2 3 4",
       "npes = 100 is too few: --npes_model 40 --nodes_output_server 2 3 4 on nodes of 28 cores needs ceil(40/28)*28 + "
       "(2+3+4)*28 = 308. This works: mpiexec -np 308 ./ocean --npes_model 40 --nodes_output_server 2 3 4"},
      {100, 28, "--npes_model 40 --npes_output_server 2 29",
       "npes = 100 is too few: --npes_model 40 --npes_output_server 2 29 on nodes of 28 cores needs ceil(40/28)*28 + "
       "(ceil(2/28)+ceil(29/28))*28 = 140. This works: mpiexec -np 140 ./ocean --npes_model 40 --npes_output_server 2 "
       "29"},
      {55, 28, "--npes_model 28 --nodes_output_server 1 --oserver_type multigroup --npes_backend_pernode 5",
       "npes = 55 is too few: --npes_model 28 --nodes_output_server 1 --oserver_type multigroup --npes_backend_pernode "
       "5 "
       "on nodes of 28 cores needs ceil(28/28)*28 + 1*28 = 56. This works: mpiexec -np 56 ./ocean --npes_model 28 "
       "--nodes_output_server 1 --oserver_type multigroup --npes_backend_pernode 5"},
      {12, 4, "--npes_model 4 --nodes_input_server 1 --nodes_output_server 2",
       "npes = 12 is too few: --npes_model 4 --nodes_input_server 1 --nodes_output_server 2 on nodes of 4 cores needs "
       "ceil(4/4)*4 + 1*4 + 2*4 = 16. This works: mpiexec -np 16 ./ocean --npes_model 4 --nodes_input_server 1 "
       "--nodes_output_server 2"},
      {7, 4, "--npes_model 4 --nodes_output_server 1 --n_members 3",
       "npes = 7 in a member is too few: --npes_model 4 --nodes_output_server 1 --n_members 3 on nodes of 4 cores "
       "needs "
       "ceil(4/4)*4 + 1*4 = 8. This works: mpiexec -np 24 ./ocean --npes_model 4 --nodes_output_server 1 --n_members "
       "3"},
      {4, 4, "--nodes_output_server 1",
       "npes = 4 is too few: --nodes_output_server 1 on nodes of 4 cores needs ceil(1/4)*4 + 1*4 = 8. On this one node "
       "that works: mpiexec -np 2 ./ocean --npes_output_server 1 --isolate_nodes false\n"
       "On 2 nodes of 4 ranks this does: mpiexec -np 8 ./ocean --nodes_output_server 1"},
      {6, 8, "--npes_model 4 --npes_output_server 1 2 --oserver_type multigroup --npes_backend_pernode 8",
       "--npes_backend_pernode 8 leaves no frontends on nodes of 8 cores: 7 at most. On this one node that works: "
       "mpiexec -np 7 ./ocean --npes_model 4 --npes_output_server 3 --isolate_nodes false\n"
       "On 3 nodes of 8 ranks this does: mpiexec -np 24 ./ocean --npes_model 4 --npes_output_server 1 2 --oserver_type "
       "multigroup --npes_backend_pernode 7"},
      {8, 4, "--npes_model 4 --nodes_output_server 1 --oserver_type multigroup --npes_backend_pernode 4",
       "--npes_backend_pernode 4 leaves no frontends on nodes of 4 cores: 3 at most. This works: mpiexec -np 8 ./ocean "
       "--npes_model 4 --nodes_output_server 1 --oserver_type multigroup "
       "--npes_backend_pernode 3"},
      {3, 1, "--npes_model 1 --nodes_output_server 2 --oserver_type multigroup --npes_backend_pernode 1",
       "--npes_backend_pernode 1 leaves no frontends on nodes of 1 core: leave it and --oserver_type out, then all "
       "ranks "
       "do both. This works: mpiexec -np 3 ./ocean --npes_model 1 "
       "--nodes_output_server 2"},
      {8, 4, "--npes_model 6",
       "npes = 8, but --npes_model 6 and no servers: every rank is the model's then. Add --nodes_output_server, or use "
       "this: mpiexec -np 6 ./ocean --npes_model 6"},
      {5, 4, "--npes_model 6",
       "npes = 5, but --npes_model 6 and no servers: every rank is the model's then. Add --nodes_output_server, or use "
       "this: mpiexec -np 6 ./ocean --npes_model 6"},
  };
  for (const ProblemCase& expected : cases) {
    const std::string problem = launch_problem(launch_of("./ocean " + expected.options), expected.npes, expected.cores);
    EXPECT_EQ(problem, expected.problem);
    int lines = 0;
    for (std::size_t at = 0; (at = problem.find("mpiexec", at)) != std::string::npos; ++lines) {
      const std::size_t end = std::min(problem.find('\n', at), problem.size());
      expect_exact(problem.substr(at, end - at), expected.cores);
      at = end;
    }
    EXPECT_GE(lines, 1) << problem;
  }
}

TEST(PfioArithmetic, is_that_of_the_page_for_users_of_pfio) {
  std::ifstream page(source_dir() + "/docs/from-pfio.md");
  const std::regex example("(mpiexec -np \\d+ .*\\S) +# nodes of (\\d+) cores.*");
  int examples = 0;
  for (std::string text; std::getline(page, text);)
    if (std::smatch parts; std::regex_match(text, parts, example)) {
      expect_exact(parts[1], std::stoll(parts[2]));
      ++examples;
    }
  EXPECT_GE(examples, 8);
}

}  // namespace
}  // namespace thalweg::compat::pfio
