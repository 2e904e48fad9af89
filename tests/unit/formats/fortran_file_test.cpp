#include "formats/fortran/file.hpp"

#include <gtest/gtest.h>

#include "sample_file.hpp"
#include "sanitized.hpp"

namespace thalweg::formats::fortran {
namespace {

using config::format_named;
using sample::expect_error;
using sample::Folder;
namespace fs = std::filesystem;

const catalog::Definition whole_sample = sample::definition(format_named("fortran"));

// A fixed variable of 3 bytes and, with records, a field of 2 x 2 and a number.
catalog::Definition small() {
  catalog::Definition definition;
  definition.format = format_named("fortran");
  definition.record_dimension = "time";
  definition.dimensions = {{"x", 3}, {"y", 2}};
  definition.variables = {
      {.name = "f", .type = Type::float32, .has_record = true, .dimensions = {1, 1}, .attributes = {}, .chunk = {}},
      {.name = "mask", .type = Type::int8, .dimensions = {0}, .attributes = {}, .chunk = {}},
      {.name = "n", .type = Type::int16, .has_record = true, .dimensions = {}, .attributes = {}, .chunk = {}}};
  return definition;
}

template <typename T>
void append(std::vector<std::byte>& bytes, T value) {
  const auto* first = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

TEST(FortranFile, is_what_a_fortran_program_would_write) {
  const Folder folder;
  sample::Writer writer(folder / "a.dat", small());
  writer.add(0);
  writer.add(1);
  writer.close(2);
  std::vector<std::byte> wanted;
  const auto value = [](int v, std::int64_t r, std::int64_t i) { return sample::value(v, r, i); };
  append(wanted, std::int32_t{3});
  for (int i = 0; i < 3; ++i) append(wanted, static_cast<std::int8_t>(value(1, 0, i)));
  append(wanted, std::int32_t{3});
  for (int r = 0; r < 2; ++r) {
    append(wanted, std::int32_t{16});
    for (int i = 0; i < 4; ++i) append(wanted, static_cast<float>(value(0, r, i)));
    append(wanted, std::int32_t{16});
    append(wanted, std::int32_t{2});
    append(wanted, static_cast<std::int16_t>(value(2, r, 0)));
    append(wanted, std::int32_t{2});
  }
  EXPECT_EQ(sample::bytes_of_file(folder / "a.dat"), wanted);
}

TEST(FortranFile, holds_exactly_the_committed_records_at_every_moment) {
  const Folder folder;
  sample::Writer writer(folder / "a.dat", whole_sample);
  for (std::int64_t r = 0; r < 5; ++r) {
    sample::expect_copy(folder / "a.dat", whole_sample, r);
    writer.add(r);
  }
  writer.close(5);
  sample::expect_file(folder / "a.dat", whole_sample, 5);
  EXPECT_EQ(folder.files(), 1U);
}

TEST(FortranFile, shows_no_record_that_is_written_but_not_committed) {
  const Folder folder;
  sample::Writer writer(folder / "a.dat", whole_sample);
  writer.file().extend(4);
  for (std::int64_t r : {3, 1, 0, 2}) writer.write_data(r);
  writer.commit(2);
  sample::expect_copy(folder / "a.dat", whole_sample, 2);
  writer.close(3);
  sample::expect_file(folder / "a.dat", whole_sample, 3);
}

TEST(FortranFile, without_records_is_complete_when_its_arrays_are_written) {
  const Folder folder;
  auto definition = whole_sample;
  std::erase_if(definition.variables, [](const auto& v) { return v.has_record; });
  sample::Writer writer(folder / "a.dat", definition);
  writer.close(0);
  sample::expect_file(folder / "a.dat", definition, 0);
}

TEST(FortranFile, is_not_made_over_a_file_that_is_there) {
  const Folder folder;
  create(folder / "a.dat", whole_sample);
  expect_error(THALWEG_ERROR_STORAGE, "remove or rename", [&] { create(folder / "a.dat", whole_sample); });
  expect_error(THALWEG_ERROR_STORAGE, "create the folder", [&] { create(folder / "no/a.dat", whole_sample); });
}

// ---- what a killed run leaves

class KilledFortran : public testing::Test {
 protected:
  // Everything up to a commit that the kill falls into: all data are written.
  block::Transaction write_until_commit_of(std::int64_t committed, std::int64_t records) {
    sample::Writer writer(path_, whole_sample);
    for (std::int64_t r = 0; r < committed; ++r) writer.add(r);
    writer.file().extend(records + 2);
    for (std::int64_t r = committed; r < records + 1; ++r) writer.write_data(r);
    block::Transaction transaction = writer.file().commit(records);
    if (transaction.journaled) writer.journal().write(transaction, writer.identity(), false);
    return transaction;
  }

  void write_some(const block::Transaction& transaction, std::size_t writes) {
    storage::Mover mover(path_, config::DirectIo::off);
    for (std::size_t k = 0; k < writes; ++k)
      mover.write_bytes(transaction.writes[k].offset, transaction.writes[k].bytes);
  }

  void expect_recovered(std::int64_t records) {
    EXPECT_EQ(recover(path_), records);
    sample::expect_file(path_, whole_sample, records);
    EXPECT_EQ(recover(path_), records) << "again";
  }

  Folder folder_;
  std::string path_ = folder_ / "a.dat.partial";
};

TEST_F(KilledFortran, between_commits_keeps_the_committed_records_and_drops_the_rest) {
  write_until_commit_of(3, 4);
  expect_recovered(3);
}

TEST_F(KilledFortran, within_the_first_commit_leaves_the_state_after_it) {
  const std::size_t writes = write_until_commit_of(0, 2).writes.size();
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}, writes / 2, writes - 1, writes}) {
    fs::remove(path_);
    fs::remove(storage::journal_path(path_));
    write_some(write_until_commit_of(0, 2), k);
    expect_recovered(2);
  }
}

