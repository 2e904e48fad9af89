#include "storage/output_name.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "formats/recover_name.hpp"
#include "formats/replacing.hpp"
#include "formats/sample_file.hpp"

namespace thalweg::storage {

namespace sample = formats::sample;

namespace {

namespace fs = std::filesystem;

class OutputNameRules : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  std::string read(const std::string& name) const {
    std::ifstream file(folder / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool exists(const std::string& name) const { return fs::exists(fs::symlink_status(folder / name)); }
  void take(const NameRules& rules, const std::string& name = "a.nc") const { OutputName(rules, folder / name); }
  // Takes the name and gives it to a file with this text.
  void publish(const std::string& text, const NameRules& rules) {
    const OutputName name(rules, folder / "a.nc");
    write("a.nc.partial", text);
    name.publish(*identity_at(name.partial_path()), true);
  }
  std::string error_of(const std::function<void()>& action) const {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), THALWEG_ERROR_STORAGE);
      return error.what();
    }
    return "no error";
  }
  static void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\nin: " << text;
  }

  sample::Folder folder;
  NameRules rules{.collection = "history", .check_folder = formats::require_replaceable};
};

TEST_F(OutputNameRules, leave_nothing_behind_where_nothing_is_in_the_way) {
  take(rules);
  rules.append = config::Append::fail;
  take(rules);
  EXPECT_EQ(folder.files(), 0U);
}

TEST_F(OutputNameRules, leave_a_finished_file_until_the_new_one_takes_its_name) {
  write("a.nc", "finished");
  {
    const OutputName name(rules, folder / "a.nc");
    write("a.nc.partial", "new");
    EXPECT_EQ(read("a.nc"), "finished");
    name.publish(*identity_at(name.partial_path()), true);
  }
  EXPECT_EQ(read("a.nc"), "new");
  EXPECT_EQ(folder.files(), 1U);
}

TEST_F(OutputNameRules, keep_an_unfinished_file_aside_with_its_journal) {
  write("a.nc.partial", "data");
  write("a.nc.partial.journal", "metadata");
  take(rules);
  EXPECT_FALSE(exists("a.nc.partial"));
  EXPECT_FALSE(exists("a.nc.partial.journal"));
  EXPECT_EQ(read("a.old.nc.partial"), "data");
  EXPECT_EQ(read("a.old.nc.partial.journal"), "metadata");
}

TEST_F(OutputNameRules, remove_the_journal_of_a_file_that_is_gone) {
  for (const std::string& begin : {std::string("THWJRNL2 and so on"), std::string("THW"), std::string(),
                                   std::string(100, '\0'), std::string("THWJRNL1 of an older version")}) {
    write("a.nc.partial.journal", begin);
    take(rules);
    EXPECT_EQ(folder.files(), 0U) << begin;
  }
}

TEST_F(OutputNameRules, keep_what_only_has_the_name_of_a_journal) {
  write("a.nc.partial.journal", "what I noted of this run");
  sample::expect_error(THALWEG_ERROR_STORAGE, "a.nc.partial.journal' has the name of the journal of",
                       [&] { take(rules); });
  EXPECT_EQ(read("a.nc.partial.journal"), "what I noted of this run");
}

TEST_F(OutputNameRules, keep_all_unfinished_files_of_earlier_runs) {
  for (const char* run : {"first", "second", "third"}) {
    write("a.nc.partial", run);
    take(rules);
  }
  EXPECT_EQ(read("a.old.nc.partial"), "first");
  EXPECT_EQ(read("a.old2.nc.partial"), "second");
  EXPECT_EQ(read("a.old3.nc.partial"), "third");
}

