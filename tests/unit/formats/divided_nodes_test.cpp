#include "formats/netcdf4/divided_nodes.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "base/little_endian.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

using Bytes = std::vector<std::byte>;
constexpr std::size_t key_bytes = 16;  // of a variable with one dimension
constexpr std::size_t node_bytes = 24 + 64 * 8 + 65 * key_bytes;
constexpr std::int64_t none = -1;

struct Sides {
  std::int64_t left = none, right = none;
};

Bytes node(int level, const std::vector<std::int64_t>& children, Sides sides = {}) {
  Bytes bytes(node_bytes);
  std::memcpy(bytes.data(), "TREE\1", 5);
  bytes[5] = static_cast<std::byte>(level);
  put_little_endian(bytes.data() + 6, children.size(), 2);
  put_little_endian(bytes.data() + 8, static_cast<std::uint64_t>(sides.left), 8);
  put_little_endian(bytes.data() + 16, static_cast<std::uint64_t>(sides.right), 8);
  std::byte* at = bytes.data() + 24;
  for (const std::int64_t child : children)
    at = put_little_endian(at + key_bytes, static_cast<std::uint64_t>(child), 8);
  return bytes;
}

std::vector<std::int64_t> chunks(int count) {
  std::vector<std::int64_t> all;
  for (int chunk = 0; chunk < count; ++chunk) all.push_back(100 + chunk);
  return all;
}

// Nodes at 10000, 20000 and so on.
class Indices : public testing::Test {
 protected:
  void write(std::int64_t offset, const Bytes& bytes) { writes_.write(nodes_.place(offset), bytes); }
  // What a node is after the writes since the last time.
  Bytes written(std::int64_t place) {
    Bytes bytes(node_bytes);
    writes_.cover(place, bytes);
    return bytes;
  }
  void note() {
    nodes_.note(writes_);
    writes_ = {};
  }

  DividedNodes nodes_;
  WriteOverlay writes_;
};

TEST_F(Indices, are_left_where_they_are_while_they_grow) {
  write(10000, node(1, {20000, 30000}));
  write(20000, node(0, chunks(57), {none, 30000}));
  write(30000, node(0, chunks(8), {20000, none}));
  EXPECT_EQ(nodes_.bytes_to_move(writes_), 0);
  note();
  write(30000, node(0, chunks(9), {20000, none}));
  EXPECT_EQ(nodes_.bytes_to_move(writes_), 0);
}

TEST_F(Indices, have_a_divided_node_where_no_reader_has_been) {
  write(10000, node(1, {20000, 30000}));
  write(20000, node(0, chunks(57), {none, 30000}));
  write(30000, node(0, chunks(64), {20000, none}));
  note();
  write(10000, node(1, {20000, 30000, 40000}));
  write(30000, node(0, chunks(57), {20000, 40000}));
  write(40000, node(0, chunks(8), {30000, none}));
  EXPECT_EQ(nodes_.bytes_to_move(writes_), std::int64_t{node_bytes});
  const std::vector<DividedNodes::Node> beside = nodes_.move(writes_, 90000);
  ASSERT_EQ(beside.size(), 1U);
  EXPECT_EQ(beside.front().offset, 20000);
  write(20000, node(0, chunks(57), {none, 30000}));
  nodes_.note(writes_);
  EXPECT_FALSE(writes_.has(30000));
  EXPECT_EQ(written(10000), node(1, {20000, 90000, 40000}));
  EXPECT_EQ(written(20000), node(0, chunks(57), {none, 90000}));
  EXPECT_EQ(written(90000), node(0, chunks(57), {20000, 40000}));
  EXPECT_EQ(written(40000), node(0, chunks(8), {90000, none}));
}

