#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

using formats::sample::bytes_of_file;
using sample::columns;
using sample::Definition;
using sample::Desk;
using sample::rows;

constexpr std::int64_t chunk_records = 4;
constexpr std::int64_t cells = rows * columns;
constexpr std::int64_t chunk_bytes = chunk_records * cells * std::int64_t{sizeof(float)};

// A field whose chunk spans several records, so that it is put as a whole with each record that comes into it.
Definition shared_chunk() {
  Definition definition = sample::chunked_field(rows, columns, {rows, columns});
  definition.format = config::format_named("zarr");
  definition.variables[0].chunk_records = chunk_records;
  return definition;
}

void expect_records(const std::vector<std::byte>& chunk, std::int64_t records) {
  ASSERT_EQ(std::ssize(chunk), chunk_bytes);
  for (std::int64_t i = 0; i < records * cells; ++i) {
    float found = 0.0F;
    std::memcpy(&found, chunk.data() + i * std::int64_t{sizeof found}, sizeof found);
    ASSERT_EQ(found, static_cast<float>(formats::sample::value(0, i / cells, i % cells))) << "element " << i;
  }
}

TEST(CollectionObjects, of_another_node_are_put_and_synced_once_for_all_records_that_it_tells_together) {
  Desk desk(shared_chunk(), {.depth = 5, .owns_files = false});
  desk.collection.plan().files.durability = config::Durability::record;
  desk.start();
  desk.collection.open(0);
  desk.collection.open(1);
  for (std::int64_t r = 0; r < 5; ++r) desk.collection.place(r, r / 3, r % 3);  // three in a file, two in the next
  for (const std::int64_t r : {4, 3, 2, 1, 0}) desk.collection.put_all(r, r % 3);
  desk.node.book.send(block::CloseFile{0, 0, 3, {}});
  desk.node.book.send(block::CloseFile{0, 1, 5, {}});
  desk.work();
  const std::vector<block::Result> events = desk.node.book.take_results();
  ASSERT_EQ(events.size(), 5U + 2U);
  for (std::size_t r = 0; r < 5; ++r)
    EXPECT_EQ(std::get<block::RecordWritten>(events[r]).record, static_cast<std::int64_t>(r));
  EXPECT_EQ(desk.collection.records_done(), 5);
  EXPECT_EQ(desk.writer->written().all.chunks, 2) << "each is counted once, with its first record";
  EXPECT_EQ(desk.counters.direct_bytes + desk.counters.buffered_bytes, 2 * chunk_bytes);
  EXPECT_EQ(desk.counters.syncs, 2 * (1 + 1 + 1)) << "of each file's chunk, of its records, and at its end";
  expect_records(bytes_of_file(desk.collection.partial_path(0) + "/a/c/0/0/0"), 3);
  expect_records(bytes_of_file(desk.collection.partial_path(1) + "/a/c/0/0/0"), 2);
}

}  // namespace
}  // namespace thalweg::writer
