// Collections with encoded chunks, from clients to the file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

using catalog::Encoding;
using config::codec_named;
using config::format_named;
using formats::sample::expect_copy;
using formats::sample::expect_file;
using sample::columns;
using sample::Definition;
using sample::Desk;
using sample::rows;

struct Case {
  Encoding encoding;
  std::int64_t chunks_along;
};

class CollectionEncoding : public testing::TestWithParam<Case> {
 protected:
  Definition definition() const {
    return formats::sample::encoded_definition(format_named("netcdf4"), GetParam().encoding);
  }
};
INSTANTIATE_TEST_SUITE_P(
    encodings, CollectionEncoding,
    testing::Values(Case{{.codec = codec_named("zstd"), .level = 3, .shuffle = true}, 2},
                    Case{{.codec = codec_named("deflate"), .level = 4, .shuffle = true, .checksum = true}, 1},
                    Case{{.keep_bits = 7, .codec = codec_named("deflate"), .level = 1}, 3}, Case{{.checksum = true}, 2},
                    Case{{.keep_digits = 4}, 2}));

TEST_P(CollectionEncoding, gives_files_with_every_value) {
  Desk desk(definition(), {.depth = 2, .pieces = 2, .chunks_along = GetParam().chunks_along});
  desk.start();
  desk.collection.put_all_fixed();
  const std::int64_t lengths[] = {5, 1, 4};
  std::int64_t record = 0;
  for (std::int64_t file = 0; file < 3; ++file) {
    desk.collection.open(file);
    for (std::int64_t i = 0; i < lengths[file]; ++i, ++record) {
      desk.put_place_commit(record, file, i);
      ASSERT_EQ(desk.collection.records_done(), record + 1);
    }
    desk.collection.close(file, record, lengths[file]);
    desk.work();
    ASSERT_EQ(desk.collection.files_done(), file + 1);
    expect_file(desk.collection.path(file), desk.collection.definition(), lengths[file]);
  }
  EXPECT_GT(desk.counters.raw_bytes, 0);
  if (GetParam().encoding.codec) EXPECT_LT(desk.counters.encoded_bytes, desk.counters.raw_bytes / 2);
}

TEST_P(CollectionEncoding, waits_for_fixed_variables_that_come_late) {
  Desk desk(definition());
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

TEST_P(CollectionEncoding, shows_a_record_only_when_all_its_blocks_are_written) {
  Desk desk(definition());
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  desk.collection.place_and_commit(0, 0, 0);
  const std::int64_t blocks = std::ssize(desk.collection.plan().record_blocks);
  for (std::int64_t block = 1; block < blocks; ++block) desk.collection.put(0, 0, block, 0);
  desk.work();
  EXPECT_EQ(desk.collection.records_done(), 0);
  desk.collection.put(0, 0, 0, 0);
  desk.work();
  EXPECT_EQ(desk.collection.records_done(), 1);
  expect_copy(desk.collection.partial_path(0), desk.collection.definition(), 1);
}

// ---- blocks that were spilled

// Changes a byte of every file without name in the folder that this process has open.
void damage_nameless_files(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(entry.path(), gone);
    if (!target.starts_with(folder) || !target.ends_with("(deleted)")) continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(3);
    const int changed = file.get() ^ 0x10;
    file.seekp(3);
    file.put(static_cast<char>(changed));
  }
}

class SpilledBlock : public testing::TestWithParam<Encoding> {};
INSTANTIATE_TEST_SUITE_P(encodings, SpilledBlock,
                         testing::Values(Encoding{}, Encoding{.codec = codec_named("zstd"), .level = 1}));

