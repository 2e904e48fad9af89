// thalweg_bench_output: one launch, one way of doing the output, one JSON result. The driver (run.py) compares.
#include <mpi.h>

#include <fstream>
#include <iostream>

#include "clock.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "trigger.hpp"
#include "work.hpp"

namespace {

using bench::Options;

void run_calibration(const Options& options, int rank) {
  const std::int64_t work = bench::calibrate(MPI_COMM_WORLD, options.seconds);
  if (rank == 0) std::ofstream(options.result) << "{\"work\": " << work << "}\n";
}

bench::Measurement run_model(bench::Way& way, const bench::Case& workload, MPI_Comm comm, const Options& options) {
  int ranks = 0, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  const bench::Part part = bench::part_of(workload, rank, ranks);
  bench::Model model{.comm = comm,
                     .rank = rank,
                     .ranks = ranks,
                     .workload = workload,
                     .part = part,
                     .fields = {workload, part},
                     .options = options};
  return bench::measure(way, model);
}

double serve(bench::Way& way, const Options& options) {
  const double before_s = bench::process_cpu_s();
  way.serve(options);
  return bench::process_cpu_s() - before_s;
}

// The processor time of servers, from their start to their end, counts as the model's ranks' does.
void run_way(const Options& options, int rank) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool serves = rank >= ranks - options.servers;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, serves ? 1 : 0, rank, &comm);
  const bench::Case workload = bench::make_case(options.workload, options.scale, options.records, options.work);
  const auto way = bench::make_way(options.way);
  bench::Measurement measured;
  double server_cpu_s = 0.0, all_s = 0.0;
  if (serves)
    server_cpu_s = serve(*way, options);
  else
    measured = run_model(*way, workload, comm, options);
  MPI_Reduce(&server_cpu_s, &all_s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  measured.cpu_s += all_s;
  if (rank == 0) bench::write_json(measured, workload, options.result);
  MPI_Comm_free(&comm);
}

// The independent writer is no MPI program: nothing of MPI runs in it.
int run_independent_writer(const Options& options) {
  const bench::Case workload = bench::make_case(options.workload, options.scale, options.records, 0);
  bench::run_writer(options.fifo, options.file, workload.bytes_per_record(), options.result);
  return 0;
}

int run_in_mpi(const Options& options, int argc, char** argv) {
  int provided = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    options.way == "calibrate" ? run_calibration(options, rank) : run_way(options, rank);
  } catch (const std::exception& error) {
    std::cerr << "thalweg_bench_output, " << options.way << ", rank " << rank << ": " << error.what() << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = bench::parse(argc, argv);
    return options.way == "writer" ? run_independent_writer(options) : run_in_mpi(options, argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "thalweg_bench_output: " << error.what() << std::endl;
    return 1;
  }
}
