#include "sets/virtual_master.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "formats/sample_file.hpp"
#include "formats/sample_variable.hpp"

namespace thalweg::sets {

namespace sample = formats::sample;

namespace {

using catalog::Definition;
using catalog::Variable;
using sample::expect_error;
using sample::Folder;

struct Sample {
  Definition whole = [] {
    Definition definition;
    definition.record_dimension = "time";
    definition.dimensions = {{"x", 6}};
    definition.variables = {sample::variable_named("time", Type::float64, true, {}),
                            sample::variable_named("x", Type::float64, false, {0}),
                            sample::variable_named("field", Type::int32, true, {0})};
    for (Variable& variable : definition.variables) variable.chunk = definition.shape(variable);
    return definition;
  }();
  std::vector<SetPart> parts = {{"a.nc.0000", {{0, 2}}}, {"a.nc.0001", {{2, 4}}}};

  void write_part(const Folder& folder, std::size_t number, std::int64_t records) const {
    sample::Writer writer(folder / parts[number].file, definition_of_part(whole, parts[number].sections, {2}));
    for (std::int64_t record = 0; record < records; ++record) writer.add(record);
    writer.close(records);
  }
};

std::int64_t records_in(const std::string& path) {
  int file = -1;
  std::size_t length = 0;
  EXPECT_EQ(nc_open(path.c_str(), NC_NOWRITE, &file), NC_NOERR);
  EXPECT_EQ(nc_inq_dimlen(file, 0, &length), NC_NOERR);
  EXPECT_EQ(nc_close(file), NC_NOERR);
  return static_cast<std::int64_t>(length);
}

std::vector<int> field_in(const std::string& path, std::size_t record) {
  int file = -1, id = -1;
  EXPECT_EQ(nc_open(path.c_str(), NC_NOWRITE, &file), NC_NOERR);
  EXPECT_EQ(nc_inq_varid(file, "field", &id), NC_NOERR);
  const std::array<std::size_t, 2> start = {record, 0}, count = {1, 6};
  std::vector<int> values(6);
  EXPECT_EQ(nc_get_vara_int(file, id, start.data(), count.data(), values.data()), NC_NOERR);
  EXPECT_EQ(nc_close(file), NC_NOERR);
  return values;
}

// What sample::Writer puts into a part: values go by the number of a cell in the part.
std::vector<int> expected(std::int64_t record, bool has_first, bool has_second) {
  std::vector<int> values(6, NC_FILL_INT);
  for (std::int64_t i = 0; i < 2 && has_first; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<int>(sample::value(2, record, i));
  for (std::int64_t i = 0; i < 4 && has_second; ++i)
    values[static_cast<std::size_t>(i) + 2] = static_cast<int>(sample::value(2, record, i));
  return values;
}

// They may be a complete earlier set's, which a kill must not leave open.
TEST(VirtualMaster, does_not_touch_parts_that_are_there_when_it_is_made) {
  const Folder folder;
  const Sample set;
  const std::filesystem::file_time_type long_ago{};
  for (std::size_t number = 0; number < 2; ++number) {
    set.write_part(folder, number, 2);
    std::filesystem::last_write_time(folder / set.parts[number].file, long_ago);
  }
  create_virtual_master(folder / "a.nc", set.whole, set.parts);
  for (const SetPart& part : set.parts) EXPECT_EQ(std::filesystem::last_write_time(folder / part.file), long_ago);
  EXPECT_EQ(records_in(folder / "a.nc"), 2);
  EXPECT_EQ(field_in(folder / "a.nc", 1), expected(1, true, true));
}

TEST(VirtualMaster, made_before_its_parts_shows_them_as_they_come) {
  const Folder folder;
  const Sample set;
  const std::string master = folder / "a.nc";
  create_virtual_master(master, set.whole, set.parts);
  EXPECT_EQ(records_in(master), 0);
  set.write_part(folder, 1, 3);
  EXPECT_EQ(records_in(master), 3);
  EXPECT_EQ(field_in(master, 2), expected(2, false, true));
  set.write_part(folder, 0, 2);
  EXPECT_EQ(records_in(master), 3);
  EXPECT_EQ(field_in(master, 1), expected(1, true, true));
  EXPECT_EQ(field_in(master, 2), expected(2, false, true));
}

TEST(VirtualMaster, may_be_larger_than_any_memory) {
  constexpr std::int64_t half = std::int64_t{3} << 40;
  const Folder folder;
  Sample set;
  set.whole.dimensions[0].size = 2 * half;
  set.whole.variables[2].chunk = {1 << 20};
  set.parts = {{"a.nc.0000", {{0, half}}}, {"a.nc.0001", {{half, half}}}};
  create_virtual_master(folder / "a.nc", set.whole, set.parts);
  int file = -1, id = -1;
  double value = 0;
  std::size_t length = 0;
  ASSERT_EQ(nc_open((folder / "a.nc").c_str(), NC_NOWRITE, &file), NC_NOERR);
  EXPECT_EQ(nc_inq_dimlen(file, 1, &length), NC_NOERR);
  EXPECT_EQ(length, static_cast<std::size_t>(2 * half));
  EXPECT_EQ(nc_inq_varid(file, "x", &id), NC_NOERR);
  const std::size_t last = length - 1;
  EXPECT_EQ(nc_get_var1_double(file, id, &last, &value), NC_NOERR);
  EXPECT_EQ(value, NC_FILL_DOUBLE);
  EXPECT_EQ(nc_close(file), NC_NOERR);
  EXPECT_LT(std::filesystem::file_size(folder / "a.nc"), 1U << 20);
}

TEST(VirtualMaster, is_in_the_way_of_no_file) {
  const Folder folder;
  const Sample set;
  create_virtual_master(folder / "a.nc", set.whole, set.parts);
  const auto before = sample::bytes_of_file(folder / "a.nc");
  expect_error(THALWEG_ERROR_STORAGE, "a.nc", [&] { create_virtual_master(folder / "a.nc", set.whole, set.parts); });
  EXPECT_EQ(sample::bytes_of_file(folder / "a.nc"), before);
}

TEST(VirtualMaster, of_parts_that_overlap_is_not_made) {
  const Folder folder;
  Sample set;
  set.parts[1].sections = {{1, 5}};
  expect_error(THALWEG_ERROR_FORMAT, "both hold",
               [&] { create_virtual_master(folder / "a.nc", set.whole, set.parts); });
  EXPECT_EQ(folder.files(), 0U);
}

}  // namespace
}  // namespace thalweg::sets
