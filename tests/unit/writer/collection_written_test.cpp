#include <gtest/gtest.h>

#include <string>

#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

using sample::columns;
using sample::Definition;
using sample::Desk;
using sample::rows;

// Of two chunks each, and a variable without records.
Definition two_fields(const std::string& format) {
  Definition definition = sample::chunked_field(rows, columns, {rows / 2, columns});
  definition.format = config::format_named(format);
  definition.variables.push_back(definition.variables[0]);
  definition.variables[1].name = "b";
  definition.variables[1].type = Type::int16;
  definition.variables.push_back(
      {.name = "mask", .type = Type::int32, .dimensions = {0, 1}, .attributes = {}, .chunk = {}});
  return definition;
}

// The first file has two records, the second one.
profile::WrittenFiles written_by(Desk& desk) {
  desk.start();
  desk.collection.open(0);
  desk.collection.open(1);
  desk.collection.put_all_fixed();
  desk.put_place_commit(0, 0, 0);
  desk.put_place_commit(1, 0, 1);
  desk.put_place_commit(2, 1, 0);
  desk.collection.close(0, 2, 2);
  desk.work();
  return desk.writer->written();
}

TEST(CollectionWriter, adds_its_records_to_those_of_other_collections) {
  Desk desk(two_fields("cdf5"));
  desk.counters.records = 5;
  written_by(desk);
  EXPECT_EQ(desk.counters.records, 5 + 3);
}

TEST(CollectionWriter, tells_what_it_wrote_of_each_file_and_of_all) {
  Desk desk(two_fields("cdf5"));
  const profile::WrittenFiles written = written_by(desk);
  ASSERT_EQ(std::ssize(written.told), 2) << "one has its name, the other is open";
  constexpr std::int64_t record_bytes = rows * columns * (4 + 2), fixed_bytes = rows * columns * 4;
  const profile::WrittenFile& first = written.told.front();
  EXPECT_EQ(first.file, desk.collection.path(0));
  EXPECT_EQ(first.records, 2);
  EXPECT_EQ(first.written.raw_bytes, 2 * record_bytes + fixed_bytes);
  EXPECT_GE(first.written.file_bytes, first.written.raw_bytes);
  EXPECT_EQ(written.told.back().written.raw_bytes, record_bytes + fixed_bytes);
  EXPECT_EQ(written.all.raw_bytes, 3 * record_bytes + 2 * fixed_bytes);
  EXPECT_EQ(written.all.chunks, 0) << "the format has none";
  EXPECT_GE(written.all.best.record, 0);
  EXPECT_GE(written.all.best.bytes_per_s(), first.written.best.bytes_per_s());
  EXPECT_GT(written.all.bytes_per_s(), 0.0);
}

TEST(CollectionWriter, counts_chunks_where_the_format_has_some) {
  Desk desk(two_fields("netcdf4"));
  EXPECT_EQ(written_by(desk).all.chunks, 3 * 4) << "of three records with two fields of two chunks";
}

}  // namespace
}  // namespace thalweg::writer
