#include "writer/collection_writer.hpp"

#include <gtest/gtest.h>

#include <variant>
#include <vector>
#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

using catalog::Variable;
using config::Format;
using formats::sample::bytes_of_file;
using formats::sample::expect_file;
using sample::columns;
using sample::Definition;
using sample::Desk;
using sample::rows;

Variable field(const std::string& name, Type type, const Index& chunk, std::vector<int> dimensions = {0, 1}) {
  return {.name = name,
          .type = type,
          .has_record = true,
          .dimensions = std::move(dimensions),
          .attributes = {},
          .is_chunked = true,
          .chunk = chunk};
}

// Two fields of two blocks each, of sizes that move every record to another place within a page.
Definition small_definition(Format format = config::format_named("cdf5")) {
  Definition definition;
  definition.format = format;
  definition.record_dimension = "time";
  definition.dimensions = {{"y", 6}, {"x", 37}};
  definition.variables = {field("a", Type::float32, {3, 37}), field("b", Type::int16, {3, 37})};
  definition.variables.push_back(
      {.name = "mask", .type = Type::int32, .dimensions = {0, 1}, .attributes = {}, .chunk = {}});
  return definition;
}

class CollectionWriterFormats : public testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(formats, CollectionWriterFormats,
                         testing::ValuesIn(formats::sample::formats_named({"cdf1", "cdf2", "cdf5", "netcdf4",
                                                                           "fortran"})));

TEST_P(CollectionWriterFormats, publishes_a_file_with_every_value_when_it_is_complete) {
  Desk desk(formats::sample::definition(GetParam()), {.depth = 3, .pieces = 2});
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  for (std::int64_t r = 0; r < 5; ++r) desk.put_place_commit(r, 0, r);
  EXPECT_EQ(desk.collection.records_done(), 5);
  EXPECT_FALSE(std::filesystem::exists(desk.collection.path(0)));
  desk.collection.close(0, 5, 5);
  desk.work();
  EXPECT_EQ(desk.collection.files_done(), 1);
  EXPECT_EQ(desk.node.folder.files(), 1U);
  expect_file(desk.collection.path(0), desk.collection.definition(), 5);
}

TEST(CollectionWriter, makes_files_with_the_bytes_that_a_plain_writer_makes) {
  for (const Format format : formats::sample::formats_named({"cdf1", "cdf2", "cdf5", "fortran"})) {
    Desk desk(formats::sample::definition(format));
    desk.start();
    desk.collection.open(0);
    desk.collection.put_all_fixed();
    for (std::int64_t r = 0; r < 3; ++r) desk.put_place_commit(r, 0, r);
    desk.collection.close(0, 3, 3);
    desk.work();
    formats::sample::Writer plain(desk.node.folder / "plain.nc", desk.collection.definition());
    for (std::int64_t r = 0; r < 3; ++r) plain.add(r);
    plain.close(3);
    EXPECT_EQ(bytes_of_file(desk.collection.path(0)), bytes_of_file(desk.node.folder / "plain.nc"));
  }
}

TEST_P(CollectionWriterFormats, keeps_blocks_until_their_record_has_a_place) {
  Desk desk(small_definition(GetParam()));
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all(0, 0);
  desk.work();
  EXPECT_TRUE(desk.collection.is_open(0, 0));
  desk.collection.place(0, 0, 0);
  desk.work();
  for (std::int64_t block = 0; block < 4; ++block) EXPECT_TRUE(desk.collection.is_open(2, block)) << block;
}

TEST_P(CollectionWriterFormats, shows_a_record_only_when_all_its_blocks_are_written) {
  Desk desk(small_definition(GetParam()), {.depth = 2, .pieces = 2});
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  desk.collection.place_and_commit(0, 0, 0);
  for (std::int64_t block = 0; block < 4; ++block) desk.collection.put(0, 0, block, 1);
  for (std::int64_t block = 0; block < 3; ++block) desk.collection.put(0, 0, block, 0);
  desk.work();
  formats::sample::expect_copy(desk.collection.partial_path(0), desk.collection.definition(), 0);
  EXPECT_EQ(desk.collection.records_done(), 0);
  desk.collection.put(0, 0, 3, 0);
  desk.work();
  formats::sample::expect_copy(desk.collection.partial_path(0), desk.collection.definition(), 1);
  EXPECT_EQ(desk.collection.records_done(), 1);
}

