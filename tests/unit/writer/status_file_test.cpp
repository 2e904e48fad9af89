#include "writer/status_file.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/clock.hpp"
#include "storage/file_identity.hpp"
#include "writer/engine.hpp"
#include "writer/sample_collection.hpp"

namespace thalweg::writer {
namespace {

using nlohmann::json;
using sample::Folder;
using sample::Node;
using testing::HasSubstr;

StatusOptions status_at(const std::string& path, double interval_s = 0.0) {
  return {.path = path,
          .origin = {.run = "r", .rank = 0, .interval_s = interval_s, .longest_s = 3600.0},
          .model = std::make_shared<profile::ModelProgress>()};
}

json said_in(const std::string& path) {
  std::ifstream file(path);
  return json::parse(file);
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

std::string text_in(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Writing {
  explicit Writing(StatusOptions options)
      : status(std::move(options), node.control->processes, node.control->failures) {}
  void tell(std::int64_t records = 0) {
    status.tell(profile::SessionState::running, {{.name = "history", .written = records}});
  }
  Node node{1};
  StatusFile status;
};

TEST(StatusFile, makes_its_folder_and_leaves_nothing_but_the_file) {
  const Folder folder;
  Writing writing(status_at(folder / "deep/status/ocean.0.json"));
  writing.tell(3);
  EXPECT_EQ(said_in(folder / "deep/status/ocean.0.json").at("collections").at(0).at("written"), 3);
  const std::filesystem::directory_iterator files(folder / "deep/status");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(StatusFile, is_written_only_when_it_has_news) {
  const Folder folder;
  const std::string path = folder / "ocean.0.json";
  Writing writing(status_at(path));
  writing.tell(1);
  const auto first = storage::identity_at(path);
  writing.tell(1);
  EXPECT_EQ(storage::identity_at(path), first);
  writing.tell(2);
  EXPECT_NE(storage::identity_at(path), first);
}

TEST(StatusFile, is_due_when_an_interval_has_gone_by) {
  const Folder folder;
  Writing writing(status_at(folder / "ocean.0.json", 100.0));
  EXPECT_TRUE(writing.status.is_due(now_s()));
  writing.tell();
  EXPECT_FALSE(writing.status.is_due(now_s()));
  EXPECT_TRUE(writing.status.is_due(now_s() + 100.0));
}

TEST(StatusFile, replaces_an_earlier_status_and_nothing_else) {
  const Folder folder;
  write_text(folder / "old.json", R"({"thalweg_status":1,"run":"earlier"})");
  Writing(status_at(folder / "old.json")).tell();
  EXPECT_EQ(said_in(folder / "old.json").at("run"), "r");
  write_text(folder / "precious.json", R"({"precious": true})");
  Writing refused(status_at(folder / "precious.json"));
  refused.tell();
  EXPECT_EQ(text_in(folder / "precious.json"), R"({"precious": true})");
  EXPECT_FALSE(refused.status.is_due(now_s() + 1e9)) << "it is not tried again";
}

TEST(StatusFile, is_off_when_it_cannot_be_written_and_the_run_goes_on) {
  const Folder folder;
  write_text(folder / "file", "");
  Writing writing(status_at(folder / "file/ocean.0.json"));
  testing::internal::CaptureStderr();
  writing.tell(1);
  writing.tell(2);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("'status' is not written any more"));
  EXPECT_EQ(log.find("not written"), log.rfind("not written")) << "said once";
  EXPECT_FALSE(writing.node.control->failures.has_failed());
}

TEST(StatusFile, says_how_far_the_model_is) {
  const Folder folder;
  StatusOptions options = status_at(folder / "ocean.0.json");
  auto model = std::make_shared<profile::ModelProgress>();
  options.model = model;
  Writing writing(std::move(options));
  model->start_s = 100.0;
  model->end_s = 700.0;
  model->make_step(200.0);
  model->make_step(300.0);
  writing.tell();
  const json said = said_in(folder / "ocean.0.json").at("model");
  EXPECT_EQ(said.at("steps"), 2);
  EXPECT_EQ(said.at("start_s"), 100.0);
  EXPECT_EQ(said.at("end_s"), 700.0);
  EXPECT_EQ(said.at("first").at("time_s"), 200.0);
  EXPECT_EQ(said.at("last").at("time_s"), 300.0);
  EXPECT_GT(said.at("first").at("at"), 1.6e9) << "seconds since 1970";
  EXPECT_LE(said.at("first").at("at"), said.at("last").at("at"));
}

TEST(StatusFile, names_the_slowest_client_and_the_one_that_waits_longest) {
  const Folder folder;
  Writing writing(status_at(folder / "ocean.0.json"));
  staging::ClientState& client = writing.node.control->processes.client(0);
  client.rank = 5;
  client.steps.make({.time_s = 1.0});
  client.since_s = now_s() - 10.0;
  client.cause = staging::WaitCause::block;
  writing.tell();
  const json said = said_in(folder / "ocean.0.json");
  EXPECT_EQ(said.at("wait").at("rank"), 5);
  EXPECT_EQ(said.at("wait").at("for"), "a free block");
  EXPECT_NEAR(said.at("written").get<double>() - said.at("wait").at("since").get<double>(), 10.0, 1.0);
  EXPECT_TRUE(said.at("model").at("slowest").is_null()) << "of one client nobody says so";
}

TEST(StatusFile, says_what_failed_without_delay) {
  const Folder folder;
  Writing writing(status_at(folder / "ocean.0.json", 100.0));
  writing.tell();
  EXPECT_FALSE(writing.status.is_due(now_s()));
  writing.node.control->failures.report(THALWEG_ERROR_STORAGE, "the disk is full");
  EXPECT_TRUE(writing.status.is_due(now_s())) << "at once: the job may end soon";
  writing.tell();
  EXPECT_FALSE(writing.status.is_due(now_s()));
  const json said = said_in(folder / "ocean.0.json");
  EXPECT_EQ(said.at("state"), "failed");
  EXPECT_EQ(said.at("error"), "the disk is full");
}

// An engine that is stepped: records, bytes and blocks of a collection, from the first one to the complete file.
TEST(StatusFile, of_an_engine_follows_its_collections) {
  const Folder folder;
  const std::string path = folder / "ocean.0.json";
  Node node(1);
  sample::Collection collection(node, formats::sample::definition(config::format_named("cdf5")), {.depth = 4});
  Engine engine(*node.control, node.book, {.status = status_at(path)});
  engine.listen_to(node.queue, 0);
  collection.start();
  const auto said = [&] {
    while (engine.step()) {
    }
    return said_in(path).at("collections").at(0);
  };
  const json begun = said();
  EXPECT_EQ(begun.at("name"), "history");
  EXPECT_EQ(begun.at("committed"), 0);
  EXPECT_EQ(begun.at("blocks").at("free"), begun.at("blocks").at("total"));
  collection.put_all(0, 0);
  const json put = said();
  EXPECT_LT(put.at("blocks").at("free"), put.at("blocks").at("total")) << "the file is not open yet";
  collection.open(0);
  collection.put_all_fixed();
  collection.place_and_commit(0, 0, 0);
  const json written = said();
  EXPECT_EQ(written.at("put"), 1);
  EXPECT_EQ(written.at("written"), 1);
  EXPECT_EQ(written.at("committed"), 1);
  EXPECT_EQ(written.at("file"), collection.path(0));
  EXPECT_EQ(written.at("blocks").at("free"), written.at("blocks").at("total"));
  EXPECT_GT(written.at("raw_bytes"), 0);
  EXPECT_GE(written.at("file_bytes"), written.at("raw_bytes"));
  collection.close(0, 1, 1);
  const json named = said();
  EXPECT_EQ(named.at("files"), 1);
  EXPECT_TRUE(named.at("file").is_null());
  EXPECT_GE(named.at("file_bytes"), written.at("file_bytes"));
  EXPECT_EQ(said_in(path).at("state"), "running");
  engine.tell_end(true);
  EXPECT_EQ(said_in(path).at("state"), "finished");
}

}  // namespace
}  // namespace thalweg::writer
