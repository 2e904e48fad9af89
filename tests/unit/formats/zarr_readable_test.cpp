// Stores read back: every value of every kind of array, what is damaged, and what is not read.
#include "formats/zarr/readable.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "../../support/zarr_sample.hpp"
#include "../error_of.hpp"
#include "base/box_runs.hpp"
#include "base/element_bits.hpp"
#include "formats/decoding_threads.hpp"
#include "formats/readable_file.hpp"
#include "sample_folder.hpp"
#include "transform/chain.hpp"
#include "transform/encode.hpp"

namespace thalweg::formats::zarr {
namespace {

using nlohmann::ordered_json;
using sample::Folder;
using zarr_sample::Options;
using zarr_sample::Writer;

constexpr std::int64_t records = 6;

std::string store_in(const Folder& folder, const Options& options, const std::string& name = "s.zarr") {
  Writer writer(folder / name, options, false);
  for (std::int64_t record = 0; record < records; ++record) writer.add(record);
  writer.close(records);
  return folder / name;
}

const std::vector<Options> all_options = {{}, {.crc32c = true}, {.sharded = true}, {.sharded = true, .crc32c = true}};

// As the sample has it, or the fill value where it has a hole.
std::vector<std::byte> expected(const catalog::Definition& of, int v, std::int64_t record, const Box& box) {
  const catalog::Variable& variable = of.variable(v);
  const Index shape = of.shape(variable);
  std::vector<std::byte> values;
  for_each_run(whole(shape), box, [&](std::int64_t offset, std::int64_t cells) {
    for (std::int64_t cell = offset; cell < offset + cells; ++cell) {
      Index at = shape;
      std::int64_t left = cell, chunk = 0;
      for (int d = shape.rank() - 1; d >= 0; left /= shape[d--]) at[d] = left % shape[d];
      if (variable.chunk.rank() > 0)
        for (int d = 0; d < shape.rank(); ++d)
          chunk = chunk * divide_up(shape[d], variable.chunk[d]) + at[d] / variable.chunk[d];
      const bool is_hole = zarr_sample::has_holes(variable.name) && chunk == zarr_sample::missing_number;
      const Element value =
          is_hole ? catalog::fill_of(variable) : element_of(zarr_sample::bits_of(variable.name, record, cell));
      values.insert(values.end(), value.begin(), value.begin() + static_cast<std::ptrdiff_t>(size_of(variable.type)));
    }
  });
  return values;
}

std::vector<std::byte> read(ReadableFile& file, int v, std::int64_t record, const Box& box) {
  const std::size_t element_bytes = size_of(file.definition().variable(v).type);
  std::vector<std::byte> values(static_cast<std::size_t>(box.cells()) * element_bytes);
  file.read(v, record, box, values);
  return values;
}

void expect_values(ReadableFile& file, const catalog::Definition& wanted) {
  std::mt19937 random(3);
  for (int turn = 0; turn < 20; ++turn)
    for (int v = 0; v < std::ssize(wanted.variables); ++v) {
      const std::int64_t record = turn * 7 % records;
      Box box = whole(wanted.shape(wanted.variable(v)));
      for (int d = 0; turn > 0 && d < box.rank(); ++d) {
        box.start[d] = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(box.count[d]));
        box.count[d] =
            1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(box.count[d] - box.start[d]));
      }
      const std::int64_t row = wanted.variable(v).has_record ? record : 0;
      ASSERT_EQ(read(file, v, record, box), expected(wanted, v, row, box))
          << wanted.variable(v).name << " " << record << " " << to_string(box);
    }
}

TEST(ZarrReadable, gives_every_value_of_every_kind_of_array) {
  for (const Options& options : all_options) {
    const Folder folder;
    const auto file = open_readable(store_in(folder, options));
    ASSERT_EQ(file->records(), records);
    expect_values(*file, zarr_sample::sample(options));
  }
}

