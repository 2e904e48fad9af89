// What the calls of a test program returned, one JSON object a line in rank<N>.jsonl of the working folder: the lines
// of several ranks never mix, and they are there whatever ends the job.
#pragma once

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "thalweg.h"

namespace outcomes {

inline double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    char code[8];
    std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
    const bool control = static_cast<unsigned char>(c) < 0x20;
    result += control ? std::string(code) : (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
  }
  return result + '"';
}

class Log {
 public:
  explicit Log(int rank, bool failures_only = false)
      : failures_only_(failures_only),
        file_(open(("rank" + std::to_string(rank) + ".jsonl").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0644)) {}
  ~Log() { close(file_); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // Makes the call and keeps what came of it; returns its code.
  template <typename Call>
  int operator()(const std::string& label, const Call& call) {
    const double start_s = now_s();
    const int code = call();
    if (code == 0 && failures_only_) return code;
    write_line("{\"label\": " + quoted(label) + ", \"code\": " + std::to_string(code) +
               ", \"seconds\": " + std::to_string(now_s() - start_s) +
               ", \"text\": " + quoted(code == 0 ? "" : thalweg_error_text()) + "}\n");
    return code;
  }

 private:
  void write_line(const std::string& line) const {
    if (write(file_, line.data(), line.size()) < 0) std::perror("rank<N>.jsonl");
  }
  bool failures_only_;
  int file_;
};

// The end of a model that met an error: the others get the time to say what they met, and then the whole job ends. With
// THALWEG_TEST_FINALIZE it ends like one that met none.
[[noreturn]] inline void leave(int code) {
  if (code == 0 || std::getenv("THALWEG_TEST_FINALIZE") != nullptr) {
    MPI_Finalize();
    std::exit(code);
  }
  usleep(500'000);
  MPI_Abort(MPI_COMM_WORLD, code);
  std::exit(code);
}

}  // namespace outcomes
