#include "compat/pfio/command_line.hpp"

#include <gmock/gmock.h>

#include "compat/pfio_words.hpp"
#include "config/loading.hpp"
#include "error_of.hpp"

namespace thalweg::compat::pfio {
namespace {

using config::Draft;
using config::Send;
using config::Settings;
using config::Writers;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class PfioCommandLine : public config::CleanEnvironment {
 protected:
  // The settings of a text with the options of a program, before they are complete; all faults are thrown.
  static Draft drafted(const std::string& yaml, const std::string& options) {
    Draft draft;
    read_text(draft, yaml, "ocean.yaml");
    read_environment(draft);
    take_options(draft, words("./ocean " + options));
    check_together(draft);
    draft.faults.throw_if_any();
    return draft;
  }
  static Settings settings(const std::string& yaml, const std::string& options) {
    return drafted(yaml, options).settings;
  }
  // Why so many ranks on nodes of 4 do not do.
  static std::string refused(const Settings& settings, std::int64_t ranks) {
    return error_of(THALWEG_ERROR_CONFIG, [&] { applied(settings, ranks); });
  }
  static Settings applied(Settings settings, std::int64_t ranks) {
    const config::Launch launch = *settings.launch;
    launch.apply(settings, {.count = ranks, .of_largest_node = 4});
    return settings;
  }
  static std::string origin(const Draft& draft, const std::string& key) {
    const auto set = draft.where.find(key);
    return set == draft.where.end() ? "default" : set->second.origin;
  }
};

TEST_F(PfioCommandLine, an_option_that_is_nearly_one_is_told_first_where_the_launch_does_not_fit) {
  const Settings mistyped = settings("command-line: pfio", "--npes_model 3 --npes_output_servr 1");
  EXPECT_THAT(refused(mistyped, 4),
              StartsWith("command line --npes_output_servr: left to the program; did you mean PFIO's "
                         "'--npes_output_server'? As it is: npes = 4, but --npes_model 3 and no servers"));
  EXPECT_THAT(refused(settings("command-line: pfio", "--npes_model 3"), 4), HasSubstr("command-line: npes = 4, but"));
}

TEST_F(PfioCommandLine, counts_only_where_the_configuration_says_so) {
  const Settings without = load("");
  EXPECT_FALSE(without.command_line);
  EXPECT_FALSE(without.launch.has_value());
  const Settings with = load("command-line: pfio");
  EXPECT_EQ(with.command_line->name, "pfio");
  EXPECT_TRUE(with.launch.has_value());
  setenv("THALWEG_COMMAND_LINE", "pfio", 1);
  EXPECT_TRUE(load("").launch.has_value());
}

TEST_F(PfioCommandLine, makes_nodes_of_servers) {
  const Draft draft = drafted("", "--npes_model 6 --nodes_output_server 2");
  EXPECT_EQ(draft.settings.writers, Writers::nodes);
  EXPECT_EQ(draft.settings.server_nodes.count, 2);
  EXPECT_EQ(draft.settings.server_nodes.backends_per_node, 0);
  EXPECT_THAT(draft.settings.server_nodes.groups, IsEmpty());
  EXPECT_EQ(draft.settings.clients, 6);
  EXPECT_EQ(origin(draft, "writers.place"), "command line --nodes_output_server");
  EXPECT_EQ(origin(draft, "writers.nodes.count"), "command line --nodes_output_server");
  EXPECT_EQ(origin(draft, "writers.nodes.groups"), "default");
  EXPECT_EQ(origin(draft, "writers.nodes.backends-per-node"), "default");
  EXPECT_EQ(origin(draft, "writers.clients"), "command line --npes_model");
}

TEST_F(PfioCommandLine, makes_groups_with_backends) {
  const Draft draft = drafted("", "--nodes_output_server 2 3 --oserver_type multigroup --npes_backend_pernode 4");
  EXPECT_EQ(draft.settings.server_nodes.count, 5);
  EXPECT_EQ(draft.settings.server_nodes.backends_per_node, 4);
  EXPECT_THAT(draft.settings.server_nodes.groups, ElementsAre(2, 3));
  EXPECT_EQ(draft.settings.clients, 0);
  EXPECT_EQ(origin(draft, "writers.nodes.groups"), "command line --nodes_output_server");
  EXPECT_EQ(origin(draft, "writers.nodes.backends-per-node"), "command line --npes_backend_pernode");
  EXPECT_EQ(origin(draft, "writers.clients"), "default");
  EXPECT_EQ(draft.settings.assign->name, "idle");
  EXPECT_EQ(origin(draft, "writers.assign"), "command line --npes_backend_pernode");
}

TEST_F(PfioCommandLine, leaves_what_is_said_of_who_gets_what) {
  const std::string options = "--nodes_output_server 2 --oserver_type multigroup --npes_backend_pernode 4";
  EXPECT_EQ(settings("writers: {assign: in-turn}", options).assign->name, "in-turn");
  EXPECT_EQ(settings("", "--nodes_output_server 2").assign->name, "least-loaded");
}

TEST_F(PfioCommandLine, makes_servers_of_one_node_each) {
  const Settings three = settings("", "--npes_output_server 3 --one_node_output true");
  EXPECT_EQ(three.server_nodes.count, 3);
  EXPECT_THAT(three.server_nodes.groups, ElementsAre(1, 1, 1));
}

TEST_F(PfioCommandLine, takes_a_server_in_ranks_to_fit_into_one_node) {
  const Draft draft = drafted("", "--npes_model 6 --npes_output_server 3");
  EXPECT_EQ(draft.settings.writers, Writers::nodes);
  EXPECT_EQ(draft.settings.server_nodes.count, 1);
  EXPECT_EQ(origin(draft, "writers.nodes.count"), "command line --npes_output_server");
}

TEST_F(PfioCommandLine, learns_at_the_launch_how_many_nodes_hold_a_server_in_ranks) {
  const Settings settings = PfioCommandLine::settings("", "--npes_model 6 --npes_output_server 5 1");
  EXPECT_THAT(settings.server_nodes.groups, ElementsAre(1, 1));
  EXPECT_THAT(applied(settings, 20).server_nodes.groups, ElementsAre(2, 1));
  EXPECT_EQ(applied(settings, 20).server_nodes.count, 3);
  EXPECT_THAT(refused(settings, 19), HasSubstr("command-line: npes = 19 is too few"));
}

TEST_F(PfioCommandLine, makes_servers_on_the_nodes_of_the_model) {
  const Draft draft = drafted("", "--npes_model 3 --npes_output_server 2 --isolate_nodes false");
  EXPECT_EQ(draft.settings.writers, Writers::ranks);
  EXPECT_EQ(draft.settings.server_ranks.count, 2);
  EXPECT_THAT(draft.settings.server_ranks.groups, IsEmpty());
  EXPECT_EQ(draft.settings.clients, 3);
  EXPECT_EQ(origin(draft, "writers.place"), "command line --npes_output_server");
  EXPECT_EQ(origin(draft, "writers.ranks.count"), "command line --npes_output_server");
}

TEST_F(PfioCommandLine, prevails_over_file_and_environment) {
  const Settings over_file =
      settings("writers: {ranks: {count: 4, groups: 2}, clients: 9}", "--nodes_output_server 2 --npes_model 6");
  EXPECT_EQ(over_file.writers, Writers::nodes);
  EXPECT_EQ(over_file.server_nodes.count, 2);
  EXPECT_EQ(over_file.server_ranks.count, 0);
  EXPECT_THAT(over_file.server_ranks.groups, IsEmpty());
  EXPECT_EQ(over_file.clients, 6);
  EXPECT_EQ(settings("writers: sync", "--nodes_output_server 2").writers, Writers::nodes);
  EXPECT_EQ(
      settings("writers: {nodes: {backends-per-node: 3}}", "--nodes_output_server 2").server_nodes.backends_per_node,
      0);
  setenv("THALWEG_WRITERS", "{nodes: 7}", 1);
  EXPECT_EQ(settings("", "--npes_output_server 2 --isolate_nodes false").writers, Writers::ranks);
}

TEST_F(PfioCommandLine, keeps_what_it_does_not_speak_of) {
  EXPECT_EQ(settings("writers: {ranks: 2, clients: 9}", "--fast_oclient").clients, 9);
  EXPECT_EQ(settings("writers: {nodes: 2, clients: 9}", "--nodes_output_server 3").clients, 9);
  EXPECT_EQ(settings("writers: sync", "-v run.nml").writers, Writers::sync);
}

TEST_F(PfioCommandLine, says_the_size_of_the_model_beside_servers_of_the_file) {
  const Settings both = settings("writers: {ranks: 2}", "--npes_model 6");
  EXPECT_EQ(both.writers, Writers::ranks);
  EXPECT_EQ(both.server_ranks.count, 2);
  EXPECT_EQ(both.clients, 6);
  EXPECT_EQ(refused(both, 8), "no error") << "PFIO's arithmetic would miss its servers";
  EXPECT_EQ(settings("writers: nodes", "--npes_model 6").clients, 6);
}

TEST_F(PfioCommandLine, leaves_all_ranks_to_a_model_without_servers) {
  for (const std::string yaml : {"", "writers: sync"}) {
    const Settings alone = settings(yaml, "--npes_model 6");
    EXPECT_EQ(alone.clients, 0) << yaml;
    EXPECT_EQ(refused(alone, 6), "no error") << yaml;
    EXPECT_THAT(refused(alone, 7), HasSubstr("--npes_model 6 and no servers")) << yaml;
  }
  setenv("THALWEG_WRITERS", "thread", 1);
  EXPECT_EQ(settings("writers: {nodes: 2}", "--npes_model 6").clients, 0);
}

TEST_F(PfioCommandLine, asks_for_the_table_of_times) {
  const Draft draft = drafted("report: none", "--with_io_profiler");
  EXPECT_TRUE(draft.settings.report.prints);
  EXPECT_EQ(draft.settings.report.as->name, "pfio");
  EXPECT_EQ(origin(draft, "report"), "command line --with_io_profiler");
  EXPECT_FALSE(settings("report: none", "").report.prints);
}

TEST_F(PfioCommandLine, says_whether_clients_wait_until_all_is_sent) {
  const Draft draft = drafted("", "--fast_oclient false");
  EXPECT_EQ(draft.settings.send, Send::wait);
  EXPECT_EQ(origin(draft, "send"), "command line --fast_oclient");
  EXPECT_EQ(settings("send: wait", "--fast_oclient true").send, Send::fast);
  EXPECT_EQ(settings("send: wait", "--npes_model 4").send, Send::wait);
  EXPECT_EQ(settings("", "--npes_model 4").send, Send::fast);
}

TEST_F(PfioCommandLine, has_its_faults_listed_after_those_of_the_file) {
  try {
    drafted("staging: much", "--npes_model 0");
    FAIL() << "no fault";
  } catch (const Error& fault) {
    const std::string all = fault.what();
    EXPECT_EQ(fault.code(), THALWEG_ERROR_CONFIG);
    EXPECT_LT(all.find("ocean.yaml:1:10: error: "), all.find("command line --npes_model: error: '0'")) << all;
    EXPECT_NE(all.find("command line --npes_model: error: '0'"), std::string::npos) << all;
  }
}

}  // namespace
}  // namespace thalweg::compat::pfio
