// How fast copy_box is beside one strided memcpy of the same bytes. See README.md for what to look at.
//
//   copy_bench [processes] [repetitions]
//
// The variants of a group alternate in one run; each is compared with the first of its group, repetition by
// repetition, and the median of these ratios is printed. Several processes start every variant together.
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "transform/copy.hpp"
#include "transform/kernel_table.hpp"

namespace {

using namespace thalweg;
using namespace thalweg::transform;

constexpr std::size_t warm_bytes = std::size_t{4} << 30;
constexpr std::size_t buffer_bytes = std::size_t{256} << 20;
constexpr int halo = 4;

struct Shared {
  std::atomic<long> arrived;
  std::atomic<std::uint64_t> sink;  // keeps the checksums in use
};

struct Run {
  int processes;
  int repetitions;
  int rank;
  Shared* shared;
  std::byte* source;
  std::byte* target;
  long barriers = 0;

  void barrier() {
    ++shared->arrived;
    ++barriers;
    while (shared->arrived < barriers * processes) sched_yield();
  }
};

struct Variant {
  std::string name;
  std::function<std::uint64_t(std::byte* target)> copy;
};

std::byte* mapped(std::size_t bytes, int flags) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return static_cast<std::byte*>(memory);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// Processor time of the thread: a copy never sleeps, and the time that other programs take from it is not its own.
double processor_seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double seconds_of(const Variant& variant, Run& run, std::byte* target) {
  run.barrier();
  const double start = processor_seconds();
  run.shared->sink += variant.copy(target);
  return processor_seconds() - start;
}

// Copies go to four places in turn, as successive fields do; each variant has its own, unless they are too large.
void measure(Run& run, const std::string& title, std::size_t bytes, const std::vector<Variant>& variants,
             std::size_t offset = 0) {
  const std::size_t place_bytes = (bytes / 4096 + 2) * 4096;
  const std::size_t places = buffer_bytes / place_bytes;
  std::vector<std::vector<double>> seconds(variants.size());
  for (int repetition = 0; repetition < run.repetitions + 2; ++repetition)
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const std::size_t place = (4 * v + static_cast<std::size_t>(repetition) % 4) % places;
      const double time = seconds_of(variants[v], run, run.target + offset + place_bytes * place);
      if (repetition >= 2) seconds[v].push_back(time);
    }
  if (run.rank != 0) return;
  std::printf("%s\n", title.c_str());
  for (std::size_t v = 0; v < variants.size(); ++v) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < seconds[v].size(); ++i) ratios.push_back(seconds[v][i] / seconds[0][i]);
    std::printf("  %-36s %7.2f GB/s  x %.2f\n", variants[v].name.c_str(),
                static_cast<double>(bytes) / median(seconds[v]) * 1e-9, median(ratios));
  }
}

// A field of levels x rows x columns with a halo around each level, into a contiguous block.
struct Field {
  std::int64_t levels, rows, columns;

  BoxCopy copy(Type source, Type target, bool big_endian) const {
    const Index count{levels, rows, columns};
    const Index allocated{levels, rows + 2 * halo, columns + 2 * halo};
    return {count,
            contiguous_strides(allocated, static_cast<std::int64_t>(size_of(source))),
            contiguous_strides(count, static_cast<std::int64_t>(size_of(target))),
            source,
            target,
            big_endian};
  }
  std::size_t bytes(Type type) const { return static_cast<std::size_t>(levels * rows * columns) * size_of(type); }
};

std::uint64_t copy_rows(const BoxCopy& copy, const std::byte* source, std::byte* target) {
  const auto row_bytes = static_cast<std::size_t>(copy.count[2]) * size_of(copy.target_type);
  for (std::int64_t level = 0; level < copy.count[0]; ++level)
    for (std::int64_t row = 0; row < copy.count[1]; ++row)
      std::memcpy(target + level * copy.target_stride[0] + row * copy.target_stride[1],
                  source + level * copy.source_stride[0] + row * copy.source_stride[1], row_bytes);
  return 0;
}

Variant memcpy_rows(const Run& run, const Field& field, Type type = Type::float32) {
  return {
      "memcpy of rows, " + std::string(name_of(type)),
      [&run, copy = field.copy(type, type, false)](std::byte* target) { return copy_rows(copy, run.source, target); }};
}

Variant box(const Run& run, const std::string& name, const BoxCopy& copy, Stores stores = Stores::automatic,
            bool generic = false) {
  const bool avx2 = std::strcmp(kernel_name(), "avx2") == 0;
  const Kernels& kernels = generic || !avx2 ? generic_kernels() : *avx2_kernels();
  return {name, [&run, &kernels, copy, stores](std::byte* target) {
            return copy_box(kernels, stores, copy, run.source, target);
          }};
}

void measure_types(Run& run, std::size_t offset) {
  const Field field{72, 360, 720};
  const auto as = [&field](Type source, Type target, bool big_endian) {
    return field.copy(source, target, big_endian);
  };
  const BoxCopy native = as(Type::float32, Type::float32, false);
  const BoxCopy big = as(Type::float32, Type::float32, true);
  const BoxCopy narrow = as(Type::float64, Type::float32, false);
  const BoxCopy narrow_big = as(Type::float64, Type::float32, true);
  std::vector<Variant> variants = {memcpy_rows(run, field)};
  for (const auto& [stores, how] : {std::pair{Stores::automatic, "automatic"}, {Stores::cached, "cached"}}) {
    variants.push_back(box(run, std::string("float32, ") + how, native, stores));
    variants.push_back(box(run, std::string("float32 big-endian, ") + how, big, stores));
    variants.push_back(box(run, std::string("float64 -> float32, ") + how, narrow, stores));
    variants.push_back(box(run, std::string("float64 -> float32 big-endian, ") + how, narrow_big, stores));
  }
  variants.push_back(box(run, "float32, generic", native, Stores::automatic, true));
  variants.push_back(box(run, "float32 big-endian, generic", big, Stores::automatic, true));
  variants.push_back(box(run, "float64 -> float32, generic", narrow, Stores::automatic, true));
  measure(run, "75 MB of rows of 2880 bytes, target " + std::to_string(offset) + " bytes off a cache line",
          field.bytes(Type::float32), variants, offset);
}

