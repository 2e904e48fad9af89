// The smallest complete program: a field of 12 x 8 cells, cut into bands of rows, three records of it.
//
//   mpiexec -n 4 minimal_cpp [config.yaml]
#include <chrono>
#include <iostream>
#include <thalweg.hpp>
#include <thread>

// The model: each rank computes its rows of the field on the communicator of the clients.
static void run_model(thw::Session& io) {
  int rank, ranks;
  MPI_Comm_rank(io.model_comm(), &rank);
  MPI_Comm_size(io.model_comm(), &ranks);

  const int ny = 12, nx = 8;
  const int first = ny * rank / ranks, rows = ny * (rank + 1) / ranks - first;
  std::vector<double> height(rows * nx);

  const auto bands = io.decompose("y,x", {ny, nx}, {first, 0}, {rows, nx});
  auto history = io.open_collection("history");
  history.define_variable("height", "time,y,x", thw::Type::float32, bands);
  history.define_attribute("height", "units", "m");

  for (int record = 1; record <= 3; ++record) {
    for (int i = 0; i < rows * nx; ++i) height[i] = 1000.0 * record + first * nx + i;
    history.put("height", height, {rows, nx});  // height is free again
    io.advance(3600.0 * record);                // the record is complete
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    thw::Session io(MPI_COMM_WORLD, argc > 1 ? argv[1] : "");
    // False on ranks that the configuration makes servers: they come back when all is written.
    if (io.is_client()) run_model(io);
    io.finish();
  } catch (const thw::Exception& error) {
    // Most errors are all ranks': the first one says it and ends the job while the others wait.
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) std::this_thread::sleep_for(std::chrono::seconds(1));
    std::cerr << "minimal_cpp: " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, error.code());
  }
  MPI_Finalize();
}
