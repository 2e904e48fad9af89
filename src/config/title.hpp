// How messages name a collection.
#pragma once

#include <string>

#include "config/settings.hpp"

namespace thalweg::config {

// "ocean.yaml:12:3: ", where it was said; "": in no text.
inline std::string place_in_text(const CollectionSettings& collection) {
  return collection.place.empty() ? "" : collection.place + ": ";
}

// "ocean.yaml:12:3: collection 'history'"
inline std::string title_of(const CollectionSettings& collection) {
  return place_in_text(collection) + "collection '" + collection.name + "'";
}

}  // namespace thalweg::config