TEST_F(Indices, are_to_hdf5_where_they_were) {
  write(10000, node(1, {20000, 30000}));
  write(30000, node(0, chunks(64)));
  note();
  write(10000, node(1, {20000, 30000, 40000}));
  write(30000, node(0, chunks(57), {none, 40000}));
  nodes_.move(writes_, 90000);
  nodes_.note(writes_);
  EXPECT_EQ(nodes_.place(30000), 90000);
  Bytes read = written(10000);
  nodes_.translate_back(read);
  EXPECT_EQ(read, node(1, {20000, 30000, 40000}));
  writes_ = {};
  write(10000, node(1, {20000, 30000, 40000, 50000}));
  write(30000, node(0, chunks(58), {none, 40000}));
  EXPECT_EQ(nodes_.bytes_to_move(writes_), 0);
  nodes_.note(writes_);
  EXPECT_TRUE(writes_.has(90000));
  EXPECT_EQ(written(10000), node(1, {20000, 90000, 40000, 50000}));
}

TEST_F(Indices, move_a_node_again_that_is_divided_again) {
  write(10000, node(1, {30000}));
  write(30000, node(0, chunks(64)));
  note();
  write(10000, node(1, {30000, 40000}));
  write(30000, node(0, chunks(32), {none, 40000}));
  nodes_.move(writes_, 80000);
  note();
  write(10000, node(1, {30000, 50000, 40000}));
  write(30000, node(0, chunks(16), {none, 50000}));
  EXPECT_EQ(nodes_.bytes_to_move(writes_), std::int64_t{node_bytes});
  nodes_.move(writes_, 90000);
  nodes_.note(writes_);
  EXPECT_EQ(written(10000), node(1, {90000, 50000, 40000}));
  Bytes earlier = node(1, {80000, 40000});
  nodes_.translate_back(earlier);
  EXPECT_EQ(earlier, node(1, {30000, 40000}));
}

TEST_F(Indices, of_two_levels_have_both_nodes_moved_that_are_divided_together) {
  write(10000, node(2, {20000, 30000}));
  write(30000, node(1, std::vector<std::int64_t>(64, 40000), {20000, none}));
  write(40000, node(0, chunks(64)));
  note();
  write(10000, node(2, {20000, 30000, 50000}));
  write(30000, node(1, std::vector<std::int64_t>(57, 70000), {20000, 50000}));
  write(50000, node(1, {40000, 60000}, {30000, none}));
  write(40000, node(0, chunks(57), {none, 60000}));
  write(60000, node(0, chunks(8), {40000, none}));
  EXPECT_EQ(nodes_.bytes_to_move(writes_), std::int64_t{2 * node_bytes});
  nodes_.move(writes_, 90000);
  nodes_.note(writes_);
  constexpr std::int64_t second = 90000 + std::int64_t{node_bytes};
  EXPECT_EQ(written(10000), node(2, {20000, 90000, 50000}));
  EXPECT_EQ(written(50000), node(1, {second, 60000}, {90000, none}));
  EXPECT_EQ(written(60000), node(0, chunks(8), {second, none}));
}

// The root has its children from then on in two nodes that are new.
TEST_F(Indices, keep_the_root_where_it_is) {
  write(10000, node(0, chunks(64)));
  note();
  write(10000, node(1, {20000, 30000}));
  write(20000, node(0, chunks(57), {none, 30000}));
  write(30000, node(0, chunks(8), {20000, none}));
  EXPECT_EQ(nodes_.bytes_to_move(writes_), 0);
}

TEST_F(Indices, are_not_what_only_looks_like_them) {
  Bytes other = node(1, {30000});
  other.resize(other.size() - 1);
  Bytes of_groups = node(1, {30000});
  of_groups[4] = std::byte{0};
  for (const Bytes& bytes : {other, of_groups, Bytes(3), Bytes()}) {
    Bytes read = bytes;
    writes_.write(10000, bytes);
    note();
    nodes_.translate_back(read);
    EXPECT_EQ(read, bytes);
  }
  EXPECT_EQ(nodes_.bytes_to_move(writes_), 0);
}

}  // namespace
}  // namespace thalweg::formats::netcdf4
