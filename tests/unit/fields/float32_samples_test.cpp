// Samples of float32 are taken as they lie in the model's array, and kept so where that is exact: every result is, bit
// by bit, what comes of the same numbers as float64, cell by cell.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <random>

#include "base/numbers.hpp"
#include "fields/accumulator.hpp"
#include "fields/kept_values.hpp"
#include "fields/numbers.hpp"
#include "fields/operation.hpp"

namespace thalweg::fields {
namespace {

using config::MissingSamples;
using config::Operation;

constexpr Operation operations[] = {Operation::mean,  Operation::sum,        Operation::min, Operation::max,
                                    Operation::count, Operation::difference, Operation::rms, Operation::std};
constexpr float missing_single = 1e20F;

// An array with a halo, whose rows are short or long, and where it begins.
struct HaloArray {
  std::vector<std::byte> bytes;
  put::Field field;
};

HaloArray halo_array_of(const std::vector<float>& values, std::int64_t rows, std::int64_t halo, std::size_t shift) {
  const auto columns = static_cast<std::int64_t>(values.size()) / rows, stride = columns + halo;
  HaloArray array{std::vector<std::byte>(static_cast<std::size_t>(rows * stride) * 4 + shift), {}};
  for (std::int64_t row = 0; row < rows; ++row)
    std::memcpy(array.bytes.data() + shift + row * stride * 4, values.data() + row * columns,
                static_cast<std::size_t>(columns) * 4);
  array.field = {array.bytes.data() + shift, Type::float32, Index{rows, columns}, Index{stride * 4, 4}};
  return array;
}

// The same numbers, of which nobody knows that float32 has them.
class AsDoubles : public Strips {
 public:
  explicit AsDoubles(const std::vector<float>& values) : values_(values.begin(), values.end()) {}
  void for_each_strip(const Use& use) const override {
    for (std::size_t at = 0; at < values_.size(); at += strip_cells)
      use(static_cast<std::int64_t>(at), std::span(values_).subspan(at, std::min(strip_cells, values_.size() - at)));
  }