TEST(ZarrReadable, gives_the_definition) {
  for (const Options& options : all_options) {
    const Folder folder;
    const auto file = open_readable(store_in(folder, options));
    const catalog::Definition &found = file->definition(), wanted = zarr_sample::sample(options);
    EXPECT_EQ(found.record_dimension, "time");
    ASSERT_EQ(found.variables.size(), wanted.variables.size());
    for (int v = 0; v < std::ssize(wanted.variables); ++v) {
      const catalog::Variable &one = found.variable(v), other = wanted.variable(v);
      EXPECT_EQ(one.name, other.name);
      EXPECT_EQ(one.type, other.type);
      EXPECT_EQ(one.has_record, other.has_record) << one.name;
      EXPECT_EQ(found.shape(one), wanted.shape(other)) << one.name;
      EXPECT_EQ(one.chunk, other.chunk.rank() > 0 ? other.chunk : wanted.shape(other)) << one.name;
      EXPECT_EQ(one.chunk_records, other.chunk_records) << one.name;
      EXPECT_EQ(one.shard, other.shard) << one.name;
      EXPECT_EQ(catalog::fill_of(one), catalog::fill_of(other)) << one.name;
      const auto said = attributes_read_in_zarr(other);
      ASSERT_EQ(one.attributes.size(), said.size()) << one.name;
      for (std::size_t a = 0; a < said.size(); ++a) {
        EXPECT_EQ(one.attributes[a].name, said[a].name);
        EXPECT_EQ(one.attributes[a].element_type(), said[a].element_type()) << one.name << ":" << said[a].name;
        EXPECT_TRUE(std::ranges::equal(one.attributes[a].bytes(), said[a].bytes())) << one.name << ":" << said[a].name;
      }
    }
  }
}

// ---- compressed chunks and characters

catalog::Definition small(const catalog::Encoding& encoding, Type type) {
  catalog::Definition definition;
  definition.format = config::format_named("zarr");
  definition.record_dimension = "time";
  definition.dimensions = {{"x", 1000}};
  definition.variables = {zarr_sample::array("v", type, false, {0}, {600}, {zarr_sample::text("units", "m")})};
  definition.variables[0].encoding = encoding;
  return definition;
}

std::vector<std::byte> chunk_of(Type type, std::int64_t first, std::int64_t cells, bool is_noise) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(cells) * size_of(type));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(is_noise ? (static_cast<std::size_t>(first) + i) * 2654435761U >> 13 : i % 9);
  return bytes;
}

TEST(ZarrReadable, decodes_what_is_encoded_here) {
  for (const bool shuffle : {true, false})
    for (const bool is_noise : {true, false})
      for (const Type type : {Type::float64, Type::int16, Type::character}) {
        const Folder folder;
        const catalog::Encoding encoding{.codec = config::codec_named("zstd"),
                                         .level = 3,
                                         .shuffle = shuffle && size_of(type) > 1,
                                         .checksum = true};
        const catalog::Definition definition = small(encoding, type);
        ZarrFile store(definition);
        store.create(folder / "s", storage::Stable::never);
        storage::ObjectStore objects(folder / "s", config::DirectIo::off);
        std::vector<std::byte> wanted;
        for (const std::int64_t number : {0, 1}) {
          const config::ChunkRules rules = definition.format->traits.chunks;
          std::vector<std::byte> chunk = chunk_of(type, 600 * number, 600, is_noise);
          wanted.insert(wanted.end(), chunk.begin(), chunk.end());
          const std::size_t bytes = chunk.size();
          chunk.resize(bytes + static_cast<std::size_t>(transform::spare_bytes(encoding, type, rules, 600 * 8)));
          transform::EncodingTools tools;
          const auto made =
              transform::encode_chunk({.encoding = encoding, .type = type, .rules = rules}, chunk, bytes, tools);
          const std::span<const std::byte> piece(chunk.data(), static_cast<std::size_t>(made.bytes));
          objects.put(store.key(0, 0, number), std::vector{piece}, storage::Stable::never);
        }
        wanted.resize(1000 * size_of(type));
        const auto file = open_readable(folder / "s");
        EXPECT_EQ(file->definition().variable(0).type, type);
        EXPECT_EQ(file->records(), 0);
        EXPECT_EQ(read(*file, 0, 0, whole({1000})), wanted) << shuffle << is_noise << name_of(type);
      }
}

