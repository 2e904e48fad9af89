#include "staging/ready_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "staging/node.hpp"

namespace thalweg::staging {
namespace {

using testing::patience_s;

struct Queue {
  explicit Queue(std::int64_t blocks)
      : memory(SharedMemory::create(ReadyQueue::bytes_for(blocks))), writer(memory.data(), blocks) {}
  SharedMemory memory;
  ReadyQueue writer;
};

TEST(ReadyQueue, is_empty_at_first) {
  Queue queue(5);
  EXPECT_EQ(queue.writer.pop(), std::nullopt);
}

TEST(ReadyQueue, gives_blocks_in_the_order_in_which_they_became_ready) {
  Queue queue(4);
  for (std::uint32_t block : {2U, 0U, 3U, 1U}) queue.writer.push(BlockId{block});
  for (std::uint32_t block : {2U, 0U, 3U, 1U}) EXPECT_EQ(queue.writer.pop(), BlockId{block});
  EXPECT_EQ(queue.writer.pop(), std::nullopt);
}

TEST(ReadyQueue, takes_what_another_view_on_the_memory_pushes) {
  Queue queue(4);
  const ReadyQueue client(queue.memory.data(), 4);
  client.push(BlockId{3});
  EXPECT_EQ(queue.writer.pop(), BlockId{3});
}

// For each number of blocks: always all of them are in the queue, which turns round many times.
TEST(ReadyQueue, turns_round_its_memory_without_losing_order) {
  for (std::uint32_t blocks : {1U, 2U, 3U, 7U, 8U, 9U}) {
    Queue queue(blocks);
    for (std::uint32_t block = 0; block < blocks; ++block) queue.writer.push(BlockId{block});
    for (std::uint32_t i = 0; i < 100; ++i) {
      ASSERT_EQ(queue.writer.pop(), BlockId{i % blocks}) << "of " << blocks;
      queue.writer.push(BlockId{i % blocks});
    }
  }
}

TEST(ReadyQueue, stays_inside_its_memory) {
  for (std::int64_t blocks : {0, 1, 5, 64}) {
    const std::int64_t bytes = ReadyQueue::bytes_for(blocks);
    const SharedMemory memory = SharedMemory::create(bytes + 64);
    ReadyQueue queue(memory.data(), blocks);
    for (std::uint32_t i = 0; i < 200; ++i) {
      queue.push(BlockId{i});
      ASSERT_EQ(queue.pop(), BlockId{i});
    }
    EXPECT_TRUE(
        std::all_of(memory.data() + bytes, memory.data() + bytes + 64, [](auto b) { return b == std::byte{}; }));
  }
}

// Each client owns some blocks and pushes one again as soon as the writer has taken it: the queue is as full as it can
// be.
TEST(ReadyQueue, loses_and_doubles_nothing_among_many_clients) {
  constexpr std::uint32_t clients = 4, blocks_each = 3, rounds = 5000;
  Queue queue(clients * blocks_each);
  std::vector<std::atomic<bool>> queued(clients * blocks_each);
  const double give_up_s = now_s() + patience_s;
  std::vector<std::thread> threads;
  for (std::uint32_t client = 0; client < clients; ++client)
    threads.emplace_back([&, client] {
      const ReadyQueue mine(queue.memory.data(), clients * blocks_each);
      for (std::uint32_t i = 0; i < rounds * blocks_each && now_s() < give_up_s; ++i) {
        const std::uint32_t block = client * blocks_each + i % blocks_each;
        while (queued[block].load(std::memory_order_acquire) && now_s() < give_up_s) std::this_thread::yield();
        queued[block].store(true, std::memory_order_relaxed);
        mine.push(BlockId{block});
      }
    });
  std::vector<std::uint32_t> taken(clients * blocks_each, 0);
  for (std::uint32_t left = clients * blocks_each * rounds; left > 0 && now_s() < give_up_s;) {
    const auto block = queue.writer.pop();
    if (!block) {
      std::this_thread::yield();
      continue;
    }
    const auto number = static_cast<std::uint32_t>(*block);
    ++taken[number];
    --left;
    queued[number].store(false, std::memory_order_release);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, std::vector<std::uint32_t>(clients * blocks_each, rounds));
  EXPECT_EQ(queue.writer.pop(), std::nullopt);
}

}  // namespace
}  // namespace thalweg::staging
