// One way of doing the output. A launch runs one of them.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>

#include "case.hpp"
#include "fields.hpp"

namespace bench {

// Everything a way may look at: the model of this rank, and where its output shall go.
struct Model {
  MPI_Comm comm;
  int rank, ranks;
  Case workload;
  Part part;
  Fields fields;
  std::string file;
  std::string fifo;  // prefix of the two pipes to the independent writer; only for "floor"
};

class Way {
 public:
  virtual ~Way() = default;
  virtual void setup(const Model& model) = 0;  // definitions, file creation, memory; collective
  virtual void put_record(int record) = 0;     // timed as the stall
  virtual void finish() = 0;                   // everything written and closed; collective
};

// The ways of a name, each in a file of its own.
std::unique_ptr<Way> make_none();
std::unique_ptr<Way> make_copy();
std::unique_ptr<Way> make_floor();
std::unique_ptr<Way> make_raw(bool direct);
std::unique_ptr<Way> make_gather(bool netcdf4);
std::unique_ptr<Way> make_parallel_netcdf4();
std::unique_ptr<Way> make_pnetcdf(bool nonblocking);
std::unique_ptr<Way> make_thalweg(const std::string& writers, const std::string& format, bool idle);

std::unique_ptr<Way> make_way(const std::string& name);

}  // namespace bench
