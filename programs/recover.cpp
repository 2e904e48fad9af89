// thalweg-recover: turns what a killed run left behind into proper files.
#include <cstdio>
#include <string>
#include <vector>

#include "command.hpp"
#include "thalweg.h"

namespace {

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
  Command command("thalweg-recover",
                  "Turns the files and stores that a killed run left behind into proper ones, each with its committed "
                  "records, and gives them their names. NAME.partial.journal has to lie beside NAME.partial if the run "
                  "left it.",
                  "Prints a line for each: its name and its number of whole records. The exit code is 0 if all were "
                  "recovered.");
  std::vector<std::string> partials;
  command.require("NAME.partial", partials, "what a killed run left");
  if (const auto code = command.read(argc, argv)) return *code;
  bool all = true;
  for (const std::string& partial : partials) all = recover(partial) && all;
  return all ? 0 : 1;
}
