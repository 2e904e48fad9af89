#include "fields/kept_collection.hpp"

#include <gtest/gtest.h>

namespace thalweg::fields {
namespace {

using config::Operation;

struct Planned {
  config::Settings settings;
  config::CollectionSettings collection;
  std::vector<Field> fields;
  Choice choice;

  Planned() {
    settings.time_step_s = 600.0;
    collection.name = "daily: all";
    collection.file = "daily_%Y.nc";
    collection.every = {.seconds = 21600.0};
    Field temp;
    temp.name = "ocean/temp";
    temp.attributes = {catalog::attribute_of("missing_value", Type::float64, std::as_bytes(std::span(&missing, 1)))};
    fields = {temp};
    choice.chosen = {{0, Operation::mean, "tmean", Type::float32}, {0, Operation::std, "temp", Type::float64}};
  }
  KeptCollection kept() const {
    return kept_collection(settings, collection, choice, fields, [](const Field&) { return "lat = 3, lon = 4"; });
  }

 private:
  static constexpr double missing = -5000.0;
};

TEST(KeptCollection, is_the_same_behind_its_text) {
  const Planned run;
  KeptCollection other = run.kept();
  other.name = "other";
  EXPECT_EQ(kept_collections(text_of(std::vector{run.kept(), other})), (std::vector{run.kept(), other}));
  EXPECT_EQ(run.kept().variables[0].second, "mean of ocean/temp(lat = 3, lon = 4) as float32, without -5000");
  EXPECT_EQ(difference(kept_collections(text_of(std::vector{run.kept()}))[0], run.kept()), "");
  EXPECT_TRUE(kept_collections("what is no line\n  nothing: of it\n").empty());
}

TEST(KeptCollection, says_what_is_not_as_it_was) {
  const KeptCollection before = Planned().kept();
  const auto differs = [&](const auto& change) {
    Planned run;
    change(run);
    return difference(before, run.kept());
  };
  EXPECT_EQ(differs([](Planned& run) { run.collection.every = {.seconds = 43200.0}; }),
            "'every' is 6 h in the checkpoint and 12 h in this run");
  EXPECT_EQ(differs([](Planned& run) { run.collection.every = {.is_run = true}; }),
            "'every' is 6 h in the checkpoint and end in this run");
  EXPECT_EQ(differs([](Planned& run) { run.collection.new_file = {.months = 1}; }),
            "'new-file' is never in the checkpoint and 1 month in this run");
  EXPECT_EQ(differs([](Planned& run) { run.settings.time_step_s = 300.0; }),
            "'time-step' is 10 min in the checkpoint and 5 min in this run");
  EXPECT_EQ(
      differs([](Planned& run) { run.choice.chosen[1].operation = Operation::rms; }),
      "variable 'temp' is std of ocean/temp(lat = 3, lon = 4) as float64, without -5000 in the checkpoint and rms "
      "of ocean/temp(lat = 3, lon = 4) as float64, without -5000 in this run");
  EXPECT_EQ(
      differs([](Planned& run) { run.choice.chosen.pop_back(); }),
      "variable 'temp' is std of ocean/temp(lat = 3, lon = 4) as float64, without -5000 in the checkpoint, and is "
      "not in this run");
  EXPECT_EQ(
      differs([](Planned& run) { run.choice.chosen.push_back({0, Operation::count, "n", Type::int32}); }),
      "variable 'n' is not in the checkpoint, and is count of ocean/temp(lat = 3, lon = 4) as int32, without -5000 "
      "in this run");
  EXPECT_EQ(differs([](Planned& run) { std::swap(run.choice.chosen[0], run.choice.chosen[1]); }), "");
}

TEST(KeptCollection, has_nothing_of_what_is_not_gathered) {
  Planned run;
  run.choice.chosen[0].operation = Operation::once;
  run.collection.variables["temp"].enabled = false;
  EXPECT_TRUE(run.kept().variables.empty());
}

}  // namespace
}  // namespace thalweg::fields