TEST(ZarrReadable, reads_in_several_threads) {
  const Folder folder;
  constexpr std::int64_t cells = 300000, chunk = 6000, missing = 7;
  catalog::Definition definition = small({}, Type::float64);
  definition.dimensions[0].size = cells;
  definition.variables[0].chunk = {chunk};
  ZarrFile store(definition);
  store.create(folder / "s", storage::Stable::never);
  storage::ObjectStore objects(folder / "s", config::DirectIo::off);
  const Element fill = catalog::fill_of(definition.variables[0]);
  std::vector<std::byte> wanted;
  for (std::int64_t number = 0; number < cells / chunk; ++number) {
    std::vector<std::byte> content = chunk_of(Type::float64, chunk * number, chunk, true);
    if (number == missing)
      for (std::size_t i = 0; i < content.size(); ++i) content[i] = fill[i % 8];
    else
      objects.put(store.key(0, 0, number), std::vector{std::span<const std::byte>(content)}, storage::Stable::never);
    wanted.insert(wanted.end(), content.begin(), content.end());
  }
  const auto file = open_readable(folder / "s");
  const DecodingThreads threads(4, {});
  EXPECT_EQ(read(*file, 0, 0, whole({cells})), wanted);
}

TEST(ZarrReadable, gives_characters_that_were_never_written_their_fill_value) {
  const Folder folder;
  catalog::Definition definition = small({}, Type::character);
  definition.variables[0].attributes.push_back(zarr_sample::text("_FillValue", "x"));
  ZarrFile(definition).create(folder / "s", storage::Stable::never);
  const auto file = open_readable(folder / "s");
  EXPECT_EQ(read(*file, 0, 0, whole({1000})), std::vector<std::byte>(1000, std::byte{'x'}));
  EXPECT_EQ(catalog::fill_of(file->definition().variable(0))[0], std::byte{'x'});
}

// ---- others' stores

void change(const std::string& path, const std::function<void(ordered_json&)>& by) {
  std::ifstream in(path);
  ordered_json json = ordered_json::parse(in);
  in.close();
  by(json);
  std::ofstream(path) << json.dump();
}

void change_array(const std::string& store, const std::string& name, const std::function<void(ordered_json&)>& by) {
  change(store + "/zarr.json", [&](ordered_json& root) { by(root["consolidated_metadata"]["metadata"][name]); });
}

TEST(ZarrReadable, reads_metadata_of_arrays_that_the_root_has_not) {
  const Folder folder;
  const std::string path = store_in(folder, {.crc32c = true});
  change(path + "/zarr.json", [](ordered_json& root) { root.erase("consolidated_metadata"); });
  const auto file = open_readable(path);
  EXPECT_EQ(file->records(), records);
  const int v = file->definition().find("sparse");
  const catalog::Definition wanted = zarr_sample::sample({});
  EXPECT_EQ(read(*file, v, 4, whole({5, 7})), expected(wanted, wanted.find("sparse"), 4, whole({5, 7})));
}

TEST(ZarrReadable, turns_values_of_the_other_byte_order) {
  const Folder folder;
  const std::string path = store_in(folder, {});
  change_array(path, "area", [](ordered_json& array) { array["codecs"][0]["configuration"]["endian"] = "big"; });
  const auto file = open_readable(path);
  const catalog::Definition wanted = zarr_sample::sample({});
  std::vector<std::byte> values = expected(wanted, wanted.find("area"), 0, whole({5, 7}));
  swap_bytes(values, 8);
  EXPECT_EQ(read(*file, file->definition().find("area"), 0, whole({5, 7})), values);
}

TEST(ZarrReadable, takes_attributes_of_any_kind) {
  const Folder folder;
  const std::string path = store_in(folder, {});
  change_array(path, "sparse", [](ordered_json& array) {
    array["attributes"] = ordered_json::parse(R"({"flag": true, "names": ["a", "b"], "one": 5000000000, "two": [1, 2.5],
      "valid_range": [1, 2], "missing_value": "NaN", "_FillValue": "AAAAgB2vFUQ=", "text": "NaN!"})");
  });
  const auto file = open_readable(path);
  const auto& attributes = file->definition().variable(file->definition().find("sparse")).attributes;
  std::string said;
  for (const catalog::Attribute& of : attributes)
    said += fmt::format("{}:{}:{} ", of.name, of.type ? name_of(*of.type) : "text",
                        of.type ? std::to_string(of.values.size()) : of.text);
  EXPECT_EQ(said,
            "flag:text:true names:text:[\"a\",\"b\"] one:int64:8 two:float64:16 valid_range:float32:8 "
            "missing_value:float32:4 _FillValue:float32:4 text:text:NaN! ");
}

struct Refusal {
  const char* name;
  std::function<void(ordered_json& array)> by;
  const char* said;
};

