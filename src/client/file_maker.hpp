// Makes the files of a collection by the format library: one for a name of the series, or, of a set, the parts of it
// that this node writes, and on the home the virtual master.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "client/collection.hpp"
#include "store/format_file.hpp"

namespace thalweg::client {

class FileMaker {
 public:
  using Files = std::vector<std::unique_ptr<store::FormatFile>>;

  explicit FileMaker(const Collection& collection) : collection_(collection) {}
  // What is prepared and never taken, because the session failed before, is removed.
  ~FileMaker() { discard_prepared(); }
  FileMaker(const FileMaker&) = delete;
  FileMaker& operator=(const FileMaker&) = delete;

  // Of each file behind a name of the series.
  std::vector<store::FileNames> names(const std::string& name) const;
  // Makes them under their partial names before they are needed. Once at most.
  void prepare(const std::string& name);
  // Those that are prepared under that name, with the attributes of now; else makes them, and removes what was
  // prepared.
  Files take(const std::string& name);

 private:
  Files make(const std::string& name) const;
  void discard_prepared();
  catalog::Definition definition_of(std::size_t file) const;  // among names()
  bool sees_to_set() const { return !collection_.set.empty(); }
  bool has_master() const;
  void clear_old_parts(const std::string& name) const;
  void make_master(const std::string& name) const;
  void publish_master(const std::string& name) const;

  const Collection& collection_;
  std::string prepared_;      // name of files that are made but not taken yet
  std::int64_t changes_ = 0;  // of attributes, when they were made
  Files files_;
};

// Makes way for a new file: refuses or keeps aside what is there, by the collection's `append`. Errors: STORAGE.
void make_way(const config::CollectionSettings& settings, const std::string& path, const std::string& partial_path);

}  // namespace thalweg::client
