// A model of which some ranks compute for long, calling neither Thalweg nor MPI, until they see that their pieces went
// on without them, or for a time:
//
//   pausing committed|ahead LIMIT_S multiple|funneled
//
// committed: every client puts a record and computes until it is in history.nc.partial (CDF-5).
// ahead: client 0 computes until the other one has put all its records.
// The configuration is thalweg.yaml. Who computed says what it saw: "rank 0: went on" or "rank 0: stood still".
#include <mpi.h>
#include <sys/stat.h>
#include <thalweg.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t cells = 1 << 20;  // of each client: 8 MiB, which no MPI library sends at once

void check(int code) {
  if (code == THALWEG_OK) return;
  std::fprintf(stderr, "pausing: %s\n", thalweg_error_text());
  MPI_Abort(MPI_COMM_WORLD, code);
}

// As the header says, whose count of records is big-endian and follows four bytes.
std::int64_t committed_records() {
  std::array<unsigned char, 12> header{};
  std::ifstream file("history.nc.partial", std::ios::binary);
  file.read(reinterpret_cast<char*>(header.data()), header.size());
  std::int64_t records = 0;
  for (std::size_t i = 4; file && i < header.size(); ++i) records = records << 8 | header[i];
  return records;
}

class Model {
 public:
  explicit Model(double limit_s) : limit_s_(limit_s) {
    check(thalweg_start(MPI_COMM_WORLD, "thalweg.yaml", &session_));
  }
  ~Model() { check(thalweg_finish(&session_)); }

  void run(bool ahead) {
    int is_client = 0;
    check(thalweg_is_client(session_, &is_client));
    if (is_client == 0) return;
    declare();
    if (!ahead) {
      put(0);
      compute([] { return committed_records() > 0; });
      return;
    }
    if (rank_ == 0) compute([] { return access("ahead", F_OK) == 0; });
    // Two messages lie with the receiver, two with the sender.
    for (std::int64_t record = 0; record < 4; ++record) put(record);
    if (rank_ == 1) std::ofstream("ahead") << "all are put\n";
  }

 private:
  void declare() {
    MPI_Comm comm = MPI_COMM_NULL;
    int ranks = 0;
    check(thalweg_model_comm(session_, &comm));
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &ranks);
    const std::int64_t shape = cells * ranks, start = cells * rank_, count = cells;
    thalweg_decomposition* line = nullptr;
    check(thalweg_decompose(session_, "x", &shape, 1, &start, &count, nullptr, nullptr, 0, &line));
    check(thalweg_open_collection(session_, "history", &history_));
    check(thalweg_define_variable(history_, "temp", "time,x", THALWEG_FLOAT64, line, nullptr));
    check(thalweg_ready(session_));
  }

  void put(std::int64_t record) {
    std::vector<double> field(static_cast<std::size_t>(cells));
    for (std::int64_t i = 0; i < cells; ++i)
      field[static_cast<std::size_t>(i)] = static_cast<double>(record * 100'000'000 + rank_ * cells + i);
    check(thalweg_put(history_, "temp", field.data(), THALWEG_FLOAT64, 1, &cells, nullptr));
    check(thalweg_advance(session_, static_cast<double>(record + 1)));
  }

  void compute(const std::function<bool()>& went_on) const {
    const auto now = [] { return std::chrono::steady_clock::now(); };
    const auto end = now() + std::chrono::duration<double>(limit_s_);
    while (!went_on() && now() < end) usleep(1000);
    std::printf("rank %d: %s\n", rank_, went_on() ? "went on" : "stood still");
    std::fflush(stdout);
  }

  double limit_s_;
  int rank_ = 0;  // among those of the model
  thalweg_session* session_ = nullptr;
  thalweg_collection* history_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  int provided = 0;
  const bool multiple = std::string(argv[3]) == "multiple";
  MPI_Init_thread(&argc, &argv, multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
  Model(std::atof(argv[2])).run(std::string(argv[1]) == "ahead");
  MPI_Finalize();
}
