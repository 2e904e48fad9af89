// What a collection's other writers have told of the ends of files: that they have written all of theirs; and, of the
// parts of a set, that all are written, and that theirs have their names.
#pragma once

#include <cstdint>
#include <map>

namespace thalweg::writer {

class OtherWriters {
 public:
  void note_closed(std::int64_t file) { ++of_[file].closed; }
  void note_named(std::int64_t file) { ++of_[file].named; }
  void ask_for_names(std::int64_t file) { of_[file].want_names = true; }

  bool have_closed(std::int64_t file, int writers) const { return of(file).closed >= writers; }
  bool have_named(std::int64_t file, int writers) const { return of(file).named >= writers; }
  bool want_names(std::int64_t file) const { return of(file).want_names; }

  void forget(std::int64_t file) { of_.erase(file); }

 private:
  struct Told {
    int closed = 0;
    int named = 0;
    bool want_names = false;
  };
  Told of(std::int64_t file) const {
    const auto found = of_.find(file);
    return found == of_.end() ? Told{} : found->second;
  }
  std::map<std::int64_t, Told> of_;
};

}  // namespace thalweg::writer
