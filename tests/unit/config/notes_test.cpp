// What is no fault, and perhaps not meant.
#include <gmock/gmock.h>

#include "loading.hpp"

namespace thalweg::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Notes : public CleanEnvironment {};

TEST_F(Notes, name_a_file_that_ends_as_those_of_another_format) {
  EXPECT_THAT(
      load("collections:\n  ocean: {format: zarr, file: ocean.nc}\n").notes,
      ElementsAre("ocean.yaml:2:31: file: 'ocean.nc' will have format zarr, whose usual ending is '.zarr'; programs "
                  "may take it for another one"));
  EXPECT_THAT(
      load("collections:\n  ocean: {format: cdf5, file: ocean.zarr}\n").notes,
      ElementsAre("ocean.yaml:2:31: file: 'ocean.zarr' will have format cdf5, whose usual ending is '.nc'; programs "
                  "may take it for another one"));
}

TEST_F(Notes, are_none_of_other_names) {
  EXPECT_THAT(load(R"(collections:
  a: {format: zarr, file: a.zarr}
  b: {format: zarr, file: b}
  c: {format: netcdf4, file: c.nc4}
  d: {format: user}
  e: {format: zarr}
)")
                  .notes,
              IsEmpty());
}

TEST_F(Notes, name_records_that_no_step_meets) {
  EXPECT_THAT(load("time-step: 25 min\ncollections:\n  h: {every: 1 h}\n").notes,
              ElementsAre("ocean.yaml:3:14: every: 1 h is no whole number of time-steps of 25 min: records come after "
                          "the steps 3, 5, 8, …"));
  EXPECT_THAT(load("time-step: 25 min\ncollections:\n  h: {every: 1 h, fields: [x]}\n").notes,
              ElementsAre(testing::EndsWith("records come after the steps 2, 4, 7, …")));
  EXPECT_THAT(
      load("time-step: 1 h\ncollections:\n  h: {every: 6 h, fields: [x], operation: mean, sample: 4 h}\n").notes,
      ElementsAre("ocean.yaml:3:57: sample: 4 h does not divide every: 6 h: intervals have different numbers of "
                  "samples"));
  for (const char* even :
       {"time-step: 20 min\ncollections: {h: {every: 1 h}}", "collections: {h: {every: 3 steps}}",
        "time-step: 0.1 s\ncollections: {h: {every: 0.3 s}}", "time-step: 7 min\ncollections: {h: {every: 1 month}}"})
    EXPECT_THAT(load(even).notes, IsEmpty()) << even;
}

TEST_F(Notes, say_that_instants_from_the_start_of_each_run_do_not_go_on) {
  const std::string keys = "time-step: 1 h\ncollections: {h: {fields: [x], append: continue, every: ";
  EXPECT_THAT(load(keys + "5 h, anchor: start}}").notes,
              ElementsAre(testing::HasSubstr("anchor: start counts instants from the start of each run")));
  for (const char* others : {"5 h, anchor: reference", "5 h, anchor: start, operation: mean", "5 steps, anchor: start"})
    EXPECT_THAT(load(keys + others + "}}").notes, IsEmpty()) << others;
}

TEST_F(Notes, about_what_a_program_says_are_of_its_collection_alone) {
  Settings settings = load("collections: {a: {format: zarr, file: a.nc}}");
  add_collection(settings, "b", "{format: zarr, file: b.nc}");
  EXPECT_THAT(settings.notes, ElementsAre(testing::HasSubstr("'b.nc' will have format zarr")));
}

}  // namespace
}  // namespace thalweg::config
