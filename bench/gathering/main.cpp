// What a put of a field costs the model that means and extremes are made of, beside one pass over the same memory.
//
//   thalweg_bench_fields CELLS ROUNDS
//
// Prints a JSON object: seconds of each round for each way. One rank.
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "seconds_of_ways.hpp"
#include "thalweg.hpp"

namespace {

constexpr const char* settings = R"(
report: none
time-step: 1 h
collections:
  one: {file: one.nc, every: 1 year, operation: mean, partial: drop, fields: [one]}
  three:
    file: three.nc
    every: 1 year
    partial: drop
    fields: [{from: three, operation: mean}, {from: three, operation: min}, {from: three, operation: max}]
  missing: {file: missing.nc, every: 1 year, operation: mean, partial: drop, fields: [missing, changing]}
  speed:
    file: speed.nc
    every: 1 year
    operation: mean
    partial: drop
    fields: [{name: speed, type: float64, expression: 'sqrt(u^2 + v^2 + w^2)'}]
  levels:
    file: levels.nc
    every: 1 year
    operation: mean
    partial: drop
    vertical: {coordinate: p, to: [1000, 925, 850, 700, 500, 300, 250, 100], units: hPa, by: log}
    fields: [first, second]
  columns:
    file: columns.nc
    every: 1 year
    operation: mean
    partial: drop
    fields: [{from: column, vertical: {mean: lev, by: thickness}}]
)";

constexpr std::int64_t model_levels = 40;

// Follows a hilly ground at the bottom, and is flat at the top.
std::vector<float> pressures(std::int64_t columns) {
  std::vector<float> made;
  for (std::int64_t k = 0; k < model_levels; ++k)
    for (std::int64_t c = 0; c < columns; ++c) {
      const double height = static_cast<double>(k) / static_cast<double>(model_levels);
      const double ground = 1e5 - 2e4 * (1.0 + std::sin(static_cast<double>(c) / 50.0));
      made.push_back(static_cast<float>(ground * std::pow(1.0 - height, 2.0) + 1e3 * height));
    }
  return made;
}

// The least that a mean costs: each value is read, and a sum is read and written.
[[gnu::noinline]] void add(const std::vector<float>& field, std::vector<double>& sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(field[i]);
}

[[gnu::noinline]] void add_and_compare(const std::vector<float>& field, std::vector<double>* three) {
  for (std::size_t i = 0; i < field.size(); ++i) {
    const auto value = static_cast<double>(field[i]);
    three[0][i] += value;
    three[1][i] = value < three[1][i] ? value : three[1][i];
    three[2][i] = value > three[2][i] ? value : three[2][i];
  }
}

// What a program does that has the three fields at once, and no field of what it makes of them.
[[gnu::noinline]] void add_speed(const std::vector<float>& u, const std::vector<float>& v, const std::vector<float>& w,
                                 std::vector<double>& sums) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto x = static_cast<double>(u[i]), y = static_cast<double>(v[i]), z = static_cast<double>(w[i]);
    sums[i] += std::sqrt(x * x + y * y + z * z);
  }
}