TEST_F(OutputNameRules, keep_so_many_unfinished_files_as_asked_once_there_is_a_finished_one) {
  using namespace std::chrono_literals;
  rules.keep_unfinished = 1;
  for (const std::string name : {"a.old.nc.partial", "a.old2.nc.partial", "a.old3.nc.partial", "a.older.nc.partial"})
    write(name, name);
  fs::last_write_time(folder / "a.old2.nc.partial", fs::file_time_type::clock::now() + 60s);
  fs::last_write_time(folder / "a.older.nc.partial", fs::file_time_type::clock::now() - 60s);
  take(rules);
  EXPECT_EQ(folder.files(), 4U);  // nothing is removed for a file that may never be finished
  publish("new", rules);
  EXPECT_TRUE(exists("a.old2.nc.partial"));
  EXPECT_TRUE(exists("a.older.nc.partial"));  // somebody else's
  EXPECT_EQ(folder.files(), 3U);
}

TEST_F(OutputNameRules, refuse_to_go_on_over_any_file_if_asked) {
  rules.append = config::Append::fail;
  for (const std::string name : {"a.nc", "a.nc.partial"}) {
    write(name, "there");
    expect_parts(error_of([&] { take(rules); }), {"'history'", "'" + (folder / name) + "'", "'append: new'"});
    EXPECT_EQ(read(name), "there");
    fs::remove(folder / name);
  }
}

// The lock is between open files, so that one process can try it.
TEST_F(OutputNameRules, have_one_owner_of_a_name) {
  const auto first = std::make_unique<OutputName>(rules, folder / "a.nc");
  write("a.nc.partial", "growing");
  const std::string process = fmt::format("process {}", ::getpid());
  expect_parts(error_of([&] { take(rules); }), {"'" + (folder / "a.nc") + "'", "host ", process, "since 2"});
  expect_parts(error_of([&] { formats::recover_name(folder / "a.nc.partial", folder / "a.nc"); }), {process});
  EXPECT_EQ(read("a.nc.partial"), "growing");
  EXPECT_FALSE(exists("a.old.nc.partial"));
}

TEST_F(OutputNameRules, take_a_name_whose_owner_is_dead) {
  write("a.nc.lock", "thalweg writes this name: host elsewhere, process 1, since 2000-01-01T00:00:00Z\n");
  take(rules);
  EXPECT_FALSE(exists("a.nc.lock"));
  for (const std::string& cut_off :
       {std::string("thalweg wri"), std::string(80, '\0'), std::string("thalweg w\0\0\0", 12)}) {
    write("a.nc.lock", cut_off);
    take(rules);
    EXPECT_FALSE(exists("a.nc.lock"));
  }
  write("a.nc.lock", "my notes");
  expect_parts(error_of([&] { take(rules); }), {"'" + (folder / "a.nc.lock") + "'", "not made by Thalweg"});
  EXPECT_EQ(read("a.nc.lock"), "my notes");
}

TEST_F(OutputNameRules, give_no_name_to_what_is_not_the_file_that_was_written) {
  write("a.nc", "finished");
  const OutputName name(rules, folder / "a.nc");
  write("a.nc.partial", "written");
  const block::FileIdentity written = *identity_at(name.partial_path());
  fs::rename(folder / "a.nc.partial", folder / "elsewhere");
  expect_parts(error_of([&] { name.publish(written, true); }), {"gone", "thalweg recover"});
  write("a.nc.partial", "somebody else's");
  expect_parts(error_of([&] { name.publish(written, true); }), {"no longer", "nothing was replaced"});
  EXPECT_EQ(read("a.nc"), "finished");
  EXPECT_EQ(read("elsewhere"), "written");
}

TEST_F(OutputNameRules, replace_a_link_and_not_what_it_leads_to) {
  write("archived", "archived");
  fs::create_symlink(folder / "archived", folder / "a.nc");
  publish("new", rules);
  EXPECT_EQ(read("archived"), "archived");
  EXPECT_EQ(read("a.nc"), "new");
}

// ---- stores

TEST_F(OutputNameRules, refuse_what_is_no_output) {
  rules.has_magic = true;
  write("a.nc", "my thesis");
  expect_parts(error_of([&] { take(rules); }), {"a.nc", "no netCDF file", "append: new"});
  EXPECT_EQ(read("a.nc"), "my thesis");
  rules.replaces_any = true;
  take(rules);
  rules.replaces_any = false;
  write("a.nc.checksums", "{");  // of a format without a mark
  take(rules);
  write("b.nc", "CDF\1");
  take(rules, "b.nc");
  write("c.nc", "");
  take(rules, "c.nc");
}

