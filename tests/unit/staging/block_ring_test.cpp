#include "staging/block_ring.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "staging/node.hpp"
#include "staging/ready_queue.hpp"
#include "staging/waiter.hpp"

namespace thalweg::staging {
namespace {

using testing::NodeControl;
using testing::patience_s;

struct Ring {
  explicit Ring(const RingShape& shape)
      : states(SharedMemory::create(shape.state_bytes() + 64)),
        data(SharedMemory::create(shape.data_bytes())),
        view(shape, states.data(), data.data()) {
    view.initialise();
  }
  SharedMemory states;
  SharedMemory data;
  BlockRing view;
};

RingShape shape_of(std::int64_t depth, std::int64_t blocks) {
  return {.depth = depth, .blocks = blocks, .slot_bytes = 4096, .variables = 2, .clients = 3};
}

TEST(BlockRing, is_open_for_the_first_records_at_first) {
  const Ring ring(shape_of(3, 2));
  for (std::int64_t record = 0; record < 3; ++record)
    for (std::int64_t block = 0; block < 2; ++block) EXPECT_TRUE(ring.view.is_open(record, block));
  for (std::int64_t record = 3; record < 9; ++record) EXPECT_FALSE(ring.view.is_open(record, 0));
}

TEST(BlockRing, opens_a_released_block_for_the_record_of_the_next_round) {
  const Ring ring(shape_of(3, 2));
  ring.view.release(1, 0);
  EXPECT_FALSE(ring.view.is_open(1, 0));
  EXPECT_TRUE(ring.view.is_open(4, 0));
  EXPECT_TRUE(ring.view.is_open(1, 1));
  EXPECT_FALSE(ring.view.is_open(7, 0));
}

TEST(BlockRing, has_all_records_written_unless_it_is_told_to_hold_them) {
  const Ring ring(shape_of(2, 1));
  EXPECT_EQ(ring.view.due(), BlockRing::all_moments);
}

TEST(BlockRing, that_holds_records_has_those_written_that_were_asked_for_at_most) {
  Ring ring(shape_of(2, 1));
  ring.view.initialise(BlockRing::nothing);
  EXPECT_EQ(ring.view.due(), BlockRing::nothing);
  std::vector<std::thread> clients;
  for (int c = 0; c < 4; ++c)
    clients.emplace_back([&ring, c] {
      for (std::int64_t records = c; records <= 1000 + c; ++records) ring.view.ask_for(records);
    });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(ring.view.due(), 1003);
  ring.view.ask_for(5);
  EXPECT_EQ(ring.view.due(), 1003);
}

TEST(BlockRing, completes_a_block_with_its_last_piece_only) {
  const Ring ring(shape_of(2, 1));
  EXPECT_FALSE(ring.view.arrive(0, 0, 2, 4, 10));
  EXPECT_FALSE(ring.view.arrive(0, 0, 1, 4, 20));
  EXPECT_TRUE(ring.view.arrive(0, 0, 1, 4, 30));
  EXPECT_EQ(ring.view.state(0, 0).checksum, 60U);
}

TEST(BlockRing, still_had_all_pieces_of_a_record_that_is_written) {
  const Ring ring(shape_of(2, 1));
  const auto of_records = [&] {
    std::vector<bool> has;
    for (const std::int64_t record : {0, 2, 4}) has.push_back(ring.view.has_all_pieces(record, 0, 2));
    return has;
  };
  EXPECT_EQ(of_records(), std::vector<bool>({false, false, false}));
  ring.view.arrive(0, 0, 1, 2, 5);
  EXPECT_EQ(of_records(), std::vector<bool>({false, false, false}));
  ring.view.arrive(0, 0, 1, 2, 5);
  EXPECT_EQ(of_records(), std::vector<bool>({true, false, false}));
  ring.view.release(0, 0);
  EXPECT_EQ(of_records(), std::vector<bool>({true, false, false}));
  ring.view.arrive(2, 0, 2, 2, 5);
  EXPECT_EQ(of_records(), std::vector<bool>({true, true, false}));
}

TEST(BlockRing, counts_pieces_of_the_next_round_from_zero) {
  const Ring ring(shape_of(1, 1));
  ring.view.arrive(0, 0, 2, 2, 5);
  ring.view.release(0, 0);
  EXPECT_EQ(ring.view.state(0, 0).checksum, 0U);
  EXPECT_FALSE(ring.view.arrive(1, 0, 1, 2, 5));
  EXPECT_TRUE(ring.view.arrive(1, 0, 1, 2, 5));
}

TEST(BlockRing, tells_when_all_blocks_of_a_record_are_complete) {
  const Ring ring(shape_of(2, 3));
  for (int round = 0; round < 3; ++round) {
    EXPECT_FALSE(ring.view.completes_moment(0));
    EXPECT_FALSE(ring.view.completes_moment(1));
    EXPECT_FALSE(ring.view.completes_moment(0));
    EXPECT_TRUE(ring.view.completes_moment(2));  // the same slot
    EXPECT_FALSE(ring.view.completes_moment(1));
    EXPECT_TRUE(ring.view.completes_moment(1));
  }
}

TEST(BlockRing, keeps_its_parts_apart_and_inside_its_memory) {
  const Ring ring(shape_of(2, 3));
  for (std::int64_t client = 0; client < 3; ++client)
    for (std::int64_t variable = 0; variable < 2; ++variable)
      ring.view.last_put(client, variable) = 10 * client + variable + 1;
  ring.view.progress().note_error(77, THALWEG_ERROR_STORAGE);
  for (std::int64_t slot = 0; slot < 2; ++slot)
    for (std::int64_t block = 0; block < 3; ++block) {
      EXPECT_EQ(ring.view.state(slot, block).open, slot);
      EXPECT_EQ(ring.view.state(slot, block).arrivals, 0U);
    }
  EXPECT_EQ(ring.view.progress().moments(), 0);
  EXPECT_EQ(ring.view.last_put(2, 1), 22);
  EXPECT_EQ(ring.view.last_put(0, 0), 1);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(ring.states.data()[ring.view.shape().state_bytes() + i], std::byte{0});
  EXPECT_EQ(ring.view.room_data(1) - ring.view.room_data(0), 4096);
}

TEST(BlockRing, uses_the_memory_of_bursts_last_and_lends_it_no_longer_once_withdrawn) {
  RingShape shape = shape_of(4, 2);
  shape.burst_slots = 2;
  const Ring usual(shape);
  const SharedMemory burst = SharedMemory::create(shape.burst_bytes());
  const BlockRing ring(shape, usual.states.data(), usual.data.data(), burst.data());
  EXPECT_EQ(shape.data_bytes(), 2 * 4096);
  for (std::int64_t moment = 0; moment < 3; ++moment) ASSERT_TRUE(ring.takes_pieces(moment, 0));
  EXPECT_EQ(ring.room_data(ring.room_of(1, 0)), usual.data.data() + 4096);
  EXPECT_EQ(ring.room_data(ring.room_of(2, 0)), burst.data());

  std::vector<std::byte*> given_up;
  EXPECT_EQ(ring.withdraw_burst_rooms(8192, [&](std::byte* room) { given_up.push_back(room); }), 4096);
  EXPECT_EQ(given_up, std::vector{burst.data() + 4096}) << "the other one is in use";
  EXPECT_TRUE(ring.is_open(3, 0));
  EXPECT_FALSE(ring.takes_pieces(3, 0));
  ring.release(0, 0);
  EXPECT_TRUE(ring.takes_pieces(3, 0));
  EXPECT_EQ(ring.room_of(3, 0), 0);
}

TEST(BlockRing, stays_open_and_shut_when_record_numbers_pass_32_bits) {
  const Ring ring(shape_of(2, 1));
  ring.view.state(1, 0).open = 0xffffffffU;
  EXPECT_TRUE(ring.view.is_open(0xffffffffLL, 0));
  ring.view.release(1, 0);
  EXPECT_TRUE(ring.view.is_open(0x100000001LL, 0));
  EXPECT_TRUE(ring.view.has_all_pieces(0xffffffffLL, 0, 1));
  EXPECT_FALSE(ring.view.has_all_pieces(0x100000001LL, 0, 1));
  EXPECT_FALSE(ring.view.has_all_pieces(0x100000003LL, 0, 1));
}

TEST(BlockRing, wakes_a_client_that_waits_for_a_block) {
  const Ring ring(shape_of(1, 1));
  BlockReleases& releases = ring.view.releases(0);
  std::thread client([&] {
    releases.waiters.fetch_add(1, std::memory_order_seq_cst);
    const double give_up_s = now_s() + patience_s;
    for (std::uint32_t seen = releases.count; !ring.view.is_open(1, 0) && now_s() < give_up_s; seen = releases.count)
      if (!ring.view.is_open(1, 0)) futex_wait(releases.count, seen, patience_s);
    releases.waiters.fetch_sub(1, std::memory_order_seq_cst);
  });
  const double start_s = now_s();
  while (releases.waiters == 0) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ring.view.release(0, 0);
  client.join();
  EXPECT_LT(now_s() - start_s, patience_s / 2);
}

// Clients put records into blocks as the model's side does, one thread writes them as the engine does. Each value is
// looked at; a lost wake-up ends in a deadline.
class Traffic {
 public:
  Traffic(std::int64_t depth, std::int64_t records)
      : records_(records),
        control_(clients),
        ring_({.depth = depth, .blocks = blocks, .slot_bytes = 4096, .variables = 1, .clients = clients}),
        queue_(SharedMemory::create(ReadyQueue::bytes_for(depth * blocks))) {}

