// thalweg_bench_runs [repetitions]: the copy along runs against the copy of one box of as many elements. The points of
// a rank are numbered in runs of several lengths in random order; times are the fastest of the repetitions.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "geometry/index_list.hpp"
#include "transform/copy_runs.hpp"

namespace {

using namespace thalweg;

constexpr std::int64_t points = 1 << 17;
constexpr std::int64_t levels = 47;

double cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

PointRuns shuffled_runs(std::int64_t length) {
  std::vector<std::int64_t> starts;
  for (std::int64_t start = 0; start < points; start += length) starts.push_back(start);
  std::shuffle(starts.begin(), starts.end(), std::mt19937_64(1));
  std::vector<std::int64_t> index;
  for (const std::int64_t start : starts)
    for (std::int64_t i = start; i < std::min(points, start + length); ++i) index.push_back(i);
  return geometry::local_to_global(geometry::index_list("cell", {points}, index, 0, config::Owner::error).runs, 0);
}

struct Layout {
  const char* name;
  int along;
  Index count;
  Index source_stride;  // elements
  Index target_stride;
};

const Layout layouts[] = {
    {"cell", 0, {points}, {1}, {1}},
    {"file (level, cell), memory the same", 1, {levels, points}, {points, 1}, {points, 1}},
    {"file (level, cell), memory (cell, level)", 1, {levels, points}, {1, levels}, {points, 1}},
    {"file (cell, level), memory the same", 0, {points, levels}, {levels, 1}, {levels, 1}},
    {"file (cell, level), memory (level, cell)", 0, {points, levels}, {1, points}, {levels, 1}},
};

Index in_bytes(const Index& stride, std::int64_t element_bytes) {
  Index result = stride;
  for (int d = 0; d < result.rank(); ++d) result[d] *= element_bytes;
  return result;
}

template <typename Copy>
double fastest_ns(const Copy& copy, int repetitions, std::int64_t elements) {
  double best_s = 1e9;
  for (int i = 0; i < repetitions; ++i) {
    const double start_s = cpu_s();
    copy();
    best_s = std::min(best_s, cpu_s() - start_s);
  }
  return 1e9 * best_s / static_cast<double>(elements);
}

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 7;
  std::vector<double> source(points * levels, 1.5);
  std::vector<float> target(points * levels);
  const auto* from = reinterpret_cast<const std::byte*>(source.data());
  auto* to = reinterpret_cast<std::byte*>(target.data());
  std::printf("float64 -> float32, big-endian: ns an element; runs of 1, 3, 10, 30, 100, 1000 points; one box\n");
  for (const Layout& layout : layouts) {
    const transform::BoxCopy box{layout.count,
                                 in_bytes(layout.source_stride, 8),
                                 in_bytes(layout.target_stride, 4),
                                 Type::float64,
                                 Type::float32,
                                 true};
    std::printf("%-42s", layout.name);
    for (const std::int64_t length : {1, 3, 10, 30, 100, 1000}) {
      const PointRuns runs = shuffled_runs(length);
      const auto copy = [&] { transform::copy_runs(box, layout.along, runs, from, to); };
      std::printf(" %5.2f", fastest_ns(copy, repetitions, layout.count.product()));
    }
    const auto copy = [&] { transform::copy_box(box, from, to); };
    std::printf(" | %5.2f\n", fastest_ns(copy, repetitions, layout.count.product()));
  }
}
