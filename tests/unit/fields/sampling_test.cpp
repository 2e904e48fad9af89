#include "fields/sampling.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace thalweg::fields {
namespace {

constexpr double hour_s = 3600.0;

struct Sampled {
  config::Settings settings;
  config::CollectionSettings collection;

  explicit Sampled(config::Anchor anchor = config::Anchor::calendar) {
    settings.time_step_s = hour_s;
    settings.reference_date = {.year = 2000};
    collection.fields.chosen = {{.from = "x"}};
    collection.fields.anchor = anchor;
  }
  // Ends of the steps that are taken, in hours.
  std::vector<double> taken(const Interval& sample, const Interval& offset, double step_h, double start_h = 0.0) const {
    const Sampling sampling(collection, settings, sample, offset);
    std::vector<double> taken;
    for (double begin = start_h; begin < start_h + 12; begin += step_h)
      if (sampling.takes(begin * hour_s, (begin + step_h) * hour_s, start_h * hour_s)) taken.push_back(begin + step_h);
    return taken;
  }
};

TEST(Sampling, takes_the_steps_that_come_to_its_times) {
  const Interval hours{.seconds = 3 * hour_s};
  EXPECT_EQ(Sampled().taken(hours, {}, 1), (std::vector<double>{3, 6, 9, 12}));
  EXPECT_EQ(Sampled().taken(hours, {.seconds = hour_s}, 1), (std::vector<double>{1, 4, 7, 10}));
  EXPECT_EQ(Sampled().taken(hours, {.steps = 2}, 1), (std::vector<double>{2, 5, 8, 11}));
  EXPECT_EQ(Sampled().taken(hours, {}, 2.5), (std::vector<double>{5, 7.5, 10, 12.5}));
  EXPECT_EQ(Sampled().taken({.steps = 4}, {}, 1, 2), (std::vector<double>{6, 10, 14}));
  EXPECT_EQ(Sampled().taken({.months = 1}, {}, 4, 737), (std::vector<double>{745}));
}

TEST(Sampling, counts_from_the_anchor) {
  const Interval hours{.seconds = 3 * hour_s};
  EXPECT_EQ(Sampled().taken(hours, {}, 1, 2), (std::vector<double>{3, 6, 9, 12}));
  EXPECT_EQ(Sampled(config::Anchor::start).taken(hours, {}, 1, 2), (std::vector<double>{5, 8, 11, 14}));
}

TEST(Sampling, is_met_by_a_step_that_ends_a_little_before) {
  const Sampled run;
  const Sampling sampling(run.collection, run.settings, {.seconds = 3 * hour_s}, {});
  EXPECT_TRUE(sampling.takes(2 * hour_s, 3 * hour_s - 30, 0));
  EXPECT_FALSE(sampling.takes(3 * hour_s - 30, 4 * hour_s, 0));
  EXPECT_FALSE(sampling.takes(2 * hour_s, 3 * hour_s - 40, 0));
}

}  // namespace
}  // namespace thalweg::fields
