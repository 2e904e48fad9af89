// thalweg_bench_index WAY FILE RESULT [key=number ...]: one launch, one way of writing a mesh (mesh.hpp), one JSON
// result. WAY: thalweg_thread, thalweg_grid, thalweg_sync, or pnetcdf. run_index.py compares.
#include <mpi.h>

#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>

#include "clock.hpp"
#include "way.hpp"

namespace bench {
namespace {

Mesh mesh_from(int count, char** words) {
  Mesh mesh;
  for (int i = 4; i < count; ++i) {
    const std::string word = words[i];
    const std::string key = word.substr(0, word.find('='));
    const std::int64_t number = std::stoll(word.substr(word.find('=') + 1));
    if (key == "points")
      mesh.points = number;
    else if (key == "mean")
      mesh.mean = number;
    else if (key == "parts")
      mesh.parts = static_cast<int>(number);
    else if (key == "variables")
      mesh.variables = static_cast<int>(number);
    else if (key == "records")
      mesh.records = static_cast<int>(number);
    else
      throw std::runtime_error("unknown option " + word);
  }
  return mesh;
}

std::unique_ptr<Way> make_way(const std::string& name, const Mesh& mesh, const Fields& fields,
                              const std::vector<Run>& runs, const std::string& file) {
  if (name == "pnetcdf") return make_pnetcdf(mesh, fields, runs, file);
  if (name == "thalweg_thread") return make_thalweg("thread", false, mesh, fields, file);
  if (name == "thalweg_grid") return make_thalweg("thread", true, mesh, fields, file);
  if (name == "thalweg_sync") return make_thalweg("sync", false, mesh, fields, file);
  throw std::runtime_error("no way is called '" + name + "'");
}

double longest(double seconds) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

void run(int count, char** words) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Mesh mesh = mesh_from(count, words);
  const std::vector<Run> runs = runs_of(mesh, rank, ranks);
  Fields fields(mesh, runs);
  MPI_Barrier(MPI_COMM_WORLD);
  const double setup_start_s = now_s();
  const auto way = make_way(words[1], mesh, fields, runs, words[2]);
  const double setup_s = longest(now_s() - setup_start_s);
  const double begin_s = now_s();
  std::vector<double> stall_s;
  for (int record = 0; record < mesh.records; ++record) {
    fields.fill(record);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = now_s();
    way->put_record(record);
    stall_s.push_back(longest(now_s() - start_s));
  }
  const double finish_start_s = now_s();
  way->finish();
  const double finish_s = longest(now_s() - finish_start_s);
  const double wall_s = longest(now_s() - begin_s);
  if (rank != 0) return;
  std::ofstream out(words[3]);
  out << "{\"setup_s\": " << setup_s << ", \"finish_s\": " << finish_s << ", \"runs\": " << runs.size()
      << ", \"wall_s\": " << wall_s << ", \"stall_s\": [";
  for (std::size_t i = 0; i < stall_s.size(); ++i) out << (i == 0 ? "" : ", ") << stall_s[i];
  out << "]}\n";
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  try {
    if (argc < 4) throw std::runtime_error("usage: thalweg_bench_index WAY FILE RESULT [key=number ...]");
    bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "thalweg_bench_index: " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