 private:
  std::vector<double> values_;
};

struct Case {
  std::int64_t rows, columns, halo;
  std::size_t shift;  // bytes by which the array is off
};

class Float32Samples : public testing::TestWithParam<Case> {
 protected:
  std::vector<float> numbers(bool has_missing) {
    std::vector<float> made(static_cast<std::size_t>(GetParam().rows * GetParam().columns));
    for (float& number : made) {
      number = std::ldexp(static_cast<float>(random() % 2001) - 1000.0F, static_cast<int>(random() % 9) - 4);
      if (has_missing && random() % 3 == 0) number = missing_single;
      if (random() % 97 == 0) number = -0.0F;
      if (random() % 501 == 0) number = std::numeric_limits<float>::infinity();
    }
    return made;
  }
  std::mt19937 random{GetParam().shift == 0 ? 3U : 5U};
};

void add(Accumulator& to, const PutSample& put) {
  const Weighed all[] = {{&to, put.weight.by_time}};
  begin_sample(all, put, true);
  add_values(all, put);
}

bool are_same(const Accumulator& one, const Accumulator& other) {
  const auto of = [](const Accumulator& each) {
    std::vector<std::byte> bytes = each.results(Type::float32, element_of(-1.0F), 0.3);
    const auto more = each.results(Type::float64, element_of(-1.0), 0.0);
    bytes.insert(bytes.end(), more.begin(), more.end());
    for (const auto& kept : {each.of_cells().values, each.of_cells().weights})
      for (const double number : kept)
        for (const std::byte byte : std::as_bytes(std::span(&number, 1))) bytes.push_back(byte);
    return bytes;
  };
  return of(one) == of(other);
}

TEST_P(Float32Samples, give_what_the_same_numbers_of_float64_give) {
  const auto [rows, columns, halo, shift] = GetParam();
  for (const Operation operation : operations)
    for (const bool has_missing : {false, true})
      for (const MissingSamples samples : {MissingSamples::skip, MissingSamples::propagate}) {
        MissingRule rule{samples};
        if (has_missing) rule.values = {missing_single};
        Accumulator singles(operation, rule, rows * columns), doubles = singles;
        for (int step = 0; step < 7; ++step) {
          const std::vector<float> values = numbers(has_missing && step > 1);
          const HaloArray array = halo_array_of(values, rows, halo, shift);
          const Sample sample(array.field);
          const AsDoubles as_doubles(values);
          std::vector<std::uint8_t> holding;
          if (step == 4)
            for (std::size_t i = 0; i < values.size(); ++i) holding.push_back(random() % 4 == 0 ? 0 : 3);
          const SampleWeight weight{0.5 * step, 1.0};
          PutSample put{sample, holding, nullptr, true, weight};
          put.array = &sample;
          add(singles, put);
          add(doubles, {as_doubles, holding, nullptr, true, weight});
          ASSERT_TRUE(are_same(singles, doubles)) << name_of(operation) << ' ' << has_missing << ' ' << step;
          if (step == 2 || step == 5) {
            singles.restore(singles.taken(), singles.of_cells());
            ASSERT_TRUE(are_same(singles, doubles)) << name_of(operation) << " restored";
          }
          if (step == 3) {
            singles.clear();
            doubles.clear();
          }
        }
      }
}

// Cell by cell, as each is defined.
struct Plain {
  std::vector<double> values, squares, weights;
  double total = 0.0;
};

void take(Plain& to, Operation operation, MissingSamples missing, const std::vector<float>& values, double weight) {
  to.total += weight;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = values[i];
    if (values[i] == missing_single) {
      if (missing == MissingSamples::propagate) to.weights[i] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    to.weights[i] += weight;
    if (operation == Operation::mean) to.values[i] += weight * x;
    if (operation == Operation::max) to.values[i] = std::max(to.values[i], x);
    if (operation != Operation::std) continue;
    const double distance = x - to.values[i];
    const double part = to.weights[i] == 0.0 ? 0.0 : weight / to.weights[i];
    const double mean = to.values[i] + distance * part;
    to.squares[i] += weight * distance * (x - mean);
    to.values[i] = mean;
  }
}

// Of what is restored in the middle, too.
TEST_P(Float32Samples, may_have_none_on_land_that_stays_or_changes) {
  const auto [rows, columns, halo, shift] = GetParam();
  const auto cells = static_cast<std::size_t>(rows * columns);
  for (const Operation operation : {Operation::mean, Operation::max, Operation::std})
    for (const MissingSamples samples : {MissingSamples::skip, MissingSamples::propagate})
      for (const int changes_at : {0, 1, 3, 9}) {
        Accumulator gathered(operation, {samples, {missing_single}}, rows * columns);
        const double start = operation == Operation::max ? -std::numeric_limits<double>::infinity() : 0.0;
        Plain plain{std::vector<double>(cells, start), std::vector<double>(cells), std::vector<double>(cells)};
        for (int step = 0; step < 5; ++step) {
          std::vector<float> values = numbers(false);
          for (float& value : values) value = std::isfinite(value) ? value : 0.0F;
          const std::size_t period = step < changes_at ? 3 : 4;
          for (std::size_t i = 0; i < cells; i += period) values[i] = missing_single;
          const HaloArray array = halo_array_of(values, rows, halo, shift);
          const Sample sample(array.field);
          const SampleWeight weight{step == 0 ? 0.0 : 0.5 * step, 1.0};
          PutSample put{sample, {}, nullptr, true, weight};
          put.array = &sample;
          add(gathered, put);
          take(plain, operation, samples, values, weight.by_time);
          if (step == 2) gathered.restore(gathered.taken(), gathered.of_cells());
          const auto kept = gathered.of_cells();
          for (std::size_t i = 0; i < cells; ++i) {
            ASSERT_TRUE(is_same(kept.weights[i], plain.weights[i])) << step << ' ' << i;
            ASSERT_TRUE(std::isnan(plain.weights[i]) || kept.values[i] == plain.values[i]) << step << ' ' << i;
            if (operation == Operation::std)
              ASSERT_TRUE(std::isnan(plain.weights[i]) || kept.squares[i] == plain.squares[i]) << step << ' ' << i;
          }
        }
      }
}

// An extreme is no more a float32 when a number comes that is none, or a part.
TEST_P(Float32Samples, go_together_with_other_numbers_and_parts) {
  const auto [rows, columns, halo, shift] = GetParam();
  for (const Operation operation : {Operation::min, Operation::max}) {
    Accumulator mixed(operation, {}, rows * columns), doubles = mixed;
    const std::vector<float> values = numbers(false);
    const HaloArray array = halo_array_of(values, rows, halo, shift);
    const Sample sample(array.field);
    PutSample put{sample, {}, nullptr, true, {}};
    put.array = &sample;
    const AsDoubles as_doubles(values);
    const double tenth[] = {0.1, operation == Operation::min ? -1e9 - 0.1 : 1e9 + 0.1};
    const Part part{Index{0, 0}, Index{1, 2}, Index{rows, columns}};
    const std::vector<float> two = {-77.5F, 77.5F};
    const AsDoubles of_two(two);
    for (Accumulator* each : {&mixed, &doubles}) {
      add(*each, each == &mixed ? put : PutSample{as_doubles, {}, nullptr, true, {}});
      each->add({}, 1, std::span(tenth));
      add(*each, {of_two, {}, &part, true, {}});
      add(*each, each == &mixed ? put : PutSample{as_doubles, {}, nullptr, true, {}});
    }
    EXPECT_TRUE(are_same(mixed, doubles));
    EXPECT_EQ(mixed.of_cells().values[2], tenth[1]);
  }
}

double number_in(const KeptValues& kept, std::int64_t cell) {
  double number = 0.0;
  kept.from(cell).with_numbers([&](const auto* numbers) { number = *numbers; });
  return number;
}

TEST_P(Float32Samples, are_kept_as_they_are) {
  const auto [rows, columns, halo, shift] = GetParam();
  const std::vector<float> values = numbers(true);
  const HaloArray array = halo_array_of(values, rows, halo, shift);
  const Sample sample(array.field);
  std::vector<std::uint8_t> holding(values.size(), 1);
  holding[1] = 0;
  PutSample put{sample, holding, nullptr, true, {}};
  put.array = &sample;
  KeptValues kept;
  kept.keep(put, {missing_single}, rows * columns);
  const auto require = [&](std::size_t from) {
    for (std::size_t at = from; at < values.size(); ++at) {
      const double found = number_in(kept, static_cast<std::int64_t>(at));
      const bool is_none = values[at] == missing_single || at == 1;
      ASSERT_TRUE(is_none ? std::isnan(found) : found == values[at]) << at;
    }
  };
  EXPECT_EQ(kept.cells(), rows * columns);
  require(0);
  const Part part{Index{0, 0}, Index{1, 2}, Index{rows, columns}};
  const std::vector<float> two = {missing_single, 77.5F};
  const AsDoubles of_two(two);
  kept.begin_part(rows * columns, false);
  kept.keep_part({of_two, {}, &part, false, {}}, {});
  require(2);
  EXPECT_EQ(number_in(kept, 0), static_cast<double>(missing_single));
  EXPECT_EQ(number_in(kept, 1), 77.5);
  kept.begin_part(rows * columns, true);
  EXPECT_TRUE(std::isnan(number_in(kept, 1)));
}

// One row, long and short ones, of more and fewer cells than a strip, and numbers that lie across words.
INSTANTIATE_TEST_SUITE_P(Arrays, Float32Samples,
                         testing::Values(Case{1, 3000, 0, 0}, Case{3, 1025, 2, 0}, Case{40, 77, 1, 0}, Case{2, 7, 0, 0},
                                         Case{3, 700, 1, 2}));

}  // namespace
}  // namespace thalweg::fields
