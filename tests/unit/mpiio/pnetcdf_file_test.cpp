#include "mpiio/pnetcdf_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "formats/cdf/encode_header.hpp"
#include "formats/cdf/names.hpp"
#include "formats/sample_headers.hpp"
#include "mpiio/pnetcdf_library.hpp"

namespace thalweg::mpiio {

namespace sample = formats::sample;

namespace {

using config::format_named;
constexpr std::int64_t gib = std::int64_t{1} << 30;

class PnetcdfFormats : public testing::TestWithParam<config::Format> {};
INSTANTIATE_TEST_SUITE_P(formats, PnetcdfFormats,
                         testing::Values(format_named("cdf1"), format_named("cdf2"), format_named("cdf5")));

// PnetCDF's file without records begins with the header of the direct engine, and is as long.
void expect_header_of_direct_engine(const catalog::Definition& definition) {
  const sample::Folder folder;
  const std::string path = folder / "a.nc";
  create_mpiio_file(path, definition, {MPI_COMM_SELF})->close(0);
  const formats::cdf::EncodedHeader header = formats::cdf::encode_cdf_header(definition, 0, path);
  std::vector<std::byte> bytes(header.bytes.size());
  storage::read_all(storage::open_file(path, O_RDONLY), path, 0, bytes);
  EXPECT_EQ(sample::difference(header.bytes, bytes), "");
  EXPECT_EQ(static_cast<std::int64_t>(std::filesystem::file_size(path)), header.places.record_begin);
}

TEST_P(PnetcdfFormats, have_the_header_of_the_direct_engine) {
  for (std::uint32_t seed = 0; seed < 100 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    expect_header_of_direct_engine(sample::header_by_chance(GetParam(), seed));
  }
}

// Variables of bytes, first those without records.
catalog::Definition of_sizes(config::Format format, std::initializer_list<std::int64_t> fixed,
                             std::initializer_list<std::int64_t> records) {
  catalog::Definition made;
  made.format = format;
  made.record_dimension = "time";
  for (const std::initializer_list<std::int64_t>* sizes : {&fixed, &records})
    for (const std::int64_t bytes : *sizes) {
      const int dimension = static_cast<int>(made.dimensions.size());
      made.dimensions.push_back({fmt::format("x{}", dimension), gib / 4});
      made.dimensions.push_back({fmt::format("y{}", dimension), bytes / (gib / 4)});
      made.variables.push_back({.name = fmt::format("v{}", dimension),
                                .type = Type::int8,
                                .has_record = sizes == &records,
                                .dimensions = {dimension, dimension + 1},
                                .attributes = {},
                                .chunk = {}});
    }
  return made;
}

TEST(PnetcdfFile, of_large_variables_has_the_header_of_the_direct_engine) {
  for (const catalog::Definition& definition :
       {of_sizes(format_named("cdf1"), {gib, 3 * gib}, {}), of_sizes(format_named("cdf1"), {gib}, {gib / 4, 3 * gib}),
        of_sizes(format_named("cdf2"), {3 * gib, 3 * gib, 9 * gib}, {}),
        of_sizes(format_named("cdf2"), {3 * gib}, {3 * gib, 9 * gib}),
        of_sizes(format_named("cdf5"), {4 * gib, 90 * gib}, {40 * gib, gib})})
    expect_header_of_direct_engine(definition);
}

TEST_P(PnetcdfFormats, without_variables_are_whole_however_many_records_were_closed) {
  const sample::Folder folder;
  catalog::Definition definition;
  definition.format = GetParam();
  definition.record_dimension = "time";
  EXPECT_NO_THROW(create_mpiio_file(folder / "a.nc", definition, {MPI_COMM_SELF})->close(3));
}

// Names that PnetCDF takes are those that the direct engine takes.
TEST(PnetcdfFile, has_the_names_of_the_direct_engine) {
  const sample::Folder folder;
  int id = -1;
  ASSERT_EQ(pnetcdf().create(MPI_COMM_SELF, (folder / "a.nc").c_str(), NC_CLOBBER, MPI_INFO_NULL, &id), NC_NOERR);
  std::vector<std::string> names = {"",      std::string(256, 'a'), std::string(257, 'a'), "\xed\xa0\x80", "\xc3\xa9",
                                    "a\xc3", "\xe6\x97\xa5",        "\xf0\x9f\x8c\x8a",    "a\xcc\x81"};
  for (int letter = 1; letter < 256; ++letter)
    for (const char* words : {"{}x", "y{}y", "z{}"})
      names.push_back(fmt::format(fmt::runtime(words), static_cast<char>(letter)));
  formats::cdf::Names taken("a.nc");
  for (const std::string& name : names) {
    int dimension = -1;
    const bool is_taken = pnetcdf().def_dim(id, name.c_str(), 1, &dimension) == NC_NOERR;
    if (is_taken)
      EXPECT_NO_THROW(taken.add(name, "a dimension")) << name;
    else
      EXPECT_THROW(taken.add(name, "a dimension"), Error) << name;
  }
  EXPECT_EQ(pnetcdf().close(id), NC_NOERR);
}

}  // namespace
}  // namespace thalweg::mpiio
