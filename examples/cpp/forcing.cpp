// Reads the western half of what minimal_cpp has written, at a time between two of its records, into between.nc.
//
//   mpiexec -n 4 forcing_cpp
#include <iostream>
#include <thalweg.hpp>

static void run_model(thw::Session& io) {
  int rank, ranks;
  MPI_Comm_rank(io.model_comm(), &rank);
  MPI_Comm_size(io.model_comm(), &ranks);

  const int ny = 12, nx = 4;  // of 8 cells along x
  const int first = ny * rank / ranks, count = ny * (rank + 1) / ranks - first;
  const auto rows = io.decompose("y,x", {ny, nx}, {first, 0}, {count, nx});
  auto between = io.open_collection("between");
  between.define_variable("height", "time,y,x", thw::Type::float64, rows);

  thw::Input driver = io.open_input("history.nc");  // or the name of a forcing of the configuration
  driver.select("height", "x[0:4]");                // from here on it is as if the file had no more
  driver.declare("height", {rows, "time,y,x"});
  std::vector<double> height(count * nx);
  for (const double time_s : {4500.0, 7200.0, 9900.0}) {
    driver.get_at("height", time_s, height, {count, nx});
    between.put("height", height, {count, nx});
    io.advance(time_s);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    thw::Session io(MPI_COMM_WORLD);
    if (io.is_client()) run_model(io);
    io.finish();
  } catch (const thw::Exception& error) {
    std::cerr << "forcing_cpp: " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, error.code());
  }
  MPI_Finalize();
}