  void run() {
    std::vector<std::thread> threads;
    for (int client = 0; client < clients; ++client)
      threads.emplace_back([this, client] { guard([&] { put(client); }); });
    guard([&] { write(); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_NO_THROW(control_->failures.throw_failure());
    EXPECT_EQ(written_, records_ * blocks);
    EXPECT_EQ(wrong_, 0);
  }

 private:
  static constexpr int clients = 4;
  static constexpr std::int64_t blocks = 3;

  // What fails in one thread ends all.
  void guard(const std::function<void()>& body) {
    try {
      body();
    } catch (const Error& error) {
      control_->failures.report(error.code(), error.what());
      control_->wake_ups.ring();
    }
  }

  std::uint64_t* piece(std::int64_t record, std::int64_t block, int client) const {
    const std::int64_t room = ring_.view.room_of(ring_.view.slot_of(record), block);
    return reinterpret_cast<std::uint64_t*>(ring_.view.room_data(room)) + block * clients + client;
  }
  static std::uint64_t value(std::int64_t record, std::int64_t block, int client) {
    return static_cast<std::uint64_t>((record * blocks + block) * clients + client + 1);
  }

  void put(int client) {
    Waiter waiter = waiter_of(control_, client, [](int, int) { return "traffic"; });
    const ReadyQueue queue(queue_.data(), ring_.view.shape().depth * blocks);
    for (std::int64_t record = 0; record < records_; ++record)
      for (std::int64_t i = 0; i < blocks; ++i) {
        const std::int64_t block = (i + client) % blocks;  // every client has its own order of variables
        if (!ring_.view.takes_pieces(record, block)) wait(waiter, record, block);
        *piece(record, block, client) = value(record, block, client);
        if (!ring_.view.arrive(record, block, 1, clients, value(record, block, client))) continue;
        queue.push(BlockId{} + (ring_.view.slot_of(record) * blocks + block));
        if (ring_.view.completes_moment(record) || block == 0) control_->wake_ups.ring();
      }
  }

  void wait(Waiter& waiter, std::int64_t record, std::int64_t block) {
    control_->wake_ups.ring();
    BlockReleases& releases = ring_.view.releases(block);
    releases.waiters.fetch_add(1, std::memory_order_seq_cst);
    waiter.wait(
        releases.count, {WaitCause::block, 0, static_cast<int>(block), record},
        [&] { return ring_.view.takes_pieces(record, block); }, [] { return std::string(); }, patience_s);
    releases.waiters.fetch_sub(1, std::memory_order_seq_cst);
  }

  void write() {
    ReadyQueue queue(queue_.data(), ring_.view.shape().depth * blocks);
    while (written_ < records_ * blocks) {
      const std::uint32_t seen = control_->wake_ups.bell();
      control_->failures.throw_failure();
      bool worked = false;
      while (const auto id = queue.pop()) {
        const std::int64_t place = *id - BlockId{};
        take(place / blocks, place % blocks);
        worked = true;
      }
      if (!worked) control_->wake_ups.sleep_until_rung(seen, patience_s);
    }
  }

  void take(std::int64_t slot, std::int64_t block) {
    const std::int64_t record = ring_.view.state(slot, block).open.load(std::memory_order_relaxed);
    std::uint64_t sum = 0;
    for (int client = 0; client < clients; ++client) {
      wrong_ += *piece(record, block, client) != value(record, block, client);
      sum += value(record, block, client);
    }
    wrong_ += ring_.view.state(slot, block).checksum.load(std::memory_order_relaxed) != sum;
    ++written_;
    ring_.view.release(slot, block);
  }

  std::int64_t records_;
  NodeControl control_;
  Ring ring_;
  SharedMemory queue_;
  std::int64_t written_ = 0;
  std::int64_t wrong_ = 0;
};

class BlockRingTraffic : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(depth, BlockRingTraffic, ::testing::Values(1, 2, 3, 4));

TEST_P(BlockRingTraffic, brings_every_piece_of_thousands_of_records_to_the_writer) {
  Traffic(GetParam(), 2000).run();
}

}  // namespace
}  // namespace thalweg::staging
