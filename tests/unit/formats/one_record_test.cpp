// Files without a record dimension, each of which is a record of its collection.
#include <gtest/gtest.h>

#include "block/record_sums.hpp"
#include "error_of.hpp"
#include "formats/format_file.hpp"
#include "formats/readable_file.hpp"
#include "formats/sample_folder.hpp"
#include "formats/sample_variable.hpp"

namespace thalweg::formats {
namespace {

using catalog::Definition;
using catalog::Variable;

Definition snapshots(const char* format) {
  Definition definition;
  definition.format = config::format_named(format);
  definition.record_dimension = "time";
  definition.one_record = true;
  definition.dimensions = {{"y", 4}, {"x", 3}};
  definition.variables = {sample::variable_named("time", Type::float64, true, {}),
                          sample::variable_named("temp", Type::float64, true, {0, 1}),
                          sample::variable_named("mask", Type::float64, false, {0, 1})};
  for (Variable& variable : definition.variables) {
    variable.is_chunked = variable.has_record && definition.format->traits.chunked();
    variable.chunk = definition.shape(variable);
  }
  return definition;
}

TEST(OneRecord, has_no_record_dimension_in_its_file) {
  const Definition found = catalog::in_files(snapshots("netcdf4"));
  EXPECT_EQ(found.record_dimension, "");
  EXPECT_FALSE(found.one_record);
  for (const Variable& variable : found.variables) EXPECT_FALSE(variable.has_record) << variable.name;
  EXPECT_FALSE(found.variables[0].is_chunked) << "a single value lies in one piece";
  EXPECT_TRUE(found.variables[1].is_chunked);
  Definition ordinary = snapshots("cdf5");
  ordinary.one_record = false;
  EXPECT_EQ(catalog::in_files(ordinary).record_dimension, "time");
  EXPECT_TRUE(catalog::in_files(ordinary).variables[1].has_record);
}

TEST(OneRecord, lies_where_any_record_of_the_collection_is_put) {
  const sample::Folder folder;
  for (const char* format : {"cdf2", "cdf5", "netcdf4"}) {
    const std::string path = folder / (std::string(format) + ".nc");
    const auto file = create(path, snapshots(format));
    file->extend(1);
    for (int v = 0; v < 3; ++v) {
      EXPECT_GT(file->offset(v, 0, 0), 0) << format;
      EXPECT_EQ(file->offset(v, 0, 0), file->offset(v, 17, 0)) << format;
    }
    EXPECT_EQ(file->commit(1).records, 0);
    const auto read = open_readable(path);
    EXPECT_EQ(read->records(), 0);
    EXPECT_EQ(read->definition().record_dimension, "");
    EXPECT_EQ(read->definition().variables.size(), 3U);
  }
}

TEST(OneRecord, of_a_killed_run_is_no_file_that_anybody_could_trust) {
  const sample::Folder folder;
  for (const char* format : {"cdf5", "netcdf4", "zarr"}) {
    Definition definition = snapshots(format);
    for (Variable& variable : definition.variables) variable.is_chunked = definition.format->traits.chunked();
    const std::string path = folder / format;
    const auto file = create(path, definition);
    EXPECT_NE(error_of(THALWEG_ERROR_FORMAT, [&] { recover(path); }).find("has no record dimension, so that nothing"),
              std::string::npos)
        << format;
  }
}

TEST(OneRecord, has_one_sum_of_each_variable) {
  const block::FileSums sums = block::of_one_record({.fixed = {0, 0, 5}, .records = {{1, 2, 0}}});
  EXPECT_EQ(sums.fixed, (block::Sums{1, 2, 5}));
  EXPECT_TRUE(sums.records.empty());
}

}  // namespace
}  // namespace thalweg::formats
