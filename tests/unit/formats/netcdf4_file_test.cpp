#include "formats/netcdf4/file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <mpi.h>

#include <thread>

#include "formats/netcdf4/hdf5_handle.hpp"
#include "sample_file.hpp"
#include "sanitized.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

using sample::Folder;

catalog::Definition definition() {
  return sample::definition(config::format_named("netcdf4"));
}

TEST(Netcdf4File, holds_exactly_the_committed_records_at_every_moment) {
  const Folder folder;
  sample::Writer writer(folder / "a.nc", definition());
  for (std::int64_t r = 0; r < 9; ++r) {
    sample::expect_copy(folder / "a.nc", definition(), r);
    writer.add(r);
  }
  writer.close(9);
  sample::expect_file(folder / "a.nc", definition(), 9);
  EXPECT_EQ(folder.files(), 1U);
}

TEST(Netcdf4File, shows_no_record_that_is_written_but_not_committed) {
  const Folder folder;
  sample::Writer writer(folder / "a.nc", definition());
  writer.file().extend(7);
  for (std::int64_t r : {6, 3, 1, 0, 5, 2, 4}) writer.write_data(r);
  for (std::int64_t records : {2, 3, 6}) {
    writer.commit(records);
    sample::expect_copy(folder / "a.nc", definition(), records);
  }
  writer.close(6);
  sample::expect_file(folder / "a.nc", definition(), 6);
}

TEST(Netcdf4File, is_a_function_of_the_definition_and_the_records) {
  const Folder folder;
  sample::Writer first(folder / "a.nc", definition());
  sample::Writer second(folder / "b: with a colon.nc", definition());
  for (std::int64_t r = 0; r < 6; ++r) first.add(r);
  second.file().extend(8);
  for (std::int64_t r : {5, 2, 0, 1, 3, 4}) second.write_data(r);
  first.close(6);
  second.close(6);
  sample::expect_file(folder / "b: with a colon.nc", definition(), 6);
  EXPECT_EQ(sample::bytes_of_file(folder / "a.nc"), sample::bytes_of_file(folder / "b: with a colon.nc"));
}

TEST(Netcdf4File, without_any_record_is_readable) {
  const Folder folder;
  sample::Writer writer(folder / "a.nc", definition());
  writer.close(0);
  sample::expect_file(folder / "a.nc", definition(), 0);
  EXPECT_EQ(
      std::system(("ncdump -h '" + (folder / "a.nc") + "' | grep -q 'time = UNLIMITED ; // (0 currently)'").c_str()),
      0);
}

TEST(Netcdf4File, grows_a_record_dimension_without_coordinate_variable) {
  const Folder folder;
  auto changed = definition();
  changed.variables.erase(changed.variables.begin());
  sample::Writer writer(folder / "a.nc", changed);
  for (std::int64_t r = 0; r < 5; ++r) writer.add(r);
  sample::expect_copy(folder / "a.nc", changed, 5);
  writer.close(5);
  sample::expect_file(folder / "a.nc", changed, 5);
}

TEST(Netcdf4File, finds_a_variable_named_like_a_dimension_of_others) {
  const Folder folder;
  auto changed = definition();
  changed.variables.push_back({.name = "y",
                               .type = Type::float32,
                               .has_record = true,
                               .dimensions = {0},
                               .attributes = {},
                               .is_chunked = true,
                               .chunk = {5}});
  changed.variables.push_back({.name = "x", .type = Type::float32, .dimensions = {1}, .attributes = {}, .chunk = {}});
  sample::Writer writer(folder / "a.nc", changed);
  for (std::int64_t r = 0; r < 3; ++r) writer.add(r);
  writer.close(3);
  sample::expect_file(folder / "a.nc", changed, 3);
}