// What a program does that has no missing values.
[[gnu::noinline]] void add_means_of_columns(const std::vector<float>& field, const std::vector<float>& thickness,
                                            std::int64_t columns, std::vector<double>& sums) {
  std::vector<double> means(static_cast<std::size_t>(columns));
  double depth = 0.0;
  for (std::size_t k = 0; k < thickness.size(); ++k) {
    const auto weight = static_cast<double>(thickness[k]);
    depth += weight;
    const float* level = field.data() + k * means.size();
    for (std::size_t c = 0; c < means.size(); ++c) means[c] += weight * static_cast<double>(level[c]);
  }
  for (std::size_t c = 0; c < means.size(); ++c) sums[c] += means[c] / depth;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::int64_t cells = argc > 1 ? std::atoll(argv[1]) : 1 << 21;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 15;
  {
    thw::Session io = thw::Session::from_text(MPI_COMM_WORLD, settings);
    const thw::Decomposition all = io.decompose("x", {cells}, {0}, {cells});
    std::map<std::string, thw::Field> fields;
    for (const char* name : {"one", "three", "missing", "changing", "nobody", "u", "v", "w"})
      fields.emplace(name, io.define_field(name, "x", thw::Type::float32, all));
    for (const char* name : {"missing", "changing"}) fields.at(name).define_attribute("missing_value", 1e20F);
    const std::int64_t columns = cells / model_levels;
    const thw::Decomposition plane = io.decompose("c", {columns}, {0}, {columns});
    io.define_field_dimension("lev", model_levels);
    for (const char* name : {"p", "first", "second", "column"})
      fields.emplace(name, io.define_field(name, "lev,c", thw::Type::float32, plane));
    fields.at("p").define_attribute("units", "Pa");
    fields.emplace("thickness",
                   io.define_field("thickness", "lev", thw::Type::float32, {}, "", thw::InTime::is_static));
    io.ready();

    std::vector<float> field(static_cast<std::size_t>(cells)), with_land(field.size());
    for (std::size_t i = 0; i < field.size(); ++i) field[i] = static_cast<float>(i % 1000);
    for (std::size_t i = 0; i < field.size(); ++i) with_land[i] = i % 3 == 0 ? 1e20F : field[i];
    const std::vector<float> with_holes[2] = {with_land, {with_land.rbegin(), with_land.rend()}};
    std::size_t turn = 0;
    std::vector<double> sums(field.size()), three[3] = {sums, sums, sums};
    const std::vector<float> second = field, third = field;  // as a model has them
    const std::vector<float> pressure = pressures(columns);
    const std::vector<float> temperature(pressure.size(), 280.0F);
    std::vector<float> thickness;
    for (int k = 0; k < model_levels; ++k) thickness.push_back(static_cast<float>(10 + k));
    fields.at("thickness").put(thickness);
    constexpr int puts = 1000;
    const std::map<std::string, std::function<void()>> ways = {
        {"pass", [&] { add(field, sums); }},
        {"three in a loop", [&] { add_and_compare(field, three); }},
        {"mean", [&] { fields.at("one").put(field); }},
        {"mean of a third missing", [&] { fields.at("missing").put(with_land); }},
        {"mean of another third missing each time", [&] { fields.at("changing").put(with_holes[turn++ % 2]); }},
        {"mean, min, max", [&] { fields.at("three").put(field); }},
        {"expression in a loop", [&] { add_speed(field, second, third, sums); }},
        {"expression of three",
         [&] {
           fields.at("u").put(field);
           fields.at("v").put(second);
           fields.at("w").put(third);
         }},
        {"levels: 1, the coordinate", [&] { fields.at("p").put(pressure, {model_levels, columns}); }},
        {"levels: 2, the first field", [&] { fields.at("first").put(temperature, {model_levels, columns}); }},
        {"columns in a loop", [&] { add_means_of_columns(temperature, thickness, columns, sums); }},
        {"columns: mean", [&] { fields.at("column").put(temperature, {model_levels, columns}); }},
        {"levels: 3, another field", [&] { fields.at("second").put(temperature, {model_levels, columns}); }},
        {"1000 puts that nobody wants",
         [&] {
           thw::Field& nobody = fields.at("nobody");
           for (int n = 0; n < puts; ++n) nobody.put(field);
         }},
    };
    SecondsOfWays seconds;
    for (int round = -1; round < rounds; ++round) {  // the first one is not counted: memory is touched
      for (const auto& [way, work] : ways) {
        const double taken = seconds_of(work);
        if (round >= 0) seconds[way].push_back(taken);
      }
      io.advance(3600.0 * (round + 2));
    }
    print(seconds);
    io.finish();
  }
  MPI_Finalize();
}