TEST_P(CollectionWriterFormats, shows_no_record_before_the_one_ahead_of_it) {
  Desk desk(small_definition(GetParam()), {.depth = 2});
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  desk.collection.place_and_commit(0, 0, 0);
  desk.collection.place_and_commit(1, 0, 1);
  desk.collection.put_all(1, 1);
  desk.work();
  formats::sample::expect_copy(desk.collection.partial_path(0), desk.collection.definition(), 0);
  desk.collection.put_all(0, 0);
  desk.work();
  formats::sample::expect_copy(desk.collection.partial_path(0), desk.collection.definition(), 2);
}

TEST_P(CollectionWriterFormats, shows_all_records_that_become_complete_at_once) {
  Desk desk(small_definition(GetParam()), {.depth = 4});
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  for (std::int64_t r = 0; r < 4; ++r) desk.collection.place_and_commit(r, 0, r);
  for (const std::int64_t r : {3, 2, 1, 0}) desk.collection.put_all(r, r);
  desk.work();
  formats::sample::expect_copy(desk.collection.partial_path(0), desk.collection.definition(), 4);
  EXPECT_EQ(desk.collection.records_done(), 4);
}

TEST_P(CollectionWriterFormats, commits_several_records_by_one_order) {
  Desk desk(small_definition(GetParam()), {.depth = 4});
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  for (std::int64_t r = 0; r < 3; ++r) {
    desk.collection.place(r, 0, r);
    desk.collection.put_all(r, r);
  }
  desk.work();
  EXPECT_EQ(desk.collection.records_done(), 0);
  desk.collection.commit(2, 0, 3);
  desk.work();
  EXPECT_EQ(desk.collection.records_done(), 3);
  formats::sample::expect_copy(desk.collection.partial_path(0), desk.collection.definition(), 3);
}

TEST_P(CollectionWriterFormats, writes_fixed_variables_into_every_file_of_a_series) {
  Desk desk(small_definition(GetParam()), {.depth = 2});
  desk.start();
  desk.collection.put_all_fixed();
  const std::int64_t lengths[] = {2, 1, 3};
  std::int64_t record = 0;
  for (std::int64_t file = 0; file < 3; ++file) {
    desk.collection.open(file);
    for (std::int64_t i = 0; i < lengths[file]; ++i) desk.put_place_commit(record++, file, i);
    desk.collection.close(file, record, lengths[file]);
    desk.work();
    EXPECT_EQ(desk.collection.files_done(), file + 1);
    expect_file(desk.collection.path(file), desk.collection.definition(), lengths[file]);
  }
  EXPECT_EQ(desk.node.folder.files(), 3U);
}

TEST_P(CollectionWriterFormats, waits_with_the_file_for_fixed_variables_that_come_late) {
  Desk desk(small_definition(GetParam()));
  desk.start();
  desk.collection.open(0);
  desk.put_place_commit(0, 0, 0);
  desk.collection.close(0, 1, 1);
  desk.work();
  EXPECT_EQ(desk.collection.files_done(), 0);
  desk.collection.put_all_fixed();
  desk.work();
  EXPECT_EQ(desk.collection.files_done(), 1);
  expect_file(desk.collection.path(0), desk.collection.definition(), 1);
}

TEST_P(CollectionWriterFormats, leaves_a_file_of_fixed_variables_where_no_record_came) {
  Desk desk(small_definition(GetParam()));
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  desk.collection.close(0, 0, 0);
  desk.work();
  expect_file(desk.collection.path(0), desk.collection.definition(), 0);
}

// ---- what no client owns

// All values of b of small_definition.
std::vector<double> values_of_b(const std::string& path, Format format, std::size_t count) {
  std::vector<double> values(count);
  if (format->name == "fortran") {
    const std::vector<std::byte> bytes = bytes_of_file(path);
    formats::sample::FortranReader reader(bytes);
    reader.next();                             // mask
    for (std::size_t i = 0; reader.next();) {  // a
      const auto array = reader.next();
      for (std::size_t place = 0; array && place < array->size(); place += 2) {
        std::int16_t value = 0;
        std::memcpy(&value, array->data() + place, sizeof value);
        values.at(i++) = value;
      }
    }
    return values;
  }
  int file = -1;
  int id = -1;
  EXPECT_EQ(nc_open(path.c_str(), NC_NOWRITE, &file), NC_NOERR);
  EXPECT_EQ(nc_inq_varid(file, "b", &id), NC_NOERR);
  EXPECT_EQ(nc_get_var_double(file, id, values.data()), NC_NOERR);
  nc_close(file);
  return values;
}