TEST(Netcdf4File, puts_large_data_on_pages) {
  const Folder folder;
  sample::Writer writer(folder / "a.nc", definition());
  const auto variables = definition().variables;
  for (std::int64_t r = 0; r < 2; ++r) writer.add(r);
  writer.file().extend(3);
  for (int v = 0; v < std::ssize(variables); ++v) {
    const auto& name = variables[static_cast<std::size_t>(v)].name;
    if (name == "large" || name == "large_fixed") {
      EXPECT_EQ(writer.file().offset(v, 2, 0) % 4096, 0) << name;
    }
  }
  EXPECT_GT(writer.mover().counts().direct_bytes + (writer.mover().fallback_reason().empty() ? 0 : 1), 0);
}

TEST(Netcdf4File, keeps_attributes) {
  const Folder folder;
  sample::Writer(folder / "a.nc", definition()).close(0);
  int file = -1;
  int variable = -1;
  float fill = 0;
  double version[2] = {};
  char title[7] = {};
  ASSERT_EQ(nc_open((folder / "a.nc").c_str(), NC_NOWRITE, &file), NC_NOERR);
  EXPECT_EQ(nc_inq_varid(file, "large", &variable), NC_NOERR);
  EXPECT_EQ(nc_get_att_float(file, variable, "_FillValue", &fill), NC_NOERR);
  EXPECT_EQ(nc_get_att_double(file, NC_GLOBAL, "version", version), NC_NOERR);
  EXPECT_EQ(nc_get_att_text(file, NC_GLOBAL, "title", title), NC_NOERR);
  EXPECT_EQ(nc_close(file), NC_NOERR);
  EXPECT_EQ(fill, -999.0F);
  EXPECT_EQ(version[1], 2.0);
  EXPECT_STREQ(title, "sample");
}

TEST(Netcdf4File, may_be_applied_by_another_thread_while_hdf5_goes_on) {
  const Folder folder;
  catalog::Definition small;
  small.record_dimension = "time";
  small.variables.push_back(
      {.name = "s", .has_record = true, .dimensions = {}, .attributes = {}, .is_chunked = true, .chunk = {}});
  const auto file = create(folder / "a.nc", small);
  storage::Mover mover(folder / "a.nc", config::DirectIo::off);
  storage::Journal journal(folder / "a.nc");
  std::vector<block::Transaction> waiting;
  for (std::int64_t r = 0; r < 3000; ++r) {
    file->extend(r + 1);
    const double number = sample::value(0, r, 0);
    mover.write_bytes(file->offset(0, r, 0), std::as_bytes(std::span(&number, 1)));
    waiting.push_back(file->commit(r + 1));
    if (waiting.size() < 50) continue;
    std::jthread([&] {
      for (const block::Transaction& transaction : waiting) storage::apply(mover, transaction, &journal, false);
    }).join();
    waiting.clear();
  }
  for (const block::Transaction& transaction : waiting) storage::apply(mover, transaction, &journal, false);
  storage::apply(mover, file->close(3000), &journal, false);
  sample::expect_file(folder / "a.nc", small, 3000);
}

TEST(Netcdf4File, of_a_thousand_variables_is_read_back) {
  const Folder folder;
  catalog::Definition many;
  many.record_dimension = "time";
  many.dimensions = {{"x", 10}};
  for (int v = 0; v < sanitized::fewer(1000); ++v)
    many.variables.push_back({.name = fmt::format("v{}", v),
                              .has_record = true,
                              .dimensions = {0},
                              .attributes = {},
                              .is_chunked = true,
                              .chunk = {10}});
  sample::Writer writer(folder / "a.nc", many);
  for (std::int64_t r = 0; r < 2; ++r) writer.add(r);
  writer.close(2);
  sample::expect_file(folder / "a.nc", many, 2);
}

