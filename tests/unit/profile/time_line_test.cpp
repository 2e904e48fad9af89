#include "profile/time_line.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/clock.hpp"
#include "base/thread.hpp"

namespace thalweg::profile {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

void tell(const char* name, double start_s, double end_s) {
  tell_span({name, start_s, end_s});
}

std::vector<std::string> names_in(const LineOfThread& thread) {
  std::vector<std::string> names;
  for (const LineSpan& span : thread.line.spans()) names.emplace_back(span.name);
  return names;
}

TEST(TimeLine, has_what_each_thread_tells) {
  const std::shared_ptr<TimeLine> line = TimeLine::begin();
  tell("copy", 1.0, 2.0);
  std::vector<std::thread> threads;
  constexpr int each = 1000;
  for (int k = 0; k < 4; ++k)
    threads.push_back(start_thread("that writes", [] {
      for (int span = 0; span < each; ++span) tell("write", 1.0 * span, 1.0 * span + 0.5);
    }));
  for (std::thread& thread : threads) thread.join();
  tell("finish", 2.0, 3.0);
  const std::vector<LineOfThread> found = line->since(0.0);
  ASSERT_THAT(found, SizeIs(5));
  EXPECT_EQ(found[0].purpose, "");
  EXPECT_THAT(names_in(found[0]), ElementsAre("copy", "finish"));
  for (std::size_t k = 1; k < found.size(); ++k) {
    EXPECT_EQ(found[k].purpose, "that writes");
    EXPECT_THAT(found[k].line.spans(), SizeIs(each));
  }
}

TEST(TimeLine, is_bounded_for_each_thread_by_itself) {
  const std::shared_ptr<TimeLine> line = TimeLine::begin(16);
  start_thread("that spills blocks", [] { tell("spill", 0.0, 1.0); }).join();
  for (int k = 0; k < 1000; ++k) tell("copy", 1.0 * k, 1.0 * k + 1e-4);
  const std::vector<LineOfThread> found = line->since(0.0);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT(found[0].line.left_out(), IsEmpty());
  EXPECT_LE(found[1].line.spans().size(), 16U);
  ASSERT_THAT(found[1].line.left_out(), SizeIs(1));
  EXPECT_EQ(found[1].line.left_out()[0].spans + std::ssize(found[1].line.spans()), 1000);
}

TEST(TimeLine, is_shared_by_sessions_and_ends_with_the_last_one) {
  std::shared_ptr<TimeLine> first = TimeLine::begin();
  tell("copy", 1.0, 2.0);
  std::shared_ptr<TimeLine> second = TimeLine::begin();
  EXPECT_EQ(first, second);
  first.reset();
  tell("write", 5.0, 6.0);
  EXPECT_THAT(names_in(second->since(4.0).at(0)), ElementsAre("write"));
  second.reset();
  EXPECT_EQ(span_follower.load(), nullptr);
  const std::shared_ptr<TimeLine> later = TimeLine::begin();
  EXPECT_THAT(later->since(0.0), IsEmpty()) << "what the same thread told before";
  tell("sync", 7.0, 8.0);
  EXPECT_THAT(names_in(later->since(0.0).at(0)), ElementsAre("sync"));
}

TEST(TimeLine, knows_of_what_a_span_is_that_ends_in_a_scope) {
  const std::shared_ptr<TimeLine> line = TimeLine::begin();
  const char* history = kept_word("history");
  EXPECT_EQ(history, kept_word(std::string("history"))) << "one place for a word";
  {
    const Concerns about(history, 3);
    tell("copy", 1.0, 2.0);
    {
      const Concerns within({kept_word("daily"), 4, 6});
      tell("write", 2.0, 3.0);
    }
    start_thread("that writes", [] { tell("sync", 3.0, 4.0); }).join();
    tell("commit", 4.0, 5.0);
  }
  tell("finish", 5.0, 6.0);
  std::vector<std::pair<std::string, std::int64_t>> found;
  for (const LineOfThread& thread : line->since(0.0))
    for (const LineSpan& span : thread.line.spans())
      found.emplace_back(span.subject.collection == nullptr ? "" : span.subject.collection, span.subject.last_record);
  using P = std::pair<std::string, std::int64_t>;
  EXPECT_THAT(found, UnorderedElementsAre(P("history", 3), P("daily", 6), P("history", 3), P("", -1), P("", -1)));
}

TEST(TimeLine, ends_while_threads_tell_spans) {
  std::atomic<bool> ends = false;
  std::vector<std::thread> threads;
  for (int k = 0; k < 2; ++k)
    threads.push_back(start_thread("that writes", [&ends] {
      while (!ends) tell("write", 0.0, 1.0);
    }));
  for (int k = 0; k < 200; ++k) {
    const std::shared_ptr<TimeLine> line = TimeLine::begin(64);
    for (const LineOfThread& thread : line->since(0.0)) EXPECT_LE(thread.line.spans().size(), 64U);
  }
  ends = true;
  for (std::thread& thread : threads) thread.join();
}

RankOfLine rank(int number, double offset_s) {
  return {.rank = number,
          .node = 3,
          .host = "n\"1",
          .is_server = number == 1,
          .start_s = 100.0,
          .end_s = 110.0,
          .offset_s = offset_s,
          .offset_error_s = 2e-6};
}

TEST(TimeLineFile, is_json_of_trace_events) {
  ThreadLine model(8), writer(2);
  model.add({"copy", 100.5, 100.75});
  model.add({"metadata", 101.0, 102.0});
  model.add({"ready", 100.9, 103.0});
  writer.add({"write", 103.0, 103.5});
  for (int k = 0; k < 4; ++k) writer.add({"write", 105.0 + k, 105.25 + k});
  const std::string text = file_of(
      {part_of_file(rank(0, -100.0), {{"", model}, {"that writes", writer}}), part_of_file(rank(1, -90.0), {})}, "1.2");
  const json file = json::parse(text);
  EXPECT_EQ(file["thalweg_time_line"], 1);
  EXPECT_EQ(file["version"], "1.2");
  ASSERT_THAT(file["ranks"], SizeIs(2));
  const json& of_first = file["ranks"][0];
  EXPECT_EQ(of_first["host"], "n\"1");
  EXPECT_EQ(of_first["end_us"], 10e6);
  EXPECT_NEAR(of_first["offset_error_us"].get<double>(), 2.0, 1e-9);
  EXPECT_EQ(file["ranks"][1]["role"], "server");
  ASSERT_THAT(of_first["threads"], SizeIs(2));
  EXPECT_EQ(of_first["threads"][0]["name"], "model");
  EXPECT_EQ(of_first["threads"][0]["left_out"], json::object());
  const json& of_writer = of_first["threads"][1];
  EXPECT_EQ(of_writer["name"], "thread that writes");
  EXPECT_EQ(of_writer["spans"], 1);
  EXPECT_EQ(of_writer["left_out"]["write"], (json{{"spans", 4}, {"us", 1e6}}));
  EXPECT_GT(of_writer["grain_us"].get<double>(), 0.25e6);

  std::vector<std::string> named;
  std::map<std::string, json> spans;
  for (const json& event : file["traceEvents"]) {
    if (event["ph"] == "M")
      named.push_back(event["args"]["name"]);
    else
      spans[event["name"]] = event;
  }
  EXPECT_THAT(named,
              UnorderedElementsAre("rank 0, client, node 3", "rank 1, server, node 3", "model", "thread that writes"));
  EXPECT_EQ(spans["copy"],
            (json{{"ph", "X"}, {"pid", 0}, {"tid", 0}, {"name", "copy"}, {"ts", 0.5e6}, {"dur", 0.25e6}}));
  EXPECT_EQ(spans["ready"]["ts"], 0.9e6);
  EXPECT_EQ(spans["write"]["tid"], 1);
}

TEST(TimeLineFile, says_of_which_collection_and_records_a_span_is) {
  ThreadLine line(8);
  line.add({"write", 0.0, 1.0, {"a \"b\"", 2, 5}});
  line.add({"commit", 1.0, 2.0, {"history", 2, 2}});
  line.add({"sync", 2.0, 3.0, {"history", -1, -1}});
  const json file = json::parse(file_of({part_of_file(rank(0, 0.0), {{"", line}})}, "1"));
  std::map<std::string, json> arguments;
  for (const json& event : file["traceEvents"])
    if (event["ph"] == "X") arguments[event["name"]] = event["args"];
  EXPECT_EQ(arguments["write"], (json{{"collection", "a \"b\""}, {"record", 2}, {"last_record", 5}}));
  EXPECT_EQ(arguments["commit"], (json{{"collection", "history"}, {"record", 2}}));
  EXPECT_EQ(arguments["sync"], (json{{"collection", "history"}}));
}

TEST(TimeLineFile, says_of_neighbours_how_many_they_were) {
  ThreadLine line(4);
  for (int k = 0; k < 4; ++k) line.add({"write", 1e-6 * k, 1e-6 * (k + 0.5)});
  line.add({"sync", 1.0, 2.0});
  const json file = json::parse(file_of({part_of_file(rank(0, 0.0), {{"", line}})}, "1"));
  bool is_there = false;
  for (const json& event : file["traceEvents"])
    if (event["name"] == "write") {
      is_there = true;
      EXPECT_EQ(event["args"]["spans"], 4);
      EXPECT_NEAR(event["args"]["counted_us"].get<double>(), 2.0, 1e-9);
      EXPECT_NEAR(event["dur"].get<double>(), 3.5, 1e-9);
    }
  EXPECT_TRUE(is_there);
}

}  // namespace
}  // namespace thalweg::profile
