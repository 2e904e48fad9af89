// Names of outputs that must not meet.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/calendar.hpp"
#include "config/draft.hpp"

namespace thalweg::config {
namespace {

// folder: in which the run started; empty: the one in which it is now.
std::string normal_path(const std::string& folder, const std::string& path) {
  return std::filesystem::absolute(std::filesystem::path(folder) / path).lexically_normal();
}

// Stands for the names of all parts of a set.
std::string parts_of(const std::string& path) {
  return path + ".NNNN";
}

// For a name such as a part of a set has; empty for others.
std::string parts_like(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::string_view number = dot == std::string::npos ? "" : std::string_view(path).substr(dot + 1);
  const bool is_part = number.size() >= 4 && number.find_first_not_of("0123456789") == std::string_view::npos;
  return is_part ? parts_of(path.substr(0, dot)) : "";
}

// A name with a blank, which no digit is, for each digit of a part of the date.
std::string with_dates_blank(std::string_view name) {
  std::string blanked;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char code = name[i] == '%' && i + 1 < name.size() ? name[++i] : '%';
    if (code != '%')
      blanked.append(code == 'Y' ? 4 : code == 'j' ? 3 : 2, ' ');
    else
      blanked += name[i];
  }
  return blanked;
}

// Whether two names, each with_dates_blank(), are one at some date.
bool meet_at_some_date(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c == ' ' || ('0' <= c && c <= '9'); };
  const auto fits = [&](char c, char d) { return c == d || ((c == ' ' || d == ' ') && is_digit(c) && is_digit(d)); };
  return std::ranges::equal(a, b, fits);
}

// The names that a file of a collection has in the course of time, and what lies beside it meanwhile.
std::vector<std::string> names_around(const std::string& folder, const CollectionSettings& collection) {
  const std::string path = normal_path(folder, collection.file);
  std::vector<std::string> names;
  for (const char* ending : {"", ".partial", ".partial.journal", ".lock", ".checksums", ".checksums.new", ".replaced"})
    names.push_back(path + ending);
  for (std::int64_t number = 1; number <= collection.cycle; ++number)
    names.push_back(normal_path(folder, fill_template(collection.file, Calendar::standard, Date{}, number)));
  if (is_set(collection)) names.push_back(parts_of(path));
  return names;
}

// Two outputs of one name would write over each other, and no output may take the place of the configuration, or of
// what it says is read.
class NamesTaken {
 public:
  NamesTaken(Draft& draft, std::string newest) : draft_(draft), newest_(std::move(newest)) {
    const Settings& settings = draft.settings;
    if (!settings.source.empty())
      taken_.emplace(normal_path(settings.folder, settings.source), "the configuration itself");
    for (const auto& [name, collection] : settings.collections)
      take_input(collection.fields.region.grid.weights, fmt::format("'grid' of the collection '{}'", name));
    for (const auto& [name, forcing] : settings.forcing) take_input(forcing.file, fmt::format("forcing '{}'", name));
    take("profile", settings.profile);
    take("time-line", settings.time_line);
    take("status", settings.status, "folder");
  }

  // The path that a key of the session says.
  void take(const std::string& key, const std::string& path, const char* kind = "file") {
    if (path.empty() || !usable(draft_, key)) return;
    if (const auto [other, is_new] =
            taken_.emplace(normal_path(draft_.settings.folder, path), fmt::format("the {} of '{}'", kind, key));
        !is_new)
      draft_.faults.add(draft_.where.at(key), fmt::format("{}: '{}' is {}", key, path, other->second));
  }

  void take(const CollectionSettings& collection) {
    const std::vector<std::string> names = names_around(draft_.settings.folder, collection);
    if (meets_at_some_date(collection, names.front())) return;
    for (const std::string& name : names)
      if (const auto other = taken_.find(name); other != taken_.end()) return refuse(collection, name, other->second);
    if (!meets_set(collection, names)) return;
    for (const std::string& name : names) {
      taken_.emplace(name, name == names.front()
                               ? fmt::format("the file of the collection '{}' already", collection.name)
                               : fmt::format("what lies beside the file of the collection '{}'", collection.name));
      owners_.emplace(name, &collection);
    }
  }

