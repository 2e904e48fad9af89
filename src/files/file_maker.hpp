// Makes the files of a collection: one for a name of the series, or, of a set, the parts of it that this rank writes,
// and on the owner what ends the set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "block/commands.hpp"
#include "formats/format_file.hpp"
#include "sets/set_publisher.hpp"

namespace thalweg::files {

// The files behind a name of the series, made and not yet complete.
struct MadeFiles {
  std::vector<std::unique_ptr<formats::FormatFile>> files;
  std::vector<block::FileNames> names;            // of each
  std::shared_ptr<const sets::SetPublisher> set;  // of a set, on its owner
};

class FileMaker {
 public:
  FileMaker() = default;
  virtual ~FileMaker() = default;
  FileMaker(const FileMaker&) = delete;
  FileMaker& operator=(const FileMaker&) = delete;

  // Of each file behind a name of the series, where others make them.
  virtual std::vector<block::FileNames> names(const std::string& name) const = 0;
  // Makes them under their partial names before they are needed. Once at most. Errors: STORAGE, FORMAT.
  virtual void prepare(const std::string& name) = 0;
  // Those that are prepared under that name, with the attributes of now; else makes them, and removes what was
  // prepared. Errors: STORAGE, FORMAT.
  virtual MadeFiles take(const std::string& name) = 0;
};

}  // namespace thalweg::files
