// Datasets that HDF5 has written, read without it.
#include "formats/netcdf4/direct_reader.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstring>
#include <numeric>
#include <random>

#include "base/box_runs.hpp"
#include "base/element_bits.hpp"
#include "base/error.hpp"
#include "formats/decoding_threads.hpp"
#include "sample_folder.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

const Index sample_shape = {9, 40, 33};
const Index sample_chunk = {2, 16, 8};

// One dataset of int32, whose values count its cells.
struct Stored {
  const char* name;
  bool is_chunked = true;
  bool is_big_endian = false;
  std::vector<H5Z_filter_t> filters{};
  std::vector<hsize_t> shape{sample_shape.begin(), sample_shape.end()};
  std::vector<hsize_t> chunk{sample_chunk.begin(), sample_chunk.end()};
};

class Dataset {
 public:
  explicit Dataset(const Stored& stored) : stored_(stored) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    file_ = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    creation_ = H5Pcreate(H5P_DATASET_CREATE);
    if (stored.is_chunked) H5Pset_chunk(creation_, static_cast<int>(stored.chunk.size()), stored.chunk.data());
    for (const H5Z_filter_t filter : stored.filters) {
      const unsigned level = 4;
      H5Pset_filter(creation_, filter, H5Z_FLAG_OPTIONAL, filter == H5Z_FILTER_DEFLATE ? 1 : 0, &level);
    }
  }
  ~Dataset() {
    H5Pclose(creation_);
    close();
  }
  void close() {
    if (dataset_ >= 0) H5Dclose(dataset_);
    if (file_ >= 0) H5Fclose(file_);
    dataset_ = file_ = H5I_INVALID_HID;
  }

  std::string path() const { return folder_ / "a.h5"; }
  hid_t creation() const { return creation_; }
  hid_t create(hid_t file = H5I_INVALID_HID) {
    const hid_t space = H5Screate_simple(static_cast<int>(stored_.shape.size()), stored_.shape.data(), nullptr);
    dataset_ = H5Dcreate2(file < 0 ? file_ : file, "v", stored_.is_big_endian ? H5T_STD_I32BE : H5T_STD_I32LE, space,
                          H5P_DEFAULT, creation_, H5P_DEFAULT);
    H5Sclose(space);
    return dataset_;
  }
  void write_all() {
    std::vector<int> values(static_cast<std::size_t>(cells()));
    std::iota(values.begin(), values.end(), 0);
    ASSERT_GE(H5Dwrite(create(), H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    close();
  }
  std::int64_t cells() const {
    return std::accumulate(stored_.shape.begin(), stored_.shape.end(), std::int64_t{1}, std::multiplies());
  }

 private:
  Stored stored_;
  sample::Folder folder_;
  hid_t file_, creation_, dataset_ = H5I_INVALID_HID;
};

class Reading {
 public:
  explicit Reading(const std::string& path, Type type = Type::int32) : file_(storage::open_file(path, O_RDONLY)) {
    if (auto stored = stored_dataset(file_, path, "v", type)) reader_.emplace(file_, path, *std::move(stored), rooms_);
  }
  bool is_direct() const { return reader_.has_value(); }
  bool is_read(const Box& box) {
    values_.assign(static_cast<std::size_t>(box.cells()), -1);
    if (!reader_->read(box, std::as_writable_bytes(std::span(values_)))) return false;
    if (reader_->order() != std::endian::native) swap_bytes(std::as_writable_bytes(std::span(values_)), sizeof(int));
    return true;
  }
  // Why the last box was not read.
  const std::string& fault() const { return reader_->fault(); }
  // What is said of the index of chunks; "": nothing.
  std::string fault_of_index(const Box& box) {
    try {
      EXPECT_FALSE(is_read(box));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), THALWEG_ERROR_STORAGE);
      return error.what();
    }
    return "";
  }
  // The cells' numbers, which are the values.
  static std::vector<int> expected(const Box& box, const Index& shape) {
    std::vector<int> numbers;
    for_each_run(whole(shape), box, [&](std::int64_t offset, std::int64_t cells) {
      for (std::int64_t i = 0; i < cells; ++i) numbers.push_back(static_cast<int>(offset + i));
    });
    return numbers;
  }
  const std::vector<int>& values() const { return values_; }

 private:
  storage::Descriptor file_;
  DecodingRooms rooms_;
  std::optional<DirectReader> reader_;
  std::vector<int> values_;
};

