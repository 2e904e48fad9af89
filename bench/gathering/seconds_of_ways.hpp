// Times of ways that take turns, as the drivers read them.
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

using SecondsOfWays = std::map<std::string, std::vector<double>>;

inline double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// In JSON, on a line.
inline void print(const SecondsOfWays& seconds) {
  std::printf("{");
  const char* comma = "";
  for (const auto& [way, rounds] : seconds) {
    std::printf("%s\"%s\": [", comma, way.c_str());
    for (std::size_t n = 0; n < rounds.size(); ++n) std::printf("%s%.9f", n == 0 ? "" : ", ", rounds[n]);
    std::printf("]");
    comma = ", ";
  }
  std::printf("}\n");
}
