#include "config/settings.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "config/grammar.hpp"
#include "loading.hpp"

namespace thalweg::config {
namespace {

using testing::ElementsAre;

class ConfigSettings : public CleanEnvironment {};

constexpr const char* full_text = R"(writers: sync
staging: 512 MiB
when-full: fail
deadline: 90 s
direct-io: off
emulate-nodes: [3, 2]
calendar: 365_day
reference-date: 1850-01-01T06:00:00
time-step: 30 min
report: none
profile: run.json
run-id: control.r1_p-2
collections:
  history:
    file: "ocean_%Y-%m.nc"
    every: 6 h
    new-file: 1 month
    initial-record: true
    restart-set: state
    format: cdf5
    pattern: shared
    layout: [4, 1]
    append: fail
    durability: record
    priority: high
    record-dimension: t
    records-ahead: 3
    header-reserve: 64 KiB
    variables:
      temp: {enabled: false}
      salt:
  restart:
progress: thread
send: wait
on-server-loss: continue
time-line: line.json
status: status
)";

TEST_F(ConfigSettings, top_level_keys_arrive) {
  const Settings settings = load(full_text);
  EXPECT_EQ(settings.writers, Writers::sync);
  EXPECT_EQ(settings.staging, std::int64_t{512} << 20);
  EXPECT_EQ(settings.when_full, WhenFull::fail);
  EXPECT_EQ(settings.deadline_s, 90.0);
  EXPECT_EQ(settings.direct_io, DirectIo::off);
  EXPECT_THAT(settings.emulate_nodes, ElementsAre(3, 2));
  EXPECT_EQ(settings.calendar, Calendar::noleap);
  EXPECT_EQ(settings.reference_date, (Date{.year = 1850, .hour = 6}));
  EXPECT_EQ(settings.time_step_s, 1800.0);
  EXPECT_FALSE(settings.report.prints);
  EXPECT_EQ(settings.profile, std::filesystem::absolute("run.json"));
  EXPECT_EQ(settings.time_line, std::filesystem::absolute("line.json"));
  EXPECT_EQ(settings.status, std::filesystem::absolute("status"));
  EXPECT_EQ(settings.run_id, "control.r1_p-2");
  EXPECT_EQ(settings.progress, Progress::thread);
  EXPECT_EQ(settings.send, Send::wait);
  EXPECT_EQ(settings.on_server_loss, OnServerLoss::go_on);
}

TEST_F(ConfigSettings, keys_of_a_collection_arrive) {
  const CollectionSettings history = load(full_text).collection("history");
  EXPECT_EQ(history.name, "history");
  EXPECT_EQ(history.file, "ocean_%Y-%m.nc");
  EXPECT_EQ(history.every, Interval{.seconds = 21600});
  EXPECT_EQ(history.new_file, Interval{.months = 1});
  EXPECT_TRUE(history.initial_record);
  EXPECT_EQ(history.restart_set, "state");
  EXPECT_EQ(history.format, format_named("cdf5"));
  EXPECT_EQ(history.pattern, Pattern::shared);
  EXPECT_THAT(history.layout, ElementsAre(4, 1));
  EXPECT_EQ(history.append, Append::fail);
  EXPECT_EQ(history.durability, Durability::record);
  EXPECT_EQ(history.priority, Priority::high);
  EXPECT_EQ(history.record_dimension, "t");
  EXPECT_EQ(history.records_ahead, 3);
  EXPECT_EQ(history.header_reserve, 65536);
  EXPECT_EQ(history.place, "ocean.yaml:14:3");
}

TEST_F(ConfigSettings, keys_of_variables_arrive) {
  const auto variables = load(full_text).collection("history").variables;
  ASSERT_EQ(variables.size(), 2U);
  EXPECT_FALSE(variables.at("temp").enabled);
  EXPECT_TRUE(variables.at("salt").enabled);
}

TEST_F(ConfigSettings, a_collection_without_keys_has_the_defaults) {
  const CollectionSettings restart = load(full_text).collection("restart");
  EXPECT_EQ(restart.file, "restart.nc");
  EXPECT_EQ(restart.every, Interval{.steps = 1});
  EXPECT_EQ(restart.new_file, Interval{});
  EXPECT_EQ(restart.place, "ocean.yaml:32:3");
}

TEST_F(ConfigSettings, empty_texts_give_the_defaults) {
  for (const char* yaml : {"", "\n# nothing yet\n", "{}", "collections:\n", "---\n"}) {
    const Settings settings = load(yaml);
    EXPECT_EQ(settings.writers, Writers::thread) << yaml;
    EXPECT_TRUE(settings.collections.empty()) << yaml;
    for (const Effective& line : settings.effective) EXPECT_EQ(line.origin, "default") << line.key;
  }
}

TEST_F(ConfigSettings, aliases_share_keys_between_collections) {
  const Settings settings = load("collections: {a: &common {every: 6 h, format: cdf2}, b: *common}");
  EXPECT_EQ(settings.collection("b").format, format_named("cdf2"));
  EXPECT_EQ(settings.collection("b").file, "b.nc");
}

TEST_F(ConfigSettings, any_collection_is_known_where_none_is_configured) {
  const CollectionSettings collection = load("").collection("history");
  EXPECT_EQ(collection.name, "history");
  EXPECT_EQ(collection.file, "history.nc");
  EXPECT_EQ(collection.place, "");
  EXPECT_EQ(load("").collection("a%Y").file, "a%%Y.nc");
}

TEST_F(ConfigSettings, an_unconfigured_collection_among_others_is_refused_with_the_nearest) {
  try {
    load(full_text).collection("histroy");
    FAIL() << "accepted";
  } catch (const Error& fault) {
    EXPECT_EQ(fault.code(), THALWEG_ERROR_NAME);
    EXPECT_STREQ(fault.what(), "the collection 'histroy' is not in the configuration; did you mean 'history'?");
  }
}

std::vector<std::string> lines(const Settings& settings) {
  std::vector<std::string> texts;
  for (const Effective& line : settings.effective)
    texts.push_back(line.key + " = " + line.value + " (" + line.origin + ")");
  return texts;
}

TEST_F(ConfigSettings, effective_settings_have_canonical_texts_and_origins) {
  setenv("THALWEG_WRITERS", "sync", 1);
  setenv("THALWEG_EMULATE_NODES", "[2,1]", 1);
  const Settings settings = load(
      "staging: 1024 MiB\ndeadline: 300 s\ncollections:\n  h:\n    every: 24 h\n"
      "    layout: [ 2,1 ]\n    variables: {t: }\n");
  EXPECT_THAT(
      lines(settings),
      ElementsAre(
          "writers.place = sync (environment THALWEG_WRITERS)", "writers.per-node = 1 (default)",
          "writers.ranks.count = auto (default)", "writers.ranks.groups = 1 (default)",
          "writers.nodes.count = 1 (default)", "writers.nodes.backends-per-node = auto (default)",
          "writers.nodes.groups = 1 (default)", "writers.clients = auto (default)",
          "writers.assign = least-loaded (default)", "staging = 1 GiB (file ocean.yaml:1:10)",
          "staging-folder = none (default)", "when-full = wait (default)", "spill.folder = auto (default)",
          "spill.limit = 10 GiB (default)", "drain = eager (default)", "rate-limit = none (default)",
          "progress = call (default)", "send = fast (default)", "on-server-loss = stop (default)",
          "owner = error (default)", "reading = auto (default)", "deadline = 5 min (file ocean.yaml:2:11)",
          "direct-io = auto (default)", "emulate-nodes = [2, 1] (environment THALWEG_EMULATE_NODES)",
          "writer-threads = auto (default)", "calendar = standard (default)",
          "reference-date = 2000-01-01 00:00:00 (default)", "time-step = auto (default)",
          "command-line = none (default)", "report = table (default)", "profile = none (default)",
          "time-line = none (default)", "status = none (default)", "run-id = auto (default)",
          "variables = none (default)", "collections.h.extends = none (default)", "collections.h.file = h.nc (default)",
          "collections.h.every = 1 d (file ocean.yaml:5:12)", "collections.h.new-file = never (default)",
          "collections.h.cycle = none (default)", "collections.h.restart-set = none (default)",
          "collections.h.initial-record = false (default)", "collections.h.record-coordinate = true (default)",
          "collections.h.format = netcdf4 (default)", "collections.h.pattern = auto (default)",
          "collections.h.layout = [2, 1] (file ocean.yaml:6:13)", "collections.h.servers = 1 (default)",
          "collections.h.turns = auto (default)", "collections.h.append = new (default)",
          "collections.h.keep-unfinished = all (default)", "collections.h.durability = close (default)",
          "collections.h.record-checksums = true (default)", "collections.h.checksum-attributes = false (default)",
          "collections.h.priority = normal (default)", "collections.h.record-dimension = time (default)",
          "collections.h.attributes = none (default)", "collections.h.records-ahead = auto (default)",
          "collections.h.when-not-put = fill (default)", "collections.h.header-reserve = 8 KiB (default)",
          "collections.h.chunks = auto (default)", "collections.h.sharding = false (default)",
          "collections.h.write-behind.below = auto (default)", "collections.h.write-behind.records = auto (default)",
          "collections.h.write-behind.interval = 0.1 s (default)", "collections.h.compression.codec = none (default)",
          "collections.h.compression.level = auto (default)", "collections.h.compression.shuffle = auto (default)",
          "collections.h.compression.store-noise = true (default)",
          "collections.h.compression.keep-digits = all (default)",
          "collections.h.compression.keep-bits = all (default)", "collections.h.compression.checksum = auto (default)",
          "collections.h.engine = direct (default)", "collections.h.library-calls = collective (default)",
          "collections.h.hints = none (default)", "collections.h.aggregators-per-node = auto (default)",
          "collections.h.striping = none (default)", "collections.h.fields = none (default)",
          "collections.h.region = none (default)", "collections.h.vertical = none (default)",
          "collections.h.grid = none (default)", "collections.h.optional = false (default)",
          "collections.h.operation = instant (default)", "collections.h.missing = skip (default)",
          "collections.h.valid = 0 (default)", "collections.h.partial = keep (default)",
          "collections.h.straddle = end (default)", "collections.h.repeat = error (default)",
          "collections.h.sample = 1 step (default)", "collections.h.sample-offset = none (default)",
          "collections.h.from = none (default)", "collections.h.until = none (default)",
          "collections.h.file-date = start (default)", "collections.h.anchor = calendar (default)",
          "collections.h.variables.t.enabled = true (default)",
          "collections.h.variables.t.when-not-put = as the collection (default)",
          "collections.h.variables.t.chunks = auto (default)", "collections.h.variables.t.attributes = none (default)",
          "collections.h.variables.t.compression.codec = as the collection (default)",
          "collections.h.variables.t.compression.level = as the collection (default)",
          "collections.h.variables.t.compression.shuffle = as the collection (default)",
          "collections.h.variables.t.compression.store-noise = as the collection (default)",
          "collections.h.variables.t.compression.keep-digits = as the collection (default)",
          "collections.h.variables.t.compression.keep-bits = as the collection (default)",
          "collections.h.variables.t.compression.checksum = as the collection (default)"));
}

TEST_F(ConfigSettings, files_are_loaded_under_their_path) {
  const std::string path = testing::TempDir() + "/thalweg_settings_" + std::to_string(getpid()) + ".yaml";
  std::ofstream(path) << "\r\nwriters: sync\r\n";
  const Settings settings = load_file(path);
  EXPECT_EQ(settings.effective.front().origin, "file " + path + ":2:10");
  unlink(path.c_str());
}

TEST_F(ConfigSettings, no_file_means_defaults) {
  EXPECT_EQ(load_file("").effective.size(), load("").effective.size());
}

std::string fault_of_file(const std::string& path) {
  try {
    load_file(path);
  } catch (const Error& fault) {
    EXPECT_EQ(fault.code(), THALWEG_ERROR_CONFIG);
    return fault.what();
  }
  return "none";
}

TEST_F(ConfigSettings, files_that_cannot_be_read_are_named) {
  EXPECT_EQ(fault_of_file("nowhere/ocean.yaml"),
            "the configuration file 'nowhere/ocean.yaml' cannot be read: No such file or directory");
  EXPECT_EQ(fault_of_file("/"), "the configuration file '/' cannot be read: it is a directory");
}

}  // namespace
}  // namespace thalweg::config
