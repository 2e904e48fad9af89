// thalweg-combine: joins the files of a set into one file, or makes a virtual master that shows them as one.
#include <mpi.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/system_call.hpp"
#include "command.hpp"
#include "config/parse_value.hpp"
#include "sets/combine.hpp"
#include "sets/file_set.hpp"

using namespace thalweg;

namespace {

void add_name(sets::CombineOptions& options, const std::string& word) {
  const auto part = storage::parse_part_name(word);
  const std::string set = part ? part->set : word;
  if (!options.set.empty() && options.set != set)
    fail(THALWEG_ERROR_ARGUMENT, "'{}' is not of the set '{}': one call joins one set", word, options.set);
  options.set = set;
}

sets::CombineOptions options_of(const std::vector<std::string>& names, const std::string& memory,
                                sets::CombineOptions options) {
  for (const std::string& name : names) add_name(options, name);
  if (options.output.empty()) options.output = options.set;
  if (!memory.empty()) options.memory_bytes = config::parse_bytes(memory, std::int64_t{1} << 20);
  return options;
}

// All files of a set are open at once.
void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int run(const sets::CombineOptions& options) {
  allow_many_files();
  const double start_s = now_s();
  const sets::CombineOutcome outcome = sets::combine(options);
  if (outcome.dropped_records > 0)
    std::fprintf(stderr, "thalweg-combine: warning: not all files have the last %lld records, which were left out\n",
                 static_cast<long long>(outcome.dropped_records));
  std::printf("%s: %s of %lld files, %lld records, verified, %.2f s\n", options.output.c_str(),
              outcome.is_virtual ? "virtual master" : "copy", static_cast<long long>(outcome.parts),
              static_cast<long long>(outcome.records), now_s() - start_s);
  return 0;
}

// Calls action and returns its code, or that of its error, which it prints.
template <typename Action>
int printed(const Action& action) {
  try {
    return action();
  } catch (...) {
    const Error error = error_in_flight();
    std::fprintf(stderr, "thalweg-combine: %s\n", error.what());
    return error.code();
  }
}

// ---- a damaged file may be the end of a process that reads it through a format library: that is a child

// The name of the file that the child reads, where its parent sees it.
class ReadingNow {
 public:
  ReadingNow() {
    void* shared = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED) name_ = static_cast<char*>(shared);
  }
  void set(const std::string& file) const {
    if (name_ != nullptr) std::snprintf(name_, bytes, "%s", file.c_str());
  }
  const char* get() const { return name_ == nullptr || *name_ == '\0' ? "a file of the set" : name_; }

 private:
  static constexpr std::size_t bytes = 4096;
  char* name_ = nullptr;
};

constexpr int signals_of_damage[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};

// Programs without mpiexec share a folder of Open MPI's, which the first that ends takes away from those that begin.
// One process alone needs none.
void need_no_folder_of_mpi() {
  if (std::getenv("PMIX_NAMESPACE") == nullptr) setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
}

int run_with_mpi(sets::CombineOptions options, const ReadingNow& now) {
  options.reading = [&](const std::string& file) { now.set(file); };
  need_no_folder_of_mpi();
  MPI_Init(nullptr, nullptr);
  for (const int signal : signals_of_damage) std::signal(signal, SIG_DFL);  // the parent says it shorter than MPI
  const int code = printed([&] { return run(options); });
  MPI_Finalize();
  return code;
}

int end_as(int status, const ReadingNow& now) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  if (std::ranges::find(signals_of_damage, signal) != std::end(signals_of_damage))
    std::fprintf(stderr,
                 "thalweg-combine: '%s' is damaged: the format library came to grief when it read it (%s); nothing was "
                 "made, and no file of the set is changed\n",
                 now.get(), strsignal(signal));
  else
    std::fprintf(stderr, "thalweg-combine: ended by a signal (%s) when it read '%s'\n", strsignal(signal), now.get());
  return THALWEG_ERROR_FORMAT;
}

int run_in_child(const sets::CombineOptions& options) {
  const ReadingNow now;
  const std::string unfinished = sets::unfinished_name(options);
  const bool is_of_others = access(unfinished.c_str(), F_OK) == 0;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) fail(THALWEG_ERROR_MEMORY, "no process can be started: {}", std::strerror(errno));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    std::exit(run_with_mpi(options, now));
  }
  int status = 0;
  uninterrupted([&] { return waitpid(child, &status, 0); });
  if (WIFSIGNALED(status) && !is_of_others) unlink(unfinished.c_str());
  return end_as(status, now);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that becomes too large (ulimit -f) is an error like others
  Command command(
      "thalweg-combine",
      "Joins the set of files NAME.nc.0000, NAME.nc.0001, … into NAME.nc. All files of the set have to be in "
      "one folder.\nSets of CDF files are copied into one file. Of netCDF-4 files a virtual master is made: "
      "it shows the files as one, and needs them.",
      "The result is read back and compared with the set before it gets its name. The exit code is 0 if all "
      "is well.");
  sets::CombineOptions options;
  std::vector<std::string> names;
  std::string memory;
  command.require("NAME.nc", names, "the set, or files of it");
  command.option("-o,--output", options.output, "name of the result, in place of NAME.nc");
  command.flag("--copy", options.copies, "netCDF-4: make a file with values of its own, not a virtual master");
  command.flag("--remove", options.removes, "remove the files of the set when the result is verified");
  command.option("--memory", memory, "memory for values, \"64 MiB\" unless given");
  if (const auto code = command.read(argc, argv)) return *code;
  return printed([&] { return run_in_child(options_of(names, memory, options)); });
}
