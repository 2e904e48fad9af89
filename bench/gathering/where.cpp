// What statistics would cost the model if servers made them: each step of a field would be put into blocks of theirs,
// as instants are, in place of being gathered where it is put.
//
//   thalweg_bench_where CELLS ROUNDS ranks|nodes
//
// Two ranks: the model, and a server that writes, on its node or on another one. Prints a JSON object: seconds of each
// round for each way. The server has written all that was put before the next round begins, so that nothing is waited
// for: it is the least that a put costs.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "seconds_of_ways.hpp"
#include "thalweg.hpp"

namespace {

constexpr const char* collections = R"(
report: none
time-step: 1 h
collections:
  mean: {file: mean.nc, every: 1 year, operation: mean, partial: drop, fields: ["mean/*"]}
  three:
    file: three.nc
    every: 1 year
    partial: drop
    fields: [{from: "three/*", operation: mean}, {from: "three/*", operation: min}, {from: "three/*", operation: max}]
  steps: {file: steps.nc, format: cdf5, durability: none, every: 1 h, fields: ["steps/*"]}
)";

constexpr std::size_t field_count = 4;

void measure(thw::Session& io, std::int64_t cells, int rounds) {
  const thw::Decomposition all = io.decompose("x", {cells}, {0}, {cells});
  std::map<std::string, std::vector<thw::Field>> fields;
  for (const std::string collection : {"mean", "three", "steps"})
    for (std::size_t f = 0; f < field_count; ++f)
      fields[collection].push_back(
          io.define_field(collection + "/field_" + std::to_string(f), "x", thw::Type::float32, all));
  io.ready();
  std::vector<std::vector<float>> arrays(field_count, std::vector<float>(static_cast<std::size_t>(cells)));
  for (std::vector<float>& array : arrays)
    for (std::size_t i = 0; i < array.size(); ++i) array[i] = static_cast<float>(i % 1000);
  std::vector<std::vector<float>> copies = arrays;
  const auto put_all = [&](const char* collection) {
    for (std::size_t f = 0; f < field_count; ++f) fields.at(collection)[f].put(arrays[f]);
  };
  const auto copy_all = [&] {
    for (std::size_t f = 0; f < field_count; ++f) std::copy(arrays[f].begin(), arrays[f].end(), copies[f].begin());
  };
  const std::vector<std::pair<const char*, std::function<void()>>> ways = {
      {"mean", [&] { put_all("mean"); }},
      {"mean, min, max", [&] { put_all("three"); }},
      {"steps to the server", [&] { put_all("steps"); }},
      {"copy", copy_all},
  };
  SecondsOfWays seconds;
  for (int round = -3; round < rounds; ++round) {  // the first ones are not counted: memory is touched
    for (std::size_t n = 0; n < ways.size(); ++n) {
      const auto& [way, work] = ways[(n + static_cast<std::size_t>(round + 3)) % ways.size()];
      const double taken = seconds_of(work);
      if (round >= 0) seconds[way].push_back(taken);
    }
    io.advance(3600.0 * (round + 4));
    io.wait();
  }
  print(seconds);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::int64_t cells = argc > 1 ? std::atoll(argv[1]) : 1 << 21;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 15;
  const std::string place = argc > 3 ? argv[3] : "ranks";
  {
    const std::string nodes = place == "nodes" ? "\nemulate-nodes: [1, 1]" : "";
    thw::Session io = thw::Session::from_text(MPI_COMM_WORLD, "writers: {" + place + ": 1}" + nodes + collections);
    if (io.is_client()) measure(io, cells, rounds);
    io.finish();
  }
  MPI_Finalize();
}
