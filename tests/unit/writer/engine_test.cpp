#include "writer/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "staging/waiter.hpp"
#include "writer/sample_collection.hpp"

namespace thalweg::writer {
namespace {

using config::Format;
using formats::sample::expect_file;
using sample::Collection;
using sample::Definition;
using sample::Folder;
using sample::Node;
using sample::Options;
using sample::patience_s;
using staging::WaitCause;
using staging::Waiter;

Definition one_field(Format format = config::format_named("cdf5")) {
  Definition definition;
  definition.format = format;
  definition.record_dimension = "time";
  definition.dimensions = {{"y", 64}, {"x", 256}};
  definition.variables = {{.name = "temp",
                           .type = Type::float32,
                           .has_record = true,
                           .dimensions = {0, 1},
                           .attributes = {},
                           .is_chunked = true,
                           .chunk = {64, 256}}};
  return definition;
}

// ---- the engine stepped by its caller

TEST(Engine, has_nothing_to_do_at_first) {
  Node node(1);
  Engine engine(*node.control, node.book, {});
  engine.listen_to(node.queue, 0);
  EXPECT_FALSE(engine.step());
}

TEST(Engine, stepped_writes_all_there_is) {
  Node node(1);
  Collection collection(node, one_field(), {});
  Engine engine(*node.control, node.book, {});
  engine.listen_to(node.queue, 0);
  collection.start();
  collection.open(0);
  for (std::int64_t r = 0; r < 4; ++r) {
    collection.place_and_commit(r, 0, r);
    collection.put_all(r, r);
    while (engine.step()) {
    }
    EXPECT_EQ(collection.records_done(), r + 1);
  }
  collection.close(0, 4, 4);
  while (engine.step()) {
  }
  expect_file(collection.path(0), collection.definition(), 4);
  EXPECT_EQ(engine.counters().files, 1);
  EXPECT_EQ(engine.counters().blocks, 4);
}

TEST(Engine, writes_nothing_before_it_is_asked_and_then_only_what_it_is_asked_for) {
  Node node(1);
  Collection collection(node, one_field(), {.depth = 4});
  Engine engine(*node.control, node.book, {});
  engine.listen_to(node.queue, 0);
  collection.start();
  staging::BlockRing ring = collection.plan().rings.moments();
  ring.initialise(staging::BlockRing::nothing);
  collection.open(0);
  for (std::int64_t r = 0; r < 3; ++r) {
    collection.place_and_commit(r, 0, r);
    collection.put_all(r, r);
  }
  const auto drain = [&] {
    while (engine.step()) {
    }
    return engine.counters().blocks;
  };
  EXPECT_EQ(drain(), 0);
  ring.ask_for(2);
  EXPECT_EQ(drain(), 2);
  EXPECT_EQ(collection.records_done(), 2);
  ring.ask_for(1);  // what was asked for stays asked for
  collection.close(0, 3, 3);
  EXPECT_EQ(drain(), 2);
  EXPECT_EQ(collection.files_done(), 0);
  ring.ask_for(staging::BlockRing::all_moments);
  EXPECT_EQ(drain(), 3);
  expect_file(collection.path(0), collection.definition(), 3);
}

TEST(Engine, writes_collections_of_high_priority_first) {
  Node node(1);
  Collection diagnostics(node, one_field(), {.name = "diagnostics"});
  Collection restart(node, one_field(), {.priority = config::Priority::high, .name = "restart"});
  Engine engine(*node.control, node.book, {});
  engine.listen_to(node.queue, 0);
  for (Collection* collection : {&diagnostics, &restart}) {
    collection->start();
    collection->open(0);
    collection->place_and_commit(0, 0, 0);
    collection->put_all(0, 0);
  }
  ASSERT_TRUE(engine.step());
  EXPECT_EQ(restart.records_done(), 1);
  EXPECT_EQ(diagnostics.records_done(), 0);
  ASSERT_TRUE(engine.step());
  EXPECT_EQ(diagnostics.records_done(), 1);
}

TEST(Engine, hears_blocks_of_later_collections_from_a_queue_of_their_own) {
  Node early(1);
  Node late(1);  // a second end of definitions has new memory, and counts its blocks from zero again
  Collection first(early, one_field(), {});
  first.start();
  first.open(0);
  Engine engine(*early.control, early.book, {});
  engine.listen_to(early.queue, 0);
  while (engine.step()) {
  }
  late.collections = 1;
  Collection second(late, one_field(), {});
  engine.listen_to(late.queue, 1);
  second.start();
  second.open(0);
  second.place_and_commit(0, 0, 0);
  second.put_all(0, 0);
  EXPECT_FALSE(engine.step());  // it does not know the collection yet, and loses nothing
  for (block::Command& order : late.book.take_commands()) early.book.send(std::move(order));
  while (engine.step()) {
  }
  EXPECT_EQ(second.records_done(), 1);
  EXPECT_EQ(first.records_done(), 0);
}

// ---- failures

std::string failure_text(Node& node, thalweg_status code) {
  try {
    node.control->failures.throw_failure();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "no failure";
}

TEST(Engine, reports_a_file_that_is_gone_and_does_nothing_more) {
  Node node(1);
  Collection collection(node, one_field(), {});
  Engine engine(*node.control, node.book, {});
  engine.listen_to(node.queue, 0);
  collection.start();
  collection.open(0);
  std::filesystem::remove(collection.partial_path(0));
  while (engine.step()) {
  }
  const std::string text = failure_text(node, THALWEG_ERROR_STORAGE);
  EXPECT_NE(text.find(collection.partial_path(0)), std::string::npos) << text;
  collection.put_all(0, 0);
  EXPECT_FALSE(engine.step());
  EXPECT_TRUE(collection.is_open(0, 0));
}

TEST(Engine, reports_a_name_that_cannot_be_given_and_keeps_the_file) {
  Node node(1);
  Collection collection(node, one_field(), {});
  Engine engine(*node.control, node.book, {});
  engine.listen_to(node.queue, 0);
  collection.start();
  collection.open(0);
  std::filesystem::create_directories(collection.path(0) + "/full");
  collection.place_and_commit(0, 0, 0);
  collection.put_all(0, 0);
  collection.close(0, 1, 1);
  while (engine.step()) {
  }
  const std::string text = failure_text(node, THALWEG_ERROR_STORAGE);
  EXPECT_NE(text.find("is a folder and no Zarr store, so it is not replaced"), std::string::npos) << text;
  EXPECT_EQ(collection.files_done(), 0);
  expect_file(collection.partial_path(0), collection.definition(), 1);
}

TEST(Engine, as_a_thread_wakes_who_waits_when_it_fails) {
  Node node(1);
  Collection collection(node, one_field(), {});
  Engine engine(*node.control, node.book, {});
  engine.listen_to(node.queue, 0);
  engine.start();
  collection.start();
  collection.open(0);
  std::filesystem::remove(collection.partial_path(0));
  node.control->wake_ups.ring();
  Waiter waiter = waiter_of(node.control, 0, [](int, int) { return "history"; });
  const double start_s = now_s();
  staging::Word& progress = node.control->wake_ups.progress_word();
  EXPECT_THROW(waiter.wait(progress, {WaitCause::commit}, [] { return false; }, [] { return ""; }), Error);
  EXPECT_LT(now_s() - start_s, patience_s / 2);
  failure_text(node, THALWEG_ERROR_STORAGE);
}

// ---- the engine as a thread

TEST(Engine, starts_and_stops_at_any_time) {
  Node node(1);
  Engine engine(*node.control, node.book, {});
  EXPECT_TRUE(engine.stop(10.0));
  for (int i = 0; i < 200; ++i) {
    engine.start();
    if (i % 3 == 0) std::this_thread::yield();
    EXPECT_TRUE(engine.stop(10.0));
  }
  engine.start();  // and the destructor stops it
}

TEST(Engine, goes_on_after_a_stop_with_what_came_meanwhile) {
  Node node(1);
  Collection collection(node, one_field(), {});
  Engine engine(*node.control, node.book, {});
  engine.listen_to(node.queue, 0);
  engine.start();
  EXPECT_TRUE(engine.stop(10.0));
  collection.start();
  collection.open(0);
  collection.place_and_commit(0, 0, 0);
  collection.put_all(0, 0);
  EXPECT_EQ(collection.records_done(), 0);
  engine.start();
  Waiter waiter = waiter_of(node.control, 0, [](int, int) { return "history"; });
  waiter.wait(
      node.control->wake_ups.progress_word(), {WaitCause::commit}, [&] { return collection.records_done() == 1; },
      [] { return ""; });
}

// Clients put their pieces in an order of their own, running ahead of each other as far as blocks are free, while the
// leader opens, places, commits and closes at its own pace.
class Traffic {
 public:
  Traffic(const Definition& definition, std::int64_t depth, EngineOptions options = {.threads = 2})
      : random_(static_cast<unsigned>(depth)),
        node_(clients + 1),
        collection_(node_, definition, {.depth = depth, .pieces = clients}),
        engine_(*node_.control, node_.book, std::move(options)) {}

  void run() {
    engine_.listen_to(node_.queue, 0);
    collection_.start();
    engine_.start();
    std::vector<std::thread> threads;
    for (int client = 0; client < clients; ++client)
      threads.emplace_back([this, client] { guard([&] { put(client); }); });
    guard([&] { lead(); });
    for (std::thread& thread : threads) thread.join();
    engine_.stop(10.0);
    EXPECT_NO_THROW(node_.control->failures.throw_failure());
    EXPECT_EQ(node_.folder.files(), lengths.size());
    for (std::size_t file = 0; file < lengths.size(); ++file)
      expect_file(collection_.path(static_cast<std::int64_t>(file)), collection_.definition(), lengths[file]);
  }

  const profile::WriterCounters& counters() const { return engine_.counters(); }

 private:
  static constexpr int clients = 3;
  static constexpr std::array<std::int64_t, 3> lengths = {5, 1, 4};  // records of each file

  void guard(const std::function<void()>& body) {
    try {
      body();
    } catch (const Error& error) {
      node_.control->failures.report(error.code(), error.what());
    }
  }

  void put(int client) {
    std::mt19937 random(static_cast<unsigned>(client));
    Waiter waiter = waiter_of(node_.control, client, [](int, int v) { return fmt::format("block {}", v); });
    const auto piece = static_cast<std::uint32_t>(client);
    const auto fixed_blocks = std::ssize(collection_.plan().fixed_blocks);
    for (std::int64_t b = 0; b < fixed_blocks; ++b) collection_.put_fixed(b, piece);
    std::vector<std::int64_t> order(collection_.plan().record_blocks.size());
    std::iota(order.begin(), order.end(), 0);
    std::int64_t record = 0;
    for (const std::int64_t length : lengths)
      for (std::int64_t index = 0; index < length; ++index, ++record) {
        std::shuffle(order.begin(), order.end(), random);
        for (const std::int64_t block : order) {
          wait_until_open(waiter, record, block);
          collection_.put(record, index, block, piece);
        }
      }
  }

  void wait_until_open(Waiter& waiter, std::int64_t record, std::int64_t block) {
    if (collection_.takes_pieces(record, block)) return;
    staging::BlockReleases& releases = collection_.plan().rings.moments().releases(block);
    releases.waiters.fetch_add(1, std::memory_order_seq_cst);
    node_.control->wake_ups.begin_block_wait();
    waiter.wait(
        releases.count, {WaitCause::block, 0, static_cast<int>(block), record},
        [&] { return collection_.takes_pieces(record, block); }, [] { return ""; }, patience_s);
    releases.waiters.fetch_sub(1, std::memory_order_seq_cst);
    node_.control->wake_ups.end_block_wait();
  }

  void pause() { std::this_thread::sleep_for(std::chrono::microseconds(random_() % 2000)); }

  void lead() {
    std::int64_t record = 0;
    for (std::int64_t file = 0; file < std::ssize(lengths); ++file) {
      const std::int64_t length = lengths[static_cast<std::size_t>(file)];
      collection_.open(file);
      for (std::int64_t index = 0; index < length; ++index, ++record) {
        pause();
        collection_.place(record, file, index);
        // Some records are committed together with the next one.
        if (index + 1 == length || random_() % 2 == 0) collection_.commit(record, file, index + 1);
        node_.control->wake_ups.ring();
      }
      collection_.close(file, record, length);
      node_.control->wake_ups.ring();
    }
    const double start_s = now_s();
    while (collection_.files_done() < std::ssize(lengths) && !node_.control->failures.has_failed()) {
      ASSERT_LT(now_s() - start_s, patience_s);
      for (const block::Result& event : node_.book.take_results())
        collection_.hear(std::get<block::ChunksEncoded>(event));
      node_.control->wake_ups.ring();
      pause();
    }
  }

  std::mt19937 random_;
  Node node_;
  Collection collection_;
  Engine engine_;
};

const auto kinds = testing::ValuesIn(formats::sample::formats_named({"cdf1", "cdf5", "netcdf4", "fortran"}));

class EngineTraffic : public testing::TestWithParam<std::tuple<Format, int>> {};
INSTANTIATE_TEST_SUITE_P(format_and_depth, EngineTraffic, testing::Combine(kinds, testing::Values(1, 2, 3, 4)));

TEST_P(EngineTraffic, ends_in_files_with_every_value_of_every_client) {
  Traffic(formats::sample::definition(std::get<0>(GetParam())), std::get<1>(GetParam())).run();
}

// A writer so slow that blocks are always wanted.
class SpilledTraffic : public testing::TestWithParam<std::tuple<Format, int>> {};
INSTANTIATE_TEST_SUITE_P(format_and_depth, SpilledTraffic, testing::Combine(kinds, testing::Values(1, 2)));

// Where other programs take the processors, clients may be slower than the slow writer: then another run is made.
void run_until_spilled(const catalog::Definition& definition, int depth, std::int64_t bytes_per_s) {
  const Folder spilled;
  const EngineOptions slow{2, {}, bytes_per_s, config::SpillSettings{spilled / "", 1 << 30}};
  std::int64_t bytes = 0;
  for (int run = 0; run < 10 && bytes == 0; ++run) {
    Traffic traffic(definition, depth, slow);
    traffic.run();
    bytes = traffic.counters().spilled_bytes;
  }
  EXPECT_GT(bytes, 0);
  EXPECT_EQ(spilled.files(), 0U);
}

TEST_P(SpilledTraffic, ends_in_files_with_every_value_of_every_client) {
  run_until_spilled(formats::sample::definition(std::get<0>(GetParam())), std::get<1>(GetParam()), 3'000'000);
}

TEST(SpilledTraffic, of_encoded_blocks_ends_in_files_with_every_value_of_every_client) {
  const catalog::Encoding encoding{.codec = config::codec_named("zstd"), .level = 1, .shuffle = true, .checksum = true};
  run_until_spilled(formats::sample::encoded_definition(config::format_named("netcdf4"), encoding), 2, 50'000);
}

class EncodedTraffic : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(depth, EncodedTraffic, testing::Values(1, 2, 4));

TEST_P(EncodedTraffic, ends_in_files_with_every_value_of_every_client) {
  const catalog::Encoding encoding{.codec = config::codec_named("zstd"), .level = 1, .shuffle = true, .checksum = true};
  Traffic(formats::sample::encoded_definition(config::format_named("netcdf4"), encoding), GetParam()).run();
}

}  // namespace
}  // namespace thalweg::writer
