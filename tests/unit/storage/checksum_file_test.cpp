#include "storage/checksum_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "formats/replacing.hpp"
#include "formats/sample_file.hpp"
#include "storage/publish.hpp"

namespace thalweg::storage {

namespace sample = formats::sample;

namespace {

using sample::Folder;

std::string text_at(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void make(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

block::Checksums some_checksums() {
  block::SummedFiles files;
  files.record_dimension = "time";
  files.variables = {{"te\"mp", Type::float32, true}, {"mask", Type::character, false}};
  files.elements = {{1, 2}, {60, 7}};
  return {std::make_shared<const block::SummedFiles>(files), 1, {{0, 0xabc}, {{1, 0}, {~std::uint64_t{0}, 0}}}};
}

// As a writer does it.
void publish_with(const block::Checksums& checksums, const std::string& path) {
  ChecksumFile companion(checksums, path + ".partial", path, true);
  publish(path + ".partial", path, identity_at(path + ".partial").value_or(block::FileIdentity{}), true,
          formats::require_replaceable, &companion);
}

TEST(ChecksumFile, says_each_sum_in_json) {
  const auto said = nlohmann::json::parse(text_of(some_checksums(), "a.nc", 12));
  EXPECT_EQ(said.at("thalweg_checksums"), 1);
  EXPECT_EQ(said.at("file"), "a.nc");
  EXPECT_EQ(said.at("format"), "netcdf4");
  EXPECT_EQ(said.at("bytes"), 12);
  EXPECT_EQ(said.at("record_dimension"), "time");
  EXPECT_EQ(said.at("records"), 2);
  const nlohmann::json field = {
      {"name", "te\"mp"}, {"type", "float32"}, {"elements", 60}, {"records", {"0000000000000001", "ffffffffffffffff"}}};
  const nlohmann::json mask = {{"name", "mask"}, {"type", "char"}, {"elements", 7}, {"sum", "0000000000000abc"}};
  EXPECT_EQ(said.at("variables"), nlohmann::json::array({field, mask}));
  EXPECT_FALSE(nlohmann::json::parse(text_of(some_checksums(), "a.zarr", std::nullopt)).contains("bytes"));
}

TEST(ChecksumFile, gets_its_name_with_the_file) {
  const Folder folder;
  const std::string path = folder / "a.nc";
  make(path + ".partial", "twelve bytes");
  publish_with(some_checksums(), path);
  EXPECT_EQ(text_at(checksum_path(path)), text_of(some_checksums(), "a.nc", 12));
  EXPECT_EQ(folder.files(), 2U);
}

TEST(ChecksumFile, of_an_earlier_file_is_gone_when_the_new_one_has_none) {
  const Folder folder;
  const std::string path = folder / "a.nc";
  make(path + ".partial", "one");
  publish_with(some_checksums(), path);
  make(path + ".partial", "two");
  publish(path + ".partial", path, *identity_at(path + ".partial"), false, formats::require_replaceable);
  EXPECT_EQ(text_at(path), "two");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(ChecksumFile, of_an_earlier_file_stays_where_there_is_nothing_to_publish) {
  const Folder folder;
  const std::string path = folder / "a.nc";
  make(path, "old");
  make(checksum_path(path), text_of(some_checksums(), "a.nc", 3));
  EXPECT_THROW(publish_with(some_checksums(), path), Error) << "there is no partial file to rename";
  EXPECT_EQ(text_at(path), "old");
  EXPECT_EQ(text_at(checksum_path(path)), text_of(some_checksums(), "a.nc", 3));
  EXPECT_EQ(folder.files(), 2U);
}

TEST(ChecksumFile, leaves_what_is_none_of_thalwegs) {
  const Folder folder;
  const std::string path = folder / "a.nc";
  make(checksum_path(path), "d41d8cd98f00b204e9800998ecf8427e  a.nc\n");
  make(path + ".partial", "twelve bytes");
  publish_with(some_checksums(), path);
  EXPECT_EQ(text_at(path), "twelve bytes");
  EXPECT_EQ(text_at(checksum_path(path)), "d41d8cd98f00b204e9800998ecf8427e  a.nc\n");
  EXPECT_EQ(folder.files(), 2U);
}

TEST(ChecksumFile, keeps_no_file_from_its_name) {
  const Folder folder;
  const std::string path = folder / "a.nc";
  std::filesystem::create_directory(checksum_path(path) + ".new");
  make(path + ".partial", "twelve bytes");
  publish_with(some_checksums(), path);
  EXPECT_EQ(text_at(path), "twelve bytes");
  EXPECT_FALSE(std::filesystem::exists(checksum_path(path)));
}

}  // namespace
}  // namespace thalweg::storage
