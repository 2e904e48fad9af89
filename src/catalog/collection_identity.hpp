// Which collection it is, and which run's.
#pragma once

#include <string>

namespace thalweg::catalog {

struct CollectionIdentity {
  int number = 0;  // in the order of opening, the same on all ranks
  std::string name;
  std::string folder;  // that its relative paths are meant from
  std::string run_id;
  std::string session_id;
  const char* word = "";  // its name, for spans (base/subject.hpp)
};

}  // namespace thalweg::catalog
