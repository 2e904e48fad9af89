// Command lines as one would type them.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "compat/pfio/options.hpp"

namespace thalweg::compat::pfio {

inline std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// What a line without faults says.
inline Launch launch_of(const std::string& line) {
  config::Diagnostics faults;
  const Launch launch = read_options(words(line), faults).launch;
  faults.throw_if_any();
  return launch;
}

}  // namespace thalweg::compat::pfio
