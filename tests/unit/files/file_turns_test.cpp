#include <gtest/gtest.h>

#include "files/record_schedule.hpp"
#include "files/sample_schedule.hpp"

namespace thalweg::files {
namespace {

using namespace sample;

TEST(FileTurns, give_each_group_every_file_whose_turn_it_is) {
  const CollectionSettings settings = collection("a_%H.nc", {.steps = 1}, {.steps = 2});
  RecordSchedule first(settings, model(hour), {3, 0}), second(settings, model(hour), {3, 1}),
      third(settings, model(hour), {3, 2});
  EXPECT_EQ(run(first, 0.0, hour, 7, true), (Strings{"1 a_00.nc[0]", "2 .[1]", "7 a_06.nc[0]"}));
  EXPECT_EQ(run(second, 0.0, hour, 7, true), (Strings{"3 a_02.nc[0]", "4 .[1]"}));
  EXPECT_EQ(run(third, 0.0, hour, 7, true), (Strings{"5 a_04.nc[0]", "6 .[1]"}));
  EXPECT_EQ(first.file_count(), 2);
  EXPECT_EQ(second.file_count(), 1);
  EXPECT_EQ(first.file_name(), "a_06.nc");
  EXPECT_EQ(second.file_name(), "a_02.nc") << "others' files are no names of this group";
  EXPECT_EQ(third.file_name(), "a_04.nc");
}

TEST(FileTurns, count_the_files_that_are_closed_of_each_group) {
  RecordSchedule first(collection("a.nc", {}), model(0.0), {2, 0}), second(collection("a.nc", {}), model(0.0), {2, 1});
  EXPECT_EQ(first.file_count(), 1) << "a collection without records leaves a file";
  EXPECT_EQ(second.file_count(), 0);
  for (RecordSchedule* schedule : {&first, &second}) {
    EXPECT_EQ(schedule->upcoming().due, schedule == &first);
    EXPECT_EQ(schedule->ending().due, schedule == &first);
    schedule->close(1.0);
    schedule->close_file();
    schedule->set_next_file("b.nc");
  }
  EXPECT_FALSE(first.upcoming().due);
  EXPECT_EQ(second.upcoming().file_name, "b.nc");
  EXPECT_EQ(second.upcoming().file, 0) << "the first one of its own";
  EXPECT_EQ(second.upcoming().record, 0);
  EXPECT_EQ(first.closed_files(), 1);
  EXPECT_EQ(second.closed_files(), 0);
  EXPECT_EQ(first.file_name(), "a.nc");
}

}  // namespace
}  // namespace thalweg::files
