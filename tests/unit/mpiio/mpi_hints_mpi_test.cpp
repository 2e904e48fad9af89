#include "mpiio/mpi_hints.hpp"

#include "formats/sample_file.hpp"

namespace thalweg::mpiio {

namespace sample = formats::sample;

namespace {

const config::Hints hints = {{"cb_nodes", "2"}, {"cb_buffer_size", "65536"}};

TEST(MpiHints, come_back_as_they_are) {
  EXPECT_EQ(MpiInfo(hints).hints(), hints);
}

TEST(MpiHints, are_the_null_object_where_there_are_none) {
  EXPECT_EQ(static_cast<MPI_Info>(MpiInfo(config::Hints{})), MPI_INFO_NULL);
  EXPECT_EQ(MpiInfo(config::Hints{}).hints(), config::Hints{});
}

TEST(MpiHints, in_force_are_those_that_a_file_keeps) {
  const sample::Folder folder;
  const std::string path = folder / "file";
  storage::open_file(path, O_CREAT | O_WRONLY);
  const MpiInfo info(hints);
  const config::Hints kept = hints_in_force(MPI_COMM_SELF, path, info);
  EXPECT_EQ(kept.at("cb_buffer_size"), "65536");
}

TEST(MpiHints, of_a_file_that_is_missing_are_none) {
  EXPECT_EQ(hints_in_force(MPI_COMM_SELF, "/nowhere/file", MPI_INFO_NULL), config::Hints{});
}

TEST(MpiHints, that_are_only_repeated_are_not_known) {
  config::Hints told = hints;
  EXPECT_FALSE(take_out_repeated(told, hints));
  EXPECT_EQ(told, hints);
  const config::Hints of_pnetcdf = {{"nc_var_align_size", "4"}, {"pnetcdf_subfiling", "disable"}};
  told.insert(of_pnetcdf.begin(), of_pnetcdf.end());
  told[unknown_hint] = "true";
  config::Hints asked = hints;
  asked["nc_var_align_size"] = "512";
  EXPECT_TRUE(take_out_repeated(told, asked));
  EXPECT_EQ(told, of_pnetcdf);
}

}  // namespace
}  // namespace thalweg::mpiio
