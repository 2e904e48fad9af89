#include <fcntl.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include "sample_file.hpp"

namespace thalweg::formats {
namespace {

using config::Format;
using config::format_named;
using sample::Folder;
namespace fs = std::filesystem;

class RecoverFormats : public testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(formats, RecoverFormats,
                         testing::Values(format_named("cdf1"), format_named("cdf2"), format_named("cdf5"),
                                         format_named("netcdf4")));

TEST_P(RecoverFormats, keeps_committed_records_and_drops_the_rest) {
  const Folder folder;
  const auto definition = sample::definition(GetParam());
  {
    sample::Writer writer(folder / "a.nc", definition);
    for (std::int64_t r = 0; r < 3; ++r) writer.add(r);
    writer.file().extend(5);
    writer.write_data(3);
    writer.write_data(4);
  }
  EXPECT_EQ(recover(folder / "a.nc"), 3);
  sample::expect_file(folder / "a.nc", definition, 3);
  storage::remove_journal(folder / "a.nc");  // which is kept until the file has its name
  EXPECT_EQ(folder.files(), 1U);
}

TEST_P(RecoverFormats, leaves_a_complete_file_as_it_is) {
  const Folder folder;
  const auto definition = sample::definition(GetParam());
  sample::Writer writer(folder / "a.nc", definition);
  for (std::int64_t r = 0; r < 3; ++r) writer.add(r);
  writer.close(3);
  const auto before = sample::bytes_of_file(folder / "a.nc");
  EXPECT_EQ(recover(folder / "a.nc"), 3);
  EXPECT_EQ(recover(folder / "a.nc"), 3);
  EXPECT_EQ(sample::bytes_of_file(folder / "a.nc"), before);
  sample::expect_file(folder / "a.nc", definition, 3);
}

TEST_P(RecoverFormats, gives_a_file_without_records_for_a_job_killed_at_once) {
  const Folder folder;
  const auto definition = sample::definition(GetParam());
  {
    sample::Writer writer(folder / "a.nc", definition);
  }
  EXPECT_EQ(recover(folder / "a.nc"), 0);
  sample::expect_file(folder / "a.nc", definition, 0);
}

TEST_P(RecoverFormats, names_a_file_that_was_cut_short) {
  const Folder folder;
  sample::Writer writer(folder / "a.nc", sample::definition(GetParam()));
  writer.add(0);
  writer.close(1);
  fs::resize_file(folder / "a.nc", 5000);
  sample::expect_error(THALWEG_ERROR_FORMAT, folder / "a.nc", [&] { recover(folder / "a.nc"); });
  fs::resize_file(folder / "a.nc", 30);
  sample::expect_error(THALWEG_ERROR_FORMAT, folder / "a.nc", [&] { recover(folder / "a.nc"); });
}

TEST(Recover, names_what_a_foreign_file_starts_with) {
  const Folder folder;
  storage::write_all(storage::open_file(folder / "a.nc", O_CREAT | O_WRONLY), "a", 0,
                     std::as_bytes(std::span("GRIB\x02 and more")));
  sample::expect_error(THALWEG_ERROR_FORMAT, "starts with \"GRIB\\x02", [&] { recover(folder / "a.nc"); });
  storage::open_file(folder / "empty", O_CREAT | O_WRONLY);
  sample::expect_error(THALWEG_ERROR_FORMAT, "it has 0 bytes", [&] { recover(folder / "empty"); });
  sample::expect_error(THALWEG_ERROR_STORAGE, "cannot open", [&] { recover(folder / "none"); });
}

TEST(Recover, cuts_a_cdf_file_to_what_its_length_holds) {
  const Folder folder;
  const auto definition = sample::definition(format_named("cdf5"));
  sample::Writer writer(folder / "a.nc", definition);
  for (std::int64_t r = 0; r < 4; ++r) writer.add(r);
  writer.close(4);
  fs::resize_file(folder / "a.nc", fs::file_size(folder / "a.nc") - 10);
  EXPECT_EQ(recover(folder / "a.nc"), 3);
  sample::expect_file(folder / "a.nc", definition, 3);
}

TEST(Recover, reports_a_header_with_impossible_numbers) {
  const Folder folder;
  {
    sample::Writer writer(folder / "a.nc", sample::definition(format_named("cdf5")));
  }
  const auto whole = sample::bytes_of_file(folder / "a.nc");
  const storage::Descriptor file = storage::open_file(folder / "a.nc", O_WRONLY);
  for (std::size_t place = 12; place < 600; ++place) {
    const std::byte changed{0xee};
    storage::write_all(file, "a", static_cast<std::int64_t>(place), std::span(&changed, 1));
    try {
      recover(folder / "a.nc");  // many a byte of a name or an attribute does no harm
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), THALWEG_ERROR_FORMAT) << error.what();
    }
    storage::write_all(file, "a", 0, whole);
    fs::resize_file(folder / "a.nc", whole.size());
  }
}