TEST(Netcdf4File, reads_zeros_for_what_was_never_written_and_has_no_fill_value) {
  const Folder folder;
  const std::string path = folder / "a.nc";
  int file = 0, dimension = 0, variable = 0;
  ASSERT_EQ(nc_create(path.c_str(), NC_NETCDF4, &file), NC_NOERR);
  ASSERT_EQ(nc_def_dim(file, "x", 3, &dimension), NC_NOERR);
  ASSERT_EQ(nc_def_var(file, "v", NC_INT, 1, &dimension, &variable), NC_NOERR);
  ASSERT_EQ(nc_def_var_fill(file, variable, NC_NOFILL, nullptr), NC_NOERR);
  ASSERT_EQ(nc_close(file), NC_NOERR);

  std::vector<std::int32_t> values(3, 77);
  open_readable(path)->read(0, 0, whole({3}), std::as_writable_bytes(std::span(values)));
  EXPECT_EQ(values, std::vector<std::int32_t>(3, 0));
}

// As h5py makes it: netCDF-C says that it is filled.
TEST(Netcdf4File, reads_zeros_for_what_hdf5_was_told_never_to_fill) {
  const Folder folder;
  const std::string path = folder / "a.nc";
  {
    const LibraryTurn turn;
    const Handle file(::H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const hsize_t extent = 3;
    const Handle space(::H5Screate_simple(1, &extent, nullptr));
    const Handle creation(::H5Pcreate(H5P_DATASET_CREATE));
    const std::int32_t fill = 5;
    ASSERT_GE(::H5Pset_fill_value(creation, H5T_NATIVE_INT32, &fill), 0);
    ASSERT_GE(::H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), 0);
    const Handle dataset(::H5Dcreate2(file, "v", H5T_STD_I32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    ASSERT_GE(dataset, 0);
  }
  std::vector<std::int32_t> values(3, 77);
  open_readable(path, Unreadable::leave_out)->read(0, 0, whole({3}), std::as_writable_bytes(std::span(values)));
  EXPECT_EQ(values, std::vector<std::int32_t>(3, 0));
}

TEST(Netcdf4File, is_not_made_over_a_file_that_is_there) {
  const Folder folder;
  create(folder / "a.nc", definition());
  sample::expect_error(THALWEG_ERROR_STORAGE, "remove or rename", [&] { create(folder / "a.nc", definition()); });
  sample::expect_error(THALWEG_ERROR_STORAGE, "create the folder", [&] { create(folder / "no/a.nc", definition()); });
}

TEST(Netcdf4File, names_the_library_s_reason_for_a_bad_name) {
  const Folder folder;
  auto changed = definition();
  changed.variables[0].name = "a/b";
  sample::expect_error(THALWEG_ERROR_FORMAT, "variable 'a/b'", [&] { create(folder / "a.nc", changed); });
  EXPECT_EQ(folder.files(), 0U);
}

TEST(Netcdf4File, leaves_the_file_alone_when_dropped_without_close) {
  const Folder folder;
  auto writer = std::make_unique<sample::Writer>(folder / "a.nc", definition());
  for (std::int64_t r = 0; r < 3; ++r) writer->add(r);
  writer->file().extend(5);
  writer.reset();
  sample::expect_file(folder / "a.nc", definition(), 3);
}

// HDF5 bears one thread at a time; so the files are looked at afterwards.
TEST(Netcdf4File, may_be_made_by_two_threads_at_a_time) {
  const Folder folder;
  const auto path = [&](char thread, int i) { return folder / (thread + std::to_string(i) + ".nc"); };
  constexpr int files = 20;
  const auto make = [&](char thread) {
    for (int i = 0; i < files; ++i) {
      sample::Writer writer(path(thread, i), definition());
      for (std::int64_t r = 0; r < 3; ++r) writer.add(r);
      writer.close(3);
    }
  };
  std::thread other(make, 'a');
  make('b');
  other.join();
  for (const char thread : {'a', 'b'})
    for (int i = 0; i < files; ++i) sample::expect_file(path(thread, i), definition(), 3);
}

}  // namespace
}  // namespace thalweg::formats::netcdf4
