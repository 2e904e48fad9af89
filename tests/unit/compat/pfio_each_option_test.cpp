// One table of PFIO's options: what of the configuration each is the same as, or why it is refused. It has the options
// of the page for users of PFIO, all of them and no others.
#include <gmock/gmock.h>

#include <fstream>
#include <regex>
#include <set>

#include "compat/pfio_words.hpp"
#include "config/loading.hpp"
#include "error_of.hpp"
#include "source_dir.hpp"

namespace thalweg::compat::pfio {
namespace {

using config::Settings;
using testing::HasSubstr;

struct Accepted {
  std::string options;
  std::string yaml;    // sets the same
  std::string note{};  // that is said; empty: none
};

// long: a table of all options
std::vector<Accepted> accepted_options() {
  const std::string multigroup = "writers: {nodes: {count: 2, backends-per-node: 3}, assign: idle}";
  const std::string one_node = "writers: {nodes: 1, clients: 4}";
  return {
      {"", ""},
      {"--npes_model 6", ""},
      {"--npes_model 6 --nodes_output_server 2", "writers: {nodes: 2, clients: 6}"},
      {"--npes_output_server 4", "writers: {nodes: 1}"},
      {"--npes_output_server 4 --isolate_nodes true", "writers: {nodes: 1}"},
      {"--npes_output_server 4 --isolate_nodes false", "writers: {ranks: 4}"},
      {"--npes_output_server 4 --compress_nodes", "writers: {ranks: 4}"},
      {"--nodes_output_server 2 3 4", "writers: {nodes: {count: 9, groups: [2, 3, 4]}}"},
      {"--nodes_output_server 3 --one_node_output true", "writers: {nodes: {count: 3, groups: [1, 1, 1]}}"},
      {"--nodes_output_server 2 --oserver_type single", "writers: {nodes: 2}"},
      {"--nodes_output_server 2 --oserver_type mpi", "writers: {nodes: 2}"},
      {"--nodes_output_server 2 --oserver_type multigroup --npes_backend_pernode 3", multigroup},
      {"--nodes_output_server 2 --oserver_type multicomm --npes_backend_pernode 3", multigroup,
       "command line --oserver_type: taken as multigroup"},
      {"--nodes_output_server 2 --oserver_type multilayer --npes_backend_pernode 3", multigroup,
       "command line --oserver_type: taken as multigroup: backends are ranks of the job, none are spawned"},
      {"--fast_oclient", "send: fast"},
      {"--fast_oclient true", "send: fast"},
      {"--fast_oclient false", "send: wait"},
      {"--with_io_profiler", "report: pfio"},
      {"--npes_model 4 --nodes_output_server 1 --npes_input_server 2", one_node,
       "command line --npes_input_server: reading servers come later; their places stay free"},
      {"--npes_model 4 --nodes_output_server 1 --nodes_input_server 2", one_node,
       "command line --nodes_input_server: reading servers come later; their places stay free"},
      {"--n_members 3", "", "command line --n_members: each member starts a session with a communicator of its own"},
      {"--prefix run", "",
       "command line --prefix: no effect: folders of members are said by 'file' of each collection"},
      {"--logging_config log.yaml", "", "command line --logging_config: no effect: the log follows THALWEG_LOG"},
      {"--cap_rc CAP.rc --egress_file EGRESS --root_dso lib.so --use_sub_comm --comm_model 5", ""},
      {"--esmf_logtype none --with_esmf_moab", ""},
  };
}

struct Refused {
  std::string options;
  std::string why;         // a part of the message
  std::int64_t ranks = 0;  // of the whole job, on nodes of 4; 0: it is refused whatever their number
};

// long: a table of all options
std::vector<Refused> refused_options() {
  return {
      {"--npes_model 0", "--npes_model: error: '0' must be at least 1"},
      {"--npes_output_server 2 --nodes_output_server 1", "excludes --npes_output_server"},
      {"--nodes_output_server 2 --compress_nodes", "nodes of servers cannot be shared with the model"},
      {"--npes_output_server 2 3 --isolate_nodes false", "several servers need nodes of their own"},
      {"--npes_output_server 2 --one_node_output --compress_nodes", "servers of one node need nodes of their own"},
      {"--nodes_output_server 2 --oserver_type multigroup", "say how many backends with --npes_backend_pernode"},
      {"--nodes_output_server 2 --oserver_type pools", "'pools' is none of single, mpi, multigroup, multicomm"},
      {"--nodes_output_server 2 --oserver_type multigroup --npes_backend_pernode 0", "'0' must be at least 1"},
      {"--fast_oclient=perhaps", "'perhaps' is none of true, false"},
      {"--with_io_profiler=table", "'table' is none of true, false"},
      {"--npes_model 4 --npes_input_server 2", "--npes_input_server: error: reading servers come later"},
      {"--nodes_output_server 1 --nodes_input_server 2", "say how many these are with --npes_model"},
      {"--n_members 0", "--n_members: error: '0' must be at least 1"},
      {"--n_members 3", "one session has all ranks of the job, npes = 12: split them by MPI_Comm_split", 12},
      {"--npes_model 4 --nodes_output_server 1 --n_members 3", "split them by MPI_Comm_split", 24},
      {"--npes_model 6 --nodes_output_server 2", "npes = 12 is too few", 12},
      {"--npes_model 6", "npes = 8, but --npes_model 6 and no servers", 8},
      {"--npes_model 4 --nodes_output_server 1 --oserver_type multigroup --npes_backend_pernode 4",
       "--npes_backend_pernode 4 leaves no frontends", 8},
  };
}

class PfioEachOption : public config::CleanEnvironment {
 protected:
  PfioEachOption() : file_(testing::TempDir() + "each_option.yaml") {}
  ~PfioEachOption() override { std::remove(file_.c_str()); }

