#include "staging/file_progress.hpp"

#include <gtest/gtest.h>

namespace thalweg::staging {
namespace {

TEST(FileProgress, counts_moments_and_files_from_none_on) {
  FileProgress progress;
  EXPECT_EQ(progress.moments(), 0);
  EXPECT_EQ(progress.files(), 0);
  EXPECT_FALSE(progress.error());
  progress.note_moments(7);
  progress.note_file();
  progress.note_file();
  EXPECT_EQ(progress.moments(), 7);
  EXPECT_EQ(progress.files(), 2);
}

TEST(FileProgress, keeps_the_first_error_and_its_file) {
  FileProgress progress;
  progress.note_error(3, THALWEG_ERROR_STORAGE);
  progress.note_error(1, THALWEG_ERROR_FORMAT);
  ASSERT_TRUE(progress.error());
  EXPECT_EQ(progress.error()->file, 3);
  EXPECT_EQ(progress.error()->code, THALWEG_ERROR_STORAGE);
}

}  // namespace
}  // namespace thalweg::staging