// To open a pipe would be to wait until somebody opens its other end.
TEST_F(OutputNameRules, refuse_pipes_and_do_not_wait_for_them) {
  ASSERT_EQ(::mkfifo((folder / "a.nc").c_str(), 0600), 0);
  expect_parts(error_of([&] { take(rules); }), {"a.nc", "pipe"});
  ASSERT_EQ(::mkfifo((folder / "b.nc.partial").c_str(), 0600), 0);
  expect_parts(error_of([&] { formats::recover_name(folder / "b.nc.partial", folder / "b.nc"); }),
               {"b.nc.partial", "pipe"});
}

TEST_F(OutputNameRules, are_not_recovered_under_one_of_two_names) {
  write("a.nc.partial", "CDF\1");
  fs::create_hard_link(folder / "a.nc.partial", folder / "snapshot.nc.partial");
  expect_parts(error_of([&] { formats::recover_name(folder / "snapshot.nc.partial", folder / "snapshot.nc"); }),
               {"2 names", "copy it"});
  EXPECT_EQ(read("a.nc.partial"), "CDF\1");
}

// Who recovers it has renamed it already, and still needs its journal.
TEST_F(OutputNameRules, do_not_keep_a_file_aside_under_a_name_that_somebody_has) {
  write("a.nc.partial", "second");
  const NameLock recovers(folder / "a.old.nc");
  write("a.old.nc.partial.journal", "first");
  take(rules);
  EXPECT_EQ(read("a.old2.nc.partial"), "second");
  EXPECT_EQ(read("a.old.nc.partial.journal"), "first");
}

class StoreNames : public OutputNameRules {
 protected:
  // A store whose root says who wrote it.
  void make_store(const std::string& name, const std::string& who) {
    fs::create_directories(folder / (name + "/temp/c/0"));
    write(name + "/zarr.json", who);
    write(name + "/temp/zarr.json", who);
    write(name + "/temp/c/0/0", who);
  }
  void replace(const std::string& text) {
    const OutputName name(rules, folder / "a.zarr");
    make_store("a.zarr.partial", text);
    name.publish(*identity_at(name.partial_path()), true);
  }
};

TEST_F(StoreNames, exchange_and_the_old_store_goes) {
  make_store("a.zarr", "old");
  replace("new");
  EXPECT_EQ(read("a.zarr/zarr.json"), "new");
  EXPECT_EQ(read("a.zarr/temp/c/0/0"), "new");
  EXPECT_EQ(folder.files(), 1U);
}

TEST_F(StoreNames, are_given_to_stores_in_place_of_files_and_the_other_way_round) {
  write("a.zarr", "a file");
  replace("a store");
  EXPECT_EQ(read("a.zarr/zarr.json"), "a store");
  {
    const OutputName name(rules, folder / "a.zarr");
    write("a.zarr.partial", "a file");
    name.publish(*identity_at(name.partial_path()), true);
  }
  EXPECT_EQ(read("a.zarr"), "a file");
  EXPECT_EQ(folder.files(), 1U);
}

TEST_F(StoreNames, are_not_taken_from_folders_that_hold_something_else) {
  make_store("a.zarr", "old");
  for (const std::string foreign : {"notes.txt", "temp/notes.txt", "figures/plot.png", "2023/notes.txt",
                                    "temp/c/notes.txt", "thalweg-notes.md", "temp/c/0/plot.png"}) {
    fs::create_directories(fs::path(folder / ("a.zarr/" + foreign)).parent_path());
    write("a.zarr/" + foreign, "precious");
    const std::string root = foreign.starts_with("figures") ? "a.zarr/figures" : "a.zarr/" + foreign;
    expect_parts(error_of([&] { replace("new"); }), {"'" + (folder / root) + "'", "no part of a Zarr store"});
    EXPECT_EQ(read("a.zarr/" + foreign), "precious");
    EXPECT_EQ(read("a.zarr/zarr.json"), "old");
    fs::remove_all(folder / root);
  }
}

