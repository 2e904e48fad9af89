#include "formats/cdf/encode_header.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "error_of.hpp"
#include "formats/cdf/header.hpp"
#include "formats/cdf/names.hpp"
#include "formats/readable_file.hpp"
#include "sample_headers.hpp"

namespace thalweg::formats::cdf {
namespace {

using sample::Folder;

class CdfHeaders : public testing::TestWithParam<config::Format> {};
INSTANTIATE_TEST_SUITE_P(formats, CdfHeaders,
                         testing::Values(config::format_named("cdf1"), config::format_named("cdf2"),
                                         config::format_named("cdf5")));

nc_type type_in_netcdf(Type type) {
  constexpr std::array<nc_type, 12> types = {NC_NAT,    NC_BYTE, NC_SHORT,  NC_INT,   NC_INT64,  NC_UBYTE,
                                             NC_USHORT, NC_UINT, NC_UINT64, NC_FLOAT, NC_DOUBLE, NC_CHAR};
  return types[static_cast<std::size_t>(type)];
}

void put_by_netcdf(int id, int variable, const std::vector<catalog::Attribute>& attributes) {
  for (const catalog::Attribute& attribute : attributes)
    EXPECT_EQ(nc_put_att(id, variable, attribute.name.c_str(), type_in_netcdf(attribute.element_type()),
                         attribute.bytes().size() / size_of(attribute.element_type()), attribute.bytes().data()),
              NC_NOERR);
}

// The file as netCDF-C makes it.
std::vector<std::byte> bytes_by_netcdf(const catalog::Definition& definition) {
  const Folder folder;
  const int version = cdf_version(definition.format);
  const int kind = version == 5 ? NC_64BIT_DATA : version == 2 ? NC_64BIT_OFFSET : 0;
  int id = -1, record = -1, old = 0;
  EXPECT_EQ(nc_create((folder / "a.nc").c_str(), NC_CLOBBER | kind, &id), NC_NOERR);
  EXPECT_EQ(nc_set_fill(id, NC_NOFILL, &old), NC_NOERR);
  if (!definition.record_dimension.empty())
    EXPECT_EQ(nc_def_dim(id, definition.record_dimension.c_str(), NC_UNLIMITED, &record), NC_NOERR);
  std::vector<int> dimensions;
  for (const catalog::Dimension& of : definition.dimensions)
    EXPECT_EQ(nc_def_dim(id, of.name.c_str(), static_cast<std::size_t>(of.size), &dimensions.emplace_back()), NC_NOERR);
  for (const catalog::Variable& of : definition.variables) {
    std::vector<int> ids;
    if (of.has_record) ids.push_back(record);
    for (const int d : of.dimensions) ids.push_back(dimensions[static_cast<std::size_t>(d)]);
    int variable = -1;
    EXPECT_EQ(
        nc_def_var(id, of.name.c_str(), type_in_netcdf(of.type), static_cast<int>(ids.size()), ids.data(), &variable),
        NC_NOERR);
    put_by_netcdf(id, variable, of.attributes);
  }
  put_by_netcdf(id, NC_GLOBAL, definition.attributes);
  const auto reserve = static_cast<std::size_t>(definition.header_reserve);
  EXPECT_EQ(nc__enddef(id, reserve, block::page_bytes, 0, block::page_bytes), NC_NOERR);
  EXPECT_EQ(nc_close(id), NC_NOERR);
  return sample::bytes_of_file(folder / "a.nc");
}

TEST_P(CdfHeaders, are_those_of_netcdf) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const catalog::Definition definition = sample::header_by_chance(GetParam(), seed);
    const EncodedHeader header = encode_cdf_header(definition, 0, "a.nc");
    ASSERT_EQ(sample::difference(header.bytes, bytes_by_netcdf(definition)), "") << "seed " << seed;
  }
}

TEST_P(CdfHeaders, are_read_back_with_the_places_that_were_told) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const EncodedHeader header = encode_cdf_header(sample::header_by_chance(GetParam(), seed), 7, "a.nc");
    const CdfHeader read = read_cdf_header(header.bytes, "a.nc");
    EXPECT_EQ(read.layout.records, 7);
    EXPECT_EQ(read.begins, header.places.begins);
    EXPECT_EQ(read.layout.record_bytes, header.places.record_bytes);
  }
}

// ---- what no file can have

void expect_refused(const catalog::Definition& definition, const char* words) {
  sample::expect_error(THALWEG_ERROR_FORMAT, words, [&] { encode_cdf_header(definition, 0, "a.nc"); });
}

TEST_P(CdfHeaders, refuse_names_that_are_equal_in_the_file) {
  auto definition = sample::definition(GetParam());
  definition.variables[0].name = "e\xcc\x81";
  EXPECT_NO_THROW(encode_cdf_header(definition, 0, "a.nc"));
  definition.variables[1].name = "\xc3\xa9";
  expect_refused(definition, "variable '\xc3\xa9' has a name that something else of its kind has");
}