 private:
  struct Named {
    bool has_dates = false;
    std::string blanked;  // with_dates_blank()
    const CollectionSettings* collection = nullptr;
  };

  void take_input(const std::string& path, const std::string& reader) {
    if (!path.empty())
      taken_.emplace(normal_path(draft_.settings.folder, path), fmt::format("the file that {} reads", reader));
  }

  // A file that is called like a part of a set that another collection makes, whichever of the two comes first. False:
  // it was refused.
  bool meets_set(const CollectionSettings& collection, const std::vector<std::string>& names) {
    const std::string like = parts_like(names.front());
    const auto set = taken_.find(like);
    const auto part = like_parts_.find(names.back());
    if (set != taken_.end())
      refuse(collection, like, set->second);
    else if (part != like_parts_.end())
      refuse(collection, part->second, taken_.at(part->second));
    else if (!like.empty())
      like_parts_.emplace(like, names.front());
    return set == taken_.end() && part == like_parts_.end();
  }

  // Names with parts of the date that are not the same text, which is refused with the others.
  bool meets_at_some_date(const CollectionSettings& collection, const std::string& name) {
    const Named own{is_template(name), with_dates_blank(name), &collection};
    for (const auto& [other_name, known] : files_) {
      if (!own.has_dates && !known.has_dates) continue;
      if (other_name == name || !meet_at_some_date(own.blanked, known.blanked)) continue;
      const CollectionSettings* other = known.collection;
      const bool is_later = is_at_fault(collection, *other);
      draft_.faults.add(where_of(draft_, is_later ? collection : *other, "file"),
                        fmt::format("file: '{}' and '{}' of the collection '{}' are one name at some date",
                                    (is_later ? collection : *other).file, (is_later ? *other : collection).file,
                                    is_later ? other->name : collection.name));
      return true;
    }
    files_.emplace(name, own);
    return false;
  }

  // Of two that meet: the one further down in the text, or the one that is added to the others.
  bool is_at_fault(const CollectionSettings& collection, const CollectionSettings& other) const {
    const int line = where_of(draft_, collection, "file").place.line;
    const int other_line = where_of(draft_, other, "file").place.line;
    return collection.name == newest_ || (other.name != newest_ && line >= other_line);
  }

  void refuse(const CollectionSettings& collection, const std::string& name, const std::string& what) {
    Where where = where_of(draft_, collection, "file");
    const auto owner = owners_.find(name);
    if (owner == owners_.end()) {
      draft_.faults.add(where, fmt::format("file: '{}' is {}", collection.file, what));
      return;
    }
    const CollectionSettings& other = *owner->second;
    const Where there = where_of(draft_, other, "file");
    const bool is_later = is_at_fault(collection, other);
    const std::string& folder = draft_.settings.folder;
    const bool is_same = normal_path(folder, collection.file) == normal_path(folder, other.file);
    draft_.faults.add(is_later ? where : there,
                      fmt::format("file: '{}' is {} of the collection '{}'{}", collection.file,
                                  is_same ? "the file" : "or would have beside it a name that belongs to the file",
                                  is_later ? other.name : collection.name, is_same ? " already" : ""));
  }

  Draft& draft_;
  std::string newest_;
  std::map<std::string, std::string> taken_;  // and by what
  std::map<std::string, const CollectionSettings*> owners_;
  std::map<std::string, Named> files_;
  std::map<std::string, std::string> like_parts_;  // by parts_like(), files that are called like parts
};

}  // namespace

void check_files_differ(Draft& draft, const std::string& newest) {
  NamesTaken names(draft, newest);
  for (const auto& [name, collection] : draft.settings.collections)
    if (usable(draft, key_of(collection, "file"))) names.take(collection);
}

}  // namespace thalweg::config
