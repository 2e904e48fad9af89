// The model of programs that use Thalweg wrongly: rows of a plane, and what its calls returned.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "outcomes.hpp"

namespace faulty {

using Pair = std::array<std::int64_t, 2>;
constexpr Pair shape = {8, 6};

inline int rank = 0;
inline int size = 0;

// Rows of the plane (y, x), spread evenly.
struct Rows {
  Pair start, count;
};
inline Rows own_rows() {
  const std::int64_t begin = shape[0] * rank / size;
  return {{begin, 0}, {shape[0] * (rank + 1) / size - begin, shape[1]}};
}

inline MPI_Comm model_comm = MPI_COMM_WORLD;
inline bool comes_again = false;  // with another session

// A server that has served ends here, or comes again, without a session; rank and size are those of the model.
inline int start(thalweg_session** session) {
  const int code = thalweg_start(MPI_COMM_WORLD, "thalweg.yaml", session);
  if (code != 0) return code;
  int is_client = 0;
  thalweg_is_client(*session, &is_client);
  if (is_client == 0) {
    if (!comes_again) outcomes::leave(thalweg_finish(session));
    return thalweg_finish(session);
  }
  thalweg_model_comm(*session, &model_comm);
  MPI_Comm_rank(model_comm, &rank);
  MPI_Comm_size(model_comm, &size);
  return 0;
}

inline int decompose(thalweg_session* session, const Rows& rows, thalweg_decomposition** cells,
                     const Pair& global = shape, int boxes = 1, int masked = 0, const char* dims = "y,x") {
  return thalweg_decompose(session, dims, global.data(), boxes, rows.start.data(), rows.count.data(), nullptr, nullptr,
                           masked, cells);
}

// One collection with one field temp(time,y,x), value = 1000 * record + y * 6 + x (+ 0.5 in other collections).
class Model {
 public:
  explicit Model(outcomes::Log& log) : log_(log) {}

  int begin(const std::vector<const char*>& collections, const std::vector<const char*>& variables = {"temp"}) {
    if (const int code = log_("start", [&] { return start(&session); }); code != 0) return code;
    decompose(session, own_rows(), &cells);
    for (const char* name : collections) {
      log_("open_collection", [&] { return thalweg_open_collection(session, name, &opened[name]); });
      for (const char* variable : variables)
        thalweg_define_variable(opened[name], variable, "time,y,x", THALWEG_FLOAT64, cells, nullptr);
    }
    return 0;
  }

  int put(const char* collection, const char* variable, int record, double more = 0.0) {
    const Rows rows = own_rows();
    std::vector<double> field;
    for (std::int64_t i = 0; i < rows.count[0] * rows.count[1]; ++i)
      field.push_back(1000.0 * record + static_cast<double>(rows.start[0] * shape[1] + i) + more);
    return log_(std::string("put ") + variable, [&] {
      return thalweg_put(opened[collection], variable, field.data(), THALWEG_FLOAT64, 2, rows.count.data(), nullptr);
    });
  }

  int ready() {
    return log_("ready", [&] { return thalweg_ready(session); });
  }
  int advance(int step) {
    return log_("advance", [&] { return thalweg_advance(session, step * 60.0); });
  }
  int finish() {
    return log_("finish", [&] { return thalweg_finish(&session); });
  }

  thalweg_session* session = nullptr;
  thalweg_decomposition* cells = nullptr;
  std::map<std::string, thalweg_collection*> opened;

 private:
  outcomes::Log& log_;
};

}  // namespace faulty
