#include "staging/block_rings.hpp"

#include <gtest/gtest.h>

#include "staging/shared_memory.hpp"

namespace thalweg::staging {
namespace {

constexpr std::int64_t depth = 3, blocks = 2, fixed_blocks = 4, slot_bytes = 4096;
constexpr BlockId first{100};

struct Memory {
  explicit Memory(const RingShape& its_shape)
      : shape(its_shape),
        states(SharedMemory::create(shape.state_bytes())),
        data(SharedMemory::create(shape.data_bytes())) {}
  BlockRing ring() const {
    BlockRing made(shape, states.data(), data.data());
    made.initialise();
    return made;
  }
  RingShape shape;
  SharedMemory states;
  SharedMemory data;
};

struct BlockRingsTest : ::testing::Test {
  Memory moments{{depth, blocks, slot_bytes, 1, 1}};
  Memory fixed{{1, fixed_blocks, slot_bytes, 0, 0}};
  BlockRings rings{moments.ring(), fixed.ring(), first};
};

TEST_F(BlockRingsTest, have_an_id_for_each_block_and_know_whose_it_is) {
  std::vector<std::int64_t> ids;
  for (std::int64_t moment = 0; moment < depth; ++moment)
    for (std::int64_t block = 0; block < blocks; ++block) ids.push_back(rings.id({moment, block}) - first);
  for (std::int64_t block = 0; block < fixed_blocks; ++block)
    ids.push_back(rings.id({BlockAddress::fixed, block}) - first);
  EXPECT_EQ(ids, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(rings.size(), 10);
  EXPECT_FALSE(rings.has(BlockId{99}));
  EXPECT_TRUE(rings.has(first));
  EXPECT_TRUE(rings.has(BlockId{109}));
  EXPECT_FALSE(rings.has(BlockId{110}));
}

TEST_F(BlockRingsTest, give_back_the_address_of_an_id_in_every_round) {
  for (std::int64_t moment = 0; moment < 5 * depth; ++moment)
    for (std::int64_t block = 0; block < blocks; ++block) {
      const BlockAddress of{moment, block};
      ASSERT_TRUE(rings.takes_pieces(of));
      ASSERT_TRUE(rings.arrive(of, 1, 1, 7));
      const BlockAddress back = rings.address(rings.id(of));
      ASSERT_EQ(back.moment, moment);
      ASSERT_EQ(back.block, block);
      ASSERT_EQ(rings.state(of).checksum.load(), 7U);
      rings.release(of);
    }
  const BlockAddress fixed_block = rings.address(rings.id({BlockAddress::fixed, 2}));
  EXPECT_TRUE(fixed_block.is_fixed());
  EXPECT_EQ(fixed_block.block, 2);
}

TEST_F(BlockRingsTest, have_moments_of_one_round_in_memory_of_their_own) {
  ASSERT_TRUE(rings.takes_pieces({0, 1}) && rings.takes_pieces({1, 1}) && rings.takes_pieces({1, 0}));
  EXPECT_EQ(rings.memory({1, 1}) - rings.memory({0, 1}), slot_bytes);
  EXPECT_EQ(rings.memory({1, 0}), rings.memory({0, 1})) << "the first room of another block is free";
  EXPECT_NE(rings.memory_number({1, 0}), rings.memory_number({0, 1}));
  EXPECT_EQ(rings.memory({BlockAddress::fixed, 3}), fixed.data.data());
  EXPECT_TRUE(rings.is_open({BlockAddress::fixed, 3}));
  EXPECT_FALSE(rings.is_open({depth, 0}));
}

}  // namespace
}  // namespace thalweg::staging
