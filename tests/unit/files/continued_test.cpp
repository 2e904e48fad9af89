#include "files/continued.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

#include "files/read_points.hpp"
#include "formats/record_times.hpp"
#include "formats/sample_variable.hpp"
#include "formats/time_units.hpp"

namespace thalweg::files {
namespace {

using catalog::Definition;
using catalog::Variable;
using formats::sample::variable_named;

// ---- how much is kept

TEST(Continued, keeps_records_up_to_the_start_of_the_run) {
  const std::vector<double> times_s = {0.0, 60.0, 120.0, 180.0};
  EXPECT_EQ(kept_records(times_s, 0.0, 120.0, false), 3);
  EXPECT_EQ(kept_records(times_s, 0.0, 120.0 - 1e-7, false), 3) << "times are sums of steps";
  EXPECT_EQ(kept_records(times_s, 0.0, 119.0, false), 2);
  EXPECT_EQ(kept_records(times_s, 0.0, 120.0, true), 2) << "the run writes its start itself";
  EXPECT_EQ(kept_records(times_s, 0.0, 1e9, true), 4);
  EXPECT_EQ(kept_records(times_s, 0.0, -1.0, false), 0);
  EXPECT_EQ(kept_records({}, 0.0, 0.0, false), 0);
  EXPECT_EQ(kept_records({0.0, 60.0, 120.4}, 0.5, 120.0, false), 3) << "times of a type that rounds them";
  EXPECT_EQ(kept_records({0.0, 60.0, 120.4}, 0.5, 120.0, true), 2);
}

// ---- what can go on

Definition ocean() {
  Definition definition;
  definition.record_dimension = "time";
  definition.dimensions = {{"y", 4}, {"x", 3}};
  definition.variables = {variable_named("time", Type::float64, true, {}),
                          variable_named("mask", Type::int32, false, {0, 1}),
                          variable_named("temp", Type::float32, true, {0, 1})};
  for (Variable& variable : definition.variables) variable.attributes = {catalog::text_attribute("units", "m")};
  return definition;
}

TEST(Continued, goes_on_with_a_file_of_the_same_shape_whatever_else_it_says) {
  Definition found = ocean();
  found.format = config::format_named("cdf5");
  std::swap(found.variables[1], found.variables[2]);
  std::swap(found.dimensions[0], found.dimensions[1]);
  for (Variable& variable : found.variables) {
    if (!variable.dimensions.empty()) variable.dimensions = {1, 0};
    variable.attributes.push_back(catalog::text_attribute("long_name", "another"));
  }
  found.attributes = {catalog::text_attribute("history", "another")};
  EXPECT_EQ(difference_in_shape(ocean(), -1, found), "");
}

TEST(Continued, names_the_first_thing_that_is_not_as_it_was) {
  const auto difference_when = [](auto&& change) {
    Definition found = ocean();
    change(found);
    return difference_in_shape(ocean(), 0, found);
  };
  EXPECT_EQ(difference_when([](Definition& of) { of.dimensions[0].size = 5; }),
            "variable 'mask' is int32(y = 5, x = 3) there and int32(y = 4, x = 3) in this run");
  EXPECT_EQ(difference_when([](Definition& of) { of.variables[2].type = Type::float64; }),
            "variable 'temp' is float64(time, y = 4, x = 3) there and float32(time, y = 4, x = 3) in this run");
  EXPECT_EQ(difference_when([](Definition& of) { of.variables[2].has_record = false; }),
            "variable 'temp' is float32(y = 4, x = 3) there and float32(time, y = 4, x = 3) in this run");
  EXPECT_EQ(difference_when([](Definition& of) { of.variables.pop_back(); }),
            "variable 'temp' of this run is not there");
  EXPECT_EQ(difference_when([](Definition& of) { of.variables[2].name = "salt"; }),
            "variable 'salt' is there, but not in this run");
  EXPECT_EQ(difference_when([](Definition& of) { of.record_dimension = "t"; }),
            "its record dimension is 't', and not 'time'");
  EXPECT_EQ(difference_when([](Definition& of) { of.variables[2].attributes[0].text = "cm"; }),
            "attribute 'units' of variable 'temp' is 'cm' in that file and 'm' in this run");
  EXPECT_EQ(difference_when([](Definition& of) { of.variables[2].attributes.clear(); }),
            "attribute 'units' of variable 'temp' is not there in that file and 'm' in this run");
  const float fill = 1e20F;
  EXPECT_EQ(
      difference_when([&](Definition& of) {
        of.variables[2].attributes.push_back(
            catalog::attribute_of("_FillValue", Type::float32, std::as_bytes(std::span(&fill, 1))));
      }),
      "attribute '_FillValue' of variable 'temp' is 1.0000000200408773e+20 (float32) in that file and not there in "
      "this run");
  EXPECT_EQ(difference_when([](Definition& of) { of.variables[0].attributes[0].text = "days since 1900-01-01"; }), "")
      << "Thalweg computes its own coordinate anew";
}

// ---- a file in memory

class MemoryFile final : public formats::ReadableFile {
 public:
  explicit MemoryFile(Definition definition) : definition_(std::move(definition)) {}
  const Definition& definition() const override { return definition_; }
  std::int64_t records() const override { return records_; }
  void read(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    ++reads;
    const Variable& variable = definition_.variable(v);
    const Index shape = definition_.shape(variable);
    const Index stride = contiguous_strides(shape, 1);
    std::byte* place = values.data();
    for (std::int64_t i = 0; i < shape.product(); ++i) {
      bool is_inside = true;
      for (int d = 0; d < shape.rank(); ++d) {
        const std::int64_t at = i / stride[d] % shape[d];
        is_inside &= at >= box.start[d] && at < box.stop(d);
      }
      if (!is_inside) continue;
      const double value = times.empty() ? static_cast<double>(100000 * record + i) : times[std::size_t(record)];
      std::memcpy(place, &value, sizeof value);
      place += sizeof value;
    }
    EXPECT_EQ(place, values.data() + values.size());
  }

