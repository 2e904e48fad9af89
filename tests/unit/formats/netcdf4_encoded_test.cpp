// Encoded chunks of netCDF-4, as other programs read them: netCDF-C, and HDF5 by itself.
#include <gtest/gtest.h>
#include <hdf5.h>

#include "formats/netcdf4/hdf5_filters.hpp"
#include "sample_file.hpp"
#include "transform/random_bytes.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

using catalog::Encoding;
using config::codec_named;
using config::Format;
using config::format_named;
using sample::Folder;

struct Case {
  const char* name;
  Encoding encoding;
  Format format = format_named("netcdf4");
};

const Encoding zstd{.codec = codec_named("zstd"), .level = 3};
const Encoding deflate{.codec = codec_named("deflate"), .level = 4};

Encoding with(Encoding encoding, bool shuffle, bool checksum) {
  encoding.shuffle = shuffle;
  encoding.checksum = checksum;
  return encoding;
}

std::vector<Case> cases() {
  Encoding rounded = with(zstd, true, false);
  rounded.keep_bits = 7;
  return {{"deflate", deflate},
          {"zstd", zstd},
          {"shuffle", with({}, true, false)},
          {"checksum", with({}, false, true)},
          {"shuffle_checksum", with({}, true, true)},
          {"deflate_shuffle", with(deflate, true, false)},
          {"deflate_checksum", with(deflate, false, true)},
          {"deflate_shuffle_checksum", with(deflate, true, true)},
          {"zstd_shuffle", with(zstd, true, false)},
          {"zstd_checksum", with(zstd, false, true)},
          {"zstd_shuffle_checksum", with(zstd, true, true)},
          {"rounded", rounded},
          {"rounded_only", {.keep_digits = 4}},
          {"classic_deflate", with(deflate, true, true), format_named("netcdf4-classic")},
          {"classic_zstd", with(zstd, true, false), format_named("netcdf4-classic")}};
}

class Netcdf4Encoded : public testing::TestWithParam<Case> {
 protected:
  // netCDF-C would call in its own filter; the test must not depend on one being there.
  void SetUp() override { make_filters_known(); }

  catalog::Definition definition() const { return sample::encoded_definition(GetParam().format, GetParam().encoding); }
};
INSTANTIATE_TEST_SUITE_P(encodings, Netcdf4Encoded, testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

// HDF5 turns every type of numbers into double, and characters into no number.
herr_t read_numbers(hid_t dataset, Type type, std::vector<double>& numbers) {
  if (type != Type::character)
    return H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
  std::vector<char> characters(numbers.size());
  const hid_t text = H5Dget_type(dataset);
  const herr_t status = H5Dread(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data());
  H5Tclose(text);
  std::ranges::copy(characters, numbers.begin());
  return status;
}

// The elements as HDF5 reads them, whole datasets at a time.
void expect_hdf5_values(const std::string& path, const catalog::Definition& definition, std::int64_t records) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  for (int v = 0; v < std::ssize(definition.variables); ++v) {
    const auto& variable = definition.variables[static_cast<std::size_t>(v)];
    const std::int64_t cells = definition.shape(variable).product();
    std::vector<double> got(static_cast<std::size_t>(cells * (variable.has_record ? records : 1)));
    const hid_t dataset = H5Dopen2(file, variable.name.c_str(), H5P_DEFAULT);
    ASSERT_GE(read_numbers(dataset, variable.type, got), 0) << variable.name;
    H5Dclose(dataset);
    for (std::int64_t i = 0; i < std::ssize(got); ++i)
      ASSERT_EQ(got[static_cast<std::size_t>(i)], sample::value(v, i / cells, i % cells)) << variable.name;
  }
  H5Fclose(file);
}

TEST_P(Netcdf4Encoded, holds_exactly_the_committed_records_at_every_moment) {
  const Folder folder;
  sample::Writer writer(folder / "a.nc", definition());
  for (std::int64_t r = 0; r < 5; ++r) {
    writer.add(r);
    sample::expect_copy(folder / "a.nc", definition(), r + 1);
  }
  writer.close(5);
  sample::expect_file(folder / "a.nc", definition(), 5);
  expect_hdf5_values(folder / "a.nc", definition(), 5);
  const bool has_codec{GetParam().encoding.codec};
  EXPECT_EQ(writer.skipped_codecs() > 0, has_codec) << "the sample has chunks that do not become smaller";
}

TEST_P(Netcdf4Encoded, is_recovered_with_the_records_that_were_committed) {
  const Folder folder;
  auto writer = std::make_unique<sample::Writer>(folder / "a.nc", definition());
  for (std::int64_t r = 0; r < 3; ++r) writer->add(r);
  writer->file().extend(4);
  writer->write_data(3);
  writer.reset();
  EXPECT_EQ(recover(folder / "a.nc"), 3);
  sample::expect_file(folder / "a.nc", definition(), 3);
}

