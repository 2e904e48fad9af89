// Commands replayed on a session, beside the same calls on another one: their files are equal to the last byte. The
// sessions are of one rank, which holds no cells, as no server does.
#include "server/replay.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

#include "error_of.hpp"
#include "formats/sample_folder.hpp"

namespace thalweg::server {
namespace {

namespace commands = session::commands;
using formats::sample::Folder;
using session::Session;

const catalog::Attribute units{.name = "units", .type = std::nullopt, .text = "degC", .values = {}};
const catalog::Attribute title{.name = "title", .type = std::nullopt, .text = "late", .values = {}};

std::unique_ptr<Session> begin(const Folder& folder) {
  const std::string yaml = fmt::format(
      "writers: sync\nreport: none\nrun-id: one\ntime-step: 60 s\n"
      "collections: {{history: {{file: \"{}\", format: cdf5, every: 2 steps}}}}\n",
      folder / "first.nc");
  return std::make_unique<Session>(config::load_text(yaml, "test.yaml"),
                                   std::make_unique<roles::Roles>(roles::Circle(MPI_COMM_SELF)));
}

// Names of files with their content.
std::map<std::string, std::string> files_of(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename()] = {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  return files;
}

std::vector<commands::Command> all_kinds(const Folder& folder) {
  return {commands::Decompose{{"y", "x"}, {2, 3}, {0, 0}, {0, 0}, true},
          commands::DecomposePoints{{"cell"}, {4}, true},
          commands::selected(0, {"b", "a"}, {geometry::Selection({{1, 1, 1}}), geometry::Selection({{0, 2, 2}})}),
          commands::OpenCollection{"history"},
          commands::DefineDimension{0, "z", 2},
          commands::DefineVariable{0, "temp", "time,z,y,x", Type::float32, 0, ""},
          commands::DefineVariable{0, "mesh", "cell", Type::int32, 1, ""},
          commands::DefineVariable{0, "part", "time,b,a", Type::float32, 2, ""},
          commands::DefineAttribute{0, "temp", units},
          commands::Ready{},
          commands::SetTime{120.0},
          commands::Advance{180.0},
          commands::Advance{240.0},
          commands::ChangeAttribute{{0, "", title}},
          commands::NewFile{0, folder / "second.nc"},
          commands::Advance{300.0},
          commands::Advance{360.0},
          commands::Flush{},
          commands::Wait{}};
}

void call_all(Session& session, const Folder& folder) {
  session::Definitions& definitions = session.definitions();
  definitions.decompose({{"y", "x"}, {2, 3}, {}, {0, 0}, {0, 0}, true, nullptr});
  definitions.decompose_points({"cell"}, {4}, {}, true);
  definitions.part_of(0, {geometry::Selection({{1, 1, 1}}), geometry::Selection({{0, 2, 2}})}, {"b", "a"});
  session::Collection& history = definitions.open_collection("history");
  definitions.define_dimension(history, "z", 2);
  definitions.define_variable(history, "temp", "time,z,y,x", Type::float32, 0, "");
  definitions.define_variable(history, "mesh", "cell", Type::int32, 1, "");
  definitions.define_variable(history, "part", "time,b,a", Type::float32, 2, "");
  definitions.define_attribute(history, "temp", units);
  session.ready();
  session.set_time(Session::TimeOf::start, 120.0);
  session.advance(180.0);
  session.advance(240.0);
  session.give_attribute(Session::GivenTo::coming_files, history, "", title);
  session.new_file(history, folder / "second.nc");
  session.advance(300.0);
  session.advance(360.0);
  session.flush();
  session.wait();
}

TEST(Replay, makes_the_calls_that_commands_tell_of) {
  const Folder replayed, called;
  const auto server = begin(replayed);
  for (const commands::Command& command : all_kinds(replayed)) replay(*server, command);
  server->finish();
  const auto model = begin(called);
  call_all(*model, called);
  model->finish();
  const auto files = files_of(called / "");
  EXPECT_TRUE(files.contains("first.nc"));
  EXPECT_TRUE(files.contains("second.nc"));
  EXPECT_EQ(files_of(replayed / ""), files);
}

TEST(Replay, says_what_the_call_says) {
  const Folder folder;
  const auto session = begin(folder);
  replay(*session, commands::OpenCollection{"history"});
  EXPECT_NE(error_of(THALWEG_ERROR_NAME, [&] { replay(*session, commands::OpenCollection{"history"}); }), "no error");
  replay(*session, commands::DefineVariable{0, "level", "time", Type::float64, -1, ""});
  replay(*session, commands::Advance{60.0});
  EXPECT_NE(error_of(THALWEG_ERROR_STATE, [&] { replay(*session, commands::SetTime{0.0}); }), "no error");
  session->finish();
}

}  // namespace
}  // namespace thalweg::server
