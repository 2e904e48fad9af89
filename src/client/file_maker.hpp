// Makes the files of a collection by the format library: one for a name of the series, or, of a set, the parts of it
// that this node writes, and on the home the virtual master.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "block/commands.hpp"
#include "client/collection.hpp"
#include "formats/format_file.hpp"
#include "sets/set_publisher.hpp"
#include "storage/output_name.hpp"

namespace thalweg::client {

// The files behind a name of the series, made and not yet complete.
struct MadeFiles {
  std::vector<std::unique_ptr<formats::FormatFile>> files;
  std::vector<block::FileNames> names;            // of each
  std::shared_ptr<const sets::SetPublisher> set;  // of a set, on its home
};

class FileMaker {
 public:
  explicit FileMaker(const Collection& collection) : collection_(collection) {}
  // What is prepared and never taken, because the session failed before, is removed.
  ~FileMaker() { discard_prepared(); }
  FileMaker(const FileMaker&) = delete;
  FileMaker& operator=(const FileMaker&) = delete;

  // Of each file behind a name of the series, where others make them.
  std::vector<block::FileNames> names(const std::string& name) const;
  // Makes them under their partial names before they are needed. Once at most.
  void prepare(const std::string& name);
  // Those that are prepared under that name, with the attributes of now; else makes them, and removes what was
  // prepared.
  MadeFiles take(const std::string& name);

 private:
  MadeFiles make(const std::string& name) const;
  void make_parts(MadeFiles& made, const std::string& path) const;
  void discard_prepared();
  static void discard(const MadeFiles& made);
  catalog::Definition definition_of(std::size_t file) const;  // among names()
  bool sees_to_set() const { return !collection_.set.empty(); }
  bool has_master() const;
  std::shared_ptr<const sets::SetPublisher> make_set_publisher(const std::string& path) const;

  const Collection& collection_;
  std::string prepared_;      // name of files that are made but not taken yet
  std::int64_t changes_ = 0;  // of attributes, when they were made
  MadeFiles made_;
};

// Where a file of this name lies: relative names are meant from the folder in which the run started.
std::string path_of(const Collection& collection, const std::string& name);
// What is to be heeded of files that are there already.
storage::NameRules name_rules(const Collection& collection);

}  // namespace thalweg::client
