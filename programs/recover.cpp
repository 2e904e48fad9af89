// thalweg-recover: turns what a killed run left behind into proper files.
#include <cstdio>
#include <string>

#include "thalweg.h"

namespace {

constexpr const char* usage = R"(usage: thalweg-recover NAME.partial …

Turns the files and stores that a killed run left behind into proper ones, each with its committed records, and gives
them their names. NAME.partial.journal has to lie beside NAME.partial if the run left it.

  -h, --help   show this text

Prints a line for each: its name and its number of whole records. The exit code is 0 if all were recovered.
)";

bool recover(const std::string& partial) {
  int64_t records = 0;
  if (thalweg_recover(partial.c_str(), &records) != THALWEG_OK) {
    std::fprintf(stderr, "thalweg-recover: %s\n", thalweg_error_text());
    return false;
  }
  const std::string name = partial.substr(0, partial.rfind('.'));
  std::printf("%s: %lld records\n", name.c_str(), static_cast<long long>(records));
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word == "-h" || word == "--help") {
    std::fputs(usage, stdout);
    return 0;
  }
  if (argc < 2) {
    std::fprintf(stderr, "thalweg-recover: no file is named; thalweg-recover --help says how\n");
    return 2;
  }
  bool all = true;
  for (int i = 1; i < argc; ++i) all = recover(argv[i]) && all;
  return all ? 0 : 1;
}
