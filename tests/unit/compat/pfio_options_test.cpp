#include "compat/pfio/options.hpp"

#include <gmock/gmock.h>

#include "compat/pfio_words.hpp"

namespace thalweg::compat::pfio {
namespace {

using config::Diagnostics;
using config::ServerNodes;

using testing::ElementsAre;
using testing::IsEmpty;

using Unit = Servers::Unit;
using Sizes = std::vector<std::int64_t>;

// All faults of a command line.
std::string faults_of(const std::vector<std::string>& arguments) {
  Diagnostics faults;
  read_options(arguments, faults);
  try {
    faults.throw_if_any();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_CONFIG);
    return error.what();
  }
  return "none";
}

// The only fault, without the command line and the caret below.
std::string fault_of_options(const std::string& options) {
  const std::string all = faults_of(words("model " + options));
  EXPECT_EQ(all.find(": error: "), all.rfind(": error: ")) << all;
  return all.substr(0, all.find('\n'));
}

std::vector<std::string> notes_of(const std::string& options) {
  return launch_of("model " + options).notes;
}

TEST(PfioOptions, without_any_are_those_of_a_model_without_servers) {
  const Launch launch = launch_of("model");
  EXPECT_EQ(launch.npes_model, 0);
  EXPECT_EQ(launch.output.sizes, Sizes{});
  EXPECT_EQ(launch.input.sizes, Sizes{});
  EXPECT_TRUE(launch.isolate);
  EXPECT_EQ(launch.backends_per_node, 0);
  EXPECT_FALSE(launch.fast_client);
  EXPECT_FALSE(launch.profiler);
  EXPECT_EQ(launch.members, 1);
  EXPECT_THAT(launch.notes, IsEmpty());
}

struct ServersCase {
  std::string options;
  Sizes sizes;
  Unit unit;
  bool isolate;
  std::int64_t backends;
};

TEST(PfioOptions, say_which_servers_there_are) {
  const std::vector<ServersCase> cases = {
      {"--npes_model 6 --npes_output_server 2", {2}, Unit::ranks, true, 0},
      {"--npes_model 6 --npes_output_server 2 --isolate_nodes false", {2}, Unit::ranks, false, 0},
      {"--npes_model 6 --npes_output_server 2 --isolate_nodes .false.", {2}, Unit::ranks, false, 0},
      {"--npes_model 6 --npes_output_server 2 --compress_nodes", {2}, Unit::ranks, false, 0},
      {"--npes_model 6 --npes_output_server 2 --compress_nodes false", {2}, Unit::ranks, true, 0},
      {"--compress_nodes true --isolate_nodes false --npes_output_server 2", {2}, Unit::ranks, false, 0},
      {"--npes_model 6 --nodes_output_server 2", {2}, Unit::nodes, true, 0},
      {"--nodes_output_server 2 --oserver_type single", {2}, Unit::nodes, true, 0},
      {"--nodes_output_server 2 --oserver_type mpi", {2}, Unit::nodes, true, 0},
      {"--nodes_output_server 2 --oserver_type multigroup --npes_backend_pernode 3", {2}, Unit::nodes, true, 3},
      {"--npes_output_server 4 --oserver_type multigroup --npes_backend_pernode 1", {4}, Unit::ranks, true, 1},
      {"--nodes_output_server 1 --oserver_type multilayer --npes_backend_pernode 2", {1}, Unit::nodes, true, 2},
      {"--nodes_output_server 1 --oserver_type multicomm --npes_backend_pernode 2", {1}, Unit::nodes, true, 2},
      {"--nodes_output_server 2 3 4", {2, 3, 4}, Unit::nodes, true, 0},
      {"--npes_output_server 2 3 4", {2, 3, 4}, Unit::ranks, true, 0},
      {"--nodes_output_server 2 3 4 --oserver_type multigroup --npes_backend_pernode 5",
       {2, 3, 4},
       Unit::nodes,
       true,
       5},
      {"--nodes_output_server 3 --one_node_output true", {1, 1, 1}, Unit::nodes, true, 0},
      {"--npes_output_server 3 --one_node_output", {1, 1, 1}, Unit::nodes, true, 0},
      {"--nodes_output_server 2 1 --one_node_output", {1, 1, 1}, Unit::nodes, true, 0},
      {"--nodes_output_server 3 --one_node_output false", {3}, Unit::nodes, true, 0},
  };
  for (const ServersCase& expected : cases) {
    const Launch launch = launch_of("model " + expected.options);
    EXPECT_EQ(launch.output.sizes, expected.sizes) << expected.options;
    EXPECT_EQ(launch.output.unit, expected.unit) << expected.options;
    EXPECT_EQ(launch.isolate, expected.isolate) << expected.options;
    EXPECT_EQ(launch.backends_per_node, expected.backends) << expected.options;
  }
}

TEST(PfioOptions, say_the_rest_too) {
  EXPECT_EQ(launch_of("model --npes_model 28").npes_model, 28);
  for (const std::string value : {"", " true", " .true.", "=true"}) {
    EXPECT_EQ(launch_of("model --fast_oclient" + value).fast_client, true) << value;
    EXPECT_TRUE(launch_of("model --with_io_profiler" + value).profiler) << value;
  }
  EXPECT_EQ(launch_of("model --fast_oclient false").fast_client, false);
  EXPECT_EQ(launch_of("model --npes_model 4").fast_client, std::nullopt);
  EXPECT_EQ(launch_of("model --n_members 4").members, 4);
  const Launch readers = launch_of("model --npes_model 4 --npes_input_server 2 --nodes_output_server 1");
  EXPECT_EQ(readers.input, (Servers{.sizes = {2}, .unit = Unit::ranks}));
  const Launch nodes = launch_of("model --npes_model 4 --nodes_input_server 1 2 --nodes_output_server 1");
  EXPECT_EQ(nodes.input, (Servers{.sizes = {1, 2}, .unit = Unit::nodes}));
}

TEST(PfioOptions, may_have_their_values_behind_an_equals_sign) {
  const Launch launch =
      launch_of("model --npes_model=6 --nodes_output_server=2,3 --oserver_type=multigroup --npes_backend_pernode=1");
  EXPECT_EQ(launch.npes_model, 6);
  EXPECT_EQ(launch.output.sizes, (Sizes{2, 3}));
  EXPECT_EQ(launch.backends_per_node, 1);
}

TEST(PfioOptions, leave_all_other_arguments_to_the_model) {
  const auto program = [](const std::vector<std::string>& arguments) {
    Diagnostics faults;
    const Launch launch = read_options(arguments, faults).launch;
    faults.throw_if_any();
    return launch.program;
  };
  EXPECT_EQ(program(words("./ocean -v --npes_model 4 run.nml --cap_rc CAP.rc --nodes_output_server 1 2 x")),
            "./ocean -v run.nml --cap_rc CAP.rc x");
  EXPECT_EQ(program(words("python3 ocean.py --fast_oclient run.nml --npes_models 3")),
            "python3 ocean.py run.nml --npes_models 3");
  EXPECT_EQ(program({"./ocean", "two words", "", "it's", "--npes_model", "4"}), R"(./ocean 'two words' '' 'it'\''s')");
  EXPECT_EQ(program(words("model --prefix mem --npes_model 4 --logging_config=log.yaml")),
            "model --prefix mem --logging_config=log.yaml");
  EXPECT_EQ(program({"--npes_model"}), "--npes_model") << "the first argument is the program";
}

TEST(PfioOptions, of_several_servers_take_numbers_only) {
  const Launch launch = launch_of("model --nodes_output_server 2 3 input.nml 4");
  EXPECT_EQ(launch.output.sizes, (Sizes{2, 3}));
  EXPECT_EQ(launch.program, "model input.nml 4");
}

TEST(PfioOptions, with_bad_values_are_shown_with_a_caret) {
  EXPECT_EQ(faults_of(words("./ocean --npes_model 0 --nodes_output_server 1")),
            "command line --npes_model: error: '0' must be at least 1\n"
            "      | ./ocean --npes_model 0 --nodes_output_server 1\n"
            "      |                      ^");
  EXPECT_EQ(faults_of(words("./ocean --nodes_output_server=1,two")),
            "command line --nodes_output_server: error: 'two' is no whole number\n"
            "      | ./ocean --nodes_output_server=1,two\n"
            "      |                               ^");
  EXPECT_EQ(faults_of({"./ocean", "a\nb", "--n_members"}),
            "command line --n_members: error: the value is missing\n"
            "      | ./ocean a b --n_members\n"
            "      |             ^");
}

TEST(PfioOptions, with_faults_are_all_listed) {
  const std::string all = faults_of(words(
      "model --npes_model -1 --npes_output_server 2 --nodes_output_server 0 --oserver_type multigrup --n_members x"));
  for (const std::string part :
       {"command line --npes_model: error: '-1' must be at least 1\n",
        "command line --nodes_output_server: error: excludes --npes_output_server; leave one of the two out\n",
        "command line --nodes_output_server: error: '0' must be at least 1\n",
        "command line --oserver_type: error: 'multigrup' is none of single, mpi, multigroup, multicomm, multilayer; "
        "did "
        "you mean 'multigroup'?\n",
        "command line --n_members: error: 'x' is no whole number\n"})
    EXPECT_NE(all.find(part), std::string::npos) << part << "not in\n" << all;
}

struct TextCase {
  std::string options;
  std::string text;
};

TEST(PfioOptions, that_cannot_be_meant_are_faults) {
  const std::vector<TextCase> cases = {
      {"--npes_output_server 2 --nodes_output_server 1",
       "command line --nodes_output_server: error: excludes --npes_output_server; leave one of the two out"},
      {"--npes_model 4 --nodes_output_server 1 --npes_input_server 2 --nodes_input_server 1",
       "command line --nodes_input_server: error: excludes --npes_input_server; leave one of the two out"},
      {"--nodes_output_server 2 --isolate_nodes false",
       "command line --nodes_output_server: error: nodes of servers cannot be shared with the model; use "
       "--npes_output_server, or leave --isolate_nodes false out"},
      {"--nodes_output_server 2 --compress_nodes",
       "command line --nodes_output_server: error: nodes of servers cannot be shared with the model; use "
       "--npes_output_server, or leave --compress_nodes out"},
      {"--npes_model 4 --npes_output_server 2 --nodes_input_server 1 --isolate_nodes false",
       "command line --nodes_input_server: error: nodes of servers cannot be shared with the model; use "
       "--npes_input_server, or leave --isolate_nodes false out"},
      {"--npes_output_server 2 3 --isolate_nodes false",
       "command line --npes_output_server: error: several servers need nodes of their own; give one number, or leave "
       "--isolate_nodes false out"},
      {"--npes_output_server 2 --one_node_output true --isolate_nodes false",
       "command line --one_node_output: error: servers of one node need nodes of their own; leave --isolate_nodes "
       "false "
       "out"},
      {"--npes_output_server 2 --isolate_nodes true --compress_nodes",
       "command line --compress_nodes: error: says the opposite of --isolate_nodes; leave one of the two out"},
      {"--npes_output_server 2 --isolate_nodes flase",
       "command line --isolate_nodes: error: 'flase' is none of true, false; did you mean 'false'?"},
      {"--fast_oclient=perhaps", "command line --fast_oclient: error: 'perhaps' is none of true, false"},
      {"--npes_model 4 --npes_model 5",
       "command line --npes_model: error: the option stands twice; leave one of the two out"},
      {"--npes_model", "command line --npes_model: error: the value is missing"},
      {"--npes_model --fast_oclient", "command line --npes_model: error: the value is missing"},
      {"--nodes_output_server", "command line --nodes_output_server: error: the number is missing"},
      {"--nodes_output_server=", "command line --nodes_output_server: error: the number is missing"},
      {"--npes_model 10000001", "command line --npes_model: error: 10000001 is more than 10000000"},
      {"--nodes_output_server 2 1000001", "command line --nodes_output_server: error: 1000001 is more than 1000000"},
      {"--nodes_output_server 2 --oserver_type multigroup",
       "command line --oserver_type: error: the servers of a node are frontends and backends; say how many backends "
       "with "
       "--npes_backend_pernode"},
      {"--nodes_output_server 2 --oserver_type multigroup --npes_backend_pernode 0",
       "command line --npes_backend_pernode: error: '0' must be at least 1"},
      {"--npes_model 4 --nodes_input_server 1",
       "command line --nodes_input_server: error: reading servers come later, and places are kept for them beside "
       "output servers only; leave it out"},
      {"--nodes_output_server 1 --npes_input_server 2",
       "command line --npes_input_server: error: places for reading servers lie behind the model's ranks; say how many "
       "these are with --npes_model"},
  };
  for (const TextCase& expected : cases)
    EXPECT_EQ(fault_of_options(expected.options), expected.text) << expected.options;
}

TEST(PfioOptions, that_mean_something_else_here_get_one_note_each) {
  const std::string server = "--npes_model 4 --nodes_output_server 1 ";
  const std::vector<TextCase> cases = {
      {server + "--oserver_type multilayer --npes_backend_pernode 2",
       "command line --oserver_type: taken as multigroup: backends are ranks of the job, none are spawned"},
      {server + "--oserver_type multicomm --npes_backend_pernode 2",
       "command line --oserver_type: taken as multigroup"},
      {server + "--npes_backend_pernode 2",
       "command line --npes_backend_pernode: no effect: there are backends with --oserver_type multigroup only"},
      {"--npes_output_server 2 --isolate_nodes false --oserver_type multigroup --npes_backend_pernode 1",
       "command line --oserver_type: no effect: servers on the model's nodes write what its ranks put into shared "
       "memory"},
      {"--npes_backend_pernode 2",
       "command line --npes_backend_pernode: no effect without --npes_output_server or --nodes_output_server"},
      {"--oserver_type multigroup",
       "command line --oserver_type: no effect without --npes_output_server or --nodes_output_server"},
      {"--one_node_output true",
       "command line --one_node_output: no effect without --npes_output_server or --nodes_output_server"},
      {server + "--npes_input_server 2",
       "command line --npes_input_server: reading servers come later; their places stay free"},
      {server + "--nodes_input_server 2",
       "command line --nodes_input_server: reading servers come later; their places stay free"},
      {"--n_members 3", "command line --n_members: each member starts a session with a communicator of its own"},
      {"--prefix run", "command line --prefix: no effect: folders of members are said by 'file' of each collection"},
      {"--logging_config log.yaml", "command line --logging_config: no effect: the log follows THALWEG_LOG"},
      {"--npes_output_servers 2",
       "command line --npes_output_servers: left to the program; did you mean PFIO's '--npes_output_server'?"},
      {"-npes-model=4", "command line -npes-model: left to the program; did you mean PFIO's '--npes_model'?"},
  };
  for (const TextCase& expected : cases)
    EXPECT_THAT(notes_of(expected.options), ElementsAre(expected.text)) << expected.options;
}

TEST(PfioOptions, that_mean_the_same_as_in_pfio_get_none) {
  for (const std::string options :
       {"--npes_model 28 --nodes_output_server 1 --oserver_type multigroup --npes_backend_pernode 5",
        "--npes_model 4 --npes_output_server 2 --isolate_nodes false", "--npes_output_server 3 --one_node_output true",
        "--npes_model 4 --fast_oclient true --with_io_profiler --n_members 1 --oserver_type single",
        "--profile --input data.nc --nodes 4 -n"})
    EXPECT_THAT(notes_of(options), IsEmpty()) << options;
}

TEST(PfioOptions, are_written_as_options_that_say_the_same) {
  const std::vector<TextCase> cases = {
      {"", ""},
      {"--oserver_type=multilayer --npes_backend_pernode=2 --nodes_output_server=2,3 --npes_model=6",
       "--npes_model 6 --nodes_output_server 2 3 --oserver_type multigroup --npes_backend_pernode 2"},
      {"--npes_output_server 3 --one_node_output", "--nodes_output_server 1 1 1"},
      {"--compress_nodes --npes_output_server 2 --npes_input_server 3 --npes_model 4",
       "--npes_model 4 --npes_input_server 3 --npes_output_server 2 --isolate_nodes false"},
      {"--n_members 2 --with_io_profiler --fast_oclient", "--fast_oclient true --with_io_profiler --n_members 2"},
  };
  for (const TextCase& expected : cases) {
    const std::string text = options_text(launch_of("model " + expected.options));
    EXPECT_EQ(text, expected.text) << expected.options;
    EXPECT_EQ(options_text(launch_of("model " + text)), text) << expected.options;
  }
}

TEST(PfioOptions, give_servers_whole_nodes) {
  const ServerNodes two = server_nodes(launch_of("model --nodes_output_server 2"), 28);
  EXPECT_EQ(two.count, 2);
  EXPECT_THAT(two.groups, IsEmpty());
  EXPECT_EQ(two.backends_per_node, 0);
  const ServerNodes split = server_nodes(
      launch_of("model --npes_output_server 28 29 57 --oserver_type multigroup --npes_backend_pernode 3"), 28);
  EXPECT_EQ(split.count, 6);
  EXPECT_THAT(split.groups, ElementsAre(1, 2, 3));
  EXPECT_EQ(split.backends_per_node, 3);
}

}  // namespace
}  // namespace thalweg::compat::pfio