  Settings loaded(const std::string& yaml, const std::string& options = "") const {
    std::ofstream(file_) << yaml << "\n";
    return config::load_file(file_, words("./ocean " + options));
  }
  // Of all keys but the one that has the options read.
  static std::map<std::string, std::string> values(const Settings& settings) {
    std::map<std::string, std::string> values;
    for (const config::Effective& one : settings.effective)
      if (one.key != "command-line") values[one.key] = one.value;
    return values;
  }

 private:
  std::string file_;
};

std::set<std::string> options_in(const std::string& text) {
  const std::regex option("--\\w+");
  return {std::sregex_token_iterator(text.begin(), text.end(), option), {}};
}

// Those in the first column of the page's table of options.
std::set<std::string> options_of_page() {
  std::ifstream page(source_dir() + "/docs/from-pfio.md");
  std::set<std::string> options;
  bool is_in_table = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| PFIO ")) is_in_table = true;
    if (line.empty() && is_in_table && !options.empty()) break;
    if (is_in_table) options.merge(options_in(line.substr(0, line.find('|', 1))));
  }
  return options;
}

TEST_F(PfioEachOption, sets_what_the_configuration_does) {
  for (const Accepted& row : accepted_options()) {
    const Settings found = loaded("command-line: pfio", row.options);
    EXPECT_EQ(values(found), values(loaded(row.yaml))) << row.options;
    EXPECT_EQ(found.notes, row.note.empty() ? std::vector<std::string>{} : std::vector{row.note}) << row.options;
  }
}

TEST_F(PfioEachOption, is_refused_with_a_reason) {
  for (const Refused& row : refused_options()) {
    const std::string why = error_of(THALWEG_ERROR_CONFIG, [&] {
      Settings settings = loaded("command-line: pfio", row.options);
      if (row.ranks > 0) settings.complete_launch({.count = row.ranks, .of_largest_node = 4, .are_whole_job = true});
    });
    EXPECT_THAT(why, HasSubstr(row.why)) << row.options;
  }
}

TEST_F(PfioEachOption, of_a_member_is_accepted_where_the_model_has_split_the_job) {
  Settings settings = loaded("command-line: pfio", "--npes_model 4 --nodes_output_server 1 --n_members 3");
  settings.complete_launch({.count = 8, .of_largest_node = 4});
  EXPECT_EQ(settings.server_nodes.count, 1);
}

TEST_F(PfioEachOption, is_in_the_page_and_in_the_table) {
  std::set<std::string> tested;
  for (const Accepted& row : accepted_options()) tested.merge(options_in(row.options));
  EXPECT_EQ(tested, options_of_page());
}

}  // namespace
}  // namespace thalweg::compat::pfio
