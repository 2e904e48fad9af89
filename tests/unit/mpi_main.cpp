// Runs GoogleTest on every rank of an MPI job; the job fails if one rank fails. Rank 0 prints what passes, every rank
// what fails.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

#include "sanitized.hpp"
#include "skips.hpp"

namespace {

class FailuresOnly : public testing::EmptyTestEventListener {
 public:
  explicit FailuresOnly(int rank) : rank_(rank) {}
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank_, result.file_name() == nullptr ? "?" : result.file_name(),
                 result.line_number(), result.message());
  }

 private:
  int rank_;
};

void print_failures_only(int rank) {
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new FailuresOnly(rank));
}

}  // namespace

namespace thalweg::sanitized {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
const int slowness = 10;
#else
const int slowness = 1;
#endif

}  // namespace thalweg::sanitized

#if defined(__SANITIZE_ADDRESS__)
// The plug-ins of MPI stay loaded, so that LeakSanitizer knows by their names what they leave (tools/lsan.supp).
extern "C" int dlclose(void* /*library*/) {
  return 0;
}
#endif

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) print_failures_only(rank);
  auto* skips = new thalweg::skips::Listener;  // GoogleTest deletes it
  testing::UnitTest::GetInstance()->listeners().Append(skips);
  const int failed = RUN_ALL_TESTS();
  const int here = failed == 0 && skips->unlisted() > 0 ? 1 : failed;
  int anywhere = 0;
  MPI_Allreduce(&here, &anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return anywhere;
}