TEST_P(Netcdf4Encoded, may_have_chunks_of_one_variable_that_differ_in_kind) {
  const Folder folder;
  constexpr std::int64_t cells = 1000;
  catalog::Definition mixed;
  mixed.format = GetParam().format;
  mixed.record_dimension = "time";
  mixed.dimensions = {{"x", 3 * cells - 100}};
  mixed.variables.push_back({.name = "v",
                             .type = Type::int32,
                             .has_record = true,
                             .dimensions = {0},
                             .attributes = {},
                             .is_chunked = true,
                             .chunk = {cells}});
  mixed.variables[0].encoding = GetParam().encoding;
  mixed.variables[0].encoding.keep_bits = mixed.variables[0].encoding.keep_digits = 0;
  if (!mixed.variables[0].encoding.changes_size()) return;
  // The first and the last chunk are random, the one between them is not.
  auto bytes = transform::sample::random_bytes(3 * cells * 4);
  std::fill_n(bytes.begin() + cells * 4, cells * 4, std::byte{7});
  const auto file = create(folder / "a.nc", mixed);
  file->extend(1);
  transform::EncodingTools tools;
  std::vector<std::vector<std::byte>> chunks;
  std::vector<EncodedChunk> sizes;
  for (std::int64_t k = 0; k < 3; ++k) {
    auto& chunk = chunks.emplace_back(bytes.begin() + k * cells * 4, bytes.begin() + (k + 1) * cells * 4);
    chunk.resize(chunk.size() + 8);
    const auto size = transform::encode_chunk({mixed.variables[0].encoding, Type::int32, default_fill(Type::int32),
                                               mixed.format->traits.chunks, file->checksum_comes_first()},
                                              chunk, cells * 4, tools);
    chunk.resize(static_cast<std::size_t>(size.bytes));
    sizes.push_back({0, k, size.bytes, size.codec_skipped});
    EXPECT_EQ(size.codec_skipped, k != 1 && bool{GetParam().encoding.codec});
  }
  std::ranges::reverse(sizes);  // in any order
  file->store(0, sizes);
  storage::Mover mover(folder / "a.nc", config::DirectIo::off);
  for (std::int64_t k = 0; k < 3; ++k) mover.write_bytes(file->offset(0, 0, k), chunks[static_cast<std::size_t>(k)]);
  storage::apply(mover, file->close(1), nullptr, false);
  std::vector<int> got(static_cast<std::size_t>(3 * cells - 100));
  int id = -1;
  ASSERT_EQ(nc_open((folder / "a.nc").c_str(), NC_NOWRITE, &id), NC_NOERR);
  ASSERT_EQ(nc_get_var_int(id, 0, got.data()), NC_NOERR);
  EXPECT_EQ(nc_close(id), NC_NOERR);
  EXPECT_EQ(std::memcmp(got.data(), bytes.data(), got.size() * 4), 0);
}

TEST(Netcdf4Checksums, come_where_the_library_wants_them_in_files_that_mix_encodings) {
  const Folder folder;
  auto mixed = sample::encoded_definition(format_named("netcdf4"), with(deflate, true, true));
  mixed.variables.back().encoding = with({}, false, true);
  mixed.variables[1].encoding = with(deflate, false, false);
  mixed.variables[2].encoding = {};
  sample::Writer writer(folder / "a.nc", mixed);
  for (std::int64_t r = 0; r < 2; ++r) writer.add(r);
  writer.close(2);
  sample::expect_file(folder / "a.nc", mixed, 2);
}

TEST(Netcdf4Checksums, tell_readers_of_damage) {
  const Folder folder;
  const auto definition = sample::encoded_definition(format_named("netcdf4"), with({}, false, true));
  sample::Writer writer(folder / "a.nc", definition);
  writer.file().extend(1);
  writer.write_data(0);
  const int large = static_cast<int>(definition.variables.size()) - 2;
  ASSERT_EQ(definition.variables[static_cast<std::size_t>(large)].name, "large");
  const std::byte wrong{0xee};
  writer.mover().write_bytes(writer.file().offset(large, 0, 0) + 100, std::span(&wrong, 1));
  writer.close(1);
  int id = -1;
  int variable = -1;
  std::vector<float> got(100 * 512);
  ASSERT_EQ(nc_open((folder / "a.nc").c_str(), NC_NOWRITE, &id), NC_NOERR);
  EXPECT_EQ(nc_inq_varid(id, "large", &variable), NC_NOERR);
  EXPECT_NE(nc_get_var_float(id, variable, got.data()), NC_NOERR);
  EXPECT_EQ(nc_close(id), NC_NOERR);
}

// ---- the classic model

TEST(Netcdf4Classic, says_that_it_keeps_to_the_classic_model) {
  const Folder folder;
  const auto definition = sample::definition(format_named("netcdf4-classic"));
  sample::Writer writer(folder / "a.nc", definition);
  for (std::int64_t r = 0; r < 2; ++r) writer.add(r);
  writer.close(2);
  sample::expect_file(folder / "a.nc", definition, 2);
  int id = -1;
  int format = -1;
  ASSERT_EQ(nc_open((folder / "a.nc").c_str(), NC_NOWRITE, &id), NC_NOERR);
  EXPECT_EQ(nc_inq_format(id, &format), NC_NOERR);
  EXPECT_EQ(nc_close(id), NC_NOERR);
  EXPECT_EQ(format, NC_FORMAT_NETCDF4_CLASSIC);
}

TEST(Netcdf4Classic, refuses_types_that_the_classic_model_has_not) {
  for (const Type type : {Type::int64, Type::uint8, Type::uint16, Type::uint32, Type::uint64}) {
    auto definition = sample::definition(format_named("netcdf4-classic"));
    definition.variables[1].type = type;
    sample::expect_error(THALWEG_ERROR_FORMAT,
                         "netcdf4-classic holds int8, int16, int32, float32, float64 and char only",
                         [&] { check_limits(definition); });
  }
}

}  // namespace
}  // namespace thalweg::formats::netcdf4
