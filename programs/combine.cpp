// thalweg-combine: joins the files of a set into one file, or makes a virtual master that shows them as one.
#include <mpi.h>
#include <sys/resource.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "config/parse_value.hpp"
#include "store/combine.hpp"
#include "store/file_set.hpp"

using namespace thalweg;

namespace {

constexpr const char* usage = R"(usage: thalweg-combine [options] NAME.nc [NAME.nc.0000 …]

Joins the set of files NAME.nc.0000, NAME.nc.0001, … into NAME.nc. All files of the set have to be in one folder.
Sets of CDF files are copied into one file. Of netCDF-4 files a virtual master is made: it shows the files as one, and
needs them.

  -o, --output OUT   name of the result, in place of NAME.nc
  --copy             netCDF-4: make a file with values of its own, not a virtual master
  --remove           remove the files of the set when the result is verified
  --memory SIZE      memory for values, "64 MiB" unless given
  -h, --help         show this text

The result is read back and compared with the set before it gets its name. The exit code is 0 if all is well.
)";

struct Request {
  store::CombineOptions options;
  bool wants_help = false;
};

void add_name(store::CombineOptions& options, const std::string& word) {
  const auto part = store::parse_part_name(word);
  const std::string set = part ? part->set : word;
  if (!options.set.empty() && options.set != set)
    fail(THALWEG_ERROR_ARGUMENT, "'{}' is not of the set '{}': one call joins one set", word, options.set);
  options.set = set;
}

Request parse(const std::vector<std::string>& words) {
  Request request;
  store::CombineOptions& options = request.options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto value = [&] {
      if (i + 1 == words.size()) fail(THALWEG_ERROR_ARGUMENT, "option {} needs a value", words[i]);
      return words[++i];
    };
    if (words[i] == "-h" || words[i] == "--help")
      request.wants_help = true;
    else if (words[i] == "-o" || words[i] == "--output")
      options.output = value();
    else if (words[i] == "--copy")
      options.copies = true;
    else if (words[i] == "--remove")
      options.removes = true;
    else if (words[i] == "--memory")
      options.memory_bytes = config::parse_bytes(value(), std::int64_t{1} << 20);
    else if (words[i].starts_with("-"))
      fail(THALWEG_ERROR_ARGUMENT, "option {} is not known; thalweg-combine --help lists them", words[i]);
    else
      add_name(options, words[i]);
  }
  if (options.set.empty() && !request.wants_help)
    fail(THALWEG_ERROR_ARGUMENT, "no set is named; thalweg-combine --help says how");
  if (options.output.empty()) options.output = options.set;
  return request;
}

// All files of a set are open at once.
void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int run(const Request& request) {
  if (request.wants_help) {
    std::fputs(usage, stdout);
    return 0;
  }
  allow_many_files();
  const double start_s = now_s();
  const store::CombineOutcome outcome = store::combine(request.options);
  if (outcome.dropped_records > 0)
    std::fprintf(stderr, "thalweg-combine: warning: not all files have the last %lld records, which were left out\n",
                 static_cast<long long>(outcome.dropped_records));
  std::printf("%s: %s of %lld files, %lld records, verified, %.2f s\n", request.options.output.c_str(),
              outcome.is_virtual ? "virtual master" : "copy", static_cast<long long>(outcome.parts),
              static_cast<long long>(outcome.records), now_s() - start_s);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 0;
  try {
    code = run(parse({argv + 1, argv + argc}));
  } catch (const Error& error) {
    std::fprintf(stderr, "thalweg-combine: %s\n", error.what());
    code = error.code();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "thalweg-combine: %s\n", error.what());
    code = 1;
  }
  MPI_Finalize();
  return code;
}
