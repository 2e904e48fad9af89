// The folders of a store that are open, so that the next object of a folder need not open it again.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "storage/posix.hpp"

namespace thalweg::storage {

// Each record opens folders of its own, and none is needed again: all are closed when there are many. The files that a
// process may have open (ulimit -n) are the model's too, so all stores together take a quarter of them at most, but for
// the one folder that each is at work in.
class OpenFolders {
 public:
  OpenFolders() = default;
  ~OpenFolders() { close_all(); }
  OpenFolders(const OpenFolders&) = delete;
  OpenFolders& operator=(const OpenFolders&) = delete;

  const Descriptor* find(const std::string& key) const;
  const Descriptor& add(const std::string& key, Descriptor folder);
  // False: there are no others.
  bool close_all_but(const Descriptor* kept);
  void close_all() { close_all_but(nullptr); }

 private:
  std::map<std::string, Descriptor> open_;
};

}  // namespace thalweg::storage