  std::vector<double> times;
  std::int64_t records_ = 2;
  int reads = 0;

 private:
  Definition definition_;
};

Definition land(std::int64_t levels, std::int64_t points, std::int64_t kinds) {
  Definition definition;
  definition.dimensions = {{"z", levels}, {"point", points}, {"kind", kinds}};
  definition.variables = {variable_named("carbon", Type::float64, true, {0, 1, 2})};
  return definition;
}

TEST(ReadPoints, puts_every_point_to_its_place_by_windows_of_any_size) {
  constexpr std::int64_t levels = 3, points = 40, kinds = 2, record = 1;
  std::mt19937 random(7);
  for (int turn = 0; turn < 200; ++turn) {
    std::vector<std::int64_t> index(points);
    std::iota(index.begin(), index.end(), 0);
    if (turn % 2 == 0) std::ranges::shuffle(index, random);
    index.resize(1 + random() % points);
    for (std::int64_t& each : index)
      if (random() % 5 == 0) each = -1;
    const geometry::IndexList list = geometry::index_list("point", Index{points}, index, 0, config::Owner::error);
    MemoryFile file(land(levels, points, kinds));
    std::vector<double> values(levels * index.size() * kinds, -1.0);
    const auto window = static_cast<std::int64_t>(random() % 2000);
    read_points(file, 0, record, {levels, std::ssize(index), kinds}, {1}, list.runs,
                std::as_writable_bytes(std::span(values)), window);
    for (std::int64_t z = 0; z < levels; ++z)
      for (std::int64_t p = 0; p < std::ssize(index); ++p)
        for (std::int64_t k = 0; k < kinds; ++k) {
          const std::int64_t global = index[std::size_t(p)];
          const double wanted = global < 0 ? -1.0 : static_cast<double>(100000 + (z * points + global) * kinds + k);
          ASSERT_EQ(values[std::size_t((z * std::ssize(index) + p) * kinds + k)], wanted) << turn << " " << window;
        }
  }
}

// The file has rows of 8 points, of which whole ones are read.
TEST(ReadPoints, reads_whole_rows_of_dimensions_that_are_joined) {
  constexpr std::int64_t levels = 3, rows = 5, columns = 8;
  std::mt19937 random(9);
  for (int turn = 0; turn < 100; ++turn) {
    std::vector<std::int64_t> index(rows * columns);
    std::iota(index.begin(), index.end(), 0);
    std::ranges::shuffle(index, random);
    index.resize(1 + random() % index.size());
    const geometry::IndexList list = geometry::index_list("y,x", Index{rows * columns}, index, 0, config::Owner::error);
    Definition grid = land(levels, rows, columns);
    MemoryFile file(grid);
    std::vector<double> values(levels * index.size(), -1.0);
    read_points(file, 0, 1, {levels, std::ssize(index)}, {1, {1, {rows, columns}}}, list.runs,
                std::as_writable_bytes(std::span(values)), static_cast<std::int64_t>(random() % 2000));
    for (std::int64_t z = 0; z < levels; ++z)
      for (std::int64_t p = 0; p < std::ssize(index); ++p)
        ASSERT_EQ(values[std::size_t(z * std::ssize(index) + p)],
                  static_cast<double>(100000 + z * rows * columns + index[std::size_t(p)]));
  }
}

TEST(ReadPoints, reads_neighbours_at_once) {
  MemoryFile file(land(1, 1000, 1));
  std::vector<geometry::IndexRun> runs;
  for (std::int64_t i = 0; i < 500; ++i) runs.push_back({i, 2 * i, 1});
  std::vector<double> values(500);
  read_points(file, 0, 0, {1, 500, 1}, {1}, runs, std::as_writable_bytes(std::span(values)));
  EXPECT_EQ(file.reads, 1);
  EXPECT_EQ(values[499], 998.0);
}

// ---- when records were

Definition with_times(const std::string& units, const std::string& calendar) {
  Definition definition;
  definition.record_dimension = "time";
  Variable time = variable_named("time", Type::float64, true, {});
  time.attributes = {catalog::text_attribute("units", units), catalog::text_attribute("calendar", calendar)};
  definition.variables = {time};
  return definition;
}

std::string times_of(const std::string& units, const std::string& calendar, std::vector<double> values) {
  MemoryFile file(with_times(units, calendar));
  file.times = std::move(values);
  file.records_ = std::ssize(file.times);
  const formats::RunStart start{Calendar::noleap, {.year = 2000, .month = 1, .day = 1}, 0.0};
  try {
    return fmt::format("{}", fmt::join(formats::record_times(file, "a.nc", start).times_s, " "));
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(RecordTimes, are_counted_as_the_run_counts_its_own) {
  EXPECT_EQ(times_of("seconds since 2000-01-01 00:00:00", "noleap", {0.1, 1e9 + 0.3}), "0.1 1000000000.3");
  EXPECT_EQ(times_of("hours since 2000-01-01", "365_day", {0.0, 1.5}), "0 5400");
  EXPECT_EQ(times_of("days since 1999-12-31", "noleap", {1.0, 2.0}), "0 86400");
  EXPECT_EQ(times_of("days since 1999-12-31", "", {1.0}), "0");
  EXPECT_EQ(times_of("days since 1999-12-31", "NOLEAP ", {1.0}), "0");
  EXPECT_EQ(times_of("hours since 1999-12-31 23:00:00.0 -1:00", "365_day", {0.0}), "0");
}

TEST(RecordTimes, are_the_same_in_both_gregorian_calendars_where_these_have_the_same_days) {
  const formats::RunStart start{Calendar::standard, {.year = 2000, .month = 1, .day = 1}, 0.0};
  std::string why;
  const auto scale =
      formats::TimeScale::understood("days since 0001-01-01", "proleptic_gregorian", start, &why).value();
  const auto at = [&](double days) { return scale.own_time(days, &why); };
  EXPECT_EQ(at(730119.0), 0.0);
  EXPECT_EQ(at(577735.0), -152384 * 86400.0);  // 1582-10-15
  EXPECT_EQ(at(577734.0), std::nullopt);
}

TEST(RecordTimes, that_cannot_be_understood_are_named) {
  EXPECT_EQ(
      times_of("days since 2000-01-01", "360_day", {0.0}),
      "the time of record 0 of 'a.nc' cannot be read: it is of the calendar '360_day', and this run of 'noleap'; a "
      "file that is named below 'forcing' is translated");
  EXPECT_EQ(times_of("days since 2000-01-01", "lunar", {0.0}),
            fmt::format("the time of record 0 of 'a.nc' cannot be read: its calendar is 'lunar', and none of {}; 'cdo "
                        "setcalendar' or 'ncatted' gives the file such a one",
                        formats::known_calendars));
  EXPECT_EQ(
      times_of("fortnights since 2000-01-01", "noleap", {0.0}),
      fmt::format("the time of record 0 of 'a.nc' cannot be read: its times are in 'fortnights since 2000-01-01', "
                  "and not in {}; 'cdo setreftime' or 'ncatted' gives the file such units",
                  formats::forms_of_time_units));
  EXPECT_EQ(times_of("days since 2000-01-01", "noleap", {1e30}),
            "the time of record 0 of 'a.nc' cannot be read: it has the time 1e+30 days since 2000-01-01");
  MemoryFile file(land(1, 1, 1));
  EXPECT_THROW(formats::record_times(file, "a.nc", {}), Error);
}

}  // namespace
}  // namespace thalweg::files
