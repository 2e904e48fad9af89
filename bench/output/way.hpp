// One way of doing the output. A launch runs one of them.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>

#include "case.hpp"
#include "fields.hpp"
#include "options.hpp"

namespace bench {

// Everything a way may look at: the model of this rank, and where its output shall go.
struct Model {
  MPI_Comm comm;  // of the ranks that compute
  int rank, ranks;
  Case workload;
  Part part;
  Fields fields;
  const Options& options;
};

class Way {
 public:
  virtual ~Way() = default;
  virtual void setup(const Model& model) = 0;  // definitions, file creation, memory; collective
  virtual void put_record(int record) = 0;     // timed as the stall
  virtual void finish() = 0;                   // everything written and closed; collective
  // In place of all these on a rank that does not compute; returns when the others have finished.
  virtual void serve(const Options& options);
};

// What netCDF-C shall write.
enum class NetcdfKind { cdf5, netcdf4, netcdf4_deflate, netcdf4_zstd };

struct ThalwegKind {
  std::string writers;
  std::string format;
  std::string codec = "none";
  bool idle = false;  // nothing is put
};

// The ways of a name, each in a file of its own.
std::unique_ptr<Way> make_none();
std::unique_ptr<Way> make_copy();
std::unique_ptr<Way> make_floor();
std::unique_ptr<Way> make_raw(bool direct);
std::unique_ptr<Way> make_gather(NetcdfKind kind);
std::unique_ptr<Way> make_parallel_netcdf4(NetcdfKind kind);
std::unique_ptr<Way> make_pnetcdf(bool nonblocking);
std::unique_ptr<Way> make_thalweg(const ThalwegKind& kind);
std::unique_ptr<Way> make_codec(const std::string& codec);

std::unique_ptr<Way> make_way(const std::string& name);

}  // namespace bench
