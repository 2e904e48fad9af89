// A day of a model that begins anew, or from its newest restart, and leaves one.
//
//   mpiexec -n 4 restart_cpp [restore]
#include <iostream>
#include <thalweg.hpp>

static void run_model(thw::Session& io, bool begins_anew) {
  int rank, ranks;
  MPI_Comm_rank(io.model_comm(), &rank);
  MPI_Comm_size(io.model_comm(), &ranks);

  const int ny = 12, nx = 8;
  const int first = ny * rank / ranks, count = ny * (rank + 1) / ranks - first;
  const auto rows = io.decompose("y,x", {ny, nx}, {first, 0}, {count, nx});

  std::vector<double> height(count * nx);
  std::vector<float> speed(count * nx);
  auto restart = io.open_collection("restart", "{file: restart.%n.nc, cycle: 2, every: on-demand}");
  restart.define_variable("height", "time,y,x", thw::Type::float64, rows);
  restart.define_variable("speed", "time,y,x", thw::Type::float32, rows);
  restart.register_array("height", height, {count, nx});
  restart.register_array("speed", speed, {count, nx});

  const double time_s = begins_anew ? 0.0 : restart.restore();
  for (double& value : height) value += rank + 1;  // the model's day
  for (float& value : speed) value += static_cast<float>(rank + 1);
  restart.put_arrays();
  restart.record(time_s + 86400.0);
  io.finish();  // as long as the arrays are there
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    thw::Session io(MPI_COMM_WORLD);
    if (io.is_client())
      run_model(io, argc == 1);
    else
      io.finish();
  } catch (const thw::Exception& error) {
    std::cerr << "restart_cpp: " << error.what() << '\n';
    MPI_Abort(MPI_COMM_WORLD, error.code());
  }
  MPI_Finalize();
}
