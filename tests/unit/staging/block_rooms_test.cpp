#include "staging/block_rooms.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <vector>

#include "staging/shared_memory.hpp"

namespace thalweg::staging {
namespace {

constexpr std::int64_t rooms_blocks = 2;

struct Rooms {
  explicit Rooms(std::int64_t rooms)
      : memory(SharedMemory::create(BlockRooms::bytes_for(rooms, rooms_blocks))),
        view(rooms, rooms_blocks, memory.data()) {
    view.initialise();
  }
  SharedMemory memory;
  BlockRooms view;
};

TEST(BlockRooms, gives_the_lowest_free_room_and_none_when_all_are_taken) {
  const Rooms rooms(130);  // more than a word has bits
  std::vector<BlockRooms::Held> held(131);
  for (std::uint32_t i = 0; i < 130; ++i) {
    ASSERT_TRUE(rooms.view.enter(1, held[i]));
    ASSERT_EQ(held[i], i + 1);
  }
  EXPECT_FALSE(rooms.view.enter(1, held[130]));
  rooms.view.leave(1, held[128]);
  rooms.view.leave(1, held[3]);
  EXPECT_EQ(held[3], 0U);
  EXPECT_TRUE(rooms.view.enter(1, held[130]));
  EXPECT_EQ(held[130], 4U);
}

TEST(BlockRooms, keeps_rooms_of_blocks_apart_and_who_has_one_keeps_it) {
  const Rooms rooms(1);
  std::array<BlockRooms::Held, 2> held{};
  EXPECT_TRUE(rooms.view.enter(0, held[0]));
  EXPECT_TRUE(rooms.view.enter(1, held[1]));
  EXPECT_TRUE(rooms.view.enter(0, held[0]));
  EXPECT_EQ(held[0], 1U);
  rooms.view.leave(0, held[0]);
  rooms.view.leave(0, held[0]);
  EXPECT_TRUE(rooms.view.enter(0, held[0]));
}

TEST(BlockRooms, counts_those_that_are_free) {
  const Rooms rooms(70);
  std::array<BlockRooms::Held, 3> held{};
  EXPECT_EQ(rooms.view.count_free(), 140);
  for (BlockRooms::Held& of : held) ASSERT_TRUE(rooms.view.enter(1, of));
  EXPECT_EQ(rooms.view.count_free(), 137);
  rooms.view.leave(1, held[1]);
  EXPECT_EQ(rooms.view.count_free(), 138);
  ASSERT_TRUE(rooms.view.withdraw(69));
  EXPECT_EQ(rooms.view.count_free(), 136) << "one of each block";
}

TEST(BlockRooms, withdraws_a_room_only_when_no_block_has_it) {
  const Rooms rooms(2);
  std::array<BlockRooms::Held, 2> held{};
  ASSERT_TRUE(rooms.view.enter(1, held[0]));
  EXPECT_FALSE(rooms.view.withdraw(0));
  EXPECT_TRUE(rooms.view.withdraw(1));
  EXPECT_FALSE(rooms.view.enter(1, held[1]));
  EXPECT_TRUE(rooms.view.enter(0, held[1])) << "the room of block 0 that could not be withdrawn is there again";
  EXPECT_EQ(held[1], 1U);
}

TEST(BlockRooms, gives_one_room_to_many_who_ask_at_once) {
  constexpr int clients = 4, turns = 2000;
  const Rooms rooms(2);
  std::array<BlockRooms::Held, turns> held{};
  std::vector<std::thread> threads;
  std::atomic<int> refused{0};
  for (int client = 0; client < clients; ++client)
    threads.emplace_back([&] {
      for (BlockRooms::Held& of : held)
        if (!rooms.view.enter(0, of)) ++refused;
    });
  for (std::thread& thread : threads) thread.join();
  int taken = 0;
  for (const BlockRooms::Held& of : held) taken += of != 0 ? 1 : 0;
  EXPECT_EQ(taken, 2);
  for (BlockRooms::Held& of : held) rooms.view.leave(0, of);
  BlockRooms::Held first{0}, second{0}, third{0};
  EXPECT_TRUE(rooms.view.enter(0, first) && rooms.view.enter(0, second));
  EXPECT_FALSE(rooms.view.enter(0, third));
}

// Run with ThreadSanitizer, which sees the atomics of its own process alone.
TEST(BlockRooms, are_handed_over_in_order_through_another_process) {
  struct Shared {
    BlockRooms::Held first, second;
    std::int64_t value;
  };
  const Rooms rooms(1);
  const SharedMemory memory = SharedMemory::create(sizeof(Shared));
  Shared& shared = *reinterpret_cast<Shared*>(memory.data());
  ASSERT_TRUE(rooms.view.enter(0, shared.first));
  const pid_t other = fork();
  if (other == 0) {
    while (!rooms.view.enter(0, shared.second)) std::this_thread::yield();
    _exit(0);
  }
  std::atomic<std::int64_t> written{-1};
  std::atomic<bool> done{false};
  std::thread writer([&] {
    written.store(shared.value, std::memory_order_relaxed);
    rooms.view.leave(0, shared.first);
    while (!done.load(std::memory_order_relaxed)) std::this_thread::yield();
  });
  while (shared.second.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
  EXPECT_TRUE(rooms.view.enter(0, shared.second));
  shared.value = 7;
  done.store(true, std::memory_order_relaxed);
  writer.join();
  EXPECT_EQ(written, 0);
  int status = -1;
  EXPECT_EQ(waitpid(other, &status, 0), other);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace thalweg::staging