void measure_wide(Run& run) {
  const Field field{36, 360, 720};
  measure(run, "75 MB of rows of 5760 bytes", field.bytes(Type::float64),
          {memcpy_rows(run, field, Type::float64), box(run, "float64", field.copy(Type::float64, Type::float64, false)),
           box(run, "float64 big-endian", field.copy(Type::float64, Type::float64, true)),
           box(run, "float32 -> float64", field.copy(Type::float32, Type::float64, false))});
  const Field bytes{72, 360, 2880};
  measure(run, "75 MB of rows of 2880 bytes, int8", bytes.bytes(Type::int8),
          {memcpy_rows(run, bytes, Type::int8), box(run, "int8", bytes.copy(Type::int8, Type::int8, false))});
}

void measure_stores(Run& run, const Field& field) {
  const BoxCopy native = field.copy(Type::float32, Type::float32, false);
  const BoxCopy narrow = field.copy(Type::float64, Type::float32, false);
  const std::size_t bytes = field.bytes(Type::float32);
  measure(run, std::to_string(bytes >> 10) + " KiB in rows of " + std::to_string(field.columns * 4) + " bytes", bytes,
          {memcpy_rows(run, field), box(run, "float32, cached", native, Stores::cached),
           box(run, "float32, streaming", native, Stores::streaming),
           box(run, "float64 -> float32, cached", narrow, Stores::cached),
           box(run, "float64 -> float32, streaming", narrow, Stores::streaming)},
          20);
}

// Memory order (y, x, level), level fastest, as column models keep it; the file's order is (level, y, x).
void measure_transposed(Run& run, const Field& field) {
  const auto transposed = [&field](Type source, bool big_endian) {
    BoxCopy copy = field.copy(source, Type::float32, big_endian);
    const auto element = static_cast<std::int64_t>(size_of(source));
    copy.source_stride = {element, field.levels * (field.columns + 2 * halo) * element, field.levels * element};
    return copy;
  };
  const BoxCopy plain = transposed(Type::float32, false);
  const auto naive = [&run, plain](std::byte* target) {
    for (std::int64_t k = 0; k < plain.count[0]; ++k)
      for (std::int64_t j = 0; j < plain.count[1]; ++j)
        for (std::int64_t i = 0; i < plain.count[2]; ++i)
          std::memcpy(target + k * plain.target_stride[0] + j * plain.target_stride[1] + i * 4,
                      run.source + k * 4 + j * plain.source_stride[1] + i * plain.source_stride[2], 4);
    return std::uint64_t{0};
  };
  measure(run,
          "transposed: " + std::to_string(field.levels) + " levels of " + std::to_string(field.rows) + " x " +
              std::to_string(field.columns) + ", level fastest in memory",
          field.bytes(Type::float32),
          {memcpy_rows(run, field),
           box(run, "float32", plain),
           box(run, "float32 big-endian", transposed(Type::float32, true)),
           box(run, "float64 -> float32", transposed(Type::float64, false)),
           {"float32, three plain loops", naive}});
}

void measure_fill(Run& run) {
  const Index count{72, 360, 720};
  const std::size_t bytes = static_cast<std::size_t>(count.product()) * 4;
  measure(run, "75 MB of fill values", bytes,
          {{"memset", [bytes](std::byte* target) { return std::memset(target, 1, bytes) == nullptr; }},
           {"fill_box, float32", [count](std::byte* target) {
              return fill_box(count, contiguous_strides(count, 4), Type::float32, true, default_fill(Type::float32),
                              target);
            }}});
}

void measure_all(Run& run) {
  measure_types(run, 0);
  measure_types(run, 20);
  measure_wide(run);
  for (std::int64_t levels : {1, 2, 4, 8, 32}) measure_stores(run, {levels, 90, 720});
  for (std::int64_t columns : {32, 64, 128, 256}) measure_stores(run, {16, 65536 / columns * 4, columns});
  measure_transposed(run, {72, 360, 720});
  measure_transposed(run, {64, 256, 512});
  measure_fill(run);
}

}  // namespace

int main(int argc, char** argv) {
  const int processes = argc > 1 ? std::atoi(argv[1]) : 1;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 15;
  // A virtual machine's memory is slow until its host has backed it.
  munmap(mapped(warm_bytes, MAP_PRIVATE), warm_bytes);
  auto* shared = new (mapped(4096, MAP_SHARED)) Shared{};
  int rank = 0;
  while (rank + 1 < processes && fork() == 0) ++rank;
  if (rank > 0) prctl(PR_SET_PDEATHSIG, SIGKILL);  // else it would wait for ever for a parent that was killed
  Run run{processes, repetitions, rank, shared, mapped(buffer_bytes, MAP_PRIVATE), mapped(buffer_bytes, MAP_SHARED)};
  std::memset(run.source, rank + 1, buffer_bytes);
  std::memset(run.target, 0, buffer_bytes);
  if (rank == 0)
    std::printf("kernels: %s, processes: %d, GB/s of target bytes in one process\n", kernel_name(), processes);
  measure_all(run);
  while (wait(nullptr) > 0) {
  }
  return 0;
}
