// What a put of a field in parts costs, of one thread and of two at once, of which a mean is made.
//
//   thalweg_bench_parts CELLS ROUNDS
//
// Prints a JSON object: seconds of each round for each way. One rank.
#include <atomic>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "seconds_of_ways.hpp"
#include "thalweg.hpp"

namespace {

constexpr const char* settings = R"(
report: none
time-step: 1 h
collections:
  means: {file: means.nc, every: 1 year, operation: mean, partial: drop, fields: [whole, parts, parts_of_two]}
)";

constexpr std::int64_t part_count = 32;

// Of several threads each puts every so many parts, beginning with its own.
void put_parts(thw::Field& field, std::span<const float> array, int thread, int threads) {
  const std::size_t cells = array.size() / part_count;
  for (std::int64_t part = thread; part < part_count; part += threads)
    field.put_part({part * static_cast<std::int64_t>(cells)},
                   array.subspan(static_cast<std::size_t>(part) * cells, cells));
}

// As those of OpenMP are: it is there already, and waits for work without sleeping.
class SecondThread {
 public:
  SecondThread() {
    while (!is_there_) {
    }
  }
  ~SecondThread() {
    ends_ = true;
    thread_.join();
  }
  void begin(std::function<void()> work) {
    work_ = std::move(work);
    has_work_ = true;
  }
  void await() const {
    while (has_work_) {
    }
  }

 private:
  void run() {
    is_there_ = true;
    while (!ends_) {
      if (!has_work_) continue;
      work_();
      has_work_ = false;
    }
  }

  std::function<void()> work_;
  std::atomic<bool> is_there_{false}, has_work_{false}, ends_{false};
  std::thread thread_{[this] { run(); }};
};

void measure(std::int64_t cells, int rounds) {
  thw::Session io = thw::Session::from_text(MPI_COMM_WORLD, settings);
  const thw::Decomposition all = io.decompose("x", {cells}, {0}, {cells});
  thw::Field whole = io.define_field("whole", "x", thw::Type::float32, all);
  thw::Field parts = io.define_field("parts", "x", thw::Type::float32, all);
  thw::Field parts_of_two = io.define_field("parts_of_two", "x", thw::Type::float32, all);
  io.ready();
  const std::vector<float> field(static_cast<std::size_t>(cells), 1.5F);
  SecondsOfWays seconds;
  for (int round = -1; round < rounds; ++round) {  // the first one is not counted: memory is touched
    const double of_whole = seconds_of([&] { whole.put(field); });
    const double of_parts = seconds_of([&] { put_parts(parts, field, 0, 1); });
    SecondThread second;  // it takes a processor, and is there while it is needed
    const double of_two = seconds_of([&] {
      second.begin([&] { put_parts(parts_of_two, field, 1, 2); });
      put_parts(parts_of_two, field, 0, 2);
      second.await();
    });
    io.advance(3600.0 * (round + 2));
    if (round < 0) continue;
    seconds["mean, at once"].push_back(of_whole);
    seconds["mean, in 32 parts"].push_back(of_parts);
    seconds["mean, in 32 parts of two threads"].push_back(of_two);
  }
  print(seconds);
  io.finish();
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  measure(argc > 1 ? std::atoll(argv[1]) : 1 << 21, argc > 2 ? std::atoi(argv[2]) : 15);
  MPI_Finalize();
}
