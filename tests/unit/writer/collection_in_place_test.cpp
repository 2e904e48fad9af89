// Files that another library has made, into which the writer puts values at places that it is told.
#include <gtest/gtest.h>

#include "formats/cdf/header.hpp"
#include "formats/placed/format.hpp"
#include "mpiio/mpiio_file.hpp"
#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

using formats::sample::bytes_of_file;
using sample::Definition;
using sample::Desk;

constexpr std::int64_t placed_records = 3;

void write_all(Desk& desk) {
  desk.start();
  desk.collection.open(0);
  desk.collection.put_all_fixed();
  for (std::int64_t r = 0; r < placed_records; ++r) desk.put_place_commit(r, 0, r);
}

// PnetCDF makes a file of no records, whose header says where its variables are.
formats::cdf::CdfHeader make_by_pnetcdf(const std::string& path, const Definition& definition) {
  mpiio::create_mpiio_file(path, definition, {MPI_COMM_SELF})->close(0);
  return formats::cdf::read_cdf_header(bytes_of_file(path), path);
}

// What the library that made the file does when the values are in it.
void count_records(const std::string& path, const formats::cdf::CdfLayout& layout) {
  const storage::Descriptor file = storage::open_file(path, O_RDWR);
  std::array<std::byte, 8> bytes{};
  const std::size_t count = formats::cdf::encode_cdf_record_count(layout.version, placed_records, bytes);
  storage::write_all(file, path, formats::cdf::cdf_record_count_offset, std::span<const std::byte>(bytes).first(count));
  storage::resize_file(file, path, layout.bytes(placed_records));
}

Definition placed(Definition definition, const formats::cdf::CdfHeader& header) {
  definition.format = formats::placed::placed.description;
  definition.places = catalog::Places{header.begins, header.layout.record_bytes};
  return definition;
}

class FilesInPlace : public testing::TestWithParam<config::Format> {};
INSTANTIATE_TEST_SUITE_P(formats, FilesInPlace,
                         testing::ValuesIn(formats::sample::formats_named({"cdf1", "cdf2", "cdf5"})));

TEST_P(FilesInPlace, have_the_bytes_of_files_that_the_writer_makes_itself) {
  const Definition definition = formats::sample::definition(GetParam());
  Desk whole(definition, {.depth = 3, .pieces = 2});
  write_all(whole);
  whole.collection.close(0, placed_records, placed_records);
  whole.work();

  const formats::sample::Folder folder;
  const auto header = make_by_pnetcdf(folder / "header.nc", definition);
  Desk desk(placed(definition, header), {.depth = 3, .pieces = 2});
  const std::string path = desk.collection.path(0);
  make_by_pnetcdf(path, definition);
  const auto made = bytes_of_file(path);
  write_all(desk);
  EXPECT_EQ(desk.node.folder.files(), 1U) << "no lock, no journal, no other name";
  desk.collection.close(0, placed_records, placed_records);
  desk.work();
  EXPECT_EQ(desk.collection.files_done(), 1);
  EXPECT_EQ(desk.node.folder.files(), 1U);
  const auto written = bytes_of_file(path);
  const auto end_of_header = header.begins.front() < header.layout.record_begin ? header.begins.front() : 4096;
  EXPECT_TRUE(std::equal(made.begin(), made.begin() + end_of_header, written.begin())) << "the header is its maker's";
  count_records(path, header.layout);
  EXPECT_EQ(bytes_of_file(path), bytes_of_file(whole.collection.path(0)));
}

TEST(FilesInPlace, are_opened_only_if_somebody_has_made_them) {
  const Definition definition = formats::sample::definition(config::format_named("cdf5"));
  const formats::sample::Folder folder;
  Desk desk(placed(definition, make_by_pnetcdf(folder / "header.nc", definition)));
  formats::sample::expect_error(THALWEG_ERROR_STORAGE, "history0.nc", [&] { write_all(desk); });
  EXPECT_EQ(desk.node.folder.files(), 0U);
}

TEST(FilesInPlace, need_a_place_for_each_variable) {
  Definition definition = formats::sample::definition(config::format_named("cdf5"));
  definition.format = formats::placed::placed.description;
  const auto create = [&] { formats::create("a.nc", definition); };
  formats::sample::expect_error(THALWEG_ERROR_INTERNAL, "0 of them were given a place", create);
  definition.places = catalog::Places{std::vector<std::int64_t>(definition.variables.size(), 4096), 0};
  formats::sample::expect_error(THALWEG_ERROR_INTERNAL, "records of 'a.nc' were given 0 bytes", create);
  definition.places->record_bytes = 4096;
  EXPECT_NO_THROW(create());
  definition.places->begins.back() = -1;
  formats::sample::expect_error(THALWEG_ERROR_INTERNAL, "before the file's beginning", create);
}

TEST(FilesInPlace, are_no_format_of_a_configuration) {
  EXPECT_THROW(config::format_named("placed"), Error);
}

}  // namespace
}  // namespace thalweg::writer
