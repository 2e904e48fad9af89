// Parts of a sample that several threads add: each is begun by one thread at a time, and values are added by all at
// once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "fields/accumulator.hpp"

namespace thalweg::fields {
namespace {

using config::MissingSamples;
using config::Operation;

constexpr std::int64_t all_cells = 4000, part_cells = 50;
constexpr int part_count = all_cells / part_cells, thread_count = 4, sample_count = 5;

double weight_of(int part) {
  return 1.0 + part % 3;
}

void add_part(Accumulator& into, int part, int sample) {
  std::vector<double> values;
  std::vector<std::uint8_t> holds;
  for (std::int64_t cell = part * part_cells; cell < (part + 1) * part_cells; ++cell) {
    values.push_back(cell % 11 == sample ? -1.0 : std::sin(static_cast<double>(cell * (sample + 1))));
    holds.push_back(cell % 13 == sample ? 0 : 1);
  }
  into.add({weight_of(part)}, part * part_cells, values, holds);
}

std::vector<std::byte> half_valid_results(const Accumulator& of) {
  const double fill = -99.0;
  Element element{};
  std::memcpy(element.data(), &fill, sizeof fill);
  return of.results(Type::float64, element, 0.5);
}

// Parts of a thread are those of its number; it begins with the last ones.
void take_by_threads(Accumulator& into, int sample) {
  std::mutex noting;
  bool is_first = true;
  std::vector<std::thread> all;
  for (int thread = 0; thread < thread_count; ++thread)
    all.emplace_back([&, thread] {
      for (int part = part_count - 1 - thread; part >= 0; part -= thread_count) {
        {
          const std::lock_guard lock(noting);
          into.begin_part(weight_of(part), std::exchange(is_first, false));
        }
        add_part(into, part, sample);
      }
    });
  for (std::thread& thread : all) thread.join();
}

TEST(PartsByThreads, have_the_bits_of_one_thread) {
  for (const MissingRule& rule :
       {MissingRule{}, MissingRule{MissingSamples::skip, {-1.0}}, MissingRule{MissingSamples::propagate, {-1.0}}})
    for (const Operation operation : {Operation::mean, Operation::sum, Operation::min, Operation::max, Operation::rms,
                                      Operation::std, Operation::count, Operation::difference}) {
      Accumulator of_one(operation, rule, all_cells), of_several(operation, rule, all_cells);
      for (int sample = 0; sample < sample_count; ++sample) {
        for (int part = 0; part < part_count; ++part) {
          of_one.begin_part(weight_of(part), part == 0);
          add_part(of_one, part, sample);
        }
        take_by_threads(of_several, sample);
      }
      EXPECT_EQ(half_valid_results(of_several), half_valid_results(of_one)) << name_of(operation);
    }
}

// So that it does not depend on which part is the first.
TEST(PartsByThreads, weigh_what_the_greatest_of_them_does) {
  for (const bool is_light_first : {true, false}) {
    Accumulator gathered(Operation::mean, {}, 2);
    for (const std::int64_t cell : {is_light_first ? 0 : 1, is_light_first ? 1 : 0}) {
      gathered.begin_part(cell == 0 ? 1.0 : 4.0, cell == (is_light_first ? 0 : 1));
      gathered.add({cell == 0 ? 1.0 : 4.0}, cell, std::vector<double>{5.0});
    }
    std::vector<double> results(2);
    std::memcpy(results.data(), half_valid_results(gathered).data(), 2 * sizeof(double));
    EXPECT_THAT(results, testing::ElementsAre(-99.0, 5.0)) << "valid: 0.5";
  }
}

}  // namespace
}  // namespace thalweg::fields
