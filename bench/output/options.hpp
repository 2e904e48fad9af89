// The command line of the program. The driver writes it; it is not meant for typing.
#pragma once

#include <cstdint>
#include <string>

namespace bench {

struct Options {
  std::string way;  // one of ways.cpp, or "calibrate", or "writer" for the independent one
  std::string workload = "large";
  double scale = 1.0;
  int records = 0;        // 0: the case's own
  std::int64_t work = 0;  // multiply-adds between records
  double seconds = 0.5;   // what calibrate aims at
  std::string file;       // output
  std::string result;     // JSON of the measurement
  std::string fifo;       // prefix of the pipes between "floor" and "writer"
  std::string settings;   // more keys of Thalweg's collection, as in a YAML map in braces
  std::string profile;    // where Thalweg's own profile goes
  std::string writers;    // of Thalweg, in place of those in the way's name
  std::string nodes;      // that Thalweg emulates, as "[4, 2]"
  int servers = 0;        // the last ranks, which only serve
};

Options parse(int argc, char** argv);

}  // namespace bench