// The fill value in rows [first, last) and columns from `column` on, else the sample's values.
void expect_fill(const std::string& path, Format format, std::int64_t records, std::int64_t first, std::int64_t last,
                 std::int64_t column) {
  const auto values = values_of_b(path, format, static_cast<std::size_t>(records * rows * columns));
  for (std::int64_t i = 0; i < std::ssize(values); ++i) {
    const std::int64_t cell = i % (rows * columns);
    const bool filled = cell / columns >= first && cell / columns < last && cell % columns >= column;
    const double wanted = filled ? -32767 : formats::sample::value(1, i / (rows * columns), cell);
    ASSERT_EQ(values[static_cast<std::size_t>(i)], wanted) << "record " << i / (rows * columns) << " cell " << cell;
  }
}

TEST_P(CollectionWriterFormats, fills_the_holes_of_a_block_in_every_record) {
  Desk desk(small_definition(GetParam()), {.depth = 2});
  block::PlannedBlock& block = desk.collection.plan().record_blocks[2];  // the first of b
  block.holes.push_back({{2, 5}, block.map.stride[0] + 32 * block.map.stride[1]});
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  for (std::int64_t r = 0; r < 9; ++r) desk.put_place_commit(r, 0, r);
  desk.collection.close(0, 9, 9);
  desk.work();
  expect_fill(desk.collection.path(0), GetParam(), 9, 1, 3, 32);
}

TEST_P(CollectionWriterFormats, writes_the_fill_value_where_nobody_feeds_a_block) {
  Desk desk(small_definition(GetParam()), {.depth = 2});
  block::PlannedBlock& block = desk.collection.plan().record_blocks[3];  // the second of b
  block.expected = 0;
  block.holes.push_back({{3, 37}, 0});
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  for (std::int64_t r = 0; r < 9; ++r) desk.put_place_commit(r, 0, r);
  desk.collection.close(0, 9, 9);
  desk.work();
  EXPECT_EQ(desk.collection.records_done(), 9);
  expect_fill(desk.collection.path(0), GetParam(), 9, 3, 6, 0);
}

TEST_P(CollectionWriterFormats, fills_what_nobody_feeds_in_records_placed_far_ahead) {
  Desk desk(small_definition(GetParam()), {.depth = 2});
  for (std::size_t b : {2U, 3U}) {
    block::PlannedBlock& block = desk.collection.plan().record_blocks[b];
    block.expected = 0;
    block.holes.push_back({{3, 37}, 0});
  }
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  for (std::int64_t r = 0; r < 6; ++r) desk.collection.place_and_commit(r, 0, r);
  for (std::int64_t r = 0; r < 6; ++r) {
    desk.collection.put_all(r, r);
    desk.work();
  }
  desk.collection.close(0, 6, 6);
  desk.work();
  expect_fill(desk.collection.path(0), GetParam(), 6, 0, 6, 0);
}

// ---- clients that run ahead of each other

// A block is open again as soon as it is written; its neighbours may still hold the record before, whose place in the
// page is another one.
TEST_P(CollectionWriterFormats, keeps_a_block_whole_while_its_neighbour_has_gone_on) {
  Definition definition = small_definition(GetParam());
  definition.dimensions[1].size = 333;
  for (Variable& variable : definition.variables)
    if (variable.has_record) variable.chunk = {6, 333};
  Desk desk(definition, {.depth = 1, .pieces = 2});
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  for (std::int64_t r = 0; r < 4; ++r) {
    desk.collection.place_and_commit(r, 0, r);
    // The first client is through with record r and puts the field a of r + 1; the second has yet to put b of r.
    if (r == 0) desk.collection.put(r, r, 0, 0);
    desk.collection.put(r, r, 0, 1);
    desk.collection.put(r, r, 1, 0);
    desk.work();
    ASSERT_TRUE(desk.collection.is_open(r + 1, 0));
    if (r < 3) desk.collection.put(r + 1, r + 1, 0, 0);
    desk.collection.put(r, r, 1, 1);
    desk.work();
  }
  desk.collection.close(0, 4, 4);
  desk.work();
  expect_file(desk.collection.path(0), desk.collection.definition(), 4);
}

