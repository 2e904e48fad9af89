#include "sets/joiner.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "base/box_runs.hpp"
#include "formats/cdf/header.hpp"
#include "formats/result_file.hpp"
#include "formats/sample_file.hpp"
#include "sets/combine.hpp"
#include "storage/name_lock.hpp"

namespace thalweg::sets {

namespace sample = formats::sample;

namespace {

using catalog::Definition;
using catalog::Variable;
using config::Format;
using config::format_named;
using sample::expect_error;
using sample::Folder;

// The sample file cut into three parts of the dimension "y" (5), written as tools write: box by box.
const std::vector<Section> of_y = {{0, 1}, {1, 2}, {3, 2}};

void write_values(const std::string& path, const Definition& definition, std::int64_t records,
                  const std::vector<Section>& sections, const Definition& whole) {
  const auto file = formats::create_result(path, definition, records);
  for (int v = 0; v < std::ssize(whole.variables); ++v) {
    const Variable& variable = whole.variables[static_cast<std::size_t>(v)];
    const Index shape = whole.shape(variable);
    const Box box = box_of(variable, sections);
    const auto element_bytes = static_cast<std::int64_t>(size_of(variable.type));
    for (std::int64_t record = 0; record < (variable.has_record ? records : 1); ++record) {
      std::vector<std::byte> values(static_cast<std::size_t>(box.cells() * element_bytes));
      std::byte* place = values.data();
      for_each_run(thalweg::whole(shape), box, [&](std::int64_t offset, std::int64_t cells) {
        for (std::int64_t i = offset; i < offset + cells; ++i, place += element_bytes)
          sample::store_value(sample::value(v, record, i), variable.type, place);
      });
      file->write(v, record, thalweg::whole(box.count), values);
    }
  }
  file->close();
}

void write_part(const std::string& set, const Definition& whole, std::int64_t number, std::int64_t records) {
  std::vector<Section> sections;
  for (const catalog::Dimension& dimension : whole.dimensions) sections.push_back({0, dimension.size});
  sections[0] = of_y[static_cast<std::size_t>(number)];
  write_values(storage::part_name(set, number), definition_of_part(whole, sections, {3}), records, sections, whole);
}

class SetFormats : public testing::TestWithParam<Format> {
 protected:
  void SetUp() override {
    for (std::int64_t number = 0; number < 3; ++number) write_part(set, whole, number, 2);
  }
  BitSums join(FileSet& files) {
    return Joiner(files, 1).join([](int, std::int64_t, const Box&, auto) {});
  }

