// The name that a file has while it grows: that of the complete file, and an ending.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::storage {

constexpr const char* partial_ending = ".partial";

// "a.nc.partial" and "a.nc" -> "a.nc".
inline std::string complete_name(std::string name) {
  if (name.ends_with(partial_ending)) name.resize(name.size() - std::string_view(partial_ending).size());
  return name;
}

}  // namespace thalweg::storage
