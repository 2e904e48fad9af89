// Several collections, which groups of servers take in turns, and a model that goes on when some are lost.
//
//   grouped COLLECTIONS RECORDS WAIT_EVERY PAUSE_MS NY NX [LATE_MS]
//
// Collections are c0, c1, … with the variable temp(time,y,x). Rank 0 of the model writes the number of records that it
// has put to put.log, and is late once, by LATE_MS between a put and the advance. An error of thalweg_wait is kept, and
// the model goes on; one of put or advance ends it. The configuration is thalweg.yaml. All values follow from
// collection, record and index, as in steady.cpp.
#include <array>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "outcomes.hpp"

namespace {

struct Arguments {
  std::int64_t collections, records, wait_every, pause_ms, ny, nx, late_ms;
};

double value(std::int64_t collection, std::int64_t record, std::int64_t index) {
  return static_cast<double>((collection * 1000003 + record * 7919 + index * 31) % 16777213);
}

class Model {
 public:
  Model(const Arguments& arguments, int rank) : arguments_(arguments), log_(rank, true) {}

  int run() {
    int code = log_("start", [&] { return thalweg_start(MPI_COMM_WORLD, "thalweg.yaml", &session_); });
    if (code != 0) return code;
    int is_client = 0;
    thalweg_is_client(session_, &is_client);
    if (is_client == 0) return thalweg_finish(&session_);
    code = declare();
    for (std::int64_t r = 0; code == 0 && r < arguments_.records; ++r) code = record(r);
    const int end = log_("finish", [&] { return thalweg_finish(&session_); });
    return code != 0 ? code : end;
  }

 private:
  int declare() {
    MPI_Comm comm = MPI_COMM_NULL;
    int size = 0;
    thalweg_model_comm(session_, &comm);
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size);
    first_ = arguments_.ny * rank_ / size;
    rows_ = arguments_.ny * (rank_ + 1) / size - first_;
    const std::array<std::int64_t, 2> shape = {arguments_.ny, arguments_.nx}, start = {first_, 0},
                                      count = {rows_, arguments_.nx};
    thalweg_decomposition* cells = nullptr;
    int code =
        thalweg_decompose(session_, "y,x", shape.data(), 1, start.data(), count.data(), nullptr, nullptr, 0, &cells);
    for (std::int64_t c = 0; code == 0 && c < arguments_.collections; ++c) {
      code = thalweg_open_collection(session_, ("c" + std::to_string(c)).c_str(), &collections_.emplace_back());
      if (code == 0)
        code = thalweg_define_variable(collections_.back(), "temp", "time,y,x", THALWEG_FLOAT64, cells, nullptr);
    }
    return code != 0 ? code : log_("ready", [&] { return thalweg_ready(session_); });
  }

  int record(std::int64_t number) {
    int code = 0;
    for (std::int64_t c = 0; code == 0 && c < arguments_.collections; ++c) code = put(c, number);
    if (rank_ == 0 && number == arguments_.records / 2) usleep(static_cast<useconds_t>(arguments_.late_ms * 1000));
    if (code == 0)
      code = log_("advance", [&] { return thalweg_advance(session_, 600.0 * static_cast<double>(number + 1)); });
    if (code != 0) return code;
    if (rank_ == 0) std::ofstream("put.log") << number + 1 << "\n";
    usleep(static_cast<useconds_t>(arguments_.pause_ms * 1000));
    if (arguments_.wait_every > 0 && (number + 1) % arguments_.wait_every == 0)
      log_("wait", [&] { return thalweg_wait(session_); });
    return 0;
  }

  int put(std::int64_t collection, std::int64_t record) {
    std::vector<double> field;
    for (std::int64_t i = first_ * arguments_.nx; i < (first_ + rows_) * arguments_.nx; ++i)
      field.push_back(value(collection, record, i));
    const std::array<std::int64_t, 2> extent = {rows_, arguments_.nx};
    return log_("put c" + std::to_string(collection), [&] {
      return thalweg_put(collections_[static_cast<std::size_t>(collection)], "temp", field.data(), THALWEG_FLOAT64, 2,
                         extent.data(), nullptr);
    });
  }

  Arguments arguments_;
  outcomes::Log log_;
  int rank_ = 0;  // among those of the model
  std::int64_t first_ = 0, rows_ = 0;
  thalweg_session* session_ = nullptr;
  std::vector<thalweg_collection*> collections_;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 7) return 2;
  const auto number = [&](int place) { return std::atoll(argv[place]); };
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Arguments arguments{number(1), number(2), number(3), number(4), number(5), number(6), argc > 7 ? number(7) : 0};
  outcomes::leave(Model(arguments, rank).run());
  return 0;
}