constexpr std::int64_t huge = std::int64_t{1} << 40;

TEST(ZarrReadable, names_what_it_does_not_read) {
  const auto parsed = [](const char* text) { return ordered_json::parse(text); };
  const std::vector<Refusal> refusals = {
      {"area", [&](auto& array) { array["codecs"].push_back(parsed(R"({"name": "zfp"})")); },
       R"(array 'area': it has the codec {"name":"zfp"}, which Thalweg does not read)"},
      {"area",
       [&](auto& array) {
         array["codecs"].push_back(parsed(R"({"name": "blosc", "configuration": {"cname": "snappy"}})"));
       },
       R"("cname":"snappy"}}, which Thalweg does not read)"},
      {"area", [&](auto& array) { array["codecs"] = parsed(R"([{"name": "transpose"}, {"name": "bytes"}])"); },
       "transpose"},
      {"area",
       [&](auto& array) {
         for (int i = 0; i < 2; ++i) array["codecs"].push_back(parsed(R"({"name": "gzip"})"));
       },
       "behind another one"},
      {"area", [](auto& array) { array["codecs"] = ordered_json::array(); }, "have no 'bytes'"},
      {"area", [](auto& array) { array["data_type"] = "complex64"; }, R"(the type "complex64")"},
      {"area", [](auto& array) { array["fill_value"] = "much"; }, R"(its fill value "much" is none of type float64)"},
      {"area", [](auto& array) { array["node_type"] = "link"; }, R"(a node within the store that is a "link")"},
      {"area", [](auto& array) { array["dimension_names"] = {"y"}; }, "names of dimensions that do not go with"},
      {"area",
       [](auto& array) {
         array["shape"] = std::vector<int>(9, 1);
         array["dimension_names"] = std::vector<std::string>(9, "n");
       },
       "more dimensions than 8"},
      {"area", [](auto& array) { array["chunk_grid"]["name"] = "rectilinear"; }, "the chunk grid"},
      {"area", [](auto& array) { array["chunk_grid"]["configuration"]["chunk_shape"] = {0, 7}; }, "extents [0,7]"},
      {"area", [](auto& array) { array["chunk_grid"]["configuration"]["chunk_shape"] = {5}; }, "do not go with"},
      {"area", [](auto& array) { array["chunk_key_encoding"]["name"] = "v4"; }, "the encoding of keys"},
      {"area", [](auto& array) { array["zarr_format"] = 2; }, "the version of Zarr 2"},
      {"area", [](auto& array) { array.erase("codecs"); }, "cannot be read: "},
      {"area", [](auto& array) { array["chunk_grid"] = 1; }, "array 'area': its metadata cannot be read: "},
      {"area", [](auto& array) { array["shape"] = {huge, huge}; }, "more bytes than are counted, of extents"},
      {"area", [](auto& array) { array["chunk_grid"]["configuration"]["chunk_shape"] = {huge, huge}; },
       "more bytes than are counted, of extents"},
  };
  const Folder folder;
  const std::string path = store_in(folder, {});
  std::filesystem::copy(path + "/zarr.json", folder / "kept");
  for (const Refusal& refusal : refusals) {
    std::filesystem::copy(folder / "kept", path + "/zarr.json", std::filesystem::copy_options::overwrite_existing);
    change_array(path, refusal.name, refusal.by);
    const std::string said = error_of(THALWEG_ERROR_FORMAT, [&] { open_readable(path); });
    EXPECT_NE(said.find(refusal.said), std::string::npos) << said;
    EXPECT_NE(said.find("'" + path + "'"), std::string::npos) << said;
    const auto left_out = open_readable(path, Unreadable::leave_out)->left_out();
    EXPECT_TRUE(std::ranges::any_of(left_out, [&](const LeftOut& left) { return said.find(left.why) != said.npos; }))
        << said;
  }
}

