#include "storage/striping.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "formats/sample_file.hpp"

namespace thalweg::storage {

namespace sample = formats::sample;

namespace {

using Words = std::vector<std::string>;

TEST(Striping, is_a_command_of_lustre) {
  EXPECT_EQ(striping_command("a.nc", {.count = 8, .bytes = 4 << 20}),
            (Words{"lfs", "setstripe", "-c", "8", "-S", "4194304", "a.nc"}));
  EXPECT_EQ(striping_command("a.nc", {.count = 2}), (Words{"lfs", "setstripe", "-c", "2", "a.nc"}));
  EXPECT_EQ(striping_command("a.nc", {.bytes = 65536}), (Words{"lfs", "setstripe", "-S", "65536", "a.nc"}));
}

TEST(Striping, command_gets_its_words_as_they_are) {
  const sample::Folder folder;
  const std::string out = folder / "a file;";
  EXPECT_TRUE(run_command({"touch", out}));
  EXPECT_TRUE(std::filesystem::exists(out));
}

TEST(Striping, command_that_fails_or_is_missing_is_noticed) {
  EXPECT_FALSE(run_command({"false"}));
  EXPECT_FALSE(run_command({"thalweg-no-such-command"}));
}

TEST(Striping, has_no_effect_on_other_file_systems) {
  const sample::Folder folder;
  const std::string path = folder / "a.nc";
  EXPECT_FALSE(is_on_lustre(path));
  const Descriptor file = make_striped(path, {.count = 4, .bytes = 65536});
  EXPECT_EQ(size_of_file(file, path), 0);
  EXPECT_EQ(stripe_count(path), 0);
}

TEST(Striping, never_takes_a_file_that_is_there) {
  const sample::Folder folder;
  const std::string path = folder / "a.nc";
  make_striped(path, {});
  EXPECT_THROW(make_striped(path, {}), Error);
}

// struct lov_user_md: magic, pattern, object (16 bytes), stripe size, stripe count, offset.
std::vector<std::byte> attribute(std::uint32_t magic, std::uint16_t count) {
  std::vector<std::byte> bytes(32);
  std::memcpy(bytes.data(), &magic, sizeof magic);
  std::memcpy(bytes.data() + 28, &count, sizeof count);
  return bytes;
}

TEST(Striping, count_is_read_from_what_lustre_tells) {
  EXPECT_EQ(stripe_count_in(attribute(0x0BD10BD0, 165)), 165);
  EXPECT_EQ(stripe_count_in(attribute(0x0BD30BD0, 4)), 4);
}

TEST(Striping, count_is_unknown_where_lustre_tells_something_else) {
  EXPECT_EQ(stripe_count_in(attribute(0x0BD60BD0, 4)), 0);
  const std::vector<std::byte> whole = attribute(0x0BD10BD0, 4);
  EXPECT_EQ(stripe_count_in(std::span(whole).first(29)), 0);
  EXPECT_EQ(stripe_count_in({}), 0);
}

}  // namespace
}  // namespace thalweg::storage
