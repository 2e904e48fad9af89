#include "formats/checksum_attribute.hpp"

#include <gtest/gtest.h>

#include "formats/zarr/file.hpp"
#include "sample_file.hpp"

namespace thalweg::formats {
namespace {

using config::format_named;
using sample::Folder;
using sample::Format;

// A field, a number and a variable without records that take one, and an axis that does not.
sample::Definition restart(Format format) {
  sample::Definition result;
  result.format = format;
  result.record_dimension = "time";
  result.header_reserve = 0;  // the room for checksums is beside what is asked for
  result.dimensions = {{"y", 6}, {"x", 5}};
  const auto add = [&](const std::string& name, bool has_record, std::vector<int> dimensions, bool takes_checksum) {
    sample::Variable variable{.name = name,
                              .type = Type::float64,
                              .has_record = has_record,
                              .dimensions = std::move(dimensions),
                              .attributes = {sample::text("units", "m")},
                              .is_chunked = has_record,
                              .chunk = {}};
    variable.takes_checksum = takes_checksum;
    variable.chunk = result.shape(variable);
    result.variables.push_back(std::move(variable));
  };
  add("time", true, {}, false);
  add("field", true, {0, 1}, true);
  add("number", true, {}, true);
  add("area", false, {0, 1}, true);
  return result;
}

const block::FileSums sums{{0, 0, 0, 0xfedcba9876543210}, {{1, 0x3e9, 0, 0}}};

std::string checksum_in(int file, const char* variable) {
  int id = -1;
  std::size_t length = 0;
  EXPECT_EQ(nc_inq_varid(file, variable, &id), NC_NOERR);
  if (nc_inq_attlen(file, id, "checksum", &length) != NC_NOERR) return "none";
  std::string text(length, '?');
  EXPECT_EQ(nc_get_att_text(file, id, "checksum", text.data()), NC_NOERR);
  return text;
}

std::vector<std::string> checksums_in(const std::string& path) {
  int file = -1;
  EXPECT_EQ(nc_open(path.c_str(), NC_NOWRITE, &file), NC_NOERR) << path;
  std::vector<std::string> found;
  for (const char* name : {"time", "field", "number", "area"}) found.push_back(checksum_in(file, name));
  EXPECT_EQ(nc_close(file), NC_NOERR);
  return found;
}

const std::vector<std::string> all_of_them = {"none", "             3E9", "               0", "FEDCBA9876543210"};
const std::vector<std::string> none_of_them = {"none", "none", "none", "none"};

TEST(ChecksumAttribute, has_capitals_and_blanks_in_front_as_z16_has) {
  EXPECT_EQ(checksum_text(0), "               0");
  EXPECT_EQ(checksum_text(0xabc), "             ABC");
  EXPECT_EQ(checksum_text(0xffffffffffffffff), "FFFFFFFFFFFFFFFF");
}

TEST(ChecksumAttribute, goes_to_the_variables_of_which_there_is_a_value) {
  sample::Definition definition = restart(format_named("cdf5"));
  EXPECT_EQ(header_bytes_of_checksums(definition), 3 * (8 + 8 + 4 + 8 + 16));
  add_checksums(definition, {sums.fixed, {}});
  EXPECT_EQ(definition.variables[1].attributes.size(), 1U);
  EXPECT_EQ(definition.variables[3].attributes.back().text, "FEDCBA9876543210");
  EXPECT_EQ(header_bytes_of_checksums(definition), 2 * (8 + 8 + 4 + 8 + 16));
}

TEST(ChecksumAttribute, of_several_records_does_not_exist) {
  sample::Definition definition = restart(format_named("cdf5"));
  sample::expect_error(THALWEG_ERROR_INTERNAL, "2 records",
                       [&] { add_checksums(definition, {sums.fixed, {sums.fixed, sums.fixed}}); });
}

class ChecksumFormats : public testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(formats, ChecksumFormats,
                         testing::Values(format_named("cdf1"), format_named("cdf2"), format_named("cdf5"),
                                         format_named("netcdf4"), format_named("netcdf4-classic")));

TEST_P(ChecksumFormats, a_complete_file_has_them_and_a_growing_one_none) {
  const Folder folder;
  const auto definition = restart(GetParam());
  sample::Writer writer(folder / "a.nc", definition);
  writer.add(0);
  EXPECT_EQ(checksums_in(folder / "a.nc"), none_of_them);
  writer.file().set_checksums(sums);
  writer.close(1);
  EXPECT_EQ(checksums_in(folder / "a.nc"), all_of_them);
  sample::expect_file(folder / "a.nc", definition, 1);
}

TEST_P(ChecksumFormats, a_file_that_is_closed_without_sums_has_none) {
  const Folder folder;
  const auto definition = restart(GetParam());
  sample::Writer writer(folder / "a.nc", definition);
  writer.add(0);
  writer.close(1);
  EXPECT_EQ(checksums_in(folder / "a.nc"), none_of_them);
  sample::expect_file(folder / "a.nc", definition, 1);
}

TEST_P(ChecksumFormats, a_file_without_records_has_those_of_its_other_variables) {
  const Folder folder;
  const auto definition = restart(GetParam());
  sample::Writer writer(folder / "a.nc", definition);
  writer.file().set_checksums({sums.fixed, {}});
  writer.close(0);
  EXPECT_EQ(checksums_in(folder / "a.nc"), (std::vector<std::string>{"none", "none", "none", "FEDCBA9876543210"}));
  sample::expect_file(folder / "a.nc", definition, 0);
}

// Whatever the kill left of the metadata themselves.
TEST_P(ChecksumFormats, a_kill_between_journal_and_file_leaves_a_file_that_recovery_gives_them) {
  const Folder folder;
  const auto definition = restart(GetParam());
  sample::Writer writer(folder / "a.nc", definition);
  writer.add(0);
  writer.file().set_checksums(sums);
  const block::Transaction last = writer.file().close(1);
  ASSERT_TRUE(last.journaled);
  {
    storage::Mover mover(folder / "a.nc", config::DirectIo::off);
    storage::remove_journal(folder / "a.nc");
    storage::Journal(folder / "a.nc").write(last, mover.identity(), true);
    for (const block::MetadataWrite& write : last.writes)
      mover.write_bytes(write.offset, std::span(write.bytes).first(write.bytes.size() / 2));
  }
  EXPECT_EQ(recover(folder / "a.nc"), 1);
  EXPECT_EQ(checksums_in(folder / "a.nc"), all_of_them);
  sample::expect_file(folder / "a.nc", definition, 1);
}

TEST(ChecksumZarr, a_complete_store_has_them_in_its_arrays_and_at_its_root) {
  const Folder folder;
  const auto file = create(folder / "a.zarr", restart(format_named("zarr")));
  file->set_checksums(sums);
  const block::Transaction last = file->close(1);
  ASSERT_TRUE(last.objects && last.objects->is_complete());
  std::map<std::string, std::size_t> found;
  for (const block::ObjectCommit::Object& object : last.objects->objects)
    for (std::size_t at = 0; (at = object.text.find(R"("checksum":")", at)) != std::string::npos; ++at)
      ++found[object.key];
  EXPECT_EQ(found, (std::map<std::string, std::size_t>{
                       {"area/zarr.json", 1}, {"field/zarr.json", 1}, {"number/zarr.json", 1}, {"zarr.json", 3}}));
  EXPECT_EQ(last.objects->objects.back().key, "zarr.json");
}

}  // namespace
}  // namespace thalweg::formats
