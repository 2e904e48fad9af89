#include "storage/checksum_reading.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "formats/sample_file.hpp"
#include "storage/checksum_file.hpp"

namespace thalweg::storage {
namespace {

std::shared_ptr<block::SummedFiles> summed(std::vector<block::SummedFiles::Variable> variables) {
  auto files = std::make_shared<block::SummedFiles>();
  files->format = config::format_named("cdf5");
  files->record_dimension = "time";
  files->elements = {std::vector<std::int64_t>(variables.size(), 6)};
  files->variables = std::move(variables);
  return files;
}

struct Companion {
  explicit Companion(const std::string& said_name = "a.nc") {
    const auto files =
        summed({{"temp", Type::float32, true}, {"mask", Type::int32, false}, {"salt", Type::float32, true}});
    const block::Checksums checksums{files, 0, {{0, 7, 0}, {{1, 0, ~std::uint64_t{0}}, {0xabcdef, 0, 5}}}};
    std::ofstream(checksum_path(path)) << text_of(checksums, said_name, 100);
  }
  formats::sample::Folder folder;
  std::string path = folder / "a.nc";
};

TEST(ChecksumReading, gives_all_sums_by_name) {
  const Companion companion;
  const auto sums = read_sums(companion.path);
  ASSERT_TRUE(sums);
  ASSERT_EQ(sums->size(), 3U);
  EXPECT_EQ(sums->at("temp").sums, (std::vector<std::uint64_t>{1, 0xabcdef}));
  EXPECT_TRUE(sums->at("temp").has_records);
  EXPECT_EQ(sums->at("salt").sums, (std::vector<std::uint64_t>{~std::uint64_t{0}, 5}));
  EXPECT_EQ(sums->at("mask").sums, (std::vector<std::uint64_t>{7}));
  EXPECT_FALSE(sums->at("mask").has_records);
  EXPECT_EQ(sums->at("mask").elements, 6);
  EXPECT_FALSE(read_sums(companion.folder / "none.nc"));
}

TEST(ChecksumReading, gives_the_sums_of_records_in_the_order_that_is_asked_for) {
  const Companion companion;
  const auto of = summed({{"salt", Type::float32, true}, {"new", Type::int32, false}, {"temp", Type::float32, true}});
  const auto sums = read_record_sums(companion.path, *of);
  ASSERT_TRUE(sums);
  EXPECT_EQ(*sums, (std::vector<block::Sums>{{~std::uint64_t{0}, 0, 1}, {5, 0, 0xabcdef}}));
}

TEST(ChecksumReading, gives_nothing_of_what_is_no_companion_of_the_file) {
  const Companion companion, other("b.nc");
  const auto of = summed({{"temp", Type::float32, true}});
  EXPECT_FALSE(read_record_sums(companion.folder / "none.nc", *of));
  EXPECT_FALSE(read_record_sums(other.path, *of));
  EXPECT_FALSE(read_record_sums(companion.path, *summed({{"more", Type::float32, true}})));
  std::ofstream(checksum_path(companion.path)) << "{\"thalweg_checksums\": 1, \"file\": ";
  EXPECT_FALSE(read_record_sums(companion.path, *of));
}

}  // namespace
}  // namespace thalweg::storage
