// A model whose ranks leave in the wrong way, and servers that take themselves for clients:
//
//   leaving WHO    rank WHO (-1: every rank) ends MPI with its session open after the first record, the others go on
//   leaving calls  servers call what is for clients
//
// What the calls returned is in rank<N>.jsonl. The configuration is thalweg.yaml.
#include <array>
#include <cstdlib>
#include <string>

#include "outcomes.hpp"

namespace {

constexpr std::array<std::int64_t, 1> shape = {8};

class Model {
 public:
  Model(outcomes::Log& log, const std::string& word) : log_(log), word_(word) {}

  int run() {
    int code = log_("start", [&] { return thalweg_start(MPI_COMM_WORLD, "thalweg.yaml", &session_); });
    if (code != 0) return code;
    int is_client = 0;
    thalweg_is_client(session_, &is_client);
    if (is_client == 0) return serve();
    code = declare();
    for (int record = 0; code == 0 && record < 50; ++record) {
      code = write(record);
      if (code == 0 && word_ != "calls" && (word_ == "-1" || std::stoi(word_) == rank_)) return 0;
      usleep(20'000);
    }
    const int end = finish();
    return code != 0 ? code : end;
  }

 private:
  int finish() {
    return log_("finish", [&] { return thalweg_finish(&session_); });
  }

  int serve() {
    if (word_ != "calls") return finish();
    MPI_Comm comm = MPI_COMM_NULL;
    log_("model_comm", [&] { return thalweg_model_comm(session_, &comm); });
    log_("decompose", [&] { return decompose(8); });
    log_("open_collection", [&] { return thalweg_open_collection(session_, "history", &history_); });
    log_("ready", [&] { return thalweg_ready(session_); });
    log_("advance", [&] { return thalweg_advance(session_, 60.0); });
    log_("wait", [&] { return thalweg_wait(session_); });
    return finish();
  }

  int decompose(std::int64_t count) {
    const std::array<std::int64_t, 1> start = {count * rank_};
    return thalweg_decompose(session_, "x", shape.data(), 1, start.data(), &count, nullptr, nullptr, 0, &cells_);
  }

  int declare() {
    MPI_Comm comm = MPI_COMM_NULL;
    thalweg_model_comm(session_, &comm);
    int size = 1;
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size);
    count_ = shape[0] / size;
    decompose(count_);
    thalweg_open_collection(session_, "history", &history_);
    thalweg_define_variable(history_, "temp", "time,x", THALWEG_FLOAT64, cells_, nullptr);
    return log_("ready", [&] { return thalweg_ready(session_); });
  }

  int write(int record) {
    std::array<double, shape[0]> field{};
    for (std::int64_t i = 0; i < count_; ++i)
      field[static_cast<std::size_t>(i)] = 1000.0 * record + static_cast<double>(count_ * rank_ + i);
    const int code =
        log_("put", [&] { return thalweg_put(history_, "temp", field.data(), THALWEG_FLOAT64, 1, &count_, nullptr); });
    return code != 0 ? code : log_("advance", [&] { return thalweg_advance(session_, 60.0 * (record + 1)); });
  }

  outcomes::Log& log_;
  const std::string word_;
  int rank_ = 0;  // among those of the model
  std::int64_t count_ = 0;
  thalweg_session* session_ = nullptr;
  thalweg_decomposition* cells_ = nullptr;
  thalweg_collection* history_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2) return 2;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  outcomes::Log log(rank);
  outcomes::leave(Model(log, argv[1]).run());
  return 0;
}
