#include "formats/cdf/file.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include "formats/cdf/header.hpp"
#include "formats/registry.hpp"
#include "sample_file.hpp"

namespace thalweg::formats::cdf {
namespace {

using sample::Folder;

class CdfFormats : public testing::TestWithParam<config::Format> {};
INSTANTIATE_TEST_SUITE_P(formats, CdfFormats,
                         testing::Values(config::format_named("cdf1"), config::format_named("cdf2"),
                                         config::format_named("cdf5")));

TEST_P(CdfFormats, holds_exactly_the_committed_records_at_every_moment) {
  const Folder folder;
  const auto definition = sample::definition(GetParam());
  sample::Writer writer(folder / "a.nc", definition);
  for (std::int64_t r = 0; r < 5; ++r) {
    sample::expect_copy(folder / "a.nc", definition, r);
    writer.add(r);
  }
  writer.close(5);
  sample::expect_file(folder / "a.nc", definition, 5);
  EXPECT_EQ(folder.files(), 1U);
}

TEST_P(CdfFormats, shows_no_record_that_is_written_but_not_committed) {
  const Folder folder;
  const auto definition = sample::definition(GetParam());
  sample::Writer writer(folder / "a.nc", definition);
  writer.file().extend(4);
  for (std::int64_t r : {3, 1, 0, 2}) writer.write_data(r);
  writer.commit(2);
  sample::expect_copy(folder / "a.nc", definition, 2);
  writer.close(3);
  sample::expect_file(folder / "a.nc", definition, 3);
}

TEST_P(CdfFormats, is_a_function_of_the_definition_alone) {
  const Folder folder;
  const auto definition = sample::definition(GetParam());
  sample::Writer first(folder / "a.nc", definition);
  sample::Writer second(folder / "b: with a colon.nc", definition);
  for (std::int64_t r = 0; r < 3; ++r) first.add(r);
  second.file().extend(3);
  for (std::int64_t r : {2, 0, 1}) second.write_data(r);
  first.close(3);
  second.close(3);
  EXPECT_EQ(sample::bytes_of_file(folder / "a.nc"), sample::bytes_of_file(folder / "b: with a colon.nc"));
}

TEST_P(CdfFormats, has_room_in_its_header_and_sections_on_pages) {
  const Folder folder;
  auto definition = sample::definition(GetParam());
  definition.header_reserve = 20'000;
  const auto file = create(folder / "a.nc", definition);
  EXPECT_GE(file->offset(1, 0, 0), 20'000);
  EXPECT_EQ(file->offset(1, 0, 0) % 4096, 0);  // first variable without records
  EXPECT_EQ(file->offset(0, 0, 0) % 4096, 0);  // first with records
}

TEST_P(CdfFormats, header_is_read_back_without_a_library) {
  const Folder folder;
  const auto definition = sample::definition(GetParam());
  sample::Writer writer(folder / "a.nc", definition);
  for (std::int64_t r = 0; r < 3; ++r) writer.add(r);
  const std::int64_t begin = writer.file().offset(0, 0, 0);
  const std::int64_t step = writer.file().offset(0, 1, 0) - begin;
  writer.close(3);
  const std::vector<std::byte> bytes = sample::bytes_of_file(folder / "a.nc");
  const CdfLayout layout = read_cdf_layout(bytes, "a.nc");
  EXPECT_EQ(layout.records, 3);
  EXPECT_EQ(layout.record_begin, begin);
  EXPECT_EQ(layout.record_bytes, step);
  EXPECT_EQ(layout.bytes(3), std::ssize(bytes));
}

// The least reserve with which data begin a page later than without any.
std::int64_t reserve_for_a_page_more(catalog::Definition definition) {
  const auto begin = [&](std::int64_t reserve) {
    const Folder folder;
    definition.header_reserve = reserve;
    return create(folder / "a.nc", definition)->offset(1, 0, 0);
  };
  const std::int64_t first = begin(0);
  std::int64_t too_small = 0, enough = 4096;
  while (enough - too_small > 1) {
    const std::int64_t middle = (too_small + enough) / 2;
    (begin(middle) > first ? enough : too_small) = middle;
  }
  return enough;
}

TEST_P(CdfFormats, has_attributes_of_the_size_that_is_said_in_its_header) {
  const auto first = sample::definition(GetParam());
  const std::int64_t reserve = reserve_for_a_page_more(first);
  for (const std::size_t length : {0, 1, 3, 4, 2501}) {
    const catalog::Attribute text{"name", std::nullopt, std::string(length, 'a'), {}};
    const catalog::Attribute numbers{"numbers", Type::int16, "", std::vector<std::byte>(2 * length)};
    for (const catalog::Attribute& attribute : {text, numbers}) {
      auto definition = first;
      definition.variables[1].attributes.push_back(attribute);
      const std::int64_t sum = reserve_for_a_page_more(definition) + header_bytes(GetParam(), attribute);
      EXPECT_EQ((sum - reserve) % 4096, 0) << attribute.name << " of " << length;
    }
  }
}

TEST_P(CdfFormats, keeps_its_places_when_an_attribute_takes_its_room_from_the_reserve) {
  const Folder folder;
  const auto first = sample::definition(GetParam());
  const auto file = create(folder / "first.nc", first);
  auto definition = first;
  definition.attributes.push_back({"summary", std::nullopt, std::string(7000, 'a'), {}});
  definition.header_reserve -= header_bytes(GetParam(), definition.attributes.back());
  const auto changed = create(folder / "changed.nc", definition);
  for (int v = 0; v < std::ssize(first.variables); ++v)
    for (const std::int64_t record : {0, 1}) EXPECT_EQ(changed->offset(v, record, 0), file->offset(v, record, 0));
}

TEST_P(CdfFormats, does_not_pad_a_lone_record_variable) {
  const Folder folder;
  auto definition = sample::definition(GetParam());
  std::erase_if(definition.variables, [](const auto& v) { return v.has_record && v.name != "three_bytes"; });
  sample::Writer writer(folder / "a.nc", definition);
  for (std::int64_t r = 0; r < 5; ++r) writer.add(r);
  writer.close(5);
  sample::expect_file(folder / "a.nc", definition, 5);
  const CdfLayout layout = read_cdf_layout(sample::bytes_of_file(folder / "a.nc"), "a.nc");
  EXPECT_EQ(layout.record_bytes, 3);
}

TEST_P(CdfFormats, without_records_is_complete_when_created) {
  const Folder folder;
  auto definition = sample::definition(GetParam());
  std::erase_if(definition.variables, [](const auto& v) { return v.has_record; });
  sample::Writer writer(folder / "a.nc", definition);
  writer.close(0);
  sample::expect_file(folder / "a.nc", definition, 0);
}

TEST_P(CdfFormats, is_not_made_over_a_file_that_is_there) {
  const Folder folder;
  const auto definition = sample::definition(GetParam());
  create(folder / "a.nc", definition);
  const auto before = sample::bytes_of_file(folder / "a.nc");
  sample::expect_error(THALWEG_ERROR_STORAGE, "remove or rename", [&] { create(folder / "a.nc", definition); });
  EXPECT_EQ(sample::bytes_of_file(folder / "a.nc"), before);
  sample::expect_error(THALWEG_ERROR_STORAGE, "create the folder", [&] { create(folder / "no/a.nc", definition); });
}

TEST_P(CdfFormats, names_the_library_s_reason_for_a_bad_name) {
  const Folder folder;
  auto definition = sample::definition(GetParam());
  definition.variables[0].name = "a/b";
  sample::expect_error(THALWEG_ERROR_FORMAT, "variable 'a/b'", [&] { create(folder / "a.nc", definition); });
  EXPECT_EQ(folder.files(), 0U);
}

TEST(CdfFile, of_a_thousand_variables_is_read_back) {
  const Folder folder;
  catalog::Definition definition;
  definition.format = config::format_named("cdf5");
  definition.record_dimension = "time";
  definition.dimensions = {{"x", 10}};
  for (int v = 0; v < 1000; ++v)
    definition.variables.push_back(
        {.name = fmt::format("v{}", v), .has_record = true, .dimensions = {0}, .attributes = {}, .chunk = {10}});
  sample::Writer writer(folder / "a.nc", definition);
  for (std::int64_t r = 0; r < 2; ++r) writer.add(r);
  writer.close(2);
  sample::expect_file(folder / "a.nc", definition, 2);
}

}  // namespace
}  // namespace thalweg::formats::cdf
