// Runs a way and measures it.
#pragma once

#include <vector>

#include "way.hpp"

namespace bench {

// Times are the maximum over the ranks, processor times the sum over the ranks.
struct Measurement {
  double setup_s = 0.0;   // definitions, file creation, mapping of memory
  double start_s = 0.0;   // the barrier after set-up, on the system-wide clock
  double wall_s = 0.0;    // from there until everything is closed
  double finish_s = 0.0;  // of it: closing, after the last record
  double cpu_setup_s = 0.0;
  double cpu_s = 0.0;           // all threads, over wall_s
  double cpu_model_s = 0.0;     // of it: the model's own threads in computing, filling, and barriers
  std::vector<double> stall_s;  // of each record: time in the output calls after a barrier
};

// Collective; the result is whole on rank 0.
Measurement measure(Way& way, Model& model);

void write_json(const Measurement& measurement, const Case& workload, const std::string& path);

}  // namespace bench