TEST_P(SpilledBlock, that_comes_back_changed_is_an_error_that_names_it) {
  Definition definition = sample::chunked_field(6, 37, {2, 20});
  definition.variables[0].encoding = GetParam();
  definition.format = format_named("netcdf4");
  const sample::Folder spilled;
  for (const bool is_damaged : {false, true}) {
    Desk desk(definition);
    desk.spill.emplace(config::SpillSettings{spilled / "", 1 << 20});
    desk.start();
    desk.collection.open(0);
    desk.collection.put_all(0, 0);
    desk.work();  // complete and encoded, but in no place yet
    ASSERT_TRUE(desk.writer->save_one());
    if (is_damaged) damage_nameless_files(spilled / "");
    desk.collection.place_and_commit(0, 0, 0);
    try {
      desk.work();
      EXPECT_FALSE(is_damaged);
      EXPECT_EQ(desk.collection.records_done(), 1);
    } catch (const Error& error) {
      EXPECT_TRUE(is_damaged) << error.what();
      EXPECT_EQ(error.code(), THALWEG_ERROR_STORAGE);
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with("collection 'history', variable 'a', record 0: a block of ")) << text;
      EXPECT_NE(text.find("was spilled to a file in '" + (spilled / "")), std::string::npos) << text;
      EXPECT_EQ(desk.collection.records_done(), 0);
    }
  }
}

// ---- holes and blocks that nobody feeds

constexpr std::int64_t records = 9;

// A field of three blocks of two rows, each of two uneven chunks.
Definition one_field(const Encoding& encoding) {
  Definition definition = sample::chunked_field(rows, columns, {1, 20});
  definition.variables[0].encoding = encoding;
  return definition;
}

// The fill value where `filled` says so, else the sample's values.
template <typename Filled>
void expect_fill(const std::string& path, const Filled& filled) {
  std::vector<float> values(static_cast<std::size_t>(records * rows * columns));
  int file = -1;
  ASSERT_EQ(nc_open(path.c_str(), NC_NOWRITE, &file), NC_NOERR);
  EXPECT_EQ(nc_get_var_float(file, 0, values.data()), NC_NOERR);
  nc_close(file);
  for (std::int64_t i = 0; i < std::ssize(values); ++i) {
    const std::int64_t cell = i % (rows * columns);
    const auto value = static_cast<float>(formats::sample::value(0, i / (rows * columns), cell));
    ASSERT_EQ(values[static_cast<std::size_t>(i)], filled(cell / columns, cell % columns) ? NC_FILL_FLOAT : value)
        << "record " << i / (rows * columns) << " cell " << cell;
  }
}

void write_all_records(Desk& desk) {
  desk.start();
  desk.collection.open(0);
  for (std::int64_t r = 0; r < records; ++r) desk.put_place_commit(r, 0, r);
  desk.collection.close(0, records, records);
  desk.work();
  EXPECT_EQ(desk.collection.records_done(), records);
  EXPECT_EQ(desk.collection.files_done(), 1);
}

TEST_P(CollectionEncoding, fills_holes_in_every_record_although_encoding_overwrites_them) {
  Desk desk(one_field(GetParam().encoding), {.depth = 2, .chunks_along = 2});
  block::PlannedBlock& block = desk.collection.plan().record_blocks[1];
  // Rows 2 and 3 from column 32 on: the second chunk of each row.
  for (const std::int64_t chunk : {1, 3})
    block.holes.push_back({{1, 5}, chunk * block.map.run_block_stride[0] + 12 * block.map.stride[1]});
  write_all_records(desk);
  expect_fill(desk.collection.path(0),
              [](std::int64_t row, std::int64_t column) { return row / 2 == 1 && column >= 32; });
}

void feed_nobody(block::PlannedBlock& block) {
  block.expected = 0;
  for (std::int64_t k = 0; k < block.chunks->size(); ++k)
    block.holes.push_back({block.chunks->box(k).count, k * block.map.run_block_stride[0]});
}

TEST_P(CollectionEncoding, writes_the_fill_value_where_nobody_feeds_a_block) {
  Desk desk(one_field(GetParam().encoding), {.depth = 2, .chunks_along = 2});
  feed_nobody(desk.collection.plan().record_blocks[2]);
  write_all_records(desk);
  expect_fill(desk.collection.path(0), [](std::int64_t row, std::int64_t) { return row >= 4; });
}

TEST_P(CollectionEncoding, writes_records_of_which_nobody_feeds_anything) {
  Desk desk(one_field(GetParam().encoding), {.depth = 2, .chunks_along = 2});
  for (block::PlannedBlock& block : desk.collection.plan().record_blocks) feed_nobody(block);
  write_all_records(desk);
  expect_fill(desk.collection.path(0), [](std::int64_t, std::int64_t) { return true; });
}

}  // namespace
}  // namespace thalweg::writer