// ---- several nodes

TEST(CollectionWriter, of_the_home_commits_when_the_other_nodes_wrote_theirs) {
  Desk desk(small_definition(), {.other_writers = 2});
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  desk.put_place_commit(0, 0, 0);
  desk.node.book.send(block::OtherWriterWrote{0, 0});
  desk.work();
  formats::sample::expect_copy(desk.collection.partial_path(0), desk.collection.definition(), 0);
  EXPECT_EQ(desk.collection.records_done(), 0);
  desk.node.book.send(block::OtherWriterWrote{0, 0});
  desk.work();
  formats::sample::expect_copy(desk.collection.partial_path(0), desk.collection.definition(), 1);
  EXPECT_EQ(desk.collection.records_done(), 1);
}

TEST(CollectionWriter, of_the_home_publishes_when_the_other_nodes_closed_the_file) {
  Desk desk(small_definition(), {.other_writers = 2});
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  desk.node.book.send(block::OtherWriterWrote{0, 0});  // they may be ahead
  desk.node.book.send(block::OtherWriterWrote{0, 0});
  desk.node.book.send(block::OtherWriterClosed{0, 0});
  desk.put_place_commit(0, 0, 0);
  EXPECT_EQ(desk.collection.records_done(), 1);
  desk.collection.close(0, 1, 1);
  desk.work();
  EXPECT_EQ(desk.collection.files_done(), 0);
  desk.node.book.send(block::OtherWriterClosed{0, 0});
  desk.work();
  EXPECT_EQ(desk.collection.files_done(), 1);
  expect_file(desk.collection.path(0), desk.collection.definition(), 1);
}

TEST(CollectionWriter, of_another_node_tells_what_it_wrote_and_leaves_names_and_records_alone) {
  Desk desk(small_definition(), {.owns_files = false});
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  for (std::int64_t r = 0; r < 2; ++r) {
    desk.collection.place(r, 0, r);
    desk.collection.put_all(1 - r, 1 - r);  // the second record first
  }
  desk.node.book.send(block::CloseFile{0, 0, 2, {}});
  desk.work();
  const std::vector<block::Result> events = desk.node.book.take_results();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(std::get<block::RecordWritten>(events[0]).record, 0);
  EXPECT_EQ(std::get<block::RecordWritten>(events[1]).record, 1);
  EXPECT_EQ(std::get<block::FileWritten>(events[2]).file, 0);
  EXPECT_EQ(desk.collection.records_done(), 2);
  EXPECT_EQ(desk.collection.files_done(), 1);
  EXPECT_FALSE(std::filesystem::exists(desk.collection.path(0)));
  formats::sample::expect_copy(desk.collection.partial_path(0), desk.collection.definition(), 0);
}

TEST(CollectionWriter, hears_that_a_file_ends_before_it_hears_that_it_begins) {
  Desk desk(small_definition(), {.owns_files = false});
  desk.start();
  desk.node.book.send(block::CloseFile{0, 0, 1, {}});
  desk.collection.put_all_fixed();
  desk.collection.put_all(0, 0);
  desk.work();
  desk.collection.open(0);
  desk.collection.place(0, 0, 0);
  desk.work();
  EXPECT_EQ(desk.collection.files_done(), 1);
}

TEST(CollectionWriter, counts_what_it_wrote) {
  Desk desk(small_definition());
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  for (std::int64_t r = 0; r < 3; ++r) desk.put_place_commit(r, 0, r);
  desk.collection.close(0, 3, 3);
  desk.work();
  EXPECT_EQ(desk.counters.blocks, 3 * 4 + 1);
  EXPECT_EQ(desk.counters.records, 3);
  EXPECT_EQ(desk.counters.files, 1);
  constexpr std::int64_t cells = rows * columns;
  EXPECT_GE(desk.counters.direct_bytes + desk.counters.buffered_bytes, cells * (3 * (4 + 2) + 4));
  EXPECT_LE(desk.counters.direct_bytes + desk.counters.buffered_bytes, cells * (3 * (4 + 2) + 4) + 4 * 8);
}

}  // namespace
}  // namespace thalweg::writer
