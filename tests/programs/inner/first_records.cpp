// What is known of the first record of files that may be damaged (formats/first_record.hpp), each looked at in a
// process of its own, because the library that reads them may end it. Nothing here starts MPI.
//
//   first_records START FILE…                           a line each: "no", "yes", "unknown: WHY", or "signal NUMBER"
//   first_records damaged FOLDER SEED COUNT FILE…       COUNT times a file with damaged bytes, made in FOLDER; one line
//                                                       in the end: "no N yes N unknown N signal N"
//   first_records whole FOLDER SEED COUNT FILE…         the same, but reads the whole definition with netCDF-C
//
// START: of the run, in seconds since 2000-01-01.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "formats/first_record.hpp"
#include "formats/netcdf4/file.hpp"

namespace {

using namespace thalweg;
using formats::Before;

constexpr double later_s = 1e6;
const char* const words[] = {"no", "yes", "unknown"};

Before look(const std::string& path, double start_s, bool whole, std::string* why) {
  if (!whole) return formats::has_records_before(path, {Calendar::standard, {2000, 1, 1, 0, 0, 0.0}, start_s}, why);
  try {
    return formats::netcdf4::open_readable_netcdf4(path)->records() > 0 ? Before::yes : Before::no;
  } catch (const std::exception&) {
    return Before::unknown;
  }
}

// "signal 11" where the look ends the process, or takes too long.
std::string looked_at(const std::string& path, double start_s, bool whole) {
  constexpr unsigned limit_s = 10;
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    alarm(limit_s);
    std::string why;
    const Before before = look(path, start_s, whole, &why);
    std::string text = words[static_cast<int>(before)];
    if (before == Before::unknown) text += ": " + why;
    _exit(write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  std::string text(4096, '\0');
  const ssize_t got = read(ends[0], text.data(), text.size());
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

std::vector<char> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A few bytes, a run of equal ones, or a page that comes from another place.
void damage(std::vector<char>& bytes, std::mt19937_64& chance) {
  const auto place = [&] { return static_cast<std::ptrdiff_t>(chance() % bytes.size()); };
  const auto kind = chance() % 8;
  if (kind == 0) {
    const std::ptrdiff_t at = place(), count = std::min<std::ptrdiff_t>(64, std::ssize(bytes) - at);
    std::fill_n(bytes.begin() + at, count, chance() % 2 == 0 ? '\xff' : '\0');
  } else if (kind == 1 && bytes.size() > 1024) {
    const auto last = static_cast<std::uint64_t>(bytes.size() - 512);
    const auto from = static_cast<std::ptrdiff_t>(chance() % last), to = static_cast<std::ptrdiff_t>(chance() % last);
    std::copy_n(std::vector<char>(bytes.begin() + from, bytes.begin() + from + 512).begin(), 512, bytes.begin() + to);
  } else {
    for (std::uint64_t left = std::uint64_t{1} << chance() % 8; left > 0; --left)
      bytes[static_cast<std::size_t>(place())] = static_cast<char>(chance());
  }
}

int look_at_damaged(const std::vector<std::string>& given, bool whole) {
  const std::string path = given[0] + "/damaged.nc";
  std::mt19937_64 chance(std::strtoull(given[1].c_str(), nullptr, 10));
  std::map<std::string, int> counts;
  for (int i = 0; i < std::atoi(given[2].c_str()); ++i) {
    std::vector<char> bytes = bytes_of(given[3 + static_cast<std::size_t>(i) % (given.size() - 3)]);
    damage(bytes, chance);
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::ssize(bytes));
    const std::string said = looked_at(path, later_s, whole);
    ++counts[said.substr(0, said.find_first_of(": "))];
    if (said.starts_with("signal"))
      std::filesystem::copy_file(path, given[0] + "/ends_" + std::to_string(i) + (whole ? "_whole" : "") + ".nc",
                                 std::filesystem::copy_options::overwrite_existing);
  }
  std::printf("no %d yes %d unknown %d signal %d\n", counts["no"], counts["yes"], counts["unknown"], counts["signal"]);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> given(argv + 2, argv + argc);
  const std::string first = argc > 2 ? argv[1] : "";
  if (first == "damaged" || first == "whole") return given.size() > 3 ? look_at_damaged(given, first == "whole") : 2;
  if (first.empty()) return 2;
  for (const std::string& path : given) std::printf("%s\n", looked_at(path, std::atof(first.c_str()), false).c_str());
  return 0;
}
