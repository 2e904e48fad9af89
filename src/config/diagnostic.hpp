// Faults of a configuration, each with its place, the line and a caret, as a compiler writes them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/document.hpp"

namespace thalweg::config {

// A point in a text that a message can show.
struct Where {
  std::string label;   // "ocean.yaml:3:11", "environment THALWEG_STAGING"
  Place place;         // in a file; line 0 elsewhere
  std::string line;    // the text of the line, of a long one what is around the caret; may be empty
  int column = 1;      // of the caret in the line, in bytes
  std::string origin;  // "file ocean.yaml:3:11", "program open_collection_text('history'):1:2", …
};

// A configuration text, its name in messages, and whose it is.
class Source {
 public:
  Source(std::string name, const std::string& text, std::string kind = "file");
  Where at(Place place) const;

 private:
  std::string name_;
  std::string kind_;
  std::vector<std::string> lines_;
};

Where in_environment(const std::string& name, const std::string& value);

class Diagnostics {
 public:
  struct Fault {
    Where where;
    std::string text;
  };

  // One that several collections have from one place is one. With the hundredth fault those so far are thrown: nobody
  // reads more.
  void add(Where where, std::string text);

  // Throws one CONFIG error with all faults, those of the file first and in the order of their places, and what is more
  // to say.
  void throw_if_any(const std::string& more = "") const;

  std::vector<Fault> take() { return std::exchange(faults_, {}); }

 private:
  std::vector<Fault> faults_;
};

}  // namespace thalweg::config
