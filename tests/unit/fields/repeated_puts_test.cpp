#include "fields/repeated_puts.hpp"

#include <gtest/gtest.h>

namespace thalweg::fields {
namespace {

put::Field numbers_in_row(const std::vector<double>& values) {
  return {reinterpret_cast<const std::byte*>(values.data()), Type::float64, {std::ssize(values)}, {8}};
}

// -999 stands for none; two puts of a step have it as their mean, in the first cell.
TEST(RepeatedPuts, are_never_missing_by_chance) {
  const MissingRule rule{config::MissingSamples::skip, {-999.0}};
  RepeatedPuts repeated({config::RepeatedPuts::mean, rule.samples}, rule.values, {{{0}, {3}}});
  const std::vector<double> first{-998.0, -999.0, 2.0}, second{-1000.0, -999.0, 4.0};
  for (const std::vector<double>& values : {first, second}) {
    const Sample sample(numbers_in_row(values));
    repeated.put(0, {sample, {}, nullptr, false, {}});
  }
  Accumulator gathered(config::Operation::count, rule, 3);
  repeated.end_step([&](int, const PutSample& put) {
    const Weighed all{&gathered, 1.0};
    begin_sample(std::span(&all, 1), put, true);
    add_values(std::span(&all, 1), put);
  });
  EXPECT_EQ(gathered.of_cells().values, (std::vector<double>{1.0, 0.0, 1.0}));
}

}  // namespace
}  // namespace thalweg::fields