// Composed, U+0958 becomes two letters, so that the name has 510 bytes in the file.
TEST(CdfNames, are_refused_if_they_are_too_long_in_the_file) {
  std::string name;
  for (int i = 0; i < 85; ++i) name += "\xe0\xa5\x98";
  ASSERT_EQ(name.size(), 255U);
  const std::string text = error_of(THALWEG_ERROR_FORMAT, [&] { (void)Names("a.nc").add(name, "a variable"); });
  EXPECT_NE(text.find("more than 256 bytes"), std::string::npos) << text;
}

TEST_P(CdfHeaders, refuse_a_fill_value_that_is_none) {
  auto definition = sample::definition(GetParam());
  definition.attributes.push_back(sample::numbers<int>("_FillValue", Type::int32, {1}));
  expect_refused(definition, "attribute '_FillValue' of the file has to be one value");
  definition.attributes.pop_back();
  catalog::Variable& time = definition.variables[0];
  time.attributes.push_back(sample::numbers<float>("_FillValue", Type::float32, {1}));
  expect_refused(definition, "attribute '_FillValue' of variable 'time'");
  time.attributes.back() = sample::numbers<double>("_FillValue", Type::float64, {1, 2});
  expect_refused(definition, "attribute '_FillValue' of variable 'time'");
  time.attributes.back() = sample::numbers<double>("_FillValue", Type::float64, {1});
  EXPECT_NO_THROW(encode_cdf_header(definition, 0, "a.nc"));
}

// ---- what is found in files of others

std::string word(std::uint64_t value, int bytes = 8) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> 8 * i & 0xff);
  return text;
}

std::string named(char letter) {
  return word(1) + std::string{letter, '\0', '\0', '\0'};
}

std::string list(std::uint64_t tag, std::uint64_t length) {
  return word(tag, 4) + word(length);
}

// A CDF-5 header with a variable of int8 on each of these lists of extents; values begin at byte 1.
std::string header_of(const std::vector<std::vector<std::uint64_t>>& variables, std::uint64_t records = 0) {
  std::string dimensions, rest;
  std::uint64_t id = 0;
  char letter = 'a';
  for (const auto& extents : variables) {
    rest += named(letter) + word(extents.size());
    for (const std::uint64_t extent : extents) {
      dimensions += named(letter++) + word(extent);
      rest += word(id++);
    }
    rest += list(0, 0) + word(1, 4) + word(0) + word(1);
  }
  return "CDF\5" + word(records) + list(10, id) + dimensions + list(0, 0) + list(11, variables.size()) + rest;
}

std::string file_with(const Folder& folder, const std::string& bytes) {
  std::ofstream(folder / "a.nc", std::ios::binary) << bytes;
  return folder / "a.nc";
}

constexpr std::uint64_t huge = std::uint64_t{1} << 40;

TEST(CdfHeadersOfOthers, is_cut_short_if_its_sizes_pass_what_is_counted) {
  for (const auto& header : {header_of({{huge, huge}}), header_of({{huge, huge, huge, huge}}),
                             header_of({{0, huge, huge}}, 2), header_of({{0, 4}}, std::uint64_t{1} << 62)}) {
    const Folder folder;
    const std::string path = file_with(folder, header);
    const std::string text = error_of(THALWEG_ERROR_FORMAT, [&] { open_readable(path); });
    EXPECT_NE(text.find("it was cut short"), std::string::npos) << text;
  }
}

// Whatever is broken is said without what is behind it: the file may be larger than memory.
TEST(CdfHeadersOfOthers, is_not_read_to_its_end_for_a_header_that_is_broken) {
  const Folder folder;
  const std::string path = file_with(folder, "CDF\5" + word(0) + list(77, 1));
  std::filesystem::resize_file(path, std::uintmax_t{1} << 42);
  const std::string text = error_of(THALWEG_ERROR_FORMAT, [&] { open_readable(path); });
  EXPECT_NE(text.find("wrong tag"), std::string::npos) << text;
}

TEST(CdfHeadersOfOthers, leaves_out_a_variable_of_too_many_dimensions_alone) {
  const Folder folder;
  const std::string path = file_with(folder, header_of({std::vector<std::uint64_t>(9, 1), {3}}) + "\5\6\7");
  const std::string text = error_of(THALWEG_ERROR_FORMAT, [&] { open_readable(path); });
  EXPECT_NE(text.find("variable 'a' has 9 dimensions"), std::string::npos) << text;
  const auto file = open_readable(path, Unreadable::leave_out);
  ASSERT_EQ(file->left_out().size(), 1U);
  EXPECT_EQ(file->left_out().front().name, "a");
  ASSERT_EQ(file->definition().variables.size(), 1U);
  std::vector<std::byte> values(3);
  file->read(0, 0, Box{{0}, {3}}, values);
  EXPECT_EQ(values, (std::vector<std::byte>{std::byte{'D'}, std::byte{'F'}, std::byte{5}}));
}

}  // namespace
}  // namespace thalweg::formats::cdf