Box random_box(const Index& shape, std::mt19937& random) {
  Box box;
  for (const std::int64_t extent : shape) {
    const auto below = [&](std::int64_t most) { return static_cast<std::int64_t>(random()) % most; };
    box.start.push_back(below(extent));
    box.count.push_back(1 + below(extent - box.start[box.start.rank() - 1]));
  }
  return box;
}

class ReadDirectly : public testing::TestWithParam<Stored> {};
INSTANTIATE_TEST_SUITE_P(
    ways, ReadDirectly,
    testing::Values(Stored{"contiguous", false}, Stored{"big_endian", false, true}, Stored{"chunks"},
                    Stored{"chunks_of_big_endian", true, true}, Stored{"deflate", true, false, {H5Z_FILTER_DEFLATE}},
                    Stored{"shuffle", true, true, {H5Z_FILTER_SHUFFLE}},
                    Stored{"shuffle_deflate", true, false, {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE}},
                    Stored{"deflate_sum", true, true, {H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32}},
                    Stored{"sum_first", true, false, {H5Z_FILTER_FLETCHER32, H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE}},
                    Stored{"many_chunks", true, false, {H5Z_FILTER_DEFLATE}, {9, 40, 33}, {1, 1, 2}},
                    Stored{"one_dimension", true, false, {}, {5000}, {1}},
                    Stored{"eight", true, false, {}, {2, 3, 2, 3, 2, 3, 2, 5}, {1, 2, 2, 2, 1, 3, 2, 4}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(ReadDirectly, gives_every_box) {
  Dataset dataset(GetParam());
  dataset.write_all();
  Reading reading(dataset.path());
  ASSERT_TRUE(reading.is_direct());
  Index shape;
  for (const hsize_t extent : GetParam().shape) shape.push_back(static_cast<std::int64_t>(extent));
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) {
    const Box box = i == 0 ? whole(shape) : random_box(shape, random);
    ASSERT_TRUE(reading.is_read(box)) << to_string(box);
    ASSERT_EQ(reading.values(), Reading::expected(box, shape)) << to_string(box);
  }
  Box beyond = whole(shape);
  beyond.count[0] += 1;
  EXPECT_FALSE(reading.is_read(beyond)) << "cells that the dataset has not";
}

TEST(ReadDirectly, in_several_threads) {
  const Index shape = {8, 200, 500};
  Dataset dataset({"threads", true, false, {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE}, {8, 200, 500}, {1, 48, 64}});
  dataset.write_all();
  const DecodingThreads threads(4, {});
  Reading reading(dataset.path());
  std::mt19937 random(11);
  for (int i = 0; i < 20; ++i) {
    const Box box = i < 2 ? whole(shape) : random_box(shape, random);
    ASSERT_TRUE(reading.is_read(box)) << to_string(box);
    ASSERT_EQ(reading.values(), Reading::expected(box, shape)) << to_string(box);
  }
}

TEST(ReadDirectlyNot, what_was_never_written) {
  Dataset dataset({"chunks"});
  const hid_t set = dataset.create();
  const std::vector<int> values(2 * 16 * 8, 5);
  const hsize_t offset[] = {2, 16, 8};
  ASSERT_GE(H5Dwrite_chunk(set, H5P_DEFAULT, 0, offset, values.size() * sizeof(int), values.data()), 0);
  dataset.close();
  Reading reading(dataset.path());
  EXPECT_TRUE(reading.is_read({{2, 16, 8}, {2, 16, 8}}));
  EXPECT_EQ(reading.values(), values);
  EXPECT_FALSE(reading.is_read({{2, 16, 8}, {2, 16, 9}}));
  Dataset contiguous({"contiguous", false});
  contiguous.create();
  contiguous.close();
  EXPECT_FALSE(Reading(contiguous.path()).is_direct());
}

TEST(ReadDirectly, chunks_that_skipped_a_filter) {
  Dataset dataset({"shuffle_deflate", true, false, {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE}});
  const hid_t set = dataset.create();
  std::vector<int> values(2 * 16 * 8);
  std::iota(values.begin(), values.end(), 0);
  const hsize_t offset[] = {0, 0, 0};
  constexpr unsigned all_skipped = 3;
  ASSERT_GE(H5Dwrite_chunk(set, H5P_DEFAULT, all_skipped, offset, values.size() * sizeof(int), values.data()), 0);
  dataset.close();
  Reading reading(dataset.path());
  EXPECT_TRUE(reading.is_read({{0, 0, 0}, {2, 16, 8}}));
  EXPECT_EQ(reading.values(), values);
}

TEST(ReadDirectlyNot, what_hdf5_has_in_other_ways) {
  Dataset other_type({"chunks"});
  other_type.write_all();
  EXPECT_FALSE(Reading(other_type.path(), Type::float32).is_direct());
  EXPECT_FALSE(Reading(other_type.path(), Type::int16).is_direct());
  EXPECT_FALSE(Reading(other_type.path(), Type::character).is_direct());
  Dataset no_filter_of_ours({"nbit", true, false, {H5Z_FILTER_NBIT}});
  no_filter_of_ours.write_all();
  EXPECT_FALSE(Reading(no_filter_of_ours.path()).is_direct());
  Dataset compact({"compact", false, false, {}, {2, 3, 4}});
  H5Pset_layout(compact.creation(), H5D_COMPACT);
  compact.write_all();
  EXPECT_FALSE(Reading(compact.path()).is_direct());
  Dataset external({"external", false});
  H5Pset_external(external.creation(), "values.bin", 0, H5F_UNLIMITED);
  external.create();
  external.close();
  EXPECT_FALSE(Reading(external.path()).is_direct());
}

// Of HDF5 1.10 and later, which has other indices of chunks.
TEST(ReadDirectlyNot, what_newer_libraries_index) {
  const sample::Folder folder;
  const std::string path = folder / "new.h5";
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  Dataset dataset({"chunks"});
  dataset.create(file);
  dataset.close();
  H5Fclose(file);
  H5Pclose(access);
  EXPECT_FALSE(Reading(path).is_direct());
}

TEST(ReadDirectlyNot, what_lies_in_another_file_or_is_being_written) {
  Dataset here({"contiguous", false}), other({"contiguous", false});
  here.write_all();
  other.write_all();
  const hid_t file = H5Fopen(here.path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  EXPECT_FALSE(Reading(here.path()).is_direct());
  H5Ldelete(file, "v", H5P_DEFAULT);
  ASSERT_GE(H5Lcreate_external(other.path().c_str(), "v", file, "v", H5P_DEFAULT, H5P_DEFAULT), 0);
  H5Fclose(file);
  EXPECT_FALSE(Reading(here.path()).is_direct());
  EXPECT_TRUE(Reading(other.path()).is_direct());
}

// Keys of a leaf of the tree of chunks: the last byte of where a chunk begins along a dimension.
class DamagedKey {
 public:
  explicit DamagedKey(const std::string& path) : path_(path), file_(storage::open_file(path, O_RDWR)) {
    std::string bytes(static_cast<std::size_t>(storage::size_of_file(file_, path)), '\0');
    storage::read_all(file_, path, 0, std::as_writable_bytes(std::span(bytes)));
    leaf_ = static_cast<std::int64_t>(bytes.find(std::string("TREE\1\0", 6)));
  }
  std::uint8_t number(int entry, int dimension) const {
    std::uint8_t value = 0;
    storage::read_all(file_, path_, place(entry, dimension), std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  void set(int entry, int dimension, std::uint8_t value) const {
    storage::write_all(file_, path_, place(entry, dimension), std::as_bytes(std::span(&value, 1)));
  }
  void set_bytes(int entry, std::uint32_t bytes) const {
    storage::write_all(file_, path_, place(entry, 0) - 8, std::as_bytes(std::span(&bytes, 1)));
  }

 private:
  static constexpr std::int64_t head = 24, of_sizes = 8, key = of_sizes + 4 * 8, address = 8;
  std::int64_t place(int entry, int dimension) const {
    return leaf_ + head + entry * (key + address) + of_sizes + 8 * dimension;
  }
  std::string path_;
  storage::Descriptor file_;
  std::int64_t leaf_ = 0;
};

TEST(ReadDirectlyNot, by_a_tree_whose_keys_are_none_of_its_chunks) {
  Dataset dataset({"chunks"});
  dataset.write_all();
  const Box all = whole(sample_shape);
  const DamagedKey leaf(dataset.path());
  const int before = leaf.number(1, 2), chunk = static_cast<int>(sample_chunk[2]);
  ASSERT_EQ(leaf.number(0, 2), before - chunk);
  ASSERT_EQ(leaf.number(2, 2), before + chunk);
  EXPECT_TRUE(Reading(dataset.path()).is_read(all));
  for (const int value : {before + 1, before - chunk, before + chunk}) {
    leaf.set(1, 2, static_cast<std::uint8_t>(value));
    EXPECT_THAT(Reading(dataset.path()).fault_of_index(all), testing::HasSubstr("the index of chunks")) << value;
  }
}

TEST(ReadDirectlyNot, a_chunk_beyond_the_end_of_the_file) {
  Dataset dataset({"chunks", true, false, {H5Z_FILTER_DEFLATE}});
  dataset.write_all();
  const DamagedKey leaf(dataset.path());
  leaf.set_bytes(1, 0xfffffff0U);
  Reading reading(dataset.path());
  EXPECT_FALSE(reading.is_read(whole(sample_shape)));
  EXPECT_THAT(reading.fault(), testing::AllOf(testing::HasSubstr("the chunk that begins at cell"),
                                              testing::HasSubstr("its 4294967280 bytes")));
}

bool tells_damage(Reading& reading, const Box& box) {
  try {
    return !reading.is_read(box);
  } catch (const Error&) {
    return true;
  }
}

TEST(ReadDirectlyNot, what_is_damaged_or_cut_short) {
  Dataset dataset({"deflate_sum", true, true, {H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32}});
  dataset.write_all();
  const std::string path = dataset.path();
  const storage::Descriptor file = storage::open_file(path, O_RDWR);
  std::vector<std::byte> bytes(static_cast<std::size_t>(storage::size_of_file(file, path)));
  storage::read_all(file, path, 0, bytes);
  const Box all = whole(sample_shape);
  std::mt19937 random(3);
  int told = 0;
  for (int i = 0; i < 300; ++i) {
    storage::write_all(file, path, 0, bytes);
    Reading reading(path);  // HDF5 itself sees no damage
    ASSERT_TRUE(reading.is_direct());
    auto damaged = bytes;
    damaged[random() % damaged.size()] ^= static_cast<std::byte>(1 + random() % 255);
    storage::write_all(file, path, 0, damaged);
    if (tells_damage(reading, all))
      ++told;
    else
      ASSERT_EQ(reading.values(), Reading::expected(all, sample_shape));
  }
  EXPECT_GT(told, 100) << "damage that matters";
  storage::write_all(file, path, 0, bytes);
  Reading reading(path);
  ASSERT_TRUE(reading.is_read(all));
  storage::resize_file(file, path, 3000);
  EXPECT_FALSE(reading.is_read(all));
}

}  // namespace
}  // namespace thalweg::formats::netcdf4
