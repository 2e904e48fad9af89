#include "formats/zarr/file.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../support/zarr_sample.hpp"
#include "sample_file.hpp"

namespace thalweg::formats::zarr {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using sample::Folder;
using zarr_sample::Writer;

json json_of(const std::string& path) {
  const std::vector<std::byte> bytes = sample::bytes_of_file(path);
  return json::parse(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

// Length of time as the root has it, and as the array has it.
std::int64_t shown(const std::string& path) {
  return json_of(path + "/zarr.json")["consolidated_metadata"]["metadata"]["time"]["shape"][0];
}
std::int64_t length(const std::string& path, const std::string& name) {
  return json_of(path + "/" + name + "/zarr.json")["shape"][0];
}

TEST(ZarrFile, starts_with_no_record_and_says_what_grows) {
  const Folder folder;
  const std::string path = folder / "s.zarr.partial";
  Writer writer(path, {}, false);
  EXPECT_EQ(shown(path), 0);
  EXPECT_EQ(length(path, "int8_field"), 0);
  EXPECT_EQ(length(path, "int8_fixed"), 5);
  EXPECT_EQ(json_of(path + "/thalweg.json"), json::parse(R"({"record_dimension": "time"})"));
}

TEST(ZarrFile, replaces_arrays_first_and_the_root_last) {
  const Folder folder;
  Writer writer(folder / "s", {}, false);
  const block::ObjectCommit commit = writer.file().commit(3);
  EXPECT_EQ(commit.records, 3);
  EXPECT_EQ(commit.objects.back().key, "zarr.json");
  EXPECT_EQ(commit.objects.size(), 15U);  // ten fields, time, profile, triple, sparse: none without records; the root
  for (const auto& object : commit.objects) EXPECT_TRUE(object.key.ends_with("zarr.json"));
}

TEST(ZarrFile, is_complete_without_the_mark_of_a_growing_store) {
  const Folder folder;
  for (const bool durable : {false, true}) {
    const std::string path = folder / (durable ? "durable" : "quick");
    Writer writer(path, {}, durable);
    writer.add(0);
    writer.add(1);
    writer.close(2);
    EXPECT_EQ(shown(path), 2);
    EXPECT_FALSE(fs::exists(path + "/thalweg.json"));
    EXPECT_EQ(recover(path), 2);
  }
}

TEST(ZarrFile, syncs_no_more_for_many_arrays) {
  const Folder folder;
  Writer writer(folder / "s", {}, false);
  storage::apply(writer.store(), writer.file().commit(0), storage::Stable::at_once);
  const std::int64_t before = writer.store().counts().syncs;
  storage::apply(writer.store(), writer.file().commit(0), storage::Stable::at_once);
  EXPECT_EQ(writer.store().counts().syncs - before, 2);  // the root and its name
}

TEST(ZarrFile, is_not_made_where_something_is) {
  const Folder folder;
  fs::create_directory(folder / "there");
  Writer writer(folder / "s", {}, false);
  sample::expect_error(THALWEG_ERROR_STORAGE, "remove or rename the file",
                       [&] { writer.file().create(folder / "there", storage::Stable::never); });
}

TEST(ZarrFile, recovered_shows_what_the_root_showed) {
  const Folder folder;
  const std::string path = folder / "s.zarr.partial";
  Writer writer(path, {}, false);
  for (std::int64_t record = 0; record < 5; ++record) writer.add(record);
  writer.write_data(5);
  writer.write_growing(6);
  for (block::ObjectCommit commit = writer.file().commit(6); const auto& object : commit.objects)
    if (object.key != zarr_json) writer.store().put(object.key, object.text, storage::Stable::never);
  writer.store().put("sparse/c/6/0/0.partial", "torn", storage::Stable::never);
  EXPECT_EQ(length(path, "time"), 6);
  EXPECT_TRUE(fs::exists(path + "/int8_field/c/5/0/0"));
  EXPECT_EQ(recover(path), 5);
  for (const char* name : {"time", "int8_field", "profile", "sparse"}) EXPECT_EQ(length(path, name), 5) << name;
  EXPECT_FALSE(fs::exists(path + "/int8_field/c/5"));
  EXPECT_FALSE(fs::exists(path + "/sparse/c/6"));
  EXPECT_TRUE(fs::exists(path + "/int8_field/c/4/0/0"));
  EXPECT_TRUE(fs::exists(path + "/time/c/1"));
  EXPECT_TRUE(fs::exists(path + "/int8_fixed/c/0/0"));
  EXPECT_EQ(storage::remove_temporaries(path), 0);
  EXPECT_FALSE(fs::exists(path + "/thalweg.json"));
  EXPECT_EQ(recover(path), 5);
}

TEST(ZarrFile, recovered_is_cut_to_the_shortest_array) {
  const Folder folder;
  const std::string path = folder / "s";
  Writer writer(path, {}, false);
  for (std::int64_t record = 0; record < 5; ++record) writer.add(record);
  json root = json_of(path + "/zarr.json");
  root["consolidated_metadata"]["metadata"]["int8_field"]["shape"][0] = 3;
  writer.store().put("zarr.json", root.dump(), storage::Stable::never);
  EXPECT_EQ(recover(path), 3);
  EXPECT_EQ(shown(path), 3);
  EXPECT_EQ(length(path, "int8_field"), 3);
  EXPECT_EQ(length(path, "profile"), 3);
  EXPECT_FALSE(fs::exists(path + "/profile/c/3"));
  EXPECT_FALSE(fs::exists(path + "/time/c/1"));
}

TEST(ZarrFile, recovered_has_metadata_of_arrays_that_a_power_failure_took) {
  const Folder folder;
  const std::string path = folder / "s";
  Writer writer(path, {}, true);
  writer.add(0);
  writer.store().put("time/zarr.json", "", storage::Stable::never);
  writer.store().remove("int8_fixed/zarr.json");
  EXPECT_EQ(recover(path), 1);
  EXPECT_EQ(length(path, "time"), 1);
  EXPECT_EQ(length(path, "int8_fixed"), 5);
}

TEST(ZarrFile, of_a_folder_that_is_no_store_cannot_be_recovered) {
  const Folder folder;
  sample::expect_error(THALWEG_ERROR_FORMAT, "has no 'zarr.json'", [&] { recover(folder / ""); });
  storage::ObjectStore store(folder / "", config::DirectIo::off);
  for (const char* root : {"no json", "[]", R"({"zarr_format": 3, "node_type": "group"})"}) {
    store.put("zarr.json", root, storage::Stable::never);
    sample::expect_error(THALWEG_ERROR_FORMAT, "name a store that Thalweg was writing", [&] { recover(folder / ""); });
  }
}

}  // namespace
}  // namespace thalweg::formats::zarr
