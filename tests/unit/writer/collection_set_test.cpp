// A writer of parts of a set that others write parts of, too.
#include <gtest/gtest.h>

#include <filesystem>

#include "writer/sample_desk.hpp"

namespace thalweg::writer {
namespace {

using sample::Desk;

class Ending final : public block::SetPublication {
 public:
  void publish() const override { ++published; }
  void discard() const override { ++discarded; }
  mutable int published = 0;
  mutable int discarded = 0;
};

template <typename Result>
int count(const std::vector<block::Result>& results) {
  return static_cast<int>(
      std::ranges::count_if(results, [](const block::Result& of) { return std::holds_alternative<Result>(of); }));
}

void write_file(Desk& desk) {
  desk.start();
  desk.collection.open(0);
  desk.put_place_commit(0, 0, 0);
  desk.collection.close(0, 1, 1);
  desk.work();
}

TEST(SetWriter, names_its_parts_when_those_of_all_are_written) {
  Desk desk(sample::chunked_field(4, 4, {2, 2}), {.tells_home = true});
  write_file(desk);
  EXPECT_EQ(count<block::FileWritten>(desk.node.book.take_results()), 1);
  EXPECT_FALSE(std::filesystem::exists(desk.collection.path(0)));
  EXPECT_EQ(desk.collection.files_done(), 0);
  desk.node.book.send(block::NameParts{0, 0});
  desk.work();
  EXPECT_TRUE(std::filesystem::exists(desk.collection.path(0)));
  EXPECT_EQ(count<block::PartsNamed>(desk.node.book.take_results()), 1);
  EXPECT_EQ(desk.collection.files_done(), 1);
}

TEST(SetWriter, that_owns_it_asks_for_names_once_and_ends_it_when_all_have_them) {
  const auto ending = std::make_shared<const Ending>();
  Desk desk(sample::chunked_field(4, 4, {2, 2}), {.set = ending, .set_writers_elsewhere = 2});
  write_file(desk);
  desk.node.book.send(block::OtherWriterClosed{0, 0, {}});
  desk.work();
  EXPECT_EQ(count<block::SetWritten>(desk.node.book.take_results()), 0);
  EXPECT_FALSE(std::filesystem::exists(desk.collection.path(0)));
  desk.node.book.send(block::OtherWriterClosed{0, 0, {}});
  desk.work();
  EXPECT_EQ(count<block::SetWritten>(desk.node.book.take_results()), 1);
  EXPECT_TRUE(std::filesystem::exists(desk.collection.path(0)));
  desk.node.book.send(block::OtherWriterNamed{0, 0});
  desk.work();
  EXPECT_EQ(ending->published, 0);
  desk.node.book.send(block::OtherWriterNamed{0, 0});
  desk.work();
  EXPECT_EQ(ending->published, 1);
  EXPECT_EQ(count<block::SetWritten>(desk.node.book.take_results()), 0);
  EXPECT_EQ(desk.collection.files_done(), 1);
}

TEST(SetWriter, gives_up_a_set_without_its_record_everywhere) {
  const auto ending = std::make_shared<const Ending>();
  Desk desk(sample::chunked_field(4, 4, {2, 2}), {.set = ending, .set_writers_elsewhere = 1});
  desk.start();
  desk.collection.open(0);
  block::CloseFile close{0, 0, 0, {{}}};
  close.is_void = true;
  desk.node.book.send(std::move(close));
  desk.node.book.send(block::OtherWriterClosed{0, 0, {}});
  desk.node.book.send(block::OtherWriterNamed{0, 0});
  desk.work();
  EXPECT_FALSE(std::filesystem::exists(desk.collection.path(0)));
  EXPECT_FALSE(std::filesystem::exists(desk.collection.partial_path(0)));
  EXPECT_EQ(ending->discarded, 1);
}

}  // namespace
}  // namespace thalweg::writer
