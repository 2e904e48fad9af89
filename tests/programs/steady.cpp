// A steady writer for tests that disturb it.
//
//   steady RECORDS WAIT_EVERY NZ NY NX [PAUSE_MS [FLUSH_AT]]
//
// RECORDS 0: endless. WAIT_EVERY n: thalweg_wait after every n records; 0: never. FLUSH_AT n: thalweg_flush after n
// records, once. The configuration is thalweg.yaml.
// Rank 0 appends to committed.log, one line each time, the number of records that are known to be committed: after
// thalweg_wait, and under "writers: sync" after every thalweg_advance. All values follow from variable, record and
// index.
#include <array>
#include <cstdlib>
#include <vector>

#include "outcomes.hpp"

namespace {

constexpr double step_s = 600.0;

struct Arguments {
  std::int64_t records, wait_every, nz, ny, nx, pause_ms, flush_at;
};

// Below 2^24, so that float holds it exactly.
double value(int variable, std::int64_t record, std::int64_t index) {
  return static_cast<double>((variable * 1000003 + record * 7919 + index * 31) % 16777213);
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
    cut();
    code = declare();
    for (std::int64_t r = 0; code == 0 && (arguments_.records == 0 || r < arguments_.records); ++r) code = record(r);
    const int end = log_("finish", [&] { return thalweg_finish(&session_); });
    return code != 0 ? code : end;
  }

 private:
  // This rank's part of the plane, among the ranks of the model.
  void cut() {
    MPI_Comm comm = MPI_COMM_NULL;
    thalweg_model_comm(session_, &comm);
    int size = 0;
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size);
    std::array<int, 2> parts = {0, 0};
    MPI_Dims_create(size, 2, parts.data());
    const std::array<int, 2> place = {rank_ / parts[1], rank_ % parts[1]};
    for (std::size_t d = 0; d < 2; ++d) {
      const std::int64_t extent = d == 0 ? arguments_.ny : arguments_.nx;
      start_[d] = extent * place[d] / parts[d];
      count_[d] = extent * (place[d] + 1) / parts[d] - start_[d];
    }
  }

  int declare() {
    const std::array<std::int64_t, 2> shape = {arguments_.ny, arguments_.nx};
    int code = log_("decompose", [&] {
      return thalweg_decompose(session_, "y,x", shape.data(), 1, start_.data(), count_.data(), nullptr, nullptr, 0,
                               &cells_);
    });
    if (code != 0) return code;
    code = log_("open_collection", [&] { return thalweg_open_collection(session_, "history", &history_); });
    if (code != 0) return code;
    thalweg_define_dimension(history_, "z", arguments_.nz);
    thalweg_define_variable(history_, "temp", "time,z,y,x", THALWEG_FLOAT32, cells_, nullptr);
    thalweg_define_variable(history_, "ssh", "time,y,x", THALWEG_FLOAT64, cells_, nullptr);
    thalweg_define_variable(history_, "mean", "time", THALWEG_FLOAT64, nullptr, nullptr);
    thalweg_define_variable(history_, "depth", "y,x", THALWEG_FLOAT64, cells_, nullptr);
    code = log_("ready", [&] { return thalweg_ready(session_); });
    return code != 0 ? code : put("depth", 3, 0, 1);
  }

  int put(const char* name, int variable, std::int64_t record, std::int64_t levels) {
    field_.clear();
    for (std::int64_t k = 0; k < levels; ++k)
      for (std::int64_t j = 0; j < count_[0]; ++j)
        for (std::int64_t i = 0; i < count_[1]; ++i)
          field_.push_back(
              value(variable, record, (k * arguments_.ny + start_[0] + j) * arguments_.nx + start_[1] + i));
    const std::array<std::int64_t, 3> extent = {levels, count_[0], count_[1]};
    const bool flat = variable != 0;
    const auto call = [&] {
      return thalweg_put(history_, name, field_.data(), THALWEG_FLOAT64, flat ? 2 : 3, extent.data() + (flat ? 1 : 0),
                         nullptr);
    };
    return log_(std::string("put ") + name, call);
  }

  int record(std::int64_t number) {
    int code = put("temp", 0, number, arguments_.nz);
    if (code == 0) code = put("ssh", 1, number, 1);
    const double mean = value(2, number, 0);
    if (code == 0) code = thalweg_put(history_, "mean", &mean, THALWEG_FLOAT64, 0, nullptr, nullptr);
    if (code == 0)
      code = log_("advance", [&] { return thalweg_advance(session_, step_s * static_cast<double>(number + 1)); });
    if (code == 0 && number + 1 == arguments_.flush_at) code = log_("flush", [&] { return thalweg_flush(session_); });
    if (code != 0) return code;
    if (arguments_.pause_ms > 0) usleep(static_cast<useconds_t>(arguments_.pause_ms * 1000));
    if (std::getenv("THALWEG_TEST_SYNC") != nullptr) confirm(number + 1);
    if (arguments_.wait_every == 0 || (number + 1) % arguments_.wait_every != 0) return 0;
    code = log_("wait", [&] { return thalweg_wait(session_); });
    if (code == 0) confirm(number + 1);
    return code;
  }

  void confirm(std::int64_t records) const {
    if (rank_ != 0) return;
    static const int file = open("committed.log", O_CREAT | O_WRONLY | O_APPEND, 0644);
    const std::string line = std::to_string(records) + "\n";
    if (write(file, line.data(), line.size()) < 0) std::perror("committed.log");
  }

  Arguments arguments_;
  outcomes::Log log_;
  int rank_ = 0;  // among those of the model
  std::array<std::int64_t, 2> start_{}, count_{};
  std::vector<double> field_;
  thalweg_session* session_ = nullptr;
  thalweg_decomposition* cells_ = nullptr;
  thalweg_collection* history_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 6) return 2;
  const auto number = [&](int place) { return place < argc ? std::atoll(argv[place]) : 0; };
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Arguments arguments{number(1), number(2), number(3), number(4), number(5), number(6), number(7)};
  outcomes::leave(Model(arguments, rank).run());
  return 0;
}
