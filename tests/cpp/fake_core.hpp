// The core that records its calls: tests/fortran/fake_core.c.
#pragma once

#include <array>
#include <string>

extern "C" {
void fake_take(char* text, int capacity);
void fake_fail(int code);
}

// The calls that it got since the last time, one a line.
inline std::string taken() {
  std::array<char, 4096> text{};
  fake_take(text.data(), static_cast<int>(text.size()));
  return text.data();
}