// They are no definition of a file that Thalweg could go on with, but can be read.
TEST(ZarrReadable, reads_arrays_that_do_not_go_together) {
  const std::vector<Refusal> only_read = {
      {"area", [](auto& array) { array.erase("dimension_names"); }, "its dimension 0 has no name"},
      {"area", [](auto& array) { array["dimension_names"][0] = nullptr; }, "its dimension 0 has no name"},
      {"area", [](auto& array) { array["shape"][0] = 4; }, "dimension 'y' has a size of "},
      {"sparse", [](auto& array) { array["shape"][0] = 7; }, "dimension 'time' has a size of 7 in array 'sparse'"},
      {"sparse", [](auto& array) { array["dimension_names"][1] = "time"; },
       "has the record dimension 'time' in another place than the first"},
  };
  const Folder folder;
  const std::string path = store_in(folder, {});
  std::filesystem::copy(path + "/zarr.json", folder / "kept");
  for (const Refusal& refusal : only_read) {
    std::filesystem::copy(folder / "kept", path + "/zarr.json", std::filesystem::copy_options::overwrite_existing);
    change_array(path, refusal.name, refusal.by);
    const std::string said = error_of(THALWEG_ERROR_FORMAT, [&] { open_readable(path); });
    EXPECT_NE(said.find(refusal.said), std::string::npos) << said;
    const auto file = open_readable(path, Unreadable::leave_out);
    EXPECT_TRUE(file->left_out().empty()) << said;
    EXPECT_EQ(file->records(), records);
    const int v = file->definition().find(refusal.name);
    const Index shape = file->definition().shape(file->definition().variable(v));
    EXPECT_EQ(read(*file, v, 0, whole(shape)).size(),
              static_cast<std::size_t>(shape.product()) * size_of(file->definition().variable(v).type));
  }
}

TEST(ZarrReadable, of_a_folder_without_a_root_is_an_error) {
  const Folder folder;
  std::filesystem::create_directory(folder / "s");
  EXPECT_NE(error_of(THALWEG_ERROR_FORMAT, [&] { open_readable(folder / "s"); }).find("no Zarr store of version 3"),
            std::string::npos);
  std::ofstream(folder / "s/.zgroup") << R"({"zarr_format": 2})";
  EXPECT_NE(error_of(THALWEG_ERROR_FORMAT, [&] { open_readable(folder / "s"); })
                .find("of version 2, which Thalweg only reads"),
            std::string::npos);
  EXPECT_TRUE(open_readable(folder / "s", Unreadable::leave_out)->definition().variables.empty());
  std::ofstream(folder / "s/zarr.json") << "{";
  EXPECT_NE(error_of(THALWEG_ERROR_FORMAT, [&] { open_readable(folder / "s"); }).find("the metadata of the Zarr store"),
            std::string::npos);
}

// ---- damage

std::string damaged(const Options& options, const std::string& object, const std::function<void(std::string&)>& by) {
  const Folder folder;
  const std::string path = store_in(folder, options);
  std::ifstream in(path + "/" + object, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  by(bytes);
  std::ofstream(path + "/" + object, std::ios::binary) << bytes;
  const auto file = open_readable(path);
  const int v = file->definition().find("sparse");
  read(*file, v, 2, whole({5, 7}));
  return error_of(THALWEG_ERROR_STORAGE, [&] { read(*file, v, 3, whole({5, 7})); });
}

TEST(ZarrReadable, names_the_chunk_that_is_damaged) {
  const auto flip = [](std::size_t at) { return [at](std::string& bytes) { bytes.at(at) ^= 1; }; };
  const auto cut = [](std::string& bytes) { bytes.pop_back(); };
  const std::string of_chunk = damaged({.crc32c = true}, "sparse/c/3/1/0", flip(5));
  EXPECT_TRUE(of_chunk.starts_with("chunk (3, 1, 0) of array 'sparse' cannot be read from '")) << of_chunk;
  EXPECT_NE(of_chunk.find("/sparse/c/3/1/0': its checksum (crc32c) is "), std::string::npos) << of_chunk;
  EXPECT_NE(damaged({}, "sparse/c/3/1/0", cut).find("values of 31 bytes and not of 32"), std::string::npos);
  EXPECT_NE(damaged({.crc32c = true}, "sparse/c/3/1/0", [](auto& bytes) { bytes = "abc"; }).find("too few for its"),
            std::string::npos);
  const std::string of_index = damaged({.sharded = true}, "sparse/c/3/0/0", flip(32 * 3 + 3));
  EXPECT_NE(of_index.find("its checksum (crc32c)"), std::string::npos) << of_index;
  EXPECT_NE(damaged({.sharded = true}, "sparse/c/3/0/0", [](auto& bytes) { bytes.resize(20); }).find("was cut short"),
            std::string::npos);
}

}  // namespace
}  // namespace thalweg::formats::zarr