  Folder folder;
  std::string set = folder / "a.nc";
  Definition whole = sample::definition(GetParam());
};
INSTANTIATE_TEST_SUITE_P(formats, SetFormats,
                         testing::Values(format_named("cdf1"), format_named("cdf2"), format_named("cdf5"),
                                         format_named("netcdf4")));

TEST_P(SetFormats, joined_by_a_copy_are_the_whole) {
  const auto outcome = combine({.set = set, .output = folder / "b.nc", .copies = true});
  EXPECT_EQ(outcome.parts, 3);
  EXPECT_EQ(outcome.records, 2);
  sample::expect_file(folder / "b.nc", whole, 2);
  EXPECT_EQ(folder.files(), 4U);
}

TEST_P(SetFormats, keep_the_parts_that_a_run_has_written_meanwhile) {
  const auto run = [&](const std::string& file) {
    if (!file.ends_with(".combining")) return;
    std::filesystem::remove(storage::part_name(set, 1));
    write_part(set, whole, 1, 2);
  };
  expect_error(THALWEG_ERROR_STORAGE, "a.nc.0001' is not removed, because it is another file than was read", [&] {
    combine({.set = set, .output = folder / "b.nc", .copies = true, .removes = true, .reading = run});
  });
  sample::expect_file(folder / "b.nc", whole, 2);
  EXPECT_TRUE(std::filesystem::exists(storage::part_name(set, 1)));
}

TEST_P(SetFormats, do_not_replace_what_has_come_meanwhile) {
  const auto come = [&](const std::string& file) {
    if (file.ends_with(".combining")) std::ofstream(folder / "b.nc") << "precious";
  };
  expect_error(THALWEG_ERROR_STORAGE, "b.nc' exists already", [&] {
    combine({.set = set, .output = folder / "b.nc", .copies = true, .removes = true, .reading = come});
  });
  EXPECT_EQ(std::filesystem::file_size(folder / "b.nc"), 8U);
  EXPECT_EQ(folder.files(), 4U);
}

TEST_P(SetFormats, have_sums_that_a_whole_file_verifies_with) {
  FileSet files = open_file_set(set);
  const std::vector<Section> all = [&] {
    std::vector<Section> sections;
    for (const catalog::Dimension& dimension : whole.dimensions) sections.push_back({0, dimension.size});
    return sections;
  }();
  write_values(folder / "whole.nc", whole, 2, all, whole);
  verify_result(folder / "whole.nc", files.whole, 2, join(files), 1);
}

TEST_P(SetFormats, are_given_run_by_run_within_the_memory) {
  FileSet files = open_file_set(set);
  std::int64_t bytes = 0;
  Joiner(files, 1).join([&](int, std::int64_t, const Box&, auto values) {
    EXPECT_LE(std::ssize(values), 256 << 10);
    bytes += std::ssize(values);
  });
  std::int64_t expected = 0;
  for (const Variable& variable : whole.variables)
    expected += whole.shape(variable).product() * static_cast<std::int64_t>(size_of(variable.type)) *
                (variable.has_record ? 2 : 1);
  EXPECT_EQ(bytes, expected);
}

TEST(Combining, holds_the_name_of_what_it_makes) {
  const Folder folder;
  const Definition whole = sample::definition(format_named("cdf5"));
  for (std::int64_t number = 0; number < 3; ++number) write_part(folder / "a.nc", whole, number, 2);
  const auto take = [&](const std::string& file) {
    if (file.ends_with(".combining"))
      expect_error(THALWEG_ERROR_STORAGE, "b.nc", [&] { const storage::NameLock lock(folder / "b.nc"); });
  };
  combine({.set = folder / "a.nc", .output = folder / "b.nc", .reading = take});
  EXPECT_EQ(folder.files(), 4U);
}

// A bit of the first value of each variable in turn is turned round after the file was made.
TEST(Verification, finds_one_wrong_bit_in_any_variable) {
  const Folder folder;
  const Definition whole = sample::definition(format_named("cdf5"));
  for (std::int64_t number = 0; number < 3; ++number) write_part(folder / "a.nc", whole, number, 2);
  combine({.set = folder / "a.nc", .output = folder / "b.nc", .copies = true});
  FileSet files = open_file_set(folder / "a.nc");
  const BitSums sums = Joiner(files, 1).join([](int, std::int64_t, const Box&, auto) {});
  const std::string path = folder / "b.nc";
  const formats::cdf::CdfHeader header = formats::cdf::read_cdf_header(sample::bytes_of_file(path), path);
  const storage::Descriptor file = storage::open_file(path, O_RDWR);
  for (std::size_t v = 0; v < header.begins.size(); ++v) {
    std::array<std::byte, 1> byte{};
    storage::read_all(file, path, header.begins[v], byte);
    byte[0] ^= std::byte{4};
    storage::write_all(file, path, header.begins[v], byte);
    expect_error(THALWEG_ERROR_FORMAT, "variable '" + whole.variables[v].name + "' of",
                 [&] { verify_result(path, files.whole, 2, sums, 1); });
    byte[0] ^= std::byte{4};
    storage::write_all(file, path, header.begins[v], byte);
    verify_result(path, files.whole, 2, sums, 1);
  }
}

TEST(Verification, finds_a_missing_record_and_another_header) {
  const Folder folder;
  const Definition whole = sample::definition(format_named("cdf2"));
  for (std::int64_t number = 0; number < 3; ++number) write_part(folder / "a.nc", whole, number, 2);
  combine({.set = folder / "a.nc", .output = folder / "b.nc"});
  FileSet files = open_file_set(folder / "a.nc");
  const BitSums sums = Joiner(files, 1).join([](int, std::int64_t, const Box&, auto) {});
  expect_error(THALWEG_ERROR_FORMAT, "made with 3 records, but reads as one with 2",
               [&] { verify_result(folder / "b.nc", whole, 3, sums, 1); });
  Definition other = whole;
  other.variables[0].attributes.clear();
  expect_error(THALWEG_ERROR_FORMAT, "differ in attribute 'units'",
               [&] { verify_result(folder / "b.nc", other, 2, sums, 1); });
}

TEST(ReadableFile, of_a_cdf_file_that_was_cut_short_is_refused) {
  const Folder folder;
  const Definition whole = sample::definition(format_named("cdf1"));
  write_part(folder / "a.nc", whole, 0, 2);
  const std::string path = storage::part_name(folder / "a.nc", 0);
  const auto records = formats::open_readable(path)->records();
  EXPECT_EQ(records, 2);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 5);
  expect_error(THALWEG_ERROR_FORMAT, "cut short", [&] { formats::open_readable(path); });
}

}  // namespace
}  // namespace thalweg::sets