// What is found there when the new store is complete is refused then; the store keeps its first name.
TEST_F(StoreNames, are_not_taken_from_what_became_foreign_meanwhile) {
  make_store("a.zarr", "old");
  const OutputName name(rules, folder / "a.zarr");
  make_store("a.zarr.partial", "new");
  write("a.zarr/notes.txt", "precious");
  expect_parts(error_of([&] { name.publish(*identity_at(name.partial_path()), true); }), {"notes.txt"});
  EXPECT_EQ(read("a.zarr/notes.txt"), "precious");
  EXPECT_EQ(read("a.zarr.partial/zarr.json"), "new");
}

// What a link leads to has a name of its own, which is nobody's here.
TEST_F(StoreNames, that_are_links_leave_what_they_lead_to) {
  make_store("run42.zarr", "old");
  fs::create_directory_symlink(folder / "run42.zarr", folder / "a.zarr");
  replace("new");
  EXPECT_EQ(read("a.zarr/zarr.json"), "new");
  EXPECT_FALSE(fs::is_symlink(folder / "a.zarr"));
  EXPECT_EQ(read("run42.zarr/temp/c/0/0"), "old");
  EXPECT_FALSE(exists("run42.zarr/thalweg-replaced"));
}

// A kill between the exchange and the end of the removal leaves the old store under the partial name, marked.
TEST_F(StoreNames, lose_what_is_left_of_a_replaced_store) {
  make_store("a.zarr", "new");
  make_store("a.zarr.partial", "old");
  write("a.zarr.partial/thalweg-replaced", "");
  take(rules, "a.zarr");
  EXPECT_EQ(read("a.zarr/zarr.json"), "new");
  EXPECT_EQ(folder.files(), 1U);
}

// The mark is not there yet: the new one says which it has replaced.
TEST_F(StoreNames, lose_a_replaced_store_of_which_only_the_new_one_knows) {
  make_store("a.zarr", "new");
  make_store("a.zarr.partial", "old");
  const block::FileIdentity old = *identity_at(folder / "a.zarr.partial");
  write("a.zarr/thalweg-replaces", fmt::format("inode {}, born {}\n", old.inode, old.born_ns));
  take(rules, "a.zarr");
  EXPECT_EQ(read("a.zarr/zarr.json"), "new");
  EXPECT_FALSE(exists("a.zarr/thalweg-replaces"));
  EXPECT_EQ(folder.files(), 1U);
}

TEST_F(StoreNames, keep_an_unfinished_store_that_is_not_the_one_replaced) {
  make_store("a.zarr", "new");
  make_store("a.zarr.partial", "another");
  write("a.zarr/thalweg-replaces", "inode 1, born 1\n");
  take(rules, "a.zarr");
  EXPECT_EQ(read("a.old.zarr.partial/zarr.json"), "another");
}

// Without RENAME_EXCHANGE a kill may come while nobody has the name.
TEST_F(StoreNames, go_back_to_the_old_store_where_nobody_has_got_its_name) {
  make_store("a.zarr.replaced", "old");
  write("a.zarr.replaced/thalweg-replaced", "");
  take(rules, "a.zarr");
  EXPECT_EQ(read("a.zarr/zarr.json"), "old");
  EXPECT_FALSE(exists("a.zarr/thalweg-replaced"));
}

TEST_F(StoreNames, do_not_concern_a_file_that_only_looks_like_a_leftover) {
  make_store("a.zarr", "old");
  write("a.zarr.replaced", "the user's own");
  replace("new");
  EXPECT_FALSE(exists("a.zarr/thalweg-replaces"));
  EXPECT_EQ(read("a.zarr/zarr.json"), "new");
  EXPECT_EQ(read("a.zarr.replaced"), "the user's own");
}

}  // namespace
}  // namespace thalweg::storage
