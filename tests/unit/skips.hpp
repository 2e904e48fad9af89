// In continuous integration (CI is set) a test that skips itself is a failure, unless tests/skips.txt has its reason.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "source_dir.hpp"

namespace thalweg::skips {

inline bool are_failures() {
  const char* ci = std::getenv("CI");
  return ci != nullptr && *ci != '\0';
}

// Whether a line "unit. | words | why" has words of this reason.
inline bool is_listed(const std::string& reason) {
  std::ifstream list(source_dir() + "/tests/skips.txt");
  const std::string start = "unit. | ";
  for (std::string line; std::getline(list, line);) {
    const std::size_t end = line.find(" | ", start.size());
    if (!line.starts_with(start) || end == std::string::npos) continue;
    if (reason.find(line.substr(start.size(), end - start.size())) != std::string::npos) return true;
  }
  return false;
}

class Listener : public testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.skipped() || !are_failures() || is_listed(result.message())) return;
    std::fprintf(stderr, "%s:%d is skipped, which tests/skips.txt does not allow: %s\n",
                 result.file_name() == nullptr ? "?" : result.file_name(), result.line_number(), result.message());
    ++unlisted_;
  }
  int unlisted() const { return unlisted_; }

 private:
  int unlisted_ = 0;
};

}  // namespace thalweg::skips
