// CollectionWriter: in which order the model's own procedure is called, and what becomes of its code.
#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

using sample::Definition;
using sample::Desk;
using testing::ElementsAre;
using testing::HasSubstr;

Definition one_field_and_a_mask() {
  Definition definition;
  definition.format = config::format_named("user");
  definition.record_dimension = "time";
  definition.dimensions = {{"x", 5}};
  definition.variables.resize(2);
  definition.variables[0].name = "a";
  definition.variables[0].has_record = true;
  definition.variables[0].dimensions = {0};
  definition.variables[1].name = "mask";
  definition.variables[1].dimensions = {0};
  return definition;
}

struct Calls {
  std::vector<std::string> seen;
  int code = 0;
  bool throws = false;
  std::vector<std::string> take() { return std::exchange(seen, {}); }
};

std::string last_part(const std::string& path) {
  return std::filesystem::path(path).stem();
}

int note(const thalweg_block* block, void* user) {
  auto& calls = *static_cast<Calls*>(user);
  const std::string record = std::to_string(block->record) + "/" + std::to_string(block->record_in_file);
  const std::vector<std::string> events = {"", "begin", "block", "record " + record, "end"};
  std::string text = events[block->event] + " of " + last_part(block->file);
  if (block->variable != nullptr) text = std::string(block->variable) + " " + record + " of " + last_part(block->file);
  calls.seen.push_back(text);
  if (calls.throws) throw std::runtime_error("no room");
  return calls.code;
}

struct CollectionProcedure : testing::Test {
  Calls calls;

  // A collection with its procedure, in the hands of the writer.
  Desk& desk(const sample::Options& options = {.depth = 3}, const Definition& definition = one_field_and_a_mask()) {
    made_.emplace(definition, options);
    made_->collection.plan().files.callback =
        std::make_shared<block::Callback>(block::Callback{note, &calls, {"a", "mask"}, {{5}, {5}}, {{}, {}}});
    made_->start();
    return *made_;
  }

 private:
  std::optional<Desk> made_;
};

TEST_F(CollectionProcedure, files_come_after_each_other) {
  Desk& of = desk();
  of.collection.put_all_fixed();
  of.collection.open(0);
  of.put_place_commit(0, 0, 0);
  EXPECT_THAT(calls.take(), ElementsAre("begin of history0", "mask -1/-1 of history0", "a 0/0 of history0",
                                        "record 0/0 of history0"));
  of.collection.close(0, 1, 1);
  of.collection.open(1);
  of.put_place_commit(1, 1, 0);
  of.collection.close(1, 2, 1);
  of.work();
  EXPECT_THAT(calls.take(), ElementsAre("end of history0", "begin of history1", "mask -1/-1 of history1",
                                        "a 1/0 of history1", "record 1/0 of history1", "end of history1"));
  EXPECT_EQ(of.collection.files_done(), 2);
  EXPECT_EQ(of.node.folder.files(), 0U);
}

TEST_F(CollectionProcedure, nothing_of_the_next_file_comes_while_a_record_is_missing) {
  Desk& of = desk();
  of.collection.put_all_fixed();
  of.collection.open(0);
  of.collection.place_and_commit(0, 0, 0);
  of.collection.close(0, 1, 1);
  of.collection.open(1);
  of.put_place_commit(1, 1, 0);
  EXPECT_THAT(calls.take(), ElementsAre("begin of history0", "mask -1/-1 of history0"));
  of.collection.put_all(0, 0);
  of.work();
  EXPECT_THAT(calls.take(),
              ElementsAre("a 0/0 of history0", "record 0/0 of history0", "end of history0", "begin of history1",
                          "mask -1/-1 of history1", "a 1/0 of history1", "record 1/0 of history1"));
}

TEST_F(CollectionProcedure, a_variable_without_records_that_is_late_keeps_only_the_end_of_its_file_back) {
  Desk& of = desk();
  of.collection.open(0);
  of.put_place_commit(0, 0, 0);
  of.collection.close(0, 1, 1);
  of.collection.open(1);
  of.put_place_commit(1, 1, 0);
  EXPECT_THAT(calls.take(), ElementsAre("begin of history0", "a 0/0 of history0", "record 0/0 of history0",
                                        "begin of history1", "a 1/0 of history1", "record 1/0 of history1"));
  EXPECT_EQ(of.collection.records_done(), 2);
  of.collection.put_all_fixed();
  of.collection.close(1, 2, 1);
  of.work();
  EXPECT_THAT(calls.take(),
              ElementsAre("mask -1/-1 of history0", "end of history0", "mask -1/-1 of history1", "end of history1"));
}

TEST_F(CollectionProcedure, a_file_ends_here_before_other_nodes_are_through_with_it) {
  Desk& of = desk({.depth = 3, .other_writers = 1});
  of.collection.put_all_fixed();
  of.collection.open(0);
  of.put_place_commit(0, 0, 0);
  of.collection.close(0, 1, 1);
  of.collection.open(1);
  of.put_place_commit(1, 1, 0);
  EXPECT_THAT(calls.take(), ElementsAre("begin of history0", "mask -1/-1 of history0", "a 0/0 of history0",
                                        "record 0/0 of history0", "end of history0", "begin of history1",
                                        "mask -1/-1 of history1", "a 1/0 of history1", "record 1/0 of history1"));
  EXPECT_EQ(of.collection.records_done(), 0) << "the other writer has not written it";
  EXPECT_EQ(of.collection.files_done(), 0);
}

TEST_F(CollectionProcedure, a_node_without_blocks_of_records_hears_of_them) {
  Definition definition = one_field_and_a_mask();
  definition.variables.erase(definition.variables.begin());
  Desk& of = desk({.depth = 3}, definition);
  of.node.book.send(block::PlaceRecord{0, 0, 0, 0, {}});  // at other writers it may come before the file
  of.work();
  EXPECT_THAT(calls.take(), ElementsAre());
  of.collection.put_all_fixed();
  of.collection.open(0);
  of.collection.place(1, 0, 1);
  of.work();
  EXPECT_THAT(calls.take(), ElementsAre("begin of history0", "a -1/-1 of history0", "record 0/0 of history0",
                                        "record 1/1 of history0"));
}

TEST_F(CollectionProcedure, its_code_is_an_error_that_says_where) {
  Desk& of = desk();
  of.collection.open(0);
  calls.code = 28;
  try {
    of.put_place_commit(0, 0, 0);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_STORAGE);
    EXPECT_THAT(error.what(), HasSubstr("the model's write procedure returned 28 at BEGIN"));
  }
}

TEST_F(CollectionProcedure, what_it_throws_is_an_error_that_says_where) {
  Desk& of = desk();
  of.collection.open(0);
  of.collection.put_all_fixed();
  of.work();
  calls.throws = true;
  try {
    of.put_place_commit(0, 0, 0);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_STORAGE);
    EXPECT_THAT(error.what(), HasSubstr("threw 'no room' at BLOCK of variable 'a', record 0"));
  }
}

}  // namespace
}  // namespace thalweg::writer
