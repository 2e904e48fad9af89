// Reads the last record of what minimal_cpp has written, with a halo, and goes on from there in again.nc.
//
//   mpiexec -n 4 reading_cpp
#include <iostream>
#include <thalweg.hpp>

// This rank's rows, in an array with the halo that they were declared with.
static std::vector<double> read(thw::Session& io, thw::Decomposition rows, int count, int nx) {
  std::vector<double> height((count + 2) * (nx + 2));
  thw::Input before = io.open_input("history.nc");
  before.declare("height", {rows, "time,y,x", "", "x"});  // memory order as in the file, periodic in x
  before.get("height", before.records() - 1, height, {count + 2, nx + 2});
  return height;
}

static void run_model(thw::Session& io) {
  int rank, ranks;
  MPI_Comm_rank(io.model_comm(), &rank);
  MPI_Comm_size(io.model_comm(), &ranks);

  const int ny = 12, nx = 8;
  const int first = ny * rank / ranks, count = ny * (rank + 1) / ranks - first;
  const auto rows = io.decompose("y,x", {ny, nx}, {first, 0}, {count, nx}, {1, 1}, {1, 1});
  const std::vector<double> height = read(io, rows, count, nx);

  auto again = io.open_collection("again");
  again.define_variable("height", "time,y,x", thw::Type::float64, rows);
  again.put("height", height, {count + 2, nx + 2});
  io.advance(3600.0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    thw::Session io(MPI_COMM_WORLD);
    if (io.is_client()) run_model(io);
    io.finish();
  } catch (const thw::Exception& error) {
    std::cerr << "reading_cpp: " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, error.code());
  }
  MPI_Finalize();
}