// A netCDF-4 file just before its last commit, and that commit: what a kill at any moment within it can leave.
class KilledCommit : public testing::Test {
 protected:
  KilledCommit() {
    sample::Writer writer(path_, definition_);
    for (std::int64_t r = 0; r < 4; ++r) writer.add(r);
    writer.file().extend(6);
    for (std::int64_t r : {4, 5}) writer.write_data(r);
    before_ = sample::bytes_of_file(path_);
    last_ = writer.file().commit(5);
    writer.journal().write(last_, writer.identity(), false);
    journal_ = sample::bytes_of_file(storage::journal_path(path_));
    std::size_t whole = 80;  // what follows is left of an earlier, longer one
    for (const block::MetadataWrite& write : last_.writes) whole += 16 + write.bytes.size();
    journal_.resize(whole);
  }

  void restore(std::size_t journal_bytes, std::size_t writes_applied) {
    fs::remove(path_);
    storage::write_all(storage::open_file(path_, O_CREAT | O_WRONLY), path_, 0, before_);
    fs::remove(storage::journal_path(path_));
    storage::write_all(storage::open_file(storage::journal_path(path_), O_CREAT | O_WRONLY), path_, 0,
                       std::span(journal_).first(journal_bytes));
    storage::Mover mover(path_, config::DirectIo::off);
    for (std::size_t k = 0; k < writes_applied; ++k) mover.write_bytes(last_.writes[k].offset, last_.writes[k].bytes);
  }

  Folder folder_;
  std::string path_ = folder_ / "a.nc";
  catalog::Definition definition_ = sample::definition(format_named("netcdf4"));
  std::vector<std::byte> before_;
  std::vector<std::byte> journal_;
  block::Transaction last_;
};

TEST_F(KilledCommit, within_the_journal_leaves_the_state_before) {
  for (const std::size_t bytes : {0UL, 1UL, 40UL, 48UL, 60UL, journal_.size() / 2, journal_.size() - 1}) {
    restore(bytes, 0);
    EXPECT_EQ(recover(path_), 4) << bytes;
    sample::expect_file(path_, definition_, 4);
    EXPECT_EQ(recover(path_), 4) << "again";
  }
}

TEST_F(KilledCommit, within_the_file_leaves_the_state_after) {
  ASSERT_GT(last_.writes.size(), 1U);
  for (std::size_t k = 0; k <= last_.writes.size(); ++k) {
    restore(journal_.size(), k);
    EXPECT_EQ(recover(path_), 5) << k;
    sample::expect_file(path_, definition_, 5);
    EXPECT_EQ(recover(path_), 5) << "again";
  }
}

TEST_F(KilledCommit, within_a_write_leaves_the_state_after) {
  restore(journal_.size(), 1);
  storage::Mover mover(path_, config::DirectIo::off);
  mover.write_bytes(last_.writes[1].offset, std::span(last_.writes[1].bytes).first(last_.writes[1].bytes.size() / 2));
  EXPECT_EQ(recover(path_), 5);
  sample::expect_file(path_, definition_, 5);
}

TEST_F(KilledCommit, within_recovery_is_recovered_again) {
  restore(journal_.size(), 2);
  for (int again = 0; again < 2; ++again) {
    storage::Mover mover(path_, config::DirectIo::off);
    storage::apply(mover, *storage::read_journal(path_), nullptr, false);
  }
  EXPECT_EQ(recover(path_), 5);
  sample::expect_file(path_, definition_, 5);
}

}  // namespace
}  // namespace thalweg::formats
