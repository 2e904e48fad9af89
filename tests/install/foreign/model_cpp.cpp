// Each rank holds two rows of six cells and writes two records of them.
#include <array>
#include <cstdio>
#include <thalweg.hpp>

static void run(int rank, int size) {
  thw::Session io(MPI_COMM_WORLD);
  const auto cells = io.decompose("y,x", {2 * size, 6}, {2 * rank, 0}, {2, 6});
  auto history = io.open_collection("history");
  history.define_variable("temp", "time,y,x", thw::Type::float32, cells);
  for (int record = 1; record <= 2; ++record) {
    std::array<float, 12> temp;
    for (int cell = 0; cell < 12; ++cell) temp[cell] = 100 * record + 12 * rank + cell;
    history.put("temp", temp, {2, 6});
    io.advance(3600.0 * record);
  }
  io.finish();
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  try {
    run(rank, size);
  } catch (const thw::Exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, error.code());
  }
  MPI_Finalize();
  return 0;
}