TEST_F(KilledFortran, within_a_later_commit_keeps_records_whose_markers_are_all_there) {
  const std::size_t writes = write_until_commit_of(1, 3).writes.size();
  for (std::size_t k = 0; k <= writes; k += sanitized::slowness) {
    fs::remove(path_);
    fs::remove(storage::journal_path(path_));
    write_some(write_until_commit_of(1, 3), k);
    expect_recovered(1 + static_cast<std::int64_t>(k / (writes / 2)));
  }
}

TEST_F(KilledFortran, within_recovery_is_recovered_again) {
  write_until_commit_of(2, 3);
  storage::Mover mover(path_, config::DirectIo::off);
  storage::apply(mover, *storage::read_journal(path_), nullptr, false);
  fs::resize_file(path_, fs::file_size(path_) - 1);
  expect_recovered(2);
}

TEST_F(KilledFortran, before_its_first_record_is_reported_as_a_file_that_holds_none) {
  {
    sample::Writer writer(path_, whole_sample);
  }
  const auto before = sample::bytes_of_file(path_);
  expect_error(THALWEG_ERROR_FORMAT, "beside which", [&] { recover(path_); });
  storage::open_file(storage::journal_path(path_), O_CREAT | O_WRONLY);
  expect_error(THALWEG_ERROR_FORMAT, "holds none", [&] { recover(path_); });
  EXPECT_EQ(sample::bytes_of_file(path_), before);
}

TEST_F(KilledFortran, that_was_cut_short_is_left_alone) {
  write_until_commit_of(2, 3);
  const auto whole = static_cast<std::int64_t>(fs::file_size(path_));
  const std::int64_t begin = storage::read_journal(path_)->writes.front().offset;
  for (const std::int64_t bytes : {std::int64_t{0}, begin, begin + 100}) {
    fs::resize_file(path_, static_cast<std::uintmax_t>(bytes));
    expect_error(THALWEG_ERROR_FORMAT, "cut short", [&] { recover(path_); });
    EXPECT_EQ(fs::file_size(path_), static_cast<std::uintmax_t>(bytes));
  }
  fs::resize_file(path_, static_cast<std::uintmax_t>(whole));
  expect_error(THALWEG_ERROR_FORMAT, "at byte 0 there is no whole array", [&] { recover(path_); });
}

TEST_F(KilledFortran, is_not_taken_for_a_foreign_file_beside_a_journal) {
  write_until_commit_of(2, 3);
  const storage::Descriptor file = storage::open_file(path_, O_WRONLY);
  const std::byte other{77};
  storage::write_all(file, path_, 2, std::span(&other, 1));
  const auto before = sample::bytes_of_file(path_);
  expect_error(THALWEG_ERROR_FORMAT, storage::journal_path(path_), [&] { recover(path_); });
  EXPECT_EQ(sample::bytes_of_file(path_), before);
}

}  // namespace
}  // namespace thalweg::formats::fortran
