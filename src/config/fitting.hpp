// Whether what a key says fits the launch, which is known when the configuration has been read: an error of it has the
// place that set the key, as the others have.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "config/diagnostic.hpp"
#include "config/settings.hpp"

namespace thalweg::config {

// Of the key and those below it, in the order of the text.
inline std::vector<Where> places_of(const Settings& settings, const std::string& key) {
  std::vector<Where> places;
  for (const auto& [set, place] : settings.where)
    if (set == key || set.starts_with(key + ".")) places.push_back(place);
  std::ranges::sort(places, {}, [](const Where& of) { return std::pair(of.place.line, of.place.column); });
  return places;
}

// Makes a step that throws CONFIG where the key does not fit.
template <typename Step>
auto fitting(const Settings& settings, const std::string& key, const Step& step) {
  try {
    return step();
  } catch (const Error& why) {
    const std::vector<Where> places = places_of(settings, key);
    if (places.empty() || why.code() != THALWEG_ERROR_CONFIG) throw;
    Diagnostics faults;
    faults.add(places.front(), why.what());
    faults.throw_if_any();
    throw;
  }
}

}  // namespace thalweg::config
