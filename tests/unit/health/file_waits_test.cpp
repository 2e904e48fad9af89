// Waits for the files of a collection, with threads in place of the writers of the node.
#include "health/file_waits.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "error_of.hpp"
#include "staging/node.hpp"

namespace thalweg::health {
namespace {

using staging::FileProgress;
using staging::SharedMemory;
using staging::testing::NodeControl;
using staging::testing::patience_s;

// A node of one rank and of some writers, each with a block of every moment.
class Played {
 public:
  explicit Played(int writers, double deadline_s = patience_s)
      : waits_(roles_, *control_, deadline_s, [](int, int) { return "history"; }),
        file_waits(waits_, control_->failures) {
    for (int w = 0; w < writers; ++w) add_writer(w);
    blocks_.own = blocks_.parts.front().plan;
  }

  NodeFiles files() const { return {identity_, blocks_}; }
  FileProgress& progress(std::size_t writer = 0) { return blocks_.parts[writer].plan->rings.moments().progress(); }
  staging::FailureBoard& failures() { return control_->failures; }
  void leave(std::size_t writer) { blocks_.parts[writer].participates = false; }
  // By a thread, while others wait.
  std::thread writer(const std::function<void()>& writes) {
    return std::thread([this, writes] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      writes();
      control_->wake_ups.note_progress();
    });
  }

 private:
  static staging::RingShape shape() { return {2, 1, 4096, 0, 0}; }
  void add_writer(int number) {
    memory_.push_back(SharedMemory::create(shape().state_bytes()));
    auto plan = std::make_shared<block::CollectionPlan>();
    plan->record_blocks.emplace_back();
    plan->rings = {staging::BlockRing(shape(), memory_.back().data(), nullptr), {}, staging::BlockId{0}};
    blocks_.parts.push_back({number, number, true, std::move(plan), {}});
  }

  std::deque<SharedMemory> memory_;
  NodeControl control_{1};
  roles::Roles roles_{{0}, {roles::Member{}}, 0};
  WaitLoop waits_;
  catalog::CollectionIdentity identity_{3, "history", "", "", ""};
  block::NodeBlocks blocks_;

 public:
  FileWaits file_waits;
};

TEST(FileWaits, end_when_all_writers_of_the_node_have_written) {
  Played node(2);
  node.progress(0).note_moments(5);
  node.file_waits.until_written(node.files(), 0);
  for (const bool alone : {false, true}) {
    const std::int64_t wanted = alone ? 4 : 2;
    std::thread writer = node.writer([&] { node.progress(1).note_moments(wanted); });
    if (alone)
      node.file_waits.until_written_alone(node.files(), wanted);
    else
      node.file_waits.until_written(node.files(), wanted);
    EXPECT_EQ(node.progress(1).moments(), wanted);
    writer.join();
  }
}

TEST(FileWaits, end_when_those_who_have_a_part_in_the_files_have_finished_them) {
  Played node(2);
  node.leave(1);
  std::thread writer = node.writer([&] { node.progress(0).note_file(); });
  node.file_waits.until_finished(node.files(), 1, 4);
  EXPECT_EQ(node.progress(0).files(), 1);
  writer.join();
}

TEST(FileWaits, end_with_what_has_failed_elsewhere_unless_one_waits_alone_for_what_is_written) {
  Played node(1);
  node.progress().note_moments(2);
  node.failures().report(THALWEG_ERROR_PEER, "rank 7 died");
  EXPECT_NO_THROW(node.file_waits.until_written_alone(node.files(), 2));
  const auto error_of_all = [&](auto&& waits) { return error_of(THALWEG_ERROR_PEER, waits); };
  EXPECT_EQ(error_of_all([&] { node.file_waits.until_written_alone(node.files(), 3); }), "rank 7 died");
  EXPECT_EQ(error_of_all([&] { node.file_waits.until_written(node.files(), 3); }), "rank 7 died");
}

TEST(FileWaits, alone_end_with_the_error_of_a_file_and_the_first_failure) {
  Played node(2);
  node.progress(0).note_moments(4);
  node.failures().report(THALWEG_ERROR_PEER, "rank 7 died");
  node.progress(1).note_moments(2);
  node.progress(1).note_error(1, THALWEG_ERROR_STORAGE);
  EXPECT_NO_THROW(node.file_waits.until_written_alone(node.files(), 2)) << "these are written";
  EXPECT_EQ(error_of(THALWEG_ERROR_STORAGE, [&] { node.file_waits.until_written_alone(node.files(), 3); }),
            "collection 'history': number 1 of its files, counted from 0, has met an error, and nothing more is "
            "written to it. The first failure was: rank 7 died");
}

// It may see the failure before the file is said to have it.
TEST(FileWaits, alone_are_woken_by_the_error_of_a_file) {
  Played node(1);
  std::thread writer = node.writer([&] {
    node.failures().report(THALWEG_ERROR_STORAGE, "the disk is full");
    node.progress().note_error(0, THALWEG_ERROR_STORAGE);
  });
  const std::string text =
      error_of(THALWEG_ERROR_STORAGE, [&] { node.file_waits.until_written_alone(node.files(), 1); });
  EXPECT_TRUE(text.ends_with("the disk is full")) << text;
  writer.join();
}

TEST(FileWaits, have_a_deadline) {
  Played node(1, 0.05);
  const std::string text =
      error_of(THALWEG_ERROR_DEADLINE, [&] { node.file_waits.until_written_alone(node.files(), 1); });
  EXPECT_NE(text.find("waiting for a commit, history, record 0"), std::string::npos) << text;
}

}  // namespace
}  // namespace thalweg::health
