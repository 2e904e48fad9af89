// A day of many cheap steps, for tests of what grows with their number.
//
//   long_day STEPS WAIT_EVERY COLLECTION…
//
// A step is a second, and each puts the variable "state" (time,y,x) of every collection: its element is 100 times the
// step's number and the place in the plane. After every WAIT_EVERY steps all that was put is waited for. After a tenth
// of the steps and at the end rank 0 of the model writes the file "at.STEP" and waits, with all others, until there is
// "go.STEP". The configuration is thalweg.yaml.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "outcomes.hpp"

namespace {

constexpr std::int64_t rows = 6;
constexpr std::int64_t columns = 8;

class Model {
 public:
  Model(std::int64_t steps, std::int64_t wait_every, std::vector<std::string> names, int rank)
      : steps_(steps), wait_every_(wait_every), names_(std::move(names)), log_(rank, true) {}

  int run() {
    int code = log_("start", [&] { return thalweg_start(MPI_COMM_WORLD, "thalweg.yaml", &session_); });
    if (code != 0) return code;
    int is_client = 0;
    thalweg_is_client(session_, &is_client);
    if (is_client != 0) {
      thalweg_model_comm(session_, &comm_);
      code = declare();
      for (std::int64_t number = 1; code == 0 && number <= steps_; ++number) code = step(number);
    }
    const int end = log_("finish", [&] { return thalweg_finish(&session_); });
    return code != 0 ? code : end;
  }

 private:
  int declare() {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(comm_, &rank);
    MPI_Comm_size(comm_, &size);
    const std::int64_t shape[2] = {rows, columns};
    start_[0] = rows * rank / size;
    count_[0] = rows * (rank + 1) / size - start_[0];
    thalweg_decomposition* cells = nullptr;
    int code = log_("decompose", [&] {
      return thalweg_decompose(session_, "y,x", shape, 1, start_, count_, nullptr, nullptr, 0, &cells);
    });
    for (const std::string& name : names_) {
      if (code != 0) return code;
      thalweg_collection* collection = nullptr;
      code = log_("open_collection", [&] { return thalweg_open_collection(session_, name.c_str(), &collection); });
      if (code == 0)
        code = log_("define_variable", [&] {
          return thalweg_define_variable(collection, "state", "time,y,x", THALWEG_FLOAT64, cells, nullptr);
        });
      collections_.push_back(collection);
    }
    return code != 0 ? code : log_("ready", [&] { return thalweg_ready(session_); });
  }

  int step(std::int64_t number) {
    field_.resize(static_cast<std::size_t>(count_[0] * columns));
    for (std::size_t i = 0; i < field_.size(); ++i)
      field_[i] = static_cast<double>(number * 100 + start_[0] * columns + static_cast<std::int64_t>(i));
    int code = 0;
    for (thalweg_collection* collection : collections_)
      if (code == 0)
        code = log_("put", [&] {
          return thalweg_put(collection, "state", field_.data(), THALWEG_FLOAT64, 2, count_, nullptr);
        });
    if (code == 0) code = log_("advance", [&] { return thalweg_advance(session_, static_cast<double>(number)); });
    if (code == 0 && number % wait_every_ == 0) code = log_("wait", [&] { return thalweg_wait(session_); });
    if (code == 0 && (number == steps_ / 10 || number == steps_)) code = be_looked_at(number);
    return code;
  }

  int be_looked_at(std::int64_t number) {
    const int code = log_("wait", [&] { return thalweg_wait(session_); });
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    MPI_Barrier(comm_);
    if (rank == 0) std::ofstream("at." + std::to_string(number)) << "\n";
    while (access(("go." + std::to_string(number)).c_str(), F_OK) != 0) usleep(10'000);
    return code;
  }

  std::int64_t steps_;
  std::int64_t wait_every_;
  std::vector<std::string> names_;
  outcomes::Log log_;
  std::int64_t start_[2] = {0, 0};
  std::int64_t count_[2] = {0, columns};
  std::vector<double> field_;
  std::vector<thalweg_collection*> collections_;
  thalweg_session* session_ = nullptr;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 4) return 2;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  outcomes::leave(Model(std::atoll(argv[1]), std::atoll(argv[2]), {argv + 3, argv + argc}, rank).run());
  return 0;
}
