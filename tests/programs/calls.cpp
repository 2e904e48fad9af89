// A model that makes each call many times, to see what one takes:
//
//   calls TIMES
//
// The configuration is thalweg.yaml, of a collection "history". The lowest client prints one line for each kind of
// call: its name, the median of its seconds, and how many took longer than 0.2 s, which is nearly as long as a server
// sleeps that nobody wakes.
#include <mpi.h>
#include <thalweg.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

void check(int code) {
  if (code == THALWEG_OK) return;
  std::fprintf(stderr, "calls: %s\n", thalweg_error_text());
  MPI_Abort(MPI_COMM_WORLD, code);
}

class Model {
 public:
  explicit Model(int times) : times_(times) {
    check(thalweg_start(MPI_COMM_WORLD, "thalweg.yaml", &session_));
    int is_client = 0;
    check(thalweg_is_client(session_, &is_client));
    if (is_client == 0) return;
    MPI_Comm comm = MPI_COMM_NULL;
    check(thalweg_model_comm(session_, &comm));
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks_);
    define();
    write();
    show();
  }
  ~Model() { check(thalweg_finish(&session_)); }

 private:
  template <typename Call>
  void timed(const std::string& name, const Call& call) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    check(call());
    seconds_[name].push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }

  void define() {
    for (int i = 0; i < times_; ++i) {
      const std::int64_t shape = (i + 1) * static_cast<std::int64_t>(ranks_), start = (i + 1) * rank_, count = i + 1;
      timed("decompose", [&] {
        const std::string dim = "x" + std::to_string(i);
        return thalweg_decompose(session_, dim.c_str(), &shape, 1, &start, &count, nullptr, nullptr, 0, &line_);
      });
    }
    const std::string dim = "x" + std::to_string(times_ - 1);
    check(thalweg_open_collection(session_, "history", &history_));
    for (int i = 0; i < times_; ++i)
      timed("define_text", [&] {
        return thalweg_define_text(history_, "", ("note" + std::to_string(i)).c_str(), std::string(20000, 'x').c_str());
      });
    timed("define_variable", [&] {
      return thalweg_define_variable(history_, "temp", ("time," + dim).c_str(), THALWEG_FLOAT64, line_, nullptr);
    });
    timed("ready", [&] { return thalweg_ready(session_); });
  }

  void write() {
    const std::int64_t count = times_;
    const std::vector<double> field(static_cast<std::size_t>(times_));
    for (int i = 0; i < times_; ++i) {
      timed("put", [&] { return thalweg_put(history_, "temp", field.data(), THALWEG_FLOAT64, 1, &count, nullptr); });
      timed("advance", [&] { return thalweg_advance(session_, 600.0 * (i + 1)); });
      timed("flush", [&] { return thalweg_flush(session_); });
      timed("wait", [&] { return thalweg_wait(session_); });
    }
  }

  void show() {
    if (rank_ != 0) return;
    for (auto& [name, all] : seconds_) {
      std::sort(all.begin(), all.end());
      const auto is_slow = [](double seconds) { return seconds > 0.2; };
      std::printf("%s %.6f %ld\n", name.c_str(), all[all.size() / 2],
                  static_cast<long>(std::count_if(all.begin(), all.end(), is_slow)));
    }
  }

  int times_;
  int rank_ = 0;
  int ranks_ = 1;
  thalweg_session* session_ = nullptr;
  thalweg_decomposition* line_ = nullptr;
  thalweg_collection* history_ = nullptr;
  std::map<std::string, std::vector<double>> seconds_;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const Model model(argc > 1 ? std::atoi(argv[1]) : 10);
  }
  MPI_Finalize();
  return 0;
}
