#include "fields/accumulator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "fields/numbers.hpp"
#include "fields/operation.hpp"

namespace thalweg::fields {
namespace {

using config::MissingSamples;
using config::Operation;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> doubles_of(const std::vector<std::byte>& bytes) {
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<double> results_of(const Accumulator& of, double least_valid = 0.0) {
  return doubles_of(of.results(Type::float64, element_of(-99.0), least_valid));
}

// Samples in strips of two cells, so that a sample comes in several.
void take(Accumulator& into, const std::vector<double>& sample, double weight = 1.0) {
  for (std::size_t first = 0; first < sample.size(); first += 2)
    into.add({weight}, static_cast<std::int64_t>(first),
             std::span(sample).subspan(first, std::min<std::size_t>(2, sample.size() - first)));
  into.end_sample(weight);
}

std::vector<double> of_samples(Operation operation, const std::vector<std::vector<double>>& samples,
                               MissingRule missing = {}) {
  Accumulator gathered(operation, missing, std::ssize(samples[0]));
  for (const std::vector<double>& sample : samples) take(gathered, sample);
  return results_of(gathered);
}

TEST(Accumulator, gathers_by_each_operation) {
  const std::vector<std::vector<double>> samples = {{1, 4}, {2, -8}, {6, 4}};
  EXPECT_EQ(of_samples(Operation::mean, samples), (std::vector<double>{3, 0}));
  EXPECT_EQ(of_samples(Operation::sum, samples), (std::vector<double>{9, 0}));
  EXPECT_EQ(of_samples(Operation::min, samples), (std::vector<double>{1, -8}));
  EXPECT_EQ(of_samples(Operation::max, samples), (std::vector<double>{6, 4}));
  EXPECT_EQ(of_samples(Operation::count, samples), (std::vector<double>{3, 3}));
  EXPECT_EQ(of_samples(Operation::rms, samples), (std::vector<double>{std::sqrt(41.0 / 3), std::sqrt(32.0)}));
  EXPECT_NEAR(of_samples(Operation::std, samples)[0], std::sqrt(14.0 / 3), 1e-15);
  EXPECT_NEAR(of_samples(Operation::std, samples)[1], std::sqrt(32.0), 1e-14);
}

TEST(Accumulator, weighs_means_and_not_sums_and_extremes) {
  for (const auto& [operation, wanted] :
       {std::pair{Operation::mean, 23.0 / 6}, {Operation::sum, 13.0}, {Operation::max, 6.0}, {Operation::count, 4.0}}) {
    Accumulator gathered(operation, {}, 1);
    take(gathered, {1}, 1);
    take(gathered, {2}, 1);
    take(gathered, {4}, 2);
    take(gathered, {6}, 2);
    EXPECT_EQ(results_of(gathered)[0], wanted) << name_of(operation);
  }
}

TEST(Accumulator, leaves_missing_values_out_cell_by_cell) {
  const std::vector<std::vector<double>> samples = {{1, 7, 3, 9}, {2, 5, 9, 9}, {3, 4, 9, 9}};
  const MissingRule skip{MissingSamples::skip, {9.0}};
  EXPECT_EQ(of_samples(Operation::mean, samples, skip), (std::vector<double>{2, 16.0 / 3, 3, -99}));
  EXPECT_EQ(of_samples(Operation::sum, samples, skip), (std::vector<double>{6, 16, 3, -99}));
  EXPECT_EQ(of_samples(Operation::max, samples, skip), (std::vector<double>{3, 7, 3, -99}));
  EXPECT_EQ(of_samples(Operation::count, samples, skip), (std::vector<double>{3, 3, 1, 0}));
  EXPECT_EQ(of_samples(Operation::std, samples, skip)[2], 0.0);
  EXPECT_EQ(of_samples(Operation::mean, samples, {MissingSamples::propagate, {9.0}}),
            (std::vector<double>{2, 16.0 / 3, -99, -99}));
  EXPECT_EQ(of_samples(Operation::count, samples, {MissingSamples::propagate, {9.0}}),
            (std::vector<double>{3, 3, -99, -99}));
}

// A NaN that was put is a value.
TEST(Accumulator, has_the_difference_of_the_last_sample_and_the_last_one_before) {
  Accumulator gathered(Operation::difference, {MissingSamples::skip, {9.0}}, 4);
  take(gathered, {1, 5, 5, 5});
  take(gathered, {2, 9, nan, 6});
  EXPECT_EQ(results_of(gathered), (std::vector<double>{-99, -99, -99, -99}));
  gathered.clear();
  take(gathered, {7, 7, 7, 9});
  take(gathered, {4, 4, 4, 8});
  const std::vector<double> second = results_of(gathered);
  EXPECT_EQ((std::vector{second[0], second[1], second[3]}), (std::vector<double>{2, -99, 2}));
  EXPECT_TRUE(std::isnan(second[2]));
  gathered.clear();
  take(gathered, {5, 5, 5, 9});
  EXPECT_EQ(results_of(gathered), (std::vector<double>{1, 1, 1, -99}));
  gathered.clear();
  gathered.clear();  // an interval without a sample
  take(gathered, {5, 5, 5, 5});
  EXPECT_EQ(results_of(gathered), (std::vector<double>{-99, -99, -99, -99}));
}

TEST(Accumulator, counts_a_difference_from_what_was_kept_of_it) {
  for (const bool is_cut_at_the_end : {false, true}) {
    Accumulator before(Operation::difference, {MissingSamples::skip, {9.0}}, 3), behind = before;
    take(before, {1, 2, 9});
    before.clear();
    take(before, {3, 9, 9});
    if (is_cut_at_the_end) before.clear();
    Accumulator::OfCells cells = before.of_cells();
    if (is_cut_at_the_end) cells.weights[1] = -1.0;  // no rank had it
    behind.restore(before.taken(), cells);
    take(behind, {8, 8, 8});
    EXPECT_EQ(results_of(behind),
              is_cut_at_the_end ? (std::vector<double>{5, -99, -99}) : (std::vector<double>{7, 6, -99}));
  }
}

TEST(Accumulator, has_no_last_value_of_cells_that_are_in_no_part) {
  Accumulator gathered(Operation::difference, {}, 3);
  take(gathered, {1, 1, 1});
  gathered.clear();
  take(gathered, {2, 3, 4});
  gathered.begin_part(1.0, true);
  gathered.add({}, 0, std::vector<double>{5});
  gathered.begin_part(1.0, false);
  gathered.add({}, 2, std::vector<double>{6});
  EXPECT_EQ(results_of(gathered), (std::vector<double>{4, -99, 5}));
}

// In the middle of the samples it goes on as another one, on other cells.
TEST(Accumulator, goes_on_from_what_was_kept_of_it) {
  const std::vector<std::vector<double>> samples = {{1, 7, 3, 9}, {2.5, 5, 9, 9}, {3, 4, 9, 9}, {1.1, 9, 4, 9}};
  for (const MissingRule& rule :
       {MissingRule{}, MissingRule{MissingSamples::skip, {9.0}}, MissingRule{MissingSamples::propagate, {9.0}}})
    for (const Operation operation : {Operation::mean, Operation::sum, Operation::min, Operation::max, Operation::rms,
                                      Operation::std, Operation::count})
      for (std::size_t cut = 0; cut <= samples.size(); ++cut) {
        Accumulator whole(operation, rule, 4), before(operation, rule, 4), behind(operation, rule, 4);
        for (std::size_t n = 0; n < samples.size(); ++n) {
          take(whole, samples[n], 0.1 + static_cast<double>(n));
          if (n == cut) behind.restore(before.taken(), before.of_cells());
          take(n < cut ? before : behind, samples[n], 0.1 + static_cast<double>(n));
        }
        if (cut == samples.size()) behind.restore(before.taken(), before.of_cells());
        EXPECT_EQ(whole.results(Type::float64, element_of(-99.0), 0.5),
                  behind.results(Type::float64, element_of(-99.0), 0.5))
            << name_of(operation) << " cut at " << cut;
      }
}

TEST(Accumulator, has_no_samples_of_cells_that_were_not_kept) {
  Accumulator gathered(Operation::max, {}, 2);
  gathered.restore({2, 2.0}, {{5.0, 1e36}, {}, {}, {2.0, -1.0}});
  EXPECT_EQ(results_of(gathered), (std::vector<double>{5.0, -99.0}));
  take(gathered, {3.0, 3.0});
  EXPECT_EQ(results_of(gathered), (std::vector<double>{5.0, 3.0}));
  EXPECT_EQ(results_of(gathered, 0.5), (std::vector<double>{5.0, -99.0}));
}

TEST(Accumulator, leaves_out_what_a_mask_says) {
  const std::vector<std::uint8_t> holds = {1, 0, 1};
  for (const MissingRule rule :
       {MissingRule{}, MissingRule{MissingSamples::skip, {9.0}}, MissingRule{MissingSamples::skip, {nan}}}) {
    Accumulator gathered(Operation::mean, rule, 3);
    gathered.add({1.0}, 0, std::vector<double>{1, nan, 3});
    gathered.end_sample(1.0);
    gathered.add({1.0}, 0, std::vector<double>{3, 7, 5}, holds);
    gathered.end_sample(1.0);
    gathered.add({2.0}, 0, std::vector<double>{4, 2, 4}, std::vector<std::uint8_t>{1, 1, 1});
    gathered.end_sample(2.0);
    const std::vector<double> results = results_of(gathered);
    EXPECT_EQ(results[0], 3.0);
    EXPECT_EQ(results[2], 4.0);
    if (!rule.values.empty() && std::isnan(rule.values[0]))
      EXPECT_EQ(results[1], 2.0);
    else
      EXPECT_TRUE(std::isnan(results[1]));
  }
}

TEST(Accumulator, takes_nothing_of_a_first_sample_without_weight_where_weights_count) {
  for (const MissingRule& missing : {MissingRule{}, MissingRule{.values = {5.0}}})
    for (const Operation operation : {Operation::mean, Operation::rms, Operation::std}) {
      Accumulator with(operation, missing, 2), without(operation, missing, 2);
      take(with, {100.0, 5.0}, 0.0);
      for (Accumulator* each : {&with, &without}) {
        take(*each, {1.0, 2.0}, 1.0);
        take(*each, {4.0, 8.0}, 3.0);
      }
      EXPECT_EQ(results_of(with), results_of(without));
    }
}

TEST(Accumulator, asks_for_the_least_valid_part_of_the_weights) {
  Accumulator gathered(Operation::mean, {MissingSamples::skip, {9.0}}, 1);
  take(gathered, {9}, 1);
  take(gathered, {4}, 3);
  EXPECT_EQ(results_of(gathered, 0.75)[0], 4.0);
  EXPECT_EQ(results_of(gathered, 0.76)[0], -99.0);
}

TEST(Accumulator, takes_NaN_for_a_sample_unless_it_is_the_missing_value) {
  const std::vector<std::vector<double>> samples = {{1, nan}, {nan, nan}, {3, nan}};
  for (const Operation operation : {Operation::mean, Operation::min, Operation::max, Operation::sum})
    for (const double result : of_samples(operation, samples)) EXPECT_TRUE(std::isnan(result)) << name_of(operation);
  const MissingRule nan_is_none{MissingSamples::skip, {nan}};
  EXPECT_EQ(of_samples(Operation::mean, samples, nan_is_none), (std::vector<double>{2, -99}));
  EXPECT_EQ(of_samples(Operation::min, samples, nan_is_none), (std::vector<double>{1, -99}));
}

TEST(Accumulator, begins_anew_when_it_is_cleared) {
  Accumulator gathered(Operation::max, {MissingSamples::skip, {9.0}}, 2);
  take(gathered, {5, 9});
  gathered.clear();
  EXPECT_FALSE(gathered.has_samples());
  EXPECT_EQ(results_of(gathered), (std::vector<double>{-99, -99}));
  take(gathered, {1, 2});
  EXPECT_EQ(results_of(gathered), (std::vector<double>{1, 2}));
}

TEST(Accumulator, gives_results_of_any_type) {
  Accumulator gathered(Operation::max, {}, 2);
  take(gathered, {7, -7});
  for (const Type type : {Type::int8, Type::int16, Type::int32, Type::float32, Type::float64}) {
    const std::vector<std::byte> bytes = gathered.results(type, {}, 0.0);
    std::vector<double> values(2);
    ASSERT_EQ(bytes.size(), 2 * size_of(type));
    load_numbers(type, bytes.data(), static_cast<std::int64_t>(size_of(type)), values.data(), 2);
    EXPECT_EQ(values, (std::vector<double>{7, -7})) << name_of(type);
  }
}

// A spread that is small beside the mean is where sums of squares lose their digits.
TEST(Accumulator, keeps_the_digits_of_a_small_spread) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> off(-1e-4, 1e-4);
  Accumulator gathered(Operation::std, {}, 1);
  long double sum = 0, squares = 0;
  std::vector<double> samples;
  for (int n = 0; n < 2000; ++n) samples.push_back(1e5 + off(random));
  for (const double sample : samples) {
    take(gathered, {sample});
    sum += sample;
  }
  for (const double sample : samples) {
    const long double distance = sample - sum / 2000;
    squares += distance * distance;
  }
  const double wanted = static_cast<double>(std::sqrt(squares / 2000));
  EXPECT_NEAR(results_of(gathered)[0], wanted, 1e-6 * wanted);
}

}  // namespace
}  // namespace thalweg::fields
