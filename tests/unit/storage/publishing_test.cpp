#include "storage/publishing.hpp"

#include <gtest/gtest.h>

#include "formats/sample_file.hpp"

namespace thalweg::storage {
namespace {

namespace sample = formats::sample;
using config::Publishing;

// A file that somebody else has made, and who writes it in place.
struct InPlace {
  InPlace() { open_file(path, O_CREAT | O_WRONLY); }

  sample::Folder folder;
  std::string path = folder / "a.nc";
  std::shared_ptr<const block::Publication> output = claim(Publishing::in_place, {.collection = "history"}, path);
};

// What the log says when it is let go.
std::string said_in_the_end(InPlace& file) {
  testing::internal::CaptureStderr();
  file.output.reset();
  return testing::internal::GetCapturedStderr();
}

TEST(PublishingInPlace, keeps_the_name_and_makes_no_other) {
  InPlace file;
  EXPECT_EQ(growing_path(Publishing::in_place, file.path), file.path);
  EXPECT_FALSE(file.output->spares_complete(0));
  EXPECT_FALSE(file.output->publish(*identity_at(file.path), true));
  EXPECT_EQ(file.folder.files(), 1U);
  EXPECT_EQ(said_in_the_end(file), "");
}

TEST(PublishingInPlace, removes_nothing) {
  InPlace file;
  file.output->discard();
  EXPECT_TRUE(identity_at(file.path));
  EXPECT_EQ(said_in_the_end(file), "");
}

TEST(PublishingInPlace, says_what_is_left_of_a_file_that_is_not_completed) {
  InPlace file;
  EXPECT_NE(said_in_the_end(file).find("a.nc' was written in place and is not complete"), std::string::npos);
  EXPECT_TRUE(identity_at(file.path));
}

TEST(PublishingInPlace, refuses_a_file_that_has_become_another) {
  InPlace file;
  const block::FileIdentity written = *identity_at(file.path);
  std::filesystem::rename(file.path, file.folder / "b.nc");
  open_file(file.path, O_CREAT | O_WRONLY);
  sample::expect_error(THALWEG_ERROR_STORAGE, "a.nc", [&] { file.output->publish(written, false); });
}

}  // namespace
}  // namespace thalweg::storage
