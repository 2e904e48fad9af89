// Names as files in the netCDF classic formats have them.
#pragma once

#include <set>
#include <string>

namespace thalweg::formats::cdf {

// Names that differ: of dimensions, of variables, or of the attributes of one owner.
class Names {
 public:
  explicit Names(std::string path) : path_(std::move(path)) {}

  // The name as the file has it: readers look for a name in the form in which Unicode composes its letters (NFC). what:
  // whose it is, for messages. Errors: FORMAT, for one that no file can have, and for one that is here already.
  std::string add(const std::string& name, const std::string& what);

 private:
  std::string path_;
  std::set<std::string> taken_;
};

}  // namespace thalweg::formats::cdf
